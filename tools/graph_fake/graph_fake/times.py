"""Graph's times: a local time and the name of its zone, IANA's or Windows'."""

from datetime import UTC, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from graph_fake.problems import GraphProblem

_FRACTION: Final = 26  # Graph writes seven digits of a second, Python reads six


class DateTimeTimeZone(msgspec.Struct, rename="camel"):
    """A local time in a zone."""

    date_time: str
    time_zone: str = "UTC"


def find_zone(name: str) -> tzinfo:
    """Return a zone. Raises GraphProblem for a name that is neither IANA's nor Windows'."""
    if name in {"UTC", "tzone://Microsoft/Utc"}:
        return UTC
    try:
        return ZoneInfo(WINDOWS_TO_OLSON.get(name, name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise GraphProblem(400, "TimeZoneNotSupportedException", f"The time zone {name} is not supported.") from None


def to_utc(value: DateTimeTimeZone) -> datetime:
    """Return the moment in UTC. Raises GraphProblem for text that is not a time."""
    return read_moment(value.date_time, find_zone(value.time_zone))


def read_moment(text: str, zone: tzinfo = UTC) -> datetime:
    """Return the moment that a text names; without an offset, in `zone`. Raises GraphProblem."""
    try:
        moment = datetime.fromisoformat(text[:_FRACTION] if "." in text and "+" not in text else text)
    except ValueError:
        raise GraphProblem(400, "ErrorInvalidRequest", f"{text} is not a time.") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def show(moment: datetime, zone: str = "UTC") -> dict[str, str]:
    """Return a moment as Graph writes it."""
    local = moment.astimezone(find_zone(zone))
    return {"dateTime": f"{local:%Y-%m-%dT%H:%M:%S.%f}0", "timeZone": zone}


def stamp(moment: datetime) -> str:
    """Return a moment as Graph writes those that have no zone: `2026-11-24T09:00:00Z`."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
