"""The calendars that employees' busy times come from, in words: which kind, and how old."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit.firm import show_short_moment
from meetdeck.pages.console.kit.requests import ConsolePage
from meetdeck.pages.texts import Texts, mark

_PATH: Final = "booking/calendar-sources"
_MOST: Final = 1_000
_MINUTE: Final = timedelta(minutes=1)
_FAILING: Final = mark("{source}, last read {age} ago, not read now")
_KINDS: Final[Mapping[str, str]] = {"Ics": mark("Calendar file"), "CalDav": "CalDAV", "Microsoft365": "Microsoft 365"}


class CalendarSource(msgspec.Struct, frozen=True, rename="camel"):
    """A calendar of an employee."""

    employee_id: UUID
    kind: str
    is_uploaded: bool
    read_at: datetime | None
    stale_seconds: int | None
    status: str


async def list_sources(page: ConsolePage, employee_ids: Sequence[UUID]) -> list[CalendarSource]:
    """Return the calendars of employees."""
    ids = [str(one) for one in employee_ids[:_MOST]]
    answer = await page.api.send("GET", _PATH, query={"employeeIds": ids}) if ids else None
    return answer.read(list[CalendarSource]) if answer is not None else []


def describe_source(page: ConsolePage, source: CalendarSource, zone: ZoneInfo) -> str:
    """Return where busy times come from, and how old they are."""
    translate = page.texts.translate
    name = translate(_KINDS.get(source.kind, source.kind))
    if source.is_uploaded and source.read_at is not None:
        moment = show_short_moment(page, source.read_at, zone)
        return translate("a file that was uploaded: {moment}", moment=moment)
    if source.stale_seconds is None:
        return translate("{source}, not read yet", source=name)
    is_new = source.stale_seconds < _MINUTE.total_seconds()
    if source.status == "Failing":
        age = show_age(page.texts, source.stale_seconds)
        return translate("{source}, not read now", source=name) if is_new else translate(_FAILING, source=name, age=age)
    if is_new:
        return translate("{source}, read just now", source=name)
    return translate("{source}, read {age} ago", source=name, age=show_age(page.texts, source.stale_seconds))


def show_age(texts: Texts, seconds: int) -> str:
    """Return how long ago something was read."""
    age = timedelta(seconds=seconds)
    return texts.show_length(age) if age >= _MINUTE else texts.translate("less than a minute")
