"""`meetdeck worker` beside a server that does nothing but serve: events reach a receiver, also when it is killed."""

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from signal import SIGKILL, SIGTERM
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.threads import run_in_thread
from support.installation import Installation
from support.receivers import Receiver, open_receiver
from support.servers import HOUR, accept, book, call

BEGIN = datetime(2031, 5, 5, 9, tzinfo=UTC)
EMPLOYEES = [str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors]
BOOKINGS = 60


@pytest_asyncio.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    async with open_receiver() as receiver:
        yield receiver


@contextmanager
def work(installation: Installation) -> Generator["subprocess.Popen[bytes]"]:
    """Run `meetdeck worker`; it works when the block begins."""
    with (installation.data_dir.parent / f"worker-{uuid4()}.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "meetdeck", "worker", "--json"],
            env=installation.environment(),
            stdout=subprocess.PIPE,
            stderr=log,
        )
        try:
            assert process.stdout is not None
            said = json.loads(process.stdout.readline())
            assert said["status"] == "working"
            assert "webhooks" in said["queues"]
            yield process
        finally:
            process.kill()
            process.communicate()


async def wait_for(receiver: Receiver, ids: set[str], seconds: float) -> Counter[str]:
    """Return how often each event came, once all bookings have, or after so long."""
    came: Counter[str] = Counter()
    for _ in range(round(seconds * 20)):
        events = [event for event in receiver.events() if event["type"] == "meeting.created"]
        came = Counter(str(event["id"]) for event in events)
        if ids <= {str(event["subject"]).removeprefix("meetings/") for event in events}:
            return came
        await asyncio.sleep(0.05)
    raise AssertionError(f"{len(came)} of {len(ids)} events came")


async def book_all(http: httpx.AsyncClient) -> set[str]:
    made = [
        await book(http, BEGIN + number * HOUR, employeeId=EMPLOYEES[number % len(EMPLOYEES)])
        for number in range(BOOKINGS)
    ]
    return {accept(answer)["id"] for answer in made}


@pytest.mark.thorough
async def test_a_worker_that_is_killed_leaves_no_event_behind_and_one_that_is_ended_ends_well(
    installation: Installation, receiver: Receiver
) -> None:
    installation.settings["MEETDECK_OUTGOING_ALLOW"] = receiver.host
    installation.fill()
    address = await run_in_thread(
        lambda: installation.start("--demo-data", "--only", "present,booking,pages", until="gives a tour")
    )
    async with call(installation, address, is_elevated=True) as http:
        webhook = {"url": receiver.url, "types": ["meeting.created"]}
        accept(await http.post(f"{address}/api/v3/events/webhooks", json=webhook))
        booking = asyncio.create_task(book_all(http))
        with work(installation) as process:
            async with asyncio.timeout(60):
                await receiver.came.wait()
            process.send_signal(SIGKILL)
        ids = await booking
        with work(installation) as process:
            await wait_for(receiver, ids, 40)
            process.send_signal(SIGTERM)
            assert process.wait(20) == 0
        numbers = (await http.get(f"{address}/metrics")).text
    assert 'meetdeck_jobs_due{queue="webhooks"}' in numbers
    assert "meetdeck_events_lag_seconds" in numbers
