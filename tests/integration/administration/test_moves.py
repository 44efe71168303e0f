"""`meetdeck tenant move`: a firm moves to another database, whole, while it is served (docs/operations/cells.md)."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from signal import SIGKILL
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.administration.moves import service
from meetdeck.administration.moves.schemas import MoveRefused
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, Connection
from meetdeck.platform.errors import SetupError
from meetdeck.services import Services
from support.archives import Rows, dump_rows
from support.databases import copy_database
from support.factories import Api
from support.filled_firms import fill
from support.moving import MOMENTS, Owners, move, move_and_die

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
        except Exception as error:
            assert getattr(error, "sqlstate", "") in {"MDC01", "MDC02"}, error
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

    copy = service.copy_snapshot
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
    with pytest.raises(MoveRefused, match=r"lives in main already.$"):
        await move(owners, "main")
    async with held(owners["b"], "select pg_advisory_lock(hashtextextended('move ' || $1, 0))"):
        with pytest.raises(MoveRefused, match=r"^The firm is being moved by another command. Wait for that to end.$"):
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
async def test_a_killed_move_leaves_the_firm_whole_and_is_repeated(owners: Owners, moment: str) -> None:
    before = await dump(owners["main"])
    assert await move_and_die(owners, "b", moment) == -SIGKILL
    homes = await list_homes(owners)
    assert len(homes) <= 1
    for home in homes:
        assert await dump(owners[home]) == before
    await move(owners, "b")
    assert await dump(owners["b"]) == before
    assert await list_homes(owners) == ["b"]
    assert {t for t, rows in (await dump_rows(owners["main"], [NORDLYS.tenant_id])).items() if rows} == {"tenant"}

    # And back, where the directory is the target.
    if await move_and_die(owners, "main", moment) == -SIGKILL:
        await move(owners, "main")
    assert await dump(owners["main"]) == before
    assert await list_homes(owners) == ["main"]
    assert not any((await dump_rows(owners["b"], [NORDLYS.tenant_id])).values())
