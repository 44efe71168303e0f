"""Processor time, ours and PostgreSQL's: what else runs on the machine hardly changes it."""

from pathlib import Path
from time import process_time
from typing import NamedTuple, Self

from asyncpg import Record

from meetdeck.platform.database import Connection


class Taken(NamedTuple):
    """Seconds by the clock, and of processor time."""

    clock: float
    processor: float


class Processor:
    """The processor time of this process and of the database's processes that serve it."""

    def __init__(self, pids: list[int]) -> None:
        self._files = [Path(f"/proc/{pid}/schedstat") for pid in pids]

    @classmethod
    async def open(cls, superuser: Connection) -> Self:
        """Look up who serves the application; call it when all its connections are there."""
        rows: list[Record] = await superuser.fetch(
            "select pid from pg_stat_activity where application_name = 'meetdeck'"
        )
        return cls([row["pid"] for row in rows])

    def get_seconds(self) -> float:
        """Return the seconds used so far; not a number without Linux's /proc."""
        if not all(file.exists() for file in self._files):
            return float("nan")
        # proc(5): the first number is the time spent on a processor, in nanoseconds.
        return process_time() + sum(int(file.read_text().split()[0]) for file in self._files) / 1e9
