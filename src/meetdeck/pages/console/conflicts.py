"""What two people have changed at once: the value that was typed, beside the one that is there now."""

from typing import NamedTuple


class Difference(NamedTuple):
    """A field whose value somebody else has changed meanwhile."""

    label: str
    mine: str
    theirs: str
