"""Reading time slots (contract, GET /time-slots; docs/api/holds.md#time-slots, docs/api/search.md#search-edges)."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.statements import logged_statements

ANNA, BO, CAMILLA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:3])
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
TUESDAY = {"startDate": "2026-03-03T00:00", "endDate": "2026-03-04T00:00"}
AT_TEN = {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00"}


async def list_slots(api: Api, **query: Any) -> list[dict[str, Any]]:
    """List in both versions, which answer the same: the slots at ten, unless the query says otherwise."""
    newer, older = [await api.get(f"{version}/booking/time-slots", params=AT_TEN | query) for version in ("v3", "v2")]
    assert newer.status_code == 200, newer.text
    assert newer.content == older.content
    return newer.json()


# --------------------------------------------------------------------------------------------------------- the states


async def test_a_reservation_is_listed_as_reserved_and_its_token_is_not_told(api: Api) -> None:
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)).json()
    assert await list_slots(api) == [
        {
            "id": held["id"],
            "employeeId": ANNA,
            "startTime": "2026-03-03T09:00:00Z",
            "endTime": "2026-03-03T10:00:00Z",
            "available": False,
            "roomId": HAVBLIK,
            "status": "Reserved",
            "serviceGroup": None,
            "expiresAt": held["expiresAt"],
        }
    ]


async def test_a_reservation_past_its_time_is_expired_and_available(api: Api, clock: HandClock) -> None:
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    clock.advance(minutes=5)
    assert await list_slots(api) == []
    (expired,) = await list_slots(api, status="expired")
    assert (expired["id"], expired["status"], expired["available"]) == (held["id"], "Expired", True)
    assert await list_slots(api, status="Reserved") == []


async def test_a_booked_time_is_booked_until_its_meeting_is_cancelled_then_released(api: Api) -> None:
    meeting = (await api.book(employeeId=ANNA, **TIMES)).json()
    (booked,) = await list_slots(api)
    assert (booked["id"], booked["status"], booked["available"]) == (meeting["timeSlotId"], "Booked", False)
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).status_code == 204
    assert await list_slots(api) == []
    (released,) = await list_slots(api, status="Released")
    assert (released["id"], released["status"], released["available"]) == (booked["id"], "Released", True)


async def test_statuses_are_read_repeated_and_comma_separated_in_any_case(api: Api, clock: HandClock) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    clock.advance(minutes=5)
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    await api.book(employeeId=CAMILLA, **TIMES)
    for status in (["Expired", "BOOKED"], "expired,Booked"):
        assert {slot["status"] for slot in await list_slots(api, status=status)} == {"Expired", "Booked"}
    assert {slot["status"] for slot in await list_slots(api, status="")} == {"Reserved", "Booked"}


# --------------------------------------------------------------------------------------------------------- the filters


async def test_slots_are_listed_by_employee_and_by_room(api: Api) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, roomId=HAVBLIK)
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    assert [slot["employeeId"] for slot in await list_slots(api, employeeId=BO)] == [BO]
    assert [slot["employeeId"] for slot in await list_slots(api, roomId=HAVBLIK)] == [ANNA]
    assert await list_slots(api, roomId=HAVBLIK, employeeId=BO) == []


async def test_an_employees_slots_are_also_those_of_meetings_of_others(api: Api) -> None:
    meeting = (await api.book(employeeId=ANNA, additionalEmployees=[BO], **TIMES)).json()
    assert [slot["id"] for slot in await list_slots(api, employeeId=BO)] == [meeting["timeSlotId"]]


async def test_slots_that_touch_the_time_are_listed_by_their_start(api: Api) -> None:
    for number, employee in enumerate((CAMILLA, ANNA, BO)):
        await api.reserve(TUESDAY_AT_TEN + (1 - number) * HOUR / 2, employeeId=employee)
    assert [slot["employeeId"] for slot in await list_slots(api)] == [BO, ANNA, CAMILLA]
    before, after = TUESDAY | {"endDate": "2026-03-03T09:30"}, TUESDAY | {"startDate": "2026-03-03T11:30"}
    assert await list_slots(api, **before) == await list_slots(api, **after) == []


async def test_without_dates_the_next_31_days_are_listed(api: Api, clock: HandClock) -> None:
    held = [(await api.reserve(clock() + after)).json()["id"] for after in (timedelta(0), 31 * DAY - HOUR, 31 * DAY)]
    listed = {slot["id"] for slot in await list_slots(api, startDate="", endDate="")}
    assert [each in listed for each in held] == [True, True, False]


async def test_with_a_start_alone_31_days_from_it_are_listed(api: Api) -> None:
    held = (await api.reserve(TUESDAY_AT_TEN + 40 * DAY)).json()
    listed = await list_slots(api, startDate="2026-04-01T00:00", endDate="")
    assert [slot["id"] for slot in listed] == [held["id"]]


async def test_with_an_end_alone_the_time_from_now_to_it_is_listed(api: Api, clock: HandClock) -> None:
    held = [(await api.reserve(clock() + after)).json()["id"] for after in (timedelta(0), HOUR, DAY)]
    listed = {slot["id"] for slot in await list_slots(api, startDate="", endDate="2026-03-02T08:30")}
    assert [each in listed for each in held] == [True, True, False]


async def test_a_year_can_be_listed_at_once(api: Api) -> None:
    assert await list_slots(api, startDate="2027-01-01T00:00Z", endDate="2028-01-02T00:00Z") == []


WRONG: list[tuple[dict[str, str], int, str]] = [
    ({"endDate": "2026-03-03T10:00"}, 400, "/query/endDate"),
    ({"endDate": "2028-03-03T10:00"}, 400, "/query/endDate"),
    ({"endDate": "2027-03-04T10:00:01"}, 400, "/query/endDate"),
    ({"endDate": "the day after"}, 400, "/query/endDate"),
    ({"startDate": "today"}, 400, "/query/startDate"),
    ({"status": "Taken"}, 400, "/query/status/0"),
    ({"employeeId": "anna"}, 400, "/query/employeeId"),
    ({"roomId": "havblik"}, 400, "/query/roomId"),
    ({"employeeId": str(uuid4())}, 404, "/query/employeeId"),
    ({"roomId": str(uuid4())}, 404, "/query/roomId"),
]


async def test_what_cannot_be_listed_is_refused_with_its_pointer(api: Api) -> None:
    for query, status, pointer in WRONG:
        for version in ("v2", "v3"):
            answer = await api.get(f"{version}/booking/time-slots", params=AT_TEN | query)
            assert answer.status_code == status, answer.text
            assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


# ------------------------------------------------------------------------------------------------------------- one slot


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_reservations_location_leads_to_its_slot(version: str, api: Api) -> None:
    body = {"timeSlot": AT_TEN | {"status": "Reserved", "employeeId": ANNA}, "token": str(uuid4())}
    location = (await api.post(f"{version}/booking/time-slots/reserve", body)).headers["Location"]
    answer = await api.http.get(location, headers=api.headers)
    assert answer.status_code == 200
    assert [answer.json()] == await list_slots(api)
    unchanged = await api.http.get(location, headers=api.headers | {"If-None-Match": answer.headers["ETag"]})
    assert unchanged.status_code == 304


async def test_another_tenants_slot_does_not_exist(api: Api) -> None:
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    other = await api.other()
    assert (await other.get(f"v3/booking/time-slots/{held['id']}")).status_code == 404
    assert (await api.get(f"v3/booking/time-slots/{uuid4()}")).json()["code"] == "not_found"
    assert await list_slots(other) == []


async def test_a_list_takes_as_many_statements_for_thirty_as_for_one(api: Api, database: Database) -> None:
    counts: list[int] = []
    for slots in (1, 29):
        for _ in range(slots):
            assert (await api.reserve(TUESDAY_AT_TEN)).status_code == 201
        with logged_statements(database) as statements:
            assert len(await list_slots(api, employeeId=ANNA)) == 0
            assert len(await list_slots(api)) in {1, 30}
        counts.append(len(statements))
    assert counts[0] == counts[1]
