"""Moving a meeting: the advisor's next free times, and reading the form."""

from collections.abc import Container, Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.calendar.meeting import CalendarMeeting, MeetingForm, MeetingInZone, Places, read_typed
from meetdeck.pages.console.kit import ApiRefusal, ConsolePage, SentForm, name_employees

_MOST: Final = 3
_AHEAD: Final = "14.00:00:00"
_FIELD: Final = "%Y-%m-%dT%H:%M"


class FreeTime(NamedTuple):
    """A time to which a meeting can be moved: its start in the firm's zone, and in words, with who comes instead."""

    at: str
    when: str
    with_others: bool


class ReplacedPeople(NamedTuple):
    """The names of people of service groups who cannot come to a moved meeting, and of those who come instead."""

    gone: str
    new: str


class _Slot(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime
    additional_employees: list[UUID] = []


async def find_next_times(page: ConsolePage, opened: MeetingInZone) -> list[FreeTime]:
    """Return the next possible times of a meeting, three at most: with its people and room, its type and length.

    They are within two weeks from now, or from the meeting on; none if searches leave the advisor out. Of a meeting
    with people of service groups, as many times follow at which others of their groups come.
    """
    meeting, zone = opened.meeting, opened.zone
    people = [meeting.employee_id, *meeting.additional_employees]
    slots = await _search(page, meeting, requireEmployeeParticipation=True, explicitEmployeeIds=[*map(str, people)])
    same = sorted({one.start_date for one in slots} - {meeting.start_date})[:_MOST]
    others = await _find_others(page, meeting, {one.start_date for one in slots})
    today = page.now.astimezone(zone).date()
    chosen = [*((begin, "") for begin in same), *sorted(others.items())[:_MOST]]
    return [_describe(page, begin.astimezone(zone), instead, today) for begin, instead in chosen]


async def _find_others(page: ConsolePage, meeting: CalendarMeeting, same: Container[datetime]) -> dict[datetime, str]:
    """Return the names of those who come instead of people of service groups at times other than some."""
    if not meeting.also_service_groups:
        return {}
    new = {
        slot.start_date: [one for one in slot.additional_employees if one not in meeting.also_employees]
        for slot in await _search_joint(page, meeting)
        if slot.start_date not in same
    }
    names = await name_employees(page.api, [one for people in new.values() for one in people])
    return {begin: ", ".join(names.get(one, "") for one in people) for begin, people in new.items() if people}


async def find_replaced(page: ConsolePage, opened: MeetingInZone, changes: Mapping[str, Any]) -> ReplacedPeople | None:
    """Return the people of service groups who are replaced by others after a move; None if no one is."""
    meeting = opened.meeting
    if not meeting.also_employees or not {"startDate", "endDate", "employeeId"} & changes.keys():
        return None
    begin, end = (
        datetime.fromisoformat(changes[name]) if name in changes else now
        for name, now in (("startDate", meeting.start_date), ("endDate", meeting.end_date))
    )
    length = round((end - begin) / timedelta(minutes=1))
    moved = {"startDate": begin.isoformat(), "lookForwardTime": f"{length // 60:02}:{length % 60:02}:00"}
    moved |= {"meetingDuration": str(length), "ignoreMinimumTimeBeforeBooking": "true"}
    moved |= {"explicitEmployeeIds": [str(changes.get("employeeId", meeting.employee_id))]}
    found = await _search_joint(page, meeting, **moved)
    comes = found[0].additional_employees if found else []
    new = [one for one in comes if one not in meeting.also_employees]
    if not new:
        return None
    gone = [one for one in meeting.also_employees if one not in comes]
    names = await name_employees(page.api, [*new, *gone])
    return ReplacedPeople(*(", ".join(names.get(one, "") for one in people) for people in (gone, new)))


def describe_question(page: ConsolePage, replaced: ReplacedPeople) -> str:
    """Return the question whether a meeting is moved although others come."""
    return page.texts.translate(
        "{gone} is not free at that time. {new} takes part instead. Press “Move” again to move it anyway.",
        **replaced._asdict(),
    )


def describe_replaced(page: ConsolePage, replaced: ReplacedPeople) -> str:
    """Return the sentence that says who comes instead of whom."""
    return page.texts.translate(
        "{gone} is not free at that time. {new} takes part instead.",
        **replaced._asdict(),
    )


def _describe(page: ConsolePage, begin: datetime, instead: str, today: date) -> FreeTime:
    when = page.texts.show_moment(begin, today)
    said = page.texts.translate("{when}, with {names} instead", when=when, names=instead) if instead else when
    return FreeTime(begin.strftime(_FIELD), said, bool(instead))


async def _search_joint(page: ConsolePage, meeting: CalendarMeeting, **asked: Any) -> list[_Slot]:  # noqa: ANN401 - members of the query
    """Return the times of a meeting at which people of its service groups can come along to its advisor."""
    joint = {
        "requireEmployeeParticipation": False,
        "explicitEmployeeIds": [str(meeting.employee_id)],
        "alsoServiceGroups": [str(one) for one in meeting.also_service_groups],
    }
    return await _search(page, meeting, **joint | asked)


async def _search(page: ConsolePage, meeting: CalendarMeeting, **asked: Any) -> list[_Slot]:  # noqa: ANN401 - members of the query
    """Return the times of a meeting for what is asked, by default the next ones; none if the search is refused."""
    query: dict[str, Any] = {
        "existingMeetingId": str(meeting.id),
        "meetingTypes": meeting.type,
        "meetingDuration": str(round((meeting.end_date - meeting.start_date) / timedelta(minutes=1))),
        "startDate": max(page.now, meeting.start_date).isoformat(),
        "lookForwardTime": _AHEAD,
        **asked,
    }
    if meeting.room_id is not None:
        query |= {"requireRoom": True, "specificRooms": [str(meeting.room_id)]}
    try:
        return (await page.api.send("GET", "booking/time-slots/available", query=query)).read(list[_Slot])
    except ApiRefusal:
        return []


def read_move(form: SentForm, first: MeetingForm, places: Places) -> MeetingForm:
    """Return the typed and chosen values; if only the start was changed, the length is kept.

    A button with a free time (`at`, or `others` if others come) sets the day and start. A script that moves the end
    itself sends `follows`.
    """
    typed = read_typed(form, places)
    if at := form.get("at") or form.get("others"):
        day, _, begin = at.partition("T")
        return _keep_length(first, typed._replace(day=day, begin=begin))
    if form.get("follows") or typed.begin == first.begin or typed.end != first.end:
        return typed
    return _keep_length(first, typed)


def _keep_length(first: MeetingForm, typed: MeetingForm) -> MeetingForm:
    """Return a form whose end keeps its distance from the start; unchanged if that is not on the same day."""
    try:
        was, begin, end = (
            datetime.combine(date.min, time.fromisoformat(text)) for text in (first.begin, typed.begin, first.end)
        )
    except ValueError:
        return typed
    moved = begin + (end - was)
    return typed._replace(end=f"{moved:%H:%M}") if moved.date() == begin.date() else typed
