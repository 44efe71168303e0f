"""Times as callers write them: without an offset, in the organization's time zone (docs/api/index.md#times)."""

from datetime import UTC, tzinfo

from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.platform.database import Connection
from meetdeck.platform.values import Moment


async def find_local_zone(connection: Connection, *moments: Moment | None) -> tzinfo:
    """Return the zone of moments without offset; the organization's is read only when there is one."""
    return (await get_rules(connection)).zone if has_local_times(*moments) else UTC


def has_local_times(*moments: Moment | None) -> bool:
    """Return whether one of the moments is without offset."""
    return any(moment is not None and moment.tzinfo is None for moment in moments)
