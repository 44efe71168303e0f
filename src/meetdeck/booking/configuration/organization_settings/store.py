"""The organization settings' SQL: a tenant has at most one row."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final
from uuid import UUID

from asyncpg import Record

from meetdeck.booking.configuration.organization_settings.schemas import (
    OrganizationSetting,
    OrganizationSettingContent,
    write_closing_days,
)
from meetdeck.booking.directory.timezones.schemas import Timezone
from meetdeck.booking.directory.timezones.service import find_timezone, timezone_id
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(OrganizationSetting, elsewhere=("id", "time_zone_id"))
queries = load_queries(__file__, columns=_COLUMNS)

_KNOWN: Final[dict[UUID, tuple[tuple[Any, ...], OrganizationSetting]]] = {}
"""The settings that were read last, with the values of their rows."""
_MOST_KNOWN: Final = 1_000


async def find_setting(connection: Connection, *, for_update: bool = False) -> OrganizationSetting | None:
    """Return the organization's setting with its texts as stored, locked when `for_update`."""
    if for_update:
        await queries.lock_setting(connection)
    row: Record | None = await queries.find_setting(connection)
    return _read_setting(row) if row is not None else None


async def add_setting(connection: Connection, setting_id: UUID) -> None:
    """Insert a setting of defaults unless one exists; either is locked against deletion."""
    await queries.add_setting(connection, setting_id=setting_id)


async def update_setting(
    connection: Connection, content: OrganizationSettingContent, time_zone: Timezone, closing_days: Collection[date]
) -> None:
    """Update the organization's setting."""
    setting = _COLUMNS.write(content, closing_days=sorted(closing_days), time_zone=time_zone.identifier)
    await queries.update_setting(connection, setting=setting)


async def list_unknown_labels(connection: Connection, labels: Sequence[str]) -> list[str]:
    """Return those of some labels that no service group has."""
    return [row["name"] async for row in queries.list_unknown_labels(connection, labels=labels)]


async def update_closing_days(connection: Connection, closing_days: Collection[date]) -> None:
    """Replace the organization's closing days."""
    await queries.update_closing_days(connection, closing_days=sorted(closing_days))


async def delete_setting(connection: Connection) -> None:
    """Delete the setting; the defaults apply again."""
    await queries.delete_setting(connection)


def _read_setting(row: Record) -> OrganizationSetting:
    """Return the setting in a row; it is remembered, since each mail needs it and it rarely changes."""
    values = tuple(row.values())
    known = _KNOWN.get(row["id"])
    if known is None or known[0] != values:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        known = _KNOWN[row["id"]] = values, _convert(row)
    return known[1]


def _convert(row: Record) -> OrganizationSetting:
    zone = _read_timezone(row["time_zone"])
    days = write_closing_days(row["closing_days"])
    return _COLUMNS.read(row, closing_days=days, time_zone_id=zone.id, time_zone=zone)


def _read_timezone(identifier: str) -> Timezone:
    """Return a time zone as a resource, even when the tz database has dropped it since it was set."""
    zone_id = timezone_id(identifier)
    return find_timezone(zone_id) or Timezone(zone_id, identifier, identifier)
