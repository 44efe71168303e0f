"""Reminders that are planned and sent on a test's command."""

from datetime import datetime
from pathlib import Path
from uuid import UUID

from meetdeck.events.routing.service import Routing
from meetdeck.messages.carriers.carrier import Carrier, MessageDeferred
from meetdeck.messages.carriers.texts import TextCarrier
from meetdeck.messages.opening import open_sender
from meetdeck.messages.reminders.service.planning import DueReminders, ReminderPlanning, Ways
from meetdeck.messages.reminders.service.sending import ReminderSending
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Database
from meetdeck.platform.secrets import find_encryption_keys
from meetdeck.platform.work import Jobs
from support.factories import make_settings


class Posts:
    """Both carriers of reminders; `down` while neither accepts them."""

    def __init__(self) -> None:
        self.down = False
        self.mails: list[Mail] = []
        self.texts: list[tuple[str, str]] = []

    async def carry(self, _tenant_id: UUID, mail: Mail) -> None:
        self._refuse()
        self.mails.append(mail)

    async def carry_text(self, number: str, text: str) -> None:
        self._refuse()
        self.texts.append((number, text))

    def _refuse(self) -> None:
        if self.down:
            raise MessageDeferred("nobody is there")


class Desk:
    """The reminders of an installation, whose clock a test moves."""

    def __init__(
        self,
        database: Database,
        data_dir: Path,
        *,
        in_channel: bool = False,
        carrier: Carrier | None = None,
        texts: TextCarrier | None = None,
    ) -> None:
        ways = Ways(mail=True, text=True, in_channel=in_channel)
        self.posts = Posts()
        sender = open_sender(make_settings(data_dir), find_encryption_keys(None, data_dir))
        self.routing = Routing(database, [ReminderPlanning(ways)], ())
        sending = ReminderSending(database, carrier or self.posts, texts or self.posts, sender)
        self.jobs = Jobs(database, [DueReminders(database, ways), sending])

    async def work(self, now: datetime) -> None:
        """Plan and send what is due."""
        await self.routing.route(now)
        await self.jobs.run_due(lambda: now)
