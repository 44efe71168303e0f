"""The time zone of a firm, and the names of its employees, rooms and topics, as pages show them."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Final, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit.api import Api
from meetdeck.pages.console.kit.lists import ListPage, count_pages
from meetdeck.pages.console.kit.requests import ConsolePage

T = TypeVar("T")

_MOST_SKIPPED: Final = 1_000_000
_MOST_NAMED: Final = 1000


class IdAndName(msgspec.Struct, frozen=True):
    """A resource's id and name."""

    id: UUID
    name: str
    email: str = ""


class _Zone(msgspec.Struct, frozen=True):
    identifier: str


class Organization(msgspec.Struct, frozen=True, rename="camel"):
    """The organization's time zone and languages."""

    time_zone: _Zone
    main_locale: str
    enabled_locales: list[str]

    @property
    def languages(self) -> list[str]:
        """Return the tags of the languages, the main one first."""
        return list(dict.fromkeys([self.main_locale, *self.enabled_locales]))


async def read_organization(api: Api) -> Organization:
    """Return the organization's time zone and languages."""
    return await api.get("booking/config/organization-settings", Organization)


async def read_zone(api: Api) -> ZoneInfo:
    """Return the organization's time zone."""
    return ZoneInfo((await read_organization(api)).time_zone.identifier)


async def list_part(api: Api, path: str, kind: type[T], **query: str | int | None) -> tuple[list[T], int]:
    """Return a part of a list of the API, and the number of all its items; a `limit` is given."""
    answer = await api.send("GET", path, query=query)
    return answer.read(list[kind]), int(answer.headers["total-count"])


async def read_part(api: Api, path: str, kind: type[T], number: int, size: int, **query: str | None) -> ListPage[T]:
    """Return a page of a list of the API, or the last one if there are fewer."""
    number = min(number, _MOST_SKIPPED // size)
    items, total = await list_part(api, path, kind, limit=size, offset=(number - 1) * size, **query)
    pages = count_pages(total, size)
    if number > pages:
        return await read_part(api, path, kind, pages, size, **query)
    return ListPage(items, number, pages, total)


async def find_own(page: ConsolePage) -> IdAndName | None:
    """Return the employee who has signed in, by e-mail address; None if there is no such employee."""
    email = page.session.email
    found = await page.api.get("booking/employees", list[IdAndName], search=email) if email else []
    return next((one for one in found if one.email == email), None)


async def name_employees(api: Api, ids: Iterable[UUID | None]) -> dict[UUID, str]:
    """Return the names of employees; deleted ones have none."""
    return await _name(api, "booking/employees", ids)


async def name_rooms(api: Api, ids: Iterable[UUID | None]) -> dict[UUID, str]:
    """Return the names of rooms."""
    return await _name(api, "booking/rooms", ids)


async def _name(api: Api, path: str, ids: Iterable[UUID | None]) -> dict[UUID, str]:
    return {one.id: one.name for one in await read_by_ids(api, path, IdAndName, ids)}


async def read_by_ids(api: Api, path: str, kind: type[T], ids: Iterable[UUID | None]) -> list[T]:
    """Return the items of a list of the API that have some ids."""
    wanted = sorted({str(one) for one in ids if one is not None})
    found: list[T] = []
    for begin in range(0, len(wanted), _MOST_NAMED):
        answer = await api.send("GET", path, query={"ids": wanted[begin : begin + _MOST_NAMED]})
        found += answer.read(list[kind])
    return found


async def name_topics(api: Api) -> Mapping[UUID, str]:
    """Return the names of the meeting topics."""
    return {one.id: one.name for one in await api.get("booking/config/meeting-topics", list[IdAndName])}


async def name_service_groups(api: Api) -> Mapping[UUID, str]:
    """Return the names of the service groups."""
    return {one.id: one.name for one in await api.get("booking/config/service-groups", list[IdAndName])}


def show_moment(page: ConsolePage, moment: datetime, zone: ZoneInfo) -> str:
    """Return a moment as its time if it is today, otherwise with its day."""
    clock = page.texts.show_clock(moment, zone)
    day, today = moment.astimezone(zone).date(), page.now.astimezone(zone).date()
    return clock if day == today else page.texts.show_moment(moment.astimezone(zone), today)


def show_short_moment(page: ConsolePage, moment: datetime, zone: ZoneInfo) -> str:
    """Return a moment for a table: its time if it is today, otherwise with its short day."""
    clock = page.texts.show_clock(moment, zone)
    day, today = moment.astimezone(zone).date(), page.now.astimezone(zone).date()
    return clock if day == today else page.texts.show_short_moment(moment.astimezone(zone), today)


def read_day(text: str) -> date | None:
    """Return the day in an address or a form, None for an invalid or very distant one."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if date(2000, 1, 1) < day < date(2200, 1, 1) else None


def keep_id(text: str) -> str:
    """Return the id in an address, empty for an invalid one."""
    try:
        return str(UUID(text))
    except ValueError:
        return ""
