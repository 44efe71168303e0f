"""Sweeping: unneeded files are deleted from the storage (docs/operations/files.md).

A file is written before its row, and stays when its row is deleted; so a crash, an error or a deletion leaves files
without a row. Each row's key is its own, so such a file can be needed only by a request that is still in progress.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict, astuple, dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple, NoReturn
from uuid import UUID

import structlog
from prometheus_client import Counter

from meetdeck.platform.database import Database, TenantElsewhere, TenantMoving
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.storage import Storage, StoredFile, are_files_held
from meetdeck.platform.work import Leases, run_periodically
from meetdeck.present import compiled, renderings
from meetdeck.present.sweeping import store

_GRACE: Final = timedelta(days=1)  # for a file to get its row: no request takes as long, and no clock is as wrong
_LAST_READERS: Final = timedelta(hours=1)  # who found a content just before it expired reads it to its end
_FIRST_SECONDS: Final = 5 * 60.0  # not while everybody starts
_EVERY_SECONDS: Final = 60 * 60.0

# Below a tenant's folder: what rows name, now and before each row named its own; and what can be made again.
_FILE: Final = re.compile(r"[^/]+/(?:files/[^/]+|[0-9a-f]{2}/[0-9a-f]{64})")
_DERIVED: Final = re.compile(
    rf"[^/]+/(?P<folder>{compiled.FOLDER}|{renderings.FOLDER})/(?P<version>[^/]+)/(?P<digest>[0-9a-f]{{64}})/.+"
)

_SWEPT_FILES: Final = Counter("meetdeck_swept_files", "Files deleted from storage because they are no longer needed.")

log = structlog.stdlib.get_logger()


@dataclass(frozen=True, slots=True)
class SweepReport:
    """The result of a sweep, or of a dry run: files and expired contents deleted, and files kept."""

    files: int = 0
    size_bytes: int = 0
    contents: int = 0
    kept: int = 0
    unknown_tenants: int = 0
    """Tenants with files that the database does not know; they are left alone."""
    busy_tenants: int = 0
    """Tenants whose files another process is sweeping."""

    def __add__(self, other: "SweepReport") -> "SweepReport":
        """Return the sum of both."""
        return SweepReport(*(one + more for one, more in zip(astuple(self), astuple(other), strict=True)))


class _Terms(NamedTuple):
    """The terms of one sweep: `versions` are those to keep of what can be made again, by folder; None: all of them."""

    now: datetime
    versions: Mapping[str, str | None]
    dry_run: bool


class Sweeper:
    """Sweeps the storage, one process at a time; two at once do no harm."""

    def __init__(
        self,
        database: Database,
        storage: Storage,
        *,
        get_rendering_version: Callable[[], Awaitable[str]],
        rendering_lifetime: timedelta,
    ) -> None:
        """Make a sweeper that keeps renderings and compiled forms of the running version, of current templates."""
        self._database = database
        self._storage = storage
        self._leases = Leases(database)
        self._get_rendering_version = get_rendering_version
        self._rendering_lifetime = max(rendering_lifetime, _GRACE)

    def of(self, database: Database) -> "Sweeper":
        """Return a sweeper of the files of a cell's tenants."""
        return Sweeper(
            database,
            self._storage,
            get_rendering_version=self._get_rendering_version,
            rendering_lifetime=self._rendering_lifetime,
        )

    async def run(
        self, clock: Clock, *, first_seconds: float = _FIRST_SECONDS, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Sweep every hour, first after some minutes, until cancelled; a failed sweep does not stop it."""
        await run_periodically(
            "sweep of all",
            lambda: self._sweep_and_log(clock()),
            self._leases,
            first_seconds=first_seconds,
            every_seconds=every_seconds,
        )

    async def sweep(self, now: datetime, *, dry_run: bool = False) -> SweepReport:
        """Delete files and rows unneeded at `now` (aware UTC), tenant by tenant; with `dry_run` only count.

        Top folders that belong to no tenant are left alone, and so are those of tenants that the database does not
        know: it may be the wrong database. Raises StorageUnavailable and DatabaseUnavailable.
        """
        terms = _Terms(now, await self._find_versions(), dry_run)
        swept = SweepReport()
        for folder in await self._storage.list_folders():
            tenant_id = _find_tenant_id(folder)
            if tenant_id is not None:
                with suppress(TenantElsewhere, TenantMoving):
                    swept += await self._sweep_tenant(tenant_id, terms)
        return swept

    async def _sweep_and_log(self, now: datetime) -> None:
        log.info("sweep", **asdict(await self.sweep(now)))

    async def _find_versions(self) -> Mapping[str, str | None]:
        version: str | None = None
        with suppress(Unavailable):
            version = await self._get_rendering_version()
        return {renderings.FOLDER: version, compiled.FOLDER: await run_in_thread(compiled.compiled_version)}

    async def _sweep_tenant(self, tenant_id: UUID, terms: _Terms) -> SweepReport:
        async with self._database.transaction(tenant_id) as connection:
            if not await store.is_tenant_known(connection):
                return SweepReport(unknown_tenants=1)
        if terms.dry_run:
            return await self._sweep_files(tenant_id, terms)
        async with self._leases.hold(tenant_id, "sweep") as is_ours:
            return await self._sweep_files(tenant_id, terms) if is_ours else SweepReport(busy_tenants=1)

    async def _sweep_files(self, tenant_id: UUID, terms: _Terms) -> SweepReport:
        folder = str(tenant_id)
        swept = SweepReport(contents=await self._forget_expired(tenant_id, terms))
        async with aclosing(self._storage.list_pages(folder)) as pages:
            async for page in pages:
                unneeded = await self._find_unneeded(tenant_id, page, terms)
                if unneeded and not terms.dry_run:
                    await self._storage.delete([file.key for file in unneeded])
                    _SWEPT_FILES.inc(len(unneeded))
                size_bytes = sum(file.size_bytes for file in unneeded)
                swept += SweepReport(files=len(unneeded), size_bytes=size_bytes, kept=len(page) - len(unneeded))
        if not terms.dry_run:
            swept += SweepReport(files=await self._storage.delete_unfinished(folder, terms.now - _GRACE))
        return swept

    async def _forget_expired(self, tenant_id: UUID, terms: _Terms) -> int:
        forget = store.count_expired_contents if terms.dry_run else store.delete_expired_contents
        async with self._database.transaction(tenant_id) as connection:
            return await forget(connection, terms.now - _LAST_READERS)

    async def _find_unneeded(self, tenant_id: UUID, page: Sequence[StoredFile], terms: _Terms) -> list[StoredFile]:
        written_before = terms.now - _GRACE
        files = [file for file in page if file.modified_at < written_before and _FILE.fullmatch(file.key)]
        drawn_before = terms.now - self._rendering_lifetime
        derived = [
            (file, key) for file in page if file.modified_at < drawn_before and (key := _DERIVED.fullmatch(file.key))
        ]
        if not files and not derived:
            return []
        digests = {bytes.fromhex(key["digest"]) for _, key in derived}
        async with self._database.transaction(tenant_id) as connection:
            named = await store.list_named_files(connection, [file.key for file in files], terms.now - _LAST_READERS)
            current = {digest.hex() for digest in await store.list_current_digests(connection, list(digests))}
            if await are_files_held(connection):  # a backup copies rows that were there when it began
                named = {file.key for file in files}
        return [file for file in files if file.key not in named] + [
            file
            for file, key in derived
            if key["digest"] not in current or terms.versions[key["folder"]] not in {None, key["version"]}
        ]


def _find_tenant_id(folder: str) -> UUID | None:
    """Return the tenant of a folder: its name is a UUID as we write them."""
    try:
        tenant_id = UUID(folder)
    except ValueError:
        return None
    return tenant_id if str(tenant_id) == folder else None
