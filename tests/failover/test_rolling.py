"""Two machines behind the balancer of deploy/ha are upgraded and restarted, one after the other: no request fails."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from meetdeck.platform.process.threads import run_in_thread
from support.failover.arrangement import Arrangement, start, stop
from support.failover.machines import find_missing
from support.failover.outcomes import Holds, Moments, Outcome, conclude, divide_by_bookings
from support.releases import LATEST_RELEASE, MISSING, unpack_previous_release

MISSING_PROGRAMS = find_missing()
pytestmark = pytest.mark.skipif(MISSING_PROGRAMS is not None, reason=str(MISSING_PROGRAMS))

QUIET_SECONDS = 3.0
Tell = Callable[[Outcome], None]


async def restart_each(arrangement: Arrangement) -> None:
    """Restart one machine after the other, as docs/operations/upgrade.md says."""
    for number, machine in enumerate(arrangement.machines, start=1):
        await run_in_thread(stop, machine)
        machine.settings.pop("PYTHONPATH", None)
        await run_in_thread(start, arrangement.network, machine, number)
        await asyncio.sleep(QUIET_SECONDS)  # until the balancer has seen it


async def upgrade(arrangement: Arrangement) -> None:
    """Migrate beside the latest release, and restart each machine as this one."""
    machine = arrangement.machines[0]
    source = machine.settings.pop("PYTHONPATH")
    migrated = await run_in_thread(machine.command, "migrate")
    assert migrated.returncode == 0, migrated.stderr
    machine.settings["PYTHONPATH"] = source
    await restart_each(arrangement)


async def test_nobody_notices_an_upgrade_and_a_restart_of_two_machines(
    tmp_path: Path, times: int, a_second: float, tell: Tell
) -> None:
    source = unpack_previous_release(tmp_path, LATEST_RELEASE)
    if source is None:
        pytest.skip(MISSING)
    async with Arrangement.run("by HAProxy", a_second, source) as arrangement:
        steps = [("upgrade", upgrade), *[("restart", restart_each)] * times]
        for name, step in steps:
            holds, callers = Holds(arrangement), arrangement.callers
            await holds.take()
            async with callers.busy():
                taken, begun_at = arrangement.measure_processor(), time.monotonic()
                await asyncio.sleep(QUIET_SECONDS)
                restarted_at = time.monotonic()
                before = arrangement.callers.count_acknowledged(begun_at, restarted_at)
                milliseconds = divide_by_bookings(taken, arrangement.measure_processor(), before)
                await step(arrangement)
                await asyncio.sleep(QUIET_SECONDS)
            outcome = await conclude(arrangement, name, Moments(begun_at, restarted_at), milliseconds, holds)
            tell(outcome)
            outcome.require_nothing_lost()
            assert not outcome.refusals
