"""The primary dies, falls silent, hands over and comes back under load, in an arrangement made from deploy/ha.

`make failover` runs it: minutes. It needs what docs/operations/high-availability.md installs, and root.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable

import pytest
import pytest_asyncio

from meetdeck.platform.process.threads import run_in_thread
from support.failover.arrangement import Arrangement
from support.failover.machines import Cluster, find_missing
from support.failover.outcomes import Holds, Moments, Outcome, conclude, divide_by_bookings

MISSING = find_missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

QUIET_SECONDS = 3.0
LOST_SECONDS, SWITCHED_SECONDS = 30.0, 5.0
Tell = Callable[[Outcome], None]
Failure = Callable[[Cluster], Callable[[], None] | None]
"""It lets the primary fail, and returns how it comes back, if it does not by itself."""


@pytest_asyncio.fixture(scope="module")
async def arrangement(request: pytest.FixtureRequest, a_second: float) -> AsyncGenerator[Arrangement]:
    """Lend machines whose way to the database is one of two."""
    async with Arrangement.run(request.param, a_second) as arrangement:
        yield arrangement


async def fail(arrangement: Arrangement, scenario: str, failure: Failure) -> Outcome:
    """Run callers while the primary fails and comes back; return the outcomes of their bookings."""
    holds, callers = Holds(arrangement), arrangement.callers
    await holds.take()
    async with callers.busy():
        await asyncio.sleep(2)
        taken, begun_at = arrangement.measure_processor(), time.monotonic()
        await asyncio.sleep(QUIET_SECONDS)
        failed_at = time.monotonic()
        before = callers.count_acknowledged(begun_at, failed_at)
        milliseconds = divide_by_bookings(taken, arrangement.measure_processor(), before)
        back = await run_in_thread(lambda: failure(arrangement.cluster))
        await callers.wait_until_served(QUIET_SECONDS, before / (failed_at - begun_at))
        back_at = None
        if back is not None:
            back_at = time.monotonic()
            await run_in_thread(back)
        await run_in_thread(arrangement.cluster.wait_until_whole)
        await asyncio.sleep(QUIET_SECONDS)
    return await conclude(arrangement, scenario, Moments(begun_at, failed_at, back_at), milliseconds, holds)


def kill(cluster: Cluster) -> Callable[[], None]:
    primary = cluster.get_primary()
    primary.kill()
    return primary.start


def unplug(cluster: Cluster) -> Callable[[], None]:
    primary = cluster.get_primary()
    primary.freeze()
    return primary.thaw


def switch_over(cluster: Cluster) -> None:
    cluster.switch_over()


@pytest.mark.parametrize(
    ("scenario", "failure", "longest_seconds"),
    [
        ("kill -9", kill, LOST_SECONDS),
        ("unplugged", unplug, LOST_SECONDS),
        ("switchover", switch_over, SWITCHED_SECONDS),
    ],
)
async def test_a_primary_fails_and_comes_back(
    arrangement: Arrangement, scenario: str, failure: Failure, longest_seconds: float, times: int, tell: Tell
) -> None:
    outcomes: list[Outcome] = []
    for _ in range(times):
        outcomes.append(await fail(arrangement, scenario, failure))
        tell(outcomes[-1])
    for outcome in outcomes:
        outcome.require_nothing_lost()
        assert outcome.outage_seconds < longest_seconds
