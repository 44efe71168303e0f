"""The members of a service group (contract section 4, Service groups; docs/api/lists.md, docs/api/groups.md)."""

from support.factories import Api
from support.fakes import HandClock
from support.groups import (
    AARHUS,
    ANNA,
    BO,
    COMPETENCE_GROUPS,
    DAVID,
    EVA,
    GITTE,
    HASSAN,
    PENSION,
    PENSION_GROUP,
    SERVICE_GROUPS,
    UNKNOWN,
    Group,
)
from support.patches import add, pointers, replace


async def advisors(api: Api, group: Group) -> dict[str, list[str]]:
    answer = await api.get(f"{SERVICE_GROUPS.path}/{group['id']}/advisors")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_advisors_serve_by_skill_as_members_and_through_competence_groups(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api, employeeIds=[DAVID, BO])
    assert await advisors(api, group) == {"skillBased": [], "assigned": [BO, DAVID], "competenceGroupAdvisors": []}
    seniors = await api.post(COMPETENCE_GROUPS.path, {"name": "Seniors", "employeeIds": [EVA], "topicIds": [PENSION]})
    await SERVICE_GROUPS.patch(api, group, replace("/competenceGroupIds", [seniors.json()["id"]]))
    expected = {"skillBased": [ANNA, EVA, GITTE], "assigned": [BO, DAVID], "competenceGroupAdvisors": [EVA]}
    assert await advisors(api, group) == expected
    await api.post(COMPETENCE_GROUPS.path, {"name": "Generalists", "employeeIds": [HASSAN]})
    assert await advisors(api, group) == expected | {"skillBased": [ANNA, EVA, GITTE, HASSAN]}
    assert (await api.get(f"{SERVICE_GROUPS.path}/{UNKNOWN}/advisors")).status_code == 404


async def test_a_competence_group_of_no_topic_brings_its_members_but_no_skill(api: Api) -> None:
    anything = await api.post(COMPETENCE_GROUPS.path, {"name": "Generalists", "employeeIds": [HASSAN]})
    group = await SERVICE_GROUPS.create(api, competenceGroupIds=[anything.json()["id"]])
    assert await advisors(api, group) == {"skillBased": [], "assigned": [], "competenceGroupAdvisors": [HASSAN]}


async def test_an_employees_groups_are_listed_with_address_and_date(api: Api, clock: HandClock) -> None:
    group = await SERVICE_GROUPS.create(api, employeeIds=[ANNA], membershipEmail="seniors@nordlys.example")
    clock.advance(minutes=10)
    await SERVICE_GROUPS.patch(api, group, add("/employeeIds/0", BO))
    dates = {ANNA: "2026-03-02T06:00:00Z", BO: "2026-03-02T06:10:00Z"}
    for employee, date in dates.items():
        groups = (await api.get(f"{SERVICE_GROUPS.path}/employee/{employee}")).json()
        assert [one["name"] for one in groups] == ["Aarhus branch", "Seniors"]
        assert groups[1] == {
            "id": group["id"],
            "name": "Seniors",
            "membershipEmail": "seniors@nordlys.example",
            "dateAssigned": date,
        }
    assert (await api.get(f"{SERVICE_GROUPS.path}/employee/{UNKNOWN}")).status_code == 404


async def test_adding_and_removing_twice_is_like_once(api: Api) -> None:
    group = await SERVICE_GROUPS.create(api, employeeIds=[BO])
    before = (await api.get(f"{SERVICE_GROUPS.path}/employee/{ANNA}")).json()
    for _ in range(2):
        added = await api.request(
            "PATCH", f"{SERVICE_GROUPS.path}/employee/{ANNA}/add", json=[group["id"], group["id"]]
        )
        assert [one["name"] for one in added.json()] == ["Aarhus branch", "Seniors"]
    assert (await SERVICE_GROUPS.read(api, group["id"]))["employeeIds"] == [BO, ANNA]
    for _ in range(2):
        removed = await api.request("PATCH", f"{SERVICE_GROUPS.path}/employee/{ANNA}/remove", json=[group["id"]])
        assert (removed.status_code, removed.json()) == (200, before)


async def test_groups_and_employees_of_a_membership_must_exist(api: Api) -> None:
    for verb in ("add", "remove"):
        unknown = await api.request(
            "PATCH", f"{SERVICE_GROUPS.path}/employee/{ANNA}/{verb}", json=[UNKNOWN, AARHUS, PENSION_GROUP]
        )
        assert (unknown.status_code, pointers(unknown)) == (404, ["/0", "/2"])
        nobody = await api.request("PATCH", f"{SERVICE_GROUPS.path}/employee/{UNKNOWN}/{verb}", json=[AARHUS])
        assert (nobody.status_code, nobody.json()["code"]) == (404, "not_found")
        assert (
            await api.request("PATCH", f"{SERVICE_GROUPS.path}/employee/{ANNA}/{verb}", json=["x"])
        ).status_code == 400
