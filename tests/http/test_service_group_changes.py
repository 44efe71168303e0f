"""Changing and deleting service groups over HTTP (contract section 4, Service groups).

The rules: docs/api/lists.md#label-filters, docs/api/groups.md.
"""

import asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.groups import (
    ALWAYS,
    ANNA,
    BO,
    COMPETENCE_GROUPS,
    EVA,
    LEVEL,
    PENSION,
    PENSION_GROUP,
    PLAIN,
    PRIVATE,
    REVIEW,
    SERVICE_GROUPS,
    TRIGGER,
    UNKNOWN,
    Group,
)
from support.patches import add, pointers, remove, replace

# --------------------------------------------------------------------------------------------------------------- change


async def test_each_member_can_be_patched(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api, employeeIds=[ANNA])
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
    await SERVICE_GROUPS.require_each(api, group, changes)


async def test_the_trigger_is_patched_at_its_own_address(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api, serviceLevel=LEVEL)
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
        answer = await SERVICE_GROUPS.patch(api, group, operation, part="/service-trigger")
        assert answer.status_code == 200, f"{operation}: {answer.text}"
        trigger = trigger | outcome
        assert answer.json() == group | {"serviceTrigger": trigger}, operation
        assert await SERVICE_GROUPS.read(api, group["id"]) == answer.json()


async def test_the_level_is_patched_at_its_own_address(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api, serviceTrigger=TRIGGER)
    level = PLAIN
    for member, value in LEVEL.items():
        answer = await SERVICE_GROUPS.patch(api, group, replace(f"/{member}", value), part="/service-level")
        assert answer.status_code == 200, answer.text
        level = level | {member: value}
        assert answer.json() == group | {"serviceLevel": level}
        assert await SERVICE_GROUPS.read(api, group["id"]) == answer.json()
    answer = await SERVICE_GROUPS.patch(api, group, remove("/bufferAfter"), part="/service-level")
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
    group = await SERVICE_GROUPS.create(api)
    for part, operation, status, pointer in refused:
        answer = await SERVICE_GROUPS.patch(api, group, operation, part=part)
        assert (answer.status_code, pointers(answer)) == (status, [pointer]), f"{operation}: {answer.text}"
    assert await SERVICE_GROUPS.read(api, group["id"]) == group


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api)
    seen = {"If-Match": (await api.get(f"{SERVICE_GROUPS.path}/{group['id']}")).headers["ETag"]}
    changed = await SERVICE_GROUPS.patch(api, group, replace("/priority", 1), part="/service-level", headers=seen)
    assert changed.status_code == 200
    for part in ("", "/service-trigger", "/service-level"):
        assert (await SERVICE_GROUPS.patch(api, group, part=part, headers=seen)).status_code == 412
    assert (await api.request("DELETE", f"{SERVICE_GROUPS.path}/{group['id']}", headers=seen)).status_code == 412
    fresh = {"If-Match": changed.headers["ETag"]}
    assert (await api.request("DELETE", f"{SERVICE_GROUPS.path}/{group['id']}", headers=fresh)).status_code == 204


async def test_who_change_trigger_level_and_members_at_once_all_do(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api)
    topics = [str(NORDLYS.id_of("topic", name)) for name, _, _ in NORDLYS.topics]
    answers = await asyncio.gather(
        *(SERVICE_GROUPS.patch(api, group, add("/topicIds/-", topic), part="/service-trigger") for topic in topics),
        *(SERVICE_GROUPS.patch(api, group, add("/employeeIds/-", one)) for one in (ANNA, BO, EVA)),
        SERVICE_GROUPS.patch(api, group, replace("/priority", 5), part="/service-level"),
        api.request(
            "PATCH", f"{COMPETENCE_GROUPS.path}/{PENSION_GROUP}", json=[add("/serviceGroupIds/-", group["id"])]
        ),
    )
    assert {answer.status_code for answer in answers} == {200}
    after = await SERVICE_GROUPS.read(api, group["id"])
    assert sorted(after["serviceTrigger"]["topicIds"]) == sorted(topics)
    assert sorted(after["employeeIds"]) == sorted([ANNA, BO, EVA])
    assert after["serviceLevel"]["priority"] == 5
    assert after["competenceGroupIds"] == [PENSION_GROUP]


# --------------------------------------------------------------------------------------------------------------- delete


async def test_a_deleted_group_leaves_nothing_behind(api: Api, database: Database) -> None:
    group = await SERVICE_GROUPS.create(
        api, employeeIds=[ANNA], competenceGroupIds=[PENSION_GROUP], labels=["VIP"], serviceTrigger=TRIGGER
    )
    answer = await api.request("DELETE", f"{SERVICE_GROUPS.path}/{group['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    for method in ("GET", "DELETE", "PATCH"):
        gone = await api.request(method, f"{SERVICE_GROUPS.path}/{group['id']}", json=[] if method == "PATCH" else None)
        assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    competence_group = (await api.get(f"{COMPETENCE_GROUPS.path}/{PENSION_GROUP}")).json()
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
    group = await SERVICE_GROUPS.create(api, employeeIds=[ANNA])
    reserved = (await api.reserve(TUESDAY_AT_TEN, serviceGroup=group["id"])).json()
    assert reserved["employeeId"] == ANNA
    assert (await api.request("DELETE", f"{SERVICE_GROUPS.path}/{group['id']}")).status_code == 204
    booked = await api.book(employeeId=ANNA, timeSlotId=reserved["id"])
    assert booked.status_code == 201, booked.text
