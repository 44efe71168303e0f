"""A meeting, and the form that moves it."""

from collections.abc import Callable
from datetime import date, datetime, time
from typing import Any, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit import (
    ConsolePage,
    Difference,
    Picker,
    SentForm,
    keep_id,
    name_employees,
    name_rooms,
    pick,
    read_zone,
)
from meetdeck.pages.texts import mark


class Guest(msgspec.Struct, frozen=True, rename="camel"):
    """An external attendee; `status` is the reply to the invitation."""

    name: str = ""
    email: str = ""
    status: str = ""
    is_customer: bool = False


class Answer(msgspec.Struct, frozen=True):
    """An answer to a portal's field, by the field's name."""

    key: str
    value: str


class CalendarMeeting(msgspec.Struct, frozen=True, rename="camel"):
    """A meeting as the API answers it."""

    id: UUID
    title: str
    description: str
    type: str
    start_date: datetime
    end_date: datetime
    employee_id: UUID
    room_id: UUID | None
    topic_id: UUID | None
    customer_id: str
    portal_id: UUID | None = None
    video_link: str = ""
    booked_by: str = ""
    external_attendees: list[Guest] = []
    custom_fields: list[Answer] = []
    cancelled_at: datetime | None = None
    cancellation_reason: str = ""
    additional_employees: list[UUID] = []
    also_service_groups: list[UUID] = []
    also_employees: list[UUID] = []
    """The people of `also_service_groups`, in the same order."""
    attendance: str = ""
    calendar_unverified: bool = False
    series_id: UUID | None = None
    shared_slot_id: UUID | None = None
    """The id of the time that it shares with other customers' meetings, if its topic has seats."""

    @property
    def customer(self) -> Guest | None:
        """Return the customer among the external attendees; of a portal's booking the first one."""
        marked = next((one for one in self.external_attendees if one.is_customer), None)
        return marked or next(iter(self.external_attendees if self.portal_id is not None else ()), None)


class MeetingForm(NamedTuple):
    """The time and places of a meeting as its form has them."""

    day: str
    begin: str
    end: str
    employee: str
    room: str


class MeetingInZone(NamedTuple):
    """A meeting, its entity tag, and the zone in which its page shows times."""

    meeting: CalendarMeeting
    tag: str
    zone: ZoneInfo


async def open_meeting(page: ConsolePage, meeting_id: UUID) -> MeetingInZone:
    """Return a meeting, cancelled or not. Raises ApiRefusal."""
    answer = await page.api.send("GET", f"booking/meetings/{meeting_id}", query={"includeCancelled": "true"})
    return MeetingInZone(answer.read(CalendarMeeting), answer.tag, await read_zone(page.api))


def write_typed(opened: MeetingInZone) -> MeetingForm:
    """Return a meeting's time and places as its form has them."""
    begin, end = (moment.astimezone(opened.zone) for moment in (opened.meeting.start_date, opened.meeting.end_date))
    room = str(opened.meeting.room_id) if opened.meeting.room_id else ""
    return MeetingForm(f"{begin:%Y-%m-%d}", f"{begin:%H:%M}", f"{end:%H:%M}", str(opened.meeting.employee_id), room)


class Places(NamedTuple):
    """The fields for choosing an advisor and a room."""

    employee: Picker
    room: Picker

    @property
    def faults(self) -> list[tuple[str, str]]:
        """Return the errors in typed names, each with its field."""
        return [(one.name, one.error) for one in self if one.error]


async def pick_places(page: ConsolePage, get: Callable[[str], str | None]) -> Places:
    """Return the fields for a form's values."""
    return Places(await pick(page, "employees", "employee", get), await pick(page, "rooms", "room", get))


def read_typed(form: SentForm, places: Places) -> MeetingForm:
    """Return the typed and chosen values."""
    day, begin, end = (form.get(name) for name in MeetingForm._fields[:3])
    return MeetingForm(day, begin, end, places.employee.value, places.room.value)


def read_first(form: SentForm) -> MeetingForm:
    """Return the form's values before anything was typed."""
    return MeetingForm(*(form.get(f"first.{name}") for name in MeetingForm._fields))


def list_changes(zone: ZoneInfo, first: MeetingForm, typed: MeetingForm) -> dict[str, Any]:
    """Return the members of a meeting that were changed in its form; members that others changed are left alone.

    Raises ValueError for an invalid day or time.
    """
    day = date.fromisoformat(typed.day)
    begin, end = (datetime.combine(day, time.fromisoformat(text), zone) for text in (typed.begin, typed.end))
    changes: dict[str, Any] = {}
    if typed[:3] != first[:3]:
        changes |= {"startDate": begin.isoformat(), "endDate": end.isoformat()}
    if typed.employee != first.employee:
        changes["employeeId"] = typed.employee
    if typed.room != first.room:
        changes["roomId"] = typed.room or None
    return changes


def merge(first: MeetingForm, typed: MeetingForm, now: MeetingForm) -> MeetingForm:
    """Return a meeting's present values, overridden by those that were changed in its form."""
    return MeetingForm(
        *(mine if mine != shown else theirs for shown, mine, theirs in zip(first, typed, now, strict=True))
    )


async def list_differences(page: ConsolePage, mine: MeetingForm, theirs: MeetingForm) -> list[Difference]:
    """Return the fields in which a form differs from the meeting's present state."""
    keys = [keep_id(key) for one in (mine, theirs) for key in (one.employee, one.room)]
    ids = [UUID(key) for key in keys if key]
    found = {**await name_employees(page.api, ids), **await name_rooms(page.api, ids)}
    names = {str(one): name for one, name in found.items()}
    labels = MeetingForm(
        *map(page.texts.translate, (mark("Day"), mark("From"), mark("To"), mark("Advisor"), mark("Room")))
    )
    return [
        Difference(label, names.get(own, own), names.get(other, other))
        for label, own, other in zip(labels, mine, theirs, strict=True)
        if own != other
    ]
