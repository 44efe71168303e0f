"""The members of Cal.com's answers that have no counterpart, and the items that cannot be read."""

from dataclasses import dataclass
from typing import Final

from meetdeck.booking.importing.rows import FileProblems, Row

_MOST_NAMES: Final = 3


@dataclass
class _Loss:
    """A member that is left out: the first line with it, the advice, and the names of all items with it."""

    line: int
    advice: str
    names: list[str]


class Report:
    """Collects the problems of files, and one warning for each member of a file that is left out."""

    def __init__(self) -> None:
        self.problems = FileProblems()
        self._losses: dict[tuple[str, str], _Loss] = {}

    def leave_out(self, row: Row, member: str, advice: str, name: str) -> None:
        """Add an item, by its name, to those that lose a member; the first advice of a member is kept."""
        loss = self._losses.setdefault((row.file, member), _Loss(row.line, advice, []))
        shown = " ".join(name.split())
        if shown not in loss.names:
            loss.names.append(shown)

    def move_to(self, problems: FileProblems) -> None:
        """Move all problems and warnings to those of an import."""
        problems.found += self.problems.found
        self.problems.found.clear()
        for (file, member), loss in self._losses.items():
            problems.warn(file, loss.line, member, f"{loss.advice} ({_list_names(loss.names)})")
        self._losses.clear()


def _list_names(names: list[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMES])
    more = len(names) - _MOST_NAMES
    return f"{shown} and {more:,} more" if more > 0 else shown
