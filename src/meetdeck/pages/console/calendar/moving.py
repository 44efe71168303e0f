"""Moving a meeting: the advisor's next free times, and reading the form."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final, NamedTuple

import msgspec

from meetdeck.pages.console.calendar.meeting import MeetingForm, MeetingInZone, Places, read_typed
from meetdeck.pages.console.kit import ApiRefusal, ConsolePage, SentForm

_MOST: Final = 3
_AHEAD: Final = "14.00:00:00"
_FIELD: Final = "%Y-%m-%dT%H:%M"


class FreeTime(NamedTuple):
    """A time to which a meeting can be moved: its start in the firm's zone, and in words."""

    at: str
    when: str


class _Slot(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime


async def find_next_times(page: ConsolePage, opened: MeetingInZone) -> list[FreeTime]:
    """Return the next three possible times of a meeting: with its advisor and room, its type and length.

    They are within two weeks from now, or from the meeting on; none if searches leave the advisor out.
    """
    meeting, zone = opened.meeting, opened.zone
    query: dict[str, Any] = {
        "requireEmployeeParticipation": False,
        "explicitEmployeeIds": [str(meeting.employee_id)],
        "existingMeetingId": str(meeting.id),
        "meetingTypes": meeting.type,
        "meetingDuration": str(round((meeting.end_date - meeting.start_date) / timedelta(minutes=1))),
        "startDate": max(page.now, meeting.start_date).isoformat(),
        "lookForwardTime": _AHEAD,
    }
    if meeting.room_id is not None:
        query |= {"requireRoom": True, "specificRooms": [str(meeting.room_id)]}
    try:
        slots = (await page.api.send("GET", "booking/time-slots/available", query=query)).read(list[_Slot])
    except ApiRefusal:
        return []
    begins = sorted({one.start_date for one in slots} - {meeting.start_date})[:_MOST]
    today = page.now.astimezone(zone).date()
    local = [begin.astimezone(zone) for begin in begins]
    return [FreeTime(one.strftime(_FIELD), page.texts.show_moment(one, today)) for one in local]


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
