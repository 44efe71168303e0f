"""The results of the files, as a table for people and as JSON for programs."""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from meetdeck.present.findings import ValidationResult

# New and replaced templates are in the service; a ready one could be; a refused one cannot; a failed one may be later.
Outcome = Literal["new", "replaced", "ready", "refused", "failed"]

_ORDER: Final[Sequence[Outcome]] = ("new", "replaced", "ready", "refused", "failed")
_SEVERITIES: Final = ("Error", "Warning", "Info")
_STYLES: Final = {"Error": "red", "Warning": "yellow", "Info": ""}
# The width in a file or pipe, so that no message is cut.
_WIDTH: Final = 200


class FileResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The outcome of one file; `problem` says why it was refused or failed, if no finding does."""

    file: str
    name: str
    outcome: Outcome
    revision: int = 0
    findings: list[ValidationResult] = []
    problem: str = ""

    @property
    def is_good(self) -> bool:
        """Return whether it is a template, or could be one."""
        return self.outcome in {"new", "replaced", "ready"}


def print_json(results: Sequence[FileResult]) -> None:
    """Print the results and the number of each outcome."""
    document = {"files": results, "counts": _count(results)}
    print(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def print_table(results: Sequence[FileResult], others: int) -> None:
    """Print all findings of all files, Errors first, then the number of each outcome."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    rows = [row for result in results for row in _list_rows(result)]
    if rows:
        table = Table("File", "", "Code", "Slide, shape", "Finding", pad_edge=False)
        for severity, cells in sorted(rows, key=lambda row: _SEVERITIES.index(row[0])):
            # Texts, because rich would read square brackets as markup.
            table.add_row(*(Text(cell, overflow="fold") for cell in cells), style=_STYLES[severity])
        console.print(table)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in _count(results).items())
    severities = Counter(severity for severity, _ in rows)
    noted = ", ".join(
        f"{severities[one]} {one}{'s' if severities[one] > 1 else ''}" for one in _SEVERITIES if severities[one]
    )
    console.print(f"{len(results)} files: {outcomes}; {noted or 'no findings'}.", highlight=False)
    if others:
        console.print(
            f"{others} other PowerPoint files were left: save them as .pptx, without macros.", highlight=False
        )


def _list_rows(result: FileResult) -> list[tuple[str, tuple[str, ...]]]:
    rows = [
        (one.type, (result.file, one.type, str(one.details.get("code", "")), _where(one), one.message))
        for one in result.findings
    ]
    return [*rows, ("Error", (result.file, "Error", "", "", result.problem))] if result.problem else rows


def _where(finding: ValidationResult) -> str:
    return ", ".join(filter(None, (finding.location, str(finding.details.get("shape", "")))))


def _count(results: Sequence[FileResult]) -> dict[Outcome, int]:
    counts = Counter(result.outcome for result in results)
    return {outcome: counts[outcome] for outcome in _ORDER if counts[outcome]}
