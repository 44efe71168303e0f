"""Lengths of time as people type and read them: a number and its unit. Pure."""

import re
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Final

from meetdeck.pages.texts import Texts, mark

UNITS: Final[Mapping[str, str]] = {"minutes": mark("minutes"), "hours": mark("hours"), "days": mark("days")}
"""The units of the forms, with their words."""
ODD_UNIT: Final = "seconds"
"""The unit of a length that is not a whole number of minutes; a form offers it for such a length alone."""
SECONDS: Final = mark("seconds")

_ONE: Final[Mapping[str, timedelta]] = {
    ODD_UNIT: timedelta(seconds=1),
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
}
_FEWEST: Final = 2
"""The least number of a unit from which a length is written in it: 90 minutes, 24 hours."""
_HALF: Final = timedelta(minutes=30)
_NUMBER: Final = re.compile(r"\d{1,7}(?:[.,]\d{1,4})?")


def write_length(length: timedelta) -> tuple[str, str]:
    """Return a length, exactly, as a number and the unit in which people say it: 90 days, 7.5 hours, 45 minutes."""
    for unit, step in (("days", timedelta(days=1)), ("hours", _HALF), ("minutes", timedelta(minutes=1))):
        if length >= _FEWEST * _ONE[unit] and not length % step:
            whole, rest = divmod(length, _ONE[unit])
            return f"{whole}.5" if rest else str(whole), unit
    unit = "minutes" if not length % _ONE["minutes"] else ODD_UNIT
    return str(length // _ONE[unit]), unit


def read_length_of(number: str, unit: str) -> timedelta | None:
    """Return the length of a typed number (7.5 or 7,5) of a unit; None for one that is not in whole seconds."""
    if _NUMBER.fullmatch(number) is None or unit not in _ONE:
        return None
    seconds = Decimal(number.replace(",", ".")) * int(_ONE[unit].total_seconds())
    return timedelta(seconds=int(seconds)) if seconds == int(seconds) else None


def show_length(length: timedelta, texts: Texts) -> str:
    """Return a length in words, exactly: 90 days, 7 hours 30 minutes, 45 seconds."""
    if length % _ONE["minutes"]:
        return texts.translate_plural("{number} second", "{number} seconds", length // _ONE[ODD_UNIT])
    return texts.show_distance(length) or texts.translate_plural("{number} minute", "{number} minutes", 0)
