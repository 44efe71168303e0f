"""Behind PgBouncer in transaction mode, set up by docs/operations/database.md, with fewer connections than callers."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from meetdeck.demo.firm import FJORD, NORDLYS, Firm
from meetdeck.migrations import Schema, check_schema, migrate
from meetdeck.platform.database import Address, Connection, Database, savepoint
from meetdeck.platform.work import Leases
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import TUESDAY_AT_TEN, Api, make_services
from support.fakes import HandClock
from support.pgbouncer import SERVER_CONNECTIONS

pytestmark = pytest.mark.thorough

PROCESSES = 2
AT_ONCE = 12  # in each of them
ROUNDS = 6
_SEARCH = "v3/booking/time-slots/available?requireEmployeeParticipation=false"
_KEPT = "select count(*) from pg_prepared_statements"


@pytest.fixture
def application(addresses: tuple[Address, Address], pgbouncer: int) -> Address:
    """Lend the application's address of the test's own database, by the pooler."""
    return replace(addresses[1], host="127.0.0.1", port=pgbouncer)


@pytest_asyncio.fixture
async def databases(application: Address) -> AsyncGenerator[list[Database]]:
    """Lend the pools of two processes, each of which wants more connections than there are."""
    async with AsyncExitStack() as stack:
        pools = [Database(application, connections=AT_ONCE) for _ in range(PROCESSES)]
        yield [await stack.enter_async_context(pool) for pool in pools]


@pytest_asyncio.fixture
async def apis(databases: list[Database], clock: HandClock, tmp_path: Path) -> AsyncGenerator[list[Api]]:
    """Lend two processes of one installation."""
    async with AsyncExitStack() as stack:
        apis: list[Api] = []
        for database in databases:
            services = make_services(database, clock, tmp_path, MissingRenderer())
            await stack.enter_async_context(aclosing(services))
            apis.append(await stack.enter_async_context(Api.open(services)))
        yield apis


async def look_around(connection: Connection, firm: Firm, tenants: set[UUID]) -> None:
    """Look at a table in each way that the application does; check that all that is there is the firm's."""
    assert await connection.fetchval("select current_tenant()") == firm.tenant_id
    tenants |= {row["tenant_id"] for row in await connection.fetch("select tenant_id from employee")}
    async with savepoint(connection):
        cursor = await connection.cursor("select tenant_id from resource where resource_id <> $1", uuid4())
        while rows := await cursor.fetch(3):
            tenants |= {row["tenant_id"] for row in rows}
    await connection.executemany("select $1::uuid", [(firm.tenant_id,)] * 3)


async def test_tenants_stay_apart_however_connections_are_shared(databases: list[Database]) -> None:
    seen: dict[UUID, set[UUID]] = {NORDLYS.tenant_id: set(), FJORD.tenant_id: set()}
    backends: set[int] = set()

    async def call(database: Database, firm: Firm, number: int) -> None:
        async with database.transaction(firm.tenant_id, planned_anew=bool(number % 2)) as connection:
            await look_around(connection, firm, seen[firm.tenant_id])
            backends.add(await connection.fetchval("select pg_backend_pid()"))
        async with database.outside_tenants() as connection:
            assert await connection.fetchval("select count(*) from employee") == 0

    for number in range(ROUNDS):
        callers = [(database, firm) for database in databases for firm in (NORDLYS, FJORD)] * (AT_ONCE // 2)
        await asyncio.gather(*(call(database, firm, number) for database, firm in callers))
    assert seen == {firm.tenant_id: {firm.tenant_id} for firm in (NORDLYS, FJORD)}
    assert 1 < len(backends) <= SERVER_CONNECTIONS


async def test_nothing_is_left_prepared_where_another_would_meet_it(databases: list[Database]) -> None:
    for database in databases:
        async with AsyncExitStack() as stack:
            for _ in range(AT_ONCE):
                connection = await stack.enter_async_context(database.outside_tenants())
                assert await connection.fetchval(_KEPT) == 0


async def test_without_a_pooler_statements_stay_prepared(addresses: tuple[Address, Address]) -> None:
    async with Database(addresses[1], connections=1) as database, database.outside_tenants() as connection:
        await connection.fetchval(_KEPT)
        assert await connection.fetchval(_KEPT) >= 1


async def test_of_many_rivals_by_two_processes_one_gets_the_time(apis: list[Api]) -> None:
    anna = apis[0].id_of("employee", "Anna Holm")
    rivals = [api.reserve(TUESDAY_AT_TEN, employeeId=anna) for api in apis * AT_ONCE]
    statuses = sorted([answer.status_code for answer in await asyncio.gather(*rivals)])
    assert statuses == [201, *[409] * (len(rivals) - 1)]


async def test_searches_lists_and_bookings_go_on_beside_each_other(apis: list[Api]) -> None:
    anna = apis[0].id_of("employee", "Anna Holm")

    async def book(api: Api, number: int) -> None:
        begin = TUESDAY_AT_TEN + timedelta(days=7 * number)
        held = await api.reserve(begin, employeeId=anna)
        assert held.status_code == 201, held.text
        meeting = await api.book(employeeId=anna, type="Online", timeSlotId=held.json()["id"])
        assert meeting.status_code == 201, meeting.text
        offered = await api.get(
            f"{_SEARCH}&employeeTypes=Explicit&explicitEmployeeIds={anna}&startDate={begin:%F}T00:00:00Z"
        )
        assert offered.status_code == 200, offered.text
        assert f'"startDate":"{begin:%FT%T}Z"' not in offered.text

    async def read(api: Api) -> None:
        lists = [f"v3/booking/{name}" for name in ("meetings", "time-slots", "employees", "config/competence-groups")]
        for path in (*lists, _SEARCH):
            answer = await api.get(path)
            assert answer.status_code == 200, answer.text

    work = [book(api, 1 + 2 * number + place) for place, api in enumerate(apis) for number in range(8)]
    await asyncio.gather(*work, *(read(api) for api in apis * 4))
    listed = await apis[0].get("v3/booking/meetings?startDate=2026-03-01T00:00Z&endDate=2026-12-31T00:00:00Z")
    assert sum(meeting["employeeId"] == anna for meeting in listed.json()) >= len(work)


async def test_a_lease_is_held_by_one_of_two_processes(databases: list[Database]) -> None:
    async with (
        Leases(databases[0]).hold(NORDLYS.tenant_id, "work") as first,
        Leases(databases[1]).hold(NORDLYS.tenant_id, "work") as second,
    ):
        assert (first, second) == (True, False)


@pytest.mark.own_database
async def test_the_schema_is_read_and_migrated_by_the_pooler_too(
    addresses: tuple[Address, Address], application: Address
) -> None:
    owner = replace(addresses[0], host=application.host, port=application.port)
    connection = await owner.connect()
    await connection.execute("drop schema public cascade; create schema public; grant usage on schema public to public")
    await connection.close()
    assert await check_schema(owner) is Schema.EMPTY
    await migrate(owner)
    assert await check_schema(application) is Schema.CURRENT
