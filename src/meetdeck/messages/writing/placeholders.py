"""The placeholders in a message's text, such as `{{ advisor }}`. There are no others.

Firms write these texts, so nothing in them is executed: a name is replaced by its value, and everything else is
unchanged.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Final

from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase


class Placeholder(StrEnum):
    """A name in a message's text that is replaced by its value."""

    NAME = "name"
    """The recipient's name."""
    ADVISOR = "advisor"
    """The advisor's name."""
    ORGANIZATION = "organization"
    """The firm's name."""
    TITLE = "title"
    """The meeting's title, as calendars show it."""
    TOPIC = "topic"
    """The topic's name; empty: no particular topic."""
    DAY = "day"
    """The day of the meeting: Tuesday 24 November 2026."""
    TIME = "time"
    """The meeting's time: 10:30 to 11:30."""
    PLACE = "place"
    """The meeting's place; empty: unknown."""
    UNTIL = "until"
    """The end of a hold that is not booked yet: 10:45; empty in all other messages."""


Values = Mapping[Placeholder, str]
"""The values of placeholders; a missing value is empty."""

_OPENING: Final = re.compile(r"([ \t]*)\{\{(?:([^{}\n]*)\}\})?")
_BLANKS: Final = re.compile(r"[ \t]{2,}")


def write_in_one_line(value: str) -> str:
    """Return a value without line breaks, so that it cannot begin a paragraph."""
    return " ".join(value.split())


def fill(text: str, values: Values) -> str:
    """Return a valid text with its placeholders replaced by their values.

    The blank before an empty one is removed, too: `Hello {{name}},` becomes `Hello,` for a recipient without a name.
    """

    def replace(found: re.Match[str]) -> str:
        value = values.get(Placeholder(found[2].strip()))
        return found[1] + write_in_one_line(value) if value else ""

    return _BLANKS.sub(" ", _OPENING.sub(replace, text)).strip()


def find_faults(text: str, pointer: str) -> Iterator[Fault]:
    """Yield a fault for each `{{` of a text that is not a placeholder; `pointer` is the text's place."""
    for found in _OPENING.finditer(text):
        start = found.end(1)
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        at = f"Line {line}, column {column}"
        if found[2] is None:
            yield Fault(pointer, phrase("{at}: `{{{{` opens a placeholder that no `}}}}` on the line ends.", at=at))
        elif (name := found[2].strip()) not in set(Placeholder):
            near = get_close_matches(name, [each.value for each in Placeholder], 1)
            hint = f"Did you mean {near[0]}? " if near else ""
            names = ", ".join(Placeholder)
            yield Fault(
                pointer,
                phrase(
                    "{at}: there is no placeholder '{name}'. {hint}These can be used: {names}.",
                    at=at,
                    name=name[:40],
                    hint=hint,
                    names=names,
                ),
            )
