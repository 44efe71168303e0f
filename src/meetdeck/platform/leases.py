"""Leases on work, for all processes that share the database.

A lease saves work, it guards nothing: a holder that was stopped for longer than its lease does not know that another
has it now. So it is for work that may be done twice without harm.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID, uuid4

from meetdeck.platform.db import Connection, Database, DatabaseUnavailable, load_queries

queries = load_queries(__file__, "leases.sql")

_LENGTH = timedelta(seconds=12)  # what others wait for after a holder was killed
_RENEWALS = 3  # in each length: one of them may be late


class Leases:
    """Leases of `length`, by the database's clock. No connection is held while a lease is."""

    def __init__(self, database: Database, *, length: timedelta = _LENGTH) -> None:
        self._database = database
        self._length = length

    @asynccontextmanager
    async def hold(self, tenant_id: UUID, name: str) -> AsyncGenerator[bool]:
        """Try to take a lease, yield whether it is ours, and renew it until the block ends.

        While the database does not answer, everybody gets one.
        """
        holder = uuid4()
        if not await self._take(tenant_id, name, holder):
            yield False
            return
        renewing = asyncio.create_task(self._renew(tenant_id, name, holder))
        try:
            yield True
        finally:
            renewing.cancel()
            await asyncio.wait([renewing])
            await self._give_back(tenant_id, name, holder)

    async def _take(self, tenant_id: UUID, name: str, holder: UUID) -> bool:
        async def take(connection: Connection) -> bool:
            return await queries.take(connection, name=name, holder=holder, length=self._length) is not None

        try:
            return await self._database.run(tenant_id, take)
        except DatabaseUnavailable:  # which the log has
            return True

    async def _renew(self, tenant_id: UUID, name: str, holder: UUID) -> None:
        """Renew until cancelled, or until another has it: then the work is done twice."""
        is_ours = True
        while is_ours:
            await asyncio.sleep(self._length.total_seconds() / _RENEWALS)
            is_ours = await self._take(tenant_id, name, holder)

    async def _give_back(self, tenant_id: UUID, name: str, holder: UUID) -> None:
        async def give_back(connection: Connection) -> None:
            await queries.give_back(connection, name=name, holder=holder)
            await queries.forget_expired(connection)

        try:
            await self._database.run(tenant_id, give_back)
        except DatabaseUnavailable:  # it runs out by itself
            return
