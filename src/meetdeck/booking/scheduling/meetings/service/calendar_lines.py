"""Content lines of iCalendar objects (RFC 5545, section 3.1): pure.

The `icalendar` library makes an object of each value, line and parameter, and counts the bytes of each character: it
took six times as long.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from icalendar.timezone.tzid import tzid_from_tzinfo

_LONGEST: Final = 74
"""Bytes of a line, without the blank with which a further one begins."""
_FIRST: Final = ("SUMMARY", "DTSTART", "DTEND", "DTSTAMP", "UID", "RECURRENCE-ID", "SEQUENCE")
_PLACES: Final = {name: place for place, name in enumerate((*_FIRST, "RRULE", "RDATE", "EXDATE"))}
_UTC: Final = "UTC"
_NEW_LINE: Final = re.compile("\r\n|\n|\r")
_PARAMETER_ESCAPES: Final = str.maketrans({"^": "^^", '"': "^'"})  # RFC 6868
_MUST_BE_QUOTED: Final = re.compile("[ ',;:\u2019]")
_CONTROLS: Final = dict.fromkeys([number for number in (*range(32), 127) if chr(number) not in "\t\n\r"])
"""They must not be in a content line (RFC 5545, section 3.1); line ends of texts are escaped."""
_LINE_ENDS: Final = dict.fromkeys([10, 13])


class Event:
    """The properties of a VEVENT, whose lines are written in an order of their own."""

    def __init__(self) -> None:
        self._lines: dict[str, list[bytes]] = {}

    def add(self, name: str, value: str, **parameters: str) -> None:
        """Add a property: a value without line ends, and its parameters in the order of their names."""
        written = "".join(f";{key}={_write_parameter(each)}" for key, each in parameters.items())
        self._lines.setdefault(name, []).append(fold(f"{name}{written}:{value.translate(_LINE_ENDS)}"))

    def add_text(self, name: str, text: str) -> None:
        """Add a property whose value is a text."""
        self.add(name, _escape(remove_controls(text)))

    def add_times(self, name: str, moments: Iterable[datetime], zone: ZoneInfo | None) -> None:
        """Add a property whose value are times: in a zone, with its name, or in UTC."""
        tzid = find_tzid(zone) if zone is not None else None
        if tzid is None:
            self.add(name, ",".join(f"{write_time(each.astimezone(UTC))}Z" for each in moments))
        else:
            self.add(name, ",".join(write_time(each.astimezone(zone)) for each in moments), TZID=tzid)

    def remove(self, name: str) -> None:
        """Remove a property, if it has been added."""
        self._lines.pop(name, None)

    def write(self) -> bytes:
        """Return the lines of the component."""
        names = sorted(self._lines, key=lambda name: (_PLACES.get(name, len(_PLACES)), name))
        lines = [line for name in names for line in self._lines[name]]
        return b"\r\n".join([b"BEGIN:VEVENT", *lines, b"END:VEVENT", b""])


@lru_cache(maxsize=256)
def find_tzid(zone: ZoneInfo) -> str | None:
    """Return the name of a zone, None for those that are UTC: their times have no name."""
    tzid = tzid_from_tzinfo(zone)
    return None if tzid == _UTC else tzid


def remove_controls(text: str) -> str:
    """Return a text without the characters that no content line contains."""
    return text if text.isprintable() else text.translate(_CONTROLS)


def write_time(moment: datetime) -> str:
    """Return a time as its clock shows it."""
    return f"{moment.year:04}{moment.month:02}{moment.day:02}T{moment.hour:02}{moment.minute:02}{moment.second:02}"


def fold(line: str) -> bytes:
    """Return a line in parts of at most 75 bytes; no part ends within a character or an escape."""
    encoded = line.encode()
    if len(encoded) <= _LONGEST:
        return encoded
    parts, begin = list[bytes](), 0
    while len(encoded) - begin > _LONGEST:
        end = begin + _LONGEST
        while encoded[end] & 0xC0 == 0x80:  # noqa: PLR2004 - not the first byte of a character
            end -= 1
        if encoded[end - 1] in b"\\^":
            end -= 1
        parts.append(encoded[begin:end])
        begin = end
    return b"\r\n ".join([*parts, encoded[begin:]])


def _escape(text: str) -> str:
    """Return a text as a value (RFC 5545, section 3.3.11)."""
    escaped = text.replace("\\N", "\n").replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return _NEW_LINE.sub(r"\\n", escaped)


def _write_parameter(value: str) -> str:
    """Return the value of a parameter (RFC 5545, section 3.2)."""
    escaped = _NEW_LINE.sub("^n", value.translate(_PARAMETER_ESCAPES))
    return f'"{escaped}"' if _MUST_BE_QUOTED.search(value) else escaped
