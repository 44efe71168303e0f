"""Measures the memory of an answer, in a process of its own: `python -m slot_peers.memory < job.json > used.json`."""

import asyncio
import sys
from pathlib import Path

import msgspec
import uvloop
from deck_peers.rounds import reset_peak, resident_kb

from meetdeck.demo.credentials import TenantCredentials
from meetdeck.platform.database import Address, Database
from slot_peers.answer import Caller, open_app


class Job(msgspec.Struct):
    """The database's address and the request; a first answer, which does not count, warms the process up."""

    database: Address
    folder: str
    first: TenantCredentials
    first_query: dict[str, str]
    tenant: TenantCredentials
    query: dict[str, str]


class Used(msgspec.Struct):
    """Resident memory in kB, before and at the most; None without Linux's /proc. And the answer, in bytes."""

    level_kb: int | None
    peak_kb: int | None
    size: int
    pieces: int
    largest: int


async def measure(job: Job) -> Used:
    """Ask once."""
    async with Database(job.database) as database, open_app(database, Path(job.folder)) as app:
        await (await Caller.open(app, job.first)).search(job.first_query)
        caller = await Caller.open(app, job.tenant)
        level = reset_peak()
        answer = await caller.search(job.query)
        return Used(level, resident_kb("VmHWM"), answer.size, answer.pieces, answer.largest)


def main() -> None:
    """Measure what the job says."""
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        print(msgspec.json.encode(runner.run(measure(job))).decode())


if __name__ == "__main__":
    main()
