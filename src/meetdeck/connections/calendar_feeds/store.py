"""The SQL of calendar feeds."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from meetdeck.connections.calendar_feeds.schemas import CalendarFeed
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


class FeedOwner(NamedTuple):
    """The employee of a feed, and the organization's main language."""

    name: str
    language: str


class Attendee(msgspec.Struct, frozen=True):
    """A person from outside the firm who takes part in a meeting."""

    name: str = ""
    email: str = ""


class FeedMeeting(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting of the employee."""

    id: UUID
    starts_at: datetime
    ends_at: datetime
    changed_at: datetime
    title: str
    topic: str
    description: str
    video_link: str
    room: str
    attendees: list[Attendee]
    shared_slot_id: UUID | None = None
    """The time that it shares with other customers' meetings."""
    seats: int = 1


class FeedAbsence(NamedTuple):
    """A time at which the employee is busy without a meeting."""

    id: UUID
    starts_at: datetime
    ends_at: datetime
    changed_at: datetime


async def find_feed(connection: Connection, employee_id: UUID) -> CalendarFeed | None:
    """Return an employee's feed."""
    row = await queries.find_feed(connection, employee_id=employee_id)
    return CalendarFeed(**row) if row else None


async def put_feed(connection: Connection, employee_id: UUID, digest: bytes, now: datetime) -> None:
    """Upsert an employee's feed with the digest of its secret; a previous feed ends."""
    await queries.put_feed(connection, employee_id=employee_id, digest=digest, now=now)


async def delete_feed(connection: Connection, employee_id: UUID) -> None:
    """Delete an employee's feed."""
    await queries.delete_feed(connection, employee_id=employee_id)


async def identify_feed(connection: Connection, digest: bytes) -> tuple[UUID, UUID] | None:
    """Return the tenant and the employee of a secret; the connection needs no tenant."""
    row = await queries.identify_feed(connection, digest=digest)
    return (row["tenant_id"], row["employee_id"]) if row else None


async def find_owner(connection: Connection, employee_id: UUID) -> FeedOwner | None:
    """Return an active employee."""
    row = await queries.find_owner(connection, employee_id=employee_id)
    return FeedOwner(**row) if row else None


async def list_meetings(
    connection: Connection, employee_id: UUID, begin: datetime, end: datetime, most: int
) -> list[FeedMeeting]:
    """Return an employee's active meetings that begin in a period, at most `most`, the earliest first."""
    rows = queries.list_meetings(connection, employee_id=employee_id, begins=begin, ends=end, most=most)
    return [msgspec.convert(dict(row), FeedMeeting) async for row in rows]


async def list_absences(
    connection: Connection, employee_id: UUID, begin: datetime, end: datetime, most: int
) -> list[FeedAbsence]:
    """Return at most `most` Busy entries of an employee that begin in a period, without those of other calendars."""
    rows = queries.list_absences(connection, employee_id=employee_id, begins=begin, ends=end, most=most)
    return [FeedAbsence(**row) async for row in rows]
