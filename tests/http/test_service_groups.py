"""Service groups over HTTP (contract section 4, Service groups; docs/api.md 18, 32)."""

import asyncio
from typing import Any
from uuid import uuid4

import httpx

from factories import TUESDAY_AT_TEN, Api
from fakes import HandClock
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.db import Database
from statements import logged_statements

GROUPS = "v3/booking/config/service-groups"
COMPETENCE_GROUPS = "v3/booking/config/competence-groups"
ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE, HASSAN = (str(NORDLYS.id_of("employee", name)) for name in ("Gitte Møller", "Hassan Ali"))
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
REVIEW, PENSION, INVESTING = (
    str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check", "Investing")
)
PENSION_GROUP, REVIEW_GROUP = (
    str(NORDLYS.id_of("competence group", name)) for name in ("Pension check", "Annual review")
)
AARHUS = str(NORDLYS.id_of("service group", "Aarhus"))
UNKNOWN = str(uuid4())
ALWAYS: dict[str, Any] = {"customerTypeIds": [], "topicIds": [], "meetingTypes": [], "locations": []}
PLAIN: dict[str, Any] = {
    "priority": 0,
    "responseTime": "00:00:00",
    "bufferBefore": "00:00:00",
    "bufferAfter": "00:00:00",
}
TRIGGER: dict[str, Any] = {
    "customerTypeIds": [BUSINESS, PRIVATE],
    "topicIds": [REVIEW, PENSION],
    "meetingTypes": ["Telephone", "Online"],
    "locations": ["Odense", "Aarhus"],
}
LEVEL: dict[str, Any] = {
    "priority": 7,
    "responseTime": "2.04:00:00",
    "bufferBefore": "00:15:00",
    "bufferAfter": "00:30:00",
}

Group = dict[str, Any]


async def create(api: Api, name: str = "Seniors", **members: Any) -> Group:
    answer = await api.post(GROUPS, {"name": name} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def read(api: Api, group_id: str) -> Group:
    answer = await api.get(f"{GROUPS}/{group_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def patch(api: Api, group: Group, *operations: Group, part: str = "", **arguments: Any) -> httpx.Response:
    return await api.request("PATCH", f"{GROUPS}/{group['id']}{part}", json=operations, **arguments)


def replace(path: str, value: object) -> Group:
    return {"op": "replace", "path": path, "value": value}


def add(path: str, value: object) -> Group:
    return {"op": "add", "path": path, "value": value}


def remove(path: str) -> Group:
    return {"op": "remove", "path": path}


def pointers(answer: httpx.Response) -> list[str]:
    return [error["pointer"] for error in answer.json()["errors"]]


# ---------------------------------------------------------------------------------------------------- create and read


async def test_a_group_reads_back_as_it_was_written(api: Api) -> None:
    body: Group = {
        "name": "Seniors 👵",
        "membershipEmail": "seniors@nordlys.example",
        "employeeIds": [EVA, ANNA],
        "competenceGroupIds": [REVIEW_GROUP, PENSION_GROUP],
        "labels": ["VIP", "Aarhus"],
        "maxMeetingTimePerDay": "04:30:00",
        "serviceTrigger": TRIGGER,
        "serviceLevel": LEVEL,
    }
    answer = await api.post(GROUPS, body)
    assert answer.status_code == 201, answer.text
    group = answer.json()
    assert group == {"id": group["id"]} | body
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{GROUPS}/{group['id']}"
    assert await read(api, group["id"]) == group
    copy = await api.post(GROUPS, group)
    assert copy.json() == group | {"id": copy.json()["id"]}


async def test_only_the_name_is_needed(api: Api) -> None:
    group = await create(api, " Seniors ")
    assert group == {
        "id": group["id"],
        "name": "Seniors",
        "membershipEmail": "",
        "employeeIds": [],
        "competenceGroupIds": [],
        "labels": [],
        "maxMeetingTimePerDay": None,
        "serviceTrigger": ALWAYS,
        "serviceLevel": PLAIN,
    }


async def test_enumerations_and_durations_are_read_in_any_form(api: Api) -> None:
    group = await create(
        api,
        maxMeetingTimePerDay="1.00:00:00",
        serviceTrigger={"meetingTypes": ["ONLINE", "offsite", "Online"], "locations": [" Odense ", "Odense"]},
        serviceLevel={"responseTime": "26:00", "bufferBefore": "0.00:05:00"},
    )
    assert group["maxMeetingTimePerDay"] == "1.00:00:00"
    assert group["serviceTrigger"] == ALWAYS | {"meetingTypes": ["Online", "Offsite"], "locations": ["Odense"]}
    assert group["serviceLevel"] == PLAIN | {"responseTime": "1.02:00:00", "bufferBefore": "00:05:00"}


async def test_what_makes_no_group_is_refused_with_every_fault(api: Api) -> None:
    refused: list[tuple[Group, list[str]]] = [
        ({}, ["/name"]),
        ({"name": " ", "membershipEmail": "nobody"}, ["/name", "/membershipEmail"]),
        ({"name": "A", "membershipEmail": f"{'x' * 320}@nordlys.example"}, ["/membershipEmail"]),
        ({"name": "A", "employeeIds": [ANNA, 7]}, ["/employeeIds/1"]),
        ({"name": "A", "competenceGroupIds": [PENSION_GROUP] * 10_001}, ["/competenceGroupIds"]),
        ({"name": "A", "maxMeetingTimePerDay": "a day"}, ["/maxMeetingTimePerDay"]),
        ({"name": "A", "serviceTrigger": []}, ["/serviceTrigger"]),
        (
            {"name": "A", "serviceTrigger": {"meetingTypes": ["Pigeon"], "locations": ["Odense", " "]}},
            ["/serviceTrigger/meetingTypes/0"],
        ),
        ({"name": "A", "serviceTrigger": {"locations": ["Odense", " "]}}, ["/serviceTrigger/locations/1"]),
        ({"name": "A", "serviceLevel": {"priority": -1}}, ["/serviceLevel/priority"]),
        ({"name": "A", "serviceLevel": {"priority": 10**30}}, ["/serviceLevel/priority"]),
        (
            {
                "name": "A",
                "maxMeetingTimePerDay": "24:00:01",
                "serviceLevel": {
                    "responseTime": "366.00:00:01",
                    "bufferBefore": "24:00:01",
                    "bufferAfter": "99999.00:00:00",
                },
            },
            [
                "/maxMeetingTimePerDay",
                "/serviceLevel/responseTime",
                "/serviceLevel/bufferBefore",
                "/serviceLevel/bufferAfter",
            ],
        ),
    ]
    for body, expected in refused:
        answer = await api.post(GROUPS, body)
        assert answer.status_code == 400, answer.text
        assert pointers(answer) == expected, answer.text
    for body in ({"name": "\0"}, {"name": "A", "serviceTrigger": {"locations": ["\0"]}}):
        assert (await api.post(GROUPS, body)).json()["code"] == "unstorable_text"


async def test_what_a_group_names_must_exist_in_the_tenant(api: Api) -> None:
    other = await api.other()
    answer = await api.post(
        GROUPS,
        {
            "name": "Strangers",
            "employeeIds": [ANNA, other.id_of("employee", "Ida Bech")],
            "competenceGroupIds": [AARHUS],
            "serviceTrigger": {
                "customerTypeIds": [other.id_of("customer type", "Member")],
                "topicIds": [REVIEW, UNKNOWN],
            },
        },
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert set(pointers(answer)) == {
        "/employeeIds/1",
        "/competenceGroupIds/0",
        "/serviceTrigger/customerTypeIds/0",
        "/serviceTrigger/topicIds/1",
    }


async def test_v2_has_no_groups(api: Api) -> None:
    for path in ("", f"/{AARHUS}", f"/{AARHUS}/advisors", f"/employee/{ANNA}"):
        assert (await api.get(f"v2/booking/config/service-groups{path}")).status_code == 404


async def test_another_tenant_sees_and_changes_nothing(api: Api) -> None:
    other = await api.other()
    assert AARHUS not in {one["id"] for one in (await other.get(GROUPS)).json()}
    for method, path in (
        ("GET", AARHUS),
        ("DELETE", AARHUS),
        ("PATCH", AARHUS),
        ("PATCH", f"{AARHUS}/service-trigger"),
        ("PATCH", f"{AARHUS}/service-level"),
        ("GET", f"{AARHUS}/advisors"),
        ("GET", f"employee/{ANNA}"),
        ("PATCH", f"employee/{ANNA}/add"),
        ("PATCH", f"employee/{ANNA}/remove"),
    ):
        answer = await other.request(method, f"{GROUPS}/{path}", json=[] if method == "PATCH" else None)
        assert answer.status_code == 404, path


async def test_a_list_may_ask_for_all_of_some_labels_or_any(api: Api) -> None:
    await create(api, "Both", labels=["VIP", "Odense"])
    await create(api, "One", labels=["vip"])

    async def names(query: str) -> list[str]:
        return [group["name"] for group in (await api.get(f"{GROUPS}?{query}")).json()]

    assert await names("") == ["Aarhus branch", "Both", "København branch", "One"]
    assert await names("labels=VIP") == ["Both", "One"]
    assert await names("labels=VIP,odense") == ["Both"]
    assert await names("labels=VIP,odense&labelMatch=any") == ["Both", "One"]


async def test_a_longer_list_takes_no_more_statements(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        await api.get(f"{GROUPS}?labels=VIP")
    for number in range(30):
        await create(
            api,
            f"Group {number}",
            employeeIds=[ANNA, BO],
            competenceGroupIds=[PENSION_GROUP],
            labels=["VIP", "Aarhus"],
            serviceTrigger=TRIGGER,
        )
    with logged_statements(database) as many:
        assert len((await api.get(f"{GROUPS}?labels=VIP")).json()) == 30
    assert len(many) == len(few)


# ------------------------------------------------------------------------------------------------------------- change


async def test_each_member_can_be_patched(api: Api) -> None:
    group = await create(api, employeeIds=[ANNA])
    changes: list[tuple[Group, Group]] = [
        (replace("/name", "Juniors"), {"name": "Juniors"}),
        (replace("/membershipEmail", "j@nordlys.example "), {"membershipEmail": "j@nordlys.example"}),
        (remove("/membershipEmail"), {"membershipEmail": ""}),
        (add("/employeeIds/0", BO), {"employeeIds": [BO, ANNA]}),
        (add("/competenceGroupIds/-", PENSION_GROUP), {"competenceGroupIds": [PENSION_GROUP]}),
        (replace("/labels", ["VIP"]), {"labels": ["VIP"]}),
        (replace("/maxMeetingTimePerDay", "03:00:00"), {"maxMeetingTimePerDay": "03:00:00"}),
        (replace("/maxMeetingTimePerDay", None), {"maxMeetingTimePerDay": None}),
        (replace("/serviceTrigger", TRIGGER), {"serviceTrigger": TRIGGER}),
        (remove("/serviceTrigger/topicIds/0"), {"serviceTrigger": TRIGGER | {"topicIds": [PENSION]}}),
        (replace("/serviceLevel", LEVEL), {"serviceLevel": LEVEL}),
        (replace("/serviceLevel/priority", 3), {"serviceLevel": LEVEL | {"priority": 3}}),
        (remove("/serviceLevel"), {"serviceLevel": PLAIN}),
        (remove("/serviceTrigger"), {"serviceTrigger": ALWAYS}),
    ]
    for operation, outcome in changes:
        answer = await patch(api, group, operation)
        assert answer.status_code == 200, f"{operation}: {answer.text}"
        assert answer.json() == group | outcome, operation
        group = answer.json()
        assert await read(api, group["id"]) == group


async def test_the_trigger_is_patched_at_its_own_address(api: Api) -> None:
    group = await create(api, serviceLevel=LEVEL)
    changes: list[tuple[Group, Group]] = [
        (add("/customerTypeIds/-", PRIVATE), {"customerTypeIds": [PRIVATE]}),
        (replace("/topicIds", [REVIEW]), {"topicIds": [REVIEW]}),
        (add("/meetingTypes/-", "online"), {"meetingTypes": ["Online"]}),
        (add("/locations/-", "Odense"), {"locations": ["Odense"]}),
        (remove("/customerTypeIds"), {"customerTypeIds": []}),
        (
            {"op": "move", "from": "/topicIds/0", "path": "/locations/0"},
            {"topicIds": [], "locations": [REVIEW, "Odense"]},
        ),
        (replace("", TRIGGER), TRIGGER),
        (replace("", {}), ALWAYS),
    ]
    trigger = ALWAYS
    for operation, outcome in changes:
        answer = await patch(api, group, operation, part="/service-trigger")
        assert answer.status_code == 200, f"{operation}: {answer.text}"
        trigger = trigger | outcome
        assert answer.json() == group | {"serviceTrigger": trigger}, operation
        assert await read(api, group["id"]) == answer.json()


async def test_the_level_is_patched_at_its_own_address(api: Api) -> None:
    group = await create(api, serviceTrigger=TRIGGER)
    level = PLAIN
    for member, value in LEVEL.items():
        answer = await patch(api, group, replace(f"/{member}", value), part="/service-level")
        assert answer.status_code == 200, answer.text
        level = level | {member: value}
        assert answer.json() == group | {"serviceLevel": level}
        assert await read(api, group["id"]) == answer.json()
    answer = await patch(api, group, remove("/bufferAfter"), part="/service-level")
    assert answer.json()["serviceLevel"] == LEVEL | {"bufferAfter": "00:00:00"}


async def test_a_wrong_patch_of_a_part_is_refused_and_changes_nothing(api: Api) -> None:
    refused: list[tuple[str, Group, int, str]] = [
        ("/service-trigger", add("/topicIds/-", UNKNOWN), 404, "/serviceTrigger/topicIds/0"),
        ("/service-trigger", add("/topicIds/-", "pension"), 400, "/operations/0/value"),
        ("/service-trigger", replace("/topics", []), 400, "/operations/0/path"),
        ("/service-trigger", add("topicIds", []), 400, "/operations/0/path"),
        ("/service-trigger", replace("/serviceTrigger/topicIds", []), 400, "/operations/0/path"),
        ("/service-trigger", replace("", []), 400, "/operations/0/value"),
        ("/service-trigger", {"op": "test", "path": "/topicIds", "value": [REVIEW]}, 409, "/operations/0/value"),
        ("/service-level", replace("/bufferBefore", "25:00:00"), 400, "/serviceLevel/bufferBefore"),
        ("/service-level", replace("/priority", "high"), 400, "/operations/0/value"),
        ("/service-level", replace("/priority", None), 400, "/operations/0/value"),
        ("/service-level", replace("/id", UNKNOWN), 400, "/operations/0/path"),
    ]
    group = await create(api)
    for part, operation, status, pointer in refused:
        answer = await patch(api, group, operation, part=part)
        assert (answer.status_code, pointers(answer)) == (status, [pointer]), f"{operation}: {answer.text}"
    assert await read(api, group["id"]) == group


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    group = await create(api)
    seen = {"If-Match": (await api.get(f"{GROUPS}/{group['id']}")).headers["ETag"]}
    changed = await patch(api, group, replace("/priority", 1), part="/service-level", headers=seen)
    assert changed.status_code == 200
    for part in ("", "/service-trigger", "/service-level"):
        assert (await patch(api, group, part=part, headers=seen)).status_code == 412
    assert (await api.request("DELETE", f"{GROUPS}/{group['id']}", headers=seen)).status_code == 412
    fresh = {"If-Match": changed.headers["ETag"]}
    assert (await api.request("DELETE", f"{GROUPS}/{group['id']}", headers=fresh)).status_code == 204


async def test_who_change_trigger_level_and_members_at_once_all_do(api: Api) -> None:
    group = await create(api)
    topics = [str(NORDLYS.id_of("topic", name)) for name, _, _ in NORDLYS.topics]
    answers = await asyncio.gather(
        *(patch(api, group, add("/topicIds/-", topic), part="/service-trigger") for topic in topics),
        *(patch(api, group, add("/employeeIds/-", one)) for one in (ANNA, BO, EVA)),
        patch(api, group, replace("/priority", 5), part="/service-level"),
        api.request("PATCH", f"{COMPETENCE_GROUPS}/{PENSION_GROUP}", json=[add("/serviceGroupIds/-", group["id"])]),
    )
    assert {answer.status_code for answer in answers} == {200}
    after = await read(api, group["id"])
    assert sorted(after["serviceTrigger"]["topicIds"]) == sorted(topics)
    assert sorted(after["employeeIds"]) == sorted([ANNA, BO, EVA])
    assert after["serviceLevel"]["priority"] == 5
    assert after["competenceGroupIds"] == [PENSION_GROUP]


# ------------------------------------------------------------------------------------------------------------- delete


async def test_a_deleted_group_leaves_nothing_behind(api: Api, database: Database) -> None:
    group = await create(
        api, employeeIds=[ANNA], competenceGroupIds=[PENSION_GROUP], labels=["VIP"], serviceTrigger=TRIGGER
    )
    answer = await api.request("DELETE", f"{GROUPS}/{group['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    for method in ("GET", "DELETE", "PATCH"):
        gone = await api.request(method, f"{GROUPS}/{group['id']}", json=[] if method == "PATCH" else None)
        assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    competence_group = (await api.get(f"{COMPETENCE_GROUPS}/{PENSION_GROUP}")).json()
    assert group["id"] not in competence_group["serviceGroupIds"]
    label = (await api.get("v3/booking/config/labels")).json()["items"][0]
    assert (label["labelName"], label["usageCount"]) == ("VIP", 0)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        for row in await connection.fetch(
            "select table_name from information_schema.columns where column_name = 'service_group_id'"
        ):
            left = f"select count(*) from {row['table_name']} where service_group_id = $1"  # noqa: S608 - from the catalog
            assert await connection.fetchval(left, group["id"]) == 0, row["table_name"]


async def test_whom_a_reservation_got_from_a_deleted_group_stays_reserved(api: Api) -> None:
    group = await create(api, employeeIds=[ANNA])
    reserved = (await api.reserve(TUESDAY_AT_TEN, serviceGroup=group["id"])).json()
    assert reserved["employeeId"] == ANNA
    assert (await api.request("DELETE", f"{GROUPS}/{group['id']}")).status_code == 204
    booked = await api.book(employeeId=ANNA, timeSlotId=reserved["id"])
    assert booked.status_code == 201, booked.text


# ----------------------------------------------------------------------------------------------- advisors, memberships


async def advisors(api: Api, group: Group) -> dict[str, list[str]]:
    answer = await api.get(f"{GROUPS}/{group['id']}/advisors")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_advisors_serve_by_skill_as_members_and_through_competence_groups(api: Api) -> None:
    group = await create(api, employeeIds=[DAVID, BO])
    assert await advisors(api, group) == {"skillBased": [], "assigned": [BO, DAVID], "competenceGroupAdvisors": []}
    seniors = await api.post(COMPETENCE_GROUPS, {"name": "Seniors", "employeeIds": [EVA], "topicIds": [PENSION]})
    await patch(api, group, replace("/competenceGroupIds", [seniors.json()["id"]]))
    expected = {"skillBased": [ANNA, EVA, GITTE], "assigned": [BO, DAVID], "competenceGroupAdvisors": [EVA]}
    assert await advisors(api, group) == expected
    await api.post(COMPETENCE_GROUPS, {"name": "Generalists", "employeeIds": [HASSAN]})
    assert await advisors(api, group) == expected | {"skillBased": [ANNA, EVA, GITTE, HASSAN]}
    assert (await api.get(f"{GROUPS}/{UNKNOWN}/advisors")).status_code == 404


async def test_a_competence_group_of_no_topic_brings_its_members_but_no_skill(api: Api) -> None:
    anything = await api.post(COMPETENCE_GROUPS, {"name": "Generalists", "employeeIds": [HASSAN]})
    group = await create(api, competenceGroupIds=[anything.json()["id"]])
    assert await advisors(api, group) == {"skillBased": [], "assigned": [], "competenceGroupAdvisors": [HASSAN]}


async def test_an_employees_groups_are_listed_with_address_and_date(api: Api, clock: HandClock) -> None:
    group = await create(api, employeeIds=[ANNA], membershipEmail="seniors@nordlys.example")
    clock.advance(minutes=10)
    await patch(api, group, add("/employeeIds/0", BO))
    dates = {ANNA: "2026-03-02T06:00:00Z", BO: "2026-03-02T06:10:00Z"}
    for employee, date in dates.items():
        groups = (await api.get(f"{GROUPS}/employee/{employee}")).json()
        assert [one["name"] for one in groups] == ["Aarhus branch", "Seniors"]
        assert groups[1] == {
            "id": group["id"],
            "name": "Seniors",
            "membershipEmail": "seniors@nordlys.example",
            "dateAssigned": date,
        }
    assert (await api.get(f"{GROUPS}/employee/{UNKNOWN}")).status_code == 404


async def test_adding_and_removing_twice_is_like_once(api: Api) -> None:
    group = await create(api, employeeIds=[BO])
    before = (await api.get(f"{GROUPS}/employee/{ANNA}")).json()
    for _ in range(2):
        added = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/add", json=[group["id"], group["id"]])
        assert [one["name"] for one in added.json()] == ["Aarhus branch", "Seniors"]
    assert (await read(api, group["id"]))["employeeIds"] == [BO, ANNA]
    for _ in range(2):
        removed = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/remove", json=[group["id"]])
        assert (removed.status_code, removed.json()) == (200, before)


async def test_groups_and_employees_of_a_membership_must_exist(api: Api) -> None:
    for verb in ("add", "remove"):
        unknown = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/{verb}", json=[UNKNOWN, AARHUS, PENSION_GROUP])
        assert (unknown.status_code, pointers(unknown)) == (404, ["/0", "/2"])
        nobody = await api.request("PATCH", f"{GROUPS}/employee/{UNKNOWN}/{verb}", json=[AARHUS])
        assert (nobody.status_code, nobody.json()["code"]) == (404, "not_found")
        assert (await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/{verb}", json=["x"])).status_code == 400
