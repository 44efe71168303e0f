"""Random writes to everything that a search reads, and searches that remember beside searches that read it all.

`python -m support.search_writers` is one of several processes; it is told by lines on its input, and may be killed.
"""

import asyncio
import json
import random
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import asyncpg
import numpy as np
from msgspec.structs import replace

from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.answers import Asked, answer_search
from meetdeck.booking.scheduling.search.service.memory import KeptAnswer, SearchMemory
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.recalling import (
    KeptContent,
    find_kept,
    is_present,
    recall_calendars,
    recall_changed,
    recall_for_one,
    recall_unchanged,
)
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_answer, find_slots
from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.model import AlsoGroup, Candidate, Query, Spans
from meetdeck.booking.slots.timestamps import to_instant
from meetdeck.platform.database import Address, Connection, Database, DatabaseUnavailable
from meetdeck.platform.values import Duration, Moment, Version

NOW: Final = datetime(2026, 3, 2, 6, tzinfo=UTC)
TENANT: Final = UUID(int=77)
ADVISORS: Final = 6
_TOPIC: Final = UUID(int=1000)
_GROUP: Final = UUID(int=2000)
_FILL: Final = """
insert into tenant (tenant_id, name) values (current_tenant(), 'Firm');
insert into organization_setting (tenant_id, organization_setting_id) values (current_tenant(), gen_random_uuid());
insert into meeting_topic (tenant_id, topic_id, name) values (current_tenant(), '{topic}', 'Loans');
insert into service_group (tenant_id, service_group_id, name) values (current_tenant(), '{group}', 'Experts');
insert into resource (tenant_id, resource_id)
    select current_tenant(), ('00000000-0000-0000-0000-' || lpad(number::text, 12, '0'))::uuid
    from generate_series(1, {advisors}) as number;
insert into employee (tenant_id, employee_id, name, location)
    select tenant_id, resource_id, 'Advisor ' || resource_key, 'Aarhus' from resource;
insert into employee_schedule (tenant_id, employee_schedule_id, employee_id, can_be_booked)
    select tenant_id, employee_id, employee_id, true from employee;
insert into employee_workday (
    tenant_id, employee_schedule_id, position, day_of_week, from_time, to_time, meeting_types, is_available
)
    select tenant_id, employee_id, day, day, '09:00', '15:00', '{{Online}}', true
    from employee cross join generate_series(0, 4) as day;
"""


async def fill(database: Database) -> None:
    """Write a small firm."""
    async with database.transaction(TENANT) as connection:
        await connection.execute(_FILL.format(topic=_TOPIC, group=_GROUP, advisors=ADVISORS))


class Writer:
    """Writes at random, some of it in transactions that last, are rolled back, or lose a part of what they did."""

    def __init__(self, database: Database, chance: random.Random) -> None:
        self._database = database
        self._chance = chance
        self._writes: list[Callable[[Connection], Awaitable[Any]]] = [
            *[self._take] * 20, *[self._give_back] * 5, *[self._renew] * 4, *[self._move] * 4,
            *[self._record] * 4, *[self._forget_entry] * 2, self._change_entry, self._change_key_of_entry,
            self._change_hours, self._change_settings, self._change_topic, self._change_group, self._change_employee,
            self._purge,
        ]  # fmt: skip

    async def write(self) -> None:
        """Write something, or begin to and fail."""
        chance = self._chance
        try:
            async with self._database.transaction(TENANT) as connection:
                await connection.execute("set local lock_timeout = '500ms'")
                for _ in range(chance.choice([1, 1, 1, 3])):
                    await self._write_some(connection)
                if chance.random() < 0.1:  # a long transaction
                    await asyncio.sleep(chance.random() * 0.1)
                    await self._write_some(connection)
                if chance.random() < 0.15:
                    await connection.execute("rollback; begin")
        except (asyncpg.DeadlockDetectedError, DatabaseUnavailable):
            pass  # it waited for another for too long

    async def _write_some(self, connection: Connection) -> None:
        write, is_undone = self._chance.choice(self._writes), self._chance.random() < 0.15
        await connection.execute("savepoint part")
        try:
            await write(connection)
        except (asyncpg.ExclusionViolationError, asyncpg.UniqueViolationError, asyncpg.ForeignKeyViolationError):
            is_undone = True
        await connection.execute(f"{'rollback to' if is_undone else 'release'} savepoint part")

    def _draw_employee(self) -> UUID:
        return UUID(f"{self._chance.randint(1, ADVISORS):032d}")

    def _draw_time(self) -> tuple[datetime, datetime]:
        begin = NOW + timedelta(minutes=30 * self._chance.randrange(-48, 48 * 12))
        return begin, begin + timedelta(minutes=30 * self._chance.choice([1, 2, 3, 4] * 4 + [60]))

    async def _take(self, connection: Connection) -> None:
        begin, end = self._draw_time()
        expires = self._chance.choice(
            [None, None, NOW - timedelta(minutes=1), NOW + timedelta(minutes=5), NOW + timedelta(seconds=20.5)]
        )
        await connection.execute(
            """
            with slot as (
                insert into time_slot (
                    tenant_id, time_slot_id, starts_at, ends_at, employee_id, status, token, expires_at, created_at
                )
                select current_tenant(), gen_random_uuid(), $2, $3, $1,
                    case when $4::timestamptz is null then 'Booked' else 'Reserved' end,
                    case when $4::timestamptz is not null then gen_random_uuid() end, $4, now()
                returning tenant_id, time_slot_id
            )
            insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id, expires_at)
            select tenant_id, (select resource_key from resource where resource_id = $1), $2, $3, time_slot_id, $4
            from slot
            """,
            self._draw_employee(), begin, end, expires,
        )  # fmt: skip

    async def _give_back(self, connection: Connection) -> None:
        await connection.execute(
            "delete from time_slot where time_slot_id in"
            " (select time_slot_id from occupancy order by random() limit $1)",
            self._chance.choice([1, 1, 1, 4]),
        )

    async def _renew(self, connection: Connection) -> None:
        await connection.execute(
            "update occupancy set expires_at = $1 where occupancy_id in"
            " (select occupancy_id from occupancy where expires_at is not null order by random() limit 2)",
            NOW + timedelta(minutes=self._chance.choice([-5, 0.75, 5, 10])),
        )

    async def _move(self, connection: Connection) -> None:
        begin, end = self._draw_time()
        await connection.execute(
            "update occupancy set starts_at = $1, ends_at = $2,"
            " resource_key = (select resource_key from resource where resource_id = $3)"
            " where occupancy_id = (select occupancy_id from occupancy order by random() limit 1)",
            begin, end, self._draw_employee(),
        )  # fmt: skip

    async def _record(self, connection: Connection) -> None:
        begin, end = self._draw_time()
        await connection.execute(
            "insert into calendar_entry"
            " (tenant_id, time_slot_id, resource_key, employee_id, status, starts_at, ends_at, created_at)"
            " select tenant_id, gen_random_uuid(), resource_key, resource_id, $2, $3, $4, now()"
            " from resource where resource_id = $1",
            self._draw_employee(),
            self._chance.choice(["Busy", "Busy", "ExtraOpen", "WorkingFromElsewhere"]),
            begin,
            end,
        )

    async def _forget_entry(self, connection: Connection) -> None:
        await connection.execute(
            "delete from calendar_entry where time_slot_id in"
            " (select time_slot_id from calendar_entry order by random() limit $1)",
            self._chance.choice([1, 3]),
        )

    async def _change_entry(self, connection: Connection) -> None:
        await connection.execute(
            "update calendar_entry set starts_at = $1, ends_at = $2 where time_slot_id ="
            " (select time_slot_id from calendar_entry order by random() limit 1)",
            *self._draw_time(),
        )

    async def _change_key_of_entry(self, connection: Connection) -> None:
        await connection.execute(
            "update calendar_entry set resource_key = resource.resource_key, employee_id = resource_id from resource"
            " where resource_id = $1 and time_slot_id ="
            " (select time_slot_id from calendar_entry order by random() limit 1)",
            self._draw_employee(),
        )

    async def _change_hours(self, connection: Connection) -> None:
        await connection.execute(
            "update employee_workday set to_time = $1 where employee_schedule_id = $2",
            datetime(2026, 1, 1, self._chance.randint(11, 16)).time(),  # noqa: DTZ001 - a time of day
            self._draw_employee(),
        )

    async def _change_settings(self, connection: Connection) -> None:
        await connection.execute(
            "update organization_setting set buffer_between_meetings = $1",
            timedelta(minutes=self._chance.choice([0, 15, 30])),
        )

    async def _change_topic(self, connection: Connection) -> None:
        await connection.execute("update meeting_topic set duration_minutes = $1", self._chance.choice([30, 60, 90]))

    async def _change_group(self, connection: Connection) -> None:
        if self._chance.random() < 0.5:
            await connection.execute("delete from service_group_employee where employee_id = $1", self._draw_employee())
        else:
            await connection.execute(
                "insert into service_group_employee values (current_tenant(), $1, $2)", _GROUP, self._draw_employee()
            )

    async def _change_employee(self, connection: Connection) -> None:
        await connection.execute(
            "update employee set active = $1 where employee_id = $2", self._chance.random() < 0.8, self._draw_employee()
        )

    async def _purge(self, connection: Connection) -> None:
        await connection.execute("delete from occupancy where expires_at <= $1", NOW)
        if self._chance.random() < 0.3:  # as `forget_search_changes`, but of everything that it may
            until = await connection.fetchval("select pg_snapshot_xmin(pg_current_snapshot())::text")
            await connection.execute("delete from search_change where xid < $1::text::xid8", until)
            await connection.execute(
                "insert into search_change (tenant_id, xid, resource_key)"
                " values (current_tenant(), $1::text::xid8, -1)",
                until,
            )


class Reader:
    """Searches with a memory of its own, and in the same moment without one."""

    def __init__(self, database: Database, chance: random.Random) -> None:
        self._database = database
        self._chance = chance
        self._memory = SearchMemory(chance.choice([200_000, 10_000_000]))
        self._params = self._draw()

    async def compare(self) -> str:
        """Return how what is remembered differs from what is there; empty: nowise."""
        if self._chance.random() < 0.3:  # mostly the same is asked again
            self._params = self._draw()
        params, now = self._params, self._draw_moment()
        if self._chance.random() < 0.7:  # each statement sees another moment
            await self._answer(params, self._chance.choice([now, self._draw_moment()]))
        async with self._database.outside_tenants() as connection, connection.transaction(isolation="repeatable_read"):
            await connection.execute(f"select set_config('meetdeck.tenant', '{TENANT}', true)")
            answered = await self._find_answer(connection, params, now)
            kept = find_kept(TENANT, params, now, self._memory)
            recall = self._chance.choice([recall_unchanged, recall_calendars])
            of_kept = await recall(connection, kept, self._memory) if kept else None
            recalled = await recall_changed(connection, TENANT, params, now, self._memory)
            read = await read_search_input(connection, params, now)
            joint = self._draw_for_one()
            for_one = await recall_for_one(connection, TENANT, joint, now, self._memory)
            read_for_one = await recall_for_one(connection, None, joint, now)
        return (
            describe_difference(recalled.found, read)
            or (describe_difference(of_kept.found, read) if of_kept else "")
            or describe_difference(for_one.found, read_for_one.found)
            or ("another answer is kept" if answered not in (None, self._write(params, read)) else "")
        )

    async def _answer(self, params: AvailableQuery, now: datetime) -> None:
        """Search, one to three times, at once or one after the other."""
        searches = [answer_search(self._ask(params), now, self._memory) for _ in range(self._chance.choice([1, 2, 3]))]
        if self._chance.random() < 0.5:
            await asyncio.gather(*searches)
        else:
            for search in searches:
                await search

    async def _find_answer(self, connection: Connection, params: AvailableQuery, now: datetime) -> bytes | None:
        """Return the answer that a search would be given again; None if it would be found anew."""
        kept = self._memory.find(KeptAnswer, self._ask(params).key)
        content = KeptContent.find(TENANT, params, self._memory)
        if kept is None or content is None:
            return None
        if not await is_present(connection, kept.edition, content, now, self._memory):
            return None
        return b"".join(kept.pieces or kept.answer.write())

    def _ask(self, params: AvailableQuery) -> Asked:
        return Asked(self._database, TENANT, params, Version.V3, 1_000_000)

    def _write(self, params: AvailableQuery, found: SearchInput) -> bytes:
        return b"".join(find_answer(found, params, 1_000_000, version=Version.V3).write())

    def _draw_moment(self) -> datetime:
        chance = self._chance
        seconds = chance.choice([0, 30, chance.random() * 60, chance.random() * 60])
        return NOW + timedelta(minutes=chance.choice([0, 0, 0, 7]), seconds=seconds)

    def _draw_for_one(self) -> AvailableQuery:
        return AvailableQuery(
            require_employee_participation=False,
            explicit_employee_ids=[UUID(f"{self._chance.randint(1, ADVISORS):032d}")],
            also_service_groups=[str(_GROUP)],
            look_forward_time=Duration(days=self._chance.choice([1, 7])),
        )

    def _draw(self) -> AvailableQuery:
        chance = self._chance
        return AvailableQuery(
            require_employee_participation=False,
            topic=chance.choice([None, _TOPIC]),
            look_forward_time=Duration(days=chance.choice([1, 7, 7, 21])),
            start_date=chance.choice([None, Moment.fromtimestamp((NOW + timedelta(days=3)).timestamp(), UTC)]),
            is_customer_initiated=chance.random() < 0.5,
            get_best_time_slots=chance.random() < 0.2,
        )


def describe_difference(recalled: SearchInput, read: SearchInput) -> str:
    """Return how two inputs of one search differ; empty: in nothing that it could notice."""
    recalled, read = (replace(each, query=_sort_people(each.query)) for each in (recalled, read))
    for name in ("topic", "exclusions", "query", "organization", "candidates", "rooms"):
        if getattr(recalled, name) != getattr(read, name):
            return f"{name}: {getattr(recalled, name)} instead of {getattr(read, name)}"
    query = read.query
    period = to_instant(query.starts_at), to_instant(query.ends_at)
    for name in ("busy", "extra_open", "elsewhere"):
        ours, theirs = (_list_times(getattr(each.calendars, name), *period) for each in (recalled, read))
        if ours != theirs:
            return f"{name}: {ours - theirs} too many, {theirs - ours} missing"
    answers = [b"".join(encode(find_slots(each))) for each in (recalled, read)]
    return "" if answers[0] == answers[1] else "other slots are found"


def _sort_people(query: Query) -> Query:
    """Return a query without what means nothing: the order of a group's people, and the named advisor among them."""
    also = [
        replace(each, people=tuple(sorted(_leave_out(query.named, each), key=lambda one: one.resource_key)))
        for each in query.also
    ]
    return replace(query, also=tuple(also))


def _leave_out(named: frozenset[UUID], group: AlsoGroup) -> list[Candidate]:
    return [one for one in group.people if one.employee_id not in named]


def _list_times(spans: Spans, begin: int, end: int) -> set[tuple[int, int, int, bool]]:
    is_entry = np.arange(len(spans)) >= len(spans) - spans.entries
    return {
        row
        for row in zip(
            *(each.tolist() for each in (spans.resource_keys, spans.starts_at, spans.ends_at, is_entry)), strict=True
        )
        if row[1] < end and row[2] > begin
    }


async def work(address: Address, seed: int, writes: int) -> None:
    """Write and compare, and print the number of writes now and then, or a difference."""
    chance = random.Random(seed)  # noqa: S311 - a seed
    async with Database(address, connections=4) as database:
        writer, readers = Writer(database, chance), [Reader(database, chance) for _ in range(2)]
        done = 0

        async def write_and_compare(reader: Reader) -> None:
            nonlocal done
            while done < writes:
                await writer.write()
                done += 1
                difference = await reader.compare()
                print(json.dumps([done, difference]), flush=True)  # noqa: T201 - to the test

        await asyncio.gather(*(write_and_compare(reader) for reader in readers))


if __name__ == "__main__":
    given: dict[str, Any] = json.loads(sys.argv[1])
    asyncio.run(work(Address(**given["address"]), given["seed"], given["writes"]))
