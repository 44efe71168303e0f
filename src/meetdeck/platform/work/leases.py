"""Leases on work, for all processes that share the database.

A lease saves work, it guards nothing: a holder that was stopped for longer than its lease does not know that another
has it now. So it is for work that may be done twice without harm.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import UUID, uuid4

from meetdeck.platform.database import Connection, Database, DatabaseUnavailable, load_queries
from meetdeck.platform.process import LEAVING_DEADLINE, within

queries = load_queries(__file__, "leases.sql")


async def is_held(connection: Connection, name: str) -> bool | None:
    """Return whether any process has a lease of the whole installation, None while there is no tenant.

    The connection is in a transaction, which sees the first tenant's rows from then on.
    """
    row = await queries.first_tenant(connection)
    if row is None or row["tenant_id"] is None:
        return None
    await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(row["tenant_id"]))
    held: bool = await queries.is_held(connection, name=name)
    return held


_LENGTH = timedelta(seconds=12)  # what others wait for after a holder was killed
_RENEWALS = 3  # in each length: one of them may be late


class Leases:
    """Leases of `length`, by the database's clock. No connection is held while a lease is."""

    def __init__(self, database: Database, *, length: timedelta = _LENGTH) -> None:
        self._database = database
        self._length = length

    @asynccontextmanager
    async def hold(self, tenant_id: UUID, name: str, *, rest: timedelta | None = None) -> AsyncGenerator[bool]:
        """Try to take a lease, yield whether it is ours, and renew it until the block ends.

        When the block has completed, nobody gets the lease for `rest`; after an interrupted block it is free at once.
        While the database does not answer, everybody gets one.
        """
        holder = uuid4()
        if not await self._take(tenant_id, name, holder, self._length):
            yield False
            return
        renewing = asyncio.create_task(self._renew(tenant_id, name, holder))
        is_done = False
        try:
            yield True
            is_done = True
        finally:
            renewing.cancel()
            await asyncio.wait([renewing])
            if is_done and rest is not None:
                await self._take(tenant_id, name, holder, rest)
            else:
                await self._give_back(tenant_id, name, holder)

    @asynccontextmanager
    async def hold_for_all(self, name: str, *, rest: timedelta) -> AsyncGenerator[bool]:
        """Try to take a lease of the whole installation, as `hold` does; after the block nobody has it for `rest`.

        So hourly work is done once an hour by whichever process comes first, and if that one is killed, by the next.
        Cancelled, it is given back at once. The first tenant keeps these leases; while there is none, or the database
        does not answer, nobody gets one.
        """
        tenant_id = await self._find_first_tenant()
        if tenant_id is None:
            yield False
            return
        async with self.hold(tenant_id, name, rest=rest) as is_ours:
            yield is_ours

    async def take_for_all(self, name: str, holder: UUID) -> None:
        """Take a lease of the whole installation, or renew it, unless another has it."""
        if (tenant_id := await self._find_first_tenant()) is not None:
            await self._take(tenant_id, name, holder, self._length)

    async def leave(self, name: str, holder: UUID) -> None:
        """Release a lease of the whole installation, if it is the holder's."""
        with within(LEAVING_DEADLINE):
            if (tenant_id := await self._find_first_tenant()) is not None:
                await self._give_back(tenant_id, name, holder)

    async def _find_first_tenant(self) -> UUID | None:
        try:
            async with self._database.outside_tenants() as connection:
                row = await queries.first_tenant(connection)
                if len(self._database.cells) > 1 and (row is None or row["tenant_id"] is None):
                    row = await queries.first_of_directory(connection)
        except DatabaseUnavailable:  # which the log has
            return None
        return row["tenant_id"] if row is not None else None

    async def _take(self, tenant_id: UUID, name: str, holder: UUID, length: timedelta) -> bool:
        async def take(connection: Connection) -> bool:
            return await queries.take(connection, name=name, holder=holder, length=length) is not None

        try:
            return await self._database.run(tenant_id, take)
        except DatabaseUnavailable:  # which the log has
            return True

    async def _renew(self, tenant_id: UUID, name: str, holder: UUID) -> None:
        """Renew until cancelled, or until another has it: then the work is done twice."""
        is_ours = True
        while is_ours:
            await asyncio.sleep(self._length.total_seconds() / _RENEWALS)
            is_ours = await self._take(tenant_id, name, holder, self._length)

    async def _give_back(self, tenant_id: UUID, name: str, holder: UUID) -> None:
        async def give_back(connection: Connection) -> None:
            await queries.give_back(connection, name=name, holder=holder)
            await queries.forget_expired(connection)

        try:
            with within(LEAVING_DEADLINE):
                await self._database.run(tenant_id, give_back)
        except DatabaseUnavailable:  # it runs out by itself
            return
