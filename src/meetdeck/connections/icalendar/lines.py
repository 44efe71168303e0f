"""Parses the components of an iCalendar file, keeping only the properties that say when someone is busy.

Titles, places, notes and attendees are dropped while parsing, so no other code sees them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from icalendar.parser import Contentline

from meetdeck.connections.icalendar.problems import CalendarRefused, Problem

_PROPERTIES: Final = frozenset(
    {
        "DTEND", "DTSTART", "DURATION", "EXDATE", "EXRULE", "FREEBUSY", "RDATE", "RECURRENCE-ID", "RRULE", "SEQUENCE",
        "STATUS", "TRANSP", "TZID", "TZOFFSETFROM", "TZOFFSETTO", "UID", "X-MICROSOFT-CDO-BUSYSTATUS",
    }
)  # fmt: skip
_LONGEST_NAME: Final = max(map(len, _PROPERTIES))
_LONGEST_HEAD: Final = 400
_READ: Final = frozenset({"VEVENT", "VFREEBUSY", "VTIMEZONE", "STANDARD", "DAYLIGHT"})
_NOT_READ: Final = ""
_DEEPEST: Final = 10
_MARK: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


class Property(NamedTuple):
    """A property: its parameters by name in capitals, and its value."""

    name: str
    parameters: dict[str, str]
    value: str


@dataclass
class Component:
    """A component, with the properties and components in it that are read, in order."""

    name: str
    properties: list[Property] = field(default_factory=list)
    components: list["Component"] = field(default_factory=list)

    def find(self, name: str) -> Property | None:
        """Return the first property of a name."""
        return next((one for one in self.properties if one.name == name), None)

    def find_all(self, name: str) -> list[Property]:
        """Return all properties of a name."""
        return [one for one in self.properties if one.name == name]

    def find_text(self, name: str) -> str:
        """Return the value of the first property of a name, in capitals; empty if there is none."""
        found = self.find(name)
        return found.value.strip().upper() if found else ""


def read_components(data: bytes) -> Component:
    """Return a nameless component with everything in a file; several calendars in a file are merged.

    Raises CalendarRefused for a file that is not iCalendar, or is incomplete.
    """
    text = data.decode("utf-8", "replace").removeprefix(_MARK).lstrip()
    if text[:15].upper() != "BEGIN:VCALENDAR":
        raise CalendarRefused(Problem.NO_CALENDAR)
    root = Component(_NOT_READ)
    open_ones = [root]
    for line in _unfold(text):
        head = line[:_LONGEST_NAME].partition(":")[0].partition(";")[0].upper()
        if head == "BEGIN":
            _open(open_ones, line)
        elif head == "END":
            if len(open_ones) == 1:
                raise CalendarRefused(Problem.INCOMPLETE)
            open_ones.pop()
        elif head in _PROPERTIES and (known := _read_property(line)) is not None:
            open_ones[-1].properties.append(known)
    if len(open_ones) > 1:
        raise CalendarRefused(Problem.INCOMPLETE)
    return root


def _open(open_ones: list[Component], line: str) -> None:
    """Begin a component; one that is not read is discarded with its content."""
    if len(open_ones) > _DEEPEST:
        raise CalendarRefused(Problem.NO_CALENDAR)
    name = line.partition(":")[2].strip().upper()
    if name == "VCALENDAR":
        open_ones.append(open_ones[0])
        return
    found = Component(name)
    if name in _READ:
        open_ones[-1].components.append(found)
    open_ones.append(found)


def _unfold(text: str) -> Iterator[str]:
    """Yield the unfolded lines; a line that begins with a blank continues the previous one."""
    parts: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line[:1] in {" ", "\t"}:
            if parts:
                parts.append(line[1:])
            continue
        if parts:
            yield parts[0] if len(parts) == 1 else "".join(parts)
        parts = [line]
    if parts:
        yield "".join(parts)


def _read_property(line: str) -> Property | None:
    """Return the property in a line; None if its head is malformed."""
    end = _find_colon(line)
    if not 0 < end <= _LONGEST_HEAD:
        return None
    head = _read_head(line[:end])
    return Property(*head, line[end + 1 :]) if head else None


def _find_colon(line: str) -> int:
    """Return where a line's value begins, after the first colon outside quotes; -1 if there is none."""
    first = line.find(":")
    if '"' not in line[: max(first, 0)]:
        return first
    is_quoted = False
    for at, sign in enumerate(line[: _LONGEST_HEAD + 1]):
        is_quoted ^= sign == '"'
        if sign == ":" and not is_quoted:
            return at
    return -1


@lru_cache(1_000)
def _read_head(head: str) -> tuple[str, dict[str, str]] | None:
    """Return a property's name and parameters; None if they are malformed."""
    name, _, rest = head.partition(";")
    if not rest:
        return name.strip().upper(), {}
    try:
        known, parameters, _ = Contentline(f"{head}:").parts()
    except ValueError:
        return None
    return known.upper(), {str(key).upper(): str(value) for key, value in parameters.items()}
