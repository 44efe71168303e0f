"""Quotas on a tenant's stored bytes and templates (docs/operations/limits.md).

Contents and all revisions of templates count, as triggers add them up (`tenant_usage`). Renderings do not: they are a
cache that may be deleted at any time.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from asyncpg import Record

from meetdeck.platform.database import Connection, Database, DatabaseUnavailable, load_queries
from meetdeck.platform.phrases import phrase
from meetdeck.platform.storage import Storage, StorageUnavailable, are_files_held
from meetdeck.present.errors import QuotaExceeded

queries = load_queries(__file__, "quotas.sql")

_MAKE_ROOM = (
    "Delete contents (DELETE …/contents/{contentId}) or templates that you do not need, or ask for a higher quota."
)


class StorageUsage(NamedTuple):
    """A tenant's stored amounts and its own quotas: None where the installation's apply, 0 for no limit."""

    stored_bytes: int
    templates: int
    quota_bytes: int | None
    quota_templates: int | None


@dataclass(frozen=True, slots=True)
class Quotas:
    """Enforces a tenant's quotas of bytes and templates, its own or these; 0 is not a limit."""

    database: Database
    storage: Storage
    most_bytes: int
    most_templates: int

    async def require_room(self, tenant_id: UUID, size_bytes: int) -> None:
        """Raise QuotaExceeded when a file of that size would exceed the quota; call it before storing."""
        async with self.database.transaction(tenant_id) as connection:
            await self._require(connection, size_bytes, is_new_template=False)

    async def require_kept(self, connection: Connection, *, is_new_template: bool = False) -> None:
        """Raise QuotaExceeded unless the transaction's additions are within the tenant's quota.

        Exact: no other transaction of the tenant adds between this one's adding and its end.
        """
        await self._require(connection, 0, is_new_template=is_new_template)

    @asynccontextmanager
    async def discarding(self, file_key: str) -> AsyncGenerator[None]:
        """Delete a stored file when the block raises QuotaExceeded."""
        try:
            yield
        except QuotaExceeded:
            await self.discard(file_key)
            raise

    async def discard(self, file_key: str) -> None:
        """Delete a file that no row names.

        The sweeper does it later while a backup holds the files, or when database or storage fail.
        """
        with suppress(StorageUnavailable, DatabaseUnavailable):
            async with self.database.at_once(UUID(file_key.partition("/")[0])) as connection:
                is_held = await are_files_held(connection)
            if not is_held:
                await self.storage.delete([file_key])

    async def _require(self, connection: Connection, more_bytes: int, *, is_new_template: bool) -> None:
        usage = await _get_usage(connection)
        most_bytes = self.most_bytes if usage.quota_bytes is None else usage.quota_bytes
        most_templates = self.most_templates if usage.quota_templates is None else usage.quota_templates
        if most_bytes and usage.stored_bytes + more_bytes > most_bytes:
            needed = f", and this needs {more_bytes:,} more" if more_bytes else " with this"
            raise QuotaExceeded(
                phrase(
                    "Contents and templates take {stored_bytes:,} of the {most_bytes:,} bytes that the "
                    "tenant may store{needed}. {make_room}",
                    stored_bytes=usage.stored_bytes,
                    most_bytes=most_bytes,
                    needed=needed,
                    make_room=_MAKE_ROOM,
                )
            )
        if is_new_template and most_templates and usage.templates > most_templates:
            raise QuotaExceeded(
                phrase(
                    "There are {templates:,} templates, and the tenant may have {most_templates:,}. "
                    "Delete one that you do not need, upload under the name of one, or ask for a higher quota.",
                    templates=usage.templates - 1,
                    most_templates=most_templates,
                )
            )


async def _get_usage(connection: Connection) -> StorageUsage:
    """Return the tenant's usage; zero for an unknown tenant."""
    row: Record | None = await queries.get_usage(connection)
    return StorageUsage(*row.values()) if row is not None else StorageUsage(0, 0, None, None)
