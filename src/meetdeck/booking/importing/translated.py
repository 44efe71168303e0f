"""Another product's data as a source of an import, with a warning for each member that has no counterpart."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from meetdeck.booking.importing.rows import FileProblems, Row
from meetdeck.booking.kinds import Kind

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


class TranslatedFolder:
    """A folder of another product's files, translated: a source of an import."""

    def __init__(self, rows: Mapping[Kind, Sequence[Row]], report: Report) -> None:
        self._rows = rows
        self._report = report

    @property
    def kinds(self) -> frozenset[Kind]:
        """Return the kinds that the folder's files can have."""
        return frozenset(self._rows)

    def count(self, kind: Kind) -> int:
        """Return the number of rows of a kind."""
        return len(self._rows.get(kind, ()))

    def rows(self, kind: Kind, problems: FileProblems) -> Iterator[Row]:
        """Yield the rows of a kind; the first call reports what is wrong or left out, of all kinds."""
        self._report.move_to(problems)
        yield from self._rows.get(kind, ())


def replace_hours(
    address: str, day: date, hours: Iterable[tuple[datetime, datetime]], zone: ZoneInfo
) -> Iterator[dict[str, object]]:
    """Yield ExtraOpen for the hours of a day, and Busy for the rest of it."""
    at, midnight = datetime.combine(day, time(), zone), datetime.combine(day + timedelta(days=1), time(), zone)
    for begins, ends in hours:
        if ends > begins:
            if begins > at:
                yield write_entry(address, "Busy", at, begins)
            yield write_entry(address, "ExtraOpen", begins, ends)
            at = max(at, ends)
    if at < midnight:
        yield write_entry(address, "Busy", at, midnight)


def write_entry(address: str, status: str, begins: datetime, ends: datetime) -> dict[str, object]:
    """Return the members of a calendar entry."""
    return {"employeeId": address, "status": status, "startDate": begins.isoformat(), "endDate": ends.isoformat()}
