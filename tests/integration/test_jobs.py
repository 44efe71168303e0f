"""Jobs: each is done, by one process at a time, when it is due, whatever fails or dies (docs/decisions/0112)."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from asyncpg import PostgresError

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.work import Jobs, cancel, enqueue, enqueue_all, read_backlog
from support.fakes import MONDAY_MORNING, HandClock

NOW = MONDAY_MORNING
SECOND = timedelta(seconds=1)
FIRM = NORDLYS.tenant_id
_WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


class Bench:
    """A handler that writes down what it ran."""

    queue = "bench"

    def __init__(self, *, again: datetime | None = None, fails: int = 0) -> None:
        self.ran: list[tuple[UUID, UUID]] = []
        self.again, self.fails = again, fails

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:  # noqa: ARG002
        self.ran.append((tenant_id, job_id))
        if self.fails:
            self.fails -= 1
            raise RuntimeError("it broke")
        again, self.again = self.again, None
        return again


async def add(database: Database, *, due_at: datetime = NOW, tenant_id: UUID = FIRM, lane: str = "") -> UUID:
    job_id = uuid4()
    async with database.transaction(tenant_id) as connection:
        await enqueue(connection, "bench", job_id, due_at=due_at, lane=lane)
    return job_id


async def count(database: Database) -> int:
    async with database.transaction(FIRM) as connection:
        return await connection.fetchval("select count(*) from job")


async def test_each_firms_jobs_are_done_once_they_are_due(firms: Database) -> None:
    bench, clock = Bench(), HandClock(NOW)
    first, later = await add(firms), await add(firms, due_at=NOW + SECOND)
    other = await add(firms, tenant_id=FJORD.tenant_id)
    jobs = Jobs(firms, [bench])
    await jobs.run_due(clock)
    assert set(bench.ran) == {(FIRM, first), (FJORD.tenant_id, other)}
    clock.advance(seconds=1)
    await jobs.run_due(clock)
    assert bench.ran[2:] == [(FIRM, later)]
    assert await count(firms) == 0


async def test_what_is_rolled_back_is_no_job(firms: Database) -> None:
    bench = Bench()
    with suppress(PostgresError):
        async with firms.transaction(FIRM) as connection:
            await enqueue(connection, "bench", uuid4(), due_at=NOW)
            await connection.execute("select 1 / 0")
    await Jobs(firms, [bench]).run_due(HandClock(NOW))
    assert bench.ran == []


async def test_enqueueing_again_moves_a_job_and_cancelling_ends_it(firms: Database) -> None:
    bench, clock = Bench(), HandClock(NOW)
    moved, ended = await add(firms), await add(firms)
    async with firms.transaction(FIRM) as connection:
        await enqueue(connection, "bench", moved, due_at=NOW + 5 * SECOND)
        await cancel(connection, "bench", ended)
    jobs = Jobs(firms, [bench])
    await jobs.run_due(clock)
    assert bench.ran == []
    clock.advance(seconds=5)
    await jobs.run_due(clock)
    assert bench.ran == [(FIRM, moved)]


async def test_a_handler_says_when_to_run_it_again(firms: Database) -> None:
    bench, clock = Bench(again=NOW + 5 * SECOND), HandClock(NOW)
    await add(firms)
    jobs = Jobs(firms, [bench])
    for seconds, runs in ((0, 1), (4, 1), (1, 2), (60, 2)):
        clock.advance(seconds=seconds)
        await jobs.run_due(clock)
        assert len(bench.ran) == runs


async def test_one_that_fails_is_tried_again_after_growing_pauses(firms: Database) -> None:
    bench, clock = Bench(fails=3), HandClock(NOW)
    await add(firms)
    jobs = Jobs(firms, [bench])
    for seconds, runs in ((0, 1), (4, 1), (1, 2), (9, 2), (1, 3), (20, 4), (3600, 4)):
        clock.advance(seconds=seconds)
        await jobs.run_due(clock)
        assert len(bench.ran) == runs
    assert await count(firms) == 0


async def test_one_that_is_enqueued_while_it_is_in_work_is_run_once_more(firms: Database) -> None:
    clock = HandClock(NOW)

    class Again(Bench):
        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
            if not self.ran:
                async with firms.transaction(tenant_id) as connection:
                    await enqueue(connection, "bench", job_id, due_at=now)
            return await super().run(tenant_id, job_id, now)

    bench = Again()
    await add(firms)
    await Jobs(firms, [bench]).run_due(clock)
    assert len(bench.ran) == 2
    assert await count(firms) == 0


async def test_a_job_of_a_killed_process_is_run_by_another_when_its_lease_ends(firms: Database) -> None:
    clock, begun = HandClock(NOW), asyncio.Event()

    class Stuck(Bench):
        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:  # noqa: ARG002
            begun.set()
            await asyncio.sleep(3600)
            return None

    job_id, bench = await add(firms), Bench()
    killed = asyncio.create_task(Jobs(firms, [Stuck()]).run_due(clock))
    await begun.wait()
    other = Jobs(firms, [bench])
    await other.run_due(clock)
    assert bench.ran == []
    clock.advance(seconds=16)  # nobody renews it
    await other.run_due(clock)
    assert bench.ran == [(FIRM, job_id)]
    killed.cancel()


async def test_one_whose_lease_ended_while_it_is_in_work_is_not_begun_again(firms: Database) -> None:
    """No lease is renewed while the database is away, and a failover may take longer than a lease."""
    clock, release, begun = HandClock(NOW), asyncio.Event(), asyncio.Queue[UUID]()

    class Slow(Bench):
        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:  # noqa: ARG002
            begun.put_nowait(job_id)
            await release.wait()
            return None

    jobs = Jobs(firms, [Slow()])
    running: list[asyncio.Task[None]] = []
    for _ in range(2):
        job_id = await add(firms)
        running.append(asyncio.create_task(jobs.run_due(clock)))
        assert await begun.get() == job_id
        clock.advance(seconds=16)
    release.set()
    await asyncio.gather(*running)
    assert begun.empty()
    assert await count(firms) == 0


async def test_a_slow_lane_holds_up_no_other(firms: Database) -> None:
    clock, release = HandClock(NOW), asyncio.Event()

    class Slow(Bench):
        def __init__(self) -> None:
            super().__init__()
            self.begun = 0
            self.all_done = asyncio.Event()

        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
            if job_id in dead:
                self.begun += 1
                await release.wait()
            again = await super().run(tenant_id, job_id, now)
            if len(self.ran) == len(living):
                self.all_done.set()
            return again

    dead = {await add(firms, lane="dead", due_at=NOW - SECOND) for _ in range(20)}
    living = [await add(firms, lane=str(number % 3)) for number in range(30)]
    bench = Slow()
    running = asyncio.create_task(Jobs(firms, [bench], most_of_lane=4).run(clock))
    async with asyncio.timeout(20):
        await bench.all_done.wait()
    assert {job_id for _, job_id in bench.ran} == {*living}
    assert bench.begun == 4
    release.set()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_a_lane_with_much_to_do_holds_up_no_other(firms: Database) -> None:
    bench, clock = Bench(), HandClock(NOW)
    async with firms.transaction(FIRM) as connection:
        await enqueue_all(connection, "bench", [(uuid4(), "long") for _ in range(700)], due_at=NOW - SECOND)
    short = await add(firms, lane="short", due_at=NOW)
    await Jobs(firms, [bench]).run_due(clock)
    assert bench.ran.index((FIRM, short)) < 100
    assert len(bench.ran) == 701


async def test_a_job_that_ends_within_seconds_of_an_order_to_end_is_done(firms: Database) -> None:
    begun, release = asyncio.Event(), asyncio.Event()

    class Slow(Bench):
        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
            begun.set()
            await release.wait()
            return await super().run(tenant_id, job_id, now)

    bench = Slow()
    await add(firms)
    running = asyncio.create_task(Jobs(firms, [bench]).run(HandClock(NOW)))
    await begun.wait()
    running.cancel()
    await asyncio.sleep(0.1)
    release.set()
    await asyncio.gather(running, return_exceptions=True)
    assert len(bench.ran) == 1
    assert await count(firms) == 0


async def test_several_processes_do_each_job_once(firms: Database) -> None:
    bench, clock = Bench(), HandClock(NOW)
    added = [await add(firms, lane=str(number % 5)) for number in range(60)]
    await asyncio.gather(*(Jobs(firms, [bench]).run_due(clock) for _ in range(3)))
    assert sorted(job_id for _, job_id in bench.ran) == sorted(added)


async def test_a_process_takes_nothing_that_another_is_taking(firms: Database) -> None:
    added = {await add(firms, lane=str(number)) for number in range(4)}

    async def take(connection: Connection, by: UUID) -> set[UUID]:
        arguments = (["bench"], NOW, NOW + 15 * SECOND, by, 20, 4, 20)
        rows = await connection.fetch("select job_id from take_jobs($1, $2, $3, $4, $5, $6, $7)", *arguments)
        return {row["job_id"] for row in rows}

    async with firms.outside_tenants() as another, firms.outside_tenants() as observer:
        async with firms.outside_tenants() as one, one.transaction():
            assert await take(one, uuid4()) == added
            taking = asyncio.create_task(take(another, uuid4()))
            async with asyncio.timeout(10):
                while not taking.done() and not await observer.fetchval(_WAITING):  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(0.01)
        assert await taking == set()


async def test_the_backlog_tells_what_waits(firms: Database) -> None:
    await add(firms, due_at=NOW - 30 * SECOND)
    await add(firms)
    await add(firms, due_at=NOW + SECOND)
    async with firms.outside_tenants() as connection:
        (backlog,) = await read_backlog(connection, NOW)
    assert backlog == ("bench", 2, NOW - 30 * SECOND, 0)


class Stuck:
    """A handler whose jobs of one firm never end, and those of others at once."""

    def __init__(self, queue: str, stuck: UUID | None = None) -> None:
        self.queue = queue
        self.begun = Counter[UUID]()
        self.done = Counter[UUID]()
        self.stirred = asyncio.Condition()
        self._stuck = stuck

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:  # noqa: ARG002
        await self._count(self.begun, tenant_id)
        if tenant_id == self._stuck:
            await asyncio.Event().wait()
        await self._count(self.done, tenant_id)
        return None

    async def wait(self, is_reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(20), self.stirred:
            await self.stirred.wait_for(is_reached)

    async def _count(self, counts: Counter[UUID], tenant_id: UUID) -> None:
        async with self.stirred:
            counts[tenant_id] += 1
            self.stirred.notify_all()


@asynccontextmanager
async def run(jobs: Jobs) -> AsyncGenerator[None]:
    running = asyncio.create_task(jobs.run(HandClock(NOW)))
    yield
    running.cancel()
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()  # what never ends is not waited for
    await asyncio.gather(running, return_exceptions=True)


async def add_all(database: Database, queue: str, tenant_id: UUID, lanes: Sequence[str]) -> None:
    async with database.transaction(tenant_id) as connection:
        await enqueue_all(connection, queue, [(uuid4(), lane) for lane in lanes], due_at=NOW)


async def test_slow_receivers_of_one_firm_hold_up_no_other_firm_and_no_mail(firms: Database) -> None:
    webhooks, mails, other = Stuck("webhooks", FIRM), Stuck("mails"), FJORD.tenant_id
    await add_all(firms, "webhooks", FIRM, [str(number) for number in range(90)] * 2)
    async with run(Jobs(firms, [mails], outside=[webhooks], most_in_work=64)):
        await webhooks.wait(lambda: webhooks.begun[FIRM] == 8)  # a quarter of the half
        await add_all(firms, "webhooks", other, [""] * 30)
        await add_all(firms, "mails", FIRM, [""] * 30)
        await webhooks.wait(lambda: webhooks.done[other] == 30)
        await mails.wait(lambda: mails.done[FIRM] == 30)
        assert webhooks.begun[FIRM] == 8


async def test_webhooks_of_all_firms_together_leave_half_of_the_places(firms: Database) -> None:
    class AllStuck(Stuck):
        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
            self._stuck = tenant_id
            return await super().run(tenant_id, job_id, now)

    webhooks, mails = AllStuck("webhooks"), Stuck("mails")
    others = [uuid4() for _ in range(5)]
    for firm in others:
        async with firms.transaction(firm) as connection:
            await connection.execute("insert into tenant (tenant_id, name) values ($1, 'Firm')", firm)
        await add_all(firms, "webhooks", firm, [str(number) for number in range(10)])
    async with run(Jobs(firms, [mails], outside=[webhooks], most_in_work=32)):
        await webhooks.wait(lambda: webhooks.begun.total() == 16)
        await add_all(firms, "mails", FIRM, [""] * 40)
        await mails.wait(lambda: mails.done[FIRM] == 40)
        assert webhooks.begun.total() == 16
        assert max(webhooks.begun.values()) == 4


async def test_however_many_receivers_of_a_firm_are_slow_there_is_room_for_another(firms: Database) -> None:
    class SlowLanes(Stuck):
        async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
            self._stuck = tenant_id if job_id in dead else None
            return await super().run(tenant_id, job_id, now)

    webhooks, dead = SlowLanes("webhooks"), set[UUID]()
    for lane in range(10):  # they begin to be slow one after the other
        slow = [(uuid4(), f"slow {lane}") for _ in range(20)]
        dead |= {job_id for job_id, _ in slow}
        async with firms.transaction(FIRM) as connection:
            await enqueue_all(connection, "webhooks", slow, due_at=NOW - SECOND)
    async with run(Jobs(firms, [], outside=[webhooks])):
        await webhooks.wait(lambda: webhooks.begun[FIRM] >= 20)
        await add_all(firms, "webhooks", FIRM, ["quick"] * 30)
        await webhooks.wait(lambda: webhooks.done[FIRM] == 30)
