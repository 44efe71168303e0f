"""Reserving and booking in one statement, beside the closer look in a transaction (docs/decisions/0089)."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

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
@pytest.mark.parametrize(
    ("what", "prepare", "code"),
    [
        (what, prepare, code)
        for what in ("reservation", "meeting", "meeting in a room", "meeting from a reservation")
        for prepare, code in SITUATIONS
        if what != "meeting from a reservation" or prepare in {nothing, unknown, closed, closed_by_schedule}
    ],
    ids=lambda one: getattr(one, "__name__", one),
)
async def test_both_ways_answer_the_same(
    api: Api, inside: Connection, prepare: Prepare, code: str | None, what: str, *, at_once: bool
) -> None:
    held = await hold(api) if what == "meeting from a reservation" else {}
    changed = await prepare(api, inside)
    answer = await send(api, what, held | changed, at_once=at_once)
    assert answer.status_code == 201 if code is None else answer.json()["code"] == code
    meetings = await inside.fetchval("select count(*) from meeting where starts_at = $1", TUESDAY_AT_TEN)
    slots = await inside.fetchval("select count(*) from time_slot where starts_at = $1", TUESDAY_AT_TEN)
    assert meetings == (code is None and what != "reservation")
    assert slots == (code is None or bool(held))  # what is refused leaves nothing


async def hold(api: Api, room_id: str | None = None) -> dict[str, Any]:
    reserved = await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=room_id)
    assert reserved.status_code == 201
    return {"timeSlotId": reserved.json()["id"]}


async def send(api: Api, what: str, changed: dict[str, Any], *, at_once: bool) -> httpx.Response:
    if what == "reservation":
        slot = SLOT | changed
        body = {"timeSlot": slot if at_once else in_local_time(slot), "token": str(uuid4())}
        return await api.post("v3/booking/time-slots/reserve", body)
    others = {"roomId": HAVBLIK, "additionalEmployees": [BO], "type": "Physical"} if what == "meeting in a room" else {}
    meeting = MEETING | others | changed
    return await api.post("v3/booking/meetings", meeting if at_once else in_local_time(meeting))


def in_local_time(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body whose times are the organization's: they are read in a transaction."""
    times = {name: datetime.fromisoformat(body[name]).astimezone(ZoneInfo("Europe/Copenhagen")) for name in TIMES}
    return body | {name: f"{time:%Y-%m-%dT%H:%M:%S}" for name, time in times.items()}


async def test_reserving_a_time_is_one_statement(api: Api, database: Database) -> None:
    with logged_statements(database) as statements:
        assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)).status_code == 201
    assert len(statements) == 1


async def test_booking_a_meeting_of_one_employee_is_one_statement(api: Api, database: Database) -> None:
    with logged_statements(database) as statements:
        assert (await api.book(**MEETING, topicId=TOPIC)).status_code == 201
    assert len(statements) == 1


@pytest.mark.parametrize("version", ["v2", "v3"])
@pytest.mark.parametrize("others", [{}, {"roomId": HAVBLIK, "additionalEmployees": [BO], "type": "Physical"}])
async def test_holding_and_booking_with_keys_are_one_statement_each_and_their_repeats_get_the_same_answers(
    api: Api, database: Database, version: str, others: dict[str, Any]
) -> None:
    body = {"timeSlot": SLOT, "token": str(uuid4())}
    meeting = {"employeeId": ANNA, "customerId": "Freja", "crmId": "7", "topicId": TOPIC, "type": "Online"} | others

    async def walk() -> list[httpx.Response]:
        held = await api.post(f"{version}/booking/time-slots/reserve", body, headers={"Idempotency-Key": "hold"})
        whole = meeting | {"timeSlotId": held.json()["id"]}
        made = await api.post(f"{version}/booking/meetings", whole, headers={"Idempotency-Key": "book"})
        return [held, made]

    with logged_statements(database) as statements:
        held, made = await walk()
    assert (held.status_code, made.status_code, len(statements)) == (201, 201, 2)
    assert (await api.get(f"{version}/booking/meetings/{made.json()['id']}")).json() == made.json()
    assert (await api.post(f"{version}/booking/meetings/{made.json()['id']}/ical")).status_code == 200
    for first, again in zip([held, made], await walk(), strict=True):
        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["Location"] == first.headers["Location"]


async def test_a_booked_reservation_has_the_time_of_its_people_and_room_and_of_nobody_else(
    api: Api, inside: Connection
) -> None:
    held = await hold(api, str(NORDLYS.id_of("room", NORDLYS.rooms[1][0])))
    body = {"employeeId": ANNA, "customerId": "Freja", "additionalEmployees": [BO], "roomId": HAVBLIK, "type": "Online"}
    assert (await api.post("v3/booking/meetings", body | held)).status_code == 201
    rows = await inside.fetch(
        "select resource_id::text, expires_at from occupancy join resource using (tenant_id, resource_key)"
        " where starts_at = $1",
        TUESDAY_AT_TEN,
    )
    assert {tuple(row) for row in rows} == {(ANNA, None), (BO, None), (HAVBLIK, None)}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"employeeId": BO}, "reservation_gone"),
        (TIMES | {"startDate": (TUESDAY_AT_TEN - HOUR).isoformat()}, "invalid_meeting"),
        ({"timeSlotId": str(uuid4())}, "not_found"),
    ],
)
async def test_a_reservation_is_booked_only_as_it_is(api: Api, changed: dict[str, Any], code: str) -> None:
    held = await hold(api)
    body = {"employeeId": ANNA, "customerId": "Freja", "type": "Online"} | held | changed
    assert (await api.post("v3/booking/meetings", body)).json()["code"] == code


async def test_an_expired_reservation_is_not_booked(api: Api, clock: HandClock) -> None:
    held = await hold(api)
    clock.advance(minutes=6)
    body = {"employeeId": ANNA, "customerId": "Freja", "type": "Online"} | held
    assert (await api.post("v3/booking/meetings", body)).json()["code"] == "reservation_gone"


async def test_of_many_bookings_of_a_reservation_with_one_key_one_is_made_and_all_get_its_answer(api: Api) -> None:
    body = {"employeeId": ANNA, "customerId": "Freja", "type": "Online"} | await hold(api)
    answers = await asyncio.gather(
        *(api.post("v3/booking/meetings", body, headers={"Idempotency-Key": "one"}) for _ in range(6))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_a_key_of_another_request_is_refused_although_the_time_is_free(api: Api, inside: Connection) -> None:
    await api.post("v3/booking/meetings", MEETING, headers={"Idempotency-Key": "one"})
    answer = await api.post("v3/booking/meetings", MEETING | {"employeeId": BO}, headers={"Idempotency-Key": "one"})
    assert answer.json()["code"] == "idempotency_key_reused"
    assert await inside.fetchval("select count(*) from meeting where starts_at = $1", TUESDAY_AT_TEN) == 1


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


async def test_a_reservation_starts_no_task(api: Api) -> None:
    loop, started = asyncio.get_running_loop(), list[Any]()

    def start(loop: asyncio.AbstractEventLoop, coroutine: Any, **named: Any) -> "asyncio.Task[Any]":
        started.append(coroutine)
        return asyncio.Task(coroutine, loop=loop, **named)

    loop.set_task_factory(start)
    try:
        assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201
    finally:
        loop.set_task_factory(None)
    assert started == []
