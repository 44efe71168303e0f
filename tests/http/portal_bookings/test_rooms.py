"""Rooms and portals: the page offers, holds, books and moves what the rooms of its branch seat."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.fakes import HandClock
from support.meetings import patch, replace
from support.portal_forms import FormVisitor, list_meetings
from support.rooms import keep_a_room_for_two, set_rooms
from support.searches import save

pytestmark = pytest.mark.usefixtures("no_meetings")

BO = str(NORDLYS.id_of("employee", "Bo Lind"))
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
REVIEW = str(NORDLYS.id_of("topic", "Annual review"))
PHONE = "+45 70 10 20 30"
TAKEN = "All our times in these days are taken."
HOUR = timedelta(hours=1)
AL = {"name": "Al", "email": "al@example.com"}
Json = dict[str, Any]


async def open_times(visitor: FormVisitor, **more: str) -> FormVisitor:
    return await visitor.open(topic=REVIEW, type="physical", place="Aarhus", **more)


async def book(visitor: FormVisitor, clock: HandClock) -> None:
    """Book the sixth time: the first is too near once the form is filled in."""
    await open_times(visitor)
    await visitor.choose_time(5)
    clock.advance(seconds=10)
    await visitor.press("Continue", name="Freja Holm", email="freja@example.com", Telephone=PHONE)
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked", visitor.text


async def count_offered(api: Api, clock: HandClock, **query: Any) -> int:
    """Return how many starts of the next days a customer's search of the page offers."""
    params = {
        "requireEmployeeParticipation": "false",
        "isCustomerInitiated": "true",
        "topic": REVIEW,
        "meetingTypes": "physical",
        "meetingLocation": "Aarhus",
        "customerLocation": "Aarhus",
        "startDate": clock().isoformat(),
        "getBestTimeSlots": "true",
    }
    return len((await api.get("v3/booking/time-slots/available", params=params | query)).json())


@pytest.mark.parametrize("bound", ["to what is offered", ""])
async def test_a_room_for_two_seats_an_advisor_and_the_customer(
    bound: str, api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await keep_a_room_for_two(api)
    settings = f"v3/booking/config/organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
    operations = [{"op": "replace", "path": "/customersBookOnlyOffered", "value": bool(bound)}]
    assert (await api.request("PATCH", settings, json=operations)).is_success
    await open_times(visitor)
    assert TAKEN not in visitor.text
    assert visitor.times
    await book(visitor, clock)
    (meeting,) = await list_meetings(api)
    assert (meeting["roomId"], len(meeting["externalAttendees"])) == (HAVBLIK, 1)


async def test_the_page_shows_what_the_search_finds(api: Api, visitor: FormVisitor, clock: HandClock) -> None:
    await keep_a_room_for_two(api)
    await open_times(visitor, days="7")
    first, last = (one.get("value").partition("~")[0] for one in (visitor.times[0], visitor.times[-1]))
    span = datetime.fromisoformat(last) + HOUR - clock()
    minutes = span // timedelta(minutes=1)
    length = f"{minutes // 1440}.{minutes % 1440 // 60:02}:{minutes % 60:02}:00"
    assert first
    assert len(visitor.times) == await count_offered(api, clock, lookForwardTime=length)


async def test_a_branch_without_a_room_large_enough_does_not_say_that_its_times_are_taken(
    api: Api, visitor: FormVisitor
) -> None:
    await set_rooms(api, 1)
    await open_times(visitor)
    assert not visitor.times
    assert TAKEN not in visitor.text
    assert "We have no meeting room that is large enough here." in visitor.text
    await set_rooms(api, 2)
    await save(api, f"rooms/{HAVBLIK}", canBeBooked=False)
    await open_times(visitor)
    assert TAKEN not in visitor.text


async def test_a_room_that_is_taken_is_said_to_be_taken(api: Api, visitor: FormVisitor, clock: HandClock) -> None:
    await keep_a_room_for_two(api)
    busy = {"startDate": clock().isoformat(), "endDate": (clock() + timedelta(days=300)).isoformat()}
    assert (await api.post("v3/booking/time-slots", busy | {"status": "Busy", "roomId": HAVBLIK})).status_code == 201
    await open_times(visitor)
    assert TAKEN in visitor.text


async def test_the_manage_page_moves_the_meeting_into_the_room_for_two(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await keep_a_room_for_two(api)
    await book(visitor, clock)
    (before,) = await list_meetings(api)
    await visitor.press("Move")
    await visitor.choose_time(15)
    await visitor.press("Move")
    (moved,) = await list_meetings(api)
    assert moved["startDate"] > before["startDate"]
    assert moved["roomId"] == HAVBLIK
    await visitor.press("Change your details")
    await visitor.press("Continue", name="Freja Holm-Lind")
    assert "Your details are changed." in visitor.text


@pytest.mark.parametrize("members", [{"externalAttendees": [AL]}, {"additionalEmployees": [BO]}])
async def test_the_manage_page_offers_times_for_everybody_who_takes_part(
    members: Json, api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await set_rooms(api, 2, 3)
    await book(visitor, clock)
    (meeting,) = await list_meetings(api)
    people = {name: [*meeting.get(name, []), *added] for name, added in members.items()}
    assert (await patch(api, meeting, replace(**people, bookedBy="Employee"))).status_code == 200
    begin = datetime.fromisoformat(meeting["startDate"])
    later = {"startDate": (begin + HOUR).isoformat(), "endDate": (begin + timedelta(days=200)).isoformat()}
    large = str(NORDLYS.id_of("room", "Fjorden"))
    assert (await api.post("v3/booking/time-slots", later | {"status": "Busy", "roomId": large})).status_code == 201
    await visitor.open(str(visitor.answer.url).partition("/p/ours")[2].partition("?")[0])
    await visitor.press("Move")
    starts = [datetime.fromisoformat(one.get("value").partition("~")[0]) for one in visitor.times]
    assert all(start < begin + HOUR for start in starts), "Havblik is free, but it seats two"
    assert "first free time" not in visitor.text.lower()
