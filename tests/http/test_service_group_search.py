"""Effects of service groups on searches for free time: triggers, levels, daily limits.

The rules: docs/api/advisors.md#candidates, #daily-limits, #service-levels, docs/api/groups.md#service-triggers.
"""

from datetime import timedelta
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import TUESDAY, Query, employees_of, save, search, starts_of

GROUPS = "v3/booking/config/service-groups"
ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
FREDERIK, GITTE, HASSAN = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[5:])
EVERYBODY = {str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors}
IN_AARHUS = {ANNA, BO, CAMILLA, DAVID}
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
PENSION_GROUP = str(NORDLYS.id_of("competence group", "Pension check"))
BRANCH = str(NORDLYS.id_of("service group", "Aarhus"))
OTHER_BRANCH = str(NORDLYS.id_of("service group", "København"))
AS_GROUP: Query = {"employeeTypes": "ServiceGroup"}
HOUR = timedelta(hours=1)


async def configure(api: Api, part: str, group: str = BRANCH, **members: Any) -> None:
    """Give a group, the branch in Aarhus, this trigger or level."""
    operations = [{"op": "replace", "path": "", "value": members}]
    answer = await api.request("PATCH", f"{GROUPS}/{group}/service-{part}", json=operations)
    assert answer.status_code == 200, answer.text


async def put(api: Api, member: str, value: object, group: str = BRANCH) -> None:
    operations = [{"op": "replace", "path": f"/{member}", "value": value}]
    answer = await api.request("PATCH", f"{GROUPS}/{group}", json=operations)
    assert answer.status_code == 200, answer.text


async def create(api: Api, name: str, **members: Any) -> str:
    answer = await api.post(GROUPS, {"name": name} | members)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def find(api: Api, **query: Any) -> set[str]:
    return employees_of(await search(api, **query))


# ----------------------------------------------------------------------------------------------------------- triggers


@pytest.mark.parametrize("kinds", [{}, AS_GROUP])
@pytest.mark.parametrize(
    ("trigger", "fitting", "other"),
    [
        ({"topicIds": [PENSION]}, {"topic": PENSION}, {"topic": REVIEW}),
        ({"customerTypeIds": [BUSINESS]}, {"customerTypeId": BUSINESS}, {"customerTypeId": PRIVATE}),
        ({"meetingTypes": ["Online"]}, {"meetingTypes": "online,physical"}, {"meetingTypes": "physical,telephone"}),
        ({"locations": ["aarhus"]}, {"customerLocation": " Aarhus"}, {"customerLocation": "Odense"}),
        (
            {"locations": ["Aarhus"]},
            {"customerLocation": "Odense", "meetingLocation": "AARHUS"},
            {"meetingLocation": "Odense"},
        ),
    ],
)
async def test_a_groups_advisors_are_offered_when_its_trigger_fits(
    kinds: Query, trigger: dict[str, Any], fitting: Query, other: Query, api: Api
) -> None:
    before = await find(api, **kinds, **fitting), await find(api, **kinds, **other)
    assert all(found & IN_AARHUS for found in before)
    await configure(api, "trigger", **trigger)
    assert await find(api, **kinds, **fitting) == before[0]
    assert await find(api, **kinds, **other) == before[1] - IN_AARHUS


async def test_what_a_search_leaves_open_keeps_no_trigger_from_fitting(api: Api) -> None:
    await configure(api, "trigger", topicIds=[PENSION], customerTypeIds=[BUSINESS], locations=["Odense"])
    assert await find(api) == EVERYBODY
    assert await find(api, customerLocation="") == EVERYBODY


async def test_every_part_of_a_trigger_must_fit(api: Api) -> None:
    await configure(api, "trigger", topicIds=[REVIEW], customerTypeIds=[BUSINESS])
    assert ANNA in await find(api, topic=REVIEW, customerTypeId=BUSINESS)
    assert ANNA not in await find(api, topic=REVIEW, customerTypeId=PRIVATE)
    assert ANNA not in await find(api, topic=PENSION, customerTypeId=BUSINESS)


async def test_who_is_named_needs_no_trigger(api: Api) -> None:
    await configure(api, "trigger", topicIds=[PENSION])
    for query in (
        {"explicitEmployeeIds": ANNA},
        {"explicitEmployeeIds": ANNA, "employeeTypes": "Explicit"},
        {"explicitEmployeeIds": ANNA, "requireEmployeeParticipation": "true"},
    ):
        assert ANNA in await find(api, topic=REVIEW, **query), query
    assert ANNA not in await find(api, topic=REVIEW, explicitEmployeeIds=ANNA, **AS_GROUP)


async def test_of_an_advisor_in_several_groups_one_must_fit(api: Api) -> None:
    await configure(api, "trigger", topicIds=[PENSION])
    assert await find(api, topic=REVIEW) == {EVA, FREDERIK, HASSAN}
    await create(api, "Seniors", employeeIds=[ANNA])
    assert await find(api, topic=REVIEW) == {ANNA, EVA, FREDERIK, HASSAN}


async def test_who_is_in_no_service_group_of_their_own_is_offered_through_competence_groups(api: Api) -> None:
    await put(api, "employeeIds", [])
    await configure(api, "trigger", topicIds=[REVIEW])
    await configure(api, "trigger", OTHER_BRANCH, topicIds=[REVIEW])
    assert await find(api, topic=REVIEW, **AS_GROUP) == {ANNA, BO, CAMILLA, EVA, FREDERIK, HASSAN}
    assert await find(api, topic=PENSION, **AS_GROUP) == set()
    assert await find(api, topic=PENSION) == {ANNA}
    await create(api, "Pension", competenceGroupIds=[PENSION_GROUP])
    assert await find(api, topic=PENSION, **AS_GROUP) == {ANNA}  # the other branch's own trigger still counts


async def test_a_trigger_holds_for_local_advisors_too(api: Api) -> None:
    await configure(api, "trigger", topicIds=[PENSION])
    local: Query = {"employeeTypes": "Local", "customerLocation": "Aarhus"}
    assert await find(api, topic=REVIEW, **local) == set()
    assert await find(api, topic=PENSION, **local) == {ANNA}


async def test_advisors_are_offered_only_in_the_meeting_types_of_their_triggers(api: Api) -> None:
    async def types(**query: Any) -> set[str]:
        return {slot["meetingType"] for slot in await search(api, **query) if slot["employeeId"] == ANNA}

    await configure(api, "trigger", meetingTypes=["Online"])
    assert await types() == {"Online"}
    assert await types(meetingTypes="physical,online") == {"Online"}
    assert await types(explicitEmployeeIds=ANNA) == {"Online", "Physical", "Telephone"}
    await create(api, "Callers", employeeIds=[ANNA], serviceTrigger={"meetingTypes": ["Telephone"]})
    assert await types() == {"Online", "Telephone"}
    await create(api, "All", employeeIds=[ANNA])
    assert await types() == {"Online", "Physical", "Telephone"}


# ------------------------------------------------------------------------------------------------------------- levels


async def starts(api: Api, employee: str = ANNA, **query: Any) -> list[str]:
    return starts_of(await search(api, **query), employee)


async def test_buffers_keep_time_free_around_other_meetings(api: Api) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    near = ["08:30", "09:00", "11:00", "11:30"]
    assert [start for start in await starts(api) if start <= "11:30"] == near
    await configure(api, "level", bufferBefore="00:15:00")
    assert [start for start in await starts(api) if start <= "11:30"] == ["08:30", "09:00", "11:30"]
    await configure(api, "level", bufferAfter="00:30:00")
    assert [start for start in await starts(api) if start <= "11:30"] == ["08:30", "11:00", "11:30"]
    await create(
        api, "Travellers", employeeIds=[ANNA], serviceLevel={"bufferAfter": "00:45:00", "bufferBefore": "00:01:00"}
    )
    assert [start for start in await starts(api) if start <= "11:30"] == ["11:30"]
    assert [start for start in await starts(api, BO) if start <= "09:30"] == ["09:00", "09:30"]


async def test_a_buffer_keeps_no_distance_to_the_ends_of_the_working_day(api: Api) -> None:
    await configure(api, "level", bufferBefore="01:00:00", bufferAfter="01:00:00")
    found = await starts(api)
    assert (found[0], found[-1]) == ("08:30", "15:30")


async def test_a_meeting_before_the_search_begins_is_kept_at_a_distance_too(api: Api) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    await configure(api, "level", bufferBefore="00:30:00")
    eleven = (TUESDAY_AT_TEN + timedelta(hours=1)).isoformat()
    assert (await starts(api, startDate=eleven))[0] == "11:30"


async def test_a_group_is_offered_from_its_response_time_on(api: Api, clock: HandClock) -> None:
    assert clock() == TUESDAY_AT_TEN - timedelta(hours=27)  # Monday at seven
    await configure(api, "level", responseTime="1.03:00:00")
    assert (await starts(api))[0] == "10:00"
    assert (await starts(api, EVA))[0] == "08:30"
    await configure(api, "level", responseTime="1.03:00:01")
    assert (await starts(api))[0] == "10:30"
    await create(api, "Slow", employeeIds=[ANNA], serviceLevel={"responseTime": "1.06:00:00"})
    assert (await starts(api))[0] == "10:30"  # each group offers for itself
    await create(api, "Quick", employeeIds=[ANNA], serviceLevel={"responseTime": "01:00:00"})
    assert (await starts(api))[0] == "08:30"


async def test_of_several_groups_each_offers_in_its_own_meeting_types_from_its_own_time_on(api: Api) -> None:
    async def first(meeting_type: str, **query: Any) -> str:
        slots = [slot for slot in await search(api, **query) if slot["meetingType"] == meeting_type]
        return starts_of(slots)[0]

    await configure(api, "level", responseTime="1.03:00:00", priority=3)
    await create(api, "Callers", employeeIds=[ANNA], serviceTrigger={"meetingTypes": ["Telephone"]})
    for asked in ({}, AS_GROUP):
        assert (await first("Telephone", **asked), await first("Online", **asked)) == ("08:30", "10:00")
        at_ten = [slot for slot in await search(api, **asked) if slot["startDate"] == "2026-03-03T09:00:00Z"]
        mine = [slot["meetingType"] for slot in at_ten if slot["employeeId"] == ANNA]
        assert mine == ["Physical", "Online", "Telephone"]  # each once, though both offer Telephone
    assert await first("Online", meetingTypes="online") == "10:00"


async def test_a_level_counts_when_its_trigger_fits(api: Api) -> None:
    await create(api, "Anything", employeeIds=[ANNA])
    await configure(api, "level", priority=1, responseTime="1.03:00:00")
    await configure(api, "trigger", topicIds=[PENSION])

    async def order(**query: Any) -> list[str]:
        slots = await search(api, meetingTypes="online", **query)
        return list(dict.fromkeys(slot["employeeId"] for slot in slots if slot["startDate"] == "2026-03-03T10:00:00Z"))

    assert (await order(topic=PENSION))[0] == ANNA
    await save(api, f"employees/{ANNA}", name="Zita")
    assert (await order(topic=PENSION))[0] == ANNA
    assert (await order(topic=REVIEW))[-1] == ANNA


async def test_no_response_time_binds_who_is_named_but_buffers_do(api: Api) -> None:
    await configure(api, "level", responseTime="1.03:00:00", bufferAfter="00:30:00")
    await configure(api, "trigger", topicIds=[REVIEW])
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    assert (await starts(api))[0] == "11:00"
    together = {"requireEmployeeParticipation": "true"}
    for query in ({}, {"employeeTypes": "Explicit"}, together, {"topic": PENSION}, {"topic": PENSION} | together):
        found = await starts(api, explicitEmployeeIds=ANNA, **query)
        assert found[:2] == ["08:30", "11:00"], query  # 09:00 would leave no half hour before ten


async def test_buffers_of_competence_groups_count_for_who_is_named_in_what_the_group_offers(api: Api) -> None:
    await put(api, "employeeIds", [])  # Anna is in no service group of her own any more
    for branch in (BRANCH, OTHER_BRANCH):
        await put(api, "competenceGroupIds", [], branch)
    pension = await create(api, "Pension", competenceGroupIds=[PENSION_GROUP])
    await configure(api, "level", pension, bufferAfter="00:30:00")
    await configure(api, "trigger", pension, topicIds=[PENSION], meetingTypes=["Telephone"])
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)

    async def of_type(meeting_type: str, **query: Any) -> list[str]:
        return (await starts(api, explicitEmployeeIds=ANNA, meetingTypes=meeting_type, **query))[:3]

    for asked in ({}, {"requireEmployeeParticipation": "true"}):
        assert await of_type("telephone", topic=PENSION, **asked) == ["08:30", "11:00", "11:30"]
        assert await of_type("online", topic=PENSION, **asked) == ["08:30", "09:00", "11:00"]
        assert await of_type("telephone", topic=REVIEW, **asked) == ["08:30", "09:00", "11:00"]
    await put(api, "employeeIds", [ANNA], pension)
    assert await of_type("online", topic=REVIEW) == ["08:30", "11:00", "11:30"]  # of her own group always


THROUGH: list[Query] = [AS_GROUP, {}, {"employeeTypes": "Local", "customerLocation": "Aarhus"}]


@pytest.mark.parametrize("asked", THROUGH)
async def test_a_level_counts_for_those_whom_the_group_offers_through_competence_groups(asked: Query, api: Api) -> None:
    await put(api, "employeeIds", [])  # Anna is in no service group of her own any more
    for branch in (BRANCH, OTHER_BRANCH):
        await put(api, "competenceGroupIds", [], branch)
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    pension = await create(api, "Pension", competenceGroupIds=[PENSION_GROUP])
    asked = asked | {"topic": PENSION}
    assert (await starts(api, **asked))[:3] == ["08:30", "09:00", "11:00"]
    await configure(api, "level", pension, bufferAfter="00:30:00")
    assert (await starts(api, **asked))[:2] == ["08:30", "11:00"]
    await configure(api, "level", pension, responseTime="1.05:00:00")
    assert (await starts(api, **asked))[0] == "12:00"
    await configure(api, "level", pension, responseTime="366.00:00:00")
    assert await starts(api, **asked) == []
    await configure(api, "level", pension, priority=9)
    await configure(api, "level", OTHER_BRANCH, priority=8)
    slots = [slot for slot in await search(api, **asked) if slot["startDate"] == "2026-03-03T12:00:00Z"]
    assert slots[0]["employeeId"] == ANNA


async def test_items_of_a_start_are_by_priority_first_and_then_by_meeting_type(api: Api) -> None:
    await put(api, "employeeIds", [ANNA])
    await configure(api, "level", priority=1)
    await configure(api, "trigger", meetingTypes=["Telephone"])
    slots = [slot for slot in await search(api, topic=PENSION) if slot["startDate"] == "2026-03-03T10:00:00Z"]
    assert [(slot["employeeId"], slot["meetingType"]) for slot in slots] == [
        *((ANNA, "Telephone"), (EVA, "Physical")),
        *((employee, way) for way in ("Online", "Telephone") for employee in (EVA, GITTE)),
    ]


async def test_the_group_of_the_highest_priority_is_offered_first(api: Api) -> None:
    async def order() -> list[str]:
        slots = await search(api, topic=REVIEW, meetingTypes="online")
        return [slot["employeeId"] for slot in slots if slot["startDate"] == "2026-03-03T10:00:00Z"]

    assert await order() == [ANNA, BO, CAMILLA, EVA, FREDERIK, HASSAN]
    await configure(api, "level", OTHER_BRANCH, priority=2)
    assert await order() == [EVA, FREDERIK, HASSAN, ANNA, BO, CAMILLA]
    await create(api, "Seniors", employeeIds=[BO], serviceLevel={"priority": 3})
    await create(
        api, "Pension", employeeIds=[ANNA], serviceLevel={"priority": 4}, serviceTrigger={"topicIds": [PENSION]}
    )
    assert await order() == [BO, EVA, FREDERIK, HASSAN, ANNA, CAMILLA]


async def test_a_name_that_several_groups_have_means_the_one_of_the_highest_priority(api: Api) -> None:
    low = await create(api, "Twins", employeeIds=[ANNA])
    await create(api, "Twins", employeeIds=[EVA], serviceLevel={"priority": 1})
    assert (await api.reserve(TUESDAY_AT_TEN, serviceGroup="Twins")).json()["employeeId"] == EVA
    assert (await api.reserve(TUESDAY_AT_TEN, serviceGroup=low)).json()["employeeId"] == ANNA


# ------------------------------------------------------------------------------------------------------- daily limits


async def test_the_most_permissive_limit_of_an_advisors_service_groups_counts(api: Api) -> None:
    await put(api, "maxMeetingTimePerDay", "02:00:00")
    assert not {ANNA, BO} & await find(api, meetingDuration="121")
    assert EVA in await find(api, meetingDuration="121")
    await create(api, "Without a limit", employeeIds=[ANNA, BO])  # says nothing
    await create(api, "Careful", employeeIds=[ANNA], maxMeetingTimePerDay="01:00:00")
    assert await find(api, meetingDuration="90") & {ANNA, BO} == {ANNA, BO}
    await create(api, "Generous", employeeIds=[ANNA], maxMeetingTimePerDay="03:00:00")
    assert await find(api, meetingDuration="180") & {ANNA, BO} == {ANNA}
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    assert BO in await find(api, meetingDuration="60")
    assert BO not in await find(api, meetingDuration="90")
    assert BO in await find(api, meetingDuration="90", startDate="2026-03-04T00:00")


async def test_a_limit_counts_whatever_the_trigger_says(api: Api) -> None:
    await put(api, "maxMeetingTimePerDay", "01:00:00")
    await configure(api, "trigger", topicIds=[PENSION])
    assert ANNA not in await find(api, topic=REVIEW, explicitEmployeeIds=ANNA, meetingDuration="90")
    assert ANNA in await find(api, topic=REVIEW, explicitEmployeeIds=ANNA, meetingDuration="60")


async def test_what_is_configured_counts_at_once_in_both_versions(api: Api) -> None:
    await put(api, "maxMeetingTimePerDay", "00:30:00")
    answer = await api.get(
        "v2/booking/time-slots/available", params={"requireEmployeeParticipation": "false"} | TUESDAY
    )
    assert employees_of(answer.json()) == EVERYBODY - IN_AARHUS


async def test_who_is_offered_by_groups_with_different_levels_is_busy_for_all_of_them(api: Api) -> None:
    """Also who is in a group through a competence group alone, whom the search offers without the group, too."""
    competence = (await api.get(f"v3/booking/config/competence-groups/{PENSION_GROUP}")).json()
    patch = [{"op": "replace", "path": "/employeeIds", "value": [ANNA, HASSAN]}]
    await api.request("PATCH", f"v3/booking/config/competence-groups/{competence['id']}", json=patch)
    await put(api, "employeeIds", [], OTHER_BRANCH)
    level = {"priority": 5, "bufferAfter": "01:00:00"}
    await create(api, "First", employeeIds=[ANNA, BO], serviceLevel=level)
    through = await create(api, "Through", competenceGroupIds=[PENSION_GROUP], serviceLevel=level)
    await configure(api, "trigger", through, meetingTypes=["Online"])
    for employee in (ANNA, BO, HASSAN):
        times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + 4 * HOUR).isoformat()}
        assert (await api.book(employeeId=employee, type="Online", **times)).status_code == 201
        for query in ({}, {"topic": PENSION}, AS_GROUP, {"explicitEmployeeIds": employee}):
            slots = starts_of(await search(api, **query), employee)
            assert not [start for start in slots if "09:00" < start < "14:00"], (employee, query)
            explained = await api.get(
                "v3/booking/time-slots/explain", params=query | {"employeeId": employee, "date": "2026-03-03"}
            )
            available = [each for each in explained.json()["starts"] if each["available"]]
            assert starts_of([each | {"employeeId": employee} for each in available], employee) == slots
