"""An advisor's day as the API explains it: which rule removes each time."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from meetdeck.pages.console.booking.search_form import Employee, Firm, Search
from meetdeck.pages.console.booking.times import list_parameters
from meetdeck.pages.console.kit import ConsolePage


class Reason(msgspec.Struct, frozen=True):
    """A reason why searches leave the advisor out, and the rule behind it."""

    rule: str
    detail: str


class Start(msgspec.Struct, frozen=True, rename="camel"):
    """A half hour and a type of meeting, and the rule that removes it."""

    start_date: datetime
    end_date: datetime
    meeting_type: str
    available: bool
    rule: str | None
    detail: str


class Explanation(msgspec.Struct, frozen=True):
    """An advisor's day in a search."""

    reasons: list[Reason]
    starts: list[Start]


async def read_explanation(page: ConsolePage, firm: Firm, search: Search, employee: Employee, day: date) -> Explanation:
    """Return an advisor's whole day in a search, in the page's language. Raises ApiRefusal."""
    query = list_parameters(page, firm, search) | {"startDate": None, "lookForwardTime": None}
    return await explain(page, query | {"employeeId": str(employee.id), "date": day.isoformat()})


async def explain(page: ConsolePage, query: Mapping[str, Any]) -> Explanation:
    """Return the API's answer to a query, in the page's language. Raises ApiRefusal."""
    found = (await page.api.send("GET", "booking/time-slots/explain", query=query)).read(Explanation)
    return Explanation(
        [replace(one, detail=page.api.translate(one.detail)) for one in found.reasons],
        [replace(one, detail=page.api.translate(one.detail)) for one in found.starts],
    )
