"""The page of the meetings that a number of a report counts."""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from litestar import Response, get

from meetdeck.pages.console.kit import ConsoleController, ConsolePage, CurrentPage, name_employees, read_zone
from meetdeck.pages.console.reports.endpoints import COUNTS, REPORTS, read_query
from meetdeck.platform.errors import NotFound

_MOST: Final = 250
_MEETINGS: Final = REPORTS[0]


class _Meeting(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    title: str
    start_date: datetime
    end_date: datetime
    employee_id: UUID
    customer_id: str
    customer_name: str
    is_cancelled: bool


class _CountedMeetings(msgspec.Struct, frozen=True):
    total: int
    items: list[_Meeting]


class ShownMeeting(NamedTuple):
    """A meeting as the page shows it."""

    id: UUID
    when: str
    title: str
    customer: str
    advisor: str
    is_cancelled: bool


class CountedMeetings(ConsoleController):
    """The meetings that a number of the report of meetings counts."""

    path = "/console/reports/meetings/counted"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """List the meetings of a number, by their begin; of very many the first."""
        asked, query = page.request.query_params, read_query(page, _MEETINGS)
        count = asked.get("count", "")
        if count not in COUNTS:
            raise NotFound("This page does not exist.")
        key = asked.get("key")
        narrowed = query | {"count": count} | ({} if key is None else {"key": key})
        answer = await page.api.send("GET", "booking/reports/meetings/counted", query={**narrowed, "limit": _MOST})
        counted = answer.read(_CountedMeetings)
        return page.show(
            "counted-meetings.html",
            query=query,
            label=dict(_MEETINGS.columns)[count],
            meetings=await _show(page, counted.items),
            total=counted.total,
            more=counted.total - len(counted.items),
        )


async def _show(page: ConsolePage, meetings: list[_Meeting]) -> list[ShownMeeting]:
    zone = await read_zone(page.api)
    names = await name_employees(page.api, {one.employee_id for one in meetings})
    return [
        ShownMeeting(
            one.id,
            page.texts.show_long_span(
                one.start_date.astimezone(zone), one.end_date.astimezone(zone), page.now.astimezone(zone).date()
            ),
            one.title,
            one.customer_name or one.customer_id,
            names.get(one.employee_id, ""),
            one.is_cancelled,
        )
        for one in meetings
    ]
