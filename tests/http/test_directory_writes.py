"""Rules that employees, rooms, topics and customer types share: adding, replacing and deleting.

The rules: docs/api/employees-and-topics.md.
"""

import json
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from meetdeck.booking.directory.employees.schemas import Employee, SaveEmployee
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic, Topic
from meetdeck.booking.directory.rooms.schemas import Room, SaveRoom
from meetdeck.booking.directory.timezones.service import timezone_id
from support.factories import Api
from support.resources import defaults_since_v3

NEW_YORK = str(timezone_id("America/New_York"))


class Kind(NamedTuple):
    area: str
    least: dict[str, Any]
    """The smallest body that there is."""
    defaults: dict[str, Any]
    """The members that it leaves out."""
    whole: dict[str, Any]
    """Every member, other than its default. `PRIVATE` and `BUSINESS` stand for customer types of the firm."""
    wrong: list[tuple[dict[str, Any], str]]
    """Members that make a body wrong, and the pointer of the fault."""
    since_v3: dict[str, Any] | None = None
    """The members that only v3 has, and that no body here sends."""

    def show(self, added: dict[str, Any], body: dict[str, Any], version: str = "v3") -> dict[str, Any]:
        """Return what a version answers of a body that was sent."""
        shown = (
            {"id": added["id"]} | self.least | self.defaults | (self.since_v3 or {} if version == "v3" else {}) | body
        )
        texts = {"localizedName": "name", "localizedDescription": "description"}
        return shown | {member: {"en-GB": shown[plain]} for member, plain in texts.items() if member in shown}


WRONG_NAMES: list[tuple[dict[str, Any], str]] = [
    ({"name": "  "}, "/name"),
    ({"name": "x" * 201}, "/name"),
    ({"name": 7}, "/name"),
    ({"name": None}, "/name"),
    ({"id": "one"}, "/id"),
]
WRONG_CUSTOMER_TYPES: list[tuple[dict[str, Any], str]] = [
    ({"customerTypeIds": "all"}, "/customerTypeIds"),
    ({"customerTypeIds": ["one"]}, "/customerTypeIds/0"),
]

KINDS = {
    "employee": Kind(
        "config/employees",
        {"name": "Zoe Zahle"},
        {"email": "", "phone": "", "title": "", "location": "", "timeZoneId": None, "customerTypeIds": []}
        | {"active": True},
        {
            "name": "Zoe 🦊 Zahle",
            "email": "zoe@nordlys.example",
            "phone": "+45 70 10 20 99",
            "title": "Advisor",
            "location": "Odense",
            "timeZoneId": NEW_YORK,
            "customerTypeIds": ["PRIVATE", "BUSINESS"],
            "active": False,
        },
        [
            *WRONG_NAMES,
            *WRONG_CUSTOMER_TYPES,
            ({"email": "zoe at nordlys"}, "/email"),
            ({"phone": "1" * 201}, "/phone"),
            ({"title": []}, "/title"),
            ({"location": 1}, "/location"),
            ({"timeZoneId": "Europe/Copenhagen"}, "/timeZoneId"),
            ({"active": "yes"}, "/active"),
        ],
        defaults_since_v3(Employee, SaveEmployee) | {"pictureContentId": None},
    ),
    "room": Kind(
        "config/rooms",
        {"name": "Zenit", "capacity": 0},
        {"location": "", "features": [], "available": True},
        {"name": "Zenit", "capacity": 12, "location": "Odense", "features": ["Video", "Screen"], "available": False},
        [
            *WRONG_NAMES,
            ({"capacity": None}, "/capacity"),
            ({"capacity": -1}, "/capacity"),
            ({"capacity": 10**30}, "/capacity"),
            ({"capacity": 4.5}, "/capacity"),
            ({"features": ["Screen", " "]}, "/features/1"),
            ({"features": "Screen"}, "/features"),
            ({"available": 1}, "/available"),
        ],
        defaults_since_v3(Room, SaveRoom),
    ),
    "topic": Kind(
        "config/meeting-topics",
        {"name": "Zero debt"},
        {"description": "", "durationMinutes": 60, "meetingTypes": [], "customerTypeIds": []}
        | {"customerBookable": True},
        {
            "name": "Zero debt",
            "description": " How to get there.\n",
            "durationMinutes": 25,
            "meetingTypes": ["Telephone", "Offsite"],
            "customerTypeIds": ["PRIVATE", "BUSINESS"],
            "customerBookable": False,
        },
        [
            *WRONG_NAMES,
            *WRONG_CUSTOMER_TYPES,
            ({"description": "x" * 10_001}, "/description"),
            ({"durationMinutes": 0}, "/durationMinutes"),
            ({"durationMinutes": 1441}, "/durationMinutes"),
            ({"meetingTypes": ["Letter"]}, "/meetingTypes/0"),
            ({"customerBookable": "perhaps"}, "/customerBookable"),
        ],
        {"localizedName": {}, "localizedDescription": {}} | defaults_since_v3(Topic, SaveTopic),
    ),
    "customer type": Kind(
        "config/customer-types",
        {"name": "Zoo"},
        {"description": "", "order": 0},
        {"name": "Zoo", "description": "Those with animals.", "order": -7},
        [
            *WRONG_NAMES,
            ({"description": 1}, "/description"),
            ({"order": 2**31}, "/order"),
            ({"order": "first"}, "/order"),
        ],
    ),
}

EACH_KIND = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def fill_in(api: Api, body: dict[str, Any]) -> dict[str, Any]:
    """Name customer types of the firm; the later one first, which is not an order of ids that could come by itself."""
    private, business = sorted((api.id_of("customer type", name) for name in ("Private", "Business")), reverse=True)
    ids = {"PRIVATE": private, "BUSINESS": business}
    return {name: [ids[one] for one in value] if name == "customerTypeIds" else value for name, value in body.items()}


async def add(api: Api, kind: Kind, **members: Any) -> dict[str, Any]:
    answer = await api.post(f"v3/booking/{kind.area}", kind.least | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


@EACH_KIND
@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_what_is_added_is_read_back_as_it_was_sent(version: str, kind: Kind, api: Api) -> None:
    path, body = f"{version}/booking/{kind.area}", fill_in(api, kind.whole)
    answer = await api.post(path, body | {"somethingElse": 1})
    assert answer.status_code == 201, answer.text
    added = answer.json()
    assert added == kind.show(added, body, version)
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{path}/{added['id']}"
    read = await api.get(f"{path}/{added['id']}")
    assert read.json() == added
    assert read.headers["ETag"] == answer.headers["ETag"]


@EACH_KIND
async def test_what_a_body_leaves_out_has_its_default(kind: Kind, api: Api) -> None:
    added = await add(api, kind)
    assert added == kind.show(added, {})
    assert added in (await api.get(f"v3/booking/{kind.area}")).json()


@EACH_KIND
async def test_spaces_around_a_name_do_not_count(kind: Kind, api: Api) -> None:
    assert (await add(api, kind, name="  Zoe\t"))["name"] == "Zoe"
    assert len((await add(api, kind, name=f" {'Z' * 200} "))["name"]) == 200


@EACH_KIND
async def test_an_id_of_the_callers_own_is_kept_and_can_be_taken_once(kind: Kind, api: Api) -> None:
    own = str(uuid4())
    assert (await add(api, kind, id=own))["id"] == own
    again = await api.post(f"v3/booking/{kind.area}", kind.least | {"id": own})
    assert (again.status_code, again.json()["code"]) == (409, "already_exists")
    assert again.json()["errors"][0]["pointer"] == "/id"
    assert (await (await api.other()).post(f"v3/booking/{kind.area}", kind.least | {"id": own})).status_code == 201


async def test_an_employee_cannot_have_the_id_of_a_room(api: Api) -> None:
    answer = await api.post("v3/booking/config/employees", {"name": "Zoe", "id": api.id_of("room", "Havblik")})
    assert (answer.status_code, answer.json()["code"]) == (409, "already_exists")
    answer = await api.post(
        "v3/booking/config/rooms", {"name": "Z", "capacity": 1, "id": api.id_of("employee", "Bo Lind")}
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "already_exists")


@EACH_KIND
async def test_every_wrong_member_is_refused_with_its_pointer(kind: Kind, api: Api) -> None:
    for members, pointer in kind.wrong:
        answer = await api.post(f"v3/booking/{kind.area}", kind.least | members)
        assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request"), members
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer], members
    for missing in kind.least:
        body = {name: value for name, value in kind.least.items() if name != missing}
        answer = await api.post(f"v3/booking/{kind.area}", body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, f"/{missing}")
    answer = await api.post(f"v3/booking/{kind.area}", kind.least | {"name": "Z\0E"})
    assert (answer.status_code, answer.json()["code"]) == (400, "unstorable_text")


@EACH_KIND
async def test_a_repeat_of_adding_gets_the_same_answer(kind: Kind, api: Api) -> None:
    headers = {"Idempotency-Key": "one"}
    answers = [await api.post(f"v3/booking/{kind.area}", kind.least, headers=headers) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert [answer.status_code for answer in answers] == [201, 201]


@EACH_KIND
@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_put_replaces_the_whole(version: str, kind: Kind, api: Api) -> None:
    added = await add(api, kind)
    path, whole = f"{version}/booking/{kind.area}/{added['id']}", fill_in(api, kind.whole)
    for body in (whole, kind.least, whole | {"id": added["id"]}):
        answer = await api.request("PUT", path, json=body)
        assert answer.status_code == 200, answer.text
        assert answer.json() == kind.show(added, body, version)
        assert (await api.get(path)).json() == answer.json()


@EACH_KIND
async def test_put_checks_like_adding_and_cannot_change_the_id(kind: Kind, api: Api) -> None:
    added = await add(api, kind)
    path = f"v3/booking/{kind.area}/{added['id']}"
    for members, pointer in [*kind.wrong, ({"id": str(uuid4())}, "/id")]:
        answer = await api.request("PUT", path, json=kind.least | members)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer), members
    assert (await api.get(path)).json() == added


@EACH_KIND
async def test_a_change_of_what_was_read_before_another_change_is_refused(kind: Kind, api: Api) -> None:
    added = await add(api, kind)
    path = f"v3/booking/{kind.area}/{added['id']}"
    seen = {"If-Match": (await api.get(path)).headers["ETag"]}
    changed = await api.request("PUT", path, json=fill_in(api, kind.whole), headers=seen)
    assert changed.status_code == 200
    assert (await api.request("PUT", path, json=kind.least, headers=seen)).status_code == 412
    assert (await api.request("DELETE", path, headers=seen)).status_code == 412
    answer = await api.request("DELETE", path, headers={"If-Match": changed.headers["ETag"]})
    assert (answer.status_code, answer.content) == (204, b"")


@EACH_KIND
async def test_what_is_deleted_is_gone_and_its_id_is_free(kind: Kind, api: Api) -> None:
    added = await add(api, kind)
    path = f"v2/booking/{kind.area}/{added['id']}"
    assert (await api.request("DELETE", path)).status_code == 204
    for method, body in (("GET", None), ("PUT", kind.least), ("DELETE", None)):
        answer = await api.request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert added not in (await api.get(f"v2/booking/{kind.area}")).json()
    assert await add(api, kind, id=added["id"]) == added


@EACH_KIND
async def test_another_tenant_can_neither_read_nor_change_nor_delete_it(kind: Kind, api: Api) -> None:
    added, other = await add(api, kind), await api.other()
    path = f"v3/booking/{kind.area}/{added['id']}"
    for method, body in (("GET", None), ("PUT", kind.least), ("DELETE", None)):
        assert (await other.request(method, path, json=body)).status_code == 404
    assert (await api.get(path)).json() == added


@pytest.mark.parametrize("name", ["employee", "topic"])
async def test_customer_types_must_exist_and_count_once(name: str, api: Api) -> None:
    kind, private = KINDS[name], api.id_of("customer type", "Private")
    fjords = (await api.other()).id_of("customer type", "Member")
    answer = await api.post(f"v3/booking/{kind.area}", kind.least | {"customerTypeIds": [private, fjords]})
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/customerTypeIds/1"]
    assert (await add(api, kind, customerTypeIds=[private, private]))["customerTypeIds"] == [private]


async def test_an_employees_time_zone_must_exist(api: Api) -> None:
    answer = await api.post("v3/booking/config/employees", {"name": "Zoe", "timeZoneId": str(uuid4())})
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert answer.json()["errors"][0]["pointer"] == "/timeZoneId"


async def test_meeting_types_are_read_in_any_case_and_count_once(api: Api) -> None:
    topic = await add(api, KINDS["topic"], meetingTypes=["online", "PHYSICAL", "Online"])
    assert topic["meetingTypes"] == ["Online", "Physical"]


# ---------------------------------------------------------------------------------------------- whatever a caller sends

STRANGE: list[Any] = [
    None,
    True,
    -1,
    10**400,
    1e300,
    "",
    "\0",
    "\u202e",
    "9" * 20_000,
    "2026-02-30",
    str(uuid4()),
    [],
    [None],
    ["\0"],
    [str(uuid4())] * 2,
    ["x"] * 10_001,
    {},
    {"a": {"b": [1]}},
]


@EACH_KIND
async def test_strange_members_are_kept_or_refused_and_never_crash(kind: Kind, api: Api) -> None:
    added = await add(api, kind)
    whole, path = fill_in(api, kind.whole), f"v3/booking/{kind.area}"
    for member in [*whole, "id"]:
        for value in STRANGE:
            body = json.dumps(whole | {member: value})
            for method, at in (("POST", path), ("PUT", f"{path}/{added['id']}")):
                answer = await api.request(method, at, content=body)
                assert answer.status_code in {200, 201, 400, 404, 409}, (method, member, value, answer.text)
                if answer.status_code < 300:
                    assert (await api.get(f"{path}/{answer.json()['id']}")).json() == answer.json()


async def test_strange_queries_and_patches_are_answered_or_refused(api: Api) -> None:
    path = "v3/booking/config/locations"
    for text in ("\0", "%", "\\", "'", "x" * 5_000, "\u202e", "[", "🦊"):
        for name in ("location", "search"):
            answer = await api.get(path, params={name: text})
            assert answer.status_code in {200, 400}, (name, text)
        answer = await api.get("v3/booking/room-vacancies", params={"location": text, "timeSlotId": str(uuid4())})
        assert answer.status_code in {400, 404}, text
    aarhus = f"{path}/{api.id_of('location', 'Aarhus')}"
    for member in ("", "/location", "/displayName", "/requireAvailableRoom", "/other", "/id"):
        for value in STRANGE:
            body = json.dumps([{"op": "add", "path": member, "value": value}])
            answer = await api.request("PATCH", aarhus, content=body)
            assert answer.status_code in {200, 400, 409}, (member, value, answer.text)
