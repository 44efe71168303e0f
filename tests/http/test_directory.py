import pytest

from factories import Api
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.db import Database


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
    }
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
    }
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
