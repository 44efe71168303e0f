"""Nobody is booked twice: the database refuses it by itself, and rivals at one moment are answered in order."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterable
from datetime import timedelta
from uuid import UUID, uuid4

import httpx
import pytest
from asyncpg.exceptions import ExclusionViolationError

from meetdeck.booking.scheduling.errors import TimeSlotTaken
from meetdeck.booking.scheduling.meetings.schemas.meetings import NewMeeting
from meetdeck.booking.scheduling.meetings.service.meetings import create_meeting
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Connection, Database, savepoint
from meetdeck.platform.identity import Principal
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

RIVALS = 16
HOUR = timedelta(hours=1)


# ------------------------------------------------------------------------------------------------ the database itself


async def occupy(connection: Connection, employee_id: UUID, *, after: timedelta) -> None:
    """Write an hour of occupancy as a program without any checks would."""
    time_slot_id = uuid4()
    begin = TUESDAY_AT_TEN + after
    await connection.execute(
        "insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, status, created_at)"
        " values (current_tenant(), $1, $2, $3, 'Booked', $2)",
        time_slot_id,
        begin,
        begin + HOUR,
    )
    await connection.execute(
        "insert into occupancy (tenant_id, resource_key, starts_at, ends_at, time_slot_id)"
        " select tenant_id, resource_key, $2, $3, $4 from resource where resource_id = $1",
        employee_id,
        begin,
        begin + HOUR,
        time_slot_id,
    )


ANNA, BO = (NORDLYS.id_of("employee", name) for name in ("Anna Holm", "Bo Lind"))


@pytest.mark.usefixtures("api")
async def test_the_database_refuses_an_overlap(database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await occupy(connection, ANNA, after=timedelta(0))
        for minutes in (0, 1, -1, 59, -59):
            with pytest.raises(ExclusionViolationError):
                async with savepoint(connection):
                    await occupy(connection, ANNA, after=timedelta(minutes=minutes))


@pytest.mark.usefixtures("api")
async def test_meetings_may_follow_one_another_and_others_may_meet_at_the_same_time(database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        for after in (timedelta(0), HOUR, -HOUR):
            await occupy(connection, ANNA, after=after)
        await occupy(connection, BO, after=timedelta(0))
    async with database.transaction(FJORD.tenant_id) as connection:
        await occupy(connection, FJORD.id_of("employee", "Ida Bech"), after=timedelta(0))


# ---------------------------------------------------------------------------------------------------------- rivals


async def race(rivals: Iterable[Awaitable[httpx.Response]]) -> Counter[int]:
    """Run all calls at the same moment; return how many got which status."""
    return Counter(answer.status_code for answer in await asyncio.gather(*rivals))


async def test_of_many_who_reserve_one_slot_one_gets_it(api: Api) -> None:
    anna = api.id_of("employee", "Anna Holm")
    outcome = await race(api.reserve(TUESDAY_AT_TEN, employeeId=anna) for _ in range(RIVALS))
    assert outcome == {201: 1, 409: RIVALS - 1}


async def test_of_many_who_reserve_overlapping_slots_nobody_overlaps(api: Api, database: Database) -> None:
    anna, havblik = api.id_of("employee", "Anna Holm"), api.id_of("room", "Havblik")
    outcome = await race(
        api.reserve(TUESDAY_AT_TEN + number * HOUR / 4, employeeId=anna, roomId=havblik) for number in range(RIVALS)
    )
    assert set(outcome) == {201, 409}
    assert outcome[201] <= 4
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from time_slot where status = 'Reserved'") == outcome[201]


async def test_of_many_who_book_one_time_directly_one_gets_it(api: Api, database: Database) -> None:
    employees = [api.id_of("employee", one.name) for one in NORDLYS.advisors[:4]]
    rooms = [api.id_of("room", name) for name in ("Havblik", "Fjorden")]
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
    outcome = await race(  # each names the same people in another order, so that each locks them in another one
        api.book(
            employeeId=employees[number % 4],
            additionalEmployees=[employees[(number + step) % 4] for step in (3, 1, 2)],
            roomId=rooms[number % 2],
            **times,
        )
        for number in range(RIVALS)
    )
    assert outcome == {201: 1, 409: RIVALS - 1}
    async with database.transaction(NORDLYS.tenant_id) as connection:
        taken = await connection.fetchval("select count(*) from occupancy where starts_at = $1", TUESDAY_AT_TEN)
    assert taken == 5  # four people and a room, and nothing of those who lost


async def test_a_reservation_becomes_a_meeting_once(api: Api) -> None:
    anna = api.id_of("employee", "Anna Holm")
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=anna)).json()
    outcome = await race(api.book(employeeId=anna, timeSlotId=slot["id"]) for _ in range(RIVALS))
    assert outcome == {201: 1, 409: RIVALS - 1}


async def test_a_service_group_gives_away_each_of_its_members_once(api: Api) -> None:
    answers = await asyncio.gather(*(api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch") for _ in range(RIVALS)))
    assert Counter(answer.status_code for answer in answers) == {201: 4, 409: RIVALS - 4}
    given = [answer.json()["employeeId"] for answer in answers if answer.status_code == 201]
    assert sorted(given) == sorted(api.id_of("employee", one.name) for one in NORDLYS.advisors[:4])


async def test_an_impatient_customer_holds_one_reservation(api: Api, database: Database) -> None:
    anna, token = api.id_of("employee", "Anna Holm"), uuid4()
    outcome = await race(api.reserve(TUESDAY_AT_TEN, employeeId=anna, token=token) for _ in range(8))
    assert outcome == {201: 8}
    other_times = await race(
        api.reserve(TUESDAY_AT_TEN + number * HOUR, employeeId=anna, token=token) for number in range(1, 8)
    )
    assert other_times == {201: 7}
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from time_slot where status = 'Reserved'") == 1


async def test_a_customer_who_books_and_chooses_again_at_once_breaks_nothing(api: Api, database: Database) -> None:
    anna = api.id_of("employee", "Anna Holm")
    for day in range(6):
        begin, token = TUESDAY_AT_TEN + timedelta(days=7 * day), uuid4()
        slot = (await api.reserve(begin, employeeId=anna, token=token)).json()
        outcome = await race(
            [
                api.book(employeeId=anna, timeSlotId=slot["id"]),
                api.reserve(begin + 2 * HOUR, employeeId=anna, token=token),
                api.reserve(begin, employeeId=anna, token=token),
                api.book(employeeId=anna, timeSlotId=slot["id"]),
            ]
        )
        assert set(outcome) <= {201, 404, 409}
    async with database.transaction(NORDLYS.tenant_id) as connection:
        meetings = await connection.fetchval("select count(*) from meeting where starts_at >= $1", TUESDAY_AT_TEN)
        holding = await connection.fetchval(
            "select count(distinct meeting_id) from meeting join occupancy using (time_slot_id)"
            " where meeting.starts_at >= $1 and expires_at is null and occupancy.starts_at = meeting.starts_at",
            TUESDAY_AT_TEN,
        )
    assert meetings == holding


async def test_a_meeting_never_takes_time_that_was_given_away_as_expired(api: Api, services: Services) -> None:
    """A slow request may still see its reservation alive when a later one has taken its time already."""
    anna = api.id_of("employee", "Anna Holm")
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=anna)).json()
    before_expiry = services.clock()
    assert isinstance(services.clock, HandClock)
    services.clock.advance(minutes=5)
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=anna)).status_code == 201
    sent = NewMeeting(employee_id=UUID(anna), customer_id="Freja", time_slot_id=UUID(slot["id"]))
    principal = Principal(NORDLYS.tenant_id, uuid4())
    with pytest.raises(TimeSlotTaken):
        await services.database.run(
            NORDLYS.tenant_id,
            lambda connection: create_meeting(connection, principal, sent, services.encryption, before_expiry),
        )


async def test_a_renewal_never_takes_time_that_was_given_away_as_expired(api: Api, services: Services) -> None:
    anna, token = api.id_of("employee", "Anna Holm"), uuid4()
    await api.reserve(TUESDAY_AT_TEN, employeeId=anna, token=token)
    assert isinstance(services.clock, HandClock)
    services.clock.advance(minutes=5)
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=anna)).status_code == 201
    services.clock.advance(minutes=-1)
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=anna, token=token)).status_code == 409
