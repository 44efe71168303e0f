"""Competence groups over HTTP (contract section 4, Competence groups; docs/api.md 18, 32)."""

import asyncio
from collections import Counter
from typing import Any
from uuid import uuid4

import httpx

from factories import Api
from fakes import HandClock
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.db import Database
from statements import logged_statements

GROUPS = "v3/booking/config/competence-groups"
ANNA, BO, EVA = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind", "Eva Sand"))
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
AARHUS, COPENHAGEN = (str(NORDLYS.id_of("service group", name)) for name in ("Aarhus", "København"))
UNKNOWN = str(uuid4())

Group = dict[str, Any]


async def create(api: Api, name: str = "Seniors", **members: Any) -> Group:
    answer = await api.post(GROUPS, {"name": name} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def read(api: Api, group_id: str) -> Group:
    answer = await api.get(f"{GROUPS}/{group_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def patch(api: Api, group: Group, *operations: Group, **arguments: Any) -> httpx.Response:
    return await api.request("PATCH", f"{GROUPS}/{group['id']}", json=operations, **arguments)


def replace(path: str, value: object) -> Group:
    return {"op": "replace", "path": path, "value": value}


def add(path: str, value: object) -> Group:
    return {"op": "add", "path": path, "value": value}


def pointers(answer: httpx.Response) -> list[str]:
    return [error["pointer"] for error in answer.json()["errors"]]


# ---------------------------------------------------------------------------------------------------- create and read


async def test_a_group_reads_back_as_it_was_written(api: Api) -> None:
    parent, child = await create(api, "Parent"), await create(api, "Child")
    answer = await api.post(
        GROUPS,
        {
            "name": " Pension 👵 seniors ",
            "employeeIds": [EVA, ANNA],
            "customerTypeIds": [BUSINESS, PRIVATE],
            "topicIds": [REVIEW, PENSION],
            "labels": ["VIP", "Aarhus"],
            "parentGroupIds": [parent["id"]],
            "childGroupIds": [child["id"]],
            "serviceGroupIds": [AARHUS],
        },
    )
    assert answer.status_code == 201, answer.text
    group = answer.json()
    assert group == {
        "id": group["id"],
        "name": "Pension 👵 seniors",
        "childGroupIds": [child["id"]],
        "parentGroupIds": [parent["id"]],
        "customerTypes": [{"id": BUSINESS, "name": "Business"}, {"id": PRIVATE, "name": "Private"}],
        "employeeIds": [EVA, ANNA],
        "topics": [{"id": REVIEW, "name": "Annual review"}, {"id": PENSION, "name": "Pension check"}],
        "serviceGroupIds": [AARHUS],
        "labels": ["VIP", "Aarhus"],
    }
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{GROUPS}/{group['id']}"
    assert await read(api, group["id"]) == group
    assert (await api.get(f"v3/config/competence-groups/{group['id']}")).json() == group


async def test_only_the_name_is_needed(api: Api) -> None:
    group = await create(api)
    assert group == {"id": group["id"], "name": "Seniors"} | {
        member: []
        for member in (
            "childGroupIds",
            "parentGroupIds",
            "customerTypes",
            "employeeIds",
            "topics",
            "serviceGroupIds",
            "labels",
        )
    }


async def test_a_group_as_it_was_read_can_be_sent_again(api: Api) -> None:
    group = await create(api, topicIds=[REVIEW], customerTypeIds=[PRIVATE], employeeIds=[ANNA, ANNA])
    copy = await api.post(GROUPS, group)
    assert copy.json() == group | {"id": copy.json()["id"]}


async def test_a_relation_shows_in_both_of_its_groups(api: Api) -> None:
    parent, child = await create(api, "Parent"), await create(api, "Child")
    group = await create(
        api, "Middle", parentGroupIds=[parent["id"]], childGroupIds=[child["id"]], serviceGroupIds=[AARHUS]
    )
    assert (await read(api, parent["id"]))["childGroupIds"] == [group["id"]]
    assert (await read(api, child["id"]))["parentGroupIds"] == [group["id"]]
    service_group = (await api.get(f"v3/booking/config/service-groups/{AARHUS}")).json()
    assert service_group["competenceGroupIds"][-1] == group["id"]


async def test_what_makes_no_group_is_refused_with_every_fault(api: Api) -> None:
    refused: list[tuple[object, list[str]]] = [
        ({}, ["/name"]),
        ({"name": " \t"}, ["/name"]),
        ({"name": "x" * 201}, ["/name"]),
        ({"name": 7, "employeeIds": "Anna", "labels": [1]}, ["/name", "/employeeIds", "/labels/0"]),
        ({"name": "A", "employeeIds": [ANNA, "Bo"]}, ["/employeeIds/1"]),
        ({"name": "A", "employeeIds": [ANNA] * 10_001}, ["/employeeIds"]),
        ({"name": "A", "topicIds": [REVIEW], "topics": [{"id": REVIEW}]}, ["/topicIds"]),
        ({"name": "A", "labels": ["VIP", " "]}, ["/labels/1"]),
        ([], [""]),
    ]
    for body, expected in refused:
        answer = await api.post(GROUPS, body)
        assert answer.status_code == 400, answer.text
        assert pointers(answer) == expected, answer.text
    assert (await api.post(GROUPS, {"name": "\0"})).json()["code"] == "unstorable_text"


async def test_two_hundred_characters_are_a_name(api: Api) -> None:
    assert len((await create(api, f" {'å' * 200} "))["name"]) == 200


async def test_what_a_group_names_must_exist_in_the_tenant(api: Api) -> None:
    other = await api.other()
    stranger = other.id_of("employee", "Ida Bech")
    answer = await api.post(
        GROUPS,
        {
            "name": "Strangers",
            "employeeIds": [ANNA, stranger],
            "customerTypeIds": [UNKNOWN],
            "topics": [{"id": UNKNOWN}],
            "parentGroupIds": [UNKNOWN],
            "childGroupIds": [UNKNOWN],
            "serviceGroupIds": [COPENHAGEN, UNKNOWN],
        },
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert set(pointers(answer)) == {
        "/employeeIds/1",
        "/customerTypeIds/0",
        "/topics/0/id",
        "/parentGroupIds/0",
        "/childGroupIds/0",
        "/serviceGroupIds/1",
    }


async def test_a_repeat_of_creating_makes_one_group(api: Api) -> None:
    key = {"Idempotency-Key": "one"}
    answers = [await api.post(GROUPS, {"name": "Once"}, headers=key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    names = [group["name"] for group in (await api.get(GROUPS)).json()]
    assert names.count("Once") == 1


async def test_a_known_state_is_not_sent_again(api: Api) -> None:
    group = await create(api)
    tag = (await api.get(f"{GROUPS}/{group['id']}")).headers["ETag"]
    assert (await api.get(f"{GROUPS}/{group['id']}", headers={"If-None-Match": tag})).status_code == 304


async def test_v2_has_no_groups(api: Api) -> None:
    group = await create(api)
    for path in ("", f"/{group['id']}", f"/employee/{ANNA}"):
        assert (await api.get(f"v2/booking/config/competence-groups{path}")).status_code == 404
    assert (await api.post("v2/booking/config/competence-groups", {"name": "A"})).status_code == 404


async def test_another_tenant_sees_and_changes_nothing(api: Api) -> None:
    group = await create(api)
    other = await api.other()
    assert group["id"] not in {one["id"] for one in (await other.get(GROUPS)).json()}
    assert (await other.get(f"{GROUPS}/{group['id']}")).status_code == 404
    assert (await patch(other, group, replace("/name", "Taken"))).status_code == 404
    assert (await other.request("DELETE", f"{GROUPS}/{group['id']}")).status_code == 404
    assert (await other.get(f"{GROUPS}/employee/{ANNA}")).status_code == 404
    answer = await other.request("PATCH", f"{GROUPS}/employee/{ANNA}/add", json=[group["id"]])
    assert answer.status_code == 404
    assert await read(api, group["id"]) == group


# ------------------------------------------------------------------------------------------------------------- lists


async def test_groups_are_listed_by_name(api: Api) -> None:
    await create(api, "Zebra", labels=["VIP"])
    groups = (await api.get(GROUPS)).json()
    names = [group["name"] for group in groups]
    assert names == [*sorted(name for name, _, _ in NORDLYS.topics), "Zebra"]
    assert groups[-1] == await read(api, groups[-1]["id"])


async def test_a_list_may_ask_for_all_of_some_labels_or_any(api: Api) -> None:
    await create(api, "Both", labels=["VIP", "Aarhus"])
    await create(api, "One", labels=["vip"])
    await create(api, "None")

    async def names(query: str) -> list[str]:
        return [group["name"] for group in (await api.get(f"{GROUPS}?{query}")).json()]

    assert await names("labels=VIP") == ["Both", "One"]
    assert await names("labels=VIP,AARHUS") == ["Both"]
    assert await names("labels=VIP&labels=aarhus&labelMatch=any") == ["Both", "One"]
    assert await names("labels=unknown") == []


async def test_a_longer_list_takes_no_more_statements(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        await api.get(f"{GROUPS}?labels=VIP")
    parent, child = (await create(api, "Parent"))["id"], (await create(api, "Child"))["id"]
    everything: Group = {
        "employeeIds": [ANNA, BO],
        "topicIds": [REVIEW, PENSION],
        "customerTypeIds": [PRIVATE],
        "parentGroupIds": [parent],
        "childGroupIds": [child],
        "serviceGroupIds": [AARHUS],
        "labels": ["VIP", "Aarhus"],
    }
    for number in range(30):
        await create(api, f"Group {number}", **everything)
    with logged_statements(database) as many:
        assert len((await api.get(f"{GROUPS}?labels=VIP")).json()) == 30
    assert len(many) == len(few)


async def test_more_of_everything_takes_no_more_statements_to_write(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        await create(api, employeeIds=[ANNA], topicIds=[REVIEW], labels=["One"])
    employees = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
    topics = [str(NORDLYS.id_of("topic", name)) for name, _, _ in NORDLYS.topics]
    with logged_statements(database) as many:
        await create(api, employeeIds=employees, topicIds=topics, labels=[f"Label {number}" for number in range(30)])
    assert len(many) == len(few)


# ------------------------------------------------------------------------------------------------------------- change


async def test_each_member_can_be_patched(api: Api) -> None:
    parent, child = await create(api, "Parent"), await create(api, "Child")
    group = await create(api, employeeIds=[ANNA], labels=["VIP"])
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
        ({"op": "remove", "path": "/labels"}, {"labels": []}),
        ({"op": "remove", "path": "/topics/0"}, {"topics": [{"id": REVIEW, "name": "Annual review"}]}),
        ({"op": "remove", "path": "/topicIds/0"}, {"topics": []}),
        ({"op": "remove", "path": "/employeeIds/0"}, {"employeeIds": [ANNA]}),
        (replace("/parentGroupIds", []), {"parentGroupIds": []}),
        ({"op": "remove", "path": "/childGroupIds/0"}, {"childGroupIds": []}),
        (replace("/serviceGroupIds", []), {"serviceGroupIds": []}),
    ]
    for operation, outcome in changes:
        answer = await patch(api, group, operation)
        assert answer.status_code == 200, f"{operation}: {answer.text}"
        assert answer.json() == group | outcome, operation
        group = answer.json()
        assert await read(api, group["id"]) == group


async def test_a_patch_is_done_wholly_or_not_at_all(api: Api) -> None:
    group = await create(api, topicIds=[REVIEW])
    for wrong in (
        add("/employeeIds/-", UNKNOWN),
        {"op": "test", "path": "/name", "value": "Other"},
        replace("/id", UNKNOWN),
        {"op": "remove", "path": "/name"},
        add("/labels/-", ""),
        add("/parentGroupIds/-", group["id"]),
    ):
        answer = await patch(api, group, replace("/name", "Juniors"), wrong)
        assert answer.status_code in {400, 404, 409}, answer.text
        assert await read(api, group["id"]) == group


async def test_what_a_group_names_gets_no_new_name_by_it(api: Api) -> None:
    group = await create(api, topicIds=[REVIEW])
    answer = await patch(api, group, replace("/topics/0/name", "Yearly review"))
    assert (answer.status_code, pointers(answer)) == (400, ["/topics/0/name"])
    swapped = await patch(api, group, replace("/topics/0/id", PENSION))
    assert swapped.json()["topics"] == [{"id": PENSION, "name": "Pension check"}]


async def test_topics_and_topic_ids_are_not_mixed_in_one_patch(api: Api) -> None:
    group = await create(api, topicIds=[REVIEW])
    answer = await patch(api, group, add("/topicIds/-", PENSION), {"op": "remove", "path": "/topics/0"})
    assert answer.status_code == 400
    assert "/topicIds" in answer.json()["detail"]
    moved = await patch(api, group, {"op": "move", "from": "/topicIds/0", "path": "/labels/-"})
    assert (moved.json()["topics"], moved.json()["labels"]) == ([], [REVIEW])


async def test_a_change_of_what_was_read_before_another_change_is_refused(api: Api) -> None:
    group = await create(api)
    seen = {"If-Match": (await api.get(f"{GROUPS}/{group['id']}")).headers["ETag"]}
    changed = await patch(api, group, replace("/name", "Juniors"), headers=seen)
    assert changed.status_code == 200
    assert (await patch(api, group, replace("/name", "Others"), headers=seen)).status_code == 412
    assert (await api.request("DELETE", f"{GROUPS}/{group['id']}", headers=seen)).status_code == 412
    fresh = {"If-Match": changed.headers["ETag"]}
    assert (await api.request("DELETE", f"{GROUPS}/{group['id']}", headers=fresh)).status_code == 204


async def test_of_many_who_change_what_they_have_seen_at_once_one_does(api: Api) -> None:
    group = await create(api)
    seen = {"If-Match": (await api.get(f"{GROUPS}/{group['id']}")).headers["ETag"]}
    answers = await asyncio.gather(*(patch(api, group, replace("/name", f"{n}"), headers=seen) for n in range(6)))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 412: 5}


async def test_many_who_add_at_once_all_do(api: Api) -> None:
    groups = [await create(api, f"Group {number}") for number in range(3)]
    employees = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
    answers = await asyncio.gather(
        *(patch(api, group, add("/employeeIds/-", one)) for one in employees for group in groups),
        *(
            api.request("PATCH", f"{GROUPS}/employee/{one}/add", json=[group["id"] for group in reversed(groups)])
            for one in employees
        ),
    )
    assert {answer.status_code for answer in answers} == {200}
    for group in groups:
        assert sorted((await read(api, group["id"]))["employeeIds"]) == sorted(employees)


# -------------------------------------------------------------------------------------------------- parents, children


async def test_parents_form_no_circle_and_the_refusal_names_it(api: Api) -> None:
    top = await create(api, "Top")
    middle = await create(api, "Middle", parentGroupIds=[top["id"]])
    bottom = await create(api, "Bottom", parentGroupIds=[middle["id"], top["id"]])
    for group, operation, names, pointer in (
        (top, add("/parentGroupIds/-", bottom["id"]), ("'Top'", "'Bottom'"), "/parentGroupIds/0"),
        (bottom, add("/childGroupIds/-", top["id"]), ("'Bottom'", "'Top'"), "/childGroupIds/0"),
        (top, add("/parentGroupIds/-", top["id"]), ("'Top' → 'Top'",), "/parentGroupIds/0"),
        (top, add("/childGroupIds/0", top["id"]), ("'Top' → 'Top'",), "/childGroupIds/0"),
    ):
        answer = await patch(api, group, operation)
        assert (answer.status_code, answer.json()["code"]) == (400, "circular_groups"), answer.text
        assert all(name in answer.json()["detail"] for name in names)
        assert pointer in pointers(answer)
    answer = await api.post(GROUPS, {"name": "X", "parentGroupIds": [bottom["id"]], "childGroupIds": [top["id"]]})
    assert (answer.status_code, answer.json()["code"]) == (400, "circular_groups")
    turned = await patch(api, bottom, replace("/parentGroupIds", []), replace("/childGroupIds", [top["id"]]))
    assert turned.status_code == 200, turned.text


async def test_two_who_would_close_a_circle_together_do_not(api: Api) -> None:
    for number in range(5):
        one, other = await create(api, f"One {number}"), await create(api, f"Other {number}")
        answers = await asyncio.gather(
            patch(api, one, add("/parentGroupIds/-", other["id"])),
            patch(api, other, add("/parentGroupIds/-", one["id"])),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 400]


# ------------------------------------------------------------------------------------------------------------- delete


async def test_a_deleted_group_leaves_nothing_behind(api: Api, database: Database) -> None:
    parent, child = await create(api, "Parent"), await create(api, "Child")
    group = await create(
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
    answer = await api.request("DELETE", f"{GROUPS}/{group['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    for method in ("GET", "DELETE", "PATCH"):
        gone = await api.request(method, f"{GROUPS}/{group['id']}", json=[] if method == "PATCH" else None)
        assert (gone.status_code, gone.json()["code"]) == (404, "not_found")
    assert (await read(api, parent["id"]))["childGroupIds"] == []
    assert (await read(api, child["id"]))["parentGroupIds"] == []
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


# -------------------------------------------------------------------------------------------------------- memberships


async def memberships(api: Api, employee: str = ANNA) -> list[Group]:
    answer = await api.get(f"{GROUPS}/employee/{employee}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_employees_groups_are_listed_by_name_with_the_date(api: Api, clock: HandClock) -> None:
    clock.advance(days=1)
    api = await api.of(NORDLYS)
    group = await create(api, employeeIds=[ANNA])
    groups = await memberships(api)
    assert [one["name"] for one in groups] == ["Annual review", "Buying a home", "Pension check", "Seniors"]
    assert groups[-1] == {"id": group["id"], "name": "Seniors", "dateAssigned": "2026-03-03T06:00:00Z"}


async def test_who_stays_a_member_keeps_the_date(api: Api, clock: HandClock) -> None:
    group = await create(api, employeeIds=[ANNA])
    clock.advance(minutes=10)
    await patch(api, group, add("/employeeIds/0", BO))
    await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/add", json=[group["id"]])
    dates = {one: (await memberships(api, one))[-1]["dateAssigned"] for one in (ANNA, BO)}
    assert dates == {ANNA: "2026-03-02T06:00:00Z", BO: "2026-03-02T06:10:00Z"}


async def test_adding_and_removing_twice_is_like_once(api: Api) -> None:
    group, other = await create(api, "Seniors", employeeIds=[BO]), await create(api, "Tigers")
    before = await memberships(api)
    for _ in range(2):
        added = await api.request(
            "PATCH", f"{GROUPS}/employee/{ANNA}/add", json=[other["id"], group["id"], group["id"]]
        )
        assert added.status_code == 200, added.text
        assert added.json() == await memberships(api)
        assert [one["name"] for one in added.json()] == [one["name"] for one in before] + ["Seniors", "Tigers"]
    assert (await read(api, group["id"]))["employeeIds"] == [BO, ANNA]
    for _ in range(2):
        removed = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/remove", json=[group["id"], other["id"]])
        assert (removed.status_code, removed.json()) == (200, before)
    assert (await read(api, group["id"]))["employeeIds"] == [BO]


async def test_groups_and_employees_of_a_membership_must_exist(api: Api) -> None:
    group = await create(api)
    for verb in ("add", "remove"):
        unknown = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/{verb}", json=[group["id"], UNKNOWN])
        assert (unknown.status_code, unknown.json()["code"]) == (404, "reference_not_found")
        assert pointers(unknown) == ["/1"]
        service_group = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/{verb}", json=[AARHUS])
        assert pointers(service_group) == ["/0"]
        nobody = await api.request("PATCH", f"{GROUPS}/employee/{UNKNOWN}/{verb}", json=[group["id"]])
        assert (nobody.status_code, nobody.json()["code"]) == (404, "not_found")
        wrong_bodies: list[object] = [{"ids": []}, [7], ["x"], "x", None, [group["id"]] * 10_001]
        for body in wrong_bodies:
            wrong = await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/{verb}", json=body)
            assert wrong.status_code == 400, body
        assert (await api.request("PATCH", f"{GROUPS}/employee/{ANNA}/{verb}", json=[])).status_code == 200
    assert (await api.get(f"{GROUPS}/employee/{UNKNOWN}")).status_code == 404
    assert group["name"] not in [one["name"] for one in await memberships(api)]
