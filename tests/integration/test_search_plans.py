"""A search reads a tenant's rows a few times at most, whatever PostgreSQL was told of the tenant and when."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.importing.files import open_files
from meetdeck.booking.importing.service import import_files
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.memory import SearchMemory
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.recalling import find_kept, recall_calendars, recall_changed
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.process.progress import NoProgress
from support.statements import logged_statements

pytestmark = pytest.mark.own_database

NOW = datetime(2026, 3, 2, 6, tzinfo=UTC)
FEW, MANY = 20, 800
TOPIC, TYPE = uuid4(), uuid4()
READS_FOR_EACH = 20  # five workdays, the schedule, groups and the like; a plan that goes wrong reads hundreds

_FIRM = """
insert into tenant (tenant_id, name) values (current_tenant(), 'Any');
insert into customer_type (tenant_id, customer_type_id, name) values (current_tenant(), $type, 'Any');
insert into meeting_topic (tenant_id, topic_id, name) values (current_tenant(), $topic, 'Any');
insert into resource (tenant_id, resource_id)
    select current_tenant(), gen_random_uuid() from generate_series(1, $count);
insert into employee (tenant_id, employee_id, name) select tenant_id, resource_id, 'Any' from resource;
insert into employee_customer_type select tenant_id, employee_id, $type from employee;
insert into employee_schedule (tenant_id, employee_schedule_id, employee_id)
    select tenant_id, gen_random_uuid(), employee_id from employee;
insert into employee_workday (tenant_id, employee_schedule_id, position, day_of_week, from_time, to_time, meeting_types)
    select tenant_id, employee_schedule_id, day, day, '08:00', '16:00', '{Online}'
    from employee_schedule, generate_series(0, 4) as day;
insert into competence_group (tenant_id, competence_group_id, name) values (current_tenant(), gen_random_uuid(), 'Any');
insert into competence_group_topic select tenant_id, competence_group_id, $topic from competence_group;
insert into competence_group_employee (tenant_id, competence_group_id, employee_id)
    select tenant_id, competence_group_id, employee_id from competence_group join employee using (tenant_id);
insert into service_group (tenant_id, service_group_id, name) values (current_tenant(), gen_random_uuid(), 'Any');
insert into service_group_employee (tenant_id, service_group_id, employee_id)
    select tenant_id, service_group_id, employee_id from service_group join employee using (tenant_id);
"""

_BOOK = """
with slot as (
    insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, employee_id, status, created_at)
    select tenant_id, gen_random_uuid(), hour, hour + interval '1 hour', resource_id, 'Booked', hour
    from resource, generate_series($1::timestamptz, $1::timestamptz + interval '4 days', interval '1 day') as hour
    returning tenant_id, time_slot_id, starts_at, ends_at, employee_id
)
insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id)
select tenant_id, resource_key, starts_at, ends_at, time_slot_id
from slot join resource using (tenant_id) where resource_id = employee_id
"""
_PROLONG = """
update occupancy set ends_at = ends_at + interval '1 minute'
where resource_key = (select min(resource_key) from resource)
"""


async def make_firm(database: Database, employees: int) -> UUID:
    """Make a firm whose employees all serve the topic, in one competence group and one service group."""
    tenant_id = uuid4()
    values = {"$topic": f"'{TOPIC}'", "$type": f"'{TYPE}'", "$count": f"{employees}"}
    script = _FIRM
    for name, value in values.items():
        script = script.replace(name, value)
    async with database.transaction(tenant_id) as connection:
        await connection.execute(script)
    return tenant_id


@pytest_asyncio.fixture
async def newcomer(database: Database, owner: Connection) -> AsyncGenerator[UUID]:
    """Lend a large firm that came after the last ANALYZE, which saw a few small ones."""
    for _ in range(3):
        await make_firm(database, FEW)
    await owner.execute("analyze")
    yield await make_firm(database, MANY)


SEARCHES = {
    "everybody": AvailableQuery(require_employee_participation=False),
    "a topic": AvailableQuery(require_employee_participation=False, topic=TOPIC, customer_type_id=TYPE),
    "each kind of employees": AvailableQuery(
        require_employee_participation=False, employee_types=list(EmployeeType), customer_location="Any"
    ),
}


@pytest.mark.parametrize("plans", ["force_custom_plan", "force_generic_plan"])
async def test_a_tenant_that_no_statistics_know_is_searched_as_quickly(
    plans: str, newcomer: UUID, database: Database
) -> None:
    for name, asked in SEARCHES.items():
        async with database.transaction(newcomer) as connection:
            await connection.execute(f"set local plan_cache_mode = {plans}")
            before = await count_reads(connection)
            found = await read_search_input(connection, asked, NOW)
            assert len(found.candidates) == MANY
            assert await count_reads(connection) - before < READS_FOR_EACH * MANY, name


async def test_after_an_import_a_search_is_planned_anew(database: Database, owner: Connection, tmp_path: Path) -> None:
    tenant_id = await make_firm(database, FEW)
    await owner.execute("analyze")
    await search_as_planned(database, tenant_id)
    file = tmp_path / "employees.csv"
    file.write_text("\n".join(["name,email", *(f"Any,employee{number}@example.com" for number in range(MANY))]))
    outcome = await import_files(database, tenant_id, open_files([file]), NOW, NoProgress())
    assert not outcome.problems
    assert await search_as_planned(database, tenant_id) < READS_FOR_EACH * (FEW + MANY)


async def test_a_change_is_read_by_its_advisor_alone_also_by_a_plan_of_when_nothing_was_booked(
    database: Database,
) -> None:
    tenant_id, memory = await make_firm(database, MANY), SearchMemory(10_000_000)
    await recall_one_change(database, tenant_id, memory)
    async with database.transaction(tenant_id) as connection:
        await connection.execute(_BOOK, NOW + timedelta(hours=3))
    # While older transactions of the server are open, what they may change is read again.
    async with asyncio.timeout(60):
        while await recall_one_change(database, tenant_id, memory) >= MANY / 10:  # noqa: ASYNC110 - no event tells
            await asyncio.sleep(0.5)


async def recall_one_change(database: Database, tenant_id: UUID, memory: SearchMemory) -> int:
    """Change a meeting, search by plans that are kept, and return how many rows that has read."""
    asked = SEARCHES["everybody"]
    async with database.transaction(tenant_id) as connection:
        while find_kept(tenant_id, asked, NOW, memory) is None:
            await recall_changed(connection, tenant_id, asked, NOW, memory)
        await connection.execute(_PROLONG)
    async with database.transaction(tenant_id) as connection:
        await connection.execute("set local plan_cache_mode = force_generic_plan")
        before = await count_reads(connection)
        kept = find_kept(tenant_id, asked, NOW, memory)
        assert kept is not None
        await recall_calendars(connection, kept, memory)
        return await count_reads(connection) - before


async def search_as_planned(database: Database, tenant_id: UUID) -> int:
    """Search by plans that are kept, and return how many rows this has read."""
    async with database.transaction(tenant_id) as connection:
        await connection.execute("set local plan_cache_mode = force_generic_plan")
        before = await count_reads(connection)
        await read_search_input(connection, SEARCHES["everybody"], NOW)
        return await count_reads(connection) - before


async def test_many_advisors_take_no_more_statements_than_few(database: Database) -> None:
    tenants = [await make_firm(database, employees) for employees in (FEW, FEW, MANY)]
    counts: list[int] = []
    for tenant_id in tenants:
        with logged_statements(database) as statements:
            async with database.transaction(tenant_id) as connection:
                await read_search_input(connection, SEARCHES["a topic"], NOW)
        counts.append(len(statements))
    _, few, many = counts  # the first one also asks what types there are
    assert many == few


async def count_reads(connection: Connection) -> int:
    """Count the rows that this transaction has read."""
    return await connection.fetchval(
        "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint from pg_stat_xact_user_tables"
    )
