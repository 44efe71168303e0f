"""The primary dies, falls silent, hands over and comes back under load, in an arrangement made from deploy/ha.

`make failover` runs it: minutes. It needs what docs/operations/high-availability.md installs, and root.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable

import pytest
import pytest_asyncio

from meetdeck.platform.process.threads import run_in_thread
from support.failover.arrangement import WAYS, Arrangement
from support.failover.machines import find_missing
from support.failover.outcomes import Holds, Outcome, conclude

MISSING = find_missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

QUIET_SECONDS = 5.0
LOST_SECONDS, SWITCHED_SECONDS = 30.0, 5.0
Tell = Callable[[Outcome], None]


@pytest_asyncio.fixture(scope="module", params=WAYS)
async def arrangement(request: pytest.FixtureRequest, a_second: float) -> AsyncGenerator[Arrangement]:
    """Lend machines whose way to the database is one of two."""
    async with Arrangement.run(request.param, a_second) as arrangement:
        yield arrangement


async def fail(
    arrangement: Arrangement, scenario: str, failure: Callable[[], object], back: Callable[[], None]
) -> Outcome:
    """Run callers while the primary fails and comes back; return the outcomes of their bookings."""
    holds, callers = Holds(arrangement), arrangement.callers
    await holds.take()
    async with callers.busy():
        await asyncio.sleep(1)
        begun_at = time.monotonic()
        await asyncio.sleep(QUIET_SECONDS)
        failed_at = time.monotonic()
        await run_in_thread(failure)
        await callers.wait_until_served(QUIET_SECONDS)
        back()
        await run_in_thread(arrangement.cluster.wait_until_whole)
        await asyncio.sleep(QUIET_SECONDS)
    return await conclude(arrangement, scenario, failed_at, begun_at, holds)


async def test_a_primary_that_is_killed(arrangement: Arrangement, rounds: int, tell: Tell) -> None:
    for _ in range(rounds):
        primary = arrangement.cluster.get_primary()
        outcome = await fail(arrangement, "kill -9", primary.kill, primary.start)
        tell(outcome)
        outcome.require_nothing_lost()
        assert outcome.next_seconds < LOST_SECONDS


async def test_a_primary_that_is_unplugged(arrangement: Arrangement, rounds: int, tell: Tell) -> None:
    for _ in range(rounds):
        primary = arrangement.cluster.get_primary()
        outcome = await fail(arrangement, "unplugged", primary.freeze, primary.thaw)
        tell(outcome)
        outcome.require_nothing_lost()


async def test_a_switchover(arrangement: Arrangement, rounds: int, tell: Tell) -> None:
    for _ in range(rounds):
        outcome = await fail(arrangement, "switchover", arrangement.cluster.switch_over, lambda: None)
        tell(outcome)
        outcome.require_nothing_lost()
        assert outcome.outage_seconds < SWITCHED_SECONDS
