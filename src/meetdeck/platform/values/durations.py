"""Durations in the contracts' form: `hh:mm:ss`, and `d.hh:mm:ss` from 24 hours on.

The rules: docs/api/index.md#times, #durations.
"""

import re
from datetime import timedelta
from typing import Self

from meetdeck.platform.phrases import phrase

_FORM = re.compile(r"(?:(?P<days>\d{1,5})\.)?(?P<hours>\d{1,4}):(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d))?")


class Duration(timedelta):
    """A length of time that is serialized in the contracts' form instead of ISO 8601's."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the duration of `hh:mm:ss` or `d.hh:mm:ss` (the seconds may be left out). Raises ValueError."""
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise ValueError(
                phrase(
                    "'{text}' is not a duration: write hh:mm:ss or d.hh:mm:ss, for example 01:30:00 or 7.00:00:00",
                    text=text,
                )
            )
        days, hours, minutes, seconds = (int(found[part] or 0) for part in ("days", "hours", "minutes", "seconds"))
        return cls(days=days, hours=hours, minutes=minutes, seconds=seconds)

    @classmethod
    def of(cls, length: timedelta) -> Self:
        """Return a length as a duration."""
        return cls(days=length.days, seconds=length.seconds)

    def __str__(self) -> str:
        """Return whole seconds, not negative, in the shorter of the two forms."""
        clock = f"{self.seconds // 3600:02}:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}"
        return f"{self.days}.{clock}" if self.days else clock
