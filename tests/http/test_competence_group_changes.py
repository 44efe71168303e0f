"""Changing and deleting competence groups (contract section 4, Competence groups).

The rules: docs/api/lists.md#label-filters, docs/api/groups.md.
"""

import asyncio
from collections import Counter

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api
from support.groups import (
    AARHUS,
    ANNA,
    BO,
    BUSINESS,
    COMPETENCE_GROUPS,
    COPENHAGEN,
    PENSION,
    PRIVATE,
    REVIEW,
    UNKNOWN,
    Group,
)
from support.patches import add, pointers, remove, replace

# --------------------------------------------------------------------------------------------------------------- change


async def test_each_member_can_be_patched(api: Api) -> None:
    parent, child = await COMPETENCE_GROUPS.create(api, "Parent"), await COMPETENCE_GROUPS.create(api, "Child")
    group = await COMPETENCE_GROUPS.create(api, employeeIds=[ANNA], labels=["VIP"])
    changes: list[tuple[Group, Group]] = [
        (replace("/name", "Juniors "), {"name": "Juniors"}),
        (add("/employeeIds/0", BO), {"employeeIds": [BO, ANNA]}),
        (add("/customerTypes/-", {"id": PRIVATE}), {"customerTypes": [{"id": PRIVATE, "name": "Private"}]}),
        (replace("/customerTypeIds", [BUSINESS]), {"customerTypes": [{"id": BUSINESS, "name": "Business"}]}),
        (
            add("/topics/-", {"id": REVIEW, "name": "Annual review"}),
            {"topics": [{"id": REVIEW, "name": "Annual review"}]},
        ),
        (
            add("/topicIds/0", PENSION),
            {
                "topics": [
                    {"id": one, "name": name} for one, name in ((PENSION, "Pension check"), (REVIEW, "Annual review"))
                ]
            },
        ),
        (add("/parentGroupIds/-", parent["id"]), {"parentGroupIds": [parent["id"]]}),
        (replace("/childGroupIds", [child["id"]]), {"childGroupIds": [child["id"]]}),
        (add("/serviceGroupIds/-", COPENHAGEN), {"serviceGroupIds": [COPENHAGEN]}),
        (add("/labels/-", "Aarhus"), {"labels": ["VIP", "Aarhus"]}),
        (remove("/labels"), {"labels": []}),
        (remove("/topics/0"), {"topics": [{"id": REVIEW, "name": "Annual review"}]}),
        (remove("/topicIds/0"), {"topics": []}),
        (remove("/employeeIds/0"), {"employeeIds": [ANNA]}),
        (replace("/parentGroupIds", []), {"parentGroupIds": []}),
        (remove("/childGroupIds/0"), {"childGroupIds": []}),
        (replace("/serviceGroupIds", []), {"serviceGroupIds": []}),
    ]
    await COMPETENCE_GROUPS.require_each(api, group, changes)


async def test_a_patch_is_done_wholly_or_not_at_all(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api, topicIds=[REVIEW])
    for wrong in (
        add("/employeeIds/-", UNKNOWN),
        {"op": "test", "path": "/name", "value": "Other"},
        replace("/id", UNKNOWN),
        remove("/name"),
        add("/labels/-", ""),
        add("/parentGroupIds/-", group["id"]),
    ):
        answer = await COMPETENCE_GROUPS.patch(api, group, replace("/name", "Juniors"), wrong)
        assert answer.status_code in {400, 404, 409}, answer.text
        assert await COMPETENCE_GROUPS.read(api, group["id"]) == group


async def test_what_a_group_names_gets_no_new_name_by_it(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api, topicIds=[REVIEW])
    answer = await COMPETENCE_GROUPS.patch(api, group, replace("/topics/0/name", "Yearly review"))
    assert (answer.status_code, pointers(answer)) == (400, ["/topics/0/name"])
    swapped = await COMPETENCE_GROUPS.patch(api, group, replace("/topics/0/id", PENSION))
    assert swapped.json()["topics"] == [{"id": PENSION, "name": "Pension check"}]


async def test_topics_and_topic_ids_are_not_mixed_in_one_patch(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api, topicIds=[REVIEW])
    answer = await COMPETENCE_GROUPS.patch(api, group, add("/topicIds/-", PENSION), remove("/topics/0"))
    assert answer.status_code == 400
    assert "/topicIds" in answer.json()["detail"]
    moved = await COMPETENCE_GROUPS.patch(api, group, {"op": "move", "from": "/topicIds/0", "path": "/labels/-"})
    assert (moved.json()["topics"], moved.json()["labels"]) == ([], [REVIEW])


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api)
    seen = {"If-Match": (await api.get(f"{COMPETENCE_GROUPS.path}/{group['id']}")).headers["ETag"]}
    changed = await COMPETENCE_GROUPS.patch(api, group, replace("/name", "Juniors"), headers=seen)
    assert changed.status_code == 200
    assert (await COMPETENCE_GROUPS.patch(api, group, replace("/name", "Others"), headers=seen)).status_code == 412
    assert (await api.request("DELETE", f"{COMPETENCE_GROUPS.path}/{group['id']}", headers=seen)).status_code == 412
    fresh = {"If-Match": changed.headers["ETag"]}
    assert (await api.request("DELETE", f"{COMPETENCE_GROUPS.path}/{group['id']}", headers=fresh)).status_code == 204


async def test_of_many_who_change_what_they_have_seen_at_once_one_does(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api)
    seen = {"If-Match": (await api.get(f"{COMPETENCE_GROUPS.path}/{group['id']}")).headers["ETag"]}
    answers = await asyncio.gather(
        *(COMPETENCE_GROUPS.patch(api, group, replace("/name", f"{n}"), headers=seen) for n in range(6))
    )
    assert Counter(answer.status_code for answer in answers) == {200: 1, 412: 5}


async def test_many_who_add_at_once_all_do(api: Api) -> None:
    groups = [await COMPETENCE_GROUPS.create(api, f"Group {number}") for number in range(3)]
    employees = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
    answers = await asyncio.gather(
        *(COMPETENCE_GROUPS.patch(api, group, add("/employeeIds/-", one)) for one in employees for group in groups),
        *(
            api.request(
                "PATCH",
                f"{COMPETENCE_GROUPS.path}/employee/{one}/add",
                json=[group["id"] for group in reversed(groups)],
            )
            for one in employees
        ),
    )
    assert {answer.status_code for answer in answers} == {200}
    for group in groups:
        assert sorted((await COMPETENCE_GROUPS.read(api, group["id"]))["employeeIds"]) == sorted(employees)


# ---------------------------------------------------------------------------------------------------- parents, children


async def test_parents_form_no_circle_and_the_refusal_names_it(api: Api) -> None:
    top = await COMPETENCE_GROUPS.create(api, "Top")
    middle = await COMPETENCE_GROUPS.create(api, "Middle", parentGroupIds=[top["id"]])
    bottom = await COMPETENCE_GROUPS.create(api, "Bottom", parentGroupIds=[middle["id"], top["id"]])
    for group, operation, names, pointer in (
        (top, add("/parentGroupIds/-", bottom["id"]), ("'Top'", "'Bottom'"), "/parentGroupIds/0"),
        (bottom, add("/childGroupIds/-", top["id"]), ("'Bottom'", "'Top'"), "/childGroupIds/0"),
        (top, add("/parentGroupIds/-", top["id"]), ("'Top' → 'Top'",), "/parentGroupIds/0"),
        (top, add("/childGroupIds/0", top["id"]), ("'Top' → 'Top'",), "/childGroupIds/0"),
    ):
        answer = await COMPETENCE_GROUPS.patch(api, group, operation)
        assert (answer.status_code, answer.json()["code"]) == (400, "circular_groups"), answer.text
        assert all(name in answer.json()["detail"] for name in names)
        assert pointer in pointers(answer)
    answer = await api.post(
        COMPETENCE_GROUPS.path, {"name": "X", "parentGroupIds": [bottom["id"]], "childGroupIds": [top["id"]]}
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "circular_groups")
    turned = await COMPETENCE_GROUPS.patch(
        api, bottom, replace("/parentGroupIds", []), replace("/childGroupIds", [top["id"]])
    )
    assert turned.status_code == 200, turned.text


async def test_two_who_would_close_a_circle_together_do_not(api: Api) -> None:
    for number in range(5):
        one, other = (
            await COMPETENCE_GROUPS.create(api, f"One {number}"),
            await COMPETENCE_GROUPS.create(api, f"Other {number}"),
        )
        answers = await asyncio.gather(
            COMPETENCE_GROUPS.patch(api, one, add("/parentGroupIds/-", other["id"])),
            COMPETENCE_GROUPS.patch(api, other, add("/parentGroupIds/-", one["id"])),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 400]


# --------------------------------------------------------------------------------------------------------------- delete


async def test_a_deleted_group_leaves_nothing_behind(api: Api, database: Database) -> None:
    parent, child = await COMPETENCE_GROUPS.create(api, "Parent"), await COMPETENCE_GROUPS.create(api, "Child")
    group = await COMPETENCE_GROUPS.create(
        api,
        "Middle",
        parentGroupIds=[parent["id"]],
        childGroupIds=[child["id"]],
        serviceGroupIds=[AARHUS],
        employeeIds=[ANNA],
        topicIds=[PENSION],
        customerTypeIds=[PRIVATE],
        labels=["VIP"],
    )
    answer = await api.request("DELETE", f"{COMPETENCE_GROUPS.path}/{group['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    for method in ("GET", "DELETE", "PATCH"):
        gone = await api.request(
            method, f"{COMPETENCE_GROUPS.path}/{group['id']}", json=[] if method == "PATCH" else None
        )
        assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    assert (await COMPETENCE_GROUPS.read(api, parent["id"]))["childGroupIds"] == []
    assert (await COMPETENCE_GROUPS.read(api, child["id"]))["parentGroupIds"] == []
    label = (await api.get("v3/booking/config/labels")).json()["items"][0]
    assert (label["labelName"], label["usageCount"]) == ("VIP", 0)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        tables = [
            row["table_name"]
            for row in await connection.fetch(
                "select table_name from information_schema.columns where column_name = 'competence_group_id'"
            )
        ]
        for table in tables:
            left = f"select count(*) from {table} where competence_group_id = $1"  # noqa: S608 - from the catalog
            assert await connection.fetchval(left, group["id"]) == 0, table
