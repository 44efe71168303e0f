"""Advisory file locks (flock): the system frees them when the last process that holds one ends, in whatever way."""

import fcntl
import os
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

from meetdeck.platform.errors import SetupError

POLL_SECONDS = 0.01


class FileLock:
    """A lock on one file. Each instance is a separate holder, also inside one process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd: int | None = None

    @property
    def fd(self) -> int:
        """The open file: a child that inherits it also holds the lock."""
        if self._fd is None:
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        return self._fd

    def try_exclusive(self) -> bool:
        """Take the lock exclusively; return False when it is held."""
        return self._try(fcntl.LOCK_EX)

    def try_shared(self) -> bool:
        """Take a shared lock; return False when it is held exclusively."""
        return self._try(fcntl.LOCK_SH)

    def close(self) -> None:
        """Release our hold; children that inherited the lock keep it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _try(self, kind: int) -> bool:
        try:
            fcntl.flock(self.fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def wait_until(condition: Callable[[], bool], *, limit_seconds: float) -> bool:
    """Poll `condition` until it is true; return False if the limit passes first."""
    deadline = time.monotonic() + limit_seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


@contextmanager
def holding(path: Path, *, limit_seconds: float) -> Generator[None]:
    """Hold `path` exclusively. Raises `SetupError` if others do not release it within the limit."""
    lock = FileLock(path)
    try:
        if not wait_until(lock.try_exclusive, limit_seconds=limit_seconds):
            raise SetupError(
                f"Another process has been starting or stopping the database for {limit_seconds:.0f} s "
                f"(it holds {path}): wait for it, or end it."
            )
        yield
    finally:
        lock.close()
