"""The end of a process by a signal that arrives at the worst moment: in order, and without a word too many."""

import signal
import subprocess
import sys
from dataclasses import asdict

import msgspec
import pytest

from meetdeck.platform.database import Address

# The signal arrives as the coroutine is made that closes a pool's connection, and again for the next one.
ENDED_WHILE_CLOSING = """
import os, signal, sys
import msgspec
import uvloop
import asyncpg
from meetdeck.platform.database import Address, Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.signals import Runner, die_by_signals

number = int(sys.argv[2])
close = asyncpg.Connection.close

def interrupted(connection):
    closing = close(connection)
    os.kill(os.getpid(), number)
    return closing

asyncpg.Connection.close = interrupted
for one in (signal.SIGINT, signal.SIGTERM):  # whatever the shell that runs the tests ignores
    signal.signal(one, signal.default_int_handler)

async def set_up(address):
    async with Database(address, connections=2):
        raise SetupError("LibreOffice is missing.")

try:
    with Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(set_up(msgspec.json.decode(sys.argv[1], type=Address)))
except SetupError as error:
    sys.exit(str(error))
except KeyboardInterrupt:
    sys.exit("interrupted")
finally:
    die_by_signals()
"""

ENDED_WHILE_WORKING = """
import asyncio, os, signal, sys
from meetdeck.platform.process.signals import Runner, handling

ended = []

async def main(number):
    with handling({number: lambda: ended.append("served")}):
        os.kill(os.getpid(), number)
        while not ended:
            await asyncio.sleep(0.01)
    try:
        os.kill(os.getpid(), number)
        ended.append("goes on")  # not between these two lines
        await asyncio.Event().wait()
    finally:
        try:
            os.kill(os.getpid(), number)
            await asyncio.Event().wait()  # closing that takes for ever is left, too
        finally:
            ended.append("closed")

for one in (signal.SIGINT, signal.SIGTERM):  # whatever the shell that runs the tests ignores
    signal.signal(one, signal.default_int_handler)
try:
    with Runner() as runner:
        runner.run(main(int(sys.argv[1])))
except KeyboardInterrupt:
    print(*ended, sep=", ")
"""


def run(program: str, *arguments: str) -> tuple[str, str]:
    ended = subprocess.run(  # noqa: S603 - this very Python
        [sys.executable, "-X", "dev", "-c", program, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    return ended.stdout.strip(), ended.stderr.strip()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_while_a_failed_set_up_closes_its_pool_adds_no_line(
    application: Address, number: signal.Signals
) -> None:
    address = msgspec.json.encode(asdict(application)).decode()
    _, errors = run(ENDED_WHILE_CLOSING, address, str(int(number)))
    assert errors in {"LibreOffice is missing.", "interrupted"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_no_step_in_its_middle_and_what_is_open_is_closed(number: signal.Signals) -> None:
    assert run(ENDED_WHILE_WORKING, str(int(number))) == ("served, goes on, closed", "")
