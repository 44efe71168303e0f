"""Reads over HTTP beside FastAPI, SQLAlchemy's ORM and pydantic: `python benchmarks/reads.py [--rounds 9]`.

One process of each on the same tables: ours with token, key, tenant, row-level security, entity tag, log and metrics,
the peer with none of them. The floor is uvicorn and asyncpg alone, with the one statement. Callers keep their
connections and wait for each answer; the three take turns. What counts is the processor time of the service's process
for each request, the inverse of how many a core of its own would serve; that of PostgreSQL is the next column, and the
requests a second by the clock the last. No service on uvicorn and asyncpg can be further ahead than the floor:
0.08 ms a row at a load of 16, ours 0.37 (0.53 before handlers were called directly), the peer 0.67.
"""

import argparse
import asyncio
import os
import platform
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import httpx
from callers import Caller
from http_peers.environment import install
from large_firm_parts.firm import TENANT, add_firm
from large_firm_parts.server import Server

from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address

CALLERS: Final = 8
ROOMS: Final = 2000
_CHECKOUT: Final = Path(__file__).parents[1]
_PEERS: Final = Path(__file__).parent / "http_peers"
_GOALS: Final = {"one row": 2.5, "a list of 2,000": 4.0}
_REQUESTS: Final = {"one row": 1200, "a list of 2,000": 24}


class Service(NamedTuple):
    """A running service, and how its rooms are asked for."""

    name: str
    port: int
    pid: int
    role: str
    """Its role in the database."""
    prefix: str
    headers: dict[str, str]


class Taken(NamedTuple):
    """Seconds for each request."""

    service: float
    database: float
    clock: float


def read_processor_seconds(pids: list[int]) -> float:
    """Return the seconds that processes, with all their threads, have been on a processor."""
    return (
        sum(int(task.read_text().split()[0]) for pid in pids for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))
        / 1e9
    )


def list_processes(pid: int) -> list[int]:
    """Return the processes with the command line of this one: `serve` forks those that serve; PostgreSQL is another."""
    command = Path(f"/proc/{pid}/cmdline").read_bytes()
    alike: list[int] = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            if each.read_bytes() == command:
                alike.append(int(each.parent.name))
    return alike


async def measure(service: Service, paths: list[str], backends: list[int]) -> Taken:
    """Ask for the paths, one after the other by each of the callers."""
    callers = [Caller(f"http://127.0.0.1:{service.port}", service.headers) for _ in range(CALLERS)]
    left = iter(paths)

    async def work(caller: Caller) -> None:
        for path in left:
            await caller.require(200, "GET", path)

    pids = list_processes(service.pid)
    before = read_processor_seconds(pids), read_processor_seconds(backends), time.perf_counter()
    await asyncio.gather(*map(work, callers))
    after = read_processor_seconds(pids), read_processor_seconds(backends), time.perf_counter()
    for caller in callers:
        caller.close()
    return Taken(*((end - begin) / len(paths) for begin, end in zip(before, after, strict=True)))


@contextmanager
def serve_peer(name: str, python: Path, script: str, address: Address, driver: str = "") -> Generator[Service]:
    """Serve a peer while the block lasts."""
    database = f"postgresql{driver}://{address.user}:{address.password}@/{address.database}?host={address.host}"
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    with subprocess.Popen([python, _PEERS / script, str(port), database, str(TENANT)]) as process:  # noqa: S603 - ours
        while process.poll() is None:
            try:
                httpx.get(f"http://127.0.0.1:{port}/rooms", timeout=60)
                break
            except httpx.TransportError:
                time.sleep(0.1)
        try:
            yield Service(name, port, process.pid, address.user, "", {})
        finally:
            process.terminate()


async def find_backends(endpoint: Endpoint, role: str) -> list[int]:
    """Return the ids of PostgreSQL's processes that serve a role, but for the one that answers this."""
    superuser = await endpoint.superuser.connect()
    rows = await superuser.fetch(
        "select pid from pg_stat_activity where usename = $1 and pid <> pg_backend_pid()", role
    )
    await superuser.close()
    return [row["pid"] for row in rows]


async def compare(services: list[Service], endpoint: Endpoint, what: str, paths: list[str], rounds: int) -> None:
    """Measure the services in turns, and print a line for each."""
    asked = {each.name: [f"{each.prefix}{path}" for path in paths] for each in services}
    for each in services:
        await measure(each, asked[each.name], [])
    backends = {each.name: await find_backends(endpoint, each.role) for each in services}
    taken: dict[str, list[Taken]] = {each.name: [] for each in services}
    for _ in range(rounds):
        for each in services:
            taken[each.name].append(await measure(each, asked[each.name], backends[each.name]))
    medians = {name: Taken(*(median(column) for column in zip(*each, strict=True))) for name, each in taken.items()}
    for name, each in medians.items():
        print(
            f"{what:<18}{name:<32}{each.service * 1e3:8.3f} ms{each.database * 1e3:10.3f} ms{1 / each.clock:10,.0f} / s"
        )
    ours, peer, floor = medians.values()
    goal = _GOALS[what]
    ratio = median(b.service / a.service for a, b in zip(*[*taken.values()][:2], strict=True))
    print(f"{what:<18}{'ratio of the services':<32}{ratio:8.2f} (goal {goal}), with PostgreSQL", end=" ")
    print(f"{(peer.service + peer.database) / (ours.service + ours.database):.2f}, by the clock", end=" ")
    print(f"{peer.clock / ours.clock:.2f}, of the floor {peer.service / floor.service:.2f}", flush=True)


def main() -> None:
    """Fill, serve both, ask in turns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--checkout", type=Path, default=_CHECKOUT, help="another version of Meetdeck")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server(given.checkout, Path(folder, "server")) as server:
        server.call_as(asyncio.run(add_firm(server.endpoint, employees=20, rooms=ROOMS, weeks=1)))
        ours = Service(
            "Meetdeck", server.port, server.pid, server.endpoint.app.user, "/api/v3/booking", server.credentials
        )
        # As superuser, whom row-level security does not hold, and as owner in the tenant: roles tell backends apart.
        superuser, owner = server.endpoint.superuser, server.endpoint.owner
        peers = (
            serve_peer("FastAPI, SQLAlchemy, pydantic", install(), "fastapi_app.py", superuser, "+asyncpg"),
            serve_peer("uvicorn and asyncpg: the floor", Path(sys.executable), "bare_app.py", owner),
        )
        with peers[0] as peer, peers[1] as floor:
            print(
                f"Python {platform.python_version()}, {os.cpu_count()} cores, {CALLERS} callers, {given.rounds} rounds"
            )
            print(f"{'':<50}{'service':>11}{'PostgreSQL':>13}{'requests':>12}")
            rooms = [server.id_of("room", number + 1) for number in range(ROOMS)]
            paths = {
                "one row": [f"/rooms/{rooms[number % ROOMS]}" for number in range(_REQUESTS["one row"])],
                "a list of 2,000": ["/rooms"] * _REQUESTS["a list of 2,000"],
            }
            for what, each in paths.items():
                asyncio.run(compare([ours, peer, floor], server.endpoint, what, each, given.rounds))


if __name__ == "__main__":
    sys.exit(main())
