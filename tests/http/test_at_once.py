"""Reserving and booking in one statement, beside the closer look in a transaction (docs/decisions/0089)."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Connection, Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.statements import logged_statements

HOUR = timedelta(hours=1)
ANNA, BO = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:2])
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
TOPIC = str(NORDLYS.id_of("topic", NORDLYS.topics[0][0]))
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
SLOT = TIMES | {"status": "Reserved", "employeeId": ANNA}
MEETING = TIMES | {"employeeId": ANNA, "customerId": "Freja", "type": "Online"}

Prepare = Callable[[Api, Connection], Awaitable[dict[str, Any]]]
"""Makes a situation; returns what the request has of it."""


@pytest_asyncio.fixture
async def inside(owner: Connection) -> Connection:
    """Lend the owner's connection, in the tenant."""
    await owner.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
    return owner


async def nothing(_api: Api, _owner: Connection) -> dict[str, Any]:
    return {}


async def taken(api: Api, _owner: Connection) -> dict[str, Any]:
    assert (await api.reserve(TUESDAY_AT_TEN + HOUR / 2, employeeId=ANNA)).status_code == 201
    return {}


async def busy(api: Api, _owner: Connection) -> dict[str, Any]:
    assert (await api.post("v3/booking/time-slots", TIMES | {"employeeId": ANNA, "status": "Busy"})).status_code == 201
    return {}


async def taken_and_busy(api: Api, owner: Connection) -> dict[str, Any]:
    return await taken(api, owner) | await busy(api, owner)


async def unknown(_api: Api, _owner: Connection) -> dict[str, Any]:
    return {"employeeId": str(uuid4())}


async def closed(_api: Api, owner: Connection) -> dict[str, Any]:
    await owner.execute("update employee set active = false where employee_id = $1::text::uuid", ANNA)
    return {}


async def closed_by_schedule(_api: Api, owner: Connection) -> dict[str, Any]:
    await owner.execute("update employee_schedule set can_be_booked = false where employee_id = $1::text::uuid", ANNA)
    return {}


async def past(_api: Api, _owner: Connection) -> dict[str, Any]:
    return {"startDate": "2026-01-05T10:00:00+01:00", "endDate": "2026-01-05T11:00:00+01:00"}


SITUATIONS: list[tuple[Prepare, str | None]] = [
    (nothing, None),
    (taken, "time_slot_taken"),
    (busy, "time_busy"),
    (taken_and_busy, "time_slot_taken"),
    (unknown, "reference_not_found"),
    (closed, "not_bookable"),
    (closed_by_schedule, "not_bookable"),
    (past, "invalid_time"),
]


@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "in a transaction"])
@pytest.mark.parametrize("what", ["reservation", "meeting"])
@pytest.mark.parametrize(("prepare", "code"), SITUATIONS, ids=lambda one: getattr(one, "__name__", None))
async def test_both_ways_answer_the_same(
    api: Api, inside: Connection, prepare: Prepare, code: str | None, what: str, *, at_once: bool
) -> None:
    changed = await prepare(api, inside)
    answer = await send(api, what, changed, at_once=at_once)
    assert answer.status_code == 201 if code is None else answer.json()["code"] == code
    slots = await inside.fetch("select employee_id from time_slot where starts_at = $1", TUESDAY_AT_TEN)
    assert len(slots) == (code is None)  # what is refused leaves nothing


async def send(api: Api, what: str, changed: dict[str, Any], *, at_once: bool) -> httpx.Response:
    headers = {} if at_once else {"Idempotency-Key": str(uuid4())}  # which is to be kept along, in a transaction
    if what == "meeting":
        return await api.post("v3/booking/meetings", MEETING | changed, headers=headers)
    body = {"timeSlot": SLOT | changed, "token": str(uuid4())}
    return await api.post("v3/booking/time-slots/reserve", body, headers=headers)


async def test_reserving_a_time_is_one_statement(api: Api, database: Database) -> None:
    with logged_statements(database) as statements:
        assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)).status_code == 201
    assert len(statements) == 1


async def test_booking_a_meeting_of_one_employee_is_one_statement(api: Api, database: Database) -> None:
    with logged_statements(database) as statements:
        assert (await api.book(**MEETING, topicId=TOPIC)).status_code == 201
    assert len(statements) == 1


async def test_a_reservation_with_a_key_to_repeat_it_by_takes_few_statements(api: Api, database: Database) -> None:
    body = {"timeSlot": SLOT, "token": str(uuid4())}
    with logged_statements(database) as statements:
        answer = await api.post("v3/booking/time-slots/reserve", body, headers={"Idempotency-Key": "once"})
    assert answer.status_code == 201
    assert len(statements) == 7  # expired keys go, the key is claimed, its answer kept; between, three and the event


async def test_a_meeting_made_at_once_is_read_with_its_history_as_any_other(api: Api, clock: HandClock) -> None:
    made = await api.book(**MEETING, topicId=TOPIC, description="Bring it")
    read = await api.get(f"v3/booking/meetings/{made.json()['id']}")
    assert read.json() == made.json()
    assert (read.json()["description"], read.json()["topicId"]) == ("Bring it", TOPIC)
    history = (await api.get(f"v3/booking/meetings/{made.json()['id']}/history")).json()
    assert [entry["action"] for entry in history] == ["Created"]
    assert history[0]["happenedAt"] == clock().isoformat().replace("+00:00", "Z")


async def test_a_deleted_topic_is_refused_and_leaves_nothing(api: Api, inside: Connection) -> None:
    answer = await api.book(**MEETING, topicId=str(uuid4()))
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert await inside.fetchval("select count(*) from occupancy where starts_at = $1", TUESDAY_AT_TEN) == 0


async def test_an_expired_reservation_is_in_nobodys_way(api: Api, clock: HandClock) -> None:
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201
    clock.advance(minutes=6)
    assert (await api.book(**MEETING)).status_code == 201


async def test_of_many_who_want_a_time_at_once_one_gets_it(api: Api, inside: Connection) -> None:
    answers = await asyncio.gather(*(send(api, what, {}, at_once=True) for what in ["reservation", "meeting"] * 8))
    assert sorted(answer.status_code for answer in answers) == [201, *[409] * 15]
    assert await inside.fetchval("select count(*) from occupancy where starts_at = $1", TUESDAY_AT_TEN) == 1


async def test_one_tenant_never_takes_time_of_another(api: Api) -> None:
    foreign = str(FJORD.id_of("employee", FJORD.advisors[0].name))
    answer = await send(api, "meeting", {"employeeId": foreign}, at_once=True)
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
