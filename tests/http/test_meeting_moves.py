"""The time, people and rooms that move along when a meeting is changed (docs/api/changing-meetings.md)."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import (
    ANNA,
    BO,
    CAMILLA,
    DAVID,
    FJORDEN,
    HAVBLIK,
    INVESTING,
    LATER,
    TIMES,
    book,
    patch,
    replace,
)

AT_NOON = TUESDAY_AT_TEN.replace(hour=12)


async def at(clock: HandClock, moment: datetime, api: Api) -> Api:
    """Set the clock to a moment, and return the API with a token that is valid then."""
    clock.moment = moment
    return await api.of(api.firm)


async def is_free(api: Api, **time_slot: Any) -> bool:
    answer = await api.reserve(TUESDAY_AT_TEN, **time_slot)
    return answer.status_code == 201


async def list_taken(database: Database) -> list[tuple[int, int]]:
    """Return the hours of Tuesday that anything holds, with how many hold them."""
    async with database.transaction(NORDLYS.tenant_id) as connection:
        rows = await connection.fetch(
            "select extract(hour from starts_at)::integer as hour, count(*) from occupancy"
            " where starts_at::date = $1 group by 1 order by 1",
            TUESDAY_AT_TEN.date(),
        )
    return [(row["hour"], row["count"]) for row in rows]


# ------------------------------------------------------------------------------------------------------------ moving


async def test_another_time_is_taken_and_the_earlier_one_is_free(api: Api, database: Database) -> None:
    meeting = await book(api, additionalEmployees=[BO], roomId=HAVBLIK)
    moved = (await patch(api, meeting, replace(**LATER))).json()
    assert (moved["startDate"], moved["endDate"], moved["timeSlotId"]) == (*LATER.values(), meeting["timeSlotId"])
    assert await list_taken(database) == [(12, 3)]
    assert await is_free(api, employeeId=ANNA, roomId=HAVBLIK)


async def test_a_meeting_may_move_into_its_own_time(api: Api) -> None:
    meeting = await book(api)
    longer = {"startDate": "2026-03-03T08:30:00Z", "endDate": "2026-03-03T10:30:00Z"}
    assert (await patch(api, meeting, replace(**longer))).status_code == 200


async def test_another_employee_and_room_are_taken_and_the_earlier_ones_are_free(api: Api) -> None:
    meeting = await book(api, additionalEmployees=[BO], roomId=HAVBLIK)
    answer = await patch(api, meeting, replace(employeeId=CAMILLA, additionalEmployees=[DAVID], roomId=FJORDEN))
    assert answer.status_code == 200
    assert await is_free(api, employeeId=ANNA, roomId=HAVBLIK)
    assert await is_free(api, employeeId=BO)
    for taken in ({"employeeId": CAMILLA}, {"employeeId": DAVID}, {"roomId": FJORDEN}):
        assert not await is_free(api, **taken)


async def test_what_is_taken_is_409_and_nothing_has_changed(api: Api, database: Database) -> None:
    meeting = await book(api, roomId=HAVBLIK, title="a")
    await api.reserve(AT_NOON, employeeId=ANNA)
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    await api.reserve(TUESDAY_AT_TEN, roomId=FJORDEN)
    before = await list_taken(database)
    for conflict in (LATER, {"employeeId": BO}, {"additionalEmployees": [BO]}, {"roomId": FJORDEN}):
        answer = await patch(api, meeting, replace(title="b", **conflict))
        assert (answer.status_code, answer.json()["code"]) == (409, "time_slot_taken"), conflict
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == meeting
    assert await list_taken(database) == before


async def test_times_that_make_no_sense_are_400(api: Api) -> None:
    meeting = await book(api)
    for times, pointer in (
        ({"startDate": "2026-03-01T09:00:00Z"}, "/startDate"),
        ({"endDate": TIMES["startDate"]}, "/endDate"),
        ({"endDate": "2027-03-03T09:00:00Z"}, "/endDate"),
    ):
        answer = await patch(api, meeting, replace(**times))
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_time")
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_a_time_without_offset_is_the_organizations(api: Api) -> None:
    moved = (
        await patch(api, await book(api), replace(startDate="2026-03-03T13:00", endDate="2026-03-03T14:00"))
    ).json()
    assert (moved["startDate"], moved["endDate"]) == (LATER["startDate"], LATER["endDate"])


async def test_who_cannot_be_booked_cannot_be_moved_to(api: Api, database: Database) -> None:
    meeting = await book(api, additionalEmployees=[CAMILLA])
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update employee set active = false where name in ('Bo Lind', 'Camilla Friis')")
    for members in ({"employeeId": BO}, {"additionalEmployees": [BO]}, LATER):
        answer = await patch(api, meeting, replace(**members))
        assert (answer.status_code, answer.json()["code"]) == (409, "not_bookable")
    assert (await patch(api, meeting, replace(title="She is on leave"))).status_code == 200


async def test_a_meeting_that_is_over_keeps_its_time_people_and_room(api: Api, clock: HandClock) -> None:
    meeting = await book(api)
    api = await at(clock, TUESDAY_AT_TEN.replace(hour=10), api)
    slot = (await api.reserve(AT_NOON, employeeId=ANNA)).json()
    for name, value in (LATER | {"employeeId": BO, "roomId": HAVBLIK, "additionalEmployees": [BO]}).items():
        answer = await patch(api, meeting, replace(**{name: value}))
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_time"), name
        assert [error["pointer"] for error in answer.json()["errors"]] == [f"/{name}"]
    assert (await patch(api, meeting, replace(timeSlotId=slot["id"]))).status_code == 400
    minutes = {"title": "Held", "description": "Agreed on a plan.", "type": "Physical", "topicId": INVESTING}
    answer = await patch(api, meeting, replace(**minutes))
    assert {name: answer.json()[name] for name in minutes} == minutes


async def test_a_meeting_under_way_may_end_later_but_not_in_the_past(api: Api, clock: HandClock) -> None:
    meeting = await book(api)
    api = await at(clock, TUESDAY_AT_TEN.replace(minute=30), api)
    for over in ("2026-03-03T09:20:00Z", "2026-03-03T09:30:00Z"):
        assert (await patch(api, meeting, replace(endDate=over))).status_code == 400
    assert (await patch(api, meeting, replace(endDate="2026-03-03T10:20:00Z"))).status_code == 200


async def test_a_past_meeting_of_somebody_who_left_can_still_be_written_about(
    api: Api, clock: HandClock, database: Database
) -> None:
    gitte = api.id_of("employee", "Gitte Møller")
    meeting = await book(api, employeeId=gitte, topicId=INVESTING)
    api = await at(clock, TUESDAY_AT_TEN.replace(day=4), api)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from competence_group_topic")
    for area, gone in (("employees", gitte), ("meeting-topics", INVESTING)):
        answer = await api.request("DELETE", f"v3/booking/config/{area}/{gone}")
        assert answer.status_code == 204, answer.text
    answer = await patch(api, meeting, replace(description="Agreed on a plan."))
    assert (answer.status_code, answer.json()["employeeId"]) == (200, gitte)


async def test_a_meeting_that_has_begun_moves_its_end_alone(api: Api, clock: HandClock) -> None:
    meeting = await book(api)
    api = await at(clock, TUESDAY_AT_TEN, api)  # it begins right now
    tomorrow = {"startDate": "2026-03-04T09:00:00Z", "endDate": "2026-03-04T10:00:00Z"}
    for start in ({"startDate": "2026-03-03T09:30:00Z"}, {"startDate": "2026-03-03T08:30:00Z"}, LATER, tomorrow):
        answer = await patch(api, meeting, replace(**start))
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_time"), start
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/startDate"]
    slot = await reserve_for(api, meeting, employeeId=ANNA)
    answer = await patch(api, meeting, replace(timeSlotId=slot["id"]))
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/timeSlotId")
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == meeting
    longer = await patch(api, meeting, replace(endDate="2026-03-03T10:30:00Z", additionalEmployees=[BO]))
    assert (longer.json()["endDate"], longer.json()["additionalEmployees"]) == ("2026-03-03T10:30:00Z", [BO])


# ------------------------------------------------------------------------------------------- taking over a reservation


async def reserve_for(api: Api, meeting: dict[str, Any] | None, **time_slot: Any) -> dict[str, Any]:
    """Reserve Tuesday, 13:00 local, for the meeting to move to."""
    times = {**LATER, "status": "Reserved"} | time_slot
    body = {"timeSlot": times, "token": str(uuid4()), "existingMeetingId": meeting["id"] if meeting else None}
    answer = await api.post("v3/booking/time-slots/reserve", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_reservation_is_taken_over_once(api: Api, database: Database) -> None:
    meeting = await book(api, additionalEmployees=[BO])
    slot = await reserve_for(api, meeting, employeeId=ANNA, roomId=HAVBLIK)
    moved = (await patch(api, meeting, replace(timeSlotId=slot["id"]))).json()
    assert (moved["timeSlotId"], moved["startDate"], moved["endDate"]) == (slot["id"], *LATER.values())
    assert (moved["employeeId"], moved["roomId"]) == (ANNA, HAVBLIK)
    assert await list_taken(database) == [(12, 3)]
    other = await book(api, employeeId=CAMILLA)
    again = await patch(api, other, replace(timeSlotId=slot["id"], employeeId=ANNA))
    assert (again.status_code, again.json()["code"]) == (409, "reservation_gone")
    assert (await api.book(employeeId=ANNA, timeSlotId=slot["id"])).status_code == 409


async def test_a_reservation_over_the_meetings_own_time_is_taken_over(api: Api, database: Database) -> None:
    meeting = await book(api)
    longer = {"startDate": TIMES["startDate"], "endDate": "2026-03-03T10:30:00Z"}
    slot = await reserve_for(api, meeting, employeeId=ANNA, **longer)
    moved = (await patch(api, meeting, replace(timeSlotId=slot["id"]))).json()
    assert (moved["startDate"], moved["endDate"]) == tuple(longer.values())
    assert await list_taken(database) == [(9, 1)]


async def test_another_advisors_reservation_comes_with_the_advisor(api: Api) -> None:
    meeting = await book(api)
    slot = await reserve_for(api, meeting, employeeId=BO)
    answer = await patch(api, meeting, replace(timeSlotId=slot["id"]))
    assert (answer.status_code, answer.json()["code"]) == (409, "reservation_gone")
    assert (await patch(api, meeting, replace(timeSlotId=slot["id"], employeeId=BO))).json()["employeeId"] == BO


async def test_a_reservation_that_cannot_be_taken_over_is_refused(api: Api, clock: HandClock) -> None:
    meeting, other = await book(api), await book(api, employeeId=BO)
    anothers = await reserve_for(api, other, employeeId=ANNA)
    answer = await patch(api, meeting, replace(timeSlotId=anothers["id"]))
    assert (answer.status_code, answer.json()["code"]) == (409, "reservation_gone")
    assert "another meeting" in answer.json()["detail"]
    clock.advance(minutes=5)
    own = await reserve_for(api, meeting, employeeId=ANNA)
    clock.advance(minutes=5)
    answer = await patch(api, meeting, replace(timeSlotId=own["id"]))
    assert (answer.status_code, answer.json()["code"]) == (409, "reservation_gone")
    assert "expired" in answer.json()["detail"]
    unknown = await patch(api, meeting, replace(timeSlotId=str(uuid4())))
    assert (unknown.status_code, unknown.json()["errors"][0]["pointer"]) == (404, "/timeSlotId")
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json() == meeting


async def test_times_beside_a_reservation_must_be_its_own(api: Api) -> None:
    meeting = await book(api)
    slot = await reserve_for(api, meeting, employeeId=ANNA)
    answer = await patch(api, meeting, replace(timeSlotId=slot["id"], startDate="2026-03-03T11:00:00Z"))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_meeting")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/startDate"]
    assert (await patch(api, meeting, replace(timeSlotId=slot["id"], **LATER))).status_code == 200


async def test_the_room_of_a_change_comes_before_the_reservations_and_that_before_the_meetings(api: Api) -> None:
    meeting = await book(api, roomId=HAVBLIK)
    without_room = await reserve_for(api, meeting, employeeId=ANNA)
    assert (await patch(api, meeting, replace(timeSlotId=without_room["id"]))).json()["roomId"] == HAVBLIK
    with_room = await reserve_for(api, meeting, employeeId=ANNA, roomId=FJORDEN)
    assert (await patch(api, meeting, replace(timeSlotId=with_room["id"]))).json()["roomId"] == FJORDEN
    again = await reserve_for(api, meeting, employeeId=ANNA, roomId=FJORDEN)
    moved = await patch(api, meeting, replace(timeSlotId=again["id"], roomId=HAVBLIK))
    assert moved.json()["roomId"] == HAVBLIK
