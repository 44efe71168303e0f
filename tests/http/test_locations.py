"""Locations and time zones over HTTP (contract section 4, Locations and timezones)."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

from meetdeck.platform.database import Database
from support.factories import Api

LOCATIONS = "v3/booking/config/locations"


async def add(api: Api, location: str, **members: Any) -> dict[str, Any]:
    answer = await api.post(LOCATIONS, {"location": location} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def patch(api: Api, location_id: str, **members: Any) -> dict[str, Any]:
    answer = await api.request("PATCH", f"{LOCATIONS}/{location_id}", json=replacing(**members))
    assert answer.status_code == 200, answer.text
    return answer.json()


def replacing(**members: Any) -> list[dict[str, Any]]:
    return [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]


async def list_names(api: Api, query: str = "") -> list[str]:
    return [one["location"] for one in (await api.get(f"{LOCATIONS}{query}")).json()]


async def test_a_location_is_added_and_read_with_the_contracts_fields(api: Api) -> None:
    body = {
        "location": "Odense",
        "displayName": "Odense, Havnegade 3",
        "addRoomsToBookedMeetings": True,
        "requireAvailableRoom": True,
    }
    answer = await api.post(LOCATIONS, body)
    location = answer.json()
    shown = {"id": location["id"], "localizedName": {"en-GB": "Odense, Havnegade 3"}} | body
    assert (answer.status_code, location) == (201, shown)
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{LOCATIONS}/{location['id']}"
    assert (await api.get(f"{LOCATIONS}/{location['id']}")).json() == location
    assert (await api.get(f"v3/config/locations/{location['id']}")).json() == location


async def test_only_the_name_is_needed_and_spaces_around_it_do_not_count(api: Api) -> None:
    location = await add(api, "  Odense ")
    defaults = {"displayName": "", "addRoomsToBookedMeetings": False, "requireAvailableRoom": False}
    assert location == {"id": location["id"], "location": "Odense", "localizedName": {"en-GB": ""}} | defaults


async def test_locations_are_found_by_name_or_a_part_of_one_in_any_case(api: Api) -> None:
    await add(api, "Århus Nord", displayName="Nordhavn 100%")
    assert await list_names(api) == ["Aarhus", "København", "Århus Nord"]
    for query, names in {
        "?location=AARHUS": ["Aarhus"],
        "?location=århus nord": ["Århus Nord"],
        "?location=Aar": [],
        "?search=HUS": ["Aarhus", "Århus Nord"],
        "?search=nyhavn": ["København"],
        "?search=100%25": ["Århus Nord"],
        "?search=_": [],
        "?location=Aarhus&search=havn": [],
        "?search=": ["Aarhus", "København", "Århus Nord"],
    }.items():
        assert await list_names(api, query) == names, query


async def test_a_name_is_taken_in_any_case(api: Api) -> None:
    for taken in ("Aarhus", " AARHUS ", "KØBENHAVN"):
        answer = await api.post(LOCATIONS, {"location": taken})
        assert (answer.status_code, answer.json()["code"]) == (409, "already_exists"), taken
        assert answer.json()["errors"][0]["pointer"] == "/location"
    path = f"{LOCATIONS}/{api.id_of('location', 'Aarhus')}"
    answer = await api.request("PATCH", path, json=replacing(location="københavn"))
    assert (answer.status_code, answer.json()["code"]) == (409, "already_exists")


async def test_of_many_who_add_one_name_at_once_one_does(api: Api) -> None:
    answers = await asyncio.gather(*(api.post(LOCATIONS, {"location": name}) for name in ("Odense", "ODENSE") * 3))
    assert sorted(answer.status_code for answer in answers) == [201, *[409] * 5]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "/location"),
    ({"location": " "}, "/location"),
    ({"location": "x" * 201}, "/location"),
    ({"location": 1}, "/location"),
    ({"location": "Odense", "displayName": 1}, "/displayName"),
    ({"location": "Odense", "addRoomsToBookedMeetings": "yes"}, "/addRoomsToBookedMeetings"),
    ({"location": "Odense", "requireAvailableRoom": 0}, "/requireAvailableRoom"),
]


async def test_what_makes_no_location_is_refused(api: Api) -> None:
    for body, pointer in REFUSED:
        answer = await api.post(LOCATIONS, body)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), body
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer], body
    answer = await api.post(LOCATIONS, {"location": "O\0"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unstorable_text")


async def test_every_member_can_be_patched(api: Api) -> None:
    location = await add(api, "Odense")
    for change in (
        {"displayName": "Odense C"},
        {"addRoomsToBookedMeetings": True},
        {"requireAvailableRoom": True},
        {"location": "ODENSE"},
        {"location": "Svendborg", "displayName": ""},
    ):
        location |= change
        location["localizedName"] = {"en-GB": location["displayName"]}
        assert await patch(api, location["id"], **change) == location
        assert (await api.get(f"{LOCATIONS}/{location['id']}")).json() == location


async def test_a_patch_applies_whole_or_not_at_all(api: Api) -> None:
    location = await add(api, "Odense")
    path = f"{LOCATIONS}/{location['id']}"
    for operations, status, code in (
        (replacing(displayName="New", id=str(uuid4())), 400, "invalid_patch"),
        (replacing(displayName="New", location=""), 400, "invalid_request"),
        (replacing(displayName="New", requireAvailableRoom="x"), 400, "invalid_request"),
        ([*replacing(displayName="New"), {"op": "remove", "path": "/location"}], 400, "invalid_request"),
        ([*replacing(displayName="New"), {"op": "test", "path": "/location", "value": "x"}], 409, "patch_test_failed"),
    ):
        answer = await api.request("PATCH", path, json=operations)
        assert (answer.status_code, answer.json()["code"]) == (status, code), operations
        assert (await api.get(path)).json() == location


async def test_what_is_at_a_location_moves_along_when_it_is_renamed(api: Api, database: Database) -> None:
    aarhus, portal = api.id_of("location", "Aarhus"), api.id_of("portal", api.firm.name)
    async with database.transaction(api.firm.tenant_id) as connection:
        await connection.execute("update portal set location = 'aarhus'")
        await connection.execute("update employee set location = 'AARHUS' where name = 'Anna Holm'")
        await connection.execute("update employee_workday set location = 'aarhus' where day_of_week = 0")
        await connection.execute(
            "update service_group set trigger_locations = '{Odense,aarhus,Vejle}' where service_group_id = $1",
            UUID(api.id_of("service group", "Aarhus")),
        )
    await patch(api, aarhus, location="Århus")
    assert {room["location"] for room in (await api.get("v3/booking/rooms")).json()} == {"Århus", "København"}
    employees = (await api.get("v3/booking/employees")).json()
    assert [one["location"] for one in employees] == ["Århus"] * 4 + ["København"] * 4
    async with database.transaction(api.firm.tenant_id) as connection:
        workdays = await connection.fetch("select distinct location from employee_workday where day_of_week = 0")
        assert [row["location"] for row in workdays] == ["Århus"]
        assert await connection.fetchval("select location from portal where portal_id = $1", UUID(portal)) == "Århus"
        triggers = await connection.fetch("select trigger_locations from service_group order by name")
        assert [row["trigger_locations"] for row in triggers] == [["Odense", "Århus", "Vejle"], []]


async def test_the_search_follows_a_renamed_location(api: Api) -> None:
    search = "v3/booking/time-slots/available?requireEmployeeParticipation=false&requireRoom=true&meetingTypes=physical"
    before = (await api.get(f"{search}&meetingLocation=Aarhus")).json()
    await patch(api, api.id_of("location", "Aarhus"), location="Århus")
    assert (await api.get(f"{search}&meetingLocation=århus")).json() == before != []
    assert (await api.get(f"{search}&meetingLocation=Aarhus")).json() == []


async def test_a_location_stays_while_anything_is_there(api: Api, database: Database) -> None:
    answer = await api.request("DELETE", f"{LOCATIONS}/{api.id_of('location', 'Aarhus')}")
    assert (answer.status_code, answer.json()["code"]) == (409, "in_use")
    assert "employee 'Anna Holm', employee 'Bo Lind'" in answer.json()["detail"]
    assert "and 1 more." in answer.json()["detail"]  # four employees, two rooms; five are named
    location = await add(api, "Odense")
    for statement in (
        "update employee_workday set location = $1",
        "update portal set location = $1",
        "update room set location = $1",
        "update service_group set trigger_locations = array[$1]",
    ):
        async with database.transaction(api.firm.tenant_id) as connection:
            await connection.execute(statement, "odense")
        assert (await api.request("DELETE", f"{LOCATIONS}/{location['id']}")).status_code == 409, statement
        async with database.transaction(api.firm.tenant_id) as connection:
            await connection.execute(statement, "Vejle")
    assert (await api.request("DELETE", f"{LOCATIONS}/{location['id']}")).status_code == 204
    assert (await api.get(f"{LOCATIONS}/{location['id']}")).status_code == 404
    assert "Odense" not in await list_names(api)


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    location = await add(api, "Odense")
    path = f"{LOCATIONS}/{location['id']}"
    seen = {"If-Match": (await api.get(path)).headers["ETag"]}
    assert (await api.request("PATCH", path, json=replacing(displayName="One"), headers=seen)).status_code == 200
    assert (await api.request("PATCH", path, json=replacing(displayName="Two"), headers=seen)).status_code == 412
    assert (await api.request("DELETE", path, headers=seen)).status_code == 412


async def test_another_tenants_location_is_not_there(api: Api) -> None:
    other, path = await api.other(), f"{LOCATIONS}/{api.id_of('location', 'Aarhus')}"
    for method, body in (("GET", None), ("PATCH", replacing(displayName="Ours")), ("DELETE", None)):
        answer = await other.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert await list_names(other) == ["Aalborg", "Odense"]
    await add(other, "Aarhus")


async def test_v2_has_neither_locations_nor_time_zones(api: Api) -> None:
    for path in ("locations", f"locations/{api.id_of('location', 'Aarhus')}", "timezones"):
        assert (await api.get(f"v3/booking/config/{path}")).status_code == 200
        assert (await api.get(f"v2/booking/config/{path}")).status_code == 404


async def test_time_zones_are_listed_by_identifier_and_an_employee_can_have_one(api: Api) -> None:
    zones = (await api.get("v3/booking/config/timezones")).json()
    assert [zone["identifier"] for zone in zones] == sorted(zone["identifier"] for zone in zones)
    zone = next(zone for zone in zones if zone["identifier"] == "America/New_York")
    assert zone["displayName"] == "America/New York (UTC-05:00)"
    answer = await api.post("v3/booking/config/employees", {"name": "Zoe", "timeZoneId": zone["id"]})
    assert answer.json()["timeZoneId"] == zone["id"]
