"""Restarting what has died, and not without end."""

import threading

import pytest
import structlog

from meetdeck.embedded_postgres import supervision
from meetdeck.embedded_postgres.supervision import Supervisor
from meetdeck.platform.errors import SetupError

ENOUGH = 6


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - autouse
    monkeypatch.setattr(supervision, "_LOOK_SECONDS", 0.001)
    monkeypatch.setattr(supervision, "_FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(supervision, "_LONGEST_PAUSE_SECONDS", 0.04)


def test_what_cannot_be_started_is_tried_again_after_longer_and_longer_pauses_in_words() -> None:
    enough = threading.Event()
    tried: list[None] = []

    def restart() -> None:
        tried.append(None)
        if len(tried) == ENOUGH:
            enough.set()
        raise SetupError("the disk is full")

    with structlog.testing.capture_logs() as logged:
        supervisor = Supervisor(lambda: False, restart)
        supervisor.start()
        assert enough.wait(20)
        supervisor.stop()
    refused = [line for line in logged if line["event"] == "the embedded PostgreSQL cannot be started"]
    assert [line["next_try_in_seconds"] for line in refused[:ENOUGH]] == [0.01, 0.02, 0.04, 0.04, 0.04, 0.04]
    assert {line["error"] for line in refused} == {"the disk is full"}


def test_what_lives_is_left_alone_and_what_died_is_started_once() -> None:
    is_alive, again = threading.Event(), threading.Event()
    is_alive.set()
    started: list[None] = []

    def restart() -> None:
        started.append(None)
        is_alive.set()
        again.set()

    supervisor = Supervisor(is_alive.is_set, restart)
    supervisor.start()
    is_alive.clear()
    assert again.wait(20)
    supervisor.stop()
    assert len(started) == 1
