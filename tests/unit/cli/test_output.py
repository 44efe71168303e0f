"""The output of commands, and the questions that they ask."""

import io
import json
import sys
from datetime import UTC, datetime

import pytest

from meetdeck.cli.output import confirm, print_facts, print_json, print_table, show_bytes, show_moment
from meetdeck.platform.errors import SetupError


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_table_in_a_pipe_is_one_plain_line_for_each_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "20")

    print_table(("Name", "Made"), [("A name that is longer than any terminal is wide " * 5, 12345)], empty="none")

    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert [line.split()[-1] for line in out.splitlines()] == ["Made", "12,345"]


def test_nothing_that_a_terminal_obeys_or_rich_reads_as_markup_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    print_facts([("Name", "[red]Firm\x1b[2J[/red]")])

    assert capsys.readouterr().out.strip() == "Name  [red]Firm�[2J[/red]"


def test_an_empty_table_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("Name",), [], empty="There is no key.")

    assert capsys.readouterr().out == "There is no key.\n"


def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "Kjær"})

    assert json.loads(capsys.readouterr().out) == {"name": "Kjær"}


def test_without_a_terminal_nothing_is_destroyed_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))

    with pytest.raises(SetupError, match="add --yes"):
        confirm("The key ends.", yes=False)
    confirm("The key ends.", yes=True)


def test_on_a_terminal_the_answer_decides(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", _Terminal("Nordlys\n"))
    confirm("The tenant goes.", yes=False, answer="Nordlys")
    monkeypatch.setattr(sys, "stdin", _Terminal("y\n"))
    with pytest.raises(SetupError, match="Nothing was done"):
        confirm("The tenant goes.", yes=False, answer="Nordlys")

    asked = capsys.readouterr()
    assert asked.out == ""
    assert 'The tenant goes. Type "Nordlys" to continue: ' in asked.err


def test_bytes_and_moments_are_read_by_people() -> None:
    assert [show_bytes(count) for count in (0, 1023, 1024, 10 * 1024**3)] == [
        "0 bytes",
        "1023 bytes",
        "1.0 KiB",
        "10.0 GiB",
    ]
    assert show_moment(datetime(2026, 11, 22, 18, 5, tzinfo=UTC)) == "2026-11-22 18:05"
    assert show_moment(None) == ""
