"""The answers of Cal.com's API v2, as far as Meetdeck has a counterpart for their members."""

from typing import NamedTuple

import msgspec

from meetdeck.booking.importing.rows import Row
from meetdeck.platform.values import Moment


class CalLocation(msgspec.Struct, frozen=True):
    """A way to meet, such as `address`, `phone` or `integration`."""

    type: str


class CalSeats(msgspec.Struct, frozen=True, rename="camel"):
    """The number of customers who share a time; None when seats are switched off."""

    seats_per_time_slot: int | None = None


class CalEventHost(msgspec.Struct, frozen=True, rename="camel"):
    """A host of a team's event type."""

    user_id: int


class CalEventType(msgspec.Struct, frozen=True, rename="camel"):
    """An item of `GET /v2/event-types`."""

    id: int
    title: str
    length_in_minutes: int
    description: str | None = None
    locations: list[CalLocation] | None = None
    hidden: bool | None = None
    before_event_buffer: int | None = None
    after_event_buffer: int | None = None
    seats: CalSeats | None = None
    owner_id: int | None = None
    hosts: list[CalEventHost] | None = None


class CalUser(msgspec.Struct, frozen=True, rename="camel"):
    """An item of `GET /v2/organizations/{orgId}/users`, or the answer of `GET /v2/me`."""

    id: int
    email: str
    name: str | None = None
    time_zone: str | None = None


class CalHours(msgspec.Struct, frozen=True, rename="camel"):
    """Hours of some weekdays."""

    days: list[str]
    start_time: str
    end_time: str


class CalOverride(msgspec.Struct, frozen=True, rename="camel"):
    """The hours of a date, instead of those of its weekday; 00:00 to 00:00: none."""

    date: str
    start_time: str
    end_time: str


class CalSchedule(msgspec.Struct, frozen=True, rename="camel"):
    """An item of `GET /v2/schedules`."""

    owner_id: int
    name: str
    time_zone: str
    availability: list[CalHours]
    is_default: bool
    overrides: list[CalOverride] = []


class CalBookingHost(msgspec.Struct, frozen=True, rename="camel"):
    """A host of a booking; without an id when the host has no account."""

    id: int | str | None = None
    name: str | None = None
    email: str | None = None
    time_zone: str | None = None


class CalBooking(msgspec.Struct, frozen=True, rename="camel"):
    """An item of `GET /v2/bookings`."""

    start: Moment
    end: Moment
    status: str
    title: str = ""
    hosts: list[CalBookingHost] = []


class EventTypeItem(NamedTuple):
    """An event type with its place in a file."""

    row: Row
    content: CalEventType


class UserItem(NamedTuple):
    """A user with its place in a file."""

    row: Row
    content: CalUser


class ScheduleItem(NamedTuple):
    """A schedule with its place in a file."""

    row: Row
    content: CalSchedule


class BookingItem(NamedTuple):
    """A booking with its place in a file."""

    row: Row
    content: CalBooking
