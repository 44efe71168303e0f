"""Group meetings: several customers book the same time of an advisor (docs/api/group-meetings.md)."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import HAVBLIK
from support.patches import replace
from support.rooms import set_rooms
from support.searches import change, send_search

pytestmark = pytest.mark.usefixtures("no_meetings")

ANNA, BO = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind"))
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
HOUR = timedelta(hours=1)
ONLINE: dict[str, Any] = {"topicId": REVIEW, "meetingType": "Online"}


async def give_seats(api: Api, seats: int, topic: str = REVIEW) -> None:
    await change(api, f"meeting-topics/{topic}", seats=seats)


async def book(api: Api, customer: str, starts_at: datetime = TUESDAY_AT_TEN, **members: Any) -> httpx.Response:
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
    content = {"employeeId": ANNA, "type": "Online", "topicId": REVIEW, "customerId": customer}
    return await api.book(**(content | times | members))


async def find_at_ten(api: Api, **query: Any) -> list[dict[str, Any]]:
    """Return the slots at ten of a search for Anna, online, about the annual review."""
    asked = {"topic": REVIEW, "meetingTypes": "Online", "meetingDuration": "60", "explicitEmployeeIds": ANNA}
    answer = await send_search(api, **(asked | query))
    assert answer.status_code == 200, answer.text
    return [one for one in answer.json() if one["startDate"] == "2026-03-03T09:00:00Z"]


async def test_a_topic_has_one_seat_unless_it_says_otherwise_and_v2_knows_none(api: Api) -> None:
    path = f"booking/config/meeting-topics/{REVIEW}"
    assert (await api.get(f"v3/{path}")).json()["seats"] == 1
    await give_seats(api, 12)
    assert (await api.get(f"v3/{path}")).json()["seats"] == 12
    assert "seats" not in (await api.get(f"v2/{path}")).json()
    refused = await api.request("PATCH", f"v3/{path}", json=[replace("/seats", 0)])
    assert refused.status_code == 400


async def test_customers_share_a_time_until_its_seats_are_taken(api: Api) -> None:
    await give_seats(api, 2)
    first, second = [(await book(api, one)).json() for one in ("Freja", "Noah")]
    assert first["sharedSlotId"] == second["sharedSlotId"]
    assert first["timeSlotId"] != second["timeSlotId"]
    refused = await book(api, "Emma")
    assert (refused.status_code, refused.json()["code"]) == (409, "time_slot_taken")
    assert "All 2 seats are taken" in refused.json()["detail"]


async def test_a_search_tells_the_seats_left_of_a_time_that_others_have_begun(api: Api) -> None:
    await give_seats(api, 3)
    assert [one.get("seatsLeft") for one in await find_at_ten(api)] == [None]
    await book(api, "Freja")
    assert [one["seatsLeft"] for one in await find_at_ten(api)] == [2]
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, **ONLINE)).status_code == 201
    assert [one["seatsLeft"] for one in await find_at_ten(api)] == [1]
    assert (await book(api, "Noah")).status_code == 201
    assert await find_at_ten(api) == []


async def test_a_begun_time_is_offered_for_its_topic_type_and_length_alone_and_not_in_v2(api: Api) -> None:
    await give_seats(api, 3)
    await give_seats(api, 3, PENSION)
    await book(api, "Freja")
    assert await find_at_ten(api, topic=PENSION) == []
    assert await find_at_ten(api, meetingTypes="Telephone") == []
    assert await find_at_ten(api, meetingDuration="30") == []
    assert await find_at_ten(api, version="v2") == []
    assert len(await find_at_ten(api, meetingTypes="Online,Telephone")) == 1


@pytest.mark.parametrize(
    "other", [{"topicId": PENSION}, {"type": "Telephone"}, {"endDate": (TUESDAY_AT_TEN + HOUR / 2).isoformat()}]
)
async def test_another_topic_type_or_length_has_no_place_in_it(api: Api, other: dict[str, Any]) -> None:
    await give_seats(api, 3)
    await give_seats(api, 3, PENSION)
    assert (await book(api, "Freja")).status_code == 201
    assert (await book(api, "Noah", **other)).json()["code"] == "time_slot_taken"


async def test_a_hold_takes_a_seat_and_becomes_a_meeting_in_it(api: Api) -> None:
    await give_seats(api, 2)
    token = uuid4()
    held = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA, **ONLINE)).json()
    other = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, **ONLINE)).json()
    assert held["sharedSlotId"] == other["sharedSlotId"]
    assert (await book(api, "Emma")).json()["code"] == "time_slot_taken"
    renewed = (await api.reserve(TUESDAY_AT_TEN, token=token, employeeId=ANNA, **ONLINE)).json()
    assert renewed["id"] == held["id"]
    content = {"employeeId": ANNA, "type": "Online", "topicId": REVIEW}
    meeting = (await api.book(timeSlotId=held["id"], **content)).json()
    assert meeting["sharedSlotId"] == held["sharedSlotId"]
    assert (await api.book(timeSlotId=other["id"], **content)).status_code == 201


async def test_a_hold_of_a_group_says_how_to_meet(api: Api) -> None:
    await give_seats(api, 2)
    refused = await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, topicId=REVIEW)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/timeSlot/meetingType")
    await change(api, f"meeting-topics/{REVIEW}", meetingTypes=["Online"])
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, topicId=REVIEW)).status_code == 201


async def test_a_hold_without_a_topic_takes_the_advisor_alone(api: Api) -> None:
    await give_seats(api, 2)
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201
    assert (await book(api, "Freja")).json()["code"] == "time_slot_taken"


async def test_each_moves_and_cancels_alone(api: Api) -> None:
    await give_seats(api, 3)
    first, second, third = [(await book(api, one)).json() for one in ("Freja", "Noah", "Emma")]
    later = TUESDAY_AT_TEN + HOUR
    patch = [replace("/startDate", later.isoformat()), replace("/endDate", (later + HOUR).isoformat())]
    moved = await api.request("PATCH", f"v3/booking/meetings/{second['id']}", json=patch)
    assert moved.status_code == 200, moved.text
    assert moved.json()["sharedSlotId"] != first["sharedSlotId"]
    assert (await api.request("DELETE", f"v3/booking/meetings/{third['id']}")).status_code == 204
    assert [one["seatsLeft"] for one in await find_at_ten(api)] == [2]
    stays = (await api.get(f"v3/booking/meetings/{first['id']}")).json()
    assert (stays["startDate"], stays["sharedSlotId"]) == (first["startDate"], first["sharedSlotId"])
    again = await api.request("PATCH", f"v3/booking/meetings/{first['id']}", json=patch)
    assert again.json()["sharedSlotId"] == moved.json()["sharedSlotId"]
    assert [one.get("seatsLeft") for one in await find_at_ten(api)] == [None]


async def test_a_change_that_moves_nothing_keeps_the_seat(api: Api) -> None:
    await give_seats(api, 2)
    meeting = (await book(api, "Freja")).json()
    await book(api, "Noah")
    await give_seats(api, 1)
    path = f"v3/booking/meetings/{meeting['id']}"
    changed = await api.request("PATCH", path, json=[replace("/title", "First home")])
    assert (changed.status_code, changed.json()["sharedSlotId"]) == (200, meeting["sharedSlotId"])
    refused = await api.request("PATCH", path, json=[{"op": "add", "path": "/sharedSlotId", "value": str(uuid4())}])
    assert refused.status_code == 400


async def test_a_room_is_never_overfilled_when_the_topic_gets_more_seats(api: Api) -> None:
    await give_seats(api, 2)
    await set_rooms(api, 4)
    room: dict[str, Any] = {"type": "Physical", "roomId": HAVBLIK}
    for one in ("Freja", "Noah"):
        assert (await book(api, one, **room)).status_code == 201
    await give_seats(api, 12)
    physical = {"meetingTypes": "Physical"}
    assert [one["seatsLeft"] for one in await find_at_ten(api, **physical)] == [1]
    assert (await book(api, "Emma", **room)).status_code == 201
    refused = await book(api, "Ida", **room)
    assert (refused.json()["code"], "All 3 seats" in refused.json()["detail"]) == ("time_slot_taken", True)
    assert await find_at_ten(api, **physical) == []


async def test_employees_whom_a_later_booking_brings_take_chairs_too(api: Api) -> None:
    await give_seats(api, 2)
    await set_rooms(api, 5)
    room: dict[str, Any] = {"type": "Physical", "roomId": HAVBLIK}
    assert (await book(api, "Freja", **room)).status_code == 201
    assert (await book(api, "Noah", additionalEmployees=[BO], **room)).status_code == 201
    await give_seats(api, 12)  # five chairs: two customers, Anna and Bo
    physical = {"meetingTypes": "Physical"}
    assert [one["seatsLeft"] for one in await find_at_ten(api, **physical)] == [1]
    camilla = str(NORDLYS.id_of("employee", "Camilla Friis"))
    refused = await book(api, "Emma", additionalEmployees=[camilla], **room)
    assert refused.json()["code"] == "time_slot_taken"
    assert (await book(api, "Emma", additionalEmployees=[BO], **room)).status_code == 201
    assert (await book(api, "Ida", **room)).json()["code"] == "time_slot_taken"
    assert await find_at_ten(api, **physical) == []


async def test_a_specialist_whom_each_booking_names_comes_once_for_all(api: Api) -> None:
    await give_seats(api, 3)
    shared = [(await book(api, one, additionalEmployees=[BO])).json() for one in ("Freja", "Noah")]
    assert len({one["sharedSlotId"] for one in shared}) == 1
    refused = await book(api, "Emma", employeeId=BO, topicId=PENSION)
    assert refused.json()["code"] == "time_slot_taken"
    assert (await api.request("DELETE", f"v3/booking/meetings/{shared[0]['id']}")).status_code == 204
    assert (await book(api, "Emma", employeeId=BO, topicId=PENSION)).json()["code"] == "time_slot_taken"
    assert (await api.request("DELETE", f"v3/booking/meetings/{shared[1]['id']}")).status_code == 204
    assert (await book(api, "Emma", employeeId=BO, topicId=PENSION)).status_code == 201
    group = {"name": "Mortgage", "employeeIds": [BO]}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    path = f"v3/booking/config/meeting-topics/{REVIEW}"
    both = await api.request("PATCH", path, json=[replace("/alsoServiceGroups", ["Mortgage"])])
    assert (both.status_code, both.json()["errors"][0]["pointer"]) == (400, "/seats")
    assert "additionalEmployees" in both.json()["detail"]


async def test_the_last_seat_under_64_rivals_goes_to_one(api: Api) -> None:
    await give_seats(api, 12)
    answers = await asyncio.gather(*(book(api, f"C{number}") for number in range(64)))
    assert sorted(one.status_code for one in answers) == [201] * 12 + [409] * 52
    assert len({one.json()["sharedSlotId"] for one in answers if one.status_code == 201}) == 1
    booked = [one.json() for one in answers if one.status_code == 201]
    await api.request("DELETE", f"v3/booking/meetings/{booked[0]['id']}")
    holds = await asyncio.gather(*(api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, **ONLINE) for _ in range(64)))
    assert sorted(one.status_code for one in holds) == [201] + [409] * 63


async def test_a_shared_time_counts_once_for_a_daily_limit(api: Api) -> None:
    await give_seats(api, 5)
    for customer in ("Freja", "Noah", "Emma"):
        await book(api, customer)
    await change(
        api,
        f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}",
        maxMeetingTimePerDay="02:00:00",
    )
    slots = await send_search(
        api, topic=PENSION, meetingDuration="60", explicitEmployeeIds=ANNA, isCustomerInitiated="true"
    )
    assert slots.json() != []


async def test_a_list_shows_the_meetings_of_a_shared_time(api: Api) -> None:
    await give_seats(api, 3)
    shared = [(await book(api, one)).json() for one in ("Freja", "Noah")]
    await book(api, "Emma", TUESDAY_AT_TEN + HOUR)
    listed = await api.get("v3/booking/meetings", params={"sharedSlotId": shared[0]["sharedSlotId"]})
    assert {one["id"] for one in listed.json()} == {one["id"] for one in shared}


async def test_cancelling_the_whole_cancels_all_who_share_the_time_and_ends_holds(api: Api) -> None:
    await give_seats(api, 4)
    shared = [(await book(api, one)).json() for one in ("Freja", "Noah")]
    later = (await book(api, "Emma", TUESDAY_AT_TEN + HOUR)).json()
    held = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, **ONLINE)).json()
    path = f"v3/booking/meetings/{shared[0]['id']}"
    refused = await api.request("DELETE", path, params={"sharedSlot": "true", "series": "true"})
    assert refused.status_code == 400
    assert (await api.request("DELETE", path, params={"sharedSlot": "true"})).status_code == 204
    assert [one["id"] for one in (await api.get("v3/booking/meetings")).json()] == [later["id"]]
    gone = await api.book(timeSlotId=held["id"], employeeId=ANNA, type="Online", topicId=REVIEW)
    assert (gone.status_code, gone.json()["code"]) == (409, "reservation_gone")
    assert [one.get("seatsLeft") for one in await find_at_ten(api)] == [None]


async def test_an_absent_advisors_group_is_given_to_one_advisor_together(api: Api) -> None:
    await give_seats(api, 4)
    shared = [(await book(api, one)).json() for one in ("Freja", "Noah", "Emma")]
    body = {"employeeId": ANNA, "from": TUESDAY_AT_TEN.isoformat(), "to": (TUESDAY_AT_TEN + HOUR).isoformat()}
    preview = (await api.post("v3/booking/meetings/reassign", body | {"dryRun": True})).json()
    done = (await api.post("v3/booking/meetings/reassign", body)).json()
    assert [one["employeeId"] for one in preview] == [one["employeeId"] for one in done]
    moved = [(await api.get(f"v3/booking/meetings/{one['id']}")).json() for one in shared]
    assert len({one["employeeId"] for one in moved} | {one["employeeId"] for one in done}) == 1
    assert moved[0]["employeeId"] not in {ANNA, None}
    assert len({one["sharedSlotId"] for one in moved}) == 1
    assert moved[0]["sharedSlotId"] != shared[0]["sharedSlotId"]


async def test_a_report_counts_customers_and_the_times_that_they_take_apart(api: Api) -> None:
    await give_seats(api, 4)
    first, *_ = [(await book(api, one)).json() for one in ("Freja", "Noah", "Emma")]
    await book(api, "Ida", TUESDAY_AT_TEN + HOUR)
    query = {"from": "2026-03-03", "to": "2026-03-03"}
    totals = (await api.get("v3/booking/reports/meetings", params=query)).json()["totals"]
    assert (totals["booked"], totals["timesTaken"], totals["totalLength"]) == (4, 2, "02:00:00")
    await api.request("DELETE", f"v3/booking/meetings/{first['id']}")
    totals = (await api.get("v3/booking/reports/meetings", params=query)).json()["totals"]
    assert (totals["booked"], totals["cancelled"], totals["timesTaken"]) == (4, 1, 2)


async def test_attendance_is_recorded_for_each_and_their_advisor_is_busy_once(api: Api, clock: HandClock) -> None:
    await give_seats(api, 4)
    meetings = [(await book(api, one)).json() for one in ("Freja", "Noah", "Emma")]
    clock.advance(days=2)
    api = await api.of(api.firm)
    for meeting, attendance in zip(meetings, ("Attended", "NoShow", "Attended"), strict=True):
        patch = [{"op": "add", "path": "/attendance", "value": attendance}]
        assert (await api.request("PATCH", f"v3/booking/meetings/{meeting['id']}", json=patch)).status_code == 200
    day = {"from": "2026-03-03", "to": "2026-03-03"}
    totals = (await api.get("v3/booking/reports/meetings", params=day)).json()["totals"]
    assert (totals["booked"], totals["attended"], totals["noShows"], totals["timesTaken"]) == (3, 2, 1, 1)
    used = (await api.get("v3/booking/reports/utilization", params=day)).json()["totals"]
    assert used["booked"] == "01:00:00"


async def test_an_explanation_tells_the_seats_left_and_when_all_are_taken(api: Api) -> None:
    await give_seats(api, 2)
    query = {"employeeId": ANNA, "date": "2026-03-03", "topic": REVIEW, "meetingTypes": "Online"}

    async def explain() -> tuple[bool, str | None, str]:
        day = (await api.get("v3/booking/time-slots/explain", params=query)).json()
        (ten,) = [one for one in day["starts"] if one["startDate"] == "2026-03-03T09:00:00Z"]
        return ten["available"], ten["rule"], ten["detail"]

    await book(api, "Freja")
    assert await explain() == (True, None, "Others share the time. Seats left: 1.")
    await book(api, "Noah")
    assert await explain() == (False, "Busy", "Others share the time, and all 2 seats are taken.")
