"""More ways of offering an advisor never offer less: the search, bookings and explanations of firms drawn by lot.

The rules: docs/api/advisors.md#more-ways.
"""

import random
import re
from collections import Counter
from typing import Any

import pytest

from meetdeck.booking.slots.model import MEETING_TYPES
from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, CAMILLA
from support.searches import Query, change, search, send_search

BRANCH, OTHER_BRANCH = (f"service-groups/{NORDLYS.id_of('service group', place)}" for place in ("Aarhus", "København"))
EVA = str(NORDLYS.id_of("employee", "Eva Sand"))
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
GROUP_OF_PENSION = str(NORDLYS.id_of("competence group", "Pension check"))
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
NAMED: list[Query] = [
    {"requireEmployeeParticipation": "true"},
    {"requireEmployeeParticipation": "false"},
    {"employeeTypes": "Explicit,ServiceGroup"},
    {"employeeTypes": "Explicit,Local,ServiceGroup", "customerLocation": "Aarhus"},
    {"requireEmployeeParticipation": "true", "getBestTimeSlots": "true"},
]
RULES: list[tuple[str, list[Any]]] = [
    ("serviceTrigger/meetingTypes", [[], ["Telephone"], ["Online", "Physical"]]),
    ("serviceTrigger/locations", [[], ["aarhus"], ["København"]]),
    ("serviceTrigger/topicIds", [[], [REVIEW]]),
    ("serviceLevel/meetingTypes", [None, ["Telephone"], ["Physical", "Online"], []]),
    ("serviceLevel/locations", [None, ["aarhus"], ["Odense"]]),
    ("serviceLevel/responseTime", ["00:00:00", "1.04:00:00"]),
    ("serviceLevel/bufferBefore", ["00:00:00", "00:45:00"]),
    ("serviceLevel/priority", [0, 0, 10, 20]),
    ("competenceGroupIds", [[], [GROUP_OF_PENSION]]),
    ("employeeIds", [[ANNA, BO], [ANNA, CAMILLA, EVA], []]),
]
ASKED: dict[str, list[str | None]] = {
    "topic": [None, REVIEW, PENSION],
    "customerLocation": [None, "Aarhus", "København"],
    "meetingTypes": [None, None, "telephone,online"],
    "isCustomerInitiated": [None, "true"],
}
ROUNDS, SEARCHES = 10, 4
KINDS = ("Explicit", "Local", "ServiceGroup")
Found = set[tuple[str, str, str]]


async def find(api: Api, asked: dict[str, str | None]) -> Found:
    answer = await send_search(api, **{name: value for name, value in asked.items() if value is not None})
    assert answer.status_code == 200, answer.text
    items = [(slot["startDate"], slot["meetingType"], slot["employeeId"]) for slot in answer.json()]
    assert len(items) == len(set(items))
    return set(items)


async def redraw(api: Api, dice: random.Random, branch: str) -> None:
    for member, values in dice.sample(RULES, 4):
        await change(api, branch, **{member: dice.choice(values)})


@pytest.mark.parametrize("asked", NAMED)
@pytest.mark.parametrize(
    ("trigger", "level"),
    [
        (["Telephone"], {"priority": 10, "meetingTypes": ["Telephone"]}),
        (["Online"], {"priority": 10, "locations": ["Aarhus"]}),
        (["Physical", "Online"], {"priority": 1, "meetingTypes": ["Online"], "responseTime": "1.00:00:00"}),
    ],
)
async def test_who_is_named_is_offered_every_type_also_those_of_the_own_group(
    trigger: list[str], level: dict[str, Any], asked: Query, api: Api
) -> None:
    async def count() -> Counter[str]:
        found = await search(api, explicitEmployeeIds=ANNA, **asked)
        return Counter(slot["meetingType"] for slot in found if slot["employeeId"] == ANNA)

    before = await count()
    await change(api, BRANCH, serviceTrigger={"meetingTypes": trigger}, serviceLevel=level)
    assert await count() == before
    assert len(before) == 3


async def test_a_customer_books_what_was_offered_by_topic_in_the_type_of_the_groups_trigger(api: Api) -> None:
    await change(api, SETTINGS, customersBookOnlyOffered=True)
    level = {"priority": 10, "meetingTypes": ["Telephone"]}
    await change(api, BRANCH, serviceTrigger={"meetingTypes": ["Telephone"]}, serviceLevel=level)
    slots = await search(api, topic=REVIEW, isCustomerInitiated="true", meetingTypes="telephone")
    offered = next(slot for slot in slots if slot["employeeId"] == ANNA)
    times = {name: offered[name] for name in ("startDate", "endDate")}
    answer = await api.book(employeeId=ANNA, type="Telephone", topicId=REVIEW, bookedBy="Customer", **times)
    assert answer.status_code == 201, answer.text


@pytest.mark.thorough
async def test_a_further_kind_name_or_priority_takes_no_slot_away(api: Api) -> None:
    dice = random.Random(29)  # noqa: S311 - a test that repeats itself
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    compared = Counter[str]()

    def compare(before: Found, after: Found, what: object) -> None:
        assert before <= after, (what, sorted(before - after)[:3])
        compared["with slots"] += bool(before)
        compared["with more"] += after > before

    for _ in range(ROUNDS):
        for branch in (BRANCH, OTHER_BRANCH):
            await redraw(api, dice, branch)
        for _ in range(SEARCHES):
            asked = {name: dice.choice(values) for name, values in ASKED.items()}
            kinds = dice.sample(KINDS, dice.randint(1, 2))
            more = dice.choice([each for each in KINDS if each not in kinds])
            of_kinds: dict[str, str | None] = asked | {"employeeTypes": ",".join(kinds), "explicitEmployeeIds": ANNA}
            before = await find(api, of_kinds)
            compare(before, await find(api, of_kinds | {"employeeTypes": ",".join([*kinds, more])}), (of_kinds, more))
            compare(before, await find(api, of_kinds | {"explicitEmployeeIds": f"{ANNA},{EVA}"}), of_kinds)
            anybody = await find(api, asked)
            named = {each for each in anybody if each[2] == ANNA}
            for together in ("true", "false"):
                alone = asked | {"explicitEmployeeIds": ANNA, "requireEmployeeParticipation": together}
                compare(named, await find(api, alone), alone)
            for best in (None, "true"):
                usual = {(start, each) for start, each, _ in await find(api, asked | {"getBestTimeSlots": best})}
                assert usual == {(start, each) for start, each, _ in anybody}
        priority = {"serviceLevel/priority": dice.choice([5, 30, 1000])}
        before = await find(api, {})
        await change(api, BRANCH, **priority)
        assert await find(api, {}) == before
    assert compared["with slots"] > ROUNDS * SEARCHES
    assert compared["with more"] > ROUNDS


@pytest.mark.thorough
async def test_a_trigger_that_lets_a_type_through_is_not_the_reason_that_it_is_missing(api: Api) -> None:
    dice = random.Random(2)  # noqa: S311 - a test that repeats itself
    told = Counter[str]()
    for _ in range(ROUNDS * 2):
        for branch in (BRANCH, OTHER_BRANCH):
            await redraw(api, dice, branch)
            await change(api, branch, employeeIds=[ANNA])
            await change(api, branch, **{"serviceTrigger/topicIds": [], "serviceTrigger/locations": []})
        groups = [(await api.get(f"v3/booking/config/{branch}")).json() for branch in (BRANCH, OTHER_BRANCH)]
        query = {"employeeId": ANNA, "date": "2026-03-03", "requireEmployeeParticipation": "false"}
        explained = (await api.get("v3/booking/time-slots/explain", params=query)).json()
        for start in explained["starts"]:
            wanted = start["meetingType"]
            told[start["rule"]] += 1
            let_through = [
                group["name"]
                for group in groups
                if wanted in (group["serviceTrigger"]["meetingTypes"] or [each.value for each in MEETING_TYPES])
            ]
            if start["rule"] == "ServiceTrigger":
                said, _, triggers = start["detail"].partition(" ones: ")
                assert wanted not in triggers, start["detail"]
                assert wanted not in said.partition("not for")[0], start["detail"]
                assert not let_through
            if start["rule"] == "ServiceLevel":
                assert set(re.findall("“(.*?)” ", start["detail"])) == set(let_through)
    assert told["ServiceTrigger"]
    assert told["ServiceLevel"]
