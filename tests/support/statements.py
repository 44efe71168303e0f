"""Counting what the application asks of the database: a list takes the same number of statements for any size."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from uuid import UUID

import pytest

from meetdeck.platform.db import Connection, Database

# What asyncpg asks when a connection meets a type for the first time.
_ABOUT_TYPES = ("set_config('jit'", "typeinfo_tree")


@contextmanager
def logged_statements(database: Database) -> Generator[list[str]]:
    """Gather the statements of all transactions that begin meanwhile.

    with logged_statements(database) as statements:
        await api.get("v3/booking/employees")
    assert len(statements) == 3
    """
    statements: list[str] = []
    begin = database.transaction

    def log(query: str) -> None:
        if not any(sign in query for sign in _ABOUT_TYPES):
            statements.append(query)

    @asynccontextmanager
    async def begin_logged(tenant_id: UUID, **how: bool) -> AsyncGenerator[Connection]:
        async with begin(tenant_id, **how) as connection:
            with connection.query_logger(lambda logged: log(logged.query)):
                yield connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "transaction", begin_logged)
        yield statements
