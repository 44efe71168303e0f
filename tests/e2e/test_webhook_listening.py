"""`meetdeck webhooks listen` and `trigger`, beside a service that runs and a receiver on the same machine."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from contextlib import suppress

from standardwebhooks import Webhook

from support.installation import Installation
from support.own_machine import call_elevated
from support.receivers import Receiver, open_receiver

_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
_SECONDS = 60
CHANGED = "configuration.changed"


async def start(installation: Installation, *arguments: str) -> Process:
    """Start a command beside the installation's demo data."""
    ours = {"MEETDECK_DATA_DIR": str(installation.data_dir), "MEETDECK_URL": installation.address}
    environment = os.environ | ours | {"TMPDIR": str(installation.data_dir)}  # apart from other listeners
    command = [sys.executable, "-m", "meetdeck", "webhooks", *arguments]
    return await asyncio.create_subprocess_exec(*command, env=environment, stdout=PIPE, stderr=STDOUT)


async def receive(receiver: Receiver, number: int) -> dict[str, str]:
    """Return the event that the receiver got at a place, once its signature was verified."""
    async with asyncio.timeout(_SECONDS):
        while len(receiver.received) < number:
            receiver.came.clear()
            await receiver.came.wait()
    one = receiver.received[number - 1]
    return Webhook(_SECRET).verify(one.body, one.headers)


async def test_events_reach_ones_own_machine_signed_and_an_example_is_sent_on_demand(running: Installation) -> None:
    async with open_receiver() as receiver, call_elevated(running, running.address) as http:
        address = f"http://127.0.0.1:{receiver.port}/hooks"
        listening = await start(running, "listen", "--forward-to", address, "--types", CHANGED, "--secret", _SECRET)
        try:
            assert listening.stdout is not None
            assert address in (await listening.stdout.readline()).decode()
            triggered = await start(running, "trigger", CHANGED)
            told, _ = await triggered.communicate()
            assert (triggered.returncode, CHANGED.encode() in told) == (0, True), told
            assert (await receive(receiver, 1))["type"] == CHANGED
            assert (await http.post("booking/config/labels", json={"labelName": "Listened to"})).status_code == 201
            happened = await receive(receiver, 2)
            assert happened["type"] == CHANGED
            assert happened["subject"].startswith("configuration/labels/")
        finally:
            with suppress(ProcessLookupError):
                listening.terminate()
            await listening.wait()
