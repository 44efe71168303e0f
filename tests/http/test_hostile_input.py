"""Whatever a caller sends, the answer is an answer: never a 500, and a refusal is a problem with a code.

Each test tries many inputs on one application; the inputs are like right ones, with something strange put in.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from itertools import count
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api

EXAMPLES = 25

Send = Callable[[Any], Awaitable[httpx.Response]]

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))

strange = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.sampled_from(["", "\0", "9" * 400, "../..", "{{", "%00", "2026-02-30", "0001-01-01T00:00:00Z", "00:00:00"]),
    st.sampled_from(["9999-12-31T23:59:59Z", "2999-12-31T23:59:59-14:00", "1900-01-01", ANNA, "-1", "1e400", "\u202e"]),
    st.lists(st.none() | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)

texts = st.text(max_size=30)


def like(right: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Make bodies like the right one: a member or two are strange or missing, and another may come along."""
    names = st.sampled_from([*right, "unknown"])
    changed = st.dictionaries(names, strange, max_size=2)
    return st.tuples(changed, st.lists(names, max_size=1)).map(
        lambda change: {name: value for name, value in (right | change[0]).items() if name not in change[1]}
    )


TIME_SLOT: dict[str, Any] = {
    "startDate": "2026-03-03T10:00",
    "endDate": "2026-03-03T11:00:00+01:00",
    "status": "Reserved",
    "employeeId": None,
    "roomId": str(NORDLYS.id_of("room", "Havblik")),
    "serviceGroup": "Aarhus branch",
}
RESERVE: dict[str, Any] = {"timeSlot": TIME_SLOT, "token": str(uuid4()), "existingMeetingId": None}
MEETING: dict[str, Any] = {
    "bookedBy": "customer",
    "crmId": "1",
    "customerTypeId": str(NORDLYS.id_of("customer type", "Private")),
    "topicId": str(NORDLYS.id_of("topic", "Investing")),
    "employeeId": ANNA,
    "customerId": "Freja",
    "type": "online",
    "title": "Review",
    "description": "Text",
    "videoLink": "https://video.example",
    "additionalEmployees": [ANNA],
    "cpr": "010203-1234",
    "customFields": [{"key": "a", "value": "b"}],
    "externalAttendees": [{"name": "a", "email": "a@b"}],
    "startDate": None,
    "endDate": None,
}
SLIDES: dict[str, Any] = {"template": "Annual review", "slides": [{"slideId": "Cover", "data": {}}]}
COVER_DATA: dict[str, Any] = {
    "customer": {"name": "Freja", "firstName": "Freja"},
    "advisor": {"name": "Anna"},
    "meeting": {"date": "Today", "location": "Here"},
    "review": {"year": 2026},
}
QUERY: dict[str, Any] = {
    "requireEmployeeParticipation": "true",
    "explicitEmployeeIds": ANNA,
    "startDate": "2026-03-03T00:00",
    "lookForwardTime": "1.00:00:00",
    "topic": str(NORDLYS.id_of("topic", "Investing")),
    "employeeTypes": "Explicit,Local",
    "meetingTypes": "online",
    "customerLocation": "Aarhus",
    "meetingLocation": "Aarhus",
    "requireRoom": "true",
    "specificRooms": str(NORDLYS.id_of("room", "Havblik")),
    "isCustomerInitiated": "true",
    "meetingDuration": "60",
}

FIELD: dict[str, Any] = {
    "id": ANNA,
    "name": "cvr",
    "label": "CVR",
    "type": "Text",
    "placeholder": "12345678",
    "hidden": True,
    "validation": {"required": True, "pattern": "[0-9]{8}"},
}
PORTAL: dict[str, Any] = {
    "name": "Book us",
    "location": "Aarhus",
    "authenticationType": "NationalId",
    "fields": [FIELD],
    "logoUrl": "https://example.com/logo.png",
    "logoHeight": 40,
    "styling": "p { }",
    "customerTypeId": None,
    "topicId": None,
    "icalEnabled": True,
    "labels": ["VIP"],
}
WORKDAY: dict[str, Any] = {
    "isAvailable": True,
    "dayOfWeek": "Monday",
    "from": "09:00:00",
    "to": "24:00:00",
    "availableMeetingTypes": [{"type": "Online"}],
    "location": "Aarhus",
}
SCHEDULE: dict[str, Any] = {"workdays": [WORKDAY], "maxMeetingTimePerDay": "06:00:00", "canBeBooked": True}
SETTING: dict[str, Any] = {
    "openingTime": "08:00:00",
    "closingTime": "17:00:00",
    "minimumBookingNotice": "04:00:00",
    "maxTimeFromBookingToMeeting": "90.00:00:00",
    "maxMeetingTimePerDay": None,
    "meetingTypeLabels": [{"name": "Online", "label": "Here", "order": 1}],
    "extendedOpeningHoursEmail": "a@b",
    "closingDays": ["2026-12-24"],
    "iCalMeetingTitle": "Review",
    "timeZone": {"identifier": "Europe/London"},
}


@pytest.fixture
def tried() -> Callable[[st.SearchStrategy[Any], Send], Awaitable[None]]:
    """Send many inputs, one after the other, and check each answer."""

    async def try_all(inputs: st.SearchStrategy[Any], send: Send) -> None:
        collected: list[Any] = []

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow],
            database=None,
        )
        @given(inputs)
        def collect(sent: object) -> None:
            collected.append(sent)

        collect()
        for sent in collected:
            answer = await send(sent)
            assert answer.status_code < 500, f"{sent!r}: {answer.text}"
            if answer.status_code >= 400:
                assert answer.headers["Content-Type"] == "application/problem+json"
                assert answer.json()["code"]

    return try_all


Tried = Callable[[st.SearchStrategy[Any], Send], Awaitable[None]]


def with_body(api: Api, path: str) -> Send:
    async def send(body: object) -> httpx.Response:
        return await api.request("POST", path, content=msgspec.json.encode(body))

    return send


def with_patch(api: Api, path: str) -> Send:
    async def send(members: dict[str, Any]) -> httpx.Response:
        patch = [{"op": "add", "path": f"/{name}", "value": value} for name, value in members.items()]
        return await api.request("PATCH", path, content=msgspec.json.encode(patch))

    return send


async def test_reserving_survives_anything(api: Api, tried: Tried) -> None:
    send = with_body(api, "v3/booking/time-slots/reserve")
    await tried(like(RESERVE), send)
    await tried(like(TIME_SLOT).map(lambda time_slot: RESERVE | {"timeSlot": time_slot}), send)


async def test_creating_a_meeting_survives_anything_and_so_does_its_calendar(api: Api, tried: Tried) -> None:
    hours = count()

    async def send(body: dict[str, Any]) -> httpx.Response:
        start = TUESDAY_AT_TEN + timedelta(hours=next(hours))
        times = {"startDate": start.isoformat(), "endDate": (start + timedelta(hours=1)).isoformat()}
        given = {name: value for name, value in body.items() if value is not None}
        booked = await with_body(api, "v2/booking/meetings")(times | given)
        if booked.status_code != 201:
            return booked
        answer = await api.post(f"v2/booking/meetings/{booked.json()['id']}/ical")
        if answer.status_code == 200:
            assert not Calendar.from_ical(answer.content).walk("VEVENT")[0].errors
        return answer

    await tried(like(MEETING), send)
    people = st.lists(st.fixed_dictionaries({"name": texts, "email": st.emails()}), max_size=2)
    spoken = {"title": texts, "description": texts, "videoLink": texts, "externalAttendees": people}
    await tried(st.fixed_dictionaries(spoken).map(lambda said: MEETING | said), send)


async def test_changing_and_listing_meetings_survives_anything(api: Api, tried: Tried) -> None:
    booked = await api.book(employeeId=ANNA, startDate="2026-03-03T10:00", endDate="2026-03-03T11:00")
    meeting = booked.json()
    address = f"v3/booking/meetings/{meeting['id']}"
    times = {"startDate": "2026-03-04T10:00", "endDate": "2026-03-04T11:00", "timeSlotId": meeting["timeSlotId"]}
    change: dict[str, Any] = MEETING | times | {"roomId": None, "portalId": None, "customFields": []}
    await tried(like(change), with_patch(api, address))
    await tried(st.dictionaries(st.sampled_from([*meeting, "themeId", "cpr", ""]), strange), with_patch(api, address))

    async def list_meetings(query: dict[str, Any]) -> httpx.Response:
        params = {name: value for name, value in query.items() if not isinstance(value, dict)}
        return await api.get("v3/booking/meetings", params=params)

    asked: dict[str, Any] = {
        "employeeId": ANNA,
        "startDateModified": "2026-03-02",
        "endDateModified": "2026-03-03T00:00",
    }
    await tried(like(asked | {"timeSlotId": None, "includeCancelled": "true"}), list_meetings)


async def test_building_a_deck_survives_anything(api: Api, tried: Tried) -> None:
    await tried(like(SLIDES), with_body(api, "v3/present/slides"))
    await tried(
        like(COVER_DATA).map(lambda data: SLIDES | {"slides": [{"slideId": "Cover", "data": data}]}),
        with_body(api, "v3/present/slides"),
    )


async def test_searching_survives_anything(api: Api, tried: Tried) -> None:
    async def send(query: dict[str, Any]) -> httpx.Response:
        params = {name: value for name, value in query.items() if not isinstance(value, dict)}
        return await api.get("v3/booking/time-slots/available", params=params)

    await tried(like(QUERY), send)


async def test_a_deck_of_deep_data_is_an_answer(api: Api) -> None:
    for depth in (50, 900, 5000):
        data = b'{"customer":' * depth + b"1" + b"}" * depth
        body = b'{"template": "Annual review", "slides": [{"slideId": "Cover", "data": ' + data + b"}]}"
        answer = await api.request("POST", "v3/present/slides", content=body)
        assert answer.status_code < 500, depth


async def test_portals_survive_anything(api: Api, tried: Tried) -> None:
    send = with_body(api, "v3/booking/config/portals")
    await tried(like(PORTAL), send)
    await tried(like(FIELD).map(lambda field: PORTAL | {"fields": [field]}), send)
    patch = with_patch(api, f"v3/booking/config/portals/{NORDLYS.id_of('portal', NORDLYS.name)}")
    await tried(like(PORTAL), patch)


async def test_schedules_survive_anything(api: Api, tried: Tried) -> None:
    patch = with_patch(api, f"v3/booking/config/employee-schedules/{NORDLYS.id_of('schedule', 'Anna Holm')}")
    await tried(like(SCHEDULE), patch)
    await tried(like(WORKDAY).map(lambda workday: {"workdays": [workday]}), patch)


async def test_settings_survive_anything(api: Api, tried: Tried) -> None:
    address = f"v3/booking/config/organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
    await tried(like(SETTING), with_patch(api, address))

    async def close(query: dict[str, Any]) -> httpx.Response:
        params = {name: value for name, value in query.items() if not isinstance(value, dict)}
        return await api.post(f"{address}/closing-days", params=params)

    await tried(like({"closingDays": "2026-12-24"}), close)
