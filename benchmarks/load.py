"""A firm's mixed day, and what is left of it when processes are killed: `python benchmarks/load.py [--seconds 60]`.

200 callers search, hold, book, move, cancel, read, build decks and PDFs, each waiting a while after an answer. In the
middle of it a worker and then PostgreSQL are killed (SIGKILL). Callers do as docs/api/idempotency.md says: they repeat
what had no answer, with the same `Idempotency-Key`. Afterwards everything that was acknowledged is read:
nothing may be missing, and no time may be booked twice. Exit status 1 when something is.
"""

import argparse
import asyncio
import os
import platform
import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import Any, Final, NamedTuple
from uuid import uuid4

import httpx
import psutil
from callers import Answer, Caller
from large_firm_parts.firm import TENANT, add_firm
from large_firm_parts.server import Server

from meetdeck.demo.seed import SAMPLE_DATA_FILE, TEMPLATE_FILE
from meetdeck.embedded_postgres import Endpoint

_CHECKOUT: Final = Path(__file__).parents[1]
_BOOKING, _PRESENT = "/api/v3/booking", "/api/v3/present"
_HOUR: Final = timedelta(hours=1)
_PATIENCE_SECONDS: Final = 60.0
_AGAIN: Final = frozenset({502, 503})


def write(moment: datetime) -> str:
    """Return a moment as it is answered."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


class Meeting(NamedTuple):
    """A booking that was acknowledged."""

    id: str
    employee_id: str
    start_date: str


class Day:
    """All that callers share: the times that nobody has asked for yet, what was acknowledged, and how long it took."""

    def __init__(self, employees: list[str], topics: list[str]) -> None:
        self.employees, self.topics = employees, topics
        self.times = self._list_times()
        self.booked: dict[str, Meeting] = {}
        self.cancelled: dict[str, Meeting] = {}
        self.contents: list[str] = []
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.failures: Counter[str] = Counter()
        self.repeats: Counter[str] = Counter()

    def _list_times(self) -> Iterator[tuple[str, datetime]]:
        begin = datetime(2031, 1, 1, tzinfo=UTC)
        return ((employee, begin + number * _HOUR) for number in count() for employee in self.employees)


class Person:
    """A caller, with the actions that it repeats in order."""

    def __init__(self, server: Server, day: Day, number: int, think_seconds: float) -> None:
        self._caller = Caller(f"http://127.0.0.1:{server.port}", server.credentials)
        self._day = day
        self._random = random.Random(number)
        self._think_seconds = think_seconds
        self._last: list[Meeting] = []
        self._data: Any = httpx.Response(200, content=SAMPLE_DATA_FILE.read_bytes()).json()
        self._doings: list[tuple[int, Callable[[], Awaitable[object]]]] = [
            (40, self._search),
            (12, self._hold),
            (16, self._book),
            (4, self._move),
            (4, self._cancel),
            (18, self._read),
            (4, self._build_deck),
            (2, self._make_pdf),
        ]

    async def live(self, until: float) -> None:
        """Do one thing after the other until the day ends."""
        weights = [weight for weight, _ in self._doings]
        await asyncio.sleep(self._random.random() * self._think_seconds)
        while time.monotonic() < until:
            (_, do), *_ = self._random.choices(self._doings, weights)
            await do()
            await asyncio.sleep(self._random.expovariate(1 / self._think_seconds))
        self._caller.close()

    async def _request(
        self, what: str, expected: set[int], method: str, path: str, body: object = None
    ) -> Answer | None:
        """Return the answer, asking again as long as there is none; None for one that was not expected, counted."""
        headers = {"Idempotency-Key": str(uuid4())} if method == "POST" else {}
        begun = time.monotonic()
        while True:
            try:
                answer = await self._caller.request(method, path, body, headers)
            except (OSError, EOFError):
                answer = None
            if answer is not None and answer.status not in _AGAIN:
                break
            if time.monotonic() - begun > _PATIENCE_SECONDS:
                self._day.failures[f"{what}: no answer"] += 1
                return None
            self._day.repeats[what] += 1
            await asyncio.sleep(0.2 + self._random.random() * 0.5)
        self._day.seconds[what].append(time.monotonic() - begun)
        if answer.status not in expected:
            self._day.failures[f"{what}: {answer.status} {answer.body[:120]!r}"] += 1
            return None
        return answer

    async def _search(self) -> None:
        topic, employee = self._random.choice(self._day.topics), self._random.choice(self._day.employees)
        narrow = self._random.choice(
            [f"topic={topic}&lookForwardTime=3.00:00:00", f"explicitEmployeeIds={employee}&employeeTypes=Explicit"]
        )
        path = f"{_BOOKING}/time-slots/available?requireEmployeeParticipation=false&meetingTypes=online&{narrow}"
        await self._request("search", {200}, "GET", path)

    async def _hold(self) -> tuple[str, dict[str, str]] | None:
        employee, starts_at = next(self._day.times)
        times = {"startDate": write(starts_at), "endDate": write(starts_at + _HOUR)}
        body = {"timeSlot": times | {"status": "Reserved", "employeeId": employee}, "token": str(uuid4())}
        answer = await self._request("hold", {201}, "POST", f"{_BOOKING}/time-slots/reserve", body)
        return (answer.read()["id"], times | {"employeeId": employee}) if answer is not None else None

    async def _book(self) -> None:
        if (held := await self._hold()) is None:
            return
        slot_id, times = held
        body = times | {"timeSlotId": slot_id, "customerId": f"C-{self._random.randrange(9999)}", "type": "Online"}
        answer = await self._request("book", {201}, "POST", f"{_BOOKING}/meetings", body)
        if answer is not None:
            self._keep(Meeting(answer.read()["id"], times["employeeId"], times["startDate"]))

    def _keep(self, meeting: Meeting) -> None:
        self._day.booked[meeting.id] = meeting
        self._last.append(meeting)

    async def _move(self) -> None:
        if not self._last:
            return
        meeting = self._last.pop()
        employee, starts_at = next(self._day.times)
        patch = [
            {"op": "replace", "path": "/employeeId", "value": employee},
            {"op": "replace", "path": "/startDate", "value": write(starts_at)},
            {"op": "replace", "path": "/endDate", "value": write(starts_at + _HOUR)},
        ]
        if await self._request("move", {200}, "PATCH", f"{_BOOKING}/meetings/{meeting.id}", patch) is not None:
            self._keep(Meeting(meeting.id, employee, write(starts_at)))

    async def _cancel(self) -> None:
        """Cancel the last meeting. The answer may be lost, and is 404 when asked for again."""
        if not self._last:
            return
        meeting = self._last.pop()
        answer = await self._request("cancel", {204, 404}, "DELETE", f"{_BOOKING}/meetings/{meeting.id}")
        del self._day.booked[meeting.id]
        if answer is not None:
            self._day.cancelled[meeting.id] = meeting

    async def _read(self) -> None:
        if self._last:
            await self._request("read", {200}, "GET", f"{_BOOKING}/meetings/{self._last[-1].id}")
        else:
            await self._request(
                "read", {200}, "GET", f"{_BOOKING}/employees/{self._random.choice(self._day.employees)}"
            )

    async def _generate(self) -> str | None:
        body = {"template": "Review", "data": self._data}
        answer = await self._request("deck", {200}, "POST", f"{_PRESENT}/slides/generate", body)
        if answer is None:
            return None
        content: str = answer.read()["contentId"]
        self._day.contents.append(content)
        return content

    async def _build_deck(self) -> None:
        await self._generate()

    async def _make_pdf(self) -> None:
        if (content := await self._generate()) is not None:
            await self._request("pdf", {200}, "POST", f"{_PRESENT}/slides/pdf", {"slideLocation": content})


def kill_worker(server: Server) -> None:
    """Kill one of the processes that answer, when there are several."""
    started = psutil.Process(server.pid).children(recursive=True)
    workers = [process for process in started if process.name() == "meetdeck-server"]
    if workers:
        workers[0].kill()
    print(f"killed a worker of {len(workers)}" if workers else "no worker to kill", flush=True)


def kill_postgres(pgdata: Path) -> None:
    """Kill PostgreSQL."""
    os.kill(int((pgdata / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
    print("killed PostgreSQL", flush=True)


async def disturb(server: Server, pgdata: Path, seconds: float) -> None:
    """Kill a worker after a third of the day, and PostgreSQL after two thirds."""
    await asyncio.sleep(seconds / 3)
    kill_worker(server)
    await asyncio.sleep(seconds / 3)
    kill_postgres(pgdata)


async def find_missing(server: Server, day: Day, endpoint: Endpoint) -> list[str]:
    """Return what was acknowledged and is not there, and times that are booked twice."""
    caller = Caller(f"http://127.0.0.1:{server.port}", server.credentials)
    missing: list[str] = []
    for meeting in day.booked.values():
        answer = await caller.request("GET", f"{_BOOKING}/meetings/{meeting.id}")
        found: dict[str, Any] = answer.read()
        if (found.get("employeeId"), found.get("startDate")) != (meeting.employee_id, meeting.start_date):
            missing.append(f"{meeting} is {answer.status} {found}")
    wanted = {f"{_BOOKING}/meetings/{meeting_id}": 404 for meeting_id in day.cancelled}
    wanted |= {f"{_PRESENT}/contents/{content}": 200 for content in day.contents}
    answered = {path: (await caller.request("GET", path)).status for path in wanted}
    missing += [
        f"{path} is {answered[path]}, not {status}" for path, status in wanted.items() if answered[path] != status
    ]
    superuser = await endpoint.superuser.connect()
    twice = await superuser.fetchval(
        "select count(*) from occupancy as a join occupancy as b using (tenant_id, resource_key)"
        " where a.time_slot_id < b.time_slot_id and a.during && b.during and a.expires_at is null"
        " and b.expires_at is null and tenant_id = $1",
        TENANT,
    )
    await superuser.close()
    return [*missing, *([f"{twice} times are booked twice"] if twice else [])]


def report(day: Day, seconds: float) -> None:
    """Print a line for each thing that was done."""
    print(f"{'':<8}{'times':>8}{'a second':>10}{'p50':>10}{'p95':>10}{'p99':>10}{'longest':>10}   repeated")
    for what, each in sorted(day.seconds.items()):
        cuts = quantiles([*each, each[-1]], n=100)
        columns = "".join(f"{value * 1e3:7.0f} ms" for value in (cuts[49], cuts[94], cuts[98], max(each)))
        print(f"{what:<8}{len(each):8,}{len(each) / seconds:10.1f}{columns}{day.repeats[what]:11}")
    for failure, times in day.failures.most_common(20):
        print(f"not as expected, {times} times: {failure}")


async def run(server: Server, pgdata: Path, given: argparse.Namespace) -> list[str]:
    """Live through the day, report it, and return what is missing."""
    employees = [server.id_of("employee", number + 1) for number in range(given.advisors)]
    day = Day(employees, [server.id_of("topic", number + 1) for number in range(20)])
    people = [Person(server, day, number, given.think) for number in range(given.callers)]
    until = time.monotonic() + given.seconds
    disturbing = asyncio.create_task(disturb(server, pgdata, given.seconds)) if given.kill else None
    await asyncio.gather(*(person.live(until) for person in people))
    if disturbing is not None:
        with suppress(asyncio.CancelledError):
            await disturbing
    report(day, given.seconds)
    missing = await find_missing(server, day, server.endpoint)
    print(
        f"acknowledged: {len(day.booked) + len(day.cancelled):,} bookings, {len(day.contents):,} decks; "
        f"missing: {len(missing)}"
    )
    return missing


def main() -> None:
    """Fill, live, ask, and exit with 1 when something is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--callers", type=int, default=200)
    parser.add_argument("--advisors", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=3, help="mean seconds between two things that a caller does")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    workers = ("--workers", str(given.workers)) if given.workers > 1 else ()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, {given.callers} callers, {given.workers} workers"
    )
    with tempfile.TemporaryDirectory() as folder, Server(_CHECKOUT, Path(folder, "server"), *workers) as server:
        server.call_as(asyncio.run(add_firm(server.endpoint, employees=given.advisors, weeks=4)))
        upload = {"file": ("review.pptx", TEMPLATE_FILE.read_bytes())}
        address = f"http://127.0.0.1:{server.port}{_PRESENT}/templates"
        httpx.post(
            address, files=upload, data={"name": "Review"}, headers=server.credentials, timeout=60
        ).raise_for_status()
        missing = asyncio.run(run(server, Path(folder, "server", "postgres", "pgdata"), given))
    for each in missing[:20]:
        print(each)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
