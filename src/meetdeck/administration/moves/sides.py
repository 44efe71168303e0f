"""A database of a move: who may write there, where the tenant lives by its row, and deleting the tenant's rows."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from meetdeck.administration.archives.catalog import OF_ITS_SERVER, read_tables
from meetdeck.administration.moves.schemas import MoveRefusedError
from meetdeck.platform.database import Address, Connection, load_queries, speak_json
from meetdeck.platform.errors import SetupError

queries = load_queries(__file__)

_ROWS_AT_ONCE: Final = 5_000
_LOOKS: Final = 15
_LOOK_SECONDS: Final = 0.2


class Home(NamedTuple):
    """A database's row of a tenant: its name, and the cell in which it lives; None: in this database."""

    name: str
    cell: str | None


@dataclass(frozen=True, slots=True)
class Side:
    """A database, by the session of the tables' owner in which a move does everything there.

    The session holds the claim, so that a move whose connection is lost cannot write any more when another claims.
    """

    name: str
    connection: Connection
    tenant_id: UUID
    is_first: bool
    """True if it is the first database, which has the directory."""

    @property
    def tenant(self) -> str:
        """Return the tenant's id as an SQL literal."""
        return f"'{self.tenant_id}'"

    async def claim(self) -> None:
        """Claim the tenant until the session ends. Raises MoveRefusedError while another move has it.

        The server needs a moment to notice that the process of a killed one is gone.
        """
        for _ in range(_LOOKS):
            if await queries.claim(self.connection, tenant_id=self.tenant_id):
                return
            await asyncio.sleep(_LOOK_SECONDS)
        raise MoveRefusedError("The firm is being moved by another command. Wait for that to end.")

    async def find_home(self) -> Home | None:
        """Return the tenant's row."""
        row = await queries.find_home(self.connection, tenant_id=self.tenant_id)
        return None if row is None else Home(**row)

    async def set_home(self, cell: str | None) -> None:
        """Write into the tenant's row where it lives."""
        await queries.set_home(self.connection, tenant_id=self.tenant_id, cell=cell)

    async def delete_rows(self) -> int:
        """Delete the tenant's rows, those that refer to others first; return how many there were.

        The first database keeps the tenant's own row, for the directory.
        """
        tables = [table for table in await read_tables(self.connection) if table.is_of_tenants]
        names = [row["name"] async for row in queries.list_unlogged(self.connection)]
        names += [table.name for table in reversed(tables) if table.name not in ("tenant", *OF_ITS_SERVER)]
        whole = {table.name for table in tables if table.refers_to_itself}
        await self.connection.execute("set enable_seqscan = off")  # by the key, which begins with the tenant
        deleted = 0
        for name in names:
            deleted += await self._delete_from(name, most=None if name in whole else _ROWS_AT_ONCE)
        for name in OF_ITS_SERVER:  # to which deleting the others adds
            await self._delete_from(name, most=_ROWS_AT_ONCE)
        if not self.is_first:
            deleted += await self._delete_from("tenant", most=None)
        await self.connection.execute("reset enable_seqscan")
        return deleted

    async def _delete_from(self, table: str, most: int | None) -> int:
        limit = "" if most is None else f" limit {most}"
        some = f'select ctid from "{table}" where tenant_id = {self.tenant}{limit}'  # noqa: S608 - of the catalog
        deleted = 0
        while True:
            status = await self.connection.execute(
                f'delete from "{table}" where tenant_id = {self.tenant} and ctid = any (array({some}))'  # noqa: S608 - as above
            )
            number = int(status.rpartition(" ")[2])
            deleted += number
            if most is None or number < most:
                return deleted


class Sides:
    """The databases of an installation, each opened when it is needed; the first one has the directory."""

    def __init__(self, owners: Mapping[str, Address], tenant_id: UUID) -> None:
        self._owners = owners
        self._tenant_id = tenant_id
        self._opened: dict[str, Side] = {}

    @property
    def names(self) -> list[str]:
        """Return the names of all databases, the first one first."""
        return list(self._owners)

    @property
    def first(self) -> str:
        """Return the name of the first database."""
        return self.names[0]

    async def open(self, name: str) -> Side:
        """Return a database. Raises SetupError if it cannot be reached, or the settings do not name it."""
        if name not in self._owners:
            raise SetupError(f"There is no cell '{name}'. The cells of MEETDECK_CELLS are {', '.join(self._owners)}.")
        if name not in self._opened:
            connection = await self._owners[name].connect()
            side = Side(name, connection, self._tenant_id, is_first=name == self.first)
            self._opened[name] = side
            await queries.prepare_session(connection, tenant_id=self._tenant_id)
            await speak_json(connection)
        return self._opened[name]

    async def close(self) -> None:
        """Close the databases, and give their claims back."""
        for side in self._opened.values():
            await side.connection.close()


@asynccontextmanager
async def open_sides(owners: Mapping[str, Address], tenant_id: UUID) -> AsyncGenerator[Sides]:
    """Lend the databases of an installation, by their owners' addresses; the first one has the directory."""
    sides = Sides(owners, tenant_id)
    try:
        yield sides
    finally:
        await sides.close()
