"""Hyperlink addresses from the data: which are safe in a deck, and how each is written.

An address is built of percent-encoded values (`encode_address`); `finish_address` then writes the whole by the rules of
its scheme: web (RFC 3986), mail (RFC 6068), telephone (RFC 3966) and text messages (RFC 5724).
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import idna

_SAFE_SCHEME: Final = re.compile(r"(?:https?|mailto|tel|sms):", re.IGNORECASE)
# A number to dial: digits, the signs between them, letters of numbers that spell a word, and parameters (RFC 3966).
_SUBSCRIBER: Final = re.compile(r"(?=[^;]*[0-9])[+]?[0-9*#(][0-9A-Za-z*#()./,-]*(?:;[A-Za-z0-9-]+(?:=[^;\s]*)?)*")
# A line break would start a header of the mail.
_RECIPIENT: Final = re.compile(r"[^\s@]+@\S+")
_NAMED_RECIPIENT: Final = re.compile(r"[^<>]*<([^<>]*)>")
_RECIPIENTS: Final = re.compile("[,;\r\n]+")
_NUMBERS: Final = re.compile("[,\r\n]+")
# The longest address that Office accepts.
_LONGEST_ADDRESS: Final = 2_083
_PUNCTUATION: Final = ":/?#[]@!$&'()*+,;=%-._~"
_UNRESERVED: Final = "-._~"
# Addresses without their scheme, as people write them: RFC 6068 `to`, and RFC 3986 `reg-name` with a dot.
_MAIL: Final = re.compile(r"[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+(?:\?.*)?")
_HOST: Final = re.compile(r"(?:[\w%-]+\.)+[\w%-]{2,}(?::[0-9]+)?(?:[/?#].*)?")
_DOUBLED_SCHEME: Final = re.compile(r"https?://(?=https?://)", re.IGNORECASE)
_STRAY_PERCENT: Final = re.compile("%(?![0-9A-Fa-f]{2})")
# A number as people write it; digits are ASCII and spaces are removed.
_NUMBER: Final = re.compile(
    r"(?P<number>[+]?[0-9*#()./-]*[0-9*#])(?:[,;]?(?:ext(?:ension)?|x)[.:=]?(?P<extension>[0-9]+))?"
)
# The 0 that is dialled only inside the country: +44 (0)20 …
_TRUNK_PREFIX: Final = re.compile(r"(?<=[0-9])[(]0[)]")
# The host of a percent-encoded web address, after the user's name.
_WEB_HOST: Final = re.compile(r"(?<=://)(?P<user>[^/?#@]*@)?(?P<host>[^/?#:@]*%[^/?#:@]*)")
_LINE_BREAK: Final = re.compile("\r\n|\r|\n")
_MAIL_FIELDS: Final = frozenset({"to", "cc", "bcc"})


def has_safe_scheme(address: str) -> bool:
    """Return whether an address has a scheme that is safe to click on: web, mail, telephone or text message."""
    return _SAFE_SCHEME.match(address) is not None


def find_fault(address: str) -> str:
    """Return why an address from the data is not allowed in a deck, as the end of a sentence; empty if it is allowed.

    Web, mail and telephone addresses are allowed, scripts and files not. A relative address is a file for PowerPoint,
    and `//server/share` one that it would log in for.
    """
    try:
        urlsplit(address)
    except ValueError:
        return "is not written as an address"
    if len(address) > _LONGEST_ADDRESS:
        return f"has more than {_LONGEST_ADDRESS:,} characters"
    if not has_safe_scheme(address):
        return "is not a web, mail or telephone address"
    return _find_fault_of_recipients(*address.split(":", 1))


def _find_fault_of_recipients(scheme: str, rest: str) -> str:
    recipients, _, fields = rest.partition("?")
    match scheme.lower():
        case "tel":
            return _find_fault_of_numbers([rest])
        case "sms":
            return _find_fault_of_numbers(recipients.split(","))
        case "mailto" if recipients or not fields:
            are_mail = all(_RECIPIENT.fullmatch(unquote(one)) for one in recipients.split(","))
            return "" if are_mail else "has no e-mail address"
        case _:
            return ""


def _find_fault_of_numbers(numbers: Sequence[str]) -> str:
    are_numbers = all(_SUBSCRIBER.fullmatch(unquote(number)) for number in numbers)
    return "" if are_numbers else "has no telephone number"


def encode_address(text: str, *, whole: bool) -> str:
    """Return a percent-encoded value; at the beginning of an address it keeps its punctuation."""
    return quote(text.strip(), safe=_PUNCTUATION if whole else _UNRESERVED)


def finish_address(address: str) -> str:
    """Return a percent-encoded address as its scheme's RFC writes it, with a missing scheme added.

    A bare scheme (`tel:` without a number) becomes empty.
    """
    complete = _complete(address)
    scheme, colon, rest = complete.partition(":")
    if colon and not rest.strip("/"):
        return ""
    match scheme.lower():
        case "tel":
            return _with_text("tel:", _write_number(rest))
        case "sms":
            return _write_message(rest)
        case "mailto":
            return _write_mail(rest)
        case "http" | "https":
            return _WEB_HOST.sub(_write_host, _STRAY_PERCENT.sub("%25", _DOUBLED_SCHEME.sub("", complete)), count=1)
        case _:
            return complete


def _complete(address: str) -> str:
    """Return an address with a missing scheme added."""
    if _MAIL.fullmatch(address):
        return f"mailto:{address}"
    if address.startswith("//"):
        return f"https:{address}"
    return f"https://{address}" if _HOST.fullmatch(address) else address


def _write_host(found: re.Match[str]) -> str:
    """Return an internationalized host in ASCII (RFC 3986, 3.2.2): not all programs resolve percent-encoded ones."""
    user, host = found["user"] or "", found["host"]
    try:
        return user + idna.encode(unquote(host), uts46=True).decode()
    except idna.IDNAError:
        return user + host


def _with_text(before: str, text: str) -> str:
    return before + text if text else ""


def _write_message(rest: str) -> str:
    recipients, mark, query = rest.partition("?")
    numbers = ",".join(filter(None, map(_write_number, _NUMBERS.split(unquote(recipients)))))
    return _with_text("sms:", numbers + mark + _write_fields(query))


def _write_number(text: str) -> str:
    """Return a telephone number without separators; any other text, or two numbers, stay percent-encoded."""
    plain = unquote(text).strip()
    if _LINE_BREAK.search(plain):
        return quote(plain, safe=_UNRESERVED)
    plain = plain[4:] if plain[:4].lower() in {"tel:", "sms:"} else plain
    visible = (c for c in unicodedata.normalize("NFKC", plain) if unicodedata.category(c) not in {"Cf", "Zs", "Cc"})
    plain = "".join(str(unicodedata.decimal(c, c)) for c in visible)
    found = _NUMBER.fullmatch(plain.lower())
    if found is None:
        return quote(plain, safe=_UNRESERVED + "+;=")
    number = re.sub("[()./-]", "", _TRUNK_PREFIX.sub("", found["number"]) if plain[:1] == "+" else found["number"])
    extension = f";ext={found['extension']}" if found["extension"] else ""
    return quote(number, safe="+*") + extension


def _write_mail(rest: str) -> str:
    recipients, mark, query = rest.partition("?")
    return _with_text("mailto:", _write_recipients(recipients) + mark + _write_fields(query))


def _write_recipients(text: str) -> str:
    """Return mail addresses with literal `@` and commas between them (RFC 6068, section 2)."""
    plain = unquote(text)
    plain = plain[7:] if plain[:7].lower() == "mailto:" else plain
    addresses = (_NAMED_RECIPIENT.sub(r"\1", one).strip() for one in _RECIPIENTS.split(plain))
    return ",".join(quote(one, safe="-._~!$'*+@") for one in addresses if one)


def _write_fields(query: str) -> str:
    """Return the fields of a mail or message: line breaks of the body are CR LF, others blanks; recipients as above."""
    fields: list[str] = []
    for field in filter(None, query.split("&")):
        name, equals, value = field.partition("=")
        if name.lower() in _MAIL_FIELDS:
            written = _write_recipients(value)
        else:
            line_break = "\r\n" if name.lower() == "body" else " "
            written = quote(_LINE_BREAK.sub(line_break, unquote(value)), safe=_UNRESERVED)
        fields.append(name + equals + written)
    return "&".join(fields)
