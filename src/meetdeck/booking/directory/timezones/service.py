"""Time zones as resources: those of the tz database, with ids derived from their IANA names.

So every installation agrees on the ids, and nothing is stored. No clock is read: the name of a zone does not change
with the season, and its offset is that of its winter in the year of the tz database itself.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from uuid import NAMESPACE_URL, UUID, uuid5
from zoneinfo import ZoneInfo

import tzdata

from meetdeck.booking.directory.timezones.schemas import Timezone

_NAMESPACE = uuid5(NAMESPACE_URL, "urn:meetdeck:timezone")
_NO_ZONE = "Factory"  # the tz database's name for a clock that was never set


@cache
def timezone_id(identifier: str) -> UUID:
    """Return the id of an IANA time zone."""
    return uuid5(_NAMESPACE, identifier)


def list_timezones() -> list[Timezone]:
    """Return the time zones that can be set, by identifier; the first call in a process takes a moment."""
    return [_describe(identifier) for identifier in _identifiers().values()]


def find_timezone(zone_id: UUID) -> Timezone | None:
    """Return the time zone of an id."""
    identifier = _identifiers().get(zone_id)
    return _describe(identifier) if identifier is not None else None


@cache
def _identifiers() -> dict[UUID, str]:
    # Those of the package, not of the machine: the list is the same everywhere.
    identifiers = files(tzdata).joinpath("zones").read_text(encoding="utf-8").split()
    return {timezone_id(identifier): identifier for identifier in sorted(identifiers) if identifier != _NO_ZONE}


@cache
def _describe(identifier: str) -> Timezone:
    zone, year = ZoneInfo(identifier), int(tzdata.IANA_VERSION[:4])
    offsets = [datetime(year, month, 1, tzinfo=UTC).astimezone(zone).utcoffset() for month in (1, 7)]
    winter = min(offset for offset in offsets if offset is not None)  # of either hemisphere
    sign, size = ("-", -winter) if winter < timedelta(0) else ("+", winter)
    hours, minutes = divmod(round(size.total_seconds() / 60), 60)
    shown = identifier.replace("_", " ")
    return Timezone(timezone_id(identifier), identifier, f"{shown} (UTC{sign}{hours:02}:{minutes:02})")
