"""The alerts on the numbers of a real server: ordinary ones, without a standby, and beside a silent database.

It is scraped about each second, and the alerts are told that it was each quarter of a minute.
"""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx
import pytest

from meetdeck.platform.process.threads import run_in_thread
from support.alerts import list_firing, scrape_evenly
from support.clusters import APP, OWNER, Cluster, run_primary, run_standby
from support.installation import Installation
from support.steady_callers import Callers

pytestmark = pytest.mark.thorough

SCRAPES = 30
"""Seven and a half minutes: most alerts wait for five."""
SECONDS = 1.0


@asynccontextmanager
async def serving(installation: Installation, primary: Cluster, standby: Cluster) -> AsyncGenerator[str]:
    """Serve from both, with callers; a backup was made."""
    installation.settings |= {
        "MEETDECK_DATABASE_URL": primary.url(APP),
        "MEETDECK_DATABASE_OWNER_URL": primary.url(OWNER),
        "MEETDECK_DATABASE_READ_URL": standby.url(APP),
        "MEETDECK_DATABASE_READ_LAG": "2",
    }
    address = await run_in_thread(installation.start, "--migrate", "--demo-data")
    backup = str(installation.data_dir.parent / "backup.tar.gz")
    done = await run_in_thread(installation.command, "backup", backup)
    assert done.returncode == 0, done.stderr
    async with Callers.run(installation, address, a_second=12):
        await asyncio.sleep(11)  # every number has been measured
        yield address


async def list_alerts(address: str) -> set[str]:
    """Scrape for a while; return the alerts that fire on that."""
    begun, texts = time.time(), list[str | None]()
    async with httpx.AsyncClient(base_url=address, timeout=10) as http:
        for _ in range(SCRAPES):
            asked_at = time.monotonic()
            texts.append((await http.get("/metrics")).raise_for_status().text)
            assert time.monotonic() - asked_at < 3
            await asyncio.sleep(SECONDS)
    return list_firing(scrape_evenly(texts, begun))


async def test_alerts_fire_on_the_numbers_of_a_real_run_and_only_then(installation: Installation) -> None:
    with run_primary() as primary, run_standby(primary) as standby:
        async with serving(installation, primary, standby) as address:
            assert await list_alerts(address) == set()
            with primary.silent():
                silent = await list_alerts(address)
            assert silent >= {"MeetdeckNotReady", "MeetdeckErrors", "MeetdeckDatabaseSilent"}
            assert silent <= {
                *("MeetdeckNotReady", "MeetdeckErrors", "MeetdeckDatabaseSilent", "MeetdeckDatabaseBusy"),
                "MeetdeckStandbyBehind",  # how far it is behind is not known then
            }
            await asyncio.sleep(5)
            standby.stop("immediate")
            assert await list_alerts(address) == {"MeetdeckStandbyBehind"}
            standby.start()
            with primary.waiting_for("nobody"):
                assert await list_alerts(address) >= {"MeetdeckNotReady", "MeetdeckErrors"}
