"""Calendar entries as the list shows them."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.forms import load_choices
from meetdeck.pages.console.kit import ConsolePage, name_employees, name_rooms, read_zone
from meetdeck.pages.texts import Texts

_DAY: Final = timedelta(days=1)


class Entry(msgspec.Struct, frozen=True, rename="camel"):
    """A calendar entry as the API answers it."""

    id: UUID
    status: str
    start_date: datetime = msgspec.field(name="startTime")
    end_date: datetime = msgspec.field(name="endTime")
    employee_id: UUID | None = None
    room_id: UUID | None = None
    series_id: UUID | None = None
    recurrence: str | None = None


class Row(NamedTuple):
    """A calendar entry in words."""

    id: UUID
    who: str
    status: str
    what: str
    when: str
    repeats: str
    is_series: bool
    has_meetings: bool
    """True if there may be meetings in its time that somebody else has to take."""


async def describe(page: ConsolePage, entries: list[Entry]) -> list[Row]:
    """Return calendar entries as rows."""
    zone, today = await read_zone(page.api), page.now
    names = {
        **await name_employees(page.api, (one.employee_id for one in entries)),
        **await name_rooms(page.api, (one.room_id for one in entries)),
    }
    kinds = {one.value: one.label for one in (await load_choices(page.api, page.texts, ["entries"]))["entries"]}
    return [_describe(page.texts, entry, zone, today, names, kinds) for entry in entries]


def _describe(
    texts: Texts, entry: Entry, zone: ZoneInfo, now: datetime, names: Mapping[UUID, str], kinds: Mapping[str, str]
) -> Row:
    owner = entry.employee_id or entry.room_id
    return Row(
        entry.id,
        names.get(owner, "") if owner is not None else "",
        entry.status,
        kinds.get(entry.status, entry.status),
        show_time(texts, entry.start_date, entry.end_date, zone, now),
        describe_rule(texts, entry.recurrence),
        entry.series_id is not None,
        entry.status == "Busy" and entry.employee_id is not None,
    )


def show_time(texts: Texts, begin: datetime, end: datetime, zone: ZoneInfo, now: datetime) -> str:
    """Return a period in words: whole days by their dates, others with their hours."""
    first, last, today = begin.astimezone(zone), end.astimezone(zone), now.astimezone(zone).date()
    if first.time() == last.time() == time(0):
        days = [texts.show_day_inside(one, today) for one in (first.date(), (last - _DAY).date())]
        return days[0] if days[0] == days[1] else texts.translate("{begin} to {end}", begin=days[0], end=days[1])
    if first.date() == last.date():
        return texts.show_long_span(begin.astimezone(zone), end.astimezone(zone), today)
    moments = [texts.show_moment(one, today) for one in (first, last)]
    return texts.translate("{begin} to {end}", begin=moments[0], end=moments[1])


def describe_rule(texts: Texts, rule: str | None) -> str:
    """Return how often a series repeats, empty if it does not; for rules of other programs only that it does."""
    if rule is None:
        return ""
    given = (part.partition("=") for part in rule.upper().removeprefix("RRULE:").split(";"))
    parts = {name: value for name, _, value in given}
    often = {
        "DAILY": texts.translate("Every day"),
        "WEEKLY": texts.translate("Every week"),
        "MONTHLY": texts.translate("Every month"),
    }.get(parts.get("FREQ", ""))
    if often is None or not {"FREQ", "UNTIL", "BYDAY", "WKST"}.issuperset(parts):
        return texts.translate("Repeats")
    try:
        until = date.fromisoformat(parts["UNTIL"][:8])
    except (KeyError, ValueError):
        return texts.translate("Repeats")
    return texts.translate("{often} until {day}", often=often, day=texts.show_date_inside(until))
