"""Many hold or book the last pair of specialists at one moment: one gets both and its advisor, nobody gets half."""

import asyncio
import os
from collections import Counter
from datetime import timedelta
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api

RIVALS = int(os.environ.get("MEETDECK_JOINT_RIVALS", "12"))
ADVISORS = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
PAIR = ADVISORS[:2]
HOUR = timedelta(hours=1)
_HELD = """
select resource_id::text from occupancy join resource using (tenant_id, resource_key)
where starts_at = $1 order by 1
"""


async def test_one_of_many_rivals_holds_the_last_pair_whole(api: Api, database: Database) -> None:
    group = {"name": "Mortgage", "employeeIds": PAIR}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}

    async def hold(rival: int) -> httpx.Response:
        also = {"employeeId": ADVISORS[2 + rival % 6], "alsoServiceGroups": ["Mortgage", "Mortgage"]}
        slot = {"status": "Reserved"} | times | also
        return await api.post("v3/booking/time-slots/reserve", {"token": str(uuid4()), "timeSlot": slot})

    answers = await asyncio.gather(*(hold(rival) for rival in range(RIVALS)))
    assert Counter(each.status_code for each in answers) == {201: 1, 409: RIVALS - 1}
    (winner,) = [each.json() for each in answers if each.status_code == 201]
    assert await list_taken(database) == sorted([winner["employeeId"], *PAIR])


async def test_one_of_many_rivals_books_the_last_pair_whole_with_the_room(api: Api, database: Database) -> None:
    group = {"name": "Mortgage", "employeeIds": PAIR}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    rooms = [each["id"] for each in (await api.get("v3/booking/rooms")).json() if each["capacity"] > 3]

    async def book(rival: int) -> httpx.Response:
        also = {"alsoServiceGroups": ["Mortgage", "Mortgage"], "roomId": rooms[rival % 2]}
        people = {"employeeId": ADVISORS[2 + rival % 6], "additionalEmployees": [ADVISORS[2 + (rival + 1) % 6]]}
        times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
        return await api.post(
            "v3/booking/meetings", {"customerId": str(rival), "type": "Online"} | times | people | also
        )

    before = await count_deadlocks(database)
    answers = await asyncio.gather(*(book(rival) for rival in range(RIVALS)))
    assert Counter(each.status_code for each in answers) == {201: 1, 409: RIVALS - 1}, [each.text for each in answers]
    assert await count_deadlocks(database) == before
    (winner,) = [each.json() for each in answers if each.status_code == 201]
    assert sorted(winner["alsoEmployees"]) == sorted(PAIR)
    taken = [winner["employeeId"], *winner["additionalEmployees"], winner["roomId"]]
    assert await list_taken(database) == sorted(taken)


async def test_rivals_for_the_last_specialist_and_the_last_room_that_seats_all_wait_for_each_other(
    api: Api, database: Database
) -> None:
    aarhus = {name: str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind", "David Krogh")}
    group = {"name": "Mortgage", "employeeIds": [str(NORDLYS.id_of("employee", "Camilla Friis")), aarhus["Bo Lind"]]}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(
            "update location set add_rooms_to_booked_meetings = true, require_available_room = true"
        )
    guests = [{"name": name, "email": f"{name}@example.com"} for name in ("a", "b")]
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
    body = {"customerId": "C-1", "type": "Physical", "externalAttendees": guests, "alsoServiceGroups": ["Mortgage"]}

    async def book(rival: int) -> httpx.Response:
        employee = aarhus[("Anna Holm", "David Krogh")[rival % 2]]
        return await api.post("v3/booking/meetings", body | times | {"employeeId": employee})

    before = await count_deadlocks(database)
    answers = await asyncio.gather(*(book(rival) for rival in range(RIVALS)))
    assert await count_deadlocks(database) == before
    assert Counter(each.status_code for each in answers) == {201: 1, 409: RIVALS - 1}, [each.text for each in answers]
    (winner,) = [each.json() for each in answers if each.status_code == 201]
    assert winner["roomId"] == str(NORDLYS.id_of("room", "Fjorden"))  # the only one with five seats
    taken = [winner["employeeId"], *winner["additionalEmployees"], winner["roomId"]]
    assert await list_taken(database) == sorted(taken)


async def test_rivals_who_want_the_same_specialist_get_different_ones_while_there_are_any(api: Api) -> None:
    group = {"name": "Mortgage", "employeeIds": ADVISORS[:4]}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
    shared = {"customerId": "C-1", "type": "Online", "alsoServiceGroups": ["Mortgage"]} | times
    answers = await asyncio.gather(
        *(api.post("v3/booking/meetings", shared | {"employeeId": each}) for each in ADVISORS[4:8])
    )
    assert [each.status_code for each in answers] == [201] * 4, [each.text for each in answers]
    assert sorted(one for each in answers for one in each.json()["alsoEmployees"]) == sorted(ADVISORS[:4])


async def test_rivals_at_different_hours_fill_the_specialists_day_once(api: Api) -> None:
    """Their times do not meet: only the search under the lock knows of the limit."""
    group = {"name": "Mortgage", "employeeIds": ADVISORS[:1], "maxMeetingTimePerDay": "01:00:00"}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    shared = {"customerId": "C-1", "type": "Online", "alsoServiceGroups": ["Mortgage"]}

    async def book(rival: int) -> httpx.Response:
        begin = TUESDAY_AT_TEN + rival * HOUR
        times = {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}
        return await api.post("v3/booking/meetings", shared | times | {"employeeId": ADVISORS[4 + rival]})

    answers = await asyncio.gather(*map(book, range(4)))
    assert Counter(each.status_code for each in answers) == {201: 1, 409: 3}, [each.text for each in answers]


async def count_deadlocks(database: Database) -> int:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("select pg_stat_force_next_flush()")
        await connection.execute("select pg_stat_clear_snapshot()")
        return await connection.fetchval("select deadlocks from pg_stat_database where datname = current_database()")


async def list_taken(database: Database) -> list[str]:
    """Return the people and rooms whose time is taken on Tuesday at ten."""
    async with database.transaction(NORDLYS.tenant_id) as connection:
        return [row["resource_id"] for row in await connection.fetch(_HELD, TUESDAY_AT_TEN)]
