"""The page that finds customers, by name, e-mail, id or reference, and advisors, pages and actions."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from litestar import Response, get

from meetdeck.pages.console.find.customers import CustomerMeeting, find_customers
from meetdeck.pages.console.find.places import find_places
from meetdeck.pages.console.kit import (
    ConsoleController,
    ConsolePage,
    CurrentPage,
    name_employees,
    name_topics,
    read_day,
    read_zone,
)
from meetdeck.pages.console.overview.day import DayMeeting
from meetdeck.pages.console.wishes.rows import Wish, describe, has

_BEFORE: Final = timedelta(days=31)
_DAYS: Final = timedelta(days=91)  # a day less than the API accepts: an hour more when clocks change
_MOST: Final = 50
_FEW: Final = 6
_SHORTEST: Final = 2  # letters: nearly every name contains one
_LONGEST: Final = 200


class FoundMeeting(NamedTuple):
    """A meeting in words."""

    id: UUID
    when: str
    title: str
    customer: str
    advisor: str
    is_over: bool


class Find(ConsoleController):
    """Finding customers."""

    path = "/console/find"

    @get()
    async def find(self, page: CurrentPage) -> Response[bytes]:
        """Show the results for a text: meetings of three months (also past), open entries, advisors, pages, actions.

        The dialog of Ctrl+K requests only a part of the page.
        """
        query = page.request.query_params
        wanted = query.get("q", "").strip()[:_LONGEST]
        places = await find_places(page, wanted)
        zone = await read_zone(page.api)
        first = read_day(query.get("from", "")) or page.now.astimezone(zone).date() - _BEFORE
        meetings, wishes = [], []
        if page.is_part and len(wanted) < _SHORTEST:
            return page.show("find-part.html", wanted=wanted, meetings=[], customers=[], groups=places)
        most = _FEW if page.is_part else _MOST + 1
        listed = await _list_meetings(page, wanted, first, zone, most) if wanted else []
        customers = await find_customers(page, wanted, [one.told for one in listed]) if wanted else []
        if page.is_part:
            found = await _describe(page, listed, zone)
            return page.show("find-part.html", wanted=wanted, meetings=found, customers=customers, groups=places)
        if wanted:
            meetings = await _describe(page, listed, zone)
            statuses = {"status": ["Waiting", "Offered"]}
            wishes = (await page.api.send("GET", "booking/wishes", query=statuses)).read(list[Wish])
            wishes = await describe(page, [one for one in wishes if has(one, wanted)][:_MOST])
        return page.show(
            "find.html",
            wanted=wanted,
            groups=[*customers, *places] if wanted else [],
            meetings=meetings[:_MOST],
            has_more=len(meetings) > _MOST,
            wishes=wishes,
            first=first,
            last=first + _DAYS - timedelta(days=1),
            today=page.now.astimezone(zone).date(),
            before=first - _DAYS,
            after=first + _DAYS,
        )


class _ListedMeeting(NamedTuple):
    """A meeting as the API lists it, and its customer."""

    meeting: DayMeeting
    told: CustomerMeeting


async def _list_meetings(
    page: ConsolePage, wanted: str, first: date, zone: ZoneInfo, most: int
) -> list[_ListedMeeting]:
    begin, end = (datetime.combine(day, time(), zone) for day in (first, first + _DAYS))
    answer = await page.api.send(
        "GET",
        "booking/meetings",
        query={"search": wanted, "startDate": begin.isoformat(), "endDate": end.isoformat(), "pageSize": most},
    )
    pairs = zip(answer.read(list[DayMeeting]), answer.read(list[CustomerMeeting]), strict=True)
    return [_ListedMeeting(meeting, told) for meeting, told in pairs]


async def _describe(page: ConsolePage, listed: Sequence[_ListedMeeting], zone: ZoneInfo) -> list[FoundMeeting]:
    found = [one.meeting for one in listed]
    names = await name_employees(page.api, (one.employee_id for one in found))
    topics = await name_topics(page.api)
    return [
        FoundMeeting(
            id=one.id,
            when=f"{page.texts.show_date(one.start_date.astimezone(zone).date())}, "
            f"{page.texts.show_clock(one.start_date, zone)}",
            title=one.title or (topics.get(one.topic_id, "") if one.topic_id else ""),
            customer=", ".join(each.name for each in one.external_attendees if each.name),
            advisor=names.get(one.employee_id, ""),
            is_over=one.end_date <= page.now,
        )
        for one in found
    ]
