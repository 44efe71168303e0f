"""The zone of a firm, and the names of its people, rooms and topics, as pages show them."""

from collections.abc import Mapping
from datetime import date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.api import Api
from meetdeck.pages.console.requests import ConsolePage


class Named(msgspec.Struct, frozen=True):
    """A resource in short."""

    id: UUID
    name: str
    email: str = ""


class _Zone(msgspec.Struct, frozen=True):
    identifier: str


class _Organization(msgspec.Struct, frozen=True, rename="camel"):
    time_zone: _Zone


async def read_zone(api: Api) -> ZoneInfo:
    """Return the organization's time zone."""
    organization = await api.get("booking/config/organization-settings", _Organization)
    return ZoneInfo(organization.time_zone.identifier)


async def list_employees(api: Api) -> list[Named]:
    """Return the employees by name."""
    return await api.get("booking/employees", list[Named])


async def list_rooms(api: Api) -> list[Named]:
    """Return the rooms by location and name."""
    return await api.get("booking/rooms", list[Named])


async def name_topics(api: Api) -> Mapping[UUID, str]:
    """Return the names of the meeting topics."""
    return {one.id: one.name for one in await api.get("booking/config/meeting-topics", list[Named])}


def show_moment(page: ConsolePage, moment: datetime, zone: ZoneInfo) -> str:
    """Return a time of today as a clock shows it, another with its day."""
    clock = page.texts.show_clock(moment, zone)
    day, today = moment.astimezone(zone).date(), page.now.astimezone(zone).date()
    return clock if day == today else f"{page.texts.show_day(day, today)} {clock}"


def read_day(text: str) -> date | None:
    """Return the day that an address or a form has, None for what is none of our time."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if date(2000, 1, 1) < day < date(2200, 1, 1) else None
