"""Writes the times read from mailboxes as calendar entries. Unchanged times are not written again."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from meetdeck.booking.scheduling.time_slots.service import calendar_times
from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.store import KeptTime, MatchedMailbox
from meetdeck.connections.calendar_events.service.noticing import leave_out_own
from meetdeck.connections.graph.rounds import FAR, Horizon
from meetdeck.connections.icalendar import Kind
from meetdeck.connections.schedules import Schedule
from meetdeck.platform.database import Connection

_UNANSWERED: Final = Schedule([], "Unanswered")
_DAY: Final = timedelta(days=1)


async def keep_schedules(
    connection: Connection,
    horizon: Horizon,
    mailboxes: Mapping[UUID, MatchedMailbox],
    schedules: Mapping[str, Schedule],
    now: datetime,
) -> None:
    """Replace the times of mailboxes in a horizon. A mailbox with a problem keeps the times of its last reading.

    Mailboxes that were removed or reassigned meanwhile are skipped.
    """
    there = await store.lock_mailboxes(connection, [*mailboxes])
    mailboxes = {
        id_: each for id_, each in mailboxes.items() if there.get(id_) is not None and there[id_] == each.resource_id
    }
    emails = {mailbox.email for mailbox in mailboxes.values() if not mailbox.homes}  # Meetdeck writes only into Graph
    schedules = await leave_out_own(connection, emails, schedules, horizon.find_window(now), now)
    told = {id_: schedules.get(mailbox.email, _UNANSWERED) for id_, mailbox in mailboxes.items()}
    kept = await store.list_kept_times(connection, [*mailboxes])
    for id_ in sorted(mailboxes, key=lambda id_: (mailboxes[id_].resource_id or id_).int):
        if told[id_].problem is not None or told[id_].is_unchanged:
            continue
        wanted = merge(horizon, kept[id_], told[id_], now)
        if mailboxes[id_].room_id is not None:
            wanted = {time for time in wanted if time.status == Kind.BUSY}  # a room has no other place
        if wanted != kept[id_]:
            mailbox, times = mailboxes[id_], [calendar_times.ReadTime(*time) for time in sorted(wanted)]
            await calendar_times.replace_times(connection, id_, mailbox.employee_id, mailbox.room_id, times, now)
    await store.record_reading(connection, horizon.value, told, now)


def merge(horizon: Horizon, kept: set[KeptTime], schedule: Schedule, now: datetime) -> set[KeptTime]:
    """Return all times of a mailbox after one horizon was read; a time belongs to the horizon in which it begins."""
    day, border = Horizon.NEAR.find_window(now)
    read = {
        KeptTime(time.kind.value, max(time.starts_at, day - _DAY), min(time.ends_at, day + FAR + _DAY))
        for time in schedule.times
    }
    if horizon is Horizon.NEAR:
        return read | {time for time in kept if time.starts_at >= border}
    stays = {time for time in kept if time.starts_at < border and time.ends_at > day}
    return stays | {time for time in read if time.starts_at >= border}
