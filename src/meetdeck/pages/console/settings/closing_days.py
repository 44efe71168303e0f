"""The page of the days on which the organization is closed, a year at a time."""

import calendar
from datetime import date, datetime
from functools import partial
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post

from meetdeck.pages.console.kit import (
    Api,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    Undo,
    UndoRefused,
    read_change_notice,
    read_zone,
    take_back,
)
from meetdeck.pages.console.settings.holidays import COUNTRIES, find_country, list_holidays

_ORGANIZATION: Final = "booking/config/organization-settings"
_SLUG: Final = "closing-days"
_PAGE: Final = f"settings/{_SLUG}"
_YEARS_AROUND: Final = 10


class _ClosingDays(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    closing_days: list[datetime]


class Month(NamedTuple):
    """A month of the year's calendar: its name, and its weeks from Monday on, None for days of other months."""

    name: str
    weeks: list[list[date | None]]


class ClosingDays(ConsoleController):
    """The organization's closing days."""

    path = "/console/settings/closing-days"

    @get()
    async def show_closing_days(self, page: CurrentPage) -> Response[bytes]:
        """Show a year with its closing days."""
        return await _show(page)

    @post(status_code=HTTPStatus.SEE_OTHER)
    async def save_closing_days(self, form: CurrentForm) -> Response[bytes]:
        """Close on the ticked days and open on the other days of the page; days that it did not show are unchanged."""
        page, year = form.page, form.get("year")
        _, closed = await _find_closed(page.api)
        shown = {day for day in closed if str(day.year) == year and day.isoformat() in form.list_all("was")}
        ticked = {day for text in form.list_all("closed") if (day := _read_day(text)) is not None}
        was = {day for text in form.list_all("was") if (day := _read_day(text)) is not None}
        added, removed = sorted(ticked - was - closed), sorted(shown - ticked)
        await _change_closed(page.api, added, removed)
        if added or removed:
            change = {"added": [str(day) for day in added], "removed": [str(day) for day in removed]}
            await page.sessions.keep_undo(page.session, Undo(_SLUG, year, year, "", change))
        return page.lead_to(f"{_PAGE}?{urlencode({'year': year, 'saved': 1})}")

    @post("/holidays", status_code=HTTPStatus.SEE_OTHER)
    async def close_on_holidays(self, form: CurrentForm) -> Response[bytes]:
        """Close on the public holidays of a country and year, in addition to the days that are already closed."""
        page, country = form.page, form.get("country")
        year = _read_year(page, form.get("year"))
        if country in COUNTRIES:
            _, closed = await _find_closed(page.api)
            added = [day for day in list_holidays(country, year, page.texts.language) if day not in closed]
            await _change_closed(page.api, added, [])
            if added:
                change = {"added": [str(day) for day in added], "removed": []}
                await page.sessions.keep_undo(page.session, Undo(_SLUG, str(year), str(year), "", change))
        return page.lead_to(f"{_PAGE}?{urlencode({'year': year, 'country': country, 'saved': 1})}")

    @post("/undo", status_code=HTTPStatus.SEE_OTHER)
    async def undo_closing_days(self, form: CurrentForm) -> Response[bytes]:
        """Undo the last change of closing days; other days are unchanged."""
        page = form.page
        try:
            undone = await take_back(page, _SLUG, partial(_put_closed_back, page.api))
        except UndoRefused as stays:
            return await _show(page, str(stays))
        told = f"?{urlencode({'year': undone.key, 'undone': 1})}" if undone is not None else ""
        return page.lead_to(f"{_PAGE}{told}")


async def _put_closed_back(api: Api, undo: Undo) -> None:
    """Close and open on the days of a change, reversed. Raises ApiRefusal."""
    added, removed = ([date.fromisoformat(day) for day in undo.resource[which]] for which in ("added", "removed"))
    await _change_closed(api, removed, added)


async def _show(page: ConsolePage, refusal: str = "") -> Response[bytes]:
    """Show the requested year, or this one; with the reason if the last change is not undone (409)."""
    year = _read_year(page, page.request.query_params.get("year", ""))
    asked = page.request.query_params.get("country", "")
    country = asked if asked in COUNTRIES else find_country((await read_zone(page.api)).key)
    saved = page.texts.translate("The closing days are saved.")
    return page.show(
        "closing-days.html",
        HTTPStatus.CONFLICT if refusal else HTTPStatus.OK,
        year=year,
        countries=COUNTRIES,
        country=country,
        holidays=list_holidays(country, year, page.texts.language) if asked == country else {},
        months=[_make_month(page, year, number) for number in range(1, 13)],
        closed=(await _find_closed(page.api))[1],
        done=await read_change_notice(page, f"{_PAGE}/undo", _SLUG, str(year), saved),
        errors=[("", refusal)] if refusal else [],
    )


def _read_year(page: ConsolePage, text: str) -> int:
    """Return the year in a text, or this one if it is too distant."""
    this_year = page.now.year
    is_near = text.isdecimal() and len(text) == len(str(this_year)) and abs(int(text) - this_year) <= _YEARS_AROUND
    return int(text) if is_near else this_year


async def _find_closed(api: Api) -> tuple[str, set[date]]:
    """Return the organization's id, and its closing days."""
    closing = await api.get(_ORGANIZATION, _ClosingDays)
    return closing.id, {moment.date() for moment in closing.closing_days}


async def _change_closed(api: Api, added: list[date], removed: list[date]) -> None:
    """Close on some days, and open on others. Raises ApiRefusal."""
    path = f"{_ORGANIZATION}/{(await _find_closed(api))[0]}/closing-days"
    if added:
        await api.send("POST", path, query=_write_days(added))
    if removed:
        await api.send("DELETE", path, query=_write_days(removed))


def _make_month(page: ConsolePage, year: int, number: int) -> Month:
    weeks = [
        [day if day.month == number else None for day in week]
        for week in calendar.Calendar().monthdatescalendar(year, number)
    ]
    return Month(page.texts.name_month(number), weeks)


def _read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _write_days(days: list[date]) -> dict[str, list[str]]:
    return {"closingDays": [f"{day.isoformat()}T00:00:00Z" for day in days]}
