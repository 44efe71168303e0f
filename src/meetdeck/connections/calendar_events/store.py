"""The SQL of the events of meetings in calendars.

The owner of an event is a meeting, or the shared slot of several (`service/owners.py`).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.connections.graph.event_steps import EventState, EventSummary, Guest
from meetdeck.connections.graph.own_times import WrittenTime
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)
TEAMS: Final = "EventsWithTeams"


class KeptFile(NamedTuple):
    """The record of an attachment; without an id, its creation was started and the answer is unknown."""

    attachment_id: str | None
    name_digest: bytes | None


class KeptEvent(NamedTuple):
    """The record of a meeting's event."""

    connection_id: UUID
    state: EventState
    begun_at: datetime
    join_url: str
    """The link of its Teams meeting, or of the previous event's."""
    has_link: bool
    """True if the link is that of this event."""
    missing_at: datetime | None
    """When its time was first missing from the calendar; None if it is there, or was not checked."""
    differs: str | None
    """The difference from the meeting, once it was reported."""
    is_written: bool
    """True if its connection still writes."""


class WritingMailbox(msgspec.Struct, frozen=True):
    """A mailbox that meetings are written into."""

    connection_id: UUID
    email: str
    writes: str


class Holder(NamedTuple):
    """A mailbox of the firm that shows an event: the organizer's, a colleague's or a room's."""

    mailbox: str
    is_guests: bool


async def find_event(connection: Connection, owner_id: UUID, *, for_update: bool = False) -> KeptEvent | None:
    """Return the record of a meeting's event, if any, locked when `for_update`."""
    if for_update:
        await queries.lock_event(connection, owner_id=owner_id)
    row: Record | None = await queries.find_event(connection, owner_id=owner_id)
    if row is None:
        return None
    summary = (
        EventSummary(row["mailbox"], row["starts_at"], row["ends_at"], row["digest"])
        if row["mailbox"] is not None
        else None
    )
    state = EventState(row["number"], row["event_id"], summary, row["is_unsure"])
    rest = {name: row[name] for name in KeptEvent._fields if name != "state"}
    return KeptEvent(state=state, **rest)


async def add_event(connection: Connection, owner_id: UUID, connection_id: UUID, now: datetime) -> None:
    """Insert a meeting's event, not written yet; an existing one stays."""
    await queries.add_event(connection, owner_id=owner_id, connection_id=connection_id, now=now)


async def hand_over(connection: Connection, owner_id: UUID, to_shared_slot_id: UUID) -> None:
    """Make the event of a shared slot another's."""
    await queries.hand_over(connection, owner_id=owner_id, to_shared_slot_id=to_shared_slot_id)


async def find_other_link(connection: Connection, meeting_id: UUID, owner_id: UUID) -> str | None:
    """Return the link of a meeting if it is the Teams meeting of another owner's event."""
    return await queries.find_other_link(connection, meeting_id=meeting_id, owner_id=owner_id)


async def find_end(connection: Connection, shared_slot_id: UUID) -> datetime | None:
    """Return the end of a shared slot; None if it does not exist."""
    return await queries.find_end(connection, shared_slot_id=shared_slot_id)


async def update_event(
    connection: Connection, owner_id: UUID, connection_id: UUID, state: EventState, now: datetime
) -> None:
    """Update the state of a meeting's event."""
    summary = state.summary._asdict() if state.summary is not None else dict.fromkeys(EventSummary._fields)
    await queries.update_event(
        connection,
        owner_id=owner_id,
        connection_id=connection_id,
        number=state.number,
        event_id=state.event_id,
        is_unsure=state.is_unsure,
        now=now,
        **summary,
    )


async def add_times(
    connection: Connection, owner_id: UUID, holders: Sequence[Holder], starts_at: datetime, ends_at: datetime
) -> None:
    """Insert the time that is written into mailboxes."""
    await queries.add_times(
        connection,
        owner_id=owner_id,
        mailboxes=[holder.mailbox for holder in holders],
        are_guests=[holder.is_guests for holder in holders],
        starts_at=starts_at,
        ends_at=ends_at,
    )


async def end_times(
    connection: Connection, owner_id: UUID, holders: Sequence[Holder], summary: EventSummary | None, now: datetime
) -> None:
    """Mark a meeting's times as gone, except the one that the holders show now."""
    await queries.end_times(
        connection,
        owner_id=owner_id,
        mailboxes=[holder.mailbox for holder in holders] if summary is not None else [],
        starts_at=summary.starts_at if summary is not None else None,
        ends_at=summary.ends_at if summary is not None else None,
        now=now,
    )


async def list_times(
    connection: Connection, mailboxes: Sequence[str], gone_after: datetime
) -> dict[str, list[WrittenTime]]:
    """Return the times written in mailboxes, also those that are gone since a moment."""
    found: dict[str, list[WrittenTime]] = {mailbox: [] for mailbox in mailboxes}
    async for row in queries.list_times(connection, mailboxes=[*mailboxes], gone_after=gone_after):
        time = WrittenTime(row["owner_id"], row["starts_at"], row["ends_at"], row["gone_at"], row["is_guests"])
        found[row["mailbox"]].append(time)
    return found


async def mark_missing(
    connection: Connection, owner_ids: Iterable[UUID], now: datetime, looked_before: datetime
) -> list[UUID]:
    """Mark the events that need to be read, and return their owners."""
    ids = sorted(owner_ids)
    rows = queries.mark_missing(connection, owner_ids=ids, now=now, looked_before=looked_before)
    return [row["owner_id"] async for row in rows]


async def forget_differences(connection: Connection, owner_ids: Iterable[UUID]) -> None:
    """Record that events are at the time at which they were written."""
    await queries.forget_differences(connection, owner_ids=sorted(owner_ids))


async def record_look(connection: Connection, owner_id: UUID, differs: str | None, now: datetime) -> None:
    """Record that an event was read, and how it differs from its meeting."""
    await queries.record_look(connection, owner_id=owner_id, differs=differs, now=now)


async def record_problem(connection: Connection, owner_id: UUID, problem: str | None) -> int:
    """Record why an event could not be written; None: it was. Return the number of failures in a row."""
    return await queries.record_problem(connection, owner_id=owner_id, problem=problem) or 1


async def record_join_url(connection: Connection, owner_id: UUID, join_url: str) -> None:
    """Record the link of an event's Teams meeting."""
    await queries.record_join_url(connection, owner_id=owner_id, join_url=join_url)


async def list_concerned(connection: Connection, meeting_ids: Sequence[UUID]) -> list[tuple[UUID, UUID]]:
    """Return meetings with the owners of the events that they have, had, or should have."""
    rows = queries.list_concerned(connection, meeting_ids=[*meeting_ids])
    return [(row["meeting_id"], row["owner_id"]) async for row in rows]


async def list_unwritten(connection: Connection, connection_id: UUID, now: datetime) -> list[UUID]:
    """Return the owners of the events that a connection should write and has not started."""
    rows = queries.list_unwritten(connection, connection_id=connection_id, now=now)
    return [row["owner_id"] async for row in rows]


async def find_writing(
    connection: Connection, employee_id: UUID, date_created: datetime, *, is_known: bool
) -> WritingMailbox | None:
    """Return the mailbox for an employee's meeting; for one booked before the connection only if `is_known`."""
    row = await queries.find_writing(connection, employee_id=employee_id, date_created=date_created, is_known=is_known)
    return msgspec.convert(dict(row), WritingMailbox) if row is not None else None


async def find_room(connection: Connection, room_id: UUID) -> Guest | None:
    """Return a room as a guest; None without an address."""
    row = await queries.find_room(connection, room_id=room_id)
    return Guest(row["email"], row["name"], is_room=True) if row is not None and row["email"] else None


async def was_written_for(connection: Connection, owner_id: UUID, mailbox: str) -> bool:
    """Return whether a meeting was ever written into a mailbox."""
    return await queries.was_written_for(connection, owner_id=owner_id, mailbox=mailbox)


async def list_files(connection: Connection, owner_id: UUID) -> dict[UUID, KeptFile]:
    """Return the attachments of a meeting's event by content id."""
    rows = queries.list_files(connection, owner_id=owner_id)
    return {row["content_id"]: KeptFile(row["attachment_id"], row["name_digest"]) async for row in rows}


async def put_file(connection: Connection, owner_id: UUID, content_id: UUID, file: KeptFile) -> None:
    """Insert or update an attachment."""
    await queries.put_file(connection, owner_id=owner_id, content_id=content_id, **file._asdict())


async def delete_files(connection: Connection, owner_id: UUID, content_ids: Sequence[UUID] | None = None) -> None:
    """Delete attachments; all of a meeting without ids."""
    ids = [*content_ids] if content_ids is not None else None
    await queries.delete_files(connection, owner_id=owner_id, content_ids=ids)
