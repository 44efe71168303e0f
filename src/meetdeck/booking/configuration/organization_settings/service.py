"""The organization's one setting, created with defaults when it is first read.

Its rules: docs/api/organization.md#organization-settings, #closing-days.
"""

from collections.abc import Sequence
from datetime import date
from functools import partial
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from msgspec import UNSET
from msgspec.structs import replace

from meetdeck.booking import defaults
from meetdeck.booking.configuration.organization_settings import store
from meetdeck.booking.configuration.organization_settings.schemas import (
    MOST_CLOSING_DAYS,
    AdvisorLevel,
    OrganizationSetting,
    OrganizationSettingContent,
    read_closing_days,
)
from meetdeck.booking.directory.errors import ResourceNotFound
from meetdeck.booking.directory.timezones.schemas import Timezone
from meetdeck.booking.directory.timezones.service import find_timezone, timezone_id
from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.kinds import Kind
from meetdeck.booking.lengths import (
    LONGEST_BUFFER,
    LONGEST_LEAD_TIME,
    LONGEST_NOTICE_DELAY,
    find_faults_of_limit,
    find_too_long,
)
from meetdeck.booking.localization.languages import Languages, read_languages, switch_main
from meetdeck.booking.localization.patches import rewrite as rewrite_translations
from meetdeck.booking.localization.texts import merge, resolve_texts, show
from meetdeck.booking.references import ReferenceNotFound
from meetdeck.booking.web_addresses import NO_WEB_ADDRESS, is_web_address
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import Moment, TimeOfDay, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch


async def get_setting(connection: Connection) -> OrganizationSetting:
    """Return the organization's setting; creates one of defaults without any, once for concurrent callers."""
    found = await store.find_setting(connection)
    if found is None:
        await store.add_setting(connection, uuid4())
        found = await store.find_setting(connection)
    if found is None:
        raise RuntimeError("a setting was deleted in the transaction that made it")
    return _show(found)


async def get_setting_by_id(
    connection: Connection, setting_id: UUID, *, for_update: bool = False
) -> OrganizationSetting:
    """Return the organization's setting, locked when `for_update`. Raises ResourceNotFound for another id."""
    found = await store.find_setting(connection, for_update=for_update)
    if found is None or found.id != setting_id:
        raise ResourceNotFound(Kind.ORGANIZATION_SETTING, setting_id)
    return _show(found)


async def update_setting(connection: Connection, setting: OrganizationSetting, patch: JsonPatch) -> OrganizationSetting:
    """Apply a JSON Patch to the setting, which was read for update.

    Raises InvalidPatch, PatchTestFailed, InvalidInput, ReferenceNotFound for an unknown time zone.
    """
    rewrite = partial(rewrite_translations, setting.main_locale)
    patched = apply_patch(setting, patch, OrganizationSettingContent, read_only=("id",), rewrite=rewrite)
    content = await _change_texts(connection, setting, patched)
    await _require_labels(connection, content, setting)
    zone = choose_timezone(content, setting.time_zone)
    days = read_closing_days(content.closing_days, ZoneInfo(zone.identifier))
    await store.update_setting(connection, content, zone, days)
    return await get_setting(connection)


async def _change_texts(
    connection: Connection, setting: OrganizationSetting, patched: OrganizationSettingContent
) -> OrganizationSettingContent:
    """Return the content with its texts as stored. A new main language becomes that of topics, too."""
    faults = _find_faults(patched)
    languages = read_languages(patched.main_locale, patched.enabled_locales, faults)
    content = resolve_texts(patched, setting, languages, faults)
    refuse(faults)
    stored = await store.find_setting(connection)
    content = merge(content, stored, old_main=setting.main_locale, new_main=languages.main)
    await switch_main(connection, setting.main_locale, languages.main)
    return replace(content, main_locale=languages.main, enabled_locales=languages.enabled)


async def delete_setting(connection: Connection, setting: OrganizationSetting) -> None:
    """Delete the setting, which was read for update; the defaults apply again."""
    await switch_main(connection, setting.main_locale, defaults.MAIN_LOCALE)
    await store.delete_setting(connection)


def _show(stored: OrganizationSetting) -> OrganizationSetting:
    return show(stored, Languages(stored.main_locale, stored.enabled_locales))


async def add_closing_days(
    connection: Connection, setting: OrganizationSetting, moments: Sequence[Moment]
) -> OrganizationSetting:
    """Add closing days to the setting, which was read for update; existing ones stay.

    Raises InvalidInput when they become too many.
    """
    days = _days_of(setting) | read_closing_days(moments, ZoneInfo(setting.time_zone.identifier))
    if len(days) > MOST_CLOSING_DAYS:
        refuse(
            [
                Fault(
                    "/query/closingDays",
                    phrase(
                        "There would be {count} closing days; at most {most_closing_days}.",
                        count=len(days),
                        most_closing_days=MOST_CLOSING_DAYS,
                    ),
                )
            ]
        )
    await store.update_closing_days(connection, days)
    return await get_setting(connection)


async def remove_closing_days(
    connection: Connection, setting: OrganizationSetting, moments: Sequence[Moment]
) -> OrganizationSetting:
    """Remove closing days from the setting, which was read for update; other days are ignored."""
    days = _days_of(setting) - read_closing_days(moments, ZoneInfo(setting.time_zone.identifier))
    await store.update_closing_days(connection, days)
    return await get_setting(connection)


def _days_of(setting: OrganizationSetting) -> set[date]:
    return {day.date() for day in setting.closing_days}


def _find_faults(content: OrganizationSettingContent) -> list[Fault]:
    faults = find_faults_of_limit(content.max_meeting_time_per_day)
    faults += find_too_long(
        ("/bufferBetweenMeetings", content.buffer_between_meetings, LONGEST_BUFFER),
        ("/changeNoticeDelay", content.change_notice_delay, LONGEST_NOTICE_DELAY),
        ("/workingTimeBuffer", content.working_time_buffer, LONGEST_LEAD_TIME),
    )
    faults += find_faults_of_levels(content.advisor_priority)
    if content.privacy_url and not is_web_address(content.privacy_url):
        faults.append(Fault("/privacyUrl", NO_WEB_ADDRESS))
    opening, closing = content.opening_time, content.closing_time
    if closing <= opening and closing != TimeOfDay(0):
        detail = phrase(
            "{isoformat} is not after the opening time, {isoformat2}.",
            isoformat=closing.isoformat(),
            isoformat2=opening.isoformat(),
        )
        faults.append(Fault("/closingTime", detail))
    return faults


def find_faults_of_levels(levels: Sequence[AdvisorLevel]) -> list[Fault]:
    """Return a fault for each misplaced level, and one for an empty list."""
    if not levels:
        return [Fault("/advisorPriority", "Give at least one level: Explicit, Local or ServiceGroup.")]
    faults: list[Fault] = []
    known: dict[tuple[EmployeeType, str | None], int] = {}
    for place, level in enumerate(levels):
        pointer = f"/advisorPriority/{place}"
        if level.label is not None and level.kind is not EmployeeType.SERVICE_GROUP:
            faults.append(
                Fault(
                    f"{pointer}/label", phrase("Labels are service groups': {value} has none.", value=level.kind.value)
                )
            )
            continue
        key = level.kind, level.label.lower() if level.label is not None else None
        first = known.setdefault(key, place)
        if first != place:
            faults.append(
                Fault(pointer, phrase("The same level as /advisorPriority/{first}; take one of them out.", first=first))
            )
    return faults


async def _require_labels(
    connection: Connection, content: OrganizationSettingContent, setting: OrganizationSetting
) -> None:
    """Raise InvalidInput if a level newly names a label that no service group has."""
    before = {level.label for level in setting.advisor_priority}
    named = [level.label for level in content.advisor_priority if level.label is not None and level.label not in before]
    unknown = set(await store.list_unknown_labels(connection, named)) if named else set[str]()
    refuse(
        [
            Fault(
                f"/advisorPriority/{place}/label",
                phrase("No service group carries the label “{label}”.", label=level.label),
            )
            for place, level in enumerate(content.advisor_priority)
            if level.label in unknown
        ]
    )


def choose_timezone(content: OrganizationSettingContent, current: Timezone) -> Timezone:
    """Return the time zone that a change sets, by either member; else the current one, or the default for none.

    Raises ReferenceNotFound for an unknown zone, InvalidInput when two different ones are named.
    """
    named = _list_named(content)
    changed = {pointer: zone_id for pointer, zone_id in named.items() if zone_id != current.id}
    zones = {zone_id: find_timezone(zone_id) for zone_id in changed.values()}
    if unknown := [pointer for pointer, zone_id in changed.items() if zones[zone_id] is None]:
        detail = "There is no such time zone; GET config/timezones lists them."
        raise ReferenceNotFound(detail, faults=tuple(Fault(pointer, detail) for pointer in unknown))
    if len(zones) > 1:
        refuse([Fault(pointer, "The two members name different time zones. Send one of them.") for pointer in changed])
    default = current if named else find_timezone(timezone_id(defaults.TIME_ZONE))
    chosen = next(iter(zones.values()), default) or current
    _refuse_new_name(content, current, chosen)
    return chosen


def _list_named(content: OrganizationSettingContent) -> dict[str, UUID]:
    """Return the ids of the time zones that a body names, by pointer."""
    named: dict[str, UUID] = {}
    if content.time_zone_id is not UNSET:
        named["/timeZoneId"] = content.time_zone_id
    if content.time_zone is not UNSET:
        if content.time_zone.id is not UNSET:
            named["/timeZone/id"] = content.time_zone.id
        if content.time_zone.identifier is not UNSET:
            named["/timeZone/identifier"] = timezone_id(content.time_zone.identifier)
    return named


def _refuse_new_name(content: OrganizationSettingContent, current: Timezone, chosen: Timezone) -> None:
    display_name = content.time_zone.display_name if content.time_zone is not UNSET else UNSET
    if display_name is not UNSET and display_name not in {current.display_name, chosen.display_name}:
        refuse([Fault("/timeZone/displayName", "displayName cannot be changed; it follows from the time zone.")])
