"""A small month for choosing a day."""

from calendar import Calendar
from datetime import date, timedelta
from typing import Final, NamedTuple

from meetdeck.pages.console.kit import ConsolePage, read_day

_WEEKS: Final = Calendar()


class Week(NamedTuple):
    """A week of a month: its number (ISO 8601), and its days, some of them in the previous or next month."""

    number: int
    days: list[date]


class Month(NamedTuple):
    """A month: its first day, its name with the year, and its weeks from Monday on."""

    first: date
    title: str
    weeks: list[Week]

    @property
    def before(self) -> date:
        """Return a day of the previous month."""
        return self.first - timedelta(days=1)

    @property
    def after(self) -> date:
        """Return a day of the next month."""
        return self.weeks[-1].days[0] + timedelta(days=7)


def read_month(page: ConsolePage, day: date) -> Month:
    """Return the month of the day in the address's `month`, or else of the shown day."""
    first = (read_day(page.request.query_params.get("month", "")) or day).replace(day=1)
    weeks = [Week(days[0].isocalendar().week, days) for days in _WEEKS.monthdatescalendar(first.year, first.month)]
    return Month(first, f"{page.texts.name_month(first.month)} {first.year}", weeks)
