"""Times as spreadsheets write them."""

import re
from typing import Final

from meetdeck.platform.values import Moment

# A day-first date as Danish spreadsheets write it: 23-11-2026 9:30, 23.11.2026 09.30.
_DAY_FIRST: Final = re.compile(
    r"([0-3]?[0-9])([.-])([01]?[0-9])\2([0-9]{4})[ T]+([0-9]{1,2})[:.]([0-9]{2})(?:[:.]([0-9]{2}))?"
)


def read_moment(text: str) -> Moment:
    """Return a moment in any form of ISO 8601, also with a space before the time, or day first. Raises ValueError."""
    found = _DAY_FIRST.fullmatch(text.strip())
    if found is None:
        return Moment.parse("T".join(text.split(maxsplit=1)) if "T" not in text else text)
    day, _, month, year, hour, minute, second = found.groups()
    return Moment.parse(f"{year}-{month:0>2}-{day:0>2}T{hour:0>2}:{minute}:{second or '00'}")
