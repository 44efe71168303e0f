"""A mail with a calendar object (RFC 5322, RFC 6047) that every mail program shows as one appointment."""

from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import Final
from uuid import UUID

import idna
import msgspec

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party

_LINE_ENDS: Final = dict.fromkeys([*range(32), 127, 0x85, 0x2028, 0x2029], " ")
"""Characters that no header may contain: with them a name could end its line and begin another header."""
_LONGEST_LINE: Final = 250
_UNUSABLE: Final = "the address is not one that mail can be sent to"


class AddressUnusable(ValueError):  # noqa: N818 - a state of the address
    """An address to which no mail can be sent."""


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


def write_mail(mail: Mail) -> EmailMessage:
    """Return a mail ready to be sent. Raises AddressUnusable for an invalid recipient's address."""
    sender = write_address(mail.sender)
    message = EmailMessage(SMTP)
    message["From"] = sender
    message["To"] = write_address(mail.to)
    if mail.reply_to is not None:
        message["Reply-To"] = write_address(mail.reply_to)
    message["Subject"] = clean(mail.subject)
    message["Date"] = mail.sent_at
    name = f"{mail.id}.{mail.edition}" if mail.edition else str(mail.id)
    message["Message-ID"] = f"<{name}@{sender.domain}>"
    message["References"] = f"<{mail.thread_id}@{sender.domain}>"
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: requests that no absence notices are sent to us
    message["Content-Language"] = mail.language
    message.set_content(mail.text, cte="quoted-printable")
    message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
    if mail.calendar is not None:
        content, method = mail.calendar.content.decode(), mail.calendar.method.value.upper()
        # Outlook, Gmail and Apple read this part; the attachment is for programs that show only files.
        message.add_alternative(content, subtype="calendar", cte="base64", params={"method": method})
        message.add_attachment(mail.calendar.content, maintype="application", subtype="ics", filename="invite.ics")
    return message


def write_address(party: Party) -> Address:
    """Return a name and an address in the form of headers. Raises AddressUnusable."""
    local, _, domain = party.email.rpartition("@")
    try:
        ascii_domain = domain if domain.isascii() else idna.encode(domain, uts46=True).decode("ascii")
        address = Address(clean(party.name), addr_spec=f"{local}@{ascii_domain}")
    except (ValueError, IndexError, MessageError) as error:  # IndexError: the standard library's, for an empty part
        raise AddressUnusable(_UNUSABLE) from error
    if address.addr_spec != f"{local}@{ascii_domain}" or not (local and address.addr_spec.isascii()):
        raise AddressUnusable(_UNUSABLE)
    return address


def clean(text: str) -> str:
    """Return a text as one header line."""
    return " ".join(text.translate(_LINE_ENDS).split())[:_LONGEST_LINE]
