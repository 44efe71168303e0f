"""The cost of a search with cells, beside one database: `python benchmarks/cells.py [--firms 200] [--rounds 15]`.

The same small firms live in one database, and divided among three cells; all four are databases of one embedded
PostgreSQL, so that nothing but the seam differs. The application answers both in this process, through ASGI, one search
at a time. `remembered` is a search of a firm that the process has searched before, `read` one that reads everything.

In turns of a few firms each, in changing order: one database, cells, and the one database again, whose ratio to the
first is the noise. Processor time of this process and of PostgreSQL's; the median of the turns' ratios.
"""

import argparse
import asyncio
import os
import random
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Final
from uuid import uuid4

import uvloop
from slot_peers.answer import Caller, make_query, open_app
from slot_peers.firm import Size, add_firm, make_firm, prepare, vacuum
from slot_peers.processor import Processor

from meetdeck.booking.scheduling.search.service.memory import MEMORY
from meetdeck.demo.credentials import TenantCredentials, make_tenant_credentials, store_tenant_credentials
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.embedded_postgres.endpoint import Endpoint
from meetdeck.migrations import migrate
from meetdeck.platform.database import Cell, CellDatabase, Connection, Database
from meetdeck.platform.process import clock

SIZE: Final = Size(20, 14)
CELLS: Final = ("main", "b", "c")
GOAL: Final = 1.03
TURN: Final = 20
"""The firms of a turn."""
ONE, APART, AGAIN = "one database", "three cells", "one database again"
_PLACE: Final = "insert into tenant (tenant_id, name, cell) values ($1, 'Benchmark', $2)"


@asynccontextmanager
async def connect(endpoint: Endpoint, database: str) -> AsyncGenerator[Connection]:
    """Lend a superuser's connection to a database."""
    connection = await replace(endpoint.superuser, database=database).connect()
    try:
        yield connection
    finally:
        await connection.close()


async def fill(endpoint: Endpoint, database: str, firms: int) -> list[TenantCredentials]:
    """Copy the migrated database, write firms into the copy, and return their credentials."""
    template = endpoint.owner.database
    async with connect(endpoint, "postgres") as superuser:
        await superuser.execute(f"create database {database} template {template} owner {endpoint.owner.user}")
    made: list[TenantCredentials] = []
    own = Database(replace(endpoint.app, database=database), connections=1)
    async with connect(endpoint, database) as superuser, own as tenants:
        await prepare(superuser)
        for _ in range(firms):
            firm = make_firm(SIZE)._replace(tenant_id=uuid4(), advisor_ids=[uuid4() for _ in range(SIZE.advisors)])
            await add_firm(superuser, firm, with_meetings=False)
            made.append(make_tenant_credentials(firm.tenant_id, str(firm.tenant_id), "Meetdeck.Elevated"))
            async with tenants.transaction(firm.tenant_id) as connection:
                await store_tenant_credentials(connection, made[-1], clock.now())
        await vacuum(superuser)
    return made


async def fill_cells(endpoint: Endpoint, firms: int) -> list[TenantCredentials]:
    """Write the firms into the cells, and into the directory where each lives."""
    made: list[TenantCredentials] = []
    for place, name in enumerate(CELLS):
        own = await fill(endpoint, name, (firms + place) // len(CELLS))
        if name != CELLS[0]:
            async with connect(endpoint, CELLS[0]) as superuser:
                await superuser.executemany(_PLACE, [(firm.tenant_id, name) for firm in own])
        made += own
    return made


async def measure(endpoint: Endpoint, callers: Sequence[Caller]) -> float:
    """Return the processor seconds of a search of each caller."""
    async with connect(endpoint, "postgres") as superuser:
        processor = await Processor.open(superuser)
    query = make_query(SIZE.days)
    before = processor.get_seconds()
    for caller in callers:
        await caller.search(query)
    return processor.get_seconds() - before


async def compare(endpoint: Endpoint, one: list[Caller], apart: list[Caller], rounds: int) -> None:
    """Search in turns, and print the ratios."""
    for what, limit in (("remembered", MEMORY.limit), ("read", 0)):
        MEMORY.limit = limit
        for callers in (one, apart):
            await measure(endpoint, callers)
        taken: dict[str, list[float]] = {ONE: [], APART: [], AGAIN: []}
        for _ in range(rounds):
            for first in range(0, len(one), TURN):
                turn = slice(first, first + TURN)
                for name in random.sample([*taken], len(taken)):
                    taken[name].append(await measure(endpoint, (apart if name == APART else one)[turn]))
        ratios = {
            name: median(mine / theirs for mine, theirs in zip(taken[name], taken[ONE], strict=True))
            for name in (APART, AGAIN)
        }
        searches = rounds * len(one)
        print(
            f"{what:<11}{1e3 * sum(taken[ONE]) / searches:6.2f} ms in one database; {APART} {ratios[APART]:.3f} of it "
            f"(goal {GOAL}), {AGAIN} {ratios[AGAIN]:.3f}; {searches:,} searches of each",
            flush=True,
        )


async def run(endpoint: Endpoint, folder: Path, firms: int, rounds: int) -> None:
    """Fill the databases, open the application over them twice, and compare."""
    await migrate(endpoint.owner)
    of_one, of_cells = await fill(endpoint, "one", firms), await fill_cells(endpoint, firms)
    addresses = {name: replace(endpoint.app, database=name) for name in ("one", *CELLS)}
    cells = [Cell(name, addresses[name], addresses[name]) for name in CELLS[1:]]
    async with AsyncExitStack() as stack:

        async def call(database: Database, tenants: list[TenantCredentials]) -> list[Caller]:
            await stack.enter_async_context(database)
            own_folder = folder / str(tenants[0].tenant_id)
            own_folder.mkdir()
            app = await stack.enter_async_context(open_app(database, own_folder))
            return [await Caller.open(app, tenant) for tenant in tenants]

        one = await call(Database(addresses["one"]), of_one)
        apart = await call(CellDatabase(addresses[CELLS[0]], cells, name=CELLS[0]), of_cells)
        load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
        print(f"{firms} firms of {SIZE.advisors} advisors, {SIZE.days} days, {os.cpu_count()} cores, load {load}")
        await compare(endpoint, one, apart, rounds)


def main() -> None:
    """Start a PostgreSQL of our own and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--firms", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    place = tempfile.TemporaryDirectory(prefix="meetdeck-bench-", dir="/dev/shm", ignore_cleanup_errors=True)
    with (
        place as folder,
        EmbeddedPostgres(Path(folder) / "postgres") as endpoint,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(run(endpoint, Path(folder), given.firms, given.rounds))


if __name__ == "__main__":
    main()
