"""Leases: one holder at a time, for as long as it works, and hardly longer when it is killed."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncGenerator
from datetime import timedelta
from uuid import UUID

import pytest
import pytest_asyncio
import time_machine

from meetdeck.demo.firm import FIRMS, FJORD, NORDLYS, add_firm
from meetdeck.platform.database import Address, Database
from meetdeck.platform.process import clock
from meetdeck.platform.work import Leases, run_periodically

SHORT = timedelta(seconds=2)
"""These tests are about time: a holder renews a lease within a third of its length, on a busy machine, too."""
TENANT = NORDLYS.tenant_id


@pytest_asyncio.fixture
async def leases(database: Database) -> Leases:
    for firm in FIRMS:
        async with database.transaction(firm.tenant_id) as connection:
            await add_firm(connection, firm)
    return Leases(database, length=SHORT)


@pytest_asyncio.fixture
async def others(leases: Leases, addresses: tuple[Address, Address]) -> AsyncGenerator[Leases]:
    """Lend the leases as another process sees them."""
    del leases
    async with Database(addresses[1], connections=2) as database:
        yield Leases(database, length=SHORT)


async def is_free(leases: Leases, name: str = "work", tenant_id: UUID = TENANT) -> bool:
    async with leases.hold(tenant_id, name) as is_ours:
        return is_ours


async def count_rows(database: Database) -> int:
    async with database.transaction(TENANT) as connection:
        return await connection.fetchval("select count(*) from lease")


async def test_a_lease_has_one_holder_at_a_time(leases: Leases, others: Leases, database: Database) -> None:
    async with leases.hold(TENANT, "work") as is_ours:
        assert is_ours
        assert not await is_free(others)
        assert not await is_free(leases)
    assert await is_free(others)
    assert await count_rows(database) == 0


@pytest.mark.parametrize("hours", [1, -1])
async def test_whose_clock_is_an_hour_off_takes_nothing_away(hours: int, leases: Leases, others: Leases) -> None:
    async with leases.hold(TENANT, "work"):
        with time_machine.travel(clock.now() + timedelta(hours=hours)):
            assert not await is_free(others)


async def test_of_many_who_ask_at_once_one_gets_it(leases: Leases, others: Leases) -> None:
    at_work, most_at_work, holders = 0, 0, 0

    async def work(mine: Leases) -> None:
        nonlocal at_work, most_at_work, holders
        async with mine.hold(TENANT, "work") as is_ours:
            holders += is_ours
            at_work += is_ours
            most_at_work = max(most_at_work, at_work)
            await asyncio.sleep(0.05)
            at_work -= is_ours

    await asyncio.gather(*(work(mine) for mine in (leases, others) for _ in range(10)))
    assert most_at_work == 1
    assert holders >= 1


async def test_a_lease_is_for_one_work_of_one_tenant(leases: Leases) -> None:
    async with leases.hold(TENANT, "work"):
        assert await is_free(leases, "other work")
        assert await is_free(leases, tenant_id=FJORD.tenant_id)


async def test_a_holder_that_works_longer_than_the_lease_keeps_it(leases: Leases, others: Leases) -> None:
    async with leases.hold(TENANT, "work"):
        for _ in range(4):
            await asyncio.sleep(SHORT.total_seconds() / 3)
            assert not await is_free(others)


async def test_a_work_that_fails_gives_it_back(leases: Leases, others: Leases) -> None:
    with pytest.raises(ValueError, match="no good"):
        async with leases.hold(TENANT, "work"):
            raise ValueError("no good")
    assert await is_free(others)


HOLDER = """
import asyncio, json, sys
from datetime import timedelta
from uuid import UUID
from meetdeck.platform.database import Address, Database
from meetdeck.platform.work import Leases

async def hold():
    async with Database(Address(**json.loads(sys.argv[1]))) as database:
        async with Leases(database, length=timedelta(seconds=2)).hold(UUID(sys.argv[2]), "work") as is_ours:
            print(is_ours, flush=True)
            await asyncio.sleep(60)

asyncio.run(hold())
"""


@pytest.mark.thorough
async def test_the_next_takes_over_from_a_process_that_was_killed(
    others: Leases, addresses: tuple[Address, Address]
) -> None:
    command = (sys.executable, "-c", HOLDER, json.dumps(addresses[1].arguments), str(TENANT))
    holder = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert await holder.stdout.readline() == b"True\n"
    await asyncio.sleep(1.25 * SHORT.total_seconds())
    assert not await is_free(others)
    holder.kill()
    await holder.wait()
    async with asyncio.timeout(30):
        while not await is_free(others):  # noqa: ASYNC110 - nobody tells that a lease runs out
            await asyncio.sleep(0.02)


async def test_what_killed_holders_left_is_forgotten(leases: Leases, database: Database) -> None:
    async with database.transaction(TENANT) as connection:
        await connection.execute(
            "insert into lease select current_tenant(), 'old ' || n, gen_random_uuid(), clock_timestamp()"
            " from generate_series(1, 5) as n"
        )
    assert await is_free(leases)
    assert await count_rows(database) == 0


async def test_no_connection_is_held_meanwhile(others: Leases) -> None:
    async with others.hold(TENANT, "a"), others.hold(TENANT, "b"), others.hold(TENANT, "c"):  # of two connections
        assert await is_free(others, "d")


async def test_while_the_database_does_not_answer_everybody_gets_one(addresses: tuple[Address, Address]) -> None:
    async with Database(addresses[1], connections=1) as database:
        leases = Leases(database, length=SHORT)
    async with leases.hold(TENANT, "work") as is_ours:
        assert is_ours
        assert await is_free(leases)


async def count_work(leases: Leases, done: list[str], name: str) -> None:
    async def work() -> None:
        done.append(name)
        await asyncio.sleep(0.05)
        raise ValueError("it failed, and waits for the next time all the same")

    await run_periodically("work", work, leases, first_seconds=0, every_seconds=0.2)


async def test_regular_work_is_done_by_one_process_in_each_interval(leases: Leases, others: Leases) -> None:
    done: list[str] = []
    running = [asyncio.create_task(count_work(each, done, name)) for each, name in ((leases, "one"), (others, "two"))]
    await asyncio.sleep(1.5)
    for task in running:
        assert not task.done(), task.result()
        task.cancel()
    await asyncio.wait(running)
    assert 2 <= len(done) <= 7


async def test_regular_work_goes_on_in_another_process_when_one_is_killed(leases: Leases, database: Database) -> None:
    first = min((firm.tenant_id for firm in FIRMS), key=str)
    async with database.transaction(first) as connection:  # a process that was killed renews nothing
        await connection.execute(
            "insert into lease values (current_tenant(), 'work', gen_random_uuid(), clock_timestamp() + $1)", SHORT
        )
    done: list[str] = []
    running = asyncio.create_task(count_work(leases, done, "next"))
    await asyncio.sleep(SHORT.total_seconds() / 2)
    assert not done
    await asyncio.sleep(2 * SHORT.total_seconds())
    assert done
    running.cancel()
    await asyncio.wait([running])


async def test_regular_work_that_is_stopped_may_be_begun_again_at_once(leases: Leases, others: Leases) -> None:
    async def be_stopped() -> None:
        async with leases.hold_for_all("work", rest=timedelta(hours=1)) as is_ours:
            assert is_ours
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await be_stopped()
    async with others.hold_for_all("work", rest=timedelta(hours=1)) as is_ours:
        assert is_ours
    async with leases.hold_for_all("work", rest=timedelta(hours=1)) as is_ours:
        assert not is_ours


async def test_regular_work_is_done_as_soon_as_there_is_a_tenant_also_without_a_key(database: Database) -> None:
    leases = Leases(database, length=SHORT)
    async with leases.hold_for_all("work", rest=SHORT) as is_ours:
        assert not is_ours  # nothing is there to work on
    async with database.transaction(TENANT) as connection:
        await connection.execute("insert into tenant (tenant_id, name) values (current_tenant(), 'New')")
    async with leases.hold_for_all("work", rest=SHORT) as is_ours:
        assert is_ours
