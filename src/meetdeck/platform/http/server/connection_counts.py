"""The number of connections of each process that shares a socket, in shared memory."""

import mmap
from pathlib import Path
from typing import Final

_FILE: Final = "connections"
_MOST: Final = 1024  # numbers of processes: at most 256 workers, and those that are leaving
_BYTES: Final = 4
_ABSENT: Final = -1


class ConnectionCounts:
    """The counts by a process's number, in a file of the folder; each process writes its own."""

    def __init__(self, folder: Path) -> None:
        with (folder / _FILE).open("r+b") as file:
            self._counts = memoryview(mmap.mmap(file.fileno(), _MOST * _BYTES)).cast("i")

    @classmethod
    def create(cls, folder: Path) -> "ConnectionCounts":
        """Return the counts in a new file: no process has any."""
        (folder / _FILE).write_bytes(_ABSENT.to_bytes(1, signed=True) * (_MOST * _BYTES))
        return cls(folder)

    def put(self, number: int, count: int) -> None:
        """Write how many connections a process has."""
        self._counts[number] = count

    def forget(self, number: int) -> None:
        """Write that a process accepts no more."""
        self._counts[number] = _ABSENT

    def is_ahead(self, number: int) -> bool:
        """Return whether a process has more connections than another that accepts them."""
        own = self._counts[number]
        return any(_ABSENT < count < own for count in self._counts)
