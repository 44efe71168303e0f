"""The members of a competence group (contract section 4, Competence groups; docs/api/lists.md, docs/api/groups.md)."""

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.fakes import HandClock
from support.groups import AARHUS, ANNA, BO, COMPETENCE_GROUPS, UNKNOWN, Group
from support.patches import add, pointers


async def memberships(api: Api, employee: str = ANNA) -> list[Group]:
    answer = await api.get(f"{COMPETENCE_GROUPS.path}/employee/{employee}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_employees_groups_are_listed_by_name_with_the_date(api: Api, clock: HandClock) -> None:
    clock.advance(days=1)
    api = await api.of(NORDLYS)
    group = await COMPETENCE_GROUPS.create(api, employeeIds=[ANNA])
    groups = await memberships(api)
    assert [one["name"] for one in groups] == ["Annual review", "Buying a home", "Pension check", "Seniors"]
    assert groups[-1] == {"id": group["id"], "name": "Seniors", "dateAssigned": "2026-03-03T06:00:00Z"}


async def test_who_stays_a_member_keeps_the_date(api: Api, clock: HandClock) -> None:
    group = await COMPETENCE_GROUPS.create(api, employeeIds=[ANNA])
    clock.advance(minutes=10)
    await COMPETENCE_GROUPS.patch(api, group, add("/employeeIds/0", BO))
    await api.request("PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/add", json=[group["id"]])
    dates = {one: (await memberships(api, one))[-1]["dateAssigned"] for one in (ANNA, BO)}
    assert dates == {ANNA: "2026-03-02T06:00:00Z", BO: "2026-03-02T06:10:00Z"}


async def test_adding_and_removing_twice_is_like_once(api: Api) -> None:
    group, other = (
        await COMPETENCE_GROUPS.create(api, "Seniors", employeeIds=[BO]),
        await COMPETENCE_GROUPS.create(api, "Tigers"),
    )
    before = await memberships(api)
    for _ in range(2):
        added = await api.request(
            "PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/add", json=[other["id"], group["id"], group["id"]]
        )
        assert added.status_code == 200, added.text
        assert added.json() == await memberships(api)
        assert [one["name"] for one in added.json()] == [one["name"] for one in before] + ["Seniors", "Tigers"]
    assert (await COMPETENCE_GROUPS.read(api, group["id"]))["employeeIds"] == [BO, ANNA]
    for _ in range(2):
        removed = await api.request(
            "PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/remove", json=[group["id"], other["id"]]
        )
        assert (removed.status_code, removed.json()) == (200, before)
    assert (await COMPETENCE_GROUPS.read(api, group["id"]))["employeeIds"] == [BO]


async def test_groups_and_employees_of_a_membership_must_exist(api: Api) -> None:
    group = await COMPETENCE_GROUPS.create(api)
    for verb in ("add", "remove"):
        unknown = await api.request(
            "PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/{verb}", json=[group["id"], UNKNOWN]
        )
        assert (unknown.status_code, unknown.json()["code"]) == (404, "reference_not_found")
        assert pointers(unknown) == ["/1"]
        service_group = await api.request("PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/{verb}", json=[AARHUS])
        assert pointers(service_group) == ["/0"]
        nobody = await api.request("PATCH", f"{COMPETENCE_GROUPS.path}/employee/{UNKNOWN}/{verb}", json=[group["id"]])
        assert (nobody.status_code, nobody.json()["code"]) == (404, "not_found")
        wrong_bodies: list[object] = [{"ids": []}, [7], ["x"], "x", None, [group["id"]] * 10_001]
        for body in wrong_bodies:
            wrong = await api.request("PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/{verb}", json=body)
            assert wrong.status_code == 400, body
        assert (
            await api.request("PATCH", f"{COMPETENCE_GROUPS.path}/employee/{ANNA}/{verb}", json=[])
        ).status_code == 200
    assert (await api.get(f"{COMPETENCE_GROUPS.path}/employee/{UNKNOWN}")).status_code == 404
    assert group["name"] not in [one["name"] for one in await memberships(api)]
