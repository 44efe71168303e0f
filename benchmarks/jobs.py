"""Jobs under kill -9, drained, and beside a dead receiver: `python benchmarks/jobs.py [--engine pgqueuer] [kill …]`.

A database of its own, a producer that enqueues in transactions, consumer processes that it kills. PgQueuer, measured
for docs/decisions/0112, is not a dependency: `pip install pgqueuer==1.6.0` in an environment that has Meetdeck.

- `kill`: 500 transactions a second, the only consumer killed five times and started again at once;
- `drain`: 100,000 jobs that are due, one consumer, ten lanes and one;
- `fair`: ten receivers of 20 jobs a second each; then one of them takes 15 seconds for each;
- `pooled`: `kill` through PgBouncer in transaction mode.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false
# PgQueuer is not installed where types are checked.

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID, uuid4

import asyncpg

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import migrate
from meetdeck.platform.database import Address, Connection, Database
from meetdeck.platform.process import clock
from meetdeck.platform.work import Jobs, enqueue, enqueue_all

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.databases import read_secrets
from support.pgbouncer import run_pgbouncer

TENANT = UUID("6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
LANES = 10
A_SECOND = 500
KILLS = 5
WORK_SECONDS = 4.0
PATIENCE_SECONDS = 240.0
DEAD_SECONDS = 15.0
IN_WORK = 64
OF_LANE = 4
LEASE = timedelta(seconds=15)
RAN = "create table ran (job_id uuid, at timestamptz not null default clock_timestamp(), process integer)"


def make_id(lane: int) -> UUID:
    """Return a job's id, which ends with its lane."""
    return UUID(int=uuid4().int >> 16 << 16 | lane)


def lane_of(job_id: UUID) -> int:
    """Return the lane of an id."""
    return job_id.int & 0xFFFF


class Engine(Protocol):
    """A system that enqueues jobs and runs them."""

    async def prepare(self, owner: Address, application: Address) -> None:
        """Make what it needs in a migrated database."""

    async def enqueue(self, connection: Connection, job_ids: Sequence[UUID]) -> None:
        """Enqueue in the connection's transaction."""

    async def consume(self, database: Database, address: Address, handler: "Recorder") -> None:
        """Consume until killed."""


class Recorder:
    """A handler that writes down what ran; for a dead lane it takes its time first."""

    queue = "bench"

    def __init__(self, database: Database, dead_lane: int | None) -> None:
        self._database = database
        self._dead_lane = dead_lane
        self._process = os.getpid()

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> None:  # noqa: ARG002 - a handler's
        """Run a job."""
        if lane_of(job_id) == self._dead_lane:
            await asyncio.sleep(DEAD_SECONDS)
        async with self._database.outside_tenants() as connection:
            await connection.execute("insert into ran (job_id, process) values ($1, $2)", job_id, self._process)


class Own:
    """`platform/work/jobs.py`."""

    async def prepare(self, owner: Address, application: Address) -> None:
        """Make nothing: it came with the schema."""

    async def enqueue(self, connection: Connection, job_ids: Sequence[UUID]) -> None:
        """Enqueue in the connection's transaction."""
        if len(job_ids) == 1:
            await enqueue(connection, "bench", job_ids[0], due_at=clock.now(), lane=str(lane_of(job_ids[0])))
            return
        await enqueue_all(connection, "bench", [(one, str(lane_of(one))) for one in job_ids], due_at=clock.now())

    async def consume(self, database: Database, address: Address, handler: Recorder) -> None:  # noqa: ARG002
        """Consume until killed."""
        await Jobs(database, [handler]).run(clock.now)


class PgQueuer:
    """The library; an entrypoint for each lane, since its limits are of entrypoints."""

    async def prepare(self, owner: Address, application: Address) -> None:
        """Install its tables for the application's role."""
        from pgqueuer.queries import Queries  # noqa: PLC0415 - not installed with us

        connection = await asyncpg.connect(**owner.arguments)
        await Queries.from_asyncpg_connection(connection).install()
        await connection.execute(f"grant all on all tables in schema public to {application.user}")
        await connection.execute(f"grant all on all sequences in schema public to {application.user}")
        await connection.close()

    async def enqueue(self, connection: Connection, job_ids: Sequence[UUID]) -> None:
        """Enqueue in the connection's transaction."""
        from pgqueuer.queries import Queries  # noqa: PLC0415

        names, many = [f"lane{lane_of(one)}" for one in job_ids], len(job_ids)
        await connection.reset_type_codec("jsonb", schema="pg_catalog")  # ours would write its JSON as a string of JSON
        queries = Queries.from_asyncpg_connection(connection)
        await queries.enqueue(names, [one.bytes for one in job_ids], [0] * many, headers=[{}] * many)

    async def consume(self, database: Database, address: Address, handler: Recorder) -> None:
        """Consume until killed."""
        del database
        from pgqueuer.qm import QueueManager  # noqa: PLC0415
        from pgqueuer.queries import Queries  # noqa: PLC0415

        pool = await asyncpg.create_pool(**address.arguments, max_size=10)
        manager = QueueManager(Queries.from_asyncpg_pool(pool))

        async def run(job: Any) -> None:
            await handler.run(TENANT, UUID(bytes=job.payload), clock.now())

        for lane in range(LANES):
            manager.entrypoint(f"lane{lane}", concurrency_limit=OF_LANE)(run)
        await manager.run(batch_size=32, max_concurrent_tasks=IN_WORK, heartbeat_timeout=LEASE)


ENGINES: dict[str, type[Engine]] = {"own": Own, "pgqueuer": PgQueuer}


class Consumer:
    """A consumer process."""

    def __init__(self, engine: str, address: Address, dead_lane: int | None = None) -> None:
        orders = json.dumps({"address": asdict(address), "dead": dead_lane})
        command = [sys.executable, __file__, "--engine", engine, "--consume", orders]
        self.process = subprocess.Popen(command)  # noqa: S603 - ourselves

    def kill(self) -> None:
        """Kill it as an operating system would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Bench:
    """A database, and what was enqueued."""

    def __init__(self, engine: str, database: Database, address: Address) -> None:
        self.name, self.address = engine, address
        self.engine = ENGINES[engine]()
        self.database = database
        self.wanted: dict[UUID, datetime] = {}
        self.is_enough = asyncio.Event()

    async def produce(self, seconds: float, a_second: float, lanes: int = LANES) -> None:
        """Enqueue so many a second, each in a transaction of its own."""
        begun, number, slots = time.monotonic(), 0, asyncio.Semaphore(16)

        async def one(job_id: UUID) -> None:
            try:
                async with self.database.transaction(TENANT) as connection:
                    await self.engine.enqueue(connection, [job_id])
            finally:
                slots.release()
            self.wanted[job_id] = datetime.now(UTC)  # noqa: TID251 - a measurement

        async with asyncio.TaskGroup() as group:
            while (passed := time.monotonic() - begun) < seconds and not self.is_enough.is_set():
                while number < passed * a_second:
                    await slots.acquire()
                    group.create_task(one(make_id(number % lanes)))
                    number += 1
                await asyncio.sleep(0.005)

    async def fill(self, count: int, lanes: int) -> None:
        """Enqueue many in a few transactions."""
        for begin in range(0, count, 2_000):
            ids = [make_id(number % lanes) for number in range(begin, min(count, begin + 2_000))]
            async with self.database.transaction(TENANT) as connection:
                await self.engine.enqueue(connection, ids)
            self.wanted |= dict.fromkeys(ids, datetime.now(UTC))  # noqa: TID251

    async def count_ran(self) -> int:
        """Return how many jobs have run."""
        async with self.database.outside_tenants() as connection:
            return await connection.fetchval("select count(distinct job_id) from ran")

    async def wait_for(self, process: int) -> None:
        """Wait until a process has run a job."""
        async with self.database.outside_tenants() as connection:
            while not await connection.fetchval("select exists (select from ran where process = $1)", process):  # noqa: ASYNC110 - another process's
                await asyncio.sleep(0.1)

    async def wait_until_done(self, seconds: float) -> dict[UUID, list[datetime]]:
        """Wait until all that was enqueued has run, but no longer; return when each ran."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and await self.count_ran() < len(self.wanted):  # noqa: ASYNC110 - another process's
            await asyncio.sleep(0.1)
        ran: dict[UUID, list[datetime]] = {}
        async with self.database.outside_tenants() as connection:
            for row in await connection.fetch("select job_id, at from ran order by at"):
                ran.setdefault(row["job_id"], []).append(row["at"])
        return ran

    def list_delays(self, ran: dict[UUID, list[datetime]]) -> list[float]:
        """Return how many ms after its commit each ran first, in order."""
        wanted = [(one, at) for one, at in self.wanted.items() if one in ran]
        return sorted(max(0.0, (ran[one][0] - at).total_seconds() * 1000) for one, at in wanted) or [0.0]


async def kill(bench: Bench) -> dict[str, Any]:
    """Kill the only consumer again and again while the producer goes on, each after some seconds of work."""
    producing = asyncio.create_task(bench.produce(PATIENCE_SECONDS, A_SECOND))
    for _ in range(KILLS):
        consumer = Consumer(bench.name, bench.address)
        await bench.wait_for(consumer.process.pid)
        await asyncio.sleep(WORK_SECONDS)
        consumer.kill()
    consumer = Consumer(bench.name, bench.address)
    await bench.wait_for(consumer.process.pid)
    bench.is_enough.set()
    await producing
    ran = await bench.wait_until_done(PATIENCE_SECONDS)
    consumer.kill()
    return report(bench, ran)


def report(bench: Bench, ran: dict[UUID, list[datetime]]) -> dict[str, Any]:
    """Return the results of the jobs."""
    delays = bench.list_delays(ran)
    return {
        "enqueued": len(bench.wanted),
        "lost": len(bench.wanted.keys() - ran.keys()),
        "done twice": sum(len(times) > 1 for times in ran.values()),
        "delay p50 ms": round(delays[len(delays) // 2]),
        "p95 ms": round(delays[int(len(delays) * 0.95)]),
        "longest s": round(delays[-1] / 1000, 1),
    }


async def drain(bench: Bench) -> dict[str, Any]:
    """Drain 100,000 that are due."""
    told: dict[str, Any] = {}
    for lanes in (LANES, 1):
        async with bench.database.outside_tenants() as connection:
            await connection.execute("delete from ran")
        bench.wanted.clear()
        await bench.fill(100_000 if lanes > 1 else 20_000, lanes)
        consumer = Consumer(bench.name, bench.address)
        while await bench.count_ran() == 0:  # noqa: ASYNC110 - another process's
            await asyncio.sleep(0.02)
        begun, first = time.monotonic(), await bench.count_ran()
        while (count := await bench.count_ran()) < len(bench.wanted) and time.monotonic() - begun < PATIENCE_SECONDS:  # noqa: ASYNC110 - another process's
            await asyncio.sleep(0.2)
        told[f"a second, {lanes} lanes"] = round((count - first) / (time.monotonic() - begun))
        consumer.kill()
    return told


async def fair(bench: Bench) -> dict[str, Any]:
    """Measure nine receivers beside a tenth that lives, and beside one that is dead."""
    told: dict[str, Any] = {}
    for name, dead in (("all live", None), ("one dead", 0)):
        async with bench.database.outside_tenants() as connection:
            await connection.execute("delete from ran")
        bench.wanted.clear()
        consumer = Consumer(bench.name, bench.address, dead)
        await bench.fill(LANES, LANES)
        await bench.wait_until_done(60)
        bench.wanted.clear()
        await bench.produce(20, 200)
        await asyncio.sleep(2)
        bench.wanted = {one: at for one, at in bench.wanted.items() if lane_of(one)}
        told[name] = report(bench, await bench.wait_until_done(0))
        consumer.kill()
        await asyncio.sleep(LEASE.total_seconds() + 1)
    return told


@asynccontextmanager
async def open_bench(engine: str, *, pooled: bool) -> AsyncGenerator[Bench]:
    """Lend a new database, migrated, with one firm."""
    place = tempfile.TemporaryDirectory(prefix="meetdeck-bench-", dir="/dev/shm", ignore_cleanup_errors=True)
    with place as folder, EmbeddedPostgres(Path(folder) / "postgres") as endpoint:
        await migrate(endpoint.owner)
        owner = await endpoint.owner.connect()
        await owner.execute(RAN)
        await owner.execute(f"grant all on ran to {endpoint.app.user}")
        await owner.close()
        await ENGINES[engine]().prepare(endpoint.owner, endpoint.app)
        async with Database(endpoint.app, connections=16) as database:
            async with database.transaction(TENANT) as connection:
                await connection.execute("insert into tenant (tenant_id, name) values ($1, 'Firm')", TENANT)
            if not pooled:
                yield Bench(engine, database, endpoint.app)
                return
            secrets = await read_secrets(endpoint.superuser)
            with run_pgbouncer(endpoint.socket_dir, secrets) as port:
                yield Bench(engine, database, replace(endpoint.app, host="127.0.0.1", port=port))


PARTS = {"kill": kill, "drain": drain, "fair": fair, "pooled": kill}


async def measure(engine: str, parts: Sequence[str]) -> None:
    """Run each part on a new database, and print its report."""
    for part in parts or PARTS:
        async with open_bench(engine, pooled=part == "pooled") as bench:
            print(f"{engine:9} {part:7} {json.dumps(await PARTS[part](bench))}", flush=True)


async def consume(engine: str, orders: dict[str, Any]) -> None:
    """Be a consumer."""
    address = Address(**orders["address"])
    async with Database(address, connections=10) as database:
        await ENGINES[engine]().consume(database, address, Recorder(database, orders["dead"]))


def main() -> None:
    """Measure, or consume for who measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=ENGINES, default="own")
    parser.add_argument("--consume", type=json.loads, help=argparse.SUPPRESS)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    arguments = parser.parse_args()
    with suppress(KeyboardInterrupt):
        if arguments.consume:
            asyncio.run(consume(arguments.engine, arguments.consume))
        else:
            asyncio.run(measure(arguments.engine, arguments.parts))


if __name__ == "__main__":
    main()
