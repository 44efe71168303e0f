"""Events to a webhook's receiver, with workers that are killed: `python benchmarks/events.py [--rate 500] [kill …]`.

A `meetdeck serve` that only serves, `meetdeck worker` beside it, receivers on this machine. Events are written as a
booking writes them, in transactions of their own.

- `kill`: so many events a second, the worker killed five times: those that were committed, and were received;
- `latency`: 20 events a second: ms from the commit to the first POST;
- `drain`: 20,000 events that wait when the worker starts, for ten receivers;
- `dead`: ten receivers, and the same with one that does not answer.
"""

import argparse
import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.changes import EventType, NewEvent, write_event
from meetdeck.platform.database import Database
from meetdeck.platform.process import clock

KILLS = 5
WORK_SECONDS = 4.0
WAITING = 2_000
RECEIVERS = 10
PATIENCE_SECONDS = 300.0
ANSWER = b"HTTP/1.1 204 Thanks\r\nContent-Length: 0\r\n\r\n"
_LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
_ID = re.compile(rb"webhook-id: *(\S+)", re.IGNORECASE)


class Receivers:
    """Receivers on ports of their own; of each event, when it came first, and how often, to each of them."""

    def __init__(self) -> None:
        self.ports: list[int] = []
        self.dead: set[int] = set()
        self.first: dict[tuple[int, str], float] = {}
        self.times: Counter[tuple[int, str]] = Counter()
        self._servers: list[asyncio.Server] = []

    async def open(self, count: int) -> None:
        """Open so many."""
        for place in range(count):
            server = await asyncio.start_server(lambda r, w, place=place: self._receive(place, r, w), "127.0.0.1", 0)
            self._servers.append(server)
            self.ports.append(server.sockets[0].getsockname()[1])

    def forget(self) -> None:
        """Remove everything received."""
        self.first.clear()
        self.times.clear()

    async def _receive(self, place: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length, event_id = _LENGTH.search(head), _ID.search(head)
                if not length or not event_id:
                    raise ValueError(head)
                await reader.readexactly(int(length[1]))
                key = place, event_id[1].decode()
                self.first.setdefault(key, time.time())
                self.times[key] += 1
                if place in self.dead:
                    await asyncio.sleep(60)
                writer.write(ANSWER)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


class Bench:
    """An installation that serves, its database, and receivers."""

    def __init__(self, data_dir: Path, database: Database, receivers: Receivers) -> None:
        self.data_dir, self.database, self.receivers = data_dir, database, receivers
        self.address = ""
        self.headers: dict[str, str] = {}
        self.environment = os.environ | {
            "MEETDECK_DATA_DIR": str(data_dir),
            "MEETDECK_OUTGOING_ALLOW": ",".join(f"127.0.0.1:{port}" for port in receivers.ports),
        }
        self.written: dict[str, float] = {}

    def start_worker(self) -> "subprocess.Popen[bytes]":
        """Start a worker; it does not wait until that works."""
        command = [sys.executable, "-m", "meetdeck", "worker", "--json"]
        return subprocess.Popen(  # noqa: S603 - our own program
            command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    async def add_webhooks(self, count: int) -> None:
        """Make webhooks for the first receivers."""
        async with httpx.AsyncClient(headers=self.headers) as http:
            for port in self.receivers.ports[:count]:
                body = {"url": f"http://127.0.0.1:{port}/", "types": ["content.created"]}
                (await http.post(f"{self.address}/api/v3/events/webhooks", json=body)).raise_for_status()

    async def write(self, count: int, a_second: float, is_enough: asyncio.Event | None = None) -> None:
        """Write events, each in a transaction, so many a second, until it is enough."""
        slots, begun = asyncio.Semaphore(12), time.monotonic()

        async def one() -> None:
            try:
                subject = f"contents/{uuid4()}"
                async with self.database.transaction(NORDLYS.tenant_id) as connection:
                    await write_event(connection, NewEvent(EventType.CONTENT_CREATED, subject, clock.now(), b"{}"))
                    event_id = await connection.fetchval("select event_id from event where subject = $1", subject)
            finally:
                slots.release()
            self.written[str(event_id)] = time.time()

        async with asyncio.TaskGroup() as group:
            for number in range(count):
                if is_enough is not None and is_enough.is_set():
                    break
                await asyncio.sleep(max(0.0, begun + number / a_second - time.monotonic()))
                await slots.acquire()
                group.create_task(one())

    async def wait_until_done(self, places: Sequence[int], seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until the receivers have all written events, at most so many seconds."""
        end = time.monotonic() + seconds
        for key in [(place, event_id) for event_id in self.written for place in places]:
            while key not in self.receivers.first and time.monotonic() < end:  # noqa: ASYNC110 - it looks ahead in time
                await asyncio.sleep(0.05)

    def report(self, places: Sequence[int]) -> dict[str, Any]:
        """Return the results for the written events."""
        first = self.receivers.first
        keys = [(place, event_id) for event_id in self.written for place in places]
        delays = sorted(1000 * (first[key] - self.written[key[1]]) for key in keys if key in first) or [0.0]
        return {
            "committed": len(self.written),
            "lost": sum(key not in first for key in keys),
            "more than once": sum(self.receivers.times[key] > 1 for key in keys),
            "p50 ms": round(delays[len(delays) // 2]),
            "p95 ms": round(delays[int(len(delays) * 0.95)]),
        }


async def kill(bench: Bench, rate: int) -> dict[str, Any]:
    """Kill the worker again and again, each after some seconds of work."""
    await bench.add_webhooks(1)
    is_enough = asyncio.Event()
    writing = asyncio.create_task(bench.write(1_000_000, rate, is_enough))
    for _ in range(KILLS):
        worker = await run_worker(bench)
        await asyncio.sleep(WORK_SECONDS)
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    worker = await run_worker(bench)
    is_enough.set()
    await writing
    await bench.wait_until_done([0])
    worker.terminate()
    return bench.report([0])


async def latency(bench: Bench, rate: int) -> dict[str, Any]:
    """Measure how long an event takes when there is little to do."""
    del rate
    await bench.add_webhooks(1)
    worker = await run_worker(bench)
    await bench.write(400, 20)
    await bench.wait_until_done([0], 30)
    worker.terminate()
    return bench.report([0])


async def drain(bench: Bench, rate: int) -> dict[str, Any]:
    """Measure how quickly waiting events are sent."""
    del rate
    await bench.add_webhooks(RECEIVERS)
    await bench.write(WAITING, 1_000_000)
    worker = bench.start_worker()
    await bench.wait_until_done([0], 60)
    begun = min(bench.receivers.first.values())
    await bench.wait_until_done(range(RECEIVERS))
    seconds = max(bench.receivers.first.values()) - begun
    worker.terminate()
    return {"sent": len(bench.receivers.first), "a second": round(len(bench.receivers.first) / seconds)}


async def dead(bench: Bench, rate: int) -> dict[str, Any]:
    """Measure nine receivers beside a tenth that answers, and beside one that does not."""
    del rate
    await bench.add_webhooks(RECEIVERS)
    worker = await run_worker(bench)
    told: dict[str, Any] = {}
    for name, silent in (("all answer", set[int]()), ("one does not", {0})):
        bench.receivers.dead = silent
        bench.receivers.forget()
        bench.written.clear()
        await bench.write(300, 10)
        await bench.wait_until_done(range(1, RECEIVERS), 60)
        told[name] = bench.report(range(1, RECEIVERS))
    worker.terminate()
    return told


async def run_worker(bench: Bench) -> "subprocess.Popen[bytes]":
    """Start a worker that works."""
    worker = bench.start_worker()
    assert worker.stdout is not None  # noqa: S101 - for the type
    await asyncio.get_running_loop().run_in_executor(None, worker.stdout.readline)
    await asyncio.sleep(1)
    return worker


@asynccontextmanager
async def open_bench() -> AsyncGenerator[Bench]:
    """Lend an installation with demo data, whose server does no work."""
    receivers = Receivers()
    await receivers.open(RECEIVERS)
    with tempfile.TemporaryDirectory(prefix="meetdeck-bench-", ignore_cleanup_errors=True) as folder:
        data_dir = Path(folder) / "var"
        with EmbeddedPostgres(data_dir / "postgres") as endpoint:
            async with Database(endpoint.app, connections=12) as database:
                bench = Bench(data_dir, database, receivers)
                arguments = ["--port", "0", "--migrate", "--demo-data", "--only", "present,booking,pages"]
                server = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "meetdeck", "serve", *arguments),
                    env=bench.environment,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.STDOUT,
                )
                try:
                    await sign_in(bench, server)
                    yield bench
                finally:
                    server.terminate()
                    await server.wait()


async def sign_in(bench: Bench, server: asyncio.subprocess.Process) -> None:
    """Wait until the server serves, and take credentials of the elevated role."""
    assert server.stdout is not None  # noqa: S101 - for the type
    while not (found := re.search(rb"serves on (http://\S+)", line := await server.stdout.readline())):
        if not line:
            raise RuntimeError("the server did not start")
    bench.address = found[1].decode()
    tenant = json.loads((bench.data_dir / "dev-credentials.json").read_text())["tenants"][0]
    client = tenant["clients"][1]
    form = {"grant_type": "client_credentials", "client_id": client["clientId"]}
    async with httpx.AsyncClient() as http:
        answer = await http.post(f"{bench.address}/oauth/token", data=form | {"client_secret": client["clientSecret"]})
    token = answer.raise_for_status().json()["access_token"]
    bench.headers = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}


PARTS = {"latency": latency, "kill": kill, "drain": drain, "dead": dead}


async def measure(parts: Sequence[str], rate: int) -> None:
    """Run each part in a new installation, and print its report."""
    for part in parts or PARTS:
        async with open_bench() as bench:
            print(f"{part:8} {json.dumps(await PARTS[part](bench, rate))}", flush=True)


def main() -> None:
    """Run the measurements that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    arguments = parser.parse_args()
    asyncio.run(measure(arguments.parts, arguments.rate))


if __name__ == "__main__":
    main()
