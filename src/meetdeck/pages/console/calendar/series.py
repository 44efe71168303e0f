"""The meetings of a series, and those of it that are to come."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.pages.console.calendar.meeting import CalendarMeeting, MeetingInZone
from meetdeck.pages.console.calendar.seats import read_shared_time
from meetdeck.pages.console.kit import ConsolePage, SentForm


class SeriesMeeting(NamedTuple):
    """A meeting of a series in words."""

    id: UUID
    when: str
    is_shown: bool
    """True if the page is about this one."""


class Series(NamedTuple):
    """The series of a meeting: all of its meetings that take place, and the ids from the shown one on."""

    meetings: list[SeriesMeeting]
    from_here_on: list[UUID]

    @property
    def later(self) -> int:
        """Return how many meetings come after the shown one."""
        return max(len(self.from_here_on) - 1, 0)


async def read_series(page: ConsolePage, opened: MeetingInZone) -> Series:
    """Return the series of a meeting; one without meetings if it is of none."""
    meeting, _, zone = opened
    if meeting.series_id is None:
        return Series([], [])
    found = await page.api.get("booking/meetings", list[CalendarMeeting], seriesId=str(meeting.series_id))
    today = page.now.astimezone(zone).date()

    def write(moment: datetime) -> str:
        return page.texts.show_moment(moment.astimezone(zone), today)

    shown = [SeriesMeeting(one.id, write(one.start_date), one.id == meeting.id) for one in found]
    return Series(shown, [one.id for one in found if one.id == meeting.id or one.start_date >= meeting.start_date])


def write_query(form: SentForm) -> dict[str, str]:
    """Return the query of a change: of the meeting alone, of it and the later ones of its series, or of its time."""
    return {name: "true" for name in ("series", "sharedSlot") if form.get(name)}


async def list_changed(form: SentForm, opened: MeetingInZone) -> list[UUID]:
    """Return the ids of the meetings that a form changes: the one, all from it on, or all that share its time."""
    if form.get("sharedSlot"):
        return [one.id for one in (await read_shared_time(form.page, opened)).seats]
    if not form.get("series"):
        return [opened.meeting.id]
    return (await read_series(form.page, opened)).from_here_on or [opened.meeting.id]
