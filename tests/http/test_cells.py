"""A second database for firms: where they live, what is found before a firm is known, and a database that is away."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta

import pytest
import pytest_asyncio

from meetdeck.administration.errors import TenantExists
from meetdeck.administration.keys.service import create_key
from meetdeck.administration.tenants.service.deletion import delete_tenant
from meetdeck.administration.tenants.service.tenants import create_tenant, list_tenants, read_tenant
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.changes import name_operator
from meetdeck.platform.database import Address, CellDatabase, Database
from meetdeck.platform.identity import TenantNotFound
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.work import Leases
from meetdeck.services import Services
from support.cells import CELL, FIRST, open_cells, part_demo_firms, place
from support.databases import copy_database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import ANNA, book, forget_meetings
from support.moving import move
from support.receivers import open_receiver
from support.webhooks import Webhooks

OPERATOR = name_operator("tests")
_SEARCH = (
    "v3/booking/time-slots/available?requireEmployeeParticipation=false&employeeTypes=Explicit"
    f"&startDate=2026-03-03T00:00:00Z&lookForwardTime=1.00:00:00&explicitEmployeeIds={ANNA}"
)


@pytest_asyncio.fixture
async def addresses(postgres: Endpoint, template: str) -> AsyncGenerator[tuple[Address, Address]]:
    """Lend two databases, the first with the second demo firm, and a cell with the first."""
    async with copy_database(postgres, template) as (_, first), copy_database(postgres, template) as (_, cell):
        await part_demo_firms(first, cell)
        yield first, cell


@pytest_asyncio.fixture
async def database(addresses: tuple[Address, Address]) -> AsyncGenerator[CellDatabase]:
    """Lend both databases as one."""
    async with open_cells(*addresses) as cells:
        yield cells


@pytest.fixture
def own_settings() -> dict[str, object]:
    """Lend a setting with which events may be sent to this machine."""
    return {"outgoing_allow": ("127.0.0.1",)}


async def work(services: Services, clock: HandClock) -> None:
    """Do the due work of all cells."""
    for cell in services.cells:
        await cell.routing.route(clock())
        await cell.jobs.run_due(clock)


async def count_meetings(address: Address) -> int:
    """Return how many meetings of a customer a database has."""
    async with Database(address, connections=1) as database, database.transaction(NORDLYS.tenant_id) as connection:
        return await connection.fetchval("select count(*) from meeting where customer_id = 'Freja'")


async def test_a_firm_of_a_cell_is_served_from_there(
    api: Api, database: CellDatabase, services: Services, clock: HandClock, addresses: tuple[Address, Address]
) -> None:
    before = (await api.get(_SEARCH)).json()
    async with open_receiver() as receiver:
        webhooks = Webhooks(await api.of(api.firm, elevated=True), services, clock)
        await webhooks.create(receiver.url)
        meeting = await book(api, externalAttendees=[{"name": "Freja", "email": "freja@bank.test"}])
        assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()["code"] == "time_slot_taken"
        assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["id"] == meeting["id"]
        assert len((await api.get(_SEARCH)).json()) < len(before)
        await work(services, clock)
        assert [event["type"] for event in receiver.events()] == ["meeting.created"]
    mails = (await api.http.get("/dev/mailbox")).text
    assert "freja@bank.test" in mails
    deck = await api.post("v3/present/slides", {"template": "Annual review", "slides": [{"slideId": "Cover"}]})
    assert deck.status_code == 200, deck.text
    assert [await count_meetings(each) for each in addresses] == [0, 1]
    key = await create_key(database, NORDLYS.tenant_id, "crm", OPERATOR, clock())  # which the first does not have
    answer = await api.get("v3/booking/employees", headers={"Ocp-Apim-Subscription-Key": key.subscription_key})
    assert answer.status_code == 200
    fjord = await api.other()
    assert (await fjord.get("v3/booking/employees")).json() != (await api.get("v3/booking/employees")).json()


async def test_a_firm_is_created_shown_and_deleted_in_a_cell(
    database: CellDatabase, services: Services, clock: HandClock, addresses: tuple[Address, Address]
) -> None:
    made = await create_tenant(database, "Havn", None, OPERATOR, clock(), cell=CELL)
    assert {each.name: each.cell for each in await list_tenants(database)} == {
        FJORD.name: FIRST,
        "Havn": CELL,
        NORDLYS.name: CELL,
    }
    with pytest.raises(TenantExists):
        await create_tenant(database, "Havn", made.tenant_id, OPERATOR, clock())
    await delete_tenant(database, services.storage, made.tenant_id, OPERATOR, clock(), progress=NoProgress())
    with pytest.raises(TenantNotFound):
        await read_tenant(database, made.tenant_id)
    for address in addresses:
        async with Database(address, connections=1) as one, one.transaction(made.tenant_id) as connection:
            assert not await connection.fetchval("select exists (select from tenant)")


async def test_a_process_follows_a_firm_that_moves(
    api: Api, addresses: tuple[Address, Address], postgres: Endpoint
) -> None:
    assert (await api.get(_SEARCH)).status_code == 200
    elevated = await api.of(NORDLYS, elevated=True)
    cursor = (await elevated.get("v3/events", params={"after": "latest"})).json()["next"]
    meeting = await book(api, day=70)
    mover = await addresses[1].connect()
    async with mover.transaction():
        await mover.execute("select pg_advisory_xact_lock(cell_lock($1))", str(NORDLYS.tenant_id))
        for answer in (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA), await api.get(_SEARCH)):
            assert (answer.status_code, answer.json()["code"]) == (503, "tenant_moving")
            assert int(answer.headers["Retry-After"]) > 0
    first, cell = (replace(postgres.owner, database=each.database) for each in addresses)
    await move({FIRST: first, CELL: cell}, FIRST)
    for work in ("v3/booking/employees", _SEARCH):
        assert (await api.get(work)).status_code == 200
    other = await book(api)
    assert [await count_meetings(each) for each in addresses] == [2, 0]
    told = (await elevated.get("v3/events", params={"after": cursor, "types": "meeting.*"})).json()["items"]
    assert [event["subject"] for event in told] == [f"meetings/{one['id']}" for one in (meeting, other)]
    await mover.close()


@pytest.mark.thorough
async def test_a_process_does_not_search_in_what_it_read_before_the_firm_left(
    api: Api, addresses: tuple[Address, Address], database: CellDatabase, postgres: Endpoint
) -> None:
    first, cell = (replace(postgres.owner, database=each.database) for each in addresses)
    await forget_meetings(database)
    free = (await api.get(_SEARCH)).json()
    meeting = await book(api)
    assert len((await api.get(_SEARCH)).json()) < len(free)
    await move({FIRST: first, CELL: cell}, FIRST)
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).is_success
    await move({FIRST: first, CELL: cell}, CELL)
    assert (await api.get(_SEARCH)).json() == free


async def test_a_database_that_is_away_is_missed_by_its_firms_alone(
    api: Api, addresses: tuple[Address, Address], postgres: Endpoint, clock: HandClock
) -> None:
    fjord = await api.of(FJORD)
    await close(postgres, addresses[1])
    clock.advance(minutes=2)  # nothing is remembered
    assert (await fjord.get("v3/booking/employees")).status_code == 200
    refused = await fjord.get("v3/booking/employees", headers={"Ocp-Apim-Subscription-Key": "unknown"})
    assert refused.status_code == 401
    answer = await api.get("v3/booking/employees")
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")
    ready = await api.http.get("/health/ready")
    assert ready.status_code == 200
    assert CELL in ready.text


async def close(postgres: Endpoint, address: Address) -> None:
    """End a database's connections, and let nobody connect."""
    admin = await postgres.superuser.connect()
    await admin.execute(f"alter database {address.database} allow_connections false")
    await admin.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", address.database)
    await admin.close()


async def test_what_a_firm_left_elsewhere_lets_nobody_in_and_hides_nothing(
    api: Api, addresses: tuple[Address, Address], clock: HandClock
) -> None:
    portals = (await api.get("v3/booking/config/portals")).json()
    assert (await api.http.get(f"/p/{portals[0]['id']}", follow_redirects=True)).status_code == 200
    async with Database(addresses[1], connections=1) as cell, cell.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update subscription_key set revoked_at = now()")
    clock.advance(minutes=2)
    answer = await api.get("v3/booking/employees")
    assert (answer.status_code, answer.json()["detail"]) == (401, "The subscription key is not known, or was revoked.")
    key = api.headers["Ocp-Apim-Subscription-Key"]
    fjord = await api.of(FJORD)
    answer = await fjord.http.get(
        "/api/v3/booking/employees", headers=fjord.headers | {"Ocp-Apim-Subscription-Key": key}
    )
    assert answer.status_code == 401


async def test_an_installation_whose_first_database_has_no_firms_has_leases(
    database: CellDatabase, addresses: tuple[Address, Address]
) -> None:
    await place(addresses[0], FJORD.tenant_id, CELL)
    await place(addresses[1], FJORD.tenant_id, None)
    leases = Leases(database)
    async with (
        leases.hold_for_all("replies", rest=timedelta(0)) as is_ours,
        leases.hold_for_all("replies", rest=timedelta(0)) as is_theirs,
    ):
        assert (is_ours, is_theirs) == (True, False)
