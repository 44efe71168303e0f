"""Moving a meeting: the advisor's next free times, and reading the form."""

from collections.abc import Mapping
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
    """A time to which a meeting can be moved: its start in the firm's zone, and in words with who comes instead."""

    at: str
    when: str


class _Slot(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime
    additional_employees: list[UUID] = []


async def find_next_times(page: ConsolePage, opened: MeetingInZone) -> list[FreeTime]:
    """Return the next three possible times of a meeting: with its people and room, its type and length.

    They are within two weeks from now, or from the meeting on; none if searches leave the advisor out. Without enough
    times at which the people of service groups are free, times follow at which others of their groups come.
    """
    meeting, zone = opened.meeting, opened.zone
    people = [meeting.employee_id, *meeting.additional_employees]
    slots = await _search(page, meeting, requireEmployeeParticipation=True, explicitEmployeeIds=[*map(str, people)])
    begins = {one.start_date: "" for one in slots}
    if meeting.also_service_groups and len(begins.keys() - {meeting.start_date}) < _MOST:
        groups = [str(one) for one in meeting.also_service_groups]
        others = await _search(
            page,
            meeting,
            requireEmployeeParticipation=False,
            explicitEmployeeIds=[str(meeting.employee_id)],
            alsoServiceGroups=groups,
        )
        names = await name_employees(page.api, [one for slot in others for one in slot.additional_employees])
        for slot in others:
            new = [names.get(one, "") for one in slot.additional_employees if one not in meeting.also_employees]
            begins.setdefault(slot.start_date, ", ".join(new))
    today = page.now.astimezone(zone).date()
    chosen = sorted(begins.keys() - {meeting.start_date}, key=lambda begin: (bool(begins[begin]), begin))[:_MOST]
    return [_describe(page, begin.astimezone(zone), begins[begin], today) for begin in chosen]


async def find_instead(page: ConsolePage, opened: MeetingInZone, changes: Mapping[str, Any]) -> str:
    """Return a sentence about the people of service groups who come instead of others after a move; empty: nobody."""
    meeting = opened.meeting
    if not meeting.also_employees or not {"startDate", "employeeId"} & changes.keys():
        return ""
    begin, end = (
        datetime.fromisoformat(changes[name]) if name in changes else now
        for name, now in (("startDate", meeting.start_date), ("endDate", meeting.end_date))
    )
    length = round((end - begin) / timedelta(minutes=1))
    moved = {"startDate": begin.isoformat(), "lookForwardTime": f"{length // 60:02}:{length % 60:02}:00"}
    moved |= {"meetingDuration": str(length), "ignoreMinimumTimeBeforeBooking": "true"}
    advisor = str(changes.get("employeeId", meeting.employee_id))
    people = [advisor, *map(str, meeting.also_employees)]
    if await _search(page, meeting, requireEmployeeParticipation=True, explicitEmployeeIds=people, **moved):
        return ""
    groups = [str(one) for one in meeting.also_service_groups]
    found = await _search(
        page,
        meeting,
        requireEmployeeParticipation=False,
        explicitEmployeeIds=[advisor],
        alsoServiceGroups=groups,
        **moved,
    )
    comes = found[0].additional_employees if found else []
    names = await name_employees(page.api, [*comes, *meeting.also_employees])
    new = [names.get(one, "") for one in comes if one not in meeting.also_employees]
    gone = [names.get(one, "") for one in meeting.also_employees if one not in comes]
    if not new:
        return ""
    return page.texts.translate(
        "{gone} is not free then. {new} comes instead. Press “Move” again to move it all the same.",
        gone=", ".join(gone),
        new=", ".join(new),
    )


def _describe(page: ConsolePage, begin: datetime, instead: str, today: date) -> FreeTime:
    when = page.texts.show_moment(begin, today)
    said = page.texts.translate("{when}, with {names} instead", when=when, names=instead) if instead else when
    return FreeTime(begin.strftime(_FIELD), said)


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

    A button with a free time (`at`) sets the day and start. A script that moves the end itself sends `follows`.
    """
    typed = read_typed(form, places)
    if form.get("at"):
        day, _, begin = form.get("at").partition("T")
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
