"""Calendars: the resource and its bodies (docs/calendars.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking import examples
from meetdeck.platform.database import PartQuery
from meetdeck.platform.values import AnyCase

Address = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_000,
        description="The calendar's address: https, and reachable from the Internet.",
        examples=["https://calendar.example.com/anna.ics"],
    ),
]
_Name = Annotated[str, Meta(min_length=1, max_length=200)]
_Secret = Annotated[str, Meta(min_length=1, max_length=1_000)]


class CalendarKind(AnyCase):
    """The way in which a calendar is read."""

    ICS = "Ics"
    """An iCalendar file, by its address or uploaded."""
    CALDAV = "CalDav"
    """A collection of a CalDAV server."""


class CalendarStatus(AnyCase):
    """The outcome of the last try to read a calendar."""

    OK = "Ok"
    FAILING = "Failing"


class CalendarContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a calendar that can be changed."""

    address: Address | None = None
    """Its address; null: a file is uploaded."""
    user_name: _Name | None = None
    """The name to sign in with."""
    password: _Secret | None = None
    """The password to sign in with; it cannot be read. With another server in `address`, send it again."""
    file: Annotated[str, Meta(max_length=1_000_000)] | None = None
    """An iCalendar file of up to 1 MB in place of an address; its times of the next 365 days are kept, not the file."""


class CreateCalendar(CalendarContent, frozen=True, rename="camel", kw_only=True):
    """POST /config/calendars: exactly one of `employeeId` and `roomId`, and one of `address` and `file`."""

    kind: CalendarKind
    """The kind of source; it cannot be changed."""
    employee_id: Annotated[UUID | None, Meta(examples=[examples.EMPLOYEE])] = None
    """The employee whose calendar it is."""
    room_id: UUID | None = None
    """The room whose calendar it is."""


class Calendar(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A calendar of an employee or a room that another system keeps."""

    id: UUID
    """The calendar's id; it never changes."""
    employee_id: UUID | None
    """The employee whose calendar it is; null: a room's."""
    room_id: UUID | None
    """The room whose calendar it is; null: an employee's."""
    kind: CalendarKind
    """The kind of source."""
    address: str | None
    """Its address; null: a file was uploaded."""
    user_name: str | None
    """The name to sign in with; null: none."""
    last_read_at: datetime | None
    """When it was last read without a problem; null: never."""
    stale_seconds: int | None
    """The time since then; null: never, or a file was uploaded."""
    status: CalendarStatus
    """The outcome of the last try to read it. While it fails, the times last read stay."""
    problem: str | None
    """The reason that it fails, or that entries are left out: `NoCalendar`, `TooFine` and so on; null: no problem."""
    left_out: int
    """The number of entries that cannot be read and are left out."""


class CalendarsQuery(PartQuery, frozen=True, rename="camel", kw_only=True):
    """GET /config/calendars: those that match all that is given."""

    employee_id: UUID | None = None
    """Only those of this employee."""
    room_id: UUID | None = None
    """Only those of this room."""
    status: CalendarStatus | None = None
    """Only those of this status."""
