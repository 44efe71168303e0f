"""Seats: a search, and the booking of what it offers, ask for the same room (docs/api/rooms-and-seats.md#seats)."""

import random
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, CAMILLA, TIMES, patch, replace
from support.portals import NORDLYS_PORTAL, create
from support.rooms import keep_a_room_for_two, set_rooms
from support.searches import Query, change, send_search
from support.seeds import list_seeds

HAVBLIK, FJORDEN, KAJEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden", "Kajen"))
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
IN_AARHUS: Query = {"meetingTypes": "physical", "meetingLocation": "Aarhus"}
ALONE: Query = {"explicitEmployeeIds": ANNA, "employeeTypes": "Explicit"}
WITH_BO: Query = {"explicitEmployeeIds": f"{ANNA},{BO}", "requireEmployeeParticipation": "true"}
FREJA, AL, MIA = ({"name": name, "email": f"{name}@example.com"} for name in ("freja", "al", "mia"))
VERSIONS = ("v2", "v3")
Json = dict[str, Any]

pytestmark = pytest.mark.usefixtures("no_meetings")


async def is_offered(api: Api, version: str = "v3", **query: Any) -> bool:
    """Return whether a search offers Anna at Tuesday at ten, in Aarhus."""
    answer = await send_search(api, version, **IN_AARHUS | ALONE | query)
    assert answer.status_code == 200, answer.text
    return any(slot["employeeId"] == ANNA and slot["startDate"] == TIMES["startDate"] for slot in answer.json())


async def try_to_book(api: Api, version: str = "v3", **members: Any) -> httpx.Response:
    """Book Anna in Aarhus on Tuesday at ten."""
    body = {"employeeId": ANNA, "type": "Physical", "crmId": "CRM-1"} | TIMES | members
    return await api.book(version=version, **body)


async def book(api: Api, **members: Any) -> Json:
    answer = await try_to_book(api, **members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def cancel(api: Api, answer: httpx.Response) -> None:
    assert (await api.request("DELETE", f"v3/booking/meetings/{answer.json()['id']}")).is_success


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


# ------------------------------------------------------------------------------------------------------------ searches


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_search_for_several_attendees_finds_rooms_that_seat_them(version: str, api: Api) -> None:
    await set_rooms(api, 4)
    for best in ("false", "true"):
        offered = [await is_offered(api, version, attendees=n, getBestTimeSlots=best) for n in range(1, 6)]
        assert offered == [True, True, True, False, False]
    assert await is_offered(api, version)
    assert [await is_offered(api, version, **WITH_BO, attendees=n) for n in (2, 3)] == [True, False]


async def test_where_no_room_is_needed_any_number_may_come(api: Api) -> None:
    await set_rooms(api, 4, requires=False)
    assert await is_offered(api, attendees=900)
    assert not await is_offered(api, attendees=4, requireRoom="true")
    assert await is_offered(api, attendees=3, requireRoom="true", specificRooms=HAVBLIK)
    assert not await is_offered(api, attendees=2, requireRoom="true", specificRooms=FJORDEN)


async def test_a_room_for_an_online_meeting_seats_its_advisors_alone(api: Api) -> None:
    await set_rooms(api, 1, requires=False)
    room: Query = {"requireRoom": "true", "specificRooms": HAVBLIK}
    assert await is_offered(api, meetingTypes="online", attendees=5, **room)
    assert not await is_offered(api, meetingTypes="physical", **room)
    assert not await is_offered(api, meetingTypes="online", **room | WITH_BO)
    booked = await book(api, type="Online", roomId=HAVBLIK, externalAttendees=[FREJA])
    assert booked["roomId"] == HAVBLIK
    refused = await try_to_book(api, type="Online", roomId=HAVBLIK, additionalEmployees=[BO])
    assert code_of(refused) == (409, "room_too_small")
    assert "the meeting needs 2: 2 employees." in refused.json()["detail"]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("0", "at least 1"),
        ("-2", "at least 1"),
        ("two", "whole number"),
        ("1002", "at most 1001"),
        ("9" * 30, ""),
        ("1.5", "whole"),
    ],
)
async def test_a_number_that_cannot_be_is_refused_with_what_is_allowed(
    version: str, value: str, words: str, api: Api
) -> None:
    paths = ["time-slots/available"]
    if version == "v3":
        paths.append(f"time-slots/explain?employeeId={ANNA}&date=2026-03-03")
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()["id"]
    paths.append(f"room-vacancies?location=Aarhus&timeSlotId={slot}")
    for path in paths:
        separator = "&" if "?" in path else "?"
        query = f"{separator}requireEmployeeParticipation=false&attendees={value}"
        answer = await api.get(f"{version}/booking/{path}{query}")
        assert answer.status_code == 400, answer.text
        (fault,) = answer.json()["errors"]
        assert fault["pointer"] == "/query/attendees"
        assert words in fault["detail"]


async def test_an_explanation_names_the_seats_that_are_needed(api: Api) -> None:
    await set_rooms(api, 3)
    query = {"employeeId": ANNA, "date": "2026-03-03", "meetingTypes": "physical"}

    async def explain(**more: Any) -> Json:
        answer = await api.get("v3/booking/time-slots/explain", params=query | more)
        return next(one for one in answer.json()["starts"] if one["startDate"] == TIMES["startDate"])

    assert (await explain(attendees=2))["available"]
    refused = await explain(attendees=3)
    assert (refused["rule"], refused["detail"]) == (
        "Room",
        "A room that seats 4 is needed, and none at Aarhus can be booked.",
    )
    together = {"explicitEmployeeIds": f"{ANNA},{BO}", "requireEmployeeParticipation": "true"}
    assert "seats 5 is needed" in (await explain(attendees=3, **together))["detail"]
    await book(api, employeeId=CAMILLA)
    assert (await explain())["detail"] == "A room that seats 2 is needed, and all such rooms at Aarhus (1) are taken."


# ------------------------------------------------------------------------------------------------- who sits on a chair


@pytest.mark.parametrize(
    ("seats", "members"),
    [
        (2, {}),
        (3, {"externalAttendees": [FREJA]}),
        (2, {"portalId": NORDLYS_PORTAL, "externalAttendees": [FREJA]}),
        (2, {"portalId": NORDLYS_PORTAL}),
        (3, {"portalId": NORDLYS_PORTAL, "externalAttendees": [FREJA, AL]}),
        (3, {"additionalEmployees": [BO, BO, ANNA]}),
        (4, {"additionalEmployees": [BO], "externalAttendees": [FREJA]}),
    ],
)
@pytest.mark.parametrize("version", VERSIONS)
async def test_everybody_sits_on_one_chair(version: str, seats: int, members: Json, api: Api) -> None:
    if "portalId" in members:
        members |= {"portalId": (await create(api))["id"]}
    await set_rooms(api, seats - 1)
    for flow in ({}, {"customerCategoryId": None, "bookedBy": "employee", "type": "physical"}):
        refused = await try_to_book(api, version, **members | flow)
        assert code_of(refused) == (409, "no_room_free")
        assert f"for {seats} people" in refused.json()["detail"]
    too_small = await try_to_book(api, version, **members, roomId=HAVBLIK)
    assert code_of(too_small) == (409, "room_too_small")
    assert f"Havblik seats {seats - 1}, but the meeting needs {seats}:" in too_small.json()["detail"]
    await set_rooms(api, seats)
    booked = await try_to_book(api, version, **members)
    assert (booked.status_code, booked.json()["roomId"]) == (201, HAVBLIK)
    await cancel(api, booked)
    assert (await try_to_book(api, version, **members, roomId=HAVBLIK)).status_code == 201


async def test_an_attendee_who_is_the_customer_sits_on_one_chair(api: Api) -> None:
    await keep_a_room_for_two(api)
    meeting = await book(api, externalAttendees=[FREJA | {"isCustomer": True}])
    assert meeting["externalAttendees"] == [FREJA | {"isCustomer": True}]
    in_v2 = (await api.get(f"v2/booking/meetings/{meeting['id']}")).json()
    assert in_v2["externalAttendees"] == [FREJA]
    for version, read in (("v2", in_v2), ("v3", meeting)):
        assert (await api.get(f"{version}/booking/meetings")).json() == [read]
    # A caller that does not know the member replaces the list: the customer is known by the address.
    renamed = await patch(api, meeting, replace(externalAttendees=[FREJA | {"name": "Freja Holm"}]), version="v2")
    assert renamed.status_code == 200, renamed.text
    told = (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()
    assert told["externalAttendees"] == [FREJA | {"name": "Freja Holm", "isCustomer": True}]
    refused = await patch(api, meeting, [{"op": "add", "path": "/externalAttendees/-", "value": AL}])
    assert code_of(refused) == (409, "no_room_free")
    beside = await patch(api, meeting, [{"op": "replace", "path": "/externalAttendees/0/isCustomer", "value": False}])
    assert code_of(beside) == (409, "no_room_free")


async def test_v2_does_not_know_who_of_the_attendees_is_the_customer(api: Api) -> None:
    await keep_a_room_for_two(api)
    refused = await try_to_book(api, "v2", externalAttendees=[FREJA | {"isCustomer": True}])
    assert code_of(refused) == (409, "no_room_free")


@pytest.mark.parametrize("meeting_type", ["Physical", "Online"])
async def test_a_meeting_has_one_customer(meeting_type: str, api: Api) -> None:
    both = [FREJA | {"isCustomer": True}, AL | {"isCustomer": True}]
    answer = await try_to_book(api, externalAttendees=both, type=meeting_type)
    assert code_of(answer) == (400, "invalid_meeting")
    assert [fault["pointer"] for fault in answer.json()["errors"]] == ["/externalAttendees/1/isCustomer"]
    meeting = await book(api, externalAttendees=both[:1], type=meeting_type)
    assert (await api.get("v3/booking/meetings")).json() == [meeting]
    assert meeting["externalAttendees"] == both[:1]
    answer = await patch(api, meeting, [{"op": "add", "path": "/externalAttendees/-", "value": both[1]}])
    assert code_of(answer) == (400, "invalid_meeting")


# ------------------------------------------------------------------------------------------------------------- changes


async def test_a_meeting_that_grows_needs_a_room_that_seats_all(api: Api) -> None:
    await set_rooms(api, 2, 3)
    meeting = await book(api)
    assert meeting["roomId"] == HAVBLIK
    grown = await patch(api, meeting, replace(externalAttendees=[FREJA]))
    assert grown.json()["roomId"] == FJORDEN
    for members in ({"externalAttendees": [FREJA, AL]}, {"additionalEmployees": [BO]}):
        refused = await patch(api, meeting, replace(**members))
        assert code_of(refused) == (409, "no_room_free")
        assert "for 4 people" in refused.json()["detail"]
    other = await create(api)
    assert (await patch(api, meeting, replace(portalId=other["id"]))).status_code == 200  # one of them is the customer
    assert (await patch(api, meeting, replace(externalAttendees=[FREJA, AL]))).status_code == 200
    assert code_of(await patch(api, meeting, replace(portalId=None))) == (409, "no_room_free")


async def test_a_meeting_without_a_room_grows_only_where_a_free_one_seats_all(api: Api) -> None:
    await set_rooms(api, 3, adds=False)
    meeting = await book(api)
    assert meeting["roomId"] is None
    assert (await patch(api, meeting, replace(externalAttendees=[FREJA]))).status_code == 200
    refused = await patch(api, meeting, replace(externalAttendees=[FREJA, AL]))
    assert code_of(refused) == (409, "no_room_free")
    assert (await patch(api, meeting, replace(externalAttendees=[]))).json()["roomId"] is None


async def test_a_meeting_is_given_only_to_who_has_a_room_for_all_of_it(api: Api) -> None:
    await set_rooms(api, 4, 3, adds=False)
    meeting = await book(api, additionalEmployees=[BO], externalAttendees=[FREJA])
    absent = {"employeeId": ANNA, "from": "2026-03-03T00:00:00Z", "to": "2026-03-04T00:00:00Z", "dryRun": True}

    async def preview() -> Json:
        (told,) = (await api.post("v3/booking/meetings/reassign", absent)).json()
        assert told["meetingId"] == meeting["id"]
        return told

    assert (await preview())["employeeId"] is not None
    await set_rooms(api, 3, 3, adds=False)
    assert (await preview())["employeeId"] is None


async def test_vacant_rooms_seat_the_attendees_asked_for_or_those_of_the_meeting(api: Api) -> None:
    await set_rooms(api, 2, 4)
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()["id"]

    async def list_vacant(time_slot: str = slot, **query: Any) -> list[str]:
        params = {"location": "Aarhus", "timeSlotId": time_slot} | query
        both = [(await api.get(f"{one}/booking/room-vacancies", params=params)).json() for one in VERSIONS]
        assert [room["name"] for room in both[0]] == [room["name"] for room in both[1]]
        return [room["name"] for room in both[0]]

    assert await list_vacant() == ["Fjorden", "Havblik"]
    assert await list_vacant(attendees=2) == ["Fjorden"]
    assert await list_vacant(attendees=4) == []
    meeting = await book(api, timeSlotId=slot, externalAttendees=[FREJA | {"isCustomer": True}, AL])
    assert await list_vacant(meeting["timeSlotId"]) == ["Fjorden"]
    assert await list_vacant(meeting["timeSlotId"], attendees=1) == ["Fjorden", "Havblik"]
    portal = await create(api)
    await patch(api, meeting, replace(externalAttendees=[FREJA], portalId=portal["id"]))
    assert await list_vacant(meeting["timeSlotId"]) == ["Fjorden", "Havblik"]
    await patch(api, meeting, replace(externalAttendees=[FREJA, AL, MIA], portalId=None, type="Online"))
    assert await list_vacant(meeting["timeSlotId"]) == ["Fjorden", "Havblik"]


# -------------------------------------------------------------------------------- what is offered is what can be booked


def draw_rooms(dice: random.Random) -> tuple[int, int]:
    """Return the seats of two rooms; 0: it cannot be booked."""
    return dice.choice([0, 1, 2, 3, 4, 5, 6]), dice.choice([0, 0, 2, 3, 4, 6])


def draw_meeting(dice: random.Random, portal_id: str, version: str) -> tuple[Json, Query]:
    """Return a meeting's people, and the search that asks for them."""
    outside = [FREJA, AL, MIA][: dice.randint(0, 3)]
    employees = [ANNA, *[BO, CAMILLA][: dice.randint(0, 2)]]
    way = dice.choice(["plain", "portal", "customer"] if version == "v3" else ["plain", "portal"])
    members: Json = {"additionalEmployees": employees[1:], "externalAttendees": outside}
    attendees = len(outside) + 1
    if way == "portal":
        members["portalId"], attendees = portal_id, max(len(outside), 1)
    elif way == "customer" and outside:
        place = dice.randrange(len(outside))
        marked = [one | {"isCustomer": True} if here == place else one for here, one in enumerate(outside)]
        members["externalAttendees"], attendees = marked, len(outside)
    query: Query = {"explicitEmployeeIds": ",".join(employees), "requireEmployeeParticipation": "true"}
    return members, query | ({"attendees": attendees} if attendees > 1 or dice.random() < 0.5 else {})


@pytest.mark.parametrize("seed", list_seeds(6))
async def test_what_a_search_offers_can_be_booked_and_nothing_else(seed: int, api: Api) -> None:
    dice = random.Random(seed)  # noqa: S311 - a test that repeats itself
    portal = await create(api)
    token, own = uuid4(), uuid4()
    met: set[bool] = set()
    for number in range(1, 13):
        rooms = draw_rooms(dice)
        adds, version = dice.random() < 0.5, dice.choice(VERSIONS)
        await change(api, SETTINGS, customersBookOnlyOffered=dice.random() < 0.5)
        members, query = draw_meeting(dice, portal["id"], version)
        starts_at = TUESDAY_AT_TEN if dice.random() < 0.3 else TUESDAY_AT_TEN + timedelta(days=number)
        await set_rooms(api, 9, 9)
        assert (await api.reserve(starts_at, roomId=HAVBLIK, token=token)).status_code == 201
        await set_rooms(api, *rooms, adds=adds)
        seats = len(members["additionalEmployees"]) + 1 + query.get("attendees", 1)

        offered = await is_offered(api, version, **query)
        held = await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, token=own) if dice.random() < 0.3 else None
        answer = await try_to_book(api, version, **members | ({"timeSlotId": held.json()["id"]} if held else {}))
        met.add(offered)
        case = (rooms, members, query, answer.text)
        assert (answer.status_code == 201) is offered, case
        if not offered:
            assert code_of(answer) == (409, "no_room_free"), case
            assert f"for {seats} people" in answer.json()["detail"], case
            if held:  # give the time back
                await api.reserve(TUESDAY_AT_TEN + timedelta(days=2), employeeId=ANNA, token=own)
        else:
            assert (answer.json()["roomId"] is not None) is adds, case
            await cancel(api, answer)

        named: Query = {"requireRoom": "true", "specificRooms": HAVBLIK}
        offered = await is_offered(api, version, **query | named)
        answer = await try_to_book(api, version, **members, roomId=HAVBLIK)
        assert (answer.status_code == 201) is offered, case
        if offered:
            await cancel(api, answer)
    assert met == {True, False}
