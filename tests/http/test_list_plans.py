"""The work of the database grows with what it is asked, whatever was planned or analyzed when (docs/decisions/0036).

Every GET of the booking API is asked of a firm of 5,000 advisors; there is booked, moved, deleted and imported, too.
PostgreSQL itself says (`auto_explain`) how many rows each step of each plan went through. A join that goes through a
group of rows for each of another shows as millions.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from hashlib import md5
from pathlib import Path
from string import Template
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from meetdeck.booking.importing.files import open_files
from meetdeck.booking.importing.service import import_files
from meetdeck.demo.credentials import make_tenant_credentials, store_tenant_credentials
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address, Connection, Database
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.values import Version
from support.documents import DOCUMENTS, operations_of
from support.factories import Api
from support.fakes import MONDAY_MORNING
from support.statements import watched_connections

pytestmark = pytest.mark.own_database

SCRIPT = Template((Path(__file__).parents[2] / "benchmarks/large_firm_parts/firm.sql").read_text(encoding="utf-8"))
SMALL = {"employees": 5, "rooms": 3, "topics": 3, "groups": 3, "portals": 2, "labels": 3, "weeks": 2}
MIDDLE = {"employees": 200, "rooms": 20, "topics": 10, "groups": 5, "portals": 5, "labels": 20, "weeks": 2}
LARGE = {"employees": 5000, "rooms": 500, "topics": 300, "groups": 60, "portals": 200, "labels": 500, "weeks": 2}

# What a request may go through beside what it answers, and for each hundred bytes of that (an advisor has two hundred).
# Statistics of small firms make PostgreSQL read a firm's tables once or twice; each for each other would be millions.
KNOWN, STALE = (10 * LARGE["employees"], 15), (30 * LARGE["employees"], 100)
STEPS_OF_A_SEARCH = 40 * LARGE["employees"]  # it looks at everybody, with hours and groups
STEPS_OF_A_CHANGE = 300  # it looks at what is at the same time, and at the rooms of a place
STEPS_OF_A_DELETION = 40 * LARGE["employees"]  # tables are read through for what names it, each a few times at most
STEPS_OF_AN_IMPORT = 400 * LARGE["employees"]  # of all, with hours and groups
CALLS_UNTIL_A_PLAN_IS_KEPT = 6

# What a request needs beside its address; a new one that needs more fails until it is said here.
QUERIES = {
    "time-slots/available": "requireEmployeeParticipation=false&topic={topic}&employeeTypes=ServiceGroup",
    "time-slots/explain": "employeeId={employee}&date=2026-11-30&requireEmployeeParticipation=false",
    "config/labels/search": "q=label",
    "meeting-topics": "isCustomer=true",
    "config/labels": "pageSize=200",
    "reports/forecast": "limit=1&days=7",
    "reports/meetings": "from=2026-11-01&to=2027-10-31&by=employee",
    "reports/meetings/counted": "from=2026-11-01&to=2027-10-31&count=booked",
    "reports/utilization": "from=2026-11-01&to=2027-10-31&by=employee",
    "calendar-sources": "employeeIds={employee}",
    "room-vacancies": "location=Branch%204&timeSlotId={slot}",
}
MORE = (  # the same addresses, otherwise narrowed
    "reports/meetings?from=2026-11-01&to=2027-10-31&by=location",
    "meetings?employeeId={employee}",
    "meetings?employeeIds={employee}&startDate=2026-11-30T00:00:00Z&endDate=2026-12-07T00:00:00Z",
    "meetings?customerId=C-7",
    "meetings?timeSlotId={slot}",
    "meetings?pageSize=100",
    "time-slots?employeeId={employee}",
    "time-slots?employeeIds={employee}&status=Busy",
    "time-slots?roomId={room}",
    "time-slots?pageSize=100",
    "time-slots/available?requireEmployeeParticipation=true&explicitEmployeeIds={employee}",
    "meeting-topics?isCustomer=true&customerTypeId={customer_type}",
    "config/locations?search=branch",
    "config/competence-groups?labels=label%201",
    "config/portals?labels=label%201&labelMatch=any",
)
IDS = {
    "employee_id": "employee",
    "room_id": "room",
    "topic_id": "topic",
    "customer_type_id": "customer type",
    "location_id": "location",
    "group_id": "competence group",
    "schedule_id": "schedule",
    "portal_id": "portal",
    "meeting_id": "meeting",
    "time_slot_id": "slot",
    "label_id": "label",
    "document_rule_id": "document rule",
    "wish_id": "wish",
    "calendar_id": "calendar",
    "connection_id": "calendar connection",
}
NAMES = {"kind": "Invitation", "language": "en"}  # those in addresses that are not ids


def id_of(kind: str, number: int = 3) -> str:
    """Return the id that the firm's script makes of a kind and a number; the same in each firm."""
    return str(UUID(bytes=md5(f"{kind}{number}".encode(), usedforsecurity=False).digest()))


@pytest.fixture
def superuser(postgres: Endpoint, addresses: tuple[Address, Address]) -> Address:
    return replace(postgres.superuser, database=addresses[0].database)


@pytest_asyncio.fixture
async def database(addresses: tuple[Address, Address], superuser: Address) -> AsyncGenerator[Database]:
    """Lend a pool of one connection, which keeps its plans, and tells of each statement what was done for it."""
    settings = {
        "session_preload_libraries": "auto_explain",
        "auto_explain.log_min_duration": "0",
        "auto_explain.log_analyze": "on",
        "auto_explain.log_timing": "off",
        "auto_explain.log_nested_statements": "on",  # those of functions, and of foreign keys
        "auto_explain.log_format": "json",
        "auto_explain.log_level": "notice",
        "plan_cache_mode": "force_generic_plan",  # at the latest after five calls, PostgreSQL may take to it itself
    }
    async with connected(superuser) as connection:
        for name, value in settings.items():
            await connection.execute(f"alter database {superuser.database} set {name} = '{value}'")
    async with Database(addresses[1], connections=1) as database:
        yield database


@asynccontextmanager
async def connected(address: Address) -> AsyncGenerator[Connection]:
    connection = await address.connect()
    try:
        yield connection
    finally:
        await connection.close()


async def add_firm(
    superuser: Address, database: Database, api: Api, sizes: Mapping[str, int], tenant_id: UUID | None = None
) -> Api:
    """Add a firm, and return the application as its client calls it, with the elevated role."""
    tenant_id = tenant_id or uuid4()
    credentials = make_tenant_credentials(tenant_id, f"bank-{tenant_id}", "Meetdeck.Elevated")
    async with connected(superuser) as connection:
        await connection.execute(SCRIPT.substitute(sizes, tenant=credentials.tenant_id))
    async with database.transaction(credentials.tenant_id) as connection:
        await store_tenant_credentials(connection, credentials, MONDAY_MORNING)
    client = credentials.clients[1]
    form = {"grant_type": "client_credentials", "client_id": client.client_id, "client_secret": client.client_secret}
    token: str = (await api.http.post("/oauth/token", data=form)).raise_for_status().json()["access_token"]
    headers = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": credentials.subscription_key}
    return Api(api.http, api.credentials, api.firm, headers)


async def analyze(superuser: Address) -> None:
    """Do what autovacuum does when it comes around."""
    async with connected(superuser) as connection:
        await connection.execute("analyze")


def list_addresses() -> list[str]:
    """Return the address of every GET of the booking API, with what it needs."""
    names = {"employee": "employee", "room": "room", "slot": "slot", "topic": "topic", "customer_type": "customer type"}
    values = {name: id_of(kind) for name, kind in names.items()}
    found: list[str] = []
    for path, method, operation in operations_of(DOCUMENTS[Version.V3]):
        if method != "get" or "/booking/" not in path:
            continue
        below = path.split("/booking/")[1]
        query = QUERIES.get(below, "")
        service = "service-groups" in path
        address = below
        for parameter in operation["parameters"]:
            if parameter["in"] == "path":
                name: str = parameter["name"]
                kind = "service group" if service and name in {"group_id", "groupId", "id"} else None
                address = address.replace(f"{{{name}}}", NAMES.get(name) or id_of(kind or kind_of(name, below)))
        found.append(f"{address}?{query}")
    return [each.format_map(values) for each in [*found, *MORE]]


def kind_of(name: str, path: str) -> str:
    """Return what the id in a path is of."""
    snake = "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name)
    return "customer type" if "customer-types" in path else IDS[snake]


async def ask(
    api: Api, address: str, database: Database, *, method: str = "GET", body: object = None
) -> tuple[httpx.Response, int]:
    """Return the answer, and how many rows the steps of all plans went through for it."""
    steps: list[int] = []
    with explained(database, steps):
        answer = await api.request(method, f"v3/booking/{address}", json=body)
        await asyncio.sleep(0)  # asyncpg tells us in the loop's next turn
    return answer, sum(steps)


@contextmanager
def explained(database: Database, steps: list[int]) -> Generator[None]:
    """Gather what is done for each statement of the transactions and readings that begin meanwhile."""

    def note(_: object, message: Any) -> None:
        _, _, plan = message.message.partition("plan:\n")
        if plan:
            steps.append(count_steps(json.loads(plan)["Plan"]))

    @asynccontextmanager
    async def watch(connection: Connection) -> AsyncGenerator[None]:
        connection.add_log_listener(note)
        try:
            yield
            await connection.execute("select 1")  # a statement ends, and is told of, when the next begins
        finally:
            connection.remove_log_listener(note)

    with watched_connections(database, watch):
        yield


def count_steps(node: Mapping[str, Any]) -> int:
    """Count the rows that a plan's steps returned and looked at in vain."""
    removed = sum(value for name, value in node.items() if name.startswith("Rows Removed by"))
    own = (node["Actual Rows"] + removed) * node["Actual Loops"]
    return int(own) + sum(map(count_steps, node.get("Plans", [])))


async def require_bounded(api: Api, database: Database, bound: tuple[int, int]) -> None:
    """Ask for everything, and fail with all that took more than its answer explains."""
    too_much: dict[str, tuple[int, int]] = {}
    for address in list_addresses():
        answer, steps = await ask(api, address, database)
        assert answer.status_code in {200, 404}, (address, answer.text)
        assert steps or answer.status_code == 404 or "timezones" in address, address  # of all else the database knows
        is_search = address.startswith(("time-slots/available", "time-slots/explain", "reports/"))
        once, for_hundred_bytes = bound
        most = STEPS_OF_A_SEARCH if is_search else once + len(answer.content) * for_hundred_bytes // 100
        if steps > most:
            too_much[address] = (steps, most)
    assert not too_much


async def warm_up(api: Api) -> None:
    """Ask so often that plans are kept."""
    for address in list_addresses():
        for _ in range(CALLS_UNTIL_A_PLAN_IS_KEPT):
            answer = await api.get(f"v3/booking/{address}")
            assert answer.status_code in {200, 404}, (address, answer.text)


@pytest.mark.thorough
async def test_lists_are_bounded_when_they_were_planned_for_small_firms(
    api: Api, database: Database, superuser: Address
) -> None:
    small = [await add_firm(superuser, database, api, sizes) for sizes in (SMALL, MIDDLE, SMALL)]
    await analyze(superuser)
    await warm_up(small[0])
    large = await add_firm(superuser, database, api, LARGE)
    await require_bounded(large, database, STALE)
    await analyze(superuser)
    await require_bounded(large, database, KNOWN)


# ------------------------------------------------------------------------------------------------------------- writing


class Writer:
    """Sends what changes a firm, and notes what takes more steps than it may; `few` are those of one booking."""

    def __init__(self, api: Api, database: Database, few: int = STEPS_OF_A_CHANGE) -> None:
        self.api = api
        self.database = database
        self.few = few
        self.too_much: dict[str, tuple[int, int]] = {}

    async def send(self, most: int, method: str, address: str, body: object = None, expect: int = 201) -> Any:
        """Send a request that is to take so many steps at most; return what is answered."""
        answer, steps = await ask(self.api, address, self.database, method=method, body=body)
        assert answer.status_code == expect, (method, address, answer.text)
        if steps > most:
            self.too_much[f"{method} {address}"] = (steps, most)
        return answer.json() if answer.content else None


async def book_and_move(writer: Writer) -> None:
    """Hold, book, move (a hold waits for what the meeting gives back), and cancel."""
    times = {"startDate": "2026-12-01T10:00:00Z", "endDate": "2026-12-01T11:00:00Z"}
    later = {"startDate": "2026-12-01T10:30:00Z", "endDate": "2026-12-01T11:30:00Z", "status": "Reserved"}
    by_group = {"startDate": "2026-12-02T10:30:00Z", "endDate": "2026-12-02T11:30:00Z", "status": "Reserved"}
    meeting = f"meetings/{id_of('meeting', 3)}"  # of employee 3
    few = writer.few
    move = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in times.items()]

    def hold(**time_slot: str) -> dict[str, object]:
        return {"timeSlot": time_slot, "token": str(uuid4())}

    first = {"employeeId": id_of("employee", 2), "customerId": "C"} | times
    await writer.api.post("v3/booking/meetings", first)  # a connection's first questions are about types
    await writer.send(few, "POST", "meetings", {"employeeId": id_of("employee", 4), "customerId": "C"} | times)
    await writer.send(few, "POST", "time-slots/reserve", hold(**later, employeeId=id_of("employee", 5)))
    await writer.send(2 * STEPS_OF_A_SEARCH, "POST", "time-slots/reserve", hold(**by_group, serviceGroup="Service 1"))
    await writer.send(few, "PATCH", meeting, move, 200)
    held = hold(**later, employeeId=id_of("employee", 3)) | {"existingMeetingId": id_of("meeting", 3)}
    slot = await writer.send(few, "POST", "time-slots/reserve", held)
    move = [{"op": "replace", "path": "/timeSlotId", "value": slot["id"]}]
    await writer.send(few, "PATCH", meeting, move, 200)
    await writer.send(few, "DELETE", meeting, expect=204)


async def delete_everything(writer: Writer) -> None:
    """Delete one of each kind: what is in use is named, what is not goes."""
    for area, kind in (
        ("employees", "employee"),
        ("meeting-topics", "topic"),
        ("customer-types", "customer type"),
        ("locations", "location"),
        ("labels", "label"),
    ):
        number = 1 if kind == "label" else 3
        await writer.send(STEPS_OF_A_DELETION, "DELETE", f"config/{area}/{id_of(kind, number)}", expect=409)
    for area, body in (
        ("employees", {"name": "New"}),
        ("rooms", {"name": "New", "capacity": 4}),
        ("meeting-topics", {"name": "New"}),
        ("customer-types", {"name": "New"}),
        ("locations", {"location": "New", "displayName": ""}),
    ):
        made = await writer.send(writer.few, "POST", f"config/{area}", body)
        await writer.send(STEPS_OF_A_DELETION, "DELETE", f"config/{area}/{made['id']}", expect=204)
    for area, kind in (
        ("competence-groups", "competence group"),
        ("service-groups", "service group"),
        ("portals", "portal"),
        ("employee-schedules", "schedule"),
        ("rooms", "room"),
    ):
        await writer.send(STEPS_OF_A_DELETION, "DELETE", f"config/{area}/{id_of(kind, 2)}", expect=204)


async def import_again(writer: Writer, tenant_id: UUID, folder: Path) -> None:
    """Import what the lists answer, with other telephone numbers and hours."""
    other: dict[str, dict[str, str]] = {
        "employees": {"phone": "+45 1"},
        "config/employee-schedules": {"maxMeetingTimePerDay": "05:00:00"},
    }
    kinds = {"employees": "employees", "rooms": "rooms", "topics": "config/meeting-topics"}
    kinds |= {name: f"config/{name}" for name in ("competence-groups", "service-groups")}
    kinds |= {"schedules": "config/employee-schedules"}
    files: list[Path] = []
    for name, address in kinds.items():
        listed = (await writer.api.get(f"v3/booking/{address}")).json()
        files.append(folder / f"{name}.json")
        files[-1].write_text(json.dumps([each | other.get(address, {}) for each in listed]), encoding="utf-8")
    steps: list[int] = []
    with explained(writer.database, steps):
        sources = open_files(files)
        outcome = await import_files(writer.database, tenant_id, sources, MONDAY_MORNING, NoProgress(), dry_run=False)
        await asyncio.sleep(0)  # asyncpg tells us in the loop's next turn
    assert not outcome.problems
    changed = {count.kind for count in outcome.counts if count.changed}
    assert changed == {"employees", "schedules"}
    if sum(steps) > STEPS_OF_AN_IMPORT:
        writer.too_much["import"] = (sum(steps), STEPS_OF_AN_IMPORT)


async def test_lists_and_changes_are_bounded_in_a_database_that_was_never_analyzed(
    api: Api, database: Database, superuser: Address
) -> None:
    large = await add_firm(superuser, database, api, LARGE)
    await require_bounded(large, database, KNOWN)
    writer = Writer(large, database)
    await book_and_move(writer)
    await delete_everything(writer)
    assert not writer.too_much


@pytest.mark.thorough
async def test_changes_and_imports_are_bounded_when_they_were_planned_for_small_firms(
    api: Api, database: Database, superuser: Address, tmp_path: Path
) -> None:
    small_id, large_id = uuid4(), uuid4()
    first = Writer(await add_firm(superuser, database, api, SMALL, small_id), database)
    await add_firm(superuser, database, api, MIDDLE)
    await analyze(superuser)
    await book_and_move(first)
    await import_again(first, small_id, tmp_path)
    await delete_everything(first)
    # Statistics of small firms may make PostgreSQL read all that is booked, until it is analyzed; never for each of it.
    large = Writer(await add_firm(superuser, database, api, LARGE, large_id), database, few=STALE[0])
    await book_and_move(large)
    await import_again(large, large_id, tmp_path)
    await delete_everything(large)
    assert not large.too_much
