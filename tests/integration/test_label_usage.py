"""Labelled resources: counts are exact under concurrency, and queries stay quick."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from random import Random
from uuid import UUID, uuid4

import asyncpg
import pytest
import pytest_asyncio

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.labels.errors import InvalidLabel, LabelInUse, LabelledResourceNotFound, LabelNotFound
from meetdeck.labels.schemas import LabelledKind, LabelMatch, LabelRegistration, LabelsQuery
from meetdeck.labels.service import registry
from meetdeck.labels.service.uses import find_labelled, list_labels, replace_labels
from meetdeck.platform.database import Address, Connection, Database
from support.factories import TUESDAY_AT_TEN as NOW
from support.factories import Api
from support.statements import logged_statements

WRITERS = 8
ROUNDS = 40
WAIT_SECONDS = 0.2
"""Long enough that whoever does not have to wait is through."""

GROUP = LabelledKind.COMPETENCE_GROUP
TENANT = NORDLYS.tenant_id
AARHUS = NORDLYS.id_of("service group", "Aarhus")


class GivenUpError(Exception):
    """Rolls a transaction back."""


@pytest_asyncio.fixture
async def database(addresses: tuple[Address, Address]) -> AsyncGenerator[Database]:
    """Lend the application's pool, with a connection for each writer."""
    async with Database(addresses[1], connections=WRITERS) as database:
        yield database


@pytest_asyncio.fixture
async def groups(database: Database, api: Api) -> list[UUID]:
    """Lend some competence groups of a demo firm."""
    assert api.firm is NORDLYS
    groups = [uuid4() for _ in range(6)]
    async with database.transaction(TENANT) as connection:
        for group_id in groups:
            await add_group(connection, group_id)
    return groups


async def add_group(connection: Connection, group_id: UUID) -> None:
    await connection.execute("insert into competence_group values (current_tenant(), $1, 'Any')", group_id)


async def label(database: Database, group_id: UUID, *names: str) -> list[str]:
    async with database.transaction(TENANT) as connection:
        return await replace_labels(connection, GROUP, group_id, names, NOW)


async def delete(database: Database, label_id: UUID) -> None:
    async with database.transaction(TENANT) as connection:
        await registry.delete_label(connection, await registry.get_label(connection, label_id, for_update=True))


async def registered(database: Database) -> dict[str, LabelRegistration]:
    async with database.transaction(TENANT) as connection:
        page = await registry.list_labels(connection, LabelsQuery(page_size=200))
    return {label.label_name: label for label in page.items}


async def usage_counts(database: Database) -> dict[str, int]:
    return {name: label.usage_count for name, label in (await registered(database)).items()}


async def counted_uses(database: Database) -> dict[str, int]:
    """Count the uses of each label one by one."""
    async with database.transaction(TENANT) as connection:
        rows = await connection.fetch(
            "select label_name, count(uses.label_id) from label left join ("
            " select label_id from template_label union all select label_id from competence_group_label"
            " union all select label_id from service_group_label union all select label_id from portal_label"
            ") as uses using (label_id) group by label_name"
        )
    return {row["label_name"]: row["count"] for row in rows}


# --------------------------------------------------------------------------------------------------------- carrying


async def test_labels_keep_their_order_and_the_registered_spelling_wins(database: Database, groups: list[UUID]) -> None:
    assert await label(database, groups[0], " VIP ", "Ærø", "Pension", "ærø") == ["VIP", "Ærø", "Pension"]
    assert await label(database, groups[1], "pension", "vip", "PENSION", "New") == ["Pension", "VIP", "New"]
    assert await label(database, groups[0], "Pension", "VIP") == ["Pension", "VIP"]
    assert await usage_counts(database) == {"New": 1, "Pension": 2, "VIP": 2, "Ærø": 0}
    assert await label(database, groups[1]) == []
    assert await usage_counts(database) == {"New": 0, "Pension": 1, "VIP": 1, "Ærø": 0}


@pytest.mark.parametrize("kind", list(LabelledKind))
async def test_everything_that_carries_labels_counts(kind: LabelledKind, database: Database, api: Api) -> None:
    assert api.firm is NORDLYS
    async with database.transaction(TENANT) as connection:
        resource_id: UUID = await connection.fetchval(f"select {kind.value}_id from {kind.value} limit 1")  # noqa: S608 - of the enumeration
        assert await replace_labels(connection, kind, resource_id, ["VIP", "Pension"], NOW) == ["VIP", "Pension"]
        assert await list_labels(connection, kind, [resource_id]) == {resource_id: ["VIP", "Pension"]}
        assert await find_labelled(connection, kind, ["vip"], LabelMatch.ALL) == [resource_id]
    assert await usage_counts(database) == {"Pension": 1, "VIP": 1}
    with pytest.raises(LabelInUse, match=f"in use by {kind.words} '"):
        await delete(database, (await registered(database))["VIP"].id)
    async with database.transaction(TENANT) as connection:
        await connection.execute(f"delete from {kind.value} where {kind.value}_id = $1", resource_id)  # noqa: S608 - of the enumeration
    assert await usage_counts(database) == {"Pension": 0, "VIP": 0}


async def test_names_that_are_none_are_all_named(database: Database, groups: list[UUID]) -> None:
    with pytest.raises(InvalidLabel) as caught:
        await label(database, groups[0], "VIP", " ", "x" * 101)
    assert [fault.pointer for fault in caught.value.faults] == ["/labels/1", "/labels/2"]
    assert await usage_counts(database) == {}


async def test_what_is_gone_carries_nothing(database: Database, groups: list[UUID]) -> None:
    async with database.transaction(FJORD.tenant_id) as connection:
        with pytest.raises(LabelledResourceNotFound, match="There is no competence group"):
            await replace_labels(connection, GROUP, groups[0], ["VIP"], NOW)


async def test_lists_are_filtered_by_all_labels_or_any(database: Database, groups: list[UUID]) -> None:
    both, one, other, none = groups[:4]
    await label(database, both, "VIP", "Pension")
    await label(database, one, "VIP")
    await label(database, other, "Pension", "Mortgage")
    await label(database, none)

    async def find(*names: str, match: LabelMatch = LabelMatch.ALL) -> set[UUID] | None:
        async with database.transaction(TENANT) as connection:
            found = await find_labelled(connection, GROUP, names, match)
        return None if found is None else set(found)

    assert await find() is None
    assert await find("vip") == {both, one}
    assert await find("VIP", " vip", "pension") == {both}
    assert await find("VIP", "Pension", match=LabelMatch.ANY) == {both, one, other}
    assert await find("VIP", "Unknown") == set()
    assert await find("VIP", "Unknown", match=LabelMatch.ANY) == {both, one}


# ----------------------------------------------------------------------------------------------------- at the same time


async def test_counts_stay_exact_whatever_many_do_at_once(database: Database, groups: list[UUID]) -> None:
    """Nobody runs again after a deadlock here: there must be none."""
    names = ["VIP", "vip", "Pension", "Mortgage", "Ærø", "Århus"]

    async def work(seed: int) -> None:
        random = Random(seed)  # noqa: S311 - the same work each time
        for _ in range(ROUNDS):
            group_id, some = random.choice(groups), random.sample(names, random.randrange(len(names)))
            with suppress(
                LabelledResourceNotFound, LabelInUse, LabelNotFound, asyncpg.UniqueViolationError, GivenUpError
            ):
                async with database.transaction(TENANT) as connection:
                    await change(connection, random, group_id, some)

    async def change(connection: Connection, random: Random, group_id: UUID, some: list[str]) -> None:
        match random.randrange(8):
            case 0:  # the group goes, and takes its uses along
                await connection.execute("delete from competence_group where competence_group_id = $1", group_id)
            case 1:
                await add_group(connection, group_id)
            case 2:
                known = await registry.list_labels(connection, LabelsQuery())
                if known.items:
                    label_id = random.choice(known.items).id
                    await registry.delete_label(
                        connection, await registry.get_label(connection, label_id, for_update=True)
                    )
            case 3:
                await replace_labels(connection, GROUP, group_id, some, NOW)
                raise GivenUpError
            case 4:
                await replace_labels(connection, LabelledKind.SERVICE_GROUP, AARHUS, some, NOW)
            case _:
                await replace_labels(connection, GROUP, group_id, some, NOW)

    await asyncio.gather(*(work(seed) for seed in range(WRITERS)))
    counts = await usage_counts(database)
    assert counts == await counted_uses(database)
    assert sum(counts.values()) > 0


async def test_a_label_that_many_use_first_at_once_is_registered_once(database: Database, groups: list[UUID]) -> None:
    spellings = ("vip", "VIP", "Vip", "vIP", "viP", "VIp")
    carried = await asyncio.gather(
        *(label(database, group_id, name) for group_id, name in zip(groups, spellings, strict=True))
    )
    (counted,) = (await usage_counts(database)).items()
    assert counted[1] == len(groups)
    assert carried == [[counted[0]]] * len(groups)


async def test_new_labels_in_any_order_at_once_wait_for_each_other_in_one(
    database: Database, groups: list[UUID]
) -> None:
    for round_number in range(10):
        names = [f"{number} of {round_number}" for number in range(8)]
        await asyncio.gather(
            *(label(database, group_id, *names[start:], *names[:start]) for start, group_id in enumerate(groups)),
            *(label(database, group_id, *reversed(names)) for group_id in groups),
        )
    assert await usage_counts(database) == await counted_uses(database)


@pytest.mark.parametrize("ends", ["commits", "rolls back"])
async def test_deleting_a_label_waits_for_its_first_use(ends: str, database: Database, groups: list[UUID]) -> None:
    await label(database, groups[0], "VIP")
    await label(database, groups[0])
    vip = (await registered(database))["VIP"]
    async with transaction_that(ends, database) as connection:
        await replace_labels(connection, GROUP, groups[1], ["vip"], NOW)
        deleting = asyncio.create_task(delete(database, vip.id))
        await asyncio.sleep(WAIT_SECONDS)
        assert not deleting.done()
    if ends == "commits":
        with pytest.raises(LabelInUse):
            await deleting
        assert await usage_counts(database) == {"VIP": 1}
    else:
        await deleting
        assert await usage_counts(database) == {}


@pytest.mark.parametrize("ends", ["commits", "rolls back"])
async def test_the_first_use_of_a_label_that_is_being_deleted_registers_it_anew(
    ends: str, database: Database, groups: list[UUID]
) -> None:
    await label(database, groups[0], "VIP")
    await label(database, groups[0])
    vip = (await registered(database))["VIP"]
    async with transaction_that(ends, database) as connection:
        await registry.delete_label(connection, await registry.get_label(connection, vip.id, for_update=True))
        using = asyncio.create_task(label(database, groups[1], "Vip"))
        await asyncio.sleep(WAIT_SECONDS)
        assert not using.done()
    assert await using == (["Vip"] if ends == "commits" else ["VIP"])
    (found,) = (await registered(database)).values()
    assert (found.id == vip.id, found.usage_count) == (ends == "rolls back", 1)


async def test_who_keeps_a_label_does_not_wait_for_those_who_count_it(database: Database, groups: list[UUID]) -> None:
    await label(database, groups[0], "VIP")
    async with database.transaction(TENANT) as connection:
        await replace_labels(connection, GROUP, groups[1], ["VIP"], NOW)
        carried = await asyncio.wait_for(label(database, groups[0], "Pension", "VIP"), timeout=10)
    assert carried == ["Pension", "VIP"]
    assert await usage_counts(database) == {"Pension": 1, "VIP": 2}


@asynccontextmanager
async def transaction_that(ends: str, database: Database) -> AsyncGenerator[Connection]:
    """Open a transaction that ends with a commit or a rollback."""
    with suppress(GivenUpError):
        async with database.transaction(TENANT) as connection:
            yield connection
            if ends == "rolls back":
                raise GivenUpError


# ---------------------------------------------------------------------------------------- whatever the code may forget


async def test_the_database_refuses_to_delete_a_label_in_use(database: Database, groups: list[UUID]) -> None:
    await label(database, groups[0], "VIP")
    async with database.transaction(TENANT) as connection:
        with pytest.raises(asyncpg.ForeignKeyViolationError):
            await connection.execute("delete from label")


async def test_the_database_refuses_to_turn_a_use_into_one_of_another_label(
    database: Database, groups: list[UUID]
) -> None:
    await label(database, groups[0], "VIP")
    await label(database, groups[1], "Pension")
    async with database.transaction(TENANT) as connection:
        with pytest.raises(asyncpg.PostgresError, match="delete it and insert one"):
            await connection.execute(
                "update competence_group_label set label_id = (select label_id from label where label_name = 'VIP')"
            )


async def test_a_tenant_goes_with_its_labels(owner: Connection) -> None:
    tenant_id, group_id = uuid4(), uuid4()
    async with owner.transaction():
        await owner.execute("select set_config('meetdeck.tenant', $1, true)", str(tenant_id))
        await owner.execute("insert into tenant (tenant_id, name) values ($1, 'Any')", tenant_id)
        await add_group(owner, group_id)
        await replace_labels(owner, GROUP, group_id, ["VIP", "Pension"], NOW)
        await owner.execute("delete from tenant")
        for table in ("label", "competence_group", "competence_group_label"):
            assert await owner.fetchval(f"select count(*) from {table}") == 0  # noqa: S608 - one of three


# ------------------------------------------------------------------------------------------------------------- quickly


async def test_the_number_of_queries_does_not_grow(database: Database, groups: list[UUID]) -> None:
    few = await log_queries(database, ["VIP"], groups[:1])
    many = await log_queries(database, [f"Label {number}" for number in range(50)], groups)
    assert len(few) == len(many) == 7


async def log_queries(database: Database, names: list[str], resources: list[UUID]) -> list[str]:
    """Put labels on the first resource, read those of all, filter by them; return what the database was asked."""
    with logged_statements(database) as asked:
        async with database.transaction(TENANT) as connection:
            await replace_labels(connection, GROUP, resources[0], names, NOW)
            await list_labels(connection, GROUP, resources)
            await find_labelled(connection, GROUP, names, LabelMatch.ALL)
    return asked
