"""Four processes for which many book joint meetings and series, while some of them are killed and others keep locks.

`MEETDECK_JOINT_ROUNDS=400` goes on for longer.
"""

import asyncio
import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from random import Random

import psutil
import pytest
from asyncpg import DeadlockDetectedError

from meetdeck.platform.database import Connection
from meetdeck.platform.process.threads import run_in_thread
from support.installation import Installation
from support.joint_walkers import ADVISORS, Walkers
from support.servers import call, connect, require_sound

PROCESSES = 4
AT_ONCE = 8
ROUNDS = int(os.environ.get("MEETDECK_JOINT_ROUNDS", "40"))
SEEDS = range(int(os.environ.get("MEETDECK_JOINT_SEEDS", "1")))
BEGIN = datetime(2031, 3, 4, 8, tzinfo=UTC)
QUIET_SECONDS = 240


def kill_one(installation: Installation, chance: Random) -> None:
    """Kill one of the processes, of those that serve or of the one that sends messages (`kill -9`)."""
    with suppress(psutil.NoSuchProcess):
        chance.choice(installation.list_workers()).kill()


def read_errors(installation: Installation) -> str:
    """Return the last errors in the server's log."""
    lines = (installation.data_dir.parent / "serve.log").read_text(encoding="utf-8").splitlines()
    return "\n".join([line for line in lines if '"level":"error"' in line][-5:])


@asynccontextmanager
async def keep_locks(connection: Connection, chance: Random) -> AsyncGenerator[None]:
    """Keep the locks of some people during the block, in one long transaction after another."""

    async def keep() -> None:
        while True:
            with suppress(DeadlockDetectedError):  # which the servers do again
                await keep_some()

    async def keep_some() -> None:
        async with connection.transaction():
            await connection.execute("select lock_resources($1::uuid[])", chance.sample(ADVISORS, 2))
            await asyncio.sleep(chance.uniform(0.1, 1.5))

    task = asyncio.create_task(keep())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@pytest.mark.thorough
@pytest.mark.parametrize("seed", SEEDS)
async def test_nothing_is_booked_twice_or_half_and_everybody_is_told_once(
    installation: Installation, seed: int
) -> None:
    installation.settings["MEETDECK_WORKER_PROCESS"] = "true"
    installation.fill()
    address = await run_in_thread(lambda: installation.start("--workers", str(PROCESSES), "--demo-data"))
    chance = Random(seed)  # noqa: S311 - no secret
    async with connect(installation) as connection, connect(installation) as locking:
        async with call(installation, address, is_elevated=True) as http:
            walkers = Walkers(http, BEGIN, seed)
            await walkers.fill()
            async with keep_locks(locking, chance):
                for _ in range(ROUNDS):
                    acting = asyncio.gather(*(walkers.act() for _ in range(AT_ONCE)))
                    if chance.random() < 0.25:
                        await asyncio.sleep(chance.uniform(0, 0.5))
                        kill_one(installation, chance)
                    try:
                        await acting
                    except AssertionError as error:
                        raise AssertionError(read_errors(installation)) from error
                    await walkers.require_whole(connection)
        quiet_by = time.monotonic() + QUIET_SECONDS
        while not await walkers.is_quiet(connection):
            assert time.monotonic() < quiet_by, "messages still wait"
            await asyncio.sleep(0.2)
        await require_sound(connection)
        await walkers.require_told(connection)
    assert {200, 201, 204, 409} <= set(walkers.statuses)
    assert walkers.lost, "no request met a process that was killed"
