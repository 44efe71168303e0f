"""The cost of joint meetings beside others: `python benchmarks/joint.py [search | answer | book]`.

In turns: without groups, with one specialist of 200, with one of each of three groups of 200 that share half of their
people; 1,000 advisors, 30 days, least processor time of the rounds.

- `search`: the pure search, and the JSON of v3, which names the people and is longer.
- `answer`: what a caller waits for: the application's whole answer of v3, asked in this process through ASGI, with the
  time that PostgreSQL's processes take for it.
- `book`: `POST meetings` of an advisor alone, with a named colleague, with one of 200 and with one of each of the three
  groups.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import time, timedelta
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final, NamedTuple
from uuid import UUID, uuid4

import uvloop
from msgspec.structs import replace
from slot_peers.answer import Caller, make_query, open_app
from slot_peers.firm import (
    DAILY_LIMIT,
    HOUR,
    NOW,
    TYPES,
    WEEKDAYS,
    ZONE,
    Size,
    add_firm,
    hours_of,
    make_firm,
    prepare,
    vacuum,
)
from slot_peers.processor import Processor, Taken

from meetdeck.booking.slots.encode import Members, encode
from meetdeck.booking.slots.model import AlsoGroup, Calendars, Candidate, Organization, Query, Spans, WorkInterval
from meetdeck.booking.slots.search import search_jointly
from meetdeck.booking.slots.teams import Teams
from meetdeck.booking.slots.timestamps import to_length
from meetdeck.demo.credentials import make_tenant_credentials, store_tenant_credentials
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.embedded_postgres.endpoint import Endpoint
from meetdeck.migrations import migrate
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process import clock

SIZE: Final = Size(1000, 30)
GROUPS: Final = tuple(slice(first, first + 200) for first in (0, 100, 200))
ASKED: Final = {"without": 0, "one of 200": 1, "three of 200": 3}
GOALS: Final = {"without": 1.0, "one of 200": 1.3, "three of 200": 1.8}
MEMBERS: Final = 400  # of the groups, who are not booked by name
BOOKED: Final = {"alone": (0, 0), "with a colleague": (1, 0), "one of 200": (0, 1), "three of 200": (0, 3)}
"""The colleagues and the groups of a booking."""
BOOKED_AT: Final = NOW.replace(hour=10) + timedelta(days=SIZE.days + 5)  # nobody is booked then
ROUNDS: Final = 15
_ADD_GROUP: Final = "insert into service_group (tenant_id, service_group_id, name) values ($1, $2, $3)"
_ADD_MEMBERS: Final = """
insert into service_group_employee (tenant_id, service_group_id, employee_id) select $1, $2, unnest($3::uuid[])
"""


def make_input() -> tuple[Query, Organization, list[Candidate], Calendars]:
    """Return the input of a search of the whole firm."""
    firm = make_firm(SIZE)
    weeks = {
        hours: tuple(WorkInterval(day, *hours, frozenset(TYPES), "Aarhus") for day in WEEKDAYS)
        for hours in {hours_of(SIZE, number) for number in range(SIZE.advisors)}
    }
    advisors = [
        Candidate(employee_id, number + 1, ZONE, weeks[hours_of(SIZE, number)], DAILY_LIMIT)
        for number, employee_id in enumerate(firm.advisor_ids)
    ]
    busy = Spans(firm.booked_keys, firm.booked_at, firm.booked_at + to_length(HOUR))
    query = Query(now=NOW, starts_at=NOW, ends_at=NOW + timedelta(days=SIZE.days), duration=HOUR)
    return query, Organization(ZONE, time(8), time(17)), advisors, Calendars(busy)


def measure_search() -> None:
    """Print the milliseconds of each search, and how many times those without groups they are."""
    query, organization, advisors, calendars = make_input()
    groups = tuple(AlsoGroup(f"Group {number}", 1, tuple(advisors[each])) for number, each in enumerate(GROUPS))
    searched: dict[str, list[float]] = {name: [] for name in ASKED}
    written: dict[str, list[float]] = {name: [] for name in ASKED}
    for _ in range(ROUNDS):
        for name, count in ASKED.items():
            asked = replace(query, also=groups[:count])
            begun = process_time()
            slots, joint = search_jointly(asked, organization, advisors, (), calendars)
            searched[name].append(process_time() - begun)
            teams = Teams(joint, slots) if joint is not None else None
            for _ in encode(slots, Members(teams.render(), teams.find) if teams is not None else None):
                pass
            written[name].append(process_time() - begun)
    report("The pure search", searched)
    report("with the JSON of v3", written)


async def add_groups(superuser: Connection, tenant_id: UUID, advisor_ids: Sequence[UUID]) -> None:
    """Write the three groups of a firm."""
    for number, members in enumerate(GROUPS):
        group_id = uuid4()
        await superuser.execute(_ADD_GROUP, tenant_id, group_id, f"Group {number}")
        await superuser.execute(_ADD_MEMBERS, tenant_id, group_id, list(advisor_ids[members]))


class Opened(NamedTuple):
    """The application with a firm, its caller, and a connection that sees all processes of the database."""

    superuser: Connection
    caller: Caller
    advisor_ids: Sequence[UUID]


@asynccontextmanager
async def open_firm(endpoint: Endpoint, folder: Path) -> AsyncGenerator[Opened]:
    """Lend the application with a firm of which nobody is booked."""
    await migrate(endpoint.owner)
    superuser = await endpoint.superuser.connect()
    await prepare(superuser)
    firm = make_firm(SIZE)
    await add_firm(superuser, firm, with_meetings=False)
    await add_groups(superuser, firm.tenant_id, firm.advisor_ids)
    credentials = make_tenant_credentials(firm.tenant_id, "firm", "elevated")
    async with Database(endpoint.app) as database, open_app(database, folder) as app:
        async with database.transaction(firm.tenant_id) as connection:
            await store_tenant_credentials(connection, credentials, clock.now())
        await vacuum(superuser)
        yield Opened(superuser, await Caller.open(app, credentials), firm.advisor_ids)
    await superuser.close()


async def measure_answer(endpoint: Endpoint, folder: Path) -> None:
    """Print the milliseconds of each answer, by the processor and by the clock."""
    async with open_firm(endpoint, folder) as opened:
        processor = await Processor.open(opened.superuser)
        taken: dict[str, list[Taken]] = {name: [] for name in ASKED}
        for _ in range(2 * ROUNDS):
            for name, count in ASKED.items():
                also = ",".join(f"Group {number}" for number in range(count))
                used = processor.get_seconds()
                asked = make_query(SIZE.days) | ({"alsoServiceGroups": also} if also else {})
                answered = await opened.caller.search(asked)
                taken[name].append(Taken(answered.seconds, processor.get_seconds() - used))
    for title, place in (("The whole answer of v3", 1), ("by the clock", 0)):
        report(title, {name: [each[place] for each in rounds] for name, rounds in taken.items()})


async def measure_bookings(endpoint: Endpoint, folder: Path) -> None:
    """Print the milliseconds of each kind of booking, by the processor and by the clock."""
    async with open_firm(endpoint, folder) as opened:
        processor = await Processor.open(opened.superuser)
        taken: dict[str, list[Taken]] = {name: [] for name in BOOKED}
        advisors = iter(opened.advisor_ids[MEMBERS:])
        for _ in range(2 * ROUNDS):
            for name, (colleagues, groups) in BOOKED.items():
                body = {
                    "employeeId": str(next(advisors)),
                    "additionalEmployees": [str(next(advisors)) for _ in range(colleagues)],
                    "alsoServiceGroups": [f"Group {number}" for number in range(groups)],
                    "startDate": BOOKED_AT.isoformat(),
                    "endDate": (BOOKED_AT + HOUR).isoformat(),
                    "type": "Online",
                    "customerId": "C-1",
                }
                used = processor.get_seconds()
                seconds = await opened.caller.post("/api/v3/booking/meetings", body)
                taken[name].append(Taken(seconds, processor.get_seconds() - used))
    for title, place in (("A booking", 1), ("by the clock", 0)):
        report(title, {name: [each[place] for each in rounds] for name, rounds in taken.items()}, goals={})


def report(title: str, seconds: dict[str, list[float]], *, goals: Mapping[str, float] = GOALS) -> None:
    """Print the least and the median of each, and how many times those without groups they are."""
    print(f"{title:<26}{'least':>10}{'times':>8}{'median':>12}{'times':>8}{'goal':>8}")
    first, *_ = seconds.values()
    for name, each in seconds.items():
        figures = "".join(
            f"{found(each) * 1e3:>{width}.1f} ms{found(each) / found(first):>7.2f}"
            for found, width in ((min, 8), (median, 10))
        )
        print(f"  {name:<24}{figures}{goals.get(name, ''):>9}")


def main() -> None:
    """Measure what is asked for; for answers, start a PostgreSQL of our own."""
    asked = sys.argv[1:] or ("search", "answer", "book")
    if "search" in asked:
        measure_search()
    if "answer" in asked:
        with (
            tempfile.TemporaryDirectory() as name,
            EmbeddedPostgres(Path(name) / "postgres") as endpoint,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            runner.run(measure_answer(endpoint, Path(name)))
    if "book" in asked:
        with (
            tempfile.TemporaryDirectory() as name,
            EmbeddedPostgres(Path(name) / "postgres") as endpoint,
            asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
        ):
            runner.run(measure_bookings(endpoint, Path(name)))


if __name__ == "__main__":
    main()
