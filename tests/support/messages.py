"""The application's messages, made due and sent one step at a time."""

from collections.abc import Sequence
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from icalendar import Calendar, Component

from meetdeck.demo.firm import NORDLYS
from meetdeck.events.routing.service import Routing
from meetdeck.messages.carriers.carrier import Carrier
from meetdeck.messages.carriers.kept import KeptMail, MailKeeper, list_mails
from meetdeck.messages.meeting_messages.service.sending import MessageSending
from meetdeck.messages.meeting_messages.service.subscriber import MessageSubscriber
from meetdeck.messages.opening import open_sender
from meetdeck.platform.database import Database
from meetdeck.platform.secrets import find_encryption_keys
from meetdeck.platform.work import Jobs
from support.factories import make_settings


class Post:
    """The messages of an installation, routed and sent on a test's command.

    Changes by staff are announced at once, unless `waits`: then after the firm's delay.
    """

    def __init__(
        self, database: Database, data_dir: Path, carrier: Carrier | None = None, *, waits: bool = False
    ) -> None:
        self.waits = waits
        sender = open_sender(make_settings(data_dir), find_encryption_keys(None, data_dir))
        self.database = database
        self.routing = Routing(database, [MessageSubscriber(are_sent=True)], ())
        self.jobs = Jobs(database, [MessageSending(database, carrier or MailKeeper(database), sender)])

    async def route(self, now: datetime) -> None:
        """Route the placed events, which makes messages due."""
        if not self.waits:
            async with self.database.transaction(NORDLYS.tenant_id) as connection:
                await connection.execute("update organization_setting set change_notice_delay = '0'")
        await self.routing.route(now)

    async def send(self, now: datetime) -> Sequence[datetime]:
        """Send what is due; return when the first firm's failed messages are to be retried."""
        await self.route(now)
        await self.jobs.run_due(lambda: now)
        async with self.database.transaction(NORDLYS.tenant_id) as connection:
            rows = await connection.fetch("select due_at from job where queue = 'messages' order by due_at")
        return [row["due_at"] for row in rows]

    async def read(self) -> list[KeptMail]:
        """Return the kept mails, in their order."""
        async with self.database.outside_tenants() as connection:
            return (await list_mails(connection))[::-1]


def read_event(calendar: str | bytes | None) -> tuple[str, Component]:
    """Return the method of a calendar object, and its one event."""
    assert calendar is not None
    read: Any = Calendar.from_ical(calendar if isinstance(calendar, bytes) else calendar.encode())
    (event,) = read.walk("VEVENT")
    return str(read["METHOD"]), event


def parse(raw: bytes) -> EmailMessage:
    """Return a mail as a server received it."""
    message = BytesParser(policy=policy.default).parsebytes(raw)
    assert isinstance(message, EmailMessage)
    return message
