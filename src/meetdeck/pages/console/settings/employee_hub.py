"""The parts of an employee beside the form, hours, groups, absences and meetings, each with a link to its page."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsolePage,
    IdAndName,
    describe_source,
    list_sources,
    read_zone,
    show_short_moment,
)

_WEEK: Final = timedelta(days=7)
_YEAR: Final = timedelta(days=366)
_MOST: Final = 200
_FEEDS: Final = "connections/feeds/{employee_id}"
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class HubLink(NamedTuple):
    """A link: its words, and its path below the console."""

    words: str
    path: str


class HubLine(NamedTuple):
    """A thing that belongs to an employee: its state in words, or links; and an action, if there is one."""

    icon: str
    title: str
    path: str
    told: str = ""
    links: Sequence[HubLink] = ()
    action: HubLink | None = None


class _Workday(msgspec.Struct, frozen=True, rename={"begin": "from", "end": "to", "day": "dayOfWeek"}):
    day: str
    begin: str
    end: str
    available: bool = msgspec.field(default=True, name="isAvailable")


class _Schedule(msgspec.Struct, frozen=True):
    workdays: list[_Workday]


class _Entry(msgspec.Struct, frozen=True, rename="camel"):
    start_time: datetime


class _Feed(msgspec.Struct, frozen=True, rename="camel"):
    created_at: datetime


async def read_hub(page: ConsolePage, key: str) -> list[HubLine]:
    """Return the parts of an employee; none for an address without an id."""
    try:
        employee_id = UUID(key)
    except ValueError:
        return []
    translate, zone = page.texts.translate, await read_zone(page.api)
    lines = [await _describe_hours(page, employee_id)]
    for icon, title, kind in (
        ("network", translate("Competence groups"), "competence-groups"),
        ("users", translate("Service groups"), "service-groups"),
    ):
        groups = await page.api.get(f"booking/config/{kind}/employee/{employee_id}", list[IdAndName])
        links = [HubLink(one.name, f"settings/{kind}/{one.id}") for one in groups]
        lines.append(HubLine(icon, title, f"settings/{kind}", translate("In none") if not links else "", links))
    absence = HubLink(translate("Add an absence"), f"absences/new?employee={employee_id}")
    told = await _describe_absences(page, employee_id, zone)
    lines.append(HubLine("plane", translate("Absences"), f"absences?employee={employee_id}", told, action=absence))
    lines.append(await _describe_calendar(page, employee_id))
    lines.append(await _describe_sources(page, employee_id, zone))
    if page.may_open(_FEEDS):
        lines.append(await _describe_feed(page, employee_id, zone))
    return lines


async def _describe_hours(page: ConsolePage, employee_id: UUID) -> HubLine:
    found = await page.api.get("booking/config/employee-schedules", list[_Schedule], employeeId=str(employee_id))
    workdays = found[0].workdays if found else []
    told = "; ".join(_list_hours(page, workdays)) or page.texts.translate(
        "No working hours: nobody can book this employee."
    )
    return HubLine("clock", page.texts.translate("Working hours"), f"hours/{employee_id}", told)


def _list_hours(page: ConsolePage, workdays: Sequence[_Workday]) -> list[str]:
    """Return the hours of a week, of consecutive days with the same hours once: Mon to Thu."""
    texts = page.texts
    by_day = {
        number: ", ".join(
            texts.show_hours(*(_read_clock(text) for text in (one.begin, one.end)))
            for one in sorted(workdays, key=lambda one: one.begin)
            if one.day == day and one.available
        )
        for number, day in enumerate(_DAYS)
    }
    names = [name.removesuffix(".") for name in texts.weekdays]
    inside = {day: name.removesuffix(".") for day, name in texts.locale.days["format"]["abbreviated"].items()}
    told: list[str] = []
    for hours, days in groupby(by_day, key=by_day.__getitem__):
        numbers = [*days]
        if hours:
            first, last = names[numbers[0]], inside[numbers[-1]]
            days_in_words = first if len(numbers) == 1 else f"{first}\N{EN DASH}{last}"
            told.append(f"{days_in_words} {hours}")
    return told


def _read_clock(text: str) -> time:
    """Return a time of day; midnight, for the end of a day."""
    hours, minutes = (int(part) for part in text.split(":")[:2])
    return time(hours % 24, minutes)


async def _describe_absences(page: ConsolePage, employee_id: UUID, zone: ZoneInfo) -> str:
    """Return when the next absence begins."""
    query = {
        "employeeId": str(employee_id),
        "status": "Busy",
        "source": "api",
        "startDate": page.now.isoformat(),
        "endDate": (page.now + _YEAR).isoformat(),
        "pageSize": 1,
    }
    found = (await page.api.send("GET", "booking/time-slots", query=query)).read(list[_Entry])
    if not found:
        return page.texts.translate("None is planned")
    return page.texts.translate(
        "The next: {day}", day=_write_day(page, found[0].start_time.astimezone(zone).date(), zone)
    )


def _write_day(page: ConsolePage, day: date, zone: ZoneInfo) -> str:
    return page.texts.show_day_inside(day, page.now.astimezone(zone).date())


async def _describe_calendar(page: ConsolePage, employee_id: UUID) -> HubLine:
    query = {
        "employeeId": str(employee_id),
        "startDate": page.now.isoformat(),
        "endDate": (page.now + _WEEK).isoformat(),
        "pageSize": _MOST,
    }
    found = (await page.api.send("GET", "booking/meetings", query=query)).read(list[dict[str, Any]])
    told = page.texts.translate_plural(
        "{number} meeting in the next 7 days", "{number} meetings in the next 7 days", len(found)
    )
    book = HubLink(page.texts.translate("Book"), f"book?employee={employee_id}")
    return HubLine(
        "calendar", page.texts.translate("Calendar"), f"calendar?whose=employee.{employee_id}", told, action=book
    )


async def _describe_sources(page: ConsolePage, employee_id: UUID, zone: ZoneInfo) -> HubLine:
    """Return which calendars the employee's busy times come from, and how old they are."""
    translate, may_change = page.texts.translate, page.may_open("connections")
    found = [describe_source(page, one, zone) for one in await list_sources(page, [employee_id])]
    told = "; ".join(found) or translate("Only what is entered here: no calendar is connected.")
    add = HubLink(translate("Add a calendar"), f"connections/calendars/new?whose=employee.{employee_id}")
    path = "connections" if may_change else f"calendar?whose=employee.{employee_id}"
    return HubLine("network", translate("Other appointments"), path, told, action=add if may_change else None)


async def _describe_feed(page: ConsolePage, employee_id: UUID, zone: ZoneInfo) -> HubLine:
    """Return whether other programs can subscribe to the employee's calendar."""
    translate = page.texts.translate
    try:
        feed = await page.api.get(f"booking/config/employees/{employee_id}/calendar-feed", _Feed)
    except ApiRefusal:
        told, words = translate("Nobody can subscribe to it."), translate("Make the address")
    else:
        told = translate("Its address was made: {moment}", moment=show_short_moment(page, feed.created_at, zone))
        words = translate("Create a new address")
    path = f"connections/feeds/{employee_id}"
    return HubLine("calendar-days", translate("Calendar for other programs"), path, told, action=HubLink(words, path))
