"""`meetdeck tenant move`: a firm moves to another database, whole, while it is served (docs/decisions/0233)."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from signal import SIGKILL
from time import monotonic
from typing import Any

import pytest
import pytest_asyncio
from asyncpg.exceptions import PostgresError

from meetdeck.administration.moves import copying, service
from meetdeck.administration.moves.schemas import MoveRefusedError
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, Cell, CellDatabase, Connection, DatabaseUnavailable
from meetdeck.platform.database.errors import MOVED
from meetdeck.platform.errors import SetupError
from meetdeck.services import Services
from support.archives import Rows, dump_rows
from support.databases import copy_database
from support.factories import Api
from support.filled_firms import fill
from support.moving import MOMENTS, Owners, move, move_apart

LONGEST_CLEANING = 60.0

pytestmark = pytest.mark.own_database

_CHANGES = """
update location set location = location || ' (once)';
update location set location = coalesce(replace(other.location, ' (once)', ''), 'The last')
from (select location_id, lead(location) over (order by location_id) as location from location) as other
where other.location_id = location.location_id;
delete from content where content_id not in (select content_id from meeting_document)
    and content_id not in (select picture_content_id from employee where picture_content_id is not null);
update meeting set erased_at = now();
update event set data = '{}' where position is not null;
update resource set resource_id = resource_id;
delete from template_label;
update tenant set name = 'Nordlys Bank';
update tenant_usage set templates = templates + 1;
delete from occupancy where expires_at is not null;
update time_slot set ends_at = ends_at + interval '1 minute';
delete from competence_group_parent;
"""


@pytest_asyncio.fixture
async def owners(
    api: Api, services: Services, addresses: tuple[Address, Address], postgres: Endpoint, migrated: str
) -> AsyncGenerator[Owners]:
    """Lend two databases, the first with two filled firms, as the owners of their tables."""
    for firm in (NORDLYS, FJORD):
        await fill(api, firm, services.database)
    async with copy_database(postgres, migrated) as other:
        yield {"main": addresses[0], "b": other[0]}


@asynccontextmanager
async def serve(owners: Owners, addresses: tuple[Address, Address]) -> AsyncGenerator[CellDatabase]:
    """Lend both databases as a process that serves has them."""
    owner = owners["b"]
    cell = Cell("b", replace(addresses[1], database=owner.database), owner)
    async with CellDatabase(addresses[1], [cell], name="main", connections=2) as database:
        yield database


async def dump(owner: Address) -> Rows:
    """Return the moved firm's rows but where it lives, and that it was moved."""
    rows = await dump_rows(owner, [NORDLYS.tenant_id])
    rows["audit_entry"] = [row for row in rows["audit_entry"] if '"member"": ""cell""' not in row]
    rows["lease"] = [row for row in rows["lease"] if ",move," not in row]
    rows["tenant"] = [row.rpartition(",")[0] for row in rows["tenant"]]
    return rows


async def change(owner: Address) -> None:
    """Change rows of the moved firm in many ways."""
    connection = await owner.connect()
    async with connection.transaction():
        await connection.execute(f"select set_config('meetdeck.tenant', '{NORDLYS.tenant_id}', true)")
        await connection.execute(_CHANGES)
    await connection.close()


async def list_homes(owners: Owners) -> list[str]:
    """Return the databases that serve the firm."""
    homes: list[str] = []
    for name, owner in owners.items():
        connection = await owner.connect()
        try:
            await connection.execute("select enter_cell($1)", str(NORDLYS.tenant_id))
            homes.append(name)
        except PostgresError as error:
            if error.sqlstate not in MOVED:
                raise
        finally:
            await connection.close()
    return homes


async def test_a_firm_moves_with_what_is_changed_meanwhile_and_back(
    owners: Owners, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = await dump_rows(owners["main"], [FJORD.tenant_id])
    changed: list[Rows] = []

    async def copy_snapshot(source: Connection, *arguments: Any) -> str:
        since = await copy(source, *arguments)
        await change(owners["main"])
        changed.append(await dump(owners["main"]))
        return since

    copy = copying.copy_snapshot
    monkeypatch.setattr(service, "copy_snapshot", copy_snapshot)
    report = await move(owners, "b")
    assert (report.source, report.target, report.name) == ("main", "b", "Nordlys Bank")
    assert await dump(owners["b"]) == changed[0]
    assert await list_homes(owners) == ["b"]
    left = {table for table, rows in (await dump_rows(owners["main"], [NORDLYS.tenant_id])).items() if rows}
    assert left == {"tenant"}

    monkeypatch.setattr(service, "copy_snapshot", copy)
    await move(owners, "main")
    assert await dump(owners["main"]) == changed[0]
    assert await list_homes(owners) == ["main"]
    assert not any((await dump_rows(owners["b"], [NORDLYS.tenant_id])).values())
    assert await dump_rows(owners["main"], [FJORD.tenant_id]) == others


async def test_refusals_are_one_line_and_change_nothing(owners: Owners) -> None:
    before = await dump(owners["main"])
    with pytest.raises(SetupError, match=r"^There is no cell 'c'. The cells of MEETDECK_CELLS are main, b.$"):
        await move(owners, "c")
    with pytest.raises(MoveRefusedError, match=r"lives in main already.$"):
        await move(owners, "main")
    async with held(owners["b"], "select pg_advisory_lock(move_lock($1))"):
        with pytest.raises(
            MoveRefusedError, match=r"^The firm is being moved by another command. Wait for that to end.$"
        ):
            await move(owners, "b")
    assert await dump(owners["main"]) == before
    assert await list_homes(owners) == ["main"]


@asynccontextmanager
async def held(owner: Address, lock: str) -> AsyncGenerator[None]:
    """Hold a lock on the moved firm during the block."""
    connection = await owner.connect()
    await connection.execute(lock, str(NORDLYS.tenant_id))
    yield
    await connection.close()


@pytest.mark.thorough
@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_killed_move_leaves_the_firm_whole_and_is_repeated(
    owners: Owners, addresses: tuple[Address, Address], moment: str
) -> None:
    before = await dump(owners["main"])
    for to in ("b", "main"):  # the directory is the source, and then the target
        if await move_apart(owners, to, moment) == -SIGKILL:
            async with serve(owners, addresses) as database:
                await wait_for_service(database)
            (home,) = await list_homes(owners)
            assert await dump(owners[home]) == before
            begun = monotonic()
            with suppress(MoveRefusedError):  # it was served and complete already
                await move(owners, to)
            assert monotonic() - begun < LONGEST_CLEANING
        assert await dump(owners[to]) == before
        assert await list_homes(owners) == [to]
        left = await dump_rows(owners["main" if to == "b" else "b"], [NORDLYS.tenant_id])
        assert {table for table, rows in left.items() if rows} == ({"tenant"} if to == "b" else set())


async def wait_for_service(database: CellDatabase) -> None:
    """Wait until a process serves the firm, as callers do who are told to try again."""
    for _ in range(50):
        try:
            async with database.transaction(NORDLYS.tenant_id) as connection:
                assert await connection.fetchval("select count(*) from meeting")
                return
        except DatabaseUnavailable:
            await asyncio.sleep(0.2)
    pytest.fail("the firm is not served after ten seconds")
