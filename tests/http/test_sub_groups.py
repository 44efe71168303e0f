"""Groups below a competence group serve what it serves (docs/api/groups.md#sub-groups)."""

from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.groups import (
    ANNA,
    BO,
    BUSINESS,
    COMPETENCE_GROUPS,
    EVA,
    GITTE,
    HASSAN,
    INVESTING,
    PENSION,
    PRIVATE,
    Group,
)
from support.patches import add, pointers, replace
from support.searches import change, employees_of, search

CAMILLA, DAVID = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[2:4])
EVERYBODY = {str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors}
PENSION_GROUP = f"competence-groups/{NORDLYS.id_of('competence group', 'Pension check')}"
BRANCHES = [f"service-groups/{NORDLYS.id_of('service group', place)}" for place in ("Aarhus", "København")]
AS_GROUP = {"employeeTypes": "ServiceGroup"}


async def find(api: Api, **query: Any) -> set[str]:
    return employees_of(await search(api, **query))


async def pension_over(api: Api, *levels: list[str], **members: Any) -> list[Group]:
    """Make a chain of groups below the one for pensions, which Anna, Eva and Gitte are in: each with its employees."""
    made: list[Group] = []
    above = PENSION_GROUP.partition("/")[2]
    for number, employees in enumerate(levels):
        given = members | {"employeeIds": employees, "parentGroupIds": [above]}
        made.append(await COMPETENCE_GROUPS.create(api, f"Level {number}", **given))
        above = made[-1]["id"]
    return made


async def test_a_group_that_serves_brings_the_employees_of_all_groups_below(api: Api) -> None:
    before = await find(api, topic=PENSION)
    first, second = await pension_over(api, [BO], [HASSAN], topicIds=[INVESTING])
    assert await find(api, topic=PENSION) == before | {BO, HASSAN}
    assert await find(api, topic=PENSION, explicitEmployeeIds=[HASSAN, DAVID]) == {HASSAN}
    await COMPETENCE_GROUPS.patch(api, second, replace("/parentGroupIds", []))
    assert await find(api, topic=PENSION) == before | {BO}
    await COMPETENCE_GROUPS.patch(api, first, replace("/parentGroupIds", []))
    assert await find(api, topic=PENSION) == before


async def test_a_group_that_names_no_topic_brings_everybody_below_for_all_topics(api: Api) -> None:
    await pension_over(api, [BO], topicIds=[INVESTING])
    topics = [str(NORDLYS.id_of("topic", name)) for name in ("Starting a business", "Buying a home")]
    before = [await find(api, topic=topic) for topic in topics]
    await change(api, PENSION_GROUP, topicIds=[])
    for topic, found in zip(topics, before, strict=True):
        assert await find(api, topic=topic) == found | {ANNA, BO, EVA, GITTE}


async def test_customer_types_of_the_group_above_serve_those_below(api: Api) -> None:
    await change(api, PENSION_GROUP, customerTypeIds=[BUSINESS])
    await pension_over(api, [BO], customerTypeIds=[PRIVATE], topicIds=[INVESTING])
    assert BO in await find(api, topic=PENSION, customerTypeId=BUSINESS)
    assert BO not in await find(api, topic=PENSION, customerTypeId=PRIVATE)  # that group names no pensions
    assert await find(api, customerTypeId=BUSINESS) == EVERYBODY


async def test_service_groups_reach_down_in_search_holds_and_lists(api: Api) -> None:
    _, bottom = await pension_over(api, [BO], [CAMILLA])
    for branch in BRANCHES:
        await change(api, branch, employeeIds=[], competenceGroupIds=[])
    assert await find(api, **AS_GROUP) == set()
    team = await api.post(
        "v3/booking/config/service-groups", {"name": "Team", "competenceGroupIds": [PENSION_GROUP.partition("/")[2]]}
    )
    before = set(team.json()["employeeIds"])
    assert before == set()
    assert {BO, CAMILLA} <= await find(api, **AS_GROUP)
    address = f"v3/booking/config/service-groups/{team.json()['id']}/advisors"
    advisors = (await api.get(address)).json()
    assert {ANNA, BO, CAMILLA, GITTE} <= set(advisors["competenceGroupAdvisors"])
    assert {BO, CAMILLA} <= set(advisors["skillBased"])
    for schedule in ("Anna Holm", "Bo Lind", "Eva Sand", "Gitte Møller"):
        await change(api, f"employee-schedules/{NORDLYS.id_of('schedule', schedule)}", isOnlyExplicitlyAvailable=True)
    held = await api.reserve(TUESDAY_AT_TEN, serviceGroup="Team")
    assert (held.status_code, held.json()["employeeId"]) == (201, CAMILLA)
    await COMPETENCE_GROUPS.patch(api, bottom, replace("/parentGroupIds", []))
    assert CAMILLA not in await find(api, **AS_GROUP)


async def test_the_explanation_names_the_groups_above(api: Api) -> None:
    top = await COMPETENCE_GROUPS.create(api, "All of us", topicIds=[INVESTING])
    await COMPETENCE_GROUPS.create(
        api, "Juniors", topicIds=[INVESTING], employeeIds=[DAVID], parentGroupIds=[top["id"]]
    )
    query = {"employeeId": DAVID, "date": "2026-03-03", "topic": PENSION}
    (reason,) = (await api.get("v3/booking/time-slots/explain", params=query)).json()["reasons"]
    assert "Groups of David Krogh: “Juniors” and “Starting a business”, below “All of us”." in reason["detail"]


@pytest.mark.parametrize("from_above", [True, False])
async def test_the_33rd_level_is_refused_and_says_how_many_there_would_be(from_above: bool, api: Api) -> None:  # noqa: FBT001 - a case
    chain = [await COMPETENCE_GROUPS.create(api, "Level 1")]
    for number in range(2, 33):
        chain.append(await COMPETENCE_GROUPS.create(api, f"Level {number}", parentGroupIds=[chain[-1]["id"]]))
    member, pointer = (
        ({"parentGroupIds": [chain[-1]["id"]]}, "/parentGroupIds")
        if from_above
        else ({"childGroupIds": [chain[0]["id"]]}, "/childGroupIds")
    )
    answer = await api.post(COMPETENCE_GROUPS.path, {"name": "Level 33"} | member)
    assert (answer.status_code, answer.json()["code"], pointers(answer)) == (400, "groups_too_deep", [pointer])
    assert "at most 32 levels" in answer.json()["detail"]
    assert "there would be 33" in answer.json()["detail"]
    renamed = await COMPETENCE_GROUPS.patch(api, chain[15], replace("/name", "Still there"))
    assert renamed.status_code == 200
    joined = await COMPETENCE_GROUPS.create(api, "Aside", parentGroupIds=[chain[15]["id"]])
    refused = await COMPETENCE_GROUPS.patch(api, joined, add("/childGroupIds/-", chain[15]["id"]))
    assert refused.json()["code"] == "circular_groups"
