"""Counting the application's statements: a list takes the same number of them for any size."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from uuid import UUID

import pytest

from meetdeck.platform.database import Connection, Database

# Run only once: by asyncpg when a connection first meets a type, by us when a key is first used in a while.
_NOW_AND_THEN = ("set_config('jit'", "typeinfo_tree", "update subscription_key set last_used_at", "from identify_key(")


@contextmanager
def watched_connections(
    database: Database, watch: Callable[[Connection], AbstractAsyncContextManager[None]]
) -> Generator[None]:
    """Enter `watch` with the connection of each transaction and reading, and each that sets its tenant itself."""
    begin, read, lend = database.transaction, database.reading, database.outside_tenants

    @asynccontextmanager
    async def begin_watched(tenant_id: UUID, **how: bool) -> AsyncGenerator[Connection]:
        async with begin(tenant_id, **how) as connection, watch(connection):
            yield connection

    @asynccontextmanager
    async def read_watched(tenant_id: UUID) -> AsyncGenerator[Connection]:
        async with read(tenant_id) as reading, watch(vars(reading)["_connection"]):
            yield reading

    @asynccontextmanager
    async def lend_watched() -> AsyncGenerator[Connection]:
        async with lend() as connection, watch(connection):
            yield connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "outside_tenants", lend_watched)
        patch.setattr(database, "transaction", begin_watched)
        patch.setattr(database, "reading", read_watched)
        yield


@contextmanager
def logged_statements(database: Database) -> Generator[list[str]]:
    """Collect the statements that run in the meantime, except those that begin and end transactions.

    with logged_statements(database) as statements:
        await api.get("v3/booking/employees")
    assert len(statements) == 3
    """
    statements: list[str] = []

    def log(query: str) -> None:
        if not any(sign in query for sign in _NOW_AND_THEN):
            statements.append(query)

    @asynccontextmanager
    async def watch(connection: Connection) -> AsyncGenerator[None]:
        with connection.query_logger(lambda logged: log(logged.query)):
            yield
            await asyncio.sleep(0)  # asyncpg logs a statement in the loop's next turn

    with watched_connections(database, watch):
        yield statements
