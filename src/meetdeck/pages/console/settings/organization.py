"""The pages of the organization: its rules, and the days on which it is closed."""

import calendar
from datetime import date, datetime
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post

from meetdeck.pages.console.api import Api, Refused
from meetdeck.pages.console.controller import ConsoleController
from meetdeck.pages.console.requests import ConsolePage, CurrentForm, CurrentPage, SentForm
from meetdeck.pages.console.roles import Role, needs
from meetdeck.pages.console.settings import forms
from meetdeck.pages.console.settings.fields import Field
from meetdeck.pages.console.settings.forms import Faults, Opened
from meetdeck.pages.console.settings.languages import localize
from meetdeck.pages.console.settings.subjects import Subject
from meetdeck.pages.texts import mark

_PATH: Final = "booking/config/organization-settings"
_YEARS_AROUND: Final = 10
ORGANIZATION: Final = Subject(
    "organization",
    _PATH,
    mark("Organization"),
    mark("Organization"),
    mark("The rules that hold for everybody."),
    (
        Field("openingTime", mark("Opens at"), "clock", is_required=True),
        Field("closingTime", mark("Closes at"), "clock", is_required=True),
        Field("timeZoneId", mark("Time zone"), "one", source="time-zones", is_required=True),
        Field(
            "minimumBookingNotice",
            mark("Minutes between booking and meeting at least"),
            "minutes",
            empty="00:00:00",
        ),
        Field(
            "maxTimeFromBookingToMeeting",
            mark("Minutes between booking and meeting at most"),
            "minutes",
            mark("Empty: no limit."),
            empty=None,
        ),
        Field("workingTimeBuffer", mark("Minutes of working time before a meeting"), "minutes", empty="00:00:00"),
        Field("bufferBetweenMeetings", mark("Minutes free between meetings"), "minutes", empty="00:00:00"),
        Field(
            "maxMeetingTimePerDay",
            mark("Minutes of meetings a day at most"),
            "minutes",
            mark("Empty: no limit."),
            empty=None,
        ),
        Field(
            "dailyLimitForEmployees",
            mark("The daily limit counts for staff who book, too"),
            "tick",
        ),
        Field(
            "advisorPriority",
            mark("The order in which advisors are offered"),
            "rows",
            mark("Of several who are free, those of the first level come first; kinds that are not here come last."),
            columns=(
                Field("kind", mark("Advisors"), "one", source="advisor-kinds", is_required=True),
                Field(
                    "label",
                    mark("Label of the service groups"),
                    hint=mark("Empty: all of them."),
                    source="service-group-labels",
                    empty=None,
                ),
                Field("description", mark("Description")),
            ),
            more=mark("Add a level"),
        ),
        Field("customersBookOnlyOffered", mark("Customers may book only times that are offered"), "tick"),
        Field("mainLocale", mark("Main language"), hint=mark("A tag such as en-GB."), is_required=True),
        Field(
            "enabledLocales",
            mark("Languages"),
            "lines",
            mark("Of texts that customers read: a tag on each line, such as da-DK; the main language is one of them."),
        ),
        Field("iCalMeetingTitle", mark("Title in calendars"), localized="localizedICalMeetingTitle"),
        Field(
            "iCalMeetingDescription",
            mark("Description in calendars"),
            "text",
            localized="localizedICalMeetingDescription",
        ),
        Field("extendedOpeningHoursEmail", mark("E-mail for wishes outside the opening hours"), "email"),
    ),
    ("openingTime",),
    by_patch=True,
)


class _Closing(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    closing_days: list[datetime]


class Month(NamedTuple):
    """A month of the year's calendar: its name, and its weeks from Monday on, None for days of other months."""

    name: str
    weeks: list[list[date | None]]


class Organization(ConsoleController):
    """The organization's rules and closing days."""

    path = "/console/settings"
    opt = needs(Role.CONFIGURATOR)

    @get("/organization")
    async def show_rules(self, page: CurrentPage) -> Response[bytes]:
        """Show the form of the rules."""
        opened, subject = await _open(page.api), await localize(page.api, ORGANIZATION)
        return await _show(page, subject, forms.write_values(subject, opened.resource), opened.tag)

    @post("/organization", status_code=HTTPStatus.OK)
    async def save_rules(self, form: CurrentForm) -> Response[bytes]:
        """Save the rules unless somebody else has changed them meanwhile: then both versions are shown (412)."""
        page = form.page
        subject = await localize(page.api, ORGANIZATION)
        values, faults = forms.read_values(subject, form)
        if form.get(forms.ROW):
            return await _show_again(form, subject, Faults({}, []), form.get("tag"))
        if faults.summary:
            return await _show_again(form, subject, faults, form.get("tag"))
        opened = await _open(page.api)
        if opened.tag != form.get("tag"):
            differences = await forms.list_differences(page.api, page.texts, subject, values, opened)
            kept, status = forms.keep_values(subject, form), HTTPStatus.PRECONDITION_FAILED
            return await _show(page, subject, kept, opened.tag, differences=differences, status=status)
        try:
            await forms.save(page.api, subject, opened.resource["id"], opened, values)
        except Refused as refused:
            return await _show_again(form, subject, forms.find_faults(subject, refused), opened.tag)
        saved, subject = await _open(page.api), await localize(page.api, ORGANIZATION)
        return await _show(page, subject, forms.write_values(subject, saved.resource), saved.tag, saved=True)

    @get("/closing-days")
    async def show_closing_days(self, page: CurrentPage) -> Response[bytes]:
        """Show a year with its closing days."""
        query = page.request.query_params
        this_year = page.now.year
        asked = query.get("year", "")
        year = int(asked) if asked.isdecimal() and abs(int(asked) - this_year) <= _YEARS_AROUND else this_year
        closed = await _find_closed(page.api)
        months = [_make_month(page, year, number) for number in range(1, 13)]
        saved = "saved" in query
        return page.show("closing-days.html", year=year, months=months, closed=closed[1], saved=saved)

    @post("/closing-days", status_code=HTTPStatus.SEE_OTHER)
    async def save_closing_days(self, form: CurrentForm) -> Response[bytes]:
        """Close on the days that are ticked, of those that the page had; others stay as they are."""
        page, year = form.page, form.get("year")
        setting, closed = await _find_closed(page.api)
        shown = {day for day in closed if str(day.year) == year and day.isoformat() in form.list_all("was")}
        ticked = {day for text in form.list_all("closed") if (day := _read_day(text)) is not None}
        was = {day for text in form.list_all("was") if (day := _read_day(text)) is not None}
        path = f"{_PATH}/{setting}/closing-days"
        if added := sorted(ticked - was):
            await page.api.send("POST", path, query=_write_days(added))
        if removed := sorted(shown - ticked):
            await page.api.send("DELETE", path, query=_write_days(removed))
        return page.lead_to(f"settings/closing-days?{urlencode({'year': year, 'saved': 1})}")


async def _open(api: Api) -> Opened:
    answer = await api.send("GET", _PATH)
    return Opened(answer.read(dict[str, Any]), answer.tag)


async def _show(
    page: ConsolePage,
    subject: Subject,
    values: dict[str, list[str]],
    tag: str,
    faults: Faults | None = None,
    **more: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    faults = faults or Faults({}, [])
    status = more.pop("status", HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK)
    shown = {
        "fields": await forms.show_fields(page, subject, values, faults),
        "errors": faults.summary,
        "tag": tag,
        "differences": [],
        "saved": False,
    }
    return page.show("organization.html", status, **{**shown, **more})


async def _show_again(form: SentForm, subject: Subject, faults: Faults, tag: str) -> Response[bytes]:
    return await _show(form.page, subject, forms.keep_values(subject, form), tag, faults)


async def _find_closed(api: Api) -> tuple[str, set[date]]:
    """Return the organization's id, and its closing days."""
    closing = await api.get(_PATH, _Closing)
    return closing.id, {moment.date() for moment in closing.closing_days}


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
