"""Compare one process with several: `python benchmarks/processes.py [--workers 2] [--ask read|search|deck]`.

Installations on this machine, each with its own database: `serve --workers 1` on one core and `--workers N` on N, each
with its database and with the callers, who keep their connections and ask in turns. Seconds on a clock say little on a
machine that others use too, so that processor time is counted, of the workers, of the database and of the caller, and
the throughput that it allows is inferred:

- caller and database elsewhere: as many requests as the busiest worker can answer in a second of its processor;
- the same of N installations of one worker, each on a core of its own, which are asked at once by as many callers as a
  worker of the N has. They share no socket, no database and no memory: what they do not reach, this machine does not
  give;
- all on the same cores: no more than the busiest worker can answer, and no more than all of them together, caller and
  database too, leave room for on as many cores as there are workers.

Before and after, the memory of a worker: its own, which no other process has, and its share of all (PSS).

One worker has one core, as each of the N has, because a worker costs more on a core that it shares: a read took 274 us
when database and caller were on another core, 316 when they were on the same one, and 317 of two workers on two cores
(medians of five turns, at the highest priority, load 8). When one worker could use all cores, which several had to
share, two seemed to reach 1.69 on an idle machine. A deck is built in threads: it costs a seventh more on one core than
on two (11.7 and 10.1 ms), so that each of the N workers keeps to a core, too. Linux deals out connections evenly; the
largest share of a worker is printed.

Measured on two cores: reads 1.87, searches 1.58, decks 1.78 with nothing else on the machine (installations apart:
1.93, 1.68, 1.63), and 1.98, 1.98, 2.04 beside much other work (load 14 to 21; apart: 1.78, 1.94, 1.94). So several
workers lose nothing to each other that this machine does not take. It has no counters of instructions (`perf stat`),
and two loops in Python on its two cores reach 1.96 of one.

What is inferred takes for granted that a worker which has a request finds a core. The clock's ratio is printed beside.
"""

import argparse
import asyncio
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import psutil

from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import SAMPLE_DATA_FILE

CALLERS = 32  # so many that every worker has a request waiting: with few, two workers are often idle and wake for each
ROUNDS = 5
GOALS = (1.85, 1.5)
MOST_BYTES = 2**24  # of an answer
CORES: Final = sorted(os.sched_getaffinity(0))
_BOOKING, _PRESENT = "/api/v3/booking", "/api/v3/present"
_DECK = {"template": "Annual review", "data": json.loads(SAMPLE_DATA_FILE.read_text(encoding="utf-8"))}


class Asked(NamedTuple):
    """The requests of callers, and how often they send them in a turn."""

    line: str
    content: bytes = b""
    times: int = 2_000


ASKED = {
    "read": Asked(f"GET {_BOOKING}/employees/{NORDLYS.id_of('employee', 'Anna Holm')}"),
    "search": Asked(
        f"GET {_BOOKING}/time-slots/available?requireEmployeeParticipation=false&meetingTypes=online", times=800
    ),
    "deck": Asked(f"POST {_PRESENT}/slides/generate", json.dumps(_DECK).encode(), times=160),
}


class Cost(NamedTuple):
    """Processor time of a request: of the busiest worker, all workers, database and caller; and the clock's."""

    busiest: float
    workers: float
    database: float
    caller: float
    clock: float

    def limit(self, cores: int) -> float:
        """Return how many requests a second all of it on so many cores can answer."""
        return min(1 / self.busiest, cores / (self.workers + self.database + self.caller))


class Served:
    """A running installation, and its callers."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", workers: int, address: str, headers: str, asked: str
    ) -> None:
        self.workers = workers
        self.shares: list[int] = []
        """The largest number of connections of one worker, in each turn."""
        self._server = psutil.Process(process.pid)
        self._host, port = address.removeprefix("http://").split(":")
        self._port = int(port)
        line, content, self._times = ASKED[asked]
        about = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n" if content else ""
        self._request = f"{line} HTTP/1.1\r\nHost: {self._host}\r\n{headers}{about}\r\n".encode() + content

    async def take_turn(self, beside: int = 1) -> Cost:
        """Ask with all callers, or with their share beside other installations, and return what it cost."""
        callers, times = CALLERS // beside, self._times // beside
        streams = [await asyncio.open_connection(self._host, self._port, limit=MOST_BYTES) for _ in range(callers)]
        before, caller, clock = self._count(), time.process_time(), time.perf_counter()
        await asyncio.gather(*(self._send(*stream) for stream in streams))
        clock, caller = time.perf_counter() - clock, time.process_time() - caller
        spent = {process: seconds - before.get(process, 0) for process, seconds in self._count().items()}
        workers = {process: seconds for process, seconds in spent.items() if self._is_worker(process)}
        self.shares.append(max(self._count_connections(process) for process in workers))
        for _, writer in streams:
            writer.close()
        database = sum(seconds for process, seconds in spent.items() if process.name() == "postgres")
        busiest, total = max(workers.values()), sum(workers.values())
        return Cost(*(one / times for one in (busiest, total, database, caller, clock)))

    def take_cores(self, cores: list[int]) -> None:
        """Run its processes on these cores, each worker on one of them."""
        own = iter(cores)
        for process in self._count():
            with suppress(psutil.NoSuchProcess, ProcessLookupError):
                chosen = [next(own)] if self._is_worker(process) else cores
                for thread in process.threads():
                    os.sched_setaffinity(thread.id, chosen)

    def measure_memory(self) -> str:
        """Return the megabytes of the workers that serve, on average: their own, and their share."""
        found = [one.memory_full_info() for one in self._count() if self._is_worker(one)]
        own, share = (sum(getattr(one, kind) for one in found) / len(found) / 1e6 for kind in ("uss", "pss"))
        return f"{own:.0f} MB its own, {share:.0f} MB as its share"

    async def _send(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(self._times // CALLERS):
            writer.write(self._request)
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"answered {head!r}")
            found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
            if found:
                await reader.readexactly(int(found[1]))
            else:  # in chunks
                await reader.readuntil(b"\r\n0\r\n\r\n")

    def _count(self) -> dict[psutil.Process, float]:
        times: dict[psutil.Process, float] = {}
        for process in (self._server, *self._server.children(recursive=True)):
            try:
                times[process] = time.clock_gettime(~process.pid << 3 | 2)  # clock_getcpuclockid(3), in nanoseconds
            except OSError:  # a database's that came and went
                continue
        return times

    def _count_connections(self, process: psutil.Process) -> int:
        found = process.net_connections("tcp")
        return sum(one.status == psutil.CONN_ESTABLISHED and one.laddr.port == self._port for one in found)

    def _is_worker(self, process: psutil.Process) -> bool:
        with suppress(psutil.NoSuchProcess):
            return process.name() == "meetdeck-server"
        return False


@contextmanager
def serve(workers: int, asked: str) -> Generator[Served]:
    """Run an installation with demo data, and callers that ask for one thing."""
    with tempfile.TemporaryDirectory(prefix="meetdeck-bench-", ignore_cleanup_errors=True) as folder:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
        environment = inherited | {"MEETDECK_DATA_DIR": f"{folder}/var", "MEETDECK_OFFICE_PROCESSES": "1"}
        command = [sys.executable, "-m", "meetdeck", "serve", "--port", "0", "--workers", str(workers), "--demo-data"]
        log = Path(folder) / "log"
        with log.open("wb") as output:
            server = subprocess.Popen([*command, "--migrate"], env=environment, stdout=output, stderr=output)  # noqa: S603 - our own program
        try:
            while "Try it" not in (printed := log.read_text(encoding="utf-8")):
                if server.poll() is not None:
                    raise SystemExit(printed)
                time.sleep(0.1)
            headers = "".join(f"{line}\r\n" for line in re.findall(r'-H "([^"]+)"', printed))
            yield Served(server, workers, re.findall(r"serves on (\S+)", printed)[0], headers, asked)
        finally:
            server.terminate()
            server.wait(60)


async def ask_at_once(served: list[Served]) -> Cost:
    """Ask installations at once, each on a core of its own; return what it cost the busiest for a request of each."""
    for place, one in enumerate(served):
        one.take_cores([CORES[place]])
    os.sched_setaffinity(0, CORES[: len(served)])
    costs = await asyncio.gather(*(one.take_turn(len(served)) for one in served))
    return max(costs)


def ask(served: Served) -> Cost:
    """Ask an installation on as many cores as it has workers, one for each, with database and caller on all of them."""
    cores = CORES[: served.workers]
    served.take_cores(cores)
    os.sched_setaffinity(0, cores)
    return asyncio.run(served.take_turn())


def main() -> None:
    """Ask in turns, print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--ask", choices=ASKED, default="read")
    parser.add_argument("--json", action="store_true", help="print the ratios for scripts")
    arguments = parser.parse_args()
    if arguments.workers > len(CORES):
        parser.error(f"--workers {arguments.workers} needs as many cores, and this machine has {len(CORES)}")
    with ExitStack() as stack:
        several = stack.enter_context(serve(arguments.workers, arguments.ask))
        single = [stack.enter_context(serve(1, arguments.ask)) for _ in range(arguments.workers)]
        both = [single[0], several]
        idle = [served.measure_memory() for served in both]
        for served in (*single, several):  # which warms up
            ask(served)
        turns = [(ask(single[0]), ask(several), asyncio.run(ask_at_once(single))) for _ in range(ROUNDS)]
        if not arguments.json:
            for served, before in zip(both, idle, strict=True):
                print(f"memory of a worker of {served.workers}: {before} idle; {served.measure_memory()} after")
            print(f"of {CALLERS} connections, a worker of {several.workers} had at most {max(several.shares)}")
    report(turns, arguments.workers, as_json=arguments.json)


def report(turns: list[tuple[Cost, Cost, Cost]], workers: int, *, as_json: bool) -> None:
    """Print what a request costs, and the ratios."""
    ratios = {
        "elsewhere": median(one.busiest / more.busiest for one, more, _ in turns),
        "installations": median(workers * one.busiest / apart.busiest for one, _, apart in turns),
        "same cores": median(more.limit(workers) / one.limit(workers) for one, more, _ in turns),
        "clock": median(one.clock / more.clock for one, more, _ in turns),
    }
    if as_json:
        print(json.dumps(ratios))
        return
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; us a request")
    names = ("1 process", f"{workers} processes", f"{workers} apart, each")
    for name, costs in zip(names, zip(*turns, strict=True), strict=True):
        medians = Cost(*map(median, zip(*costs, strict=True)))
        print(f"{name:<14}" + "".join(f"{field} {value * 1e6:7.0f}  " for field, value in medians._asdict().items()))
    print(f"caller and database elsewhere, inferred: {ratios['elsewhere']:.2f}x (goal {GOALS[0]}x)")
    print(f"the same of installations apart:         {ratios['installations']:.2f}x")
    print(f"all on the same cores, inferred:         {ratios['same cores']:.2f}x (goal {GOALS[1]}x)")
    print(f"by the clock, on this machine just now:  {ratios['clock']:.2f}x")


if __name__ == "__main__":
    main()
