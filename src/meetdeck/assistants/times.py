"""Times as assistants read and write them: in UTC, by the clock of a time zone, and in words; pure."""

from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class UnknownZoneError(ValueError):
    """No time zone has that name."""


def find_zone(name: str) -> ZoneInfo:
    """Return the time zone of a name of the tz database. Raises UnknownZoneError."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise UnknownZoneError(name) from None


def show_time(moment: datetime, zone: ZoneInfo) -> dict[str, str]:
    """Return a moment as `utc`, `local`, `zone` and `words`: two writings that an assistant can compare."""
    moment = moment.replace(microsecond=0)
    local = moment.astimezone(zone)
    return {
        "utc": moment.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "local": local.isoformat(),
        "zone": zone.key,
        "words": f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]} {local.year}, {local:%H:%M}"
        f" ({zone.key}, UTC{local.isoformat()[19:]})",
    }


def show(value: Any, zone: ZoneInfo) -> dict[str, str] | None:  # noqa: ANN401 - a member of a decoded answer
    """Return a time of an answer of the API as `show_time` does; None for none."""
    return show_time(datetime.fromisoformat(value), zone) if isinstance(value, str) else None
