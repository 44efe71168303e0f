"""The entries of advisors and rooms in a calendar: meetings, and held, busy or extra time."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from operator import attrgetter
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.calendar.seats import TopicSeats, count_seats, read_seats
from meetdeck.pages.console.calendar.shown_calendar import Resource
from meetdeck.pages.console.kit import WAYS, ConsolePage
from meetdeck.pages.texts import Texts, mark

_NOBODY: Final = UUID(int=0)
_MIDNIGHT: Final = time()
_WHOLE_DAY: Final = timedelta(hours=23, minutes=59)
_KINDS: Final = {
    "Reserved": mark("Held"),
    "Busy": mark("Busy"),
    "ExtraOpen": mark("Extra hours"),
    "WorkingFromElsewhere": mark("Works from elsewhere"),
}
"""The statuses of shown time slots; a booked one is shown as its meeting."""
_READ: Final = ("Busy", "calendar")
_ANOTHER: Final = mark("Another appointment")
"""The name of a time that was read from a calendar: nothing else of it is known."""


class Span(NamedTuple):
    """A period, and the zone in which it is shown."""

    begin: datetime
    end: datetime
    zone: ZoneInfo

    @classmethod
    def of_days(cls, days: Sequence[date], zone: ZoneInfo) -> "Span":
        """Return consecutive days as a period."""
        begin, end = (datetime.combine(day, time(), zone) for day in (days[0], days[-1] + timedelta(days=1)))
        return cls(begin, end, zone)

    @property
    def query(self) -> dict[str, str]:
        """Return the parameters with which the API lists everything that overlaps it."""
        return {"startDate": self.begin.isoformat(), "endDate": self.end.isoformat()}


class Entry(NamedTuple):
    """An entry in the calendar of an advisor or a room: `kind` is Meeting or a time slot's status.

    Its words are made where it is shown: a week of many people has more entries than a page shows. `begin` and `end`
    are in the firm's zone. A meeting's `name` is that of its customers, or else its title, and `about` its topic, or
    else its title; `way` is its type. `seconds` is how long a hold lasts. Meetings of several customers at a shared
    time are one entry, whose name says how many seats are taken.
    """

    texts: Texts
    resource: Resource
    kind: str
    begin: datetime
    end: datetime
    name: str
    about: str = ""
    title: str = ""
    way: str = ""
    meeting_id: UUID | None = None
    seconds: int = 0
    customers: int = 0
    """The number of customers who share the time; 0 for a meeting whose topic has a single seat."""

    @property
    def clock(self) -> str:
        """Return its start: 10:30."""
        return self._all_day or self.texts.show_clock(self.begin, self.begin.tzinfo or UTC)

    @property
    def when(self) -> str:
        """Return its start and end: 10:30 to 11:30."""
        return self._all_day or self.texts.show_span(self.begin, self.end, self.begin.tzinfo or UTC)

    @property
    def way_words(self) -> str:
        """Return a meeting's type in words."""
        return self.texts.translate(WAYS.get(self.way, self.way)) if self.way else ""

    @property
    def _all_day(self) -> str:
        """Return the words for whole days, empty for other entries."""
        is_whole = self.begin.time() == _MIDNIGHT and self.end - self.begin >= _WHOLE_DAY
        return self.texts.translate("All day") if is_whole else ""

    @property
    def whole(self) -> str:
        """Return it in one line: its time, name, title and type."""
        return " · ".join(text for text in (self.when, self.name, self.title or self.about, self.way_words) if text)


class _Attendee(msgspec.Struct, frozen=True):
    name: str = ""


class _Meeting(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    title: str
    type: str
    start_date: datetime
    end_date: datetime
    employee_id: UUID
    additional_employees: list[UUID] = []
    room_id: UUID | None = None
    topic_id: UUID | None = None
    external_attendees: list[_Attendee] = []
    shared_slot_id: UUID | None = None


class _Slot(msgspec.Struct, frozen=True, rename="camel"):
    start_time: datetime
    end_time: datetime
    status: str
    employee_id: UUID | None = None
    room_id: UUID | None = None
    expires_at: datetime | None = None
    source: str = ""


async def list_entries(
    page: ConsolePage, resources: Sequence[Resource], span: Span, topics: Mapping[UUID, str]
) -> list[Entry]:
    """Return the entries of advisors and rooms in a period, by start: a meeting once for each of its participants.

    The number of calls does not depend on how many they are.
    """
    entries: list[Entry] = []
    for kind, parameter in (("employee", "employeeIds"), ("room", "roomIds")):
        shown = {one.id: one for one in resources if one.kind == kind}
        if not shown:
            continue
        query = {**span.query, parameter: [str(one) for one in shown]}
        meetings = (await page.api.send("GET", "booking/meetings", query=query)).read(list[_Meeting])
        shared = Counter(one.shared_slot_id for one in meetings if one.shared_slot_id is not None)
        seats: Mapping[UUID, TopicSeats] = await read_seats(page.api) if shared else {}
        for meeting in {one.shared_slot_id or one.id: one for one in meetings}.values():
            taking_part = {meeting.employee_id, *meeting.additional_employees, meeting.room_id}
            about = topics.get(meeting.topic_id, "") if meeting.topic_id else ""
            described = [_describe(page, meeting, about, shown[one], span.zone) for one in shown.keys() & taking_part]
            if meeting.shared_slot_id is not None:
                taken = shared[meeting.shared_slot_id]
                name = count_seats(page, taken, seats, meeting.topic_id)
                described = [one._replace(name=name, about=about, title="", customers=taken) for one in described]
            entries += described
        query["status"] = [*_KINDS]
        slots = (await page.api.send("GET", "booking/time-slots", query=query)).read(list[_Slot])
        entries += [
            _describe_slot(page, one, resource, span.zone)
            for one in slots
            if (resource := shown.get((one.employee_id if kind == "employee" else one.room_id) or _NOBODY)) is not None
            and (one.expires_at is None or one.expires_at > page.now)
        ]
    return sorted(entries, key=attrgetter("begin", "end"))


def _describe(page: ConsolePage, meeting: _Meeting, topic: str, resource: Resource, zone: ZoneInfo) -> Entry:
    people = ", ".join(one.name for one in meeting.external_attendees if one.name)
    name = people or meeting.title or topic or page.texts.translate("Meeting")
    return Entry(
        texts=page.texts,
        resource=resource,
        kind="Meeting",
        begin=meeting.start_date.astimezone(zone),
        end=meeting.end_date.astimezone(zone),
        name=name,
        about=next((text for text in (topic, meeting.title) if text not in {"", name}), ""),
        title=meeting.title,
        way=meeting.type,
        meeting_id=meeting.id,
    )


def _describe_slot(page: ConsolePage, slot: _Slot, resource: Resource, zone: ZoneInfo) -> Entry:
    return Entry(
        texts=page.texts,
        resource=resource,
        kind=slot.status,
        begin=slot.start_time.astimezone(zone),
        end=slot.end_time.astimezone(zone),
        name=page.texts.translate(_KINDS[slot.status] if (slot.status, slot.source) != _READ else _ANOTHER),
        seconds=round((slot.expires_at - page.now).total_seconds()) if slot.expires_at is not None else 0,
    )
