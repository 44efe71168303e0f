"""Hyperlink addresses from the data: which are safe in a deck, and how each is written.

An address is put together of percent-encoded values (`encode_address`); `finish_address` then writes the whole by the
rules of its scheme: web (RFC 3986), mail (RFC 6068), telephone (RFC 3966) and text messages (RFC 5724).
"""

import re
import unicodedata
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import idna

_SAFE_SCHEME: Final = re.compile(r"(?:https?|mailto|tel|sms):", re.IGNORECASE)
# Words instead of a number lead nowhere.
_NO_NUMBER: Final = re.compile(r"(?:tel|sms):[^0-9]*", re.IGNORECASE)
# What Office takes at most.
_LONGEST_ADDRESS: Final = 2_083
_PUNCTUATION: Final = ":/?#[]@!$&'()*+,;=%-._~"
_UNRESERVED: Final = "-._~"
# What people leave out of an address, RFC 6068 `to`, and RFC 3986 `reg-name` with a dot.
_MAIL: Final = re.compile(r"[^\s@:/?#]+@[^\s@:/?#]+\.[^\s@:/?#]+(?:\?.*)?")
_HOST: Final = re.compile(r"(?:[\w%-]+\.)+[\w%-]{2,}(?::[0-9]+)?(?:[/?#].*)?")
_DOUBLED_SCHEME: Final = re.compile(r"https?://(?=https?://)", re.IGNORECASE)
_STRAY_PERCENT: Final = re.compile("%(?![0-9A-Fa-f]{2})")
# A number as people write it; digits are ASCII and spaces are gone.
_NUMBER: Final = re.compile(
    r"(?P<number>[+]?[0-9*#()./-]*[0-9*#])(?:[,;]?(?:ext(?:ension)?|x)[.:=]?(?P<extension>[0-9]+))?"
)
# The 0 that is dialled inside the country only: +44 (0)20 …
_TRUNK_PREFIX: Final = re.compile(r"(?<=[0-9])[(]0[)]")
# The host of a percent-encoded web address, behind whom it logs in.
_WEB_HOST: Final = re.compile(r"(?<=://)(?P<user>[^/?#@]*@)?(?P<host>[^/?#:@]*%[^/?#:@]*)")
_LINE_BREAK: Final = re.compile("\r\n|\r|\n")
_MAIL_FIELDS: Final = frozenset({"to", "cc", "bcc"})


def has_safe_scheme(address: str) -> bool:
    """Return whether an address is one of the web, mail, telephone or a text message, safe to click on."""
    return _SAFE_SCHEME.match(address) is not None


def is_safe_address(address: str) -> bool:
    """Return whether an address from the data may stand in a deck: web, mail and telephone, no scripts, no files.

    A relative address is a file for PowerPoint, `//server/share` one that it would log in for.
    """
    try:
        urlsplit(address)
    except ValueError:
        return False
    return len(address) <= _LONGEST_ADDRESS and has_safe_scheme(address) and not _NO_NUMBER.fullmatch(address)


def encode_address(text: str, *, whole: bool) -> str:
    """Return a value percent-encoded; at the beginning of an address it keeps its punctuation, elsewhere not."""
    return quote(text.strip(), safe=_PUNCTUATION if whole else _UNRESERVED)


def finish_address(address: str) -> str:
    """Return a percent-encoded address as its scheme's RFC writes it, with a missing scheme added.

    A mere scheme (`tel:` without a number) becomes empty.
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
    """Return an address with the scheme that people leave out."""
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
    numbers = ",".join(filter(None, map(_write_number, unquote(recipients).split(","))))
    return _with_text("sms:", numbers + mark + _write_fields(query))


def _write_number(text: str) -> str:
    """Return a telephone number without separators; any other text stays, percent-encoded."""
    plain = unquote(text)
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
    """Return mail addresses with `@` and the commas between them literal (RFC 6068, section 2)."""
    plain = unquote(text)
    plain = plain[7:] if plain[:7].lower() == "mailto:" else plain
    return ",".join(quote(one.strip(), safe="-._~!$'*+@") for one in plain.split(",") if one.strip())


def _write_fields(query: str) -> str:
    """Return the fields of a mail or message: line breaks are CR LF, recipients as above."""
    fields: list[str] = []
    for field in filter(None, query.split("&")):
        name, equals, value = field.partition("=")
        if name.lower() in _MAIL_FIELDS:
            written = _write_recipients(value)
        else:
            written = quote(_LINE_BREAK.sub("\r\n", unquote(value)), safe=_UNRESERVED)
        fields.append(name + equals + written)
    return "&".join(fields)
