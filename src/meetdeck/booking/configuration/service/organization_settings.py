"""The organization's setting: one, made with its defaults when it is first asked for.

Its rules: docs/api.md#organization-settings, #closing-days.
"""

from collections.abc import Sequence
from datetime import date
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from meetdeck.booking.configuration.model.organization_settings import OrganizationSetting, read_closing_days
from meetdeck.booking.configuration.requests.organization_settings import (
    MOST_CLOSING_DAYS,
    OrganizationSettingContent,
)
from meetdeck.booking.configuration.service.daily_limits import find_faults_of_limit
from meetdeck.booking.configuration.service.time_zones import choose_timezone
from meetdeck.booking.configuration.store import organization_settings as store
from meetdeck.booking.directory.errors import ResourceNotFound
from meetdeck.booking.texts import read_texts
from meetdeck.platform.db import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.patching import JsonPatch, apply_patch
from meetdeck.platform.patching.reading import refuse
from meetdeck.platform.wire import Moment, TimeOfDay


async def get_setting(connection: Connection) -> OrganizationSetting:
    """Return the organization's setting; one of defaults is made when there is none, once however many ask."""
    found = await store.find_setting(connection)
    if found is None:
        await store.add_setting(connection, uuid4())
        found = await store.find_setting(connection)
    if found is None:
        raise RuntimeError("a setting was deleted in the transaction that made it")
    return found


async def get_setting_for_update(connection: Connection, setting_id: UUID) -> OrganizationSetting:
    """Return the organization's setting, which stays as it is until the transaction ends. Raises ResourceNotFound."""
    found = await store.find_setting(connection, for_update=True)
    if found is None or found.id != setting_id:
        raise ResourceNotFound("organization setting", setting_id)
    return found


async def update_setting(connection: Connection, setting: OrganizationSetting, patch: JsonPatch) -> OrganizationSetting:
    """Change the setting, which was read for update.

    Raises InvalidPatch, PatchTestFailed, InvalidInput, ReferenceNotFound for a time zone that there is not.
    """
    content = read_texts(apply_patch(setting, patch, OrganizationSettingContent, read_only=("id",)))
    refuse(_find_faults(content))
    zone = choose_timezone(content, setting.time_zone)
    days = read_closing_days(content.closing_days, ZoneInfo(zone.identifier))
    await store.update_setting(connection, content, zone, days)
    return await get_setting(connection)


async def delete_setting(connection: Connection) -> None:
    """Delete the setting, which was read for update: then the defaults hold."""
    await store.delete_setting(connection)


async def add_closing_days(
    connection: Connection, setting: OrganizationSetting, moments: Sequence[Moment]
) -> OrganizationSetting:
    """Add closing days to the setting, which was read for update; where there are some already, nothing changes.

    Raises InvalidInput when they become too many.
    """
    days = _days_of(setting) | read_closing_days(moments, ZoneInfo(setting.time_zone.identifier))
    if len(days) > MOST_CLOSING_DAYS:
        refuse([Fault("/query/closingDays", f"There would be {len(days)} closing days; at most {MOST_CLOSING_DAYS}.")])
    await store.update_closing_days(connection, days)
    return await get_setting(connection)


async def remove_closing_days(connection: Connection, setting: OrganizationSetting, moments: Sequence[Moment]) -> None:
    """Take closing days off the setting, which was read for update; where there are none, nothing changes."""
    days = _days_of(setting) - read_closing_days(moments, ZoneInfo(setting.time_zone.identifier))
    await store.update_closing_days(connection, days)


def _days_of(setting: OrganizationSetting) -> set[date]:
    return {day.date() for day in setting.closing_days}


def _find_faults(content: OrganizationSettingContent) -> list[Fault]:
    faults = find_faults_of_limit(content.max_meeting_time_per_day)
    opening, closing = content.opening_time, content.closing_time
    if closing <= opening and closing != TimeOfDay(0):
        detail = f"{closing.isoformat()} is not after the opening time, {opening.isoformat()}."
        faults.append(Fault("/closingTime", detail))
    return faults
