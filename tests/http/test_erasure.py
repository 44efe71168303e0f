"""Erasing one customer (docs/data-protection.md#erasure): nothing of what a booking brought is found anywhere."""

import asyncio
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import pytest
from msgspec import inspect

from meetdeck.administration.erasure.schemas import ErasureOutcome, UpcomingMeetings
from meetdeck.administration.erasure.service.digests import CustomerDigests
from meetdeck.administration.erasure.service.erasures import Erasures
from meetdeck.booking.scheduling.erasure.schemas import BLANKS, CUSTOMER, KEPT
from meetdeck.booking.scheduling.meetings.schemas.meetings import ChangedMeeting, Meeting, NewMeeting
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Address, Connection
from meetdeck.platform.identity import TenantNotFound
from meetdeck.platform.process.clock import Clock
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.meetings import ANNA, BO, TIMES, book
from support.portal_forms import FormVisitor, reach_check, reach_times

pytestmark = pytest.mark.usefixtures("no_meetings")

Json = dict[str, Any]
KEY = bytes(range(1, 33))
OPERATOR = Actor(operator="root", command="erase")
CUSTOMER_ID = "C-1001-Zebra"
MARKER = "Zebra"


@pytest.fixture
def erasures(services: Services) -> Erasures:
    """Lend what erases."""
    return Erasures(services.database, services.storage, CustomerDigests(KEY))


async def erase(
    erasures: Erasures, clock: Clock, customer_id: str = CUSTOMER_ID, *, cancel: bool = True
) -> ErasureOutcome:
    return await erasures.erase(NORDLYS.tenant_id, customer_id, OPERATOR, clock(), cancel=cancel)


def _write_texts(kind: inspect.Type, name: str) -> object:
    """Return a value full of markers for whatever of a type takes free text, None for what takes none."""
    if isinstance(kind, inspect.UnionType):
        return next(filter(None, (_write_texts(each, name) for each in kind.types)), None)
    if isinstance(kind, inspect.Metadata):
        return _write_texts(kind.type, name)
    if isinstance(kind, inspect.StrType):
        return f"{MARKER}-{name}@example.com"
    if isinstance(kind, inspect.ListType):
        item = _write_texts(kind.item_type, name)
        return [item] if item else None
    if isinstance(kind, inspect.StructType):
        members = {each.encode_name: _write_texts(each.type, f"{name}-{each.name}") for each in kind.fields}
        return {member: value for member, value in members.items() if value}
    return None


def write_texts(body: type[msgspec.Struct], name: str) -> Json:
    """Return all members of a body that take free text, with a marker in each; a new member is here by itself."""
    written: Any = _write_texts(inspect.type_info(body), name)
    written.pop("alsoServiceGroups", None)  # names of the firm's own groups
    return {**written, "customerId": CUSTOMER_ID, "language": "da"}  # the tag of a language is not a free text


@pytest.fixture
def superuser(postgres: Endpoint, addresses: tuple[Address, Address]) -> Address:
    """Lend the address of the test's database for one who sees all tenants."""
    return dataclasses.replace(postgres.superuser, database=addresses[0].database)


async def dump(superuser: Address) -> str:
    """Return all rows of all tables of all tenants as text; bytes both as text and in hex."""
    connection: asyncpg.Connection = await superuser.connect()
    tables = await connection.fetch("select tablename from pg_tables where schemaname = 'public' order by 1")
    rows: list[str] = []
    for table in tables:
        for row in await connection.fetch(f"select * from {table['tablename']}"):  # noqa: S608 - from the catalog
            rows += [_to_text(value) for value in row.values()]
    await connection.close()
    return "\n".join(rows)


async def count_numbers(connection: Connection) -> int:
    """Return how many CPR numbers are stored: encrypted, they are not found by what they say."""
    return await connection.fetchval("select count(cpr_encrypted) from meeting")


def _to_text(value: object) -> str:
    return f"{value.decode('latin-1')} {value.hex()}" if isinstance(value, bytes) else str(value)


def list_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes()


async def read(api: Api, path: str) -> Any:
    answer = await api.get(f"v3/booking/meetings{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_every_member_of_a_meeting_is_personal_or_kept() -> None:
    assert {CUSTOMER, *BLANKS} | KEPT == {*Meeting.__struct_fields__}
    assert not {CUSTOMER, *BLANKS} & KEPT


async def test_nothing_of_a_booking_is_found_after_erasing(
    api: Api,
    services: Services,
    erasures: Erasures,
    clock: HandClock,
    superuser: Address,
    tmp_path: Path,
) -> None:
    texts = write_texts(NewMeeting, "made")
    assert {"cpr", "crmId", "title", "description", "videoLink", "customFields", "externalAttendees"} < {*texts}
    once = {"Idempotency-Key": "once"}
    booking = texts | TIMES | {"employeeId": ANNA, "type": "Online"}
    made = await api.post("v3/booking/meetings", booking, headers=once)
    assert made.status_code == 201, made.text
    meeting_id = made.json()["id"]
    patch = [
        {"op": "add", "path": f"/{name}", "value": value} for name, value in write_texts(ChangedMeeting, "new").items()
    ]
    changed = await api.request("PATCH", f"v3/booking/meetings/{meeting_id}", json=patch)
    assert changed.status_code == 200, changed.text
    await book(api, day=1, **(texts | {"employeeId": BO}))
    cancelled = await book(api, day=2, **texts)
    await api.request("DELETE", f"v3/booking/meetings/{cancelled['id']}")
    given_away = await book(api, day=3, **texts)
    emptied: Json = {"customerId": "another", "crmId": None, "cpr": None, "customFields": [], "externalAttendees": []}
    emptied |= dict.fromkeys(("title", "description", "videoLink"), "")
    handing_over = [{"op": "add", "path": f"/{name}", "value": value} for name, value in emptied.items()]
    await api.request("PATCH", f"v3/booking/meetings/{given_away['id']}", json=handing_over)
    file = {"file": (f"Review of {CUSTOMER_ID}.pptx", b"PK of Zebra", "application/vnd.ms-powerpoint")}
    uploaded = await api.http.post("/api/v3/present/contents", files=file, headers=api.headers)
    assert uploaded.status_code == 201, uploaded.text
    assert await services.database.run(NORDLYS.tenant_id, count_numbers) == 3
    before = await dump(superuser)
    assert before.count(MARKER) > 30
    assert any(MARKER.encode() in content for _, content in list_files(tmp_path / "storage"))

    receipt = (await erase(erasures, clock)).receipt

    after = await dump(superuser)
    assert await services.database.run(NORDLYS.tenant_id, count_numbers) == 0
    assert [line for line in after.splitlines() if MARKER in line or MARKER.encode().hex() in line] == []
    assert [name for name, content in list_files(tmp_path / "storage") if MARKER.encode() in content] == []
    assert receipt is not None
    assert (receipt.meetings, receipt.cancelled, receipt.answers, receipt.contents) == (3, 2, 1, 1)
    assert receipt.history_entries == 2
    repeat = await api.post("v3/booking/meetings", booking, headers=once)
    assert (repeat.status_code, repeat.json()["id"], repeat.json()["title"]) == (201, meeting_id, "")


async def test_the_meeting_stays_without_its_customer_and_the_history_says_so(
    api: Api, erasures: Erasures, clock: HandClock
) -> None:
    booked = await book(api, customerId=CUSTOMER_ID, title="About Freja")
    patch = [{"op": "replace", "path": "/title", "value": "About Zebra"}]
    patch.append({"op": "replace", "path": "/endDate", "value": "2026-03-03T10:30:00Z"})
    await api.request("PATCH", f"v3/booking/meetings/{booked['id']}", json=patch)
    clock.advance(days=2)
    api = await api.of(NORDLYS)
    receipt = (await erase(erasures, clock, cancel=False)).receipt
    assert receipt is not None
    meeting = await read(api, f"/{booked['id']}")
    customer = f"erased-{receipt.erasure_id}"
    kept = ("id", "startDate", "employeeId", "type", "topicId", "timeSlotId", "dateCreated")
    assert {name: meeting[name] for name in kept} == {name: booked[name] for name in kept}
    assert (meeting["customerId"], meeting["title"]) == (customer, "")
    assert await read(api, f"?customerId={customer}") == [meeting]
    created, changed, erased = await read(api, f"/{booked['id']}/history")
    assert created["action"] == "Created"
    assert changed["changes"] == [
        {"member": "title", "before": None, "after": None},
        {"member": "endDate", "before": "2026-03-03T10:00:00Z", "after": "2026-03-03T10:30:00Z"},
    ] or sorted(one["member"] for one in changed["changes"]) == ["endDate", "title"]
    assert (erased["action"], erased["command"], erased["userId"]) == ("Erased", "erase", None)


async def test_a_customer_with_a_meeting_to_come_is_refused_with_the_list(
    api: Api, erasures: Erasures, clock: HandClock
) -> None:
    booked = await book(api, customerId=CUSTOMER_ID)
    with pytest.raises(UpcomingMeetings, match=booked["id"]):
        await erase(erasures, clock, cancel=False)
    assert (await read(api, f"/{booked['id']}"))["customerId"] == CUSTOMER_ID


async def test_a_meeting_that_is_cancelled_by_erasing_frees_its_time(
    api: Api, erasures: Erasures, clock: HandClock
) -> None:
    booked = await book(api, customerId=CUSTOMER_ID)
    await erase(erasures, clock)
    assert (await api.get(f"v3/booking/meetings/{booked['id']}")).status_code == 404
    history = await read(api, f"/{booked['id']}/history")
    assert [(one["action"], one["command"]) for one in history] == [
        ("Created", None),
        ("Cancelled", "erase"),
        ("Erased", "erase"),
    ]
    await book(api)


async def test_a_second_time_nothing_is_left_and_the_receipt_is_known(
    api: Api, erasures: Erasures, clock: HandClock
) -> None:
    await book(api, customerId=CUSTOMER_ID)
    first = await erase(erasures, clock)
    assert await erase(erasures, clock) == ErasureOutcome(None, [first.receipt] if first.receipt else [])
    assert await erasures.list_receipts(NORDLYS.tenant_id) == [first.receipt]
    assert await erasures.list_receipts(FJORD.tenant_id) == []
    assert await erase(erasures, clock, "nobody") == ErasureOutcome(None, [])


async def test_another_customer_and_another_firm_keep_theirs(api: Api, erasures: Erasures, clock: HandClock) -> None:
    other = await book(api, customerId="Freja", title="Zebra")
    fjord = await api.of(FJORD)
    foreign = await fjord.book(customerId=CUSTOMER_ID, employeeId=fjord.id_of("employee", "Ida Bech"), **TIMES)
    assert foreign.status_code == 201, foreign.text
    await book(api, day=1, customerId=CUSTOMER_ID)
    await erase(erasures, clock)
    assert await read(api, f"/{other['id']}") == other
    assert (await fjord.get(f"v3/booking/meetings/{foreign.json()['id']}")).json()["customerId"] == CUSTOMER_ID


async def test_after_a_restore_the_receipts_find_their_customers_again(
    api: Api, erasures: Erasures, clock: HandClock
) -> None:
    await book(api, customerId=CUSTOMER_ID)
    await erase(erasures, clock)
    receipts = await erasures.list_receipts(NORDLYS.tenant_id)
    assert await erasures.find_customers(receipts) == []
    await book(api, day=1, customerId=CUSTOMER_ID)  # as the older backup has it
    await book(api, day=2, customerId="Freja")
    assert await erasures.find_customers(receipts) == [(NORDLYS.tenant_id, CUSTOMER_ID)]


async def test_a_digest_is_the_installations_and_the_tenants_own() -> None:
    digests = CustomerDigests(KEY)
    assert digests.make(NORDLYS.tenant_id, "1") != digests.make(FJORD.tenant_id, "1")
    assert digests.make(NORDLYS.tenant_id, "1") != CustomerDigests(KEY[::-1]).make(NORDLYS.tenant_id, "1")


async def test_a_tenant_that_is_not_there_is_told(erasures: Erasures, clock: HandClock) -> None:
    with pytest.raises(TenantNotFound, match="There is no tenant"):
        await erasures.erase(UUID(int=1), CUSTOMER_ID, OPERATOR, clock())


async def test_bookings_at_the_same_moment_are_before_or_after(api: Api, erasures: Erasures, clock: HandClock) -> None:
    """Whatever erasing has said that it erased is whole: a meeting has its customer, or nothing of it."""
    texts: Json = {"customerId": CUSTOMER_ID, "title": MARKER}
    first = await book(api, **texts)
    patch = [{"op": "replace", "path": "/description", "value": MARKER}]
    path = f"v3/booking/meetings/{first['id']}"
    erasing = asyncio.gather(erase(erasures, clock), erase(erasures, clock))
    await asyncio.gather(
        *(book(api, day=day, **texts) for day in range(1, 7)),
        api.request("PATCH", path, json=patch),
    )
    await erasing
    receipts = await erasures.list_receipts(NORDLYS.tenant_id)
    known = await read(api, "?includeCancelled=true")
    erased = [one for one in known if one["customerId"].startswith("erased-")]
    assert len(erased) == sum(one.meetings for one in receipts) >= 1
    assert {one["title"] for one in known if one not in erased} <= {MARKER}
    assert {one["title"] for one in erased} == {""}
    assert len(known) == 7


async def test_a_portals_customer_is_erased_and_the_manage_link_has_ended(
    api: Api,
    erasures: Erasures,
    clock: HandClock,
    superuser: Address,
) -> None:
    fields = [{"name": "phone", "label": "Telephone", "type": "Text", "validation": {"required": True}}]
    body = {"name": "Ours", "address": "ours", "authenticationType": "Anonymous", "fields": fields}
    assert (await api.post("v3/config/portals", body)).status_code == 201
    visitor = FormVisitor(api.http, "ours")
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="Zebra 70", name="Zebra Holm", email="zebra@example.com")
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    link = next(each.get("href") for each in visitor.page.iter("a") if "/m/" in each.get("href", ""))
    (meeting,) = await read(api, "")
    assert MARKER in await dump(superuser)
    await erase(erasures, clock, meeting["customerId"])
    assert MARKER.lower() not in (await dump(superuser)).lower()
    await visitor.open(link[link.index("/m/") :])
    assert visitor.status == 410
