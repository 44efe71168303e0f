"""Rivals of whom each wants what the other gives up: they wait for one another in turn, never in a circle.

A circle is found by the database after a second and broken at the cost of one of them; it counts those.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection, Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

ROUNDS = 8
CONNECTIONS = 5  # of the pool that `database` is
HOUR = timedelta(hours=1)
NEXT_YEAR = TUESDAY_AT_TEN + timedelta(weeks=52)  # the demo firms have nothing to do then
ANNA, BO, EVA = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind", "Eva Sand"))
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))


def times(begin: datetime) -> dict[str, str]:
    return {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}


async def book(api: Api, begin: datetime, **members: Any) -> str:
    return accept(await api.book(**({"type": "Online"} | times(begin) | members)))


async def patch(api: Api, meeting_id: str, **members: Any) -> httpx.Response:
    operations = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]
    return await api.request("PATCH", f"v3/booking/meetings/{meeting_id}", json=operations)


async def cancel(api: Api, meeting_id: str) -> httpx.Response:
    return await api.request("DELETE", f"v3/booking/meetings/{meeting_id}")


async def reserve_for(api: Api, meeting_id: str | None, token: object, begin: datetime, **slot: str) -> httpx.Response:
    """Reserve for moving a meeting."""
    body = {"timeSlot": {"status": "Reserved"} | times(begin) | slot, "token": str(token)}
    return await api.post("v3/booking/time-slots/reserve", body | {"existingMeetingId": meeting_id})


def accept(answer: httpx.Response) -> str:
    assert answer.is_success, answer.text
    return answer.json()["id"]


async def count_circles(database: Database, owner: Connection) -> int:
    """Return how many circles of waiting transactions the database has found in this test's database."""
    async with AsyncExitStack() as lent:  # all of them: each tells what it found when it is asked to
        for _ in range(CONNECTIONS):
            connection = await lent.enter_async_context(database.outside_tenants())
            await connection.execute("select pg_stat_force_next_flush()")
    return await owner.fetchval("select deadlocks from pg_stat_database where datname = current_database()")


async def race(rounds: Callable[[datetime], Awaitable[list[Awaitable[httpx.Response]]]]) -> set[int]:
    """Call both rivals at the same moment, week after week; return all statuses."""
    statuses: set[int] = set()
    for number in range(ROUNDS):
        rivals = await rounds(NEXT_YEAR + timedelta(weeks=number))
        statuses |= {answer.status_code for answer in await asyncio.gather(*rivals)}
    return statuses


async def test_two_customers_may_exchange_what_they_have_reserved(
    api: Api, database: Database, owner: Connection
) -> None:
    async def exchange(begin: datetime) -> list[Awaitable[httpx.Response]]:
        one, other = uuid4(), uuid4()
        accept(await api.reserve(begin, employeeId=ANNA, token=one))
        accept(await api.reserve(begin, employeeId=BO, token=other))
        return [api.reserve(begin, employeeId=BO, token=one), api.reserve(begin, employeeId=ANNA, token=other)]

    assert await race(exchange) <= {201, 409}
    assert await count_circles(database, owner) == 0


async def test_two_customers_may_exchange_advisors_that_a_service_group_gave(
    api: Api, database: Database, owner: Connection
) -> None:
    async def exchange(begin: datetime) -> list[Awaitable[httpx.Response]]:
        one, other = uuid4(), uuid4()
        accept(await api.reserve(begin, serviceGroup="Aarhus branch", token=one))
        accept(await api.reserve(begin, serviceGroup="Aarhus branch", token=other))
        later = begin + HOUR / 2  # another time, so nothing is renewed; it overlaps, so each is in the other's way
        return [api.reserve(later, serviceGroup="Aarhus branch", token=token) for token in (one, other)]

    assert await race(exchange) == {201}
    assert await count_circles(database, owner) == 0


async def test_two_meetings_may_exchange_advisors_and_get_rooms(
    api: Api, database: Database, owner: Connection
) -> None:
    """Each locks rooms where its new advisor works, and what it had before."""

    async def exchange(begin: datetime) -> list[Awaitable[httpx.Response]]:
        one, other = await book(api, begin, employeeId=ANNA), await book(api, begin + HOUR, employeeId=EVA)
        return [patch(api, one, type="Physical", employeeId=EVA), patch(api, other, type="Physical", employeeId=ANNA)]

    assert await race(exchange) == {200}
    assert await count_circles(database, owner) == 0


async def test_two_reservations_may_exchange_rooms_when_they_become_meetings(
    api: Api, database: Database, owner: Connection
) -> None:
    async def exchange(begin: datetime) -> list[Awaitable[httpx.Response]]:
        one = accept(await api.reserve(begin, employeeId=ANNA, roomId=HAVBLIK))
        other = accept(await api.reserve(begin, employeeId=BO, roomId=FJORDEN))
        return [
            api.book(timeSlotId=one, employeeId=ANNA, roomId=FJORDEN),
            api.book(timeSlotId=other, employeeId=BO, roomId=HAVBLIK),
        ]

    assert await race(exchange) == {409}  # neither gives its room up before it has the other
    assert await count_circles(database, owner) == 0


async def test_two_meetings_may_exchange_rooms_by_reservations(api: Api, database: Database, owner: Connection) -> None:
    async def exchange(begin: datetime) -> list[Awaitable[httpx.Response]]:
        meetings = [await book(api, begin, employeeId=each) for each in (ANNA, BO)]
        slots = [
            accept(await api.reserve(begin + 2 * HOUR, employeeId=ANNA, roomId=HAVBLIK)),
            accept(await api.reserve(begin + 2 * HOUR, employeeId=BO, roomId=FJORDEN)),
        ]
        return [
            patch(api, meetings[0], timeSlotId=slots[0], roomId=FJORDEN),
            patch(api, meetings[1], timeSlotId=slots[1], roomId=HAVBLIK),
        ]

    assert await race(exchange) == {409}
    assert await count_circles(database, owner) == 0


async def test_a_meeting_may_be_cancelled_while_its_new_time_is_renewed_or_replaced(
    api: Api, database: Database, owner: Connection
) -> None:
    """The reservation overlaps the meeting: what is given back is written for it, while it waits for the lock."""
    for longer in (0 * HOUR, HOUR / 2):

        async def renew_and_cancel(begin: datetime, longer: timedelta = longer) -> list[Awaitable[httpx.Response]]:
            meeting_id, token = await book(api, begin + longer, employeeId=ANNA), uuid4()
            accept(await reserve_for(api, meeting_id, token, begin + longer + HOUR / 2, employeeId=ANNA))
            renewed = reserve_for(api, meeting_id, token, begin + 2 * longer + HOUR / 2, employeeId=ANNA)
            return [renewed, cancel(api, meeting_id)]

        # Whoever comes second after a cancellation has no meeting to move any more.
        assert {204} < await race(renew_and_cancel) <= {201, 204, 404, 409}
        async with database.transaction(NORDLYS.tenant_id) as connection:
            await connection.execute("delete from time_slot where status = 'Reserved'")
    assert await count_circles(database, owner) == 0


async def test_a_meeting_may_be_cancelled_while_others_book_what_it_hands_over(
    api: Api, database: Database, owner: Connection
) -> None:
    async def cancel_and_book(begin: datetime) -> list[Awaitable[httpx.Response]]:
        meeting_id = await book(api, begin, employeeId=ANNA)
        accept(await reserve_for(api, meeting_id, uuid4(), begin + HOUR / 2, employeeId=ANNA))
        rivals = [api.book(employeeId=ANNA, type="Online", **times(begin + n * HOUR / 4)) for n in range(-1, 2)]
        return [*rivals, cancel(api, meeting_id), *(api.reserve(begin, employeeId=ANNA) for _ in range(2))]

    assert await race(cancel_and_book) <= {201, 204, 409}
    assert await count_circles(database, owner) == 0


@pytest.mark.parametrize("is_cancelled", [True, False])
async def test_of_two_who_want_to_move_a_meeting_the_first_holds_what_it_gives_back(
    api: Api, clock: HandClock, *, is_cancelled: bool
) -> None:
    meeting_id = await book(api, TUESDAY_AT_TEN, employeeId=ANNA)
    one = accept(await reserve_for(api, meeting_id, uuid4(), TUESDAY_AT_TEN - HOUR / 2, employeeId=ANNA))
    clock.advance(minutes=1)
    other = accept(await reserve_for(api, meeting_id, uuid4(), TUESDAY_AT_TEN, employeeId=ANNA))
    away = times(TUESDAY_AT_TEN + 6 * HOUR)
    assert (await (cancel(api, meeting_id) if is_cancelled else patch(api, meeting_id, **away))).is_success
    assert (await api.book(employeeId=ANNA, timeSlotId=other)).status_code == 409
    assert (await api.book(employeeId=ANNA, timeSlotId=one)).status_code == 201


async def test_a_reservation_that_is_asked_for_again_for_a_meeting_is_for_that_meeting(api: Api) -> None:
    meeting_id, token = await book(api, TUESDAY_AT_TEN, employeeId=ANNA), uuid4()
    later = TUESDAY_AT_TEN + 2 * HOUR
    for asked in (None, meeting_id, None, meeting_id):
        slot_id = accept(await reserve_for(api, asked, token, later, employeeId=ANNA))
    other_meeting_id = await book(api, TUESDAY_AT_TEN + 4 * HOUR, employeeId=ANNA)
    assert (await patch(api, other_meeting_id, timeSlotId=slot_id)).status_code == 409
    assert (await patch(api, meeting_id, timeSlotId=slot_id)).status_code == 200


async def wait_for_waiting(owner: Connection, count: int) -> None:
    """Return when so many wait for their turn."""
    waiting = (
        "select count(*) from pg_locks where locktype = 'advisory' and not granted"
        " and database = (select oid from pg_database where datname = current_database())"
    )
    for _ in range(1000):
        if await owner.fetchval(waiting) == count:
            return
        await asyncio.sleep(0.01)
    raise AssertionError("nobody waits")


async def test_what_is_reserved_while_its_meeting_moves_away_is_held(
    api: Api, database: Database, owner: Connection
) -> None:
    """When its turn comes, the meeting is not where it was when it began to wait."""
    meeting_id = await book(api, TUESDAY_AT_TEN, employeeId=ANNA)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await time_slots.lock_resources(connection, [UUID(ANNA)])
        move = asyncio.create_task(patch(api, meeting_id, **times(TUESDAY_AT_TEN + 4 * HOUR)))
        await wait_for_waiting(owner, 1)
        later = TUESDAY_AT_TEN + HOUR / 2
        reserve = asyncio.create_task(reserve_for(api, meeting_id, uuid4(), later, employeeId=ANNA))
        await wait_for_waiting(owner, 2)
    accept(await move)
    accept(await reserve)
    assert (await api.reserve(later, minutes=30, employeeId=ANNA)).status_code == 409


async def test_who_waits_for_the_turn_finds_the_busy_time_that_came_meanwhile(
    api: Api, database: Database, owner: Connection
) -> None:
    """A statement's snapshot is too early: the time became busy while the booking waited."""
    busy = {"status": "Busy", "employeeId": ANNA} | times(TUESDAY_AT_TEN)
    members = {"employeeId": ANNA, "type": "Online"} | times(TUESDAY_AT_TEN)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await time_slots.lock_resources(connection, [UUID(ANNA)])
        make_busy = asyncio.create_task(api.post("v3/booking/time-slots", busy))
        await wait_for_waiting(owner, 1)
        rivals = [
            asyncio.create_task(api.book(**members)),
            asyncio.create_task(api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)),
        ]
        await wait_for_waiting(owner, 3)
    assert (await make_busy).status_code == 201
    assert [(await rival).json()["code"] for rival in rivals] == ["time_busy", "time_busy"]
