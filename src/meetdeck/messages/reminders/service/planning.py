"""The next check of a meeting's reminders, and those due then (docs/decisions/0119)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.messages.message_settings.schemas import MessageSettings
from meetdeck.messages.message_settings.store import get_settings
from meetdeck.messages.reminders import store
from meetdeck.messages.reminders.schemas import RemindedMeeting, ReminderKind
from meetdeck.messages.reminders.service.plan import Appointment, PlannedReminder, QuietHours, Rule, plan_reminders
from meetdeck.platform.changes import Event, EventType
from meetdeck.platform.database import Connection, Database, all_of, gathering
from meetdeck.platform.work import NewJob, cancel, enqueue

PLANNING: Final = "reminders"
SENDING: Final = "reminder-sending"
_SETTLING: Final = frozenset({EventType.MEETING_CREATED, EventType.MEETING_MOVED})
_ENDING: Final = frozenset({EventType.MEETING_CANCELLED, EventType.MEETING_ERASED})


class Ways(msgspec.Struct, frozen=True):
    """The channels of reminders in this installation."""

    mail: bool
    text: bool
    in_channel: bool
    """True if text messages are sent to a channel of the firm's employees instead of telephones."""

    def list_rules(self, settings: MessageSettings) -> list[Rule]:
        """Return the reminders of a firm's meetings."""
        wanted = (
            (ReminderKind.MAIL, settings.mail_reminder_hours if self.mail else 0),
            (ReminderKind.TEXT, settings.text_reminder_hours if self.text else 0),
        )
        return [Rule(kind, timedelta(hours=hours)) for kind, hours in wanted if hours]


class ReminderPlanning:
    """Subscribes to events of meetings: a job checks each meeting when its next reminder is due."""

    name = "reminders"

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def wants(self, event_type: str) -> bool:
        """Return whether an event gives a meeting a time, or ends it."""
        return event_type in _SETTLING | _ENDING

    async def receive(
        self, connection: Connection, tenant_id: UUID, events: Sequence[Event], now: datetime
    ) -> list[NewJob]:
        """Return the job of each meeting at the time of its next reminder."""
        del tenant_id, now
        jobs: list[NewJob] = []
        last = {UUID(event.subject.rpartition("/")[2]): event.type in _ENDING for event in events}
        for meeting_id, is_over in last.items():
            _, planned = (None, []) if is_over else await _plan(connection, self._ways, meeting_id)
            if planned:
                jobs.append(NewJob(PLANNING, meeting_id, planned[0].due_at))
            else:
                await cancel(connection, PLANNING, meeting_id)
        return jobs


class DueReminders:
    """Handles the jobs of meetings: adds each due reminder once, based on the meeting's present state."""

    queue = PLANNING

    def __init__(self, database: Database, ways: Ways) -> None:
        self._database = database
        self._ways = ways

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Insert the due reminders; return when the meeting's next one is due, None if there is none."""
        return await self._database.run(tenant_id, lambda connection: self._add_due(connection, job_id, now))

    async def _add_due(self, connection: Connection, meeting_id: UUID, now: datetime) -> datetime | None:
        meeting, planned = await _plan(connection, self._ways, meeting_id)
        if meeting is None or meeting.starts_at <= now:
            return None
        for reminder in planned:
            if reminder.due_at <= now:
                await self._add(connection, meeting, reminder.kind, now)
        return next((reminder.due_at for reminder in planned if reminder.due_at > now), None)

    async def _add(self, connection: Connection, meeting: RemindedMeeting, kind: ReminderKind, now: datetime) -> None:
        for recipient in meeting.list_recipients(kind, in_channel=self._ways.in_channel):
            reminder_id = uuid4()
            if await store.add_reminder(connection, reminder_id, meeting, kind, recipient, now):
                await enqueue(connection, SENDING, reminder_id, due_at=now, lane=kind.value)


async def _plan(
    connection: Connection, ways: Ways, meeting_id: UUID
) -> tuple[RemindedMeeting | None, list[PlannedReminder]]:
    """Return a meeting and its reminders, the earliest first; none for a cancelled one."""
    async with gathering(connection) as reads:
        meeting, settings, organization = await all_of(
            store.find_meeting(reads, meeting_id), get_settings(reads), organization_settings.get_setting(reads)
        )
    if meeting is None or meeting.is_cancelled or not settings.send_messages:
        return meeting, []
    zone = ZoneInfo(organization.time_zone.identifier)
    appointment = Appointment(meeting.starts_at, meeting.time_since)
    quiet = QuietHours(settings.quiet_from, settings.quiet_until)
    return meeting, plan_reminders(appointment, ways.list_rules(settings), quiet, zone)
