"""The figures of the last thirty days, and the places with the fewest free times ahead, for the overview."""

from datetime import timedelta
from typing import Final, NamedTuple

from meetdeck.pages.console.kit import ConsolePage, IdAndName, list_part
from meetdeck.pages.console.reports.endpoints import REPORTS, load_report, show_cell
from meetdeck.pages.console.reports.forecast import PlaceRow, list_weeks, load_forecast, make_topic

DAYS: Final = 30
_MEETINGS: Final = REPORTS[0]
_MEMBERS: Final = ("booked", "bookingsMade", "cancelled", "noShows")
_MOST_PLACES: Final = 6
_TALLEST: Final = 40
_MOST_EMPLOYEES: Final = 1_000
"""With ten times as many, it takes six seconds."""


class Figure(NamedTuple):
    """A number, and its name."""

    label: str
    value: str


class Figures(NamedTuple):
    """The numbers of the last thirty days, and for each day the height of a bar, 0 to 40: its booked meetings."""

    figures: list[Figure]
    bars: list[int]


class ScarcePlace(NamedTuple):
    """A place with few free times for a topic."""

    topic: str
    place: PlaceRow


class ScarcestPlaces(NamedTuple):
    """The places with the fewest free times, in that order; the first days of the weeks; how many topics remain."""

    weeks: list[str]
    places: list[ScarcePlace]
    topics_left_out: int


async def read_figures(page: ConsolePage) -> Figures:
    """Return the figures of the last thirty days."""
    today = page.now.date()
    query = {"from": (today - timedelta(days=DAYS)).isoformat(), "to": today.isoformat(), "by": "day"}
    found = await load_report(page.api, _MEETINGS, query)
    labels = dict(_MEETINGS.columns)
    figures = [
        Figure(page.texts.translate(labels[member]), show_cell(page, member, found.totals[member]))
        for member in _MEMBERS
    ]
    booked = [row["booked"] for row in found.rows]
    most = max(booked, default=0)
    return Figures(figures, [round(_TALLEST * number / most) if most else 0 for number in booked])


async def read_scarcest(page: ConsolePage) -> ScarcestPlaces | None:
    """Return where customers find the fewest times in the next sixty days, among the first ten topics.

    None in a firm with so many employees that the result takes too long for somebody who did not request it.
    """
    _, employees = await list_part(page.api, "booking/employees", IdAndName, limit=1)
    if employees > _MOST_EMPLOYEES:
        return None
    found = await load_forecast(page, 0, by_customers=True)
    topics = [make_topic(page, topic, found) for topic in found.topics]
    places = [ScarcePlace(topic.name, place) for topic in topics for place in topic.places]
    places.sort(key=lambda one: sum(week.free for week in one.place.weeks))
    return ScarcestPlaces(list_weeks(page.texts, found), places[:_MOST_PLACES], found.topics_left_out)
