"""The mailbox of the test environment: mails are kept in the database instead of sent, and a page shows them."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.messages.carriers.carrier import MessageRefused
from meetdeck.messages.writing.mail import AddressUnusable, Mail, require_addresses
from meetdeck.platform.database import Connection, Database, load_queries

queries = load_queries(__file__, "kept.sql")

_MOST: Final = 200


class KeptMail(msgspec.Struct, frozen=True):
    """A mail in the mailbox."""

    id: UUID
    kept_at: datetime
    to: list[str]
    subject: str
    text: str
    html: str
    calendar: str | None
    """The appointment (RFC 5545); null: none."""


class MailKeeper:
    """Keeps mails, each once; a mail that is sent again replaces the first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:
        """Keep a mail. Raises MessageRefused for an address that any mail server would refuse."""
        try:
            require_addresses(mail)
        except AddressUnusable as error:
            raise MessageRefused(str(error)) from error
        async with self._database.at_once(tenant_id) as connection:
            await queries.keep_mail(
                connection,
                tenant_id=str(tenant_id),
                message_id=mail.id,
                now=mail.sent_at,
                recipients=[mail.to.email],
                subject=mail.subject,
                text=mail.text,
                html=mail.html,
                calendar=mail.calendar.content.decode() if mail.calendar is not None else None,
            )


async def list_mails(connection: Connection) -> list[KeptMail]:
    """Return the last mails of all firms, the newest first; needs no tenant."""
    return [
        KeptMail(
            id=row["message_id"],
            kept_at=row["kept_at"],
            to=row["recipients"],
            subject=row["subject"],
            text=row["text"],
            html=row["html"],
            calendar=row["calendar"],
        )
        async for row in queries.list_mails(connection, most=_MOST)
    ]
