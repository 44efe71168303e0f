import json
import logging
import os
from collections.abc import Generator
from io import FileIO, TextIOWrapper
from pathlib import Path

import pytest
import structlog

from meetdeck.platform.process.log_facts import add_log_fact, begin_log_facts
from meetdeck.platform.process.logging import configure_logging


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Generator[None]:
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = root.handlers, root.level
    yield
    structlog.configure(**configured)
    root.handlers, root.level = handlers, level


def test_without_a_format_what_is_no_terminal_gets_json(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(None)
    structlog.get_logger().info("request", path="/ø", status=200)
    logging.getLogger("a.library").warning("said %s", "something")
    ours, theirs = map(json.loads, capsys.readouterr().err.splitlines())
    assert (ours["event"], ours["path"], ours["status"], ours["level"]) == ("request", "/ø", 200, "info")
    assert (theirs["event"], theirs["level"]) == ("said something", "warning")


def test_each_line_of_a_request_has_its_facts_and_the_next_requests_lines_do_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging("json")
    begin_log_facts({"request_id": "first"})
    add_log_fact("tenant", "Nordlys")
    structlog.get_logger().info("request")
    logging.getLogger("a.library").warning("slow")
    begin_log_facts({"request_id": "second"})
    structlog.get_logger().info("request", request_id="its own")
    *of_first, of_second = map(json.loads, capsys.readouterr().err.splitlines())
    assert [(line["request_id"], line["tenant"]) for line in of_first] == [("first", "Nordlys")] * 2
    assert (of_second["request_id"], "tenant" in of_second) == ("its own", False)


def test_whatever_is_logged_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("json")
    structlog.get_logger().error("crash", file=Path("a"), name="half a pair: \ud83d", raw=b"\xff")
    said = json.loads(capsys.readouterr().err)
    assert (said["file"], said["name"]) == (repr(Path("a")), "half a pair: \ud83d")


def test_the_story_of_a_crash_has_no_local_variables(capsys: pytest.CaptureFixture[str]) -> None:
    def crash(secret: str) -> None:
        raise ValueError(len(secret))

    configure_logging("json")
    try:
        crash("secret " * 2)
    except ValueError:
        structlog.get_logger().exception("crash")
    line = capsys.readouterr().err
    assert "ValueError" in line
    assert "secret secret" not in line


def test_a_reader_of_the_log_who_went_away_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with FileIO(writer, "w") as gone:
        monkeypatch.setattr("sys.stderr", TextIOWrapper(gone, write_through=True))
        configure_logging("json")
        for number in range(3):
            structlog.get_logger().info("request", number=number)
            logging.getLogger("a.library").warning("said %s", number)
