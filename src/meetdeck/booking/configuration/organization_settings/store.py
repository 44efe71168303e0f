"""The organization settings' SQL: a tenant has one row at most."""

from collections.abc import Collection
from datetime import date
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.configuration.intervals import read_interval
from meetdeck.booking.configuration.organization_settings.schemas import (
    DisplayLabel,
    OrganizationSetting,
    OrganizationSettingContent,
    write_closing_days,
)
from meetdeck.booking.directory.timezones.schemas import Timezone
from meetdeck.booking.directory.timezones.service import find_timezone, timezone_id
from meetdeck.platform.db import Connection, load_queries
from meetdeck.platform.durations import Duration
from meetdeck.platform.serialization import TimeOfDay

queries = load_queries(__file__)


async def find_setting(connection: Connection, *, for_update: bool = False) -> OrganizationSetting | None:
    """Return the organization's setting, locked when `for_update`."""
    if for_update:
        await queries.lock_setting(connection)
    row: Record | None = await queries.find_setting(connection)
    return _read_setting(row) if row is not None else None


async def add_setting(connection: Connection, setting_id: UUID) -> None:
    """Insert a setting of defaults unless there is one; either is locked against deletion."""
    await queries.add_setting(connection, setting_id=setting_id)


async def update_setting(
    connection: Connection, content: OrganizationSettingContent, time_zone: Timezone, closing_days: Collection[date]
) -> None:
    """Update the organization's setting."""
    await queries.update_setting(
        connection,
        opening_time=content.opening_time,
        closing_time=content.closing_time,
        minimum_booking_notice=content.minimum_booking_notice,
        max_time_from_booking_to_meeting=content.max_time_from_booking_to_meeting,
        max_meeting_time_per_day=content.max_meeting_time_per_day,
        customers_book_only_offered=content.customers_book_only_offered,
        is_filter_show_times_as_customer_enabled=content.is_filter_show_times_as_customer_enabled,
        meeting_type_labels=msgspec.to_builtins(content.meeting_type_labels),
        employee_labels=msgspec.to_builtins(content.employee_labels),
        extended_opening_hours_email=content.extended_opening_hours_email,
        closing_days=sorted(closing_days),
        ical_meeting_title=content.ical_meeting_title,
        ical_meeting_description=content.ical_meeting_description,
        time_zone=time_zone.identifier,
    )


async def update_closing_days(connection: Connection, closing_days: Collection[date]) -> None:
    """Replace the organization's closing days."""
    await queries.update_closing_days(connection, closing_days=sorted(closing_days))


async def delete_setting(connection: Connection) -> None:
    """Delete the setting; the defaults hold again."""
    await queries.delete_setting(connection)


def _read_setting(row: Record) -> OrganizationSetting:
    zone = _read_timezone(row["time_zone"])
    return OrganizationSetting(
        id=row["id"],
        opening_time=TimeOfDay.fromisoformat(row["opening_time"].isoformat()),
        closing_time=TimeOfDay.fromisoformat(row["closing_time"].isoformat()),
        minimum_booking_notice=read_interval(row["minimum_booking_notice"]) or Duration(),
        max_time_from_booking_to_meeting=read_interval(row["max_time_from_booking_to_meeting"]),
        max_meeting_time_per_day=read_interval(row["max_meeting_time_per_day"]),
        customers_book_only_offered=row["customers_book_only_offered"],
        is_filter_show_times_as_customer_enabled=row["is_filter_show_times_as_customer_enabled"],
        meeting_type_labels=msgspec.convert(row["meeting_type_labels"], list[DisplayLabel]),
        employee_labels=msgspec.convert(row["employee_labels"], list[DisplayLabel]),
        extended_opening_hours_email=row["extended_opening_hours_email"],
        closing_days=write_closing_days(row["closing_days"]),
        ical_meeting_title=row["ical_meeting_title"],
        ical_meeting_description=row["ical_meeting_description"],
        time_zone_id=zone.id,
        time_zone=zone,
    )


def _read_timezone(identifier: str) -> Timezone:
    """Return a time zone as a resource, even when the tz database has dropped it since it was set."""
    zone_id = timezone_id(identifier)
    return find_timezone(zone_id) or Timezone(zone_id, identifier, identifier)
