"""Which time zone a patched setting means: it can be named in three places, and a patch may change any of them."""

from uuid import UUID

from msgspec import UNSET

from meetdeck.booking import defaults
from meetdeck.booking.configuration.requests.organization_settings import OrganizationSettingContent
from meetdeck.booking.directory.model import Timezone
from meetdeck.booking.directory.timezones import find_timezone, timezone_id
from meetdeck.booking.references import ReferenceNotFound
from meetdeck.platform.errors import Fault
from meetdeck.platform.patching.reading import refuse


def choose_timezone(content: OrganizationSettingContent, current: Timezone) -> Timezone:
    """Return the zone that is named anew, in whichever place; else the current one, or the default when none is named.

    Raises ReferenceNotFound for a zone that there is not, InvalidInput when two different ones are named.
    """
    named = _list_named(content)
    changed = {pointer: zone_id for pointer, zone_id in named.items() if zone_id != current.id}
    zones = {zone_id: find_timezone(zone_id) for zone_id in changed.values()}
    if unknown := [pointer for pointer, zone_id in changed.items() if zones[zone_id] is None]:
        detail = "There is no such time zone; GET config/timezones lists them."
        raise ReferenceNotFound(detail, faults=tuple(Fault(pointer, detail) for pointer in unknown))
    if len(zones) > 1:
        refuse([Fault(pointer, "Another time zone than the other member names.") for pointer in changed])
    default = current if named else find_timezone(timezone_id(defaults.TIME_ZONE))
    chosen = next(iter(zones.values()), default) or current
    _refuse_new_name(content, current, chosen)
    return chosen


def _list_named(content: OrganizationSettingContent) -> dict[str, UUID]:
    """Return the ids of the zones that are named, by pointer."""
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
    given = content.time_zone.display_name if content.time_zone is not UNSET else UNSET
    if given is not UNSET and given not in {current.display_name, chosen.display_name}:
        refuse([Fault("/timeZone/displayName", "displayName cannot be changed; it follows from the time zone.")])
