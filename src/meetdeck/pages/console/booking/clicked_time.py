"""The time that was clicked in the calendar: whether a search offers it, and if not, why; staff may hold it anyway."""

from datetime import datetime, timedelta
from typing import NamedTuple

from meetdeck.pages.console.booking.explanations import read_explanation
from meetdeck.pages.console.booking.search_form import Firm, Search
from meetdeck.pages.console.booking.times import Time
from meetdeck.pages.console.kit import ConsolePage
from meetdeck.pages.texts import begin_line


class ClickedTime(NamedTuple):
    """A time in words, and why no search offers it; `reason` is empty if one does."""

    value: str
    when: str
    advisor: str
    reason: str


async def check_clicked_time(page: ConsolePage, firm: Firm, search: Search) -> ClickedTime | None:
    """Return the requested time with one advisor, None without an advisor. Raises ApiRefusal."""
    if search.at is None or search.at < page.now or len(search.employees) != 1:
        return None
    begin, end = search.at, search.at + timedelta(minutes=search.minutes)
    employee = search.employees[0]
    today = page.now.astimezone(firm.zone).date()
    span = page.texts.show_long_span(begin.astimezone(firm.zone), end.astimezone(firm.zone), today)
    return ClickedTime(
        value=Time(begin, end, employee.id).write(),
        when=begin_line(span),
        advisor=employee.name,
        reason=await _find_reason(page, firm, search, begin),
    )


async def _find_reason(page: ConsolePage, firm: Firm, search: Search, begin: datetime) -> str:
    day = begin.astimezone(firm.zone).date()
    explanation = await read_explanation(page, firm, search, search.employees[0], day)
    if explanation.reasons:
        return explanation.reasons[0].detail
    start = next((one for one in explanation.starts if one.start_date == begin), None)
    if start is None:
        return page.texts.translate("Searches offer times at the full and the half hour.")
    return "" if start.available else start.detail
