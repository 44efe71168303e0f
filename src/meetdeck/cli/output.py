"""Output of commands: a table for people, one JSON document for programs, and a question before destructive actions."""

import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from meetdeck.platform.errors import SetupError

# Of a file or pipe: as wide as the longest row, so that no line is broken.
_WIDTH: Final = 10_000
_UNITS: Final = ("bytes", "KiB", "MiB", "GiB", "TiB")


def print_json(document: object) -> None:
    """Print one JSON document to stdout."""
    print(msgspec.json.format(msgspec.json.encode(document), indent=2).decode())


def print_table(headings: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str) -> None:
    """Print a table to stdout, or the sentence `empty` if it has no rows.

    On a terminal it has lines and the terminal's width; otherwise it is columns of plain text, one line for each row.
    """
    table = _make_table(headings)
    for row in rows:
        table.add_row(*map(_to_text, row))
    if table.row_count:
        _open_console().print(table)
    else:
        print(empty)


def print_facts(facts: Iterable[tuple[str, object]]) -> None:
    """Print the facts about one thing to stdout, a name and its value on each line."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in facts:
        table.add_row(Text(name, style="bold"), _to_text(value))
    _open_console().print(table)


def warn(sentence: str) -> None:
    """Print a line to stderr."""
    print(sentence, file=sys.stderr)


def confirm(consequence: str, *, yes: bool, answer: str = "yes") -> None:
    """Return once the operator confirms a destructive command; `yes` (`--yes`) skips the question.

    On a terminal the `consequence` is printed, and `answer` must be typed. Raises SetupError if it is not, and if there
    is not a terminal to ask on.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise SetupError(f"{consequence} Nothing was done: there is no terminal to confirm on, so add --yes.")
    print(f'{consequence} Type "{answer}" to continue: ', end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() != answer:
        raise SetupError(f'Nothing was done: the answer was not "{answer}".')


def show_moment(moment: datetime | None) -> str:
    """Return a moment in UTC as in tables: `2026-11-22 18:05`; empty for None."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}" if moment is not None else ""


def show_bytes(count: int) -> str:
    """Return a number of bytes for people: `12.3 MiB`."""
    step = max(0, min((count.bit_length() - 1) // 10, len(_UNITS) - 1))
    return f"{count / 1024**step:.1f} {_UNITS[step]}" if step else f"{count} bytes"


def _make_table(headings: Sequence[str]) -> Table:
    is_terminal = sys.stdout.isatty()
    table = Table(box=box.ROUNDED if is_terminal else None, pad_edge=is_terminal, padding=(0, 2 - is_terminal, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _open_console() -> Console:
    is_terminal = sys.stdout.isatty()
    return Console(width=None if is_terminal else _WIDTH, force_terminal=is_terminal, highlight=False)


def _to_text(value: object) -> Text:
    """Return a value without control characters of terminals and without rich's markup."""
    text = "" if value is None else f"{value:,}" if type(value) is int else str(value)
    return Text("".join(letter if letter.isprintable() else "�" for letter in text))
