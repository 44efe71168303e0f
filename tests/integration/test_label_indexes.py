"""A registry of 30,000 labels is never read through, as the application's role under its row-level security."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from uuid import uuid4

import pytest
import pytest_asyncio
from asyncpg.connection import LoggedQuery

from meetdeck.embedded_postgres import Endpoint
from meetdeck.labels.schemas import (
    ActiveFilter,
    LabelledKind,
    LabelMatch,
    LabelsQuery,
    RegisterLabel,
    SearchLabelsQuery,
    SuggestLabelsQuery,
)
from meetdeck.labels.service import registry
from meetdeck.labels.service.uses import find_labelled, list_labels, replace_labels
from meetdeck.platform.database import Connection, Database
from support.databases import copy_database, get_migrated_template
from support.factories import TUESDAY_AT_TEN as NOW

pytestmark = pytest.mark.own_database

TENANT = uuid4()
GROUP = LabelledKind.COMPETENCE_GROUP
GROUP_ID = uuid4()

_MANY = """
insert into label (tenant_id, label_name, usage_count, first_seen, last_updated)
select current_tenant(), first || ' ' || second || ' ' || number, number % 7 / 6, now(), now()
from unnest('{Pension,Formue,Bolig,Lån,Skat,Ærø,Øst,Århus,Vip,Forsikring}'::text[]) as first,
    unnest('{kunde,kampagne,forår,rådgiver,møde,portal,premium,erhverv,arv,familie}'::text[]) as second,
    generate_series(1, 300) as number
"""


async def register_and_delete(connection: Connection) -> None:
    label = await registry.register_label(connection, RegisterLabel("Short-lived"), NOW)
    await registry.delete_label(connection, await registry.get_label(connection, label.id, for_update=True))


IS_ACTIVE = {ActiveFilter.ALL: [True, False], ActiveFilter.ACTIVE: [True], ActiveFilter.INACTIVE: [False]}

Question = Callable[[Connection], Awaitable[object]]
QUESTIONS: dict[str, Question] = {
    "search": lambda connection: registry.search_labels(connection, SearchLabelsQuery("Pensjon kampanje")),
    "search active": lambda connection: registry.search_labels(
        connection, SearchLabelsQuery("Ærö", threshold=0, limit=200, active_filter=ActiveFilter.ACTIVE)
    ),
    "suggest": lambda connection: registry.suggest_labels(connection, SuggestLabelsQuery("øst k")),
    "register": lambda connection: registry.register_label(connection, RegisterLabel(f"New {uuid4()}"), NOW),
    "carry": lambda connection: replace_labels(connection, GROUP, GROUP_ID, ["vip arv 1", f"New {uuid4()}"], NOW),
    "list of the carried": lambda connection: list_labels(connection, GROUP, [GROUP_ID]),
    "filter": lambda connection: find_labelled(connection, GROUP, ["VIP ARV 1", "Unknown"], LabelMatch.ANY),
    "delete": register_and_delete,
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def crowded_template(postgres: Endpoint) -> AsyncGenerator[str]:
    """Name a database in which one tenant has 30,000 labels."""
    async with copy_database(postgres, await get_migrated_template(postgres.owner)) as (owner, application):
        async with Database(application, connections=1) as database, database.transaction(TENANT) as connection:
            await connection.execute("insert into tenant (tenant_id, name) values (current_tenant(), 'Any')")
            await connection.execute("insert into competence_group values (current_tenant(), $1, 'Any')", GROUP_ID)
            await connection.execute(_MANY)
        connection = await owner.connect()
        await connection.execute("analyze")
        await connection.close()
        yield owner.database


@pytest.fixture
def template(crowded_template: str) -> str:
    """Name the database of which the test's own is a copy."""
    return crowded_template


@pytest.fixture
def crowded(database: Database) -> Database:
    """Lend a database in which one tenant has 30,000 labels."""
    return database


async def test_no_question_reads_the_whole_registry(crowded: Database) -> None:
    for plans in ("force_custom_plan", "force_generic_plan"):
        for name, ask in QUESTIONS.items():
            async with crowded.transaction(TENANT) as connection:
                await connection.execute(f"set local plan_cache_mode = {plans}")
                before = await count_reads_through(connection)
                await ask(connection)
                assert await count_reads_through(connection) == before, f"{name}, {plans}"


async def count_reads_through(connection: Connection) -> int:
    """Count the sequential scans of labels in this transaction, those in triggers included."""
    return await connection.fetchval("select seq_scan from pg_stat_xact_user_tables where relname = 'label'")


async def test_search_and_suggestions_come_from_their_indexes(crowded: Database) -> None:
    for name, index in (("search", "label_by_similarity"), ("suggest", "label_tenant_id_label_key_key")):
        asked: list[LoggedQuery] = []
        async with crowded.transaction(TENANT) as connection:
            with connection.query_logger(asked.append):
                await QUESTIONS[name](connection)
        (query,) = asked
        async with crowded.transaction(TENANT) as connection:
            assert await connection.fetchval("select current_user") == "meetdeck_app"
            lines = await connection.fetch(f"explain {query.query}", *query.args)
        plan = "\n".join(line["QUERY PLAN"] for line in lines)
        assert index in plan
        assert "Seq Scan" not in plan


async def test_the_nearest_names_are_those_that_reading_through_finds(crowded: Database) -> None:
    for active, flags in IS_ACTIVE.items():
        for q in ("Pensjon kampanje 42", "ærø", "forsikring familie 100"):
            async with crowded.transaction(TENANT) as connection:
                query = SearchLabelsQuery(q, threshold=0.2, limit=50, active_filter=active)
                found = await registry.search_labels(connection, query)
                rows = await connection.fetch(
                    "select similarity(label_name, $1) as similarity from label where is_active = any ($2)"
                    " and similarity(label_name, $1) >= 0.2::real order by 1 desc limit 50",
                    q,
                    flags,
                )
            assert [label.similarity for label in found] == [round(row["similarity"], 4) for row in rows]


async def test_a_far_page_is_there(crowded: Database) -> None:
    async with crowded.transaction(TENANT) as connection:
        page = await registry.list_labels(connection, LabelsQuery(page_number=149, page_size=200))
    assert (len(page.items), page.total_count, page.total_pages) == (200, 30_000, 150)
