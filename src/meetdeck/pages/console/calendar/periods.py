"""The days that a view of the calendar shows, and the days to which its buttons lead."""

from datetime import date, timedelta
from typing import Final, NamedTuple

from meetdeck.pages.console.kit import ConsolePage
from meetdeck.pages.texts import mark

VIEWS: Final = {"day": mark("Day"), "week": mark("Week"), "timeline": mark("Timeline"), "list": mark("List")}
"""The views of the calendar; a timeline has a row for each of several people and rooms."""
_OF_A_DAY: Final = ("day", "timeline")
_DAYS_OF_A_WEEK: Final = 7


class Period(NamedTuple):
    """Consecutive days: the first and their number, in words, and the number of their week (ISO 8601)."""

    first: date
    length: int
    title: str
    week: int

    @property
    def days(self) -> list[date]:
        """Return the days."""
        return [self.first + timedelta(days=number) for number in range(self.length)]

    @property
    def is_day(self) -> bool:
        """Return whether it is a single day."""
        return self.length == 1

    @property
    def before(self) -> date:
        """Return the first day of the previous period."""
        return self.first - timedelta(days=self.length)

    @property
    def after(self) -> date:
        """Return the first day of the next period."""
        return self.first + timedelta(days=self.length)


def find_view(asked: str, *, is_single: bool) -> str:
    """Return the requested view, or a week for an unknown one; a single calendar has a day instead of a timeline."""
    view = asked if asked in VIEWS else "week"
    return "day" if view == "timeline" and is_single else view


def find_period(page: ConsolePage, view: str, day: date, today: date) -> Period:
    """Return the day itself, or its week from Monday on, depending on the view."""
    if view in _OF_A_DAY:
        return Period(day, 1, page.texts.show_day(day, today), day.isocalendar().week)
    monday = day - timedelta(days=day.weekday())
    title = page.texts.show_days(monday, monday + timedelta(days=_DAYS_OF_A_WEEK - 1), today)
    return Period(monday, _DAYS_OF_A_WEEK, title, monday.isocalendar().week)
