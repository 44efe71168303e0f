"""The advisors of a search for free time: names, kinds of employees, competence (docs/api/advisors.md)."""

from collections import Counter
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.searches import Query, change, employees_of, save, search, send_search, starts_of

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
FREDERIK, GITTE, HASSAN = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[5:])
EVERYBODY = {ANNA, BO, CAMILLA, DAVID, EVA, FREDERIK, GITTE, HASSAN}
ANNAS = f"employee-schedules/{NORDLYS.id_of('schedule', 'Anna Holm')}"
REVIEW, PENSION, BUSINESS_START = (
    str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check", "Starting a business")
)
REVIEW_GROUP, PENSION_GROUP = (
    f"competence-groups/{NORDLYS.id_of('competence group', name)}" for name in ("Annual review", "Pension check")
)
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))


async def find(api: Api, **query: Any) -> set[str]:
    return employees_of(await search(api, **query))


# ------------------------------------------------------------------------------------------------- who must take part


async def test_when_all_must_take_part_only_common_times_are_left(api: Api) -> None:
    together: Query = {"requireEmployeeParticipation": "true", "explicitEmployeeIds": [ANNA, BO]}
    slots = await search(api, **together)
    assert employees_of(slots) == {ANNA, BO}
    assert starts_of(slots, ANNA) == starts_of(slots, BO)
    assert (starts_of(slots)[0], starts_of(slots)[-1]) == ("09:00", "15:30")  # Bo from 9, Anna until 16:30
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    assert "10:00" not in starts_of(await search(api, **together))


async def test_when_all_must_take_part_they_meet_in_the_ways_that_all_offer(api: Api) -> None:
    together: Query = {"requireEmployeeParticipation": "true", "explicitEmployeeIds": f"{ANNA},{GITTE}"}
    slots = await search(api, **together)
    assert {(slot["employeeId"], slot["meetingType"]) for slot in slots} == {
        (employee, way) for employee in (ANNA, GITTE) for way in ("Online", "Telephone")
    }
    assert await search(api, meetingTypes="physical", **together) == []
    assert await find(api, topic=PENSION, **together) == {ANNA, GITTE}
    assert await find(api, topic=REVIEW, **together) == set()  # which Gitte does not serve


async def test_one_is_enough_when_not_all_must_take_part(api: Api) -> None:
    named: Query = {"explicitEmployeeIds": [ANNA, BO], "employeeTypes": "Explicit"}
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    slots = await search(api, **named)
    assert employees_of(slots) == {ANNA, BO}
    assert ("10:00" in starts_of(slots, ANNA), "10:00" in starts_of(slots, BO)) == (True, False)
    assert starts_of(slots, ANNA)[0] == "08:30"


async def test_when_all_must_take_part_and_nobody_is_named_one_is_enough(api: Api) -> None:
    anybody = await search(api)
    assert await search(api, requireEmployeeParticipation="true") == anybody
    assert await search(api, requireEmployeeParticipation="FALSE") == anybody


async def test_kinds_of_employees_do_not_matter_when_all_must_take_part(api: Api) -> None:
    together: Query = {"requireEmployeeParticipation": "true", "explicitEmployeeIds": ANNA}
    alone = await search(api, **together)
    assert employees_of(alone) == {ANNA}
    for kinds in ("", "Local", "ServiceGroup"):
        assert await search(api, employeeTypes=kinds, customerLocation="", **together) == alone, kinds
    refused = await send_search(api, employeeTypes="")
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/query/employeeTypes")


# --------------------------------------------------------------------------------------------------- kinds of employees


async def test_employee_types_are_united(api: Api) -> None:
    local: Query = {"customerLocation": "aarhus", "explicitEmployeeIds": EVA}
    assert await find(api, employeeTypes="Local", **local) == {ANNA, BO, CAMILLA, DAVID}
    assert await find(api, employeeTypes="EXPLICIT", **local) == {EVA}
    assert await find(api, employeeTypes="Local,explicit", **local) == {ANNA, BO, CAMILLA, DAVID, EVA}
    assert await find(api, employeeTypes=["local", "Explicit"], **local) == {ANNA, BO, CAMILLA, DAVID, EVA}
    through_groups = await find(api, employeeTypes="ServiceGroup", topic=PENSION)
    assert through_groups == {ANNA, EVA, GITTE}
    await change(api, f"service-groups/{NORDLYS.id_of('service group', 'København')}", employeeIds=[])
    assert await find(api, employeeTypes="ServiceGroup", topic=PENSION) == {ANNA, EVA}  # Eva for Annual review's sake
    assert await find(api, employeeTypes="ServiceGroup,Explicit", topic=PENSION, explicitEmployeeIds=GITTE) == {
        *(ANNA, EVA, GITTE)
    }


async def test_names_without_kinds_are_all_who_are_searched(api: Api) -> None:
    await change(api, ANNAS, isOnlyExplicitlyAvailable=True)
    assert await find(api) == EVERYBODY - {ANNA}
    for kinds in ({}, {"employeeTypes": "Explicit"}):
        assert await find(api, explicitEmployeeIds=ANNA, **kinds) == {ANNA}
        assert await find(api, explicitEmployeeIds=[ANNA, BO], **kinds) == {ANNA, BO}
    assert await find(api, explicitEmployeeIds=[ANNA], employeeTypes="ServiceGroup") == EVERYBODY
    nobody = (await send_search(api, "v2", explicitEmployeeIds="", employeeTypes="Explicit")).json()
    assert nobody == await search(api, employeeTypes="Explicit") == []
    assert await find(api, explicitEmployeeIds=ANNA, requireEmployeeParticipation="true") == {ANNA}


def workday(day: str, place: str, begin: str = "09:00", end: str = "12:00", **members: Any) -> dict[str, Any]:
    return {"dayOfWeek": day, "from": begin, "to": end, "location": place} | members


async def test_a_slot_is_local_by_the_hours_in_which_it_starts(api: Api) -> None:
    hours = [workday("Tuesday", "Odense"), workday("Tuesday", "", "12:00", "15:00"), workday("Thursday", "Odense")]
    await change(api, ANNAS, workdays=hours)
    in_odense, in_aarhus = [{"employeeTypes": "Local", "customerLocation": place} for place in ("ODENSE", "Aarhus")]
    online = await search(api, **in_odense, meetingTypes="online")
    assert starts_of(online) == ["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"]  # the last goes on in Aarhus
    assert starts_of(await search(api, **in_odense, meetingTypes="telephone")) == starts_of(online)
    assert starts_of(await search(api, **in_odense, meetingTypes="physical"))[-1] == "11:00"
    assert starts_of(await search(api, **in_aarhus)) == ["12:00", "12:30", "13:00", "13:30", "14:00"]
    assert employees_of(await search(api, **in_odense)) == {ANNA}
    assert starts_of(await search(api, startDate="2026-03-05T00:00", **in_odense))[0] == "09:00"
    in_both = in_odense | {"employeeTypes": "Local,Explicit", "explicitEmployeeIds": ANNA}
    assert starts_of(await search(api, **in_both, meetingTypes="online"))[-1] == "14:00"


async def test_local_is_who_works_where_the_customer_is(api: Api) -> None:
    in_odense, in_ribe = [{"employeeTypes": "Local", "customerLocation": place} for place in ("Odense", "Ribe")]
    assert await find(api, **in_odense) == set()
    await change(api, ANNAS, workdays=[workday("Tuesday", "odense"), workday("Friday", "Ribe", isAvailable=False)])
    assert await find(api, **in_odense) == {ANNA}
    assert await find(api, employeeTypes="Local", customerLocation=" ODENSE ") == {ANNA}
    assert await find(api, **in_ribe) == set()  # where she does not work after all
    friday = await search(api, startDate="2026-03-06T00:00")
    assert ANNA not in employees_of(friday)
    assert BO in employees_of(friday)
    local: Query = {"employeeTypes": "Local", "customerLocation": "Aarhus", "meetingTypes": "online"}
    assert await find(api, **local) == {BO, CAMILLA, DAVID}  # Anna lives there, and works elsewhere
    assert await find(api, employeeTypes="Local") == set()  # nobody is where the customer is


async def test_who_is_not_active_or_cannot_be_booked_is_offered_to_nobody(api: Api) -> None:
    await save(api, f"employees/{BO}", active=False)
    await change(api, ANNAS, canBeBooked=False)
    for query in ({}, {"explicitEmployeeIds": [ANNA, BO]}, {"employeeTypes": "Local", "customerLocation": "Aarhus"}):
        assert not {ANNA, BO} & await find(api, **query), query
    assert await find(api, requireEmployeeParticipation="true", explicitEmployeeIds=[ANNA, EVA]) == set()


# ----------------------------------------------------------------------------------------------------------- competence


async def test_a_topic_narrows_to_those_who_serve_it(api: Api) -> None:
    assert await find(api) == EVERYBODY
    assert await find(api, topic=BUSINESS_START) == {DAVID}
    assert await find(api, topic=PENSION) == {ANNA, EVA, GITTE}
    assert await find(api, topic=PENSION, explicitEmployeeIds=BO, employeeTypes="Explicit") == set()


async def test_a_group_that_names_no_topic_serves_all_and_a_topic_of_no_group_is_served_by_all(api: Api) -> None:
    await change(api, REVIEW_GROUP, topicIds=[])
    members = {ANNA, BO, CAMILLA, EVA, FREDERIK, HASSAN}
    assert await find(api, topic=BUSINESS_START) == members | {DAVID}
    assert await find(api, topic=PENSION) == members | {GITTE}
    assert await find(api, topic=REVIEW) == EVERYBODY


async def test_a_group_serves_the_customer_types_that_it_names(api: Api) -> None:
    await change(api, PENSION_GROUP, customerTypeIds=[BUSINESS])
    assert await find(api, topic=PENSION) == {ANNA, EVA, GITTE}
    for parameter in ("customerTypeId", "customerCategoryId"):
        assert await find(api, topic=PENSION, **{parameter: BUSINESS}) == {ANNA, EVA, GITTE}
        assert await find(api, topic=PENSION, **{parameter: PRIVATE}) == set()
        assert await find(api, **{parameter: PRIVATE}) == EVERYBODY - {GITTE}  # she is in that group alone
        assert await find(api, topic=REVIEW, **{parameter: PRIVATE}) == {ANNA, BO, CAMILLA, EVA, FREDERIK, HASSAN}


async def test_who_is_in_no_group_serves_what_no_group_names(api: Api) -> None:
    await change(api, PENSION_GROUP, employeeIds=[ANNA])
    assert await find(api, topic=PENSION) == {ANNA}  # not Gitte, who is in none any more
    assert GITTE in await find(api, customerTypeId=PRIVATE)
    await change(api, PENSION_GROUP, topicIds=[])
    assert await find(api, topic=PENSION) == EVERYBODY


async def test_the_customer_types_of_topics_and_employees_narrow_too(api: Api) -> None:
    await save(api, f"employees/{ANNA}", customerTypeIds=[BUSINESS])
    await save(api, f"meeting-topics/{PENSION}", customerTypeIds=[BUSINESS])
    for parameter in ("customerTypeId", "customerCategoryId"):
        assert await find(api, topic=PENSION, **{parameter: BUSINESS}) == {ANNA, EVA, GITTE}
        assert await find(api, topic=PENSION, **{parameter: PRIVATE}) == set()
        assert await find(api, topic=REVIEW, **{parameter: PRIVATE}) == {BO, CAMILLA, EVA, FREDERIK, HASSAN}
    assert await find(api, topic=PENSION) == {ANNA, EVA, GITTE}


async def test_the_meeting_types_of_a_topic_narrow_those_asked_for(api: Api) -> None:
    async def ways(**query: Any) -> set[str]:
        return {slot["meetingType"] for slot in await search(api, topic=PENSION, **query)}

    await save(api, f"meeting-topics/{PENSION}", meetingTypes=["Online", "Physical"])
    assert await ways() == await ways(meetingTypes="") == {"Online", "Physical"}
    assert await ways(meetingTypes="online,telephone") == {"Online"}
    assert await ways(meetingTypes="telephone") == set()


# ------------------------------------------------------------------------------------------------------------- labels


async def test_labels_leave_those_whose_groups_carry_all_of_them_between_them(api: Api) -> None:
    """Competence groups and those above them, service groups and what these name."""
    elevated = await api.of(api.firm, elevated=True)
    speaking = {"name": "Polish", "labels": ["Polish"], "employeeIds": [ANNA]}
    above = (await elevated.post("v3/booking/config/competence-groups", speaking)).raise_for_status().json()
    below = {"name": "Polish, fluent", "parentGroupIds": [above["id"]], "employeeIds": [BO]}
    fluent = (await elevated.post("v3/booking/config/competence-groups", below)).raise_for_status().json()
    desk = {"name": "Farms", "labels": ["Farming"], "employeeIds": [CAMILLA], "competenceGroupIds": [fluent["id"]]}
    (await elevated.post("v3/booking/config/service-groups", desk)).raise_for_status()
    suggested = await api.get("v3/booking/config/labels/suggest?ofGroups=true&limit=200")
    assert {"Polish", "Farming"} <= {one["labelName"] for one in suggested.json()}
    assert await find(api, labels="polish") == {ANNA, BO}
    assert await find(api, labels="FARMING") == {BO, CAMILLA}
    assert await find(api, labels="farming,Polish") == {BO}
    assert await find(api, labels=["Polish"], explicitEmployeeIds=[ANNA, CAMILLA]) == {ANNA}
    assert await find(api, labels="Unknown") == set()
    together: Query = {"requireEmployeeParticipation": "true", "explicitEmployeeIds": [ANNA, CAMILLA]}
    assert await find(api, labels="Polish", **together) == set(), "one of the two cannot be offered"
    reasons = {}
    for employee in (ANNA, CAMILLA):
        query = {"requireEmployeeParticipation": "false", "labels": "Polish", "employeeId": employee}
        answer = await api.get("v3/booking/time-slots/explain", params=query | {"date": "2026-03-03"})
        reasons[employee] = [(one["rule"], one["detail"]) for one in answer.json()["reasons"]]
    assert reasons == {
        ANNA: [],
        CAMILLA: [("Labels", "The groups of Camilla Friis do not carry all of the labels “Polish”.")],
    }


async def test_at_most_so_many_advisors_are_answered_for_each_time_and_way(api: Api) -> None:
    everybody = await search(api, topic=REVIEW)
    first = await search(api, topic=REVIEW, advisorsPerTime=2)
    seen: dict[tuple[str, str], list[str]] = {}
    for slot in everybody:
        seen.setdefault((slot["startDate"], slot["meetingType"]), []).append(slot["employeeId"])
    expected = {(*key, employee) for key, employees in seen.items() for employee in employees[:2]}
    assert {(one["startDate"], one["meetingType"], one["employeeId"]) for one in first} == expected
    assert len(first) == len(expected) < len(everybody)
    assert (await send_search(api, advisorsPerTime=0)).status_code == 400


@pytest.mark.parametrize("more", [{}, {"topic": REVIEW}, {"getBestTimeSlots": "true"}])
async def test_when_all_must_take_part_and_nobody_is_named_the_cut_counts_too(more: Query, api: Api) -> None:
    for most in (1, 2):
        alone = await search(api, advisorsPerTime=most, **more)
        assert alone == await search(api, advisorsPerTime=most, requireEmployeeParticipation="true", **more)
        times = Counter((slot["startDate"], slot["meetingType"]) for slot in alone)
        assert max(times.values()) == (1 if more.get("getBestTimeSlots") else most)
    together: Query = {"requireEmployeeParticipation": "true", "explicitEmployeeIds": f"{ANNA},{BO}"}
    assert await search(api, advisorsPerTime=1, **together) == await search(api, **together)


async def test_an_advisor_in_explicit_employee_ids_counts_as_named_only_where_explicit_is_asked_for(api: Api) -> None:
    branch = f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}"
    late = {"serviceLevel": {"responseTime": "1.03:00:00"}, "serviceTrigger": {"meetingTypes": ["Online"]}}
    await change(api, branch, **late)
    await change(api, ANNAS, isOnlyExplicitlyAvailable=True)

    async def offers(**query: Any) -> tuple[str, set[str]]:
        mine = [slot for slot in await search(api, explicitEmployeeIds=ANNA, **query) if slot["employeeId"] == ANNA]
        return starts_of(mine)[0], {slot["meetingType"] for slot in mine}

    aarhus: Query = {"customerLocation": "Aarhus"}
    bound, free = ("10:00", {"Online"}), ("08:30", {"Online", "Physical", "Telephone"})
    for kinds in ("Local", "ServiceGroup", "Local,ServiceGroup"):
        assert await offers(employeeTypes=kinds, **aarhus) == bound, kinds
        assert await offers(employeeTypes=f"{kinds},Explicit", **aarhus) == free, kinds
    assert await offers() == await offers(requireEmployeeParticipation="true", employeeTypes="Local") == free
    assert ANNA not in await find(api, employeeTypes="Local", **aarhus)
