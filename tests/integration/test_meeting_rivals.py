"""Meetings that many change at one moment: nobody is booked twice, and what is acknowledged is what is held."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api

HOUR = timedelta(hours=1)
ANNA, BO, CAMILLA, DAVID = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:4])
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))

# What meetings that are not cancelled take, against what anything but reservations holds.
_WRONGLY_HELD = """
with due as (
    select time_slot_id, starts_at, ends_at, unnest(
        array_remove(array[employee_id, room_id], null)
        || array(select employee_id from meeting_additional_employee as more where more.meeting_id = meeting.meeting_id)
    ) as resource_id
    from meeting where cancelled_at is null
),
held as (
    select time_slot_id, starts_at, ends_at, resource_id
    from occupancy join resource using (tenant_id, resource_key) where expires_at is null
)
select count(*) from ((table due except table held) union all (table held except table due)) as difference
"""


async def race(rivals: Iterable[Awaitable[httpx.Response]]) -> Counter[int]:
    """Run all calls at the same moment; return how many got which status."""
    return Counter(answer.status_code for answer in await asyncio.gather(*rivals))


def at(begin: datetime) -> dict[str, str]:
    return {"startDate": begin.isoformat(), "endDate": (begin + HOUR).isoformat()}


async def book(api: Api, begin: datetime, **members: Any) -> dict[str, Any]:
    answer = await api.book(**{"employeeId": ANNA, "type": "Online"} | at(begin) | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def patch(api: Api, meeting: dict[str, Any], **members: Any) -> httpx.Response:
    operations = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]
    return await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=operations)


async def cancel(api: Api, meeting: dict[str, Any]) -> httpx.Response:
    return await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")


async def require_all_held(database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval(_WRONGLY_HELD) == 0


async def book_days(api: Api, count: int) -> Sequence[dict[str, Any]]:
    return [await book(api, TUESDAY_AT_TEN + timedelta(days=day)) for day in range(count)]


async def test_of_many_who_move_to_one_time_one_gets_it(api: Api, database: Database) -> None:
    meetings = await book_days(api, 12)
    target = at(TUESDAY_AT_TEN + 3 * HOUR)
    outcome = await race(patch(api, meeting, **target, roomId=HAVBLIK) for meeting in meetings)
    assert outcome == {200: 1, 409: 11}
    await require_all_held(database)


async def test_of_moves_bookings_and_reservations_of_one_time_one_gets_it(api: Api, database: Database) -> None:
    meetings = await book_days(api, 5)
    target = TUESDAY_AT_TEN + 3 * HOUR
    outcome = await race(
        [
            *(patch(api, meeting, **at(target), additionalEmployees=[BO]) for meeting in meetings),
            *(api.book(employeeId=BO, additionalEmployees=[ANNA], **at(target)) for _ in range(5)),
            *(api.reserve(target, employeeId=ANNA) for _ in range(5)),
        ]
    )
    assert outcome[409] == 14
    assert set(outcome) <= {200, 201, 409}
    await require_all_held(database)


async def test_two_meetings_may_not_change_places_and_nothing_is_lost_when_they_try(
    api: Api, database: Database
) -> None:
    one, other = await book(api, TUESDAY_AT_TEN), await book(api, TUESDAY_AT_TEN + HOUR)
    outcome = await race([patch(api, one, **at(TUESDAY_AT_TEN + HOUR)), patch(api, other, **at(TUESDAY_AT_TEN))])
    assert outcome == {409: 2}
    await require_all_held(database)


async def test_those_who_exchange_people_wait_for_each_other_without_harm(api: Api, database: Database) -> None:
    people = [ANNA, BO, CAMILLA, DAVID]
    meetings = [await book(api, TUESDAY_AT_TEN + day * HOUR * 24, employeeId=people[day]) for day in range(4)]
    rivals = [
        patch(api, meeting, employeeId=people[(place + step) % 4], additionalEmployees=[people[(place + step + 2) % 4]])
        for step in range(4)
        for place, meeting in enumerate(meetings)
    ]
    assert await race(rivals) == {200: 16}
    await require_all_held(database)


async def test_a_reservation_is_consumed_once_by_whoever_is_first(api: Api, database: Database) -> None:
    meetings = await book_days(api, 4)
    slot = (await api.reserve(TUESDAY_AT_TEN + 3 * HOUR, employeeId=ANNA)).json()
    outcome = await race(
        [
            *(patch(api, meeting, timeSlotId=slot["id"]) for meeting in meetings),
            *(api.book(employeeId=ANNA, timeSlotId=slot["id"]) for _ in range(4)),
        ]
    )
    assert outcome[409] == 7
    assert outcome[200] + outcome[201] == 1
    await require_all_held(database)


async def test_a_meeting_is_cancelled_once_and_then_not_changed(api: Api, database: Database) -> None:
    for day in range(4):
        meeting = await book(api, TUESDAY_AT_TEN + timedelta(days=day))
        moves = (patch(api, meeting, **at(TUESDAY_AT_TEN + timedelta(days=day, hours=hour))) for hour in (2, 4, 6))
        outcome = await race([*(cancel(api, meeting) for _ in range(3)), *moves])
        assert outcome[204] == 1
        assert set(outcome) <= {200, 204, 404}
        history = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
        assert [entry["action"] for entry in history] == ["Created", *["Changed"] * outcome[200], "Cancelled"]
    await require_all_held(database)


async def test_of_many_who_saw_the_same_state_one_changes_it(api: Api) -> None:
    meeting = await book(api, TUESDAY_AT_TEN)
    path = f"v3/booking/meetings/{meeting['id']}"
    seen = {"If-Match": (await api.get(path)).headers["ETag"]}
    outcome = await race(
        api.request("PATCH", path, json=[{"op": "add", "path": "/title", "value": str(number)}], headers=seen)
        for number in range(8)
    )
    assert outcome == {200: 1, 412: 7}


async def test_a_reservation_holds_what_its_meeting_gives_back(api: Api) -> None:
    """It overlaps the meeting's own time, which it did not hold: somebody else could take it."""
    for day, gives_back in enumerate(
        (cancel, lambda api, meeting: patch(api, meeting, **at(TUESDAY_AT_TEN + 8 * HOUR)))
    ):
        begin = TUESDAY_AT_TEN + timedelta(days=day)
        meeting = await book(api, begin, roomId=HAVBLIK)
        times = {**at(begin + HOUR / 2), "status": "Reserved", "employeeId": ANNA, "roomId": HAVBLIK}
        body = {"timeSlot": times, "token": str(uuid4()), "existingMeetingId": meeting["id"]}
        slot = (await api.post("v3/booking/time-slots/reserve", body)).json()
        assert (await gives_back(api, meeting)).status_code < 300
        assert (await api.reserve(begin + HOUR / 2, minutes=30, employeeId=ANNA)).status_code == 409
        assert (await api.reserve(begin, minutes=60, roomId=HAVBLIK)).status_code == 409
        assert (await api.reserve(begin, minutes=30, employeeId=ANNA, roomId=HAVBLIK)).status_code == 201
        assert (await api.book(employeeId=ANNA, timeSlotId=slot["id"])).status_code == 201


async def test_who_moves_while_the_meeting_is_cancelled_keeps_the_reservation_or_hears_of_it(
    api: Api, database: Database
) -> None:
    """The reservation overlaps the meeting's own time, which is everybody's as soon as the meeting is cancelled."""
    meeting = await book(api, TUESDAY_AT_TEN)
    times = {**at(TUESDAY_AT_TEN + HOUR / 2), "status": "Reserved", "employeeId": ANNA}
    body = {"timeSlot": times, "token": str(uuid4()), "existingMeetingId": meeting["id"]}
    slot = (await api.post("v3/booking/time-slots/reserve", body)).json()
    assert await race([cancel(api, meeting), api.book(employeeId=ANNA, **at(TUESDAY_AT_TEN - HOUR / 2))]) in (
        {204: 1, 201: 1},
        {204: 1, 409: 1},
    )
    answer = await api.book(employeeId=ANNA, timeSlotId=slot["id"])
    assert answer.status_code in {201, 409}
    await require_all_held(database)
