"""The members of employees, topics and rooms that only v3 has (docs/api/employees-and-topics.md#directory-since-v3)."""

from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.patches import pointers

Json = dict[str, Any]

MORE: dict[str, tuple[Json, Json]] = {
    "employees": (
        {"name": "Zoe Zahle"},
        {"initials": "ZZ", "externalId": "E-7", "firstName": "Zoe", "lastName": "Zahle"},
    ),
    "rooms": ({"name": "Zenit", "capacity": 4}, {"email": "zenit@nordlys.example", "canBeBooked": False}),
    "meeting-topics": ({"name": "Zero debt"}, {"uniqueTopicId": "T-7", "order": 3}),
}
EACH = pytest.mark.parametrize("area", MORE)


async def add(api: Api, area: str, body: Json, version: str = "v3") -> Json:
    answer = await api.post(f"{version}/booking/config/{area}", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def put(api: Api, area: str, resource: Json, version: str = "v3", **members: Any) -> Json:
    address = f"{version}/booking/config/{area}/{resource['id']}"
    answer = await api.request("PUT", address, json=resource | members)
    assert answer.status_code == 200, answer.text
    return answer.json()


@EACH
async def test_v3_answers_it_and_a_put_of_v3_replaces_the_whole(area: str, api: Api) -> None:
    least, more = MORE[area]
    added = await add(api, area, least | more)
    assert added == added | more
    assert (
        added in (await api.get(f"v3/booking/{area if area != 'meeting-topics' else 'config/meeting-topics'}")).json()
    )
    replaced = await put(api, area, least | {"id": added["id"]})
    assert all(replaced[name] != value for name, value in more.items())


@EACH
async def test_v2_neither_answers_nor_reads_it_and_keeps_it(area: str, api: Api) -> None:
    least, more = MORE[area]
    added = await add(api, area, least | more)
    answer = await api.get(f"v2/booking/config/{area}/{added['id']}")
    assert not more.keys() & answer.json().keys()
    changed = await put(api, area, answer.json() | dict.fromkeys(more, 5.5), "v2", name="Zita")
    assert not more.keys() & changed.keys()
    kept = (await api.get(f"v3/booking/config/{area}/{added['id']}")).json()
    assert kept == kept | more | {"name": "Zita"}
    of_v2 = await add(api, area, least, "v2")
    shown = (await api.get(f"v3/booking/config/{area}/{of_v2['id']}")).json()
    assert {name: shown[name] for name in more} == {
        name: {bool: True, int: 0, str: ""}[type(value)] for name, value in more.items()
    }


async def test_a_room_that_cannot_be_booked_is_in_no_search_and_refuses_bookings(api: Api) -> None:
    rooms = (await api.get("v3/booking/rooms")).json()
    booking = {"customerId": "C", "startDate": "2026-03-04T09:00:00Z", "endDate": "2026-03-04T10:00:00Z"}
    booking |= {"employeeId": str(NORDLYS.id_of("employee", "Anna Holm"))}
    reserved = await api.reserve(TUESDAY_AT_TEN, employeeId=booking["employeeId"])
    slot = reserved.json()["id"]
    search = "v3/booking/time-slots/available?requireEmployeeParticipation=false&requireRoom=true&meetingTypes=physical"
    vacancies = f"v3/booking/room-vacancies?location=Aarhus&timeSlotId={slot}"
    assert (await api.get(search)).json()
    assert (await api.get(vacancies)).json()
    for room in rooms:
        await put(api, "rooms", room, canBeBooked=False)
    assert (await api.get(search)).json() == []
    assert (await api.get(vacancies)).json() == []
    refused = await api.post("v3/booking/meetings", booking | {"roomId": rooms[0]["id"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_bookable")
    await put(api, "rooms", {name: rooms[0][name] for name in ("id", "name", "capacity", "location")}, "v2")
    refused = await api.post("v3/booking/meetings", booking | {"roomId": rooms[0]["id"]})
    assert refused.status_code == 409


async def test_topics_stand_below_others_in_no_circle(api: Api) -> None:
    top = await add(api, "meeting-topics", {"name": "Top"})
    below = await add(api, "meeting-topics", {"name": "Below", "parentId": top["id"]})
    for parent in (below["id"], top["id"]):
        refused = await api.request(
            "PUT", f"v3/booking/config/meeting-topics/{top['id']}", json={"name": "Top", "parentId": parent}
        )
        assert (refused.status_code, pointers(refused)) == (400, ["/parentId"])
    refused = await api.post("v3/booking/config/meeting-topics", {"name": "Lost", "parentId": str(uuid4())})
    assert (refused.status_code, pointers(refused)) == (404, ["/parentId"])
    refused = await api.request("DELETE", f"v3/booking/config/meeting-topics/{top['id']}")
    assert (refused.status_code, refused.json()["code"]) == (409, "in_use")
    assert "Below" in refused.json()["detail"]
    assert (await put(api, "meeting-topics", below, parentId=None))["parentId"] is None
    assert (await api.request("DELETE", f"v3/booking/config/meeting-topics/{top['id']}")).status_code == 204


async def test_a_unique_topic_id_is_unique_and_an_order_orders(api: Api) -> None:
    first = await add(api, "meeting-topics", {"name": "Zulu", "order": -1, "uniqueTopicId": "T-1"})
    refused = await api.post("v3/booking/config/meeting-topics", {"name": "Other", "uniqueTopicId": "T-1"})
    assert (refused.status_code, pointers(refused)) == (409, ["/uniqueTopicId"])
    assert (await put(api, "meeting-topics", first, uniqueTopicId="T-1"))["uniqueTopicId"] == "T-1"
    for listed in ("v3/booking/config/meeting-topics", "v2/booking/meeting-topics?isCustomer=true"):
        assert (await api.get(listed)).json()[0]["name"] == "Zulu"
