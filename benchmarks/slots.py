"""The free slots of firms of four sizes, up to the last byte of the answer: `python benchmarks/slots.py`.

The answer is the application's own, asked in this process through ASGI, from a PostgreSQL that holds all the firms.
Before each one a booking becomes longer or shorter, so that none is given again. Beside it, in the same run: the parts,
which are loading the busy rows in binary, the pure search and its JSON, nothing else (less than they take only an
answer that does not load again what did not change, and each answer must be as long as theirs); the same answer again,
while nothing changed; the naive loop with `json`; and a slot finder from npm. Those two are given the busy rows; they
find the slots of a part of the advisors, their time is scaled up, and they must find what we find. The best round
counts by the clock, the median of processor time: ours with PostgreSQL's, which a busy machine hardly changes.
"""

import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import numpy as np
import uvloop
from msgspec.structs import replace
from slot_peers.answer import Answer, Caller, make_query, open_app
from slot_peers.firm import Firm, Size, add_firm, make_firm, prepare, vacuum
from slot_peers.floor import count_bytes, measure_floor
from slot_peers.memory import Job, Used
from slot_peers.naive import loop_naively
from slot_peers.parts import Parts, make_params, measure_parts, read_input
from slot_peers.processor import Processor, Taken
from slot_peers.sscheduler import PeerMissingError, find_starts, install

from meetdeck.booking.scheduling.search.service.memory import MEMORY
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots
from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.model import MeetingType
from meetdeck.demo.credentials import TenantCredentials, make_tenant_credentials, store_tenant_credentials
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.embedded_postgres.endpoint import Endpoint
from meetdeck.migrations import migrate
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process import clock

SMALL, MIDDLE, DISTINCT, LARGE = SIZES = (Size(50, 7), Size(1000, 30), Size(1000, 30, distinct=True), Size(10_000, 30))
WITH_ENTRIES: Final = MIDDLE._replace(entries=600_000)
MORE_GOAL: Final = 1.1
SECONDS: Final = 8.0  # of rounds, for each firm
FEWEST_ROUNDS: Final = 5
GOALS: Final = {SMALL: 1.2, MIDDLE: 0.6, LARGE: 0.6}
CALLERS: Final = 32
WEEK: Final = Size(1000, 7)
CALLERS_GOAL: Final = 10.0
_CHANGE: Final = """
update occupancy set ends_at = starts_at + $1
where resource_key = 1 and starts_at = (select min(starts_at) from occupancy where resource_key = 1)
"""
_NAIVE_ADVISORS: Final = 50
_PEER_ADVISORS: Final = 20
_HERE: Final = Path(__file__).parent


class Tenant(NamedTuple):
    """A firm in the database, and the credentials of its clients."""

    firm: Firm
    credentials: TenantCredentials

    @property
    def size(self) -> Size:
        """The size of the firm."""
        return self.firm.size


class Measured(NamedTuple):
    """The times that each took in the rounds; what was answered, and what was searched."""

    answer: Taken
    again: Taken
    floor: Taken
    parts: Parts
    answered: Answer
    found: SearchInput


# ---------------------------------------------------------------- the whole answer


async def fill(database: Database, superuser: Connection) -> list[Tenant]:
    """Write all firms, each a tenant; of the largest no meetings, which take a minute and which no search reads."""
    await prepare(superuser)
    tenants: list[Tenant] = []
    for size in (*SIZES, WITH_ENTRIES):
        firm = make_firm(size)
        await add_firm(superuser, firm, with_meetings=size is not LARGE)
        credentials = make_tenant_credentials(firm.tenant_id, f"firm-{firm.tenant_id}", "elevated")
        async with database.transaction(firm.tenant_id) as connection:
            await store_tenant_credentials(connection, credentials, clock.now())
        tenants.append(Tenant(firm, credentials))
    await vacuum(superuser)
    return tenants


async def measure(app: Any, database: Database, superuser: Connection, tenant: Tenant) -> Measured:
    """Return the times of answers and of their parts, taken in turns. Raises SystemExit when their lengths differ."""
    tenant_id, days = tenant.firm.tenant_id, tenant.size.days
    caller = await Caller.open(app, tenant.credentials)
    found = await read_input(database, tenant_id, days)
    processor = await Processor.open(superuser)
    answers, again, floors = list[Taken](), list[Taken](), list[Taken]()
    parts: list[Parts] = []
    await caller.search(make_query(days))  # the first one reads everything
    begun = perf_counter()
    while True:
        await change_booking(database, tenant_id, len(answers))
        sizes: list[int] = []
        for taken in (answers, [], again):  # the second time, what is given again is written
            used = processor.get_seconds()
            answered = await caller.search(make_query(days))
            taken.append(Taken(answered.seconds, processor.get_seconds() - used))
            sizes.append(answered.size)
        least, size = await measure_floor(database, processor, tenant_id, make_params(days), found)
        require_length(tenant.size, sizes, size)
        floors.append(least)
        parts.append(await measure_parts(database, processor, tenant_id, days))
        if len(answers) >= FEWEST_ROUNDS and perf_counter() - begun > SECONDS:
            return Measured(
                answer=summarize(answers),
                again=summarize(again),
                floor=summarize(floors),
                parts=Parts(*map(median, zip(*parts, strict=True))),
                answered=answered,
                found=found,
            )


async def change_booking(database: Database, tenant_id: UUID, place: int) -> None:
    """Make a booking last an hour and a minute in even places, an hour in odd ones: its advisor is free once more."""
    async with database.transaction(tenant_id) as connection:
        await connection.execute(_CHANGE, timedelta(minutes=60 if place % 2 else 61))


def require_length(size: Size, answered: Sequence[int], expected: int) -> None:
    """Raise SystemExit when answers are not as long as expected."""
    if set(answered) != {expected}:
        raise SystemExit(f"{size}: answers of {answered} bytes instead of {expected}")


def summarize(rounds: Sequence[Taken]) -> Taken:
    """Return the least by the clock, and the median of processor time."""
    return Taken(min(each.clock for each in rounds), median(each.processor for each in rounds))


async def compare_entries(app: Any, database: Database, superuser: Connection, tenants: dict[Size, Tenant]) -> None:
    """Print an answer beside Busy entries, and the same without, in turns. Raises SystemExit when they differ."""
    firms = [tenants[size] for size in (MIDDLE, WITH_ENTRIES)]
    callers = [await Caller.open(app, each.credentials) for each in firms]
    query = make_query(MIDDLE.days)
    processor = await Processor.open(superuser)
    taken: list[list[Taken]] = [[], []]
    begun = perf_counter()
    while len(taken[0]) < FEWEST_ROUNDS or perf_counter() - begun < 3 * SECONDS:
        sizes: list[int] = []
        for firm, caller, rounds in zip(firms, callers, taken, strict=True):
            await change_booking(database, firm.firm.tenant_id, len(rounds))
            used = processor.get_seconds()
            answered = await caller.search(query)
            rounds.append(Taken(answered.seconds, processor.get_seconds() - used))
            sizes.append(answered.size)
        require_length(WITH_ENTRIES, sizes[1:], sizes[0])
    found = await read_input(database, tenants[WITH_ENTRIES].firm.tenant_id, MIDDLE.days)
    share = f"{found.calendars.busy.entries:,} of {WITH_ENTRIES.entries:,}"
    title = f"Busy entries, {len(taken[0])} rounds in turns"
    print(f"\n{title:<40}{'processor, least':>18}{'median':>12}{'clock, least':>14}")
    figures: list[list[float]] = []
    for name, rounds in zip(("none", share), taken, strict=True):
        used = [each.processor for each in rounds]
        figures.append([min(used), median(used), min(each.clock for each in rounds)])
        print(f"  {f'{MIDDLE}, {name}':<38}" + "".join(ms(each, 14) for each in figures[-1]))
    ratios = "".join(f"{f'{some / none:.2f}x':>14}" for none, some in zip(*figures, strict=True))
    print(f"  {'':<38}{ratios}  (goal: {MORE_GOAL}x)")


async def compare_memory(app: Any, database: Database, superuser: Connection, tenant: Tenant) -> None:
    """Print the processor time of a search of callers at once, with and without memory, and after a booking changed."""
    caller, processor = await Caller.open(app, tenant.credentials), await Processor.open(superuser)
    query, limit = make_query(WEEK.days), MEMORY.limit
    cases = {"nothing remembered": (0, False), "a booking before": (limit, True), "nothing changed": (limit, False)}
    taken: dict[str, list[float]] = {name: [] for name in cases}
    begun = perf_counter()
    while perf_counter() - begun < 2 * SECONDS or len(taken["nothing changed"]) < FEWEST_ROUNDS:
        for name, (MEMORY.limit, is_changed) in cases.items():
            if is_changed:
                await change_booking(database, tenant.firm.tenant_id, len(taken[name]))
            used = processor.get_seconds()
            await asyncio.gather(*(caller.search(query) for _ in range(CALLERS)))
            taken[name].append((processor.get_seconds() - used) / CALLERS)
    print(f"\n{f'{WEEK}, {CALLERS} callers at once, each':<40}{'processor':>12}{'a second':>12}")
    first = median(taken["nothing remembered"])
    for name, rounds in taken.items():
        each = median(rounds)
        print(f"  {name:<38}{ms(each, 12)}{1 / each:>12,.0f}{first / each:>8.1f}x  (goal: {CALLERS_GOAL:.0f}x)")


def report_answers(measured: dict[Size, Measured]) -> None:
    """Print the answers beside the floor, and the parts of a search with nothing remembered."""
    print(
        f"\n{'The whole answer':<32}{'busy rows':>10}{'slots':>11}{'answer':>21}{'parts':>11}{'of processor time':>29}"
        f"{'again':>19}"
    )
    for size, (answer, again, floor, _, answered, found) in measured.items():
        clock, processor = answer.clock / floor.clock, answer.processor / floor.processor
        print(
            f"  {size!s:<30}{len(found.calendars.busy):>10,}{len(find_slots(found)):>11,}{megabytes(answered.size)}"
            f"{ms(answer.clock)}{ms(floor.clock)} {clock:.1f}x{ms(answer.processor)}{ms(floor.processor)}"
            f" {processor:.2f}x{f'  (goal: {GOALS[size]}x)' if size in GOALS else '':<14}"
            f"{ms(again.processor)} {again.processor / floor.processor:.2f}x"
        )
    names = ("load", "search", "JSON", "candidates", "other reads", "BEGIN…COMMIT")
    print(f"\n{'With nothing remembered':<32}" + "".join(f"{name:>14}" for name in names))
    for size, (_, _, _, parts, *_) in measured.items():
        print(f"  {size!s:<30}" + "".join(ms(each, 14) for each in parts))


def ms(seconds: float, width: int = 11) -> str:
    """Return milliseconds for a column."""
    return f"{f'{seconds * 1e3:,.1f} ms':>{width}}"


# ---------------------------------------------------------------- the search alone


def report_searches(measured: dict[Size, Measured]) -> None:
    """Print the search and its JSON beside the naive loop and the peer, all of them given the busy rows."""
    try:
        peer = install()
    except PeerMissingError as problem:
        print(f"\nno peer from npm: {problem}")
        peer = None
    print(
        f"\n{'Given the busy rows, likewise':<32}{'search':>11}{'naive loop':>22}{'JSON':>11}{'json':>22}  {peer or ''}"
    )
    for size, (*_, found) in measured.items():
        slots = find_slots(found)
        ours, ours_json = best(lambda f=found: find_slots(f)), best(lambda s=slots: count_bytes(s))
        naive, naive_json = measure_naive(found)
        line = f"  {size!s:<30}{ms(ours)}{versus(naive, ours)}{ms(ours_json)}{versus(naive_json, ours_json)}"
        # Hours that begin at 07:13 make slots at 07:13 there.
        if peer and not size.distinct:
            line += versus(measure_peer(found), ours)
        print(line)


def best(run: Callable[[], object]) -> float:
    """Return the shortest of the rounds, in seconds of processor time."""
    seconds: list[float] = []
    while len(seconds) < FEWEST_ROUNDS or sum(seconds) < 1:
        begun = process_time()
        run()
        seconds.append(process_time() - begun)
    return min(seconds)


def versus(theirs: float, ours: float) -> str:
    """Return seconds and how they compare, for a column."""
    return f"{f'{theirs:,.1f} s ({theirs / ours:,.0f}x)':>22}"


def measure_naive(found: SearchInput) -> tuple[float, float]:
    """Return the seconds of the naive loop and of `json` for all advisors. Raises SystemExit when it finds others."""
    part = replace(found, candidates=found.candidates[:_NAIVE_ADVISORS])
    scale = len(found.candidates) / len(part.candidates)
    begun = process_time()
    items = loop_naively(part.query, part.candidates, part.calendars.busy)
    looped = process_time()
    json.dumps(items)
    seconds = (looped - begun) * scale, (process_time() - looped) * scale
    ours = json.loads(b"".join(encode(find_slots(part))))
    require_same("the naive loop", {tuple(each.items()) for each in items}, {tuple(each.items()) for each in ours})
    return seconds


def measure_peer(found: SearchInput) -> float:
    """Return the peer's seconds for all advisors. Raises SystemExit when it finds others."""
    advisors = [replace(each, daily_limit=None) for each in found.candidates[:_PEER_ADVISORS]]
    part = replace(
        found, candidates=advisors, query=replace(found.query, meeting_types=frozenset({MeetingType.ONLINE}))
    )
    theirs = find_starts(found.query, advisors, found.calendars.busy)
    starts = {
        (advisor.employee_id, start)
        for advisor, starts in zip(advisors, theirs.starts, strict=True)
        for start in starts
    }
    require_same("the peer", starts, {(slot.employee_id, slot.starts_at) for slot in find_slots(part)})
    return theirs.seconds * len(found.candidates) / len(advisors)


def require_same(who: str, theirs: set[Any], ours: set[Any]) -> None:
    """Raise SystemExit when others were found: there would be nothing to compare."""
    if theirs != ours:
        raise SystemExit(f"{who} found {len(theirs - ours)} slots that we did not, and missed {len(ours - theirs)}")


# ---------------------------------------------------------------- memory


def report_memory(endpoint: Endpoint, folder: Path, tenants: list[Tenant]) -> None:
    """Print what one answer takes, each in a process of its own; fewer meeting types make a shorter answer."""
    print(f"\n{'Memory of the process':<44}{'before':>10}{'most':>10}{'more':>10}{'answer':>10}{'longest piece':>15}")
    first, *_ = tenants
    everything: dict[str, str] = {}
    cases = [(tenant, everything) for tenant in tenants if not tenant.size.distinct]
    cases.append((tenants[-1], {"meetingTypes": "online"}))
    for tenant, narrowed in cases:
        query = make_query(tenant.size.days) | narrowed
        job = Job(endpoint.app, str(folder), first.credentials, make_query(first.size.days), tenant.credentials, query)
        used = run_apart(job)
        name = f"{tenant.size}, {narrowed.get('meetingTypes', 'all types')}"
        answer = f"{megabytes(used.size)}{used.largest / 1e3:>12,.0f} kB"
        if used.level_kb is None or used.peak_kb is None:
            print(f"  {name:<42}{'not known without /proc':>30}{answer}")
            continue
        level, peak = used.level_kb * 1024, used.peak_kb * 1024
        print(f"  {name:<42}{megabytes(level)}{megabytes(peak)}{megabytes(peak - level)}{answer}")


def run_apart(job: Job) -> Used:
    """Measure in a process of its own. Raises SystemExit when that fails."""
    command = [sys.executable, "-m", "slot_peers.memory"]
    done = subprocess.run(command, input=msgspec.json.encode(job), capture_output=True, check=False, cwd=_HERE)  # noqa: S603 - ours
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return msgspec.json.decode(done.stdout, type=Used)


def megabytes(size: int) -> str:
    """Return megabytes for a column."""
    return f"{f'{size / 1e6:,.1f} MB':>10}"


# ---------------------------------------------------------------- all of it


async def run(endpoint: Endpoint, folder: Path) -> None:
    """Fill a database of our own and measure."""
    await migrate(endpoint.owner)
    superuser = await endpoint.superuser.connect()
    async with Database(endpoint.app) as database, open_app(database, folder) as app:
        server = await superuser.fetchval("show server_version")
        print(
            f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Python"
            f" {platform.python_version()}, numpy {np.__version__}, PostgreSQL {server}"
        )
        tenants = {tenant.size: tenant for tenant in await fill(database, superuser)}
        measured = {size: await measure(app, database, superuser, tenants[size]) for size in SIZES}
        await compare_entries(app, database, superuser, tenants)
        await compare_memory(app, database, superuser, tenants[MIDDLE])
    await superuser.close()
    report_answers(measured)
    report_searches(measured)
    report_memory(endpoint, folder, [tenants[size] for size in SIZES])


def main() -> None:
    """Start a PostgreSQL of our own and measure."""
    with (
        tempfile.TemporaryDirectory() as name,
        EmbeddedPostgres(Path(name) / "postgres") as endpoint,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(run(endpoint, Path(name)))


if __name__ == "__main__":
    main()
