from datetime import time
from uuid import UUID

import pytest

from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.booking.directory.rooms.schemas import Room, SaveRoom
from meetdeck.booking.directory.timezones.service import timezone_id
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api
from support.resources import defaults_since_v3
from support.statements import logged_statements


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_employees_are_listed_by_name_and_read_one_by_one(version: str, api: Api) -> None:
    employees = (await api.get(f"{version}/booking/employees")).json()
    assert [one["name"] for one in employees] == [advisor.name for advisor in NORDLYS.advisors]
    assert employees[0] == {
        "id": api.id_of("employee", "Anna Holm"),
        "name": "Anna Holm",
        "email": "anna@nordlys.example",
        "phone": "+45 70 10 20 30",
        "title": "Senior advisor",
        "location": "Aarhus",
        "timeZoneId": None,
        "customerTypeIds": [],
        "active": True,
    } | (defaults_since_v3(Employee, SaveEmployee) | {"pictureContentId": None} if version == "v3" else {})
    for prefix in ("employees", "config/employees"):
        assert (await api.get(f"{version}/booking/{prefix}/{employees[0]['id']}")).json() == employees[0]


async def test_the_configurations_employees_are_those_that_can_be_booked(api: Api) -> None:
    fjord = await api.of(FJORD)
    assert "Lars Toft" in [one["name"] for one in (await fjord.get("v3/booking/employees")).json()]
    assert "Lars Toft" not in [one["name"] for one in (await fjord.get("v3/booking/config/employees")).json()]


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_rooms_have_the_contracts_fields(version: str, api: Api) -> None:
    rooms = (await api.get(f"{version}/booking/rooms")).json()
    assert [room["name"] for room in rooms] == ["Fjorden", "Havblik", "Kajen", "Tårnet"]
    assert rooms[1] == {
        "id": api.id_of("room", "Havblik"),
        "name": "Havblik",
        "capacity": 4,
        "location": "Aarhus",
        "features": ["Screen", "Wheelchair access"],
        "available": True,
    } | (defaults_since_v3(Room, SaveRoom) if version == "v3" else {})
    assert (await api.get(f"{version}/booking/rooms/{rooms[1]['id']}")).json() == rooms[1]
    assert (await api.get(f"{version}/booking/config/rooms")).json() == rooms


async def test_topics_are_those_that_the_caller_may_book(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update meeting_topic set customer_bookable = false where name = 'Investing'")
    everything = [topic["name"] for topic in (await api.get("v3/booking/meeting-topics?isCustomer=false")).json()]
    assert everything == sorted(name for name, _, _ in NORDLYS.topics)
    for_customers = (await api.get("v3/booking/meeting-topics?isCustomer=true")).json()
    assert [topic["name"] for topic in for_customers] == [name for name in everything if name != "Investing"]
    assert for_customers[0]["durationMinutes"] == 60


@pytest.mark.parametrize("parameter", ["customerTypeId", "customerCategoryId"])
async def test_topics_are_narrowed_to_a_customer_type_in_either_dialect(
    parameter: str, api: Api, database: Database
) -> None:
    private, business = api.id_of("customer type", "Private"), api.id_of("customer type", "Business")
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(
            "insert into meeting_topic_customer_type values (current_tenant(), $1, $2)",
            api.id_of("topic", "Starting a business"),
            business,
        )
    for customer_type, is_listed in ((private, False), (business, True)):
        topics = (await api.get(f"v3/booking/meeting-topics?isCustomer=false&{parameter}={customer_type}")).json()
        assert ("Starting a business" in [topic["name"] for topic in topics]) is is_listed
        assert "Annual review" in [topic["name"] for topic in topics]


async def test_a_customer_type_that_is_not_there_narrows_nothing(api: Api) -> None:
    members = (await api.other()).id_of("customer type", "Member")
    for parameter in ("customerTypeId", "customerCategoryId"):
        answer = await api.get(f"v3/booking/meeting-topics?isCustomer=false&{parameter}={members}")
        assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
        assert [error["pointer"] for error in answer.json()["errors"]] == [f"/query/{parameter}"]


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_the_configurations_topics_are_all_and_are_read_one_by_one(version: str, api: Api) -> None:
    topics = (await api.get(f"{version}/booking/config/meeting-topics")).json()
    assert topics == (await api.get(f"{version}/booking/meeting-topics?isCustomer=false")).json()
    for topic in topics:
        assert (await api.get(f"{version}/booking/config/meeting-topics/{topic['id']}")).json() == topic


async def test_topics_need_to_know_who_asks(api: Api) -> None:
    answer = await api.get("v3/booking/meeting-topics")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "/query/isCustomer")


async def test_customer_types_come_in_their_order(api: Api) -> None:
    types = (await api.get("v2/booking/config/customer-types")).json()
    assert [one["name"] for one in types] == list(NORDLYS.customer_types)
    assert (await api.get(f"v2/booking/config/customer-types/{types[2]['id']}")).json() == types[2]


async def test_another_tenants_directory_is_not_there(api: Api) -> None:
    other = await api.other()
    for kind, name, path in (
        ("employee", "Anna Holm", "employees"),
        ("room", "Havblik", "rooms"),
        ("topic", "Annual review", "config/meeting-topics"),
        ("customer type", "Private", "config/customer-types"),
    ):
        assert (await api.get(f"v3/booking/{path}/{api.id_of(kind, name)}")).status_code == 200
        assert (await other.get(f"v3/booking/{path}/{api.id_of(kind, name)}")).status_code == 404
    assert [room["name"] for room in (await other.get("v3/booking/rooms")).json()] == ["Store", "Lille"]


ALIASES = {
    "v3/config/rooms": "v3/booking/config/rooms",
    "v2/config/customer-types": "v2/booking/config/customer-types",
    "v3/booking/booking/config/employees": "v3/booking/config/employees",
    "v2/booking/booking/rooms": "v2/booking/rooms",
    "v3/booking/booking/meeting-topics?isCustomer=true": "v3/booking/meeting-topics?isCustomer=true",
}


async def test_the_aliases_answer_like_the_canonical_addresses(api: Api) -> None:
    for alias, canonical in ALIASES.items():
        answer = await api.get(alias)
        assert answer.status_code == 200, alias
        assert answer.json() == (await api.get(canonical)).json() != [], alias


LISTS = ["employees", "config/employees", "rooms", "config/meeting-topics", "config/customer-types"]


@pytest.mark.parametrize("path", LISTS)
async def test_the_number_of_statements_does_not_depend_on_the_length_of_a_list(
    path: str, api: Api, database: Database
) -> None:
    area = path if path.startswith("config/") else f"config/{path}"
    private = [api.id_of("customer type", "Private")]
    with logged_statements(database) as few:
        before = (await api.get(f"v3/booking/{path}")).json()
    for number in range(30):
        body = {"name": f"Number {number:02}", "capacity": 1, "customerTypeIds": private}
        assert (await api.post(f"v3/booking/{area}", body)).status_code == 201
    with logged_statements(database) as many:
        after = (await api.get(f"v3/booking/{path}")).json()
    assert len(after) == len(before) + 30
    assert len(many) == len(few)


@pytest.mark.parametrize("area", ["config/employees", "config/meeting-topics"])
async def test_the_number_of_statements_does_not_depend_on_the_customer_types_of_one(
    area: str, api: Api, database: Database
) -> None:
    types = [
        (await api.post("v3/booking/config/customer-types", {"name": f"Type {number}"})).json()["id"]
        for number in range(30)
    ]
    counts: dict[str, set[int]] = {"POST": set(), "PUT": set()}
    for ids in (types[:1], types):
        body = {"name": "Zoe", "customerTypeIds": ids}
        with logged_statements(database) as statements:
            added = (await api.post(f"v3/booking/{area}", body)).json()
        counts["POST"].add(len(statements))
        with logged_statements(database) as statements:
            answer = await api.request("PUT", f"v3/booking/{area}/{added['id']}", json=body)
        assert answer.json() == added
        counts["PUT"].add(len(statements))
    assert {method: len(numbers) for method, numbers in counts.items()} == {"POST": 1, "PUT": 1}


# ------------------------------------------------------------------------------------- the schedule of a new employee


async def search_for(api: Api, employee_id: str) -> list[tuple[str, str]]:
    """Return when and how a new employee is offered in the week after the next hour."""
    path = f"v3/booking/time-slots/available?requireEmployeeParticipation=true&explicitEmployeeIds={employee_id}"
    return [(slot["startDate"], slot["meetingType"]) for slot in (await api.get(path)).json()]


async def test_a_new_employee_is_offered_from_monday_to_friday_in_the_opening_hours(
    api: Api, database: Database
) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update organization_setting set opening_time = '09:00', closing_time = '11:00'")
    zoe = (await api.post("v3/booking/config/employees", {"name": "Zoe Zahle"})).json()["id"]
    found = await search_for(api, zoe)
    assert sorted({starts_at for starts_at, _ in found}) == [
        f"2026-03-{day:02}T{at}:00Z" for day in range(2, 7) for at in ("08:00", "08:30", "09:00")
    ]
    assert {meeting_type for _, meeting_type in found} == {"Physical", "Online", "Telephone"}


async def test_an_employees_hours_are_in_the_employees_own_time_zone(api: Api) -> None:
    body = {"name": "Zoe Zahle", "timeZoneId": str(timezone_id("Asia/Tokyo"))}
    zoe = (await api.post("v3/booking/config/employees", body)).json()["id"]
    assert (await search_for(api, zoe))[0][0] == "2026-03-02T06:00:00Z"  # 15:00 in Tokyo, where it is open until 18:00
    body = {"name": "Zoe Zahle"}
    assert (await api.request("PUT", f"v3/booking/config/employees/{zoe}", json=body)).json()["timeZoneId"] is None
    assert (await search_for(api, zoe))[0][0] == "2026-03-02T07:00:00Z"


async def test_an_organization_that_set_nothing_is_open_from_eight_to_five(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from organization_setting")
    zoe = UUID((await api.post("v3/booking/config/employees", {"name": "Zoe Zahle"})).json()["id"])
    async with database.transaction(NORDLYS.tenant_id) as connection:
        rows = await connection.fetch(
            "select day_of_week, from_time, to_time from employee_workday"
            " join employee_schedule using (tenant_id, employee_schedule_id) where employee_id = $1 order by position",
            zoe,
        )
    assert [tuple(row.values()) for row in rows] == [(day, time(8), time(17)) for day in range(5)]


async def test_replacing_an_employee_leaves_the_schedule_as_it_is(api: Api) -> None:
    anna = api.id_of("employee", "Anna Holm")
    before = await search_for(api, anna)
    employee = (await api.get(f"v3/booking/employees/{anna}")).json()
    answer = await api.request("PUT", f"v3/booking/config/employees/{anna}", json=employee | {"title": "Partner"})
    assert answer.json() == employee | {"title": "Partner"}
    assert await search_for(api, anna) == before != []


async def test_an_employee_who_is_not_active_and_a_room_out_of_order_are_not_offered(api: Api) -> None:
    zoe = (await api.post("v3/booking/config/employees", {"name": "Zoe Zahle", "active": False})).json()
    assert await search_for(api, zoe["id"]) == []
    assert zoe in (await api.get("v3/booking/employees")).json()
    assert zoe not in (await api.get("v3/booking/config/employees")).json()
