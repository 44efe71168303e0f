"""Restarting a server that has died while it is in use."""

import threading
import time
from collections.abc import Callable
from typing import Final

import structlog

from meetdeck.platform.errors import SetupError

_LOOK_SECONDS: Final = 0.5
_FIRST_PAUSE_SECONDS: Final = 1.0
_LONGEST_PAUSE_SECONDS: Final = 10.0
_SOUND_SECONDS: Final = 60.0  # a server that lives as long has started successfully

log = structlog.stdlib.get_logger()


class Supervisor:
    """Restarts a dead server, from a thread: at once, then after pauses that double up to ten seconds."""

    def __init__(self, is_alive: Callable[[], bool], restart: Callable[[], object]) -> None:
        self._is_alive = is_alive
        self._restart = restart
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="postgres-supervisor", daemon=True)

    def start(self) -> None:
        """Start the supervision."""
        self._thread.start()

    def stop(self) -> None:
        """Stop supervising; wait for a restart in progress."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        pause_seconds, started_at = _FIRST_PAUSE_SECONDS, time.monotonic()
        while not self._ended.wait(_LOOK_SECONDS):
            if self._is_alive():
                continue
            if time.monotonic() - started_at > _SOUND_SECONDS:
                pause_seconds = _FIRST_PAUSE_SECONDS
            self._try_restart(pause_seconds)
            started_at = time.monotonic()
            self._ended.wait(pause_seconds)
            pause_seconds = min(pause_seconds * 2, _LONGEST_PAUSE_SECONDS)

    def _try_restart(self, pause_seconds: float) -> None:
        log.warning("the embedded PostgreSQL has died and is started again")
        try:
            self._restart()
        except (SetupError, OSError) as error:
            log.error(  # noqa: TRY400 - the message says it all
                "the embedded PostgreSQL cannot be started", error=str(error), next_try_in_seconds=pause_seconds
            )
        else:
            log.info("the embedded PostgreSQL runs again")
