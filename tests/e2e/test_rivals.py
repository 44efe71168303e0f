"""Many callers at two servers at one moment: what can be had once is given once, and nobody stalls."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from itertools import count
from uuid import uuid4

import httpx
import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from support.installation import Installation
from support.servers import (
    HOUR,
    MOST_AT_ONCE,
    accept,
    book,
    call,
    cancel,
    change,
    connect,
    require_sound,
    reserve,
    serve_beside,
    write_span,
)

_TRIES = 10
ROUNDS = 8
ANNA, BO, *OTHERS = (str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors)
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))
Http = httpx.AsyncClient
Rival = Callable[[Http], Awaitable[httpx.Response]]
_years = count(2031)


@pytest.fixture(scope="module")
def servers(shared_installation: Installation) -> Generator[tuple[str, str]]:
    """Lend two servers of one installation. When they have stopped, the database has found no deadlock."""
    first = shared_installation.start()
    with serve_beside(shared_installation, first) as second:
        yield first, second
    assert asyncio.run(_stop_and_count_deadlocks(shared_installation)) == 0


async def _stop_and_count_deadlocks(installation: Installation) -> int:
    async with connect(installation) as connection:  # the database goes on while this is open
        installation.stop()  # the servers' connections tell what they know when they end
        query = "select deadlocks from pg_stat_database where datname = current_database()"
        return await connection.fetchval(query)


@pytest_asyncio.fixture
async def clients(servers: tuple[str, str], shared_installation: Installation) -> AsyncGenerator[list[Http]]:
    """Lend a client of each; afterwards what is taken is what should be."""
    async with AsyncExitStack() as opened:
        yield [await opened.enter_async_context(call(shared_installation, address)) for address in servers]
    async with connect(shared_installation) as connection:
        await require_sound(connection)


@pytest.fixture
def begin() -> datetime:
    """Lend a morning of a year of the test's own."""
    return datetime(next(_years), 3, 4, 9, tzinfo=UTC)


async def race(clients: Sequence[Http], rivals: Iterable[Rival]) -> list[httpx.Response]:
    """Call at the same moment, each server for its share; again, whoever a busy machine asks to come back."""

    async def call(rival: Rival, http: Http) -> httpx.Response:
        for _ in range(_TRIES):
            answer = await rival(http)
            if answer.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                return answer
            await asyncio.sleep(float(answer.headers["Retry-After"]))
        return await rival(http)

    return await asyncio.gather(*(call(rival, clients[place % len(clients)]) for place, rival in enumerate(rivals)))


def statuses_of(answers: Sequence[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


# -------------------------------------------------------------------------------------------- one hour, in every way


async def make_rivals(http: Http, begin: datetime) -> list[Rival]:
    """Return reservations, bookings and moves that all want Anna at one time, in every way that there is."""
    rivals: list[Rival] = []
    for number in range(MOST_AT_ONCE // 8):
        other, room, other_room = OTHERS[number % len(OTHERS)], *(HAVBLIK, FJORDEN)[:: 1 if number % 2 else -1]
        people = [other, BO, ANNA] if number % 2 else [ANNA, BO, other]
        away, token = begin + (number + 1) * HOUR, str(uuid4())
        accept(await reserve(http, away, token=token, roomId=other_room))
        bare = accept(await reserve(http, begin))["id"]  # a bare time holds nobody
        meetings = [accept(await book(http, away, employeeId=each))["id"] for each in (ANNA, BO, other)]
        taking_over = accept(await book(http, away + 24 * HOUR, employeeId=ANNA))["id"]
        then = write_span(begin)
        rivals += [
            partial(reserve, begin=begin, employeeId=ANNA, roomId=room),
            partial(reserve, begin=begin, token=token, employeeId=ANNA),
            partial(book, begin=begin, employeeId=people[0], additionalEmployees=people[1:], roomId=room),
            partial(book, timeSlotId=bare, employeeId=BO, additionalEmployees=[ANNA]),
            partial(change, meeting_id=meetings[0], **then),
            partial(change, meeting_id=meetings[1], **then, employeeId=ANNA, additionalEmployees=[BO], roomId=room),
            partial(change, meeting_id=meetings[2], **then, additionalEmployees=[BO, ANNA], type="Physical"),
            partial(reserve_and_take_over, meeting_id=taking_over, begin=begin),
        ]
    return rivals


async def reserve_and_take_over(http: Http, meeting_id: str, begin: datetime) -> httpx.Response:
    """Move a meeting of Anna's as a portal does: reserve the other time for it, then change its slot."""
    reserved = await reserve(http, begin, moves=meeting_id, employeeId=ANNA)
    return await change(http, meeting_id, timeSlotId=reserved.json()["id"]) if reserved.is_success else reserved


@pytest.mark.thorough
async def test_of_64_rivals_at_two_servers_one_wins_and_nobody_waits_long(clients: list[Http], begin: datetime) -> None:
    rivals = await make_rivals(clients[0], begin)
    started = time.monotonic()
    answers = await race(clients, rivals)
    together = time.monotonic() - started
    started = time.monotonic()
    for rival in rivals:
        assert (await rival(clients[0])).status_code in {200, 201, 409}  # what has won changes nothing again
    one_by_one = time.monotonic() - started
    assert statuses_of(answers)[409] == MOST_AT_ONCE - 1, statuses_of(answers)
    winner = next(answer for answer in answers if answer.is_success).json()
    assert ANNA in {winner["employeeId"], *winner.get("additionalEmployees", [])}
    listed = (await clients[1].get("time-slots", params=write_span(begin) | {"employeeId": ANNA})).json()
    assert [slot["id"] for slot in listed] == [winner.get("timeSlotId", winner["id"])]
    # A deadlock would be found by the database after a second, and each rival's behind it after another.
    assert together < 2 * one_by_one + 1


@pytest.mark.thorough
async def test_those_who_want_what_others_give_up_are_all_answered(clients: list[Http], begin: datetime) -> None:
    """Everybody moves to somebody else's people, room and time; whoever comes too late is refused."""
    dice = random.Random(64)  # noqa: S311 - no secret
    people, rooms, tokens = [ANNA, BO, *OTHERS[:2]], [HAVBLIK, FJORDEN], [str(uuid4()) for _ in range(4)]
    meetings = [
        accept(await book(clients[0], begin + hour * HOUR, employeeId=each))["id"] for hour in (0, 1) for each in people
    ]

    def draw_rival() -> Rival:
        then, slot = begin + dice.randrange(3) * HOUR, {"roomId": dice.choice(rooms)} if dice.randrange(2) else {}
        slot["employeeId"], *more = dice.sample(people, dice.randrange(1, 5))
        meeting, token = dice.choice(meetings), dice.choice(tokens)
        kind = dice.choice(["Online", "Physical"])
        ways: list[Rival] = [
            partial(change, meeting_id=meeting, **write_span(then), **slot, additionalEmployees=more, type=kind),
            partial(book, begin=then, **slot, additionalEmployees=more, type=kind),
            partial(reserve, begin=then, **slot, token=token),
            partial(reserve, begin=then, **slot, token=token, moves=meeting),
            partial(reserve, begin=then, token=token, serviceGroup="Aarhus branch"),
        ]
        return dice.choice(ways)

    for _ in range(3):
        outcome = statuses_of(await race(clients, [draw_rival() for _ in range(MOST_AT_ONCE)]))
        assert set(outcome) <= {200, 201, 409}, outcome
        assert outcome[200] + outcome[201] > 0


# ----------------------------------------------------------------------------------------------------- two at a time


async def post_meeting(http: Http, body: object, key: str) -> httpx.Response:
    return await http.post("meetings", json=body, headers={"Idempotency-Key": key})


async def test_a_request_that_is_sent_twice_is_done_once(clients: list[Http], begin: datetime) -> None:
    for number in range(ROUNDS):
        body = {"customerId": "Freja", "employeeId": ANNA, "type": "Online"} | write_span(begin + number * HOUR)
        answers = await race(clients, [partial(post_meeting, body=body, key=f"{begin} {number}")] * 4)
        assert statuses_of(answers) == {201: 4}
        assert len({answer.content for answer in answers}) == 1


async def test_a_reservation_becomes_one_meeting_at_whichever_server(clients: list[Http], begin: datetime) -> None:
    for number in range(ROUNDS):
        then = begin + number * HOUR
        slot_id = accept(await reserve(clients[0], then, employeeId=ANNA))["id"]
        meeting_id = accept(await book(clients[0], then + 100 * HOUR, employeeId=ANNA))["id"]
        convert = partial(book, timeSlotId=slot_id, employeeId=ANNA)
        outcome = statuses_of(
            await race(clients, [convert, convert, partial(change, meeting_id=meeting_id, timeSlotId=slot_id)])
        )
        assert outcome[200] + outcome[201] == 1
        assert outcome[409] == 2


async def reserve_later(http: Http, begin: datetime, token: str, *, seconds: float) -> httpx.Response:
    await asyncio.sleep(seconds)
    return await reserve(http, begin, token=token, employeeId=ANNA, roomId=HAVBLIK)


@pytest.mark.thorough
async def test_a_reservation_is_renewed_or_anothers_when_it_expires(
    clients: list[Http], begin: datetime, shared_installation: Installation
) -> None:
    for number in range(ROUNDS):
        then, token = begin + number * HOUR, str(uuid4())
        slot_id = accept(await reserve(clients[0], then, token=token, employeeId=ANNA, roomId=HAVBLIK))["id"]
        async with connect(shared_installation) as connection:
            for table in ("time_slot", "occupancy"):
                expire = f"update {table} set expires_at = now() + interval '60 ms' where time_slot_id = $1"  # noqa: S608 - our names
                await connection.execute(expire, slot_id)
        asked = [token if place % 4 == 0 else str(uuid4()) for place in range(12)]
        rivals = [partial(reserve_later, begin=then, token=each, seconds=n / 100) for n, each in enumerate(asked)]
        answers = await race(clients, rivals)
        assert set(statuses_of(answers)) <= {201, 409}
        assert len({answer.json()["token"] for answer in answers if answer.is_success}) == 1


@pytest.mark.thorough
async def test_a_meeting_that_is_cancelled_while_it_moves_takes_nothing(clients: list[Http], begin: datetime) -> None:
    for number in range(ROUNDS):
        then = begin + 2 * number * HOUR
        meeting_id = accept(await book(clients[0], then, employeeId=ANNA, roomId=HAVBLIK))["id"]
        moved = {"employeeId": BO, "roomId": FJORDEN} | write_span(then + HOUR)
        rivals = [partial(cancel, meeting_id=meeting_id), partial(change, meeting_id=meeting_id, **moved)]
        answers = await race(clients, rivals if number % 2 else rivals[::-1])
        assert statuses_of(answers) in ({204: 1, 404: 1}, {204: 1, 200: 1})
        accept(await reserve(clients[0], then, employeeId=ANNA, roomId=HAVBLIK))
        accept(await reserve(clients[0], then + HOUR, employeeId=BO, roomId=FJORDEN))


async def delete(http: Http, path: str) -> httpx.Response:
    return await http.delete(path)


@pytest.mark.thorough
async def test_whoever_is_deleted_while_being_booked_is_booked_or_gone(clients: list[Http], begin: datetime) -> None:
    for number in range(ROUNDS):
        then = begin + number * HOUR
        nina, room = [
            accept(await clients[0].post(f"config/{kind}", json={"name": "New", "capacity": 4}))["id"]
            for kind in ("employees", "rooms")
        ]
        answers = await race(
            clients,
            [
                partial(delete, path=f"config/employees/{nina}"),
                partial(book, begin=then, employeeId=BO, additionalEmployees=[nina], roomId=room),
                partial(reserve, begin=then, employeeId=nina, roomId=room),
                partial(delete, path=f"config/rooms/{room}"),
            ],
        )
        deleted, booked, reserved, room_deleted = (answer.status_code for answer in answers)
        assert {deleted, room_deleted} <= {204, 409}
        assert {booked, reserved} <= {201, 404, 409}
        if 201 in {booked, reserved}:
            assert (deleted, room_deleted) == (409, 409)
