"""The page that shows the free times behind a number of the forecast."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Final, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, get

from meetdeck.pages.console.kit import ConsoleController, ConsolePage, CurrentPage, IdAndName, keep_id, read_zone
from meetdeck.platform.values import Duration

_TOPIC: Final = "topic"
_PLACE: Final = "meetingLocation"
_NOWHERE: Final = "withoutLocation"
_TYPES: Final = "meetingTypes"
_CUSTOMERS: Final = "isCustomerInitiated"
_ASKED: Final = (_TOPIC, _PLACE, _NOWHERE, _TYPES, _CUSTOMERS, "startDate", "lookForwardTime")
"""The parameters of the API's search in the forecast's links."""


class _Slot(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime


class ShownDay(NamedTuple):
    """A day, and the times of day at which a meeting can begin."""

    name: str
    starts: list[str]


class ForecastTimes(ConsoleController):
    """The free times behind a number of the forecast."""

    path = "/console/reports/forecast/times"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the times of a week day by day: the search's results that the forecast counts."""
        query = page.request.query_params
        asked = {name: query[name] for name in _ASKED if query.get(name)}
        everybody = {"requireEmployeeParticipation": False, "advisorsPerTime": 1}
        slots = await page.api.get("booking/time-slots/available", list[_Slot], **asked, **everybody)
        zone = await read_zone(page.api)
        starts = sorted({slot.start_date for slot in slots})
        today = page.now.astimezone(zone).date()
        by_day = groupby(starts, key=lambda start: start.astimezone(zone).date())
        return page.show(
            "forecast-times.html",
            topic=await _read_topic(page, asked.get(_TOPIC, "")),
            place=name_place(page, "" if _NOWHERE in asked else asked.get(_PLACE)),
            seen="customers" if asked.get(_CUSTOMERS) == "true" else "employees",
            days=[
                ShownDay(page.texts.show_day(day, today), [page.texts.show_clock(start, zone) for start in found])
                for day, found in by_day
            ],
            number=len(starts),
        )


async def _read_topic(page: ConsolePage, topic: str) -> str:
    return (await page.api.get(f"booking/config/meeting-topics/{topic}", IdAndName)).name if keep_id(topic) else ""


def name_place(page: ConsolePage, location: str | None) -> str:
    """Return the words for a location of the forecast: empty for advisors without one, None for other meetings."""
    if location is None:
        return page.texts.translate("Online and by telephone")
    return location or page.texts.translate("In person, no location")


class PlaceLinks:
    """Writes the addresses of the free times of a place."""

    def __init__(self, search: str, first: date, days: int, time_zone: str) -> None:
        self._zone = ZoneInfo(time_zone)
        asked = dict(parse_qsl(urlsplit(search).query))
        self._asked = {name: asked[name] for name in _ASKED if name in asked}
        self._end = first + timedelta(days=days)
        whole = self._find_midnight(self._end) - self._find_midnight(first)
        self._meeting = Duration.parse(asked["lookForwardTime"]) - whole

    def write(self, first: date, days: int) -> str:
        """Return the address of the times of some days, within the forecast's days."""
        begin, end = (self._find_midnight(day) for day in (first, min(first + timedelta(days=days), self._end)))
        span = {"startDate": f"{begin:%Y-%m-%dT%H:%M:%SZ}", "lookForwardTime": Duration.of(end - begin + self._meeting)}
        return f"reports/forecast/times?{urlencode(self._asked | span)}"

    def _find_midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(), self._zone).astimezone(UTC)
