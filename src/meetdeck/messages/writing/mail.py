"""A mail with a calendar object (RFC 5322, RFC 6047) that every mail program shows as one appointment."""

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from datetime import datetime
from email import headerregistry
from email.errors import MessageError
from email.utils import format_datetime, formataddr
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

import idna
import msgspec

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.messages.writing.headers import encode_header
from meetdeck.messages.writing.letters import SHARED_LINES

_LINE_ENDS: Final = dict.fromkeys([*range(32), 127, 0x85, 0x2028, 0x2029], " ")
"""Characters that no header may contain: with them a name could end its line and begin another header."""
_LONGEST_LINE: Final = 250
_WORD: Final = r"[\w!#$%&'*+/=?^`{|}~-]+"
_PLAIN_ADDRESS: Final = re.compile(rf"{_WORD}(?:\.{_WORD})*@{_WORD}(?:\.{_WORD})*", re.ASCII)
_UNUSABLE: Final = "mail cannot be sent to the address"


class AddressUnusable(ValueError):  # noqa: N818 - a state of the address
    """An address to which no mail can be sent."""


class Address(NamedTuple):
    """A name and an address in the form of headers."""

    name: str
    spec: str
    """The address itself."""
    domain: str


class Calendar(msgspec.Struct, frozen=True):
    """The calendar object of a mail."""

    content: bytes
    method: ICalMethod


class Mail(msgspec.Struct, frozen=True, kw_only=True):
    """A mail to one person."""

    sender: Party
    to: Party
    reply_to: Party | None
    subject: str
    text: str
    html: str
    calendar: Calendar | None
    id: UUID
    """The source of the Message-ID, which stays the same when the mail is sent again."""
    edition: str = ""
    """Distinguishes different mails with one id: receivers drop a Message-ID that they have and would miss a change."""
    thread_id: UUID
    """The thread that all mails about one meeting share."""
    language: str
    sent_at: datetime


def write_mail(mail: Mail) -> bytes:
    """Return a mail ready to be sent, in lines of ASCII. Raises AddressUnusable for an invalid recipient's address.

    Its parts are always the same. The standard library's `EmailMessage` reads each header of each part again, and took
    eight times as long.
    """
    domain = write_address(mail.sender).domain
    name = f"{mail.id}.{mail.edition}" if mail.edition else str(mail.id)
    headers = [
        _write_party("From", mail.sender),
        _write_party("To", mail.to),
        *([_write_party("Reply-To", mail.reply_to)] if mail.reply_to is not None else []),
        f"Subject: {encode_header(clean(mail.subject), 'Subject')}",
        f"Date: {format_datetime(mail.sent_at)}",
        f"Message-ID: <{name}@{domain}>",
        f"References: <{mail.thread_id}@{domain}>",
        "Auto-Submitted: auto-generated",  # RFC 3834: requests that no absence notices are sent to us
        f"Content-Language: {mail.language}",
        "MIME-Version: 1.0",
    ]
    parts = [_write_text("plain", mail.text), _write_text("html", mail.html)]
    body = _join("alternative", mail.id, parts)
    if mail.calendar is not None:
        # Outlook, Gmail and Apple read this part; the attachment is for programs that show only files.
        lines = encodebytes(mail.calendar.content).replace(b"\n", b"\r\n")
        method = mail.calendar.method.value.upper()
        shown = _write_file(f'text/calendar; charset="utf-8"; method="{method}"', lines)
        file = _write_file("application/ics", lines, 'attachment; filename="invite.ics"')
        body = _join("mixed", mail.id, [_join("alternative", mail.id, [*parts, shown]), file])
    return "\r\n".join(headers).encode("ascii") + b"\r\n" + body


@lru_cache(maxsize=256)
def _write_party(name: str, party: Party) -> str:
    """Return the header with a name and an address; many mails have the same. Raises AddressUnusable."""
    shown, spec, _ = write_address(party)
    if not shown:
        return f"{name}: {spec}"
    quoted = formataddr((shown, spec)) if shown.isascii() and "=?" not in shown else ""
    return f"{name}: {quoted or f'{encode_header(shown, name)} <{spec}>'}"


def _write_text(kind: str, text: str) -> bytes:
    """Return a part with a text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
    head = f'Content-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    return head.encode("ascii") + b"\r\n".join([*(_QUOTED.get(line) or _quote(line) for line in lines), b""])


def _quote(line: str) -> bytes:
    """Return a line in quoted-printable (RFC 2045, section 6.7)."""
    return b2a_qp(line.encode(), istext=True).replace(b"=\n", b"=\r\n")


_QUOTED: Final = {line: _quote(line) for line in SHARED_LINES}
"""Most of a mail: encoding it anew took half of the time of writing the mail."""


def _write_file(kind: str, lines: bytes, disposition: str = "") -> bytes:
    """Return a part with bytes, which are given in lines of base64."""
    more = f"Content-Disposition: {disposition}\r\n" if disposition else ""
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: base64\r\n{more}\r\n".encode("ascii") + lines


def _join(kind: str, mail_id: UUID, parts: Sequence[bytes]) -> bytes:
    """Return a part that consists of parts. What separates them occurs in none: no encoding writes `=_`."""
    boundary = f"=_{kind}_{mail_id.hex}"
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'.encode("ascii")
    line = f"--{boundary}".encode("ascii")
    return head + b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"


def require_addresses(mail: Mail) -> None:
    """Raise AddressUnusable for an address with which `write_mail` cannot write a mail."""
    for party in (mail.sender, mail.to, mail.reply_to):
        if party is not None:
            write_address(party)


def write_address(party: Party) -> Address:
    """Return a name and an address in the form of headers. Raises AddressUnusable."""
    local, _, domain = party.email.rpartition("@")
    try:
        ascii_domain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode("ascii")
        spec = f"{local}@{ascii_domain}"
        is_usable = _PLAIN_ADDRESS.fullmatch(spec) or (local and spec.isascii() and _parse(spec) == spec)
    except (ValueError, IndexError, MessageError) as error:  # IndexError: the standard library's, for an empty part
        raise AddressUnusable(_UNUSABLE) from error
    if not is_usable:
        raise AddressUnusable(_UNUSABLE)
    return Address(clean(party.name), spec, ascii_domain)


def _parse(spec: str) -> str:
    """Return an address that is not made of plain words as the standard library reads it, which may refuse it."""
    return headerregistry.Address(addr_spec=spec).addr_spec


def clean(text: str) -> str:
    """Return a text as one header line."""
    line = text if text.isprintable() else text.translate(_LINE_ENDS)
    return " ".join(line.split())[:_LONGEST_LINE]
