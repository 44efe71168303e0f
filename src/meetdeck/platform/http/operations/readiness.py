"""Readiness: whether the dependencies of requests answer, and can be written to."""

import asyncio
from pathlib import Path
from typing import Final, Protocol

from meetdeck.platform.database import Database, DatabaseFull, DatabaseSilent, DatabaseUnavailable
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.process import count_free_bytes, deadline_of_requests, within

_EVERY_SECONDS: Final = 10.0  # writing is costly, and anybody may request it
_AFTER_FAILURE_SECONDS: Final = 1.0
_ANSWER_SECONDS: Final = 1.9  # callers who ask every few seconds need an answer, not a wait
_DATABASE_DEADLINE: Final = deadline_of_requests(0.9)  # it is asked for a read, then for a write
# Including those of abandoned connections: PostgreSQL keeps their processes until the standby is back.
_COMMITS_WAIT: Final = """
select exists (
    select from pg_stat_activity
    where usename = current_user and wait_event = 'SyncRep' and state_change < clock_timestamp() - interval '1.5 s'
)
"""
_LEAST_FREE_BYTES: Final = 8 * 1024 * 1024


class WritableFiles(Protocol):
    """The parts of a file storage that readiness needs; both calls raise Unavailable."""

    refused_writes: int
    """The number of times that a file could not be written."""

    async def check(self) -> None:
        """Require that files can be read."""

    async def require_writable(self) -> None:
        """Require that files can be written."""


class Readiness:
    """Checks dependencies: reading each time; writing every ten seconds, and at once when a write failed."""

    def __init__(self, database: Database, storage: WritableFiles, data_dir: Path) -> None:
        self._database = database
        self._storage = storage
        self._data_dir = data_dir
        self._unwritable: list[str] = []
        self._written_at: float | None = None
        self._refused_writes = 0
        self._is_ending = False
        self._lock = asyncio.Lock()

    def end(self) -> None:
        """Never be ready again: this process ends soon."""
        self._is_ending = True

    async def find_missing(self) -> list[str]:
        """Return a sentence for each missing dependency, none when ready; within two seconds."""
        if self._is_ending:
            return ["This process ends in a few seconds."]
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                with within(_DATABASE_DEADLINE):
                    return await self._find_missing()
        except TimeoutError:
            return ["The database or the file storage does not answer."]

    async def find_away(self) -> list[str]:
        """Return the names of the cells that do not answer, within a second."""
        with within(_DATABASE_DEADLINE):
            return await self._database.find_away()

    async def _find_missing(self) -> list[str]:
        missing: list[str] = []
        try:
            async with self._database.outside_tenants() as connection:
                if await connection.fetchval(_COMMITS_WAIT):
                    missing.append("The database waits for its synchronous standby.")
        except DatabaseUnavailable as error:
            missing.append(_describe(error))
        try:
            await self._storage.check()
        except Unavailable:
            missing.append("The file storage cannot be used at the moment.")
        unwritable = [] if missing else await self._find_unwritable()
        return [*missing, *self._check_disk(), *unwritable]  # a full disk may have stopped the database

    def _check_disk(self) -> list[str]:
        free_bytes = count_free_bytes(self._data_dir)
        if free_bytes >= _LEAST_FREE_BYTES:
            return []
        return [f"The disk of the data folder is full: {free_bytes >> 20} MiB are free."]

    async def _find_unwritable(self) -> list[str]:
        async with self._lock:  # many simultaneous callers cause one write
            now = asyncio.get_running_loop().time()
            refused_writes = self._count_refused_writes()
            every_seconds = _AFTER_FAILURE_SECONDS if self._unwritable else _EVERY_SECONDS
            is_known = self._written_at is not None and now - self._written_at < every_seconds
            if not is_known or refused_writes != self._refused_writes:
                self._unwritable = await self._write()
                self._written_at = now
                self._refused_writes = self._count_refused_writes()
            return self._unwritable

    def _count_refused_writes(self) -> int:
        databases = {self._database, *self._database.cells}
        return sum(database.refused_writes for database in databases) + self._storage.refused_writes

    async def _write(self) -> list[str]:
        unwritable: list[str] = []
        try:
            await self._database.require_writable()
        except DatabaseFull:
            unwritable.append("The database cannot write: its disk is full, or it is read-only.")
        except DatabaseUnavailable as error:
            unwritable.append(_describe(error))
        try:
            await self._storage.require_writable()
        except Unavailable:
            unwritable.append("The file storage cannot be written.")
        return unwritable


def _describe(error: DatabaseUnavailable) -> str:
    return (
        "The database is silent." if isinstance(error, DatabaseSilent) else "The database cannot be used at the moment."
    )
