"""Making, reading and listing competence groups (contract section 4, Competence groups).

The rules: docs/api/lists.md#label-filters, docs/api/groups.md.
"""

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
    EVA,
    PENSION,
    PRIVATE,
    REVIEW,
    UNKNOWN,
    Group,
)
from support.patches import pointers, replace
from support.statements import logged_statements

# ------------------------------------------------------------------------------------------------------ create and read


async def test_a_group_reads_back_as_it_was_written(api: Api) -> None:
    parent, child = await COMPETENCE_GROUPS.create(api, "Parent"), await COMPETENCE_GROUPS.create(api, "Child")
    answer = await api.post(
        COMPETENCE_GROUPS.path,
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
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{COMPETENCE_GROUPS.path}/{group['id']}"
    assert await COMPETENCE_GROUPS.read(api, group["id"]) == group
    assert (await api.get(f"v3/config/competence-groups/{group['id']}")).json() == group


async def test_only_the_name_is_needed(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api)
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
    group = await COMPETENCE_GROUPS.create(api, topicIds=[REVIEW], customerTypeIds=[PRIVATE], employeeIds=[ANNA, ANNA])
    copy = await api.post(COMPETENCE_GROUPS.path, group)
    assert copy.json() == group | {"id": copy.json()["id"]}


async def test_a_relation_shows_in_both_of_its_groups(api: Api) -> None:
    parent, child = await COMPETENCE_GROUPS.create(api, "Parent"), await COMPETENCE_GROUPS.create(api, "Child")
    group = await COMPETENCE_GROUPS.create(
        api, "Middle", parentGroupIds=[parent["id"]], childGroupIds=[child["id"]], serviceGroupIds=[AARHUS]
    )
    assert (await COMPETENCE_GROUPS.read(api, parent["id"]))["childGroupIds"] == [group["id"]]
    assert (await COMPETENCE_GROUPS.read(api, child["id"]))["parentGroupIds"] == [group["id"]]
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
        answer = await api.post(COMPETENCE_GROUPS.path, body)
        assert answer.status_code == 400, answer.text
        assert pointers(answer) == expected, answer.text
    assert (await api.post(COMPETENCE_GROUPS.path, {"name": "\0"})).json()["code"] == "unstorable_text"


async def test_two_hundred_characters_are_a_name(api: Api) -> None:
    assert len((await COMPETENCE_GROUPS.create(api, f" {'å' * 200} "))["name"]) == 200


async def test_what_a_group_names_must_exist_in_the_tenant(api: Api) -> None:
    other = await api.other()
    stranger = other.id_of("employee", "Ida Bech")
    answer = await api.post(
        COMPETENCE_GROUPS.path,
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
    answers = [await api.post(COMPETENCE_GROUPS.path, {"name": "Once"}, headers=key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    names = [group["name"] for group in (await api.get(COMPETENCE_GROUPS.path)).json()]
    assert names.count("Once") == 1


async def test_a_known_state_is_not_sent_again(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api)
    tag = (await api.get(f"{COMPETENCE_GROUPS.path}/{group['id']}")).headers["ETag"]
    assert (await api.get(f"{COMPETENCE_GROUPS.path}/{group['id']}", headers={"If-None-Match": tag})).status_code == 304


async def test_v2_has_no_groups(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api)
    for path in ("", f"/{group['id']}", f"/employee/{ANNA}"):
        assert (await api.get(f"v2/booking/config/competence-groups{path}")).status_code == 404
    assert (await api.post("v2/booking/config/competence-groups", {"name": "A"})).status_code == 404


async def test_another_tenant_sees_and_changes_nothing(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api)
    other = await api.other()
    assert group["id"] not in {one["id"] for one in (await other.get(COMPETENCE_GROUPS.path)).json()}
    assert (await other.get(f"{COMPETENCE_GROUPS.path}/{group['id']}")).status_code == 404
    assert (await COMPETENCE_GROUPS.patch(other, group, replace("/name", "Taken"))).status_code == 404
    assert (await other.request("DELETE", f"{COMPETENCE_GROUPS.path}/{group['id']}")).status_code == 404
    assert (await other.get(f"{COMPETENCE_GROUPS.path}/employee/{ANNA}")).status_code == 404
    answer = await other.request("PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/add", json=[group["id"]])
    assert answer.status_code == 404
    assert await COMPETENCE_GROUPS.read(api, group["id"]) == group


# ---------------------------------------------------------------------------------------------------------------- lists


async def test_groups_are_listed_by_name(api: Api) -> None:
    await COMPETENCE_GROUPS.create(api, "Zebra", labels=["VIP"])
    groups = (await api.get(COMPETENCE_GROUPS.path)).json()
    names = [group["name"] for group in groups]
    assert names == [*sorted(name for name, _, _ in NORDLYS.topics), "Zebra"]
    assert groups[-1] == await COMPETENCE_GROUPS.read(api, groups[-1]["id"])


async def test_a_list_may_ask_for_all_of_some_labels_or_any(api: Api) -> None:
    await COMPETENCE_GROUPS.create(api, "Both", labels=["VIP", "Aarhus"])
    await COMPETENCE_GROUPS.create(api, "One", labels=["vip"])
    await COMPETENCE_GROUPS.create(api, "None")

    async def names(query: str) -> list[str]:
        return [group["name"] for group in (await api.get(f"{COMPETENCE_GROUPS.path}?{query}")).json()]

    assert await names("labels=VIP") == ["Both", "One"]
    assert await names("labels=VIP,AARHUS") == ["Both"]
    assert await names("labels=VIP&labels=aarhus&labelMatch=any") == ["Both", "One"]
    assert await names("labels=unknown") == []


async def test_a_longer_list_takes_no_more_statements(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        await api.get(f"{COMPETENCE_GROUPS.path}?labels=VIP")
    parent, child = (
        (await COMPETENCE_GROUPS.create(api, "Parent"))["id"],
        (await COMPETENCE_GROUPS.create(api, "Child"))["id"],
    )
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
        await COMPETENCE_GROUPS.create(api, f"Group {number}", **everything)
    with logged_statements(database) as many:
        assert len((await api.get(f"{COMPETENCE_GROUPS.path}?labels=VIP")).json()) == 30
    assert len(many) == len(few)


async def test_more_of_everything_takes_no_more_statements_to_write(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        await COMPETENCE_GROUPS.create(api, employeeIds=[ANNA], topicIds=[REVIEW], labels=["One"])
    employees = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
    topics = [str(NORDLYS.id_of("topic", name)) for name, _, _ in NORDLYS.topics]
    with logged_statements(database) as many:
        await COMPETENCE_GROUPS.create(
            api, employeeIds=employees, topicIds=topics, labels=[f"Label {number}" for number in range(30)]
        )
    assert len(many) == len(few)
