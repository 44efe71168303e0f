"""Explanations call available exactly the times that the search finds, for random firms and queries.

Who is a candidate is judged in SQL twice, for the search and rule by rule for the explanation; so each round of the
test draws some rules of the firm anew.
"""

import random
from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import change, redraw_entries, save, send_search

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
EMPLOYEES = [ANNA, BO, CAMILLA, DAVID, EVA, GITTE]
REVIEW, HOME, PENSION, INVESTING = (str(NORDLYS.id_of("topic", name)) for name, _, _ in NORDLYS.topics[:4])
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
SCHEDULE_OF = {one.name: f"employee-schedules/{NORDLYS.id_of('schedule', one.name)}" for one in NORDLYS.advisors}
GROUP_IDS = {name: str(NORDLYS.id_of("competence group", name)) for name, _, _ in NORDLYS.topics}
GROUP_OF = {name: f"competence-groups/{group_id}" for name, group_id in GROUP_IDS.items()}
BRANCH, OTHER_BRANCH = (f"service-groups/{NORDLYS.id_of('service group', place)}" for place in ("Aarhus", "København"))
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"


ROUNDS, SEARCHES, EXPLAINED = 12, 6, 2

# What the rules of the firm are drawn from: each a resource, a member and its values, the first more often.
RULES: list[tuple[str, str, list[Any]]] = [
    (f"employees/{BO}", "active", [True, False]),
    (f"employees/{ANNA}", "customerTypeIds", [[], [BUSINESS], [PRIVATE, BUSINESS]]),
    (f"employees/{CAMILLA}", "customerTypeIds", [[], [PRIVATE]]),
    (f"meeting-topics/{PENSION}", "customerTypeIds", [[], [PRIVATE]]),
    (f"meeting-topics/{HOME}", "customerTypeIds", [[], [BUSINESS]]),
    (f"meeting-topics/{REVIEW}", "meetingTypes", [[], ["Physical", "Telephone"]]),
    (SCHEDULE_OF["Eva Sand"], "canBeBooked", [True, False]),
    (SCHEDULE_OF["Anna Holm"], "isOnlyExplicitlyAvailable", [False, True]),
    (SCHEDULE_OF["Camilla Friis"], "isOnlyExplicitlyAvailable", [False, True]),
    (SCHEDULE_OF["Anna Holm"], "workdays/1/location", ["", "København"]),
    (SCHEDULE_OF["Bo Lind"], "maxMeetingTimePerDay", [None, "01:30:00", "03:00:00"]),
    (GROUP_OF["Annual review"], "topicIds", [[REVIEW], [], [HOME]]),
    (GROUP_OF["Annual review"], "customerTypeIds", [[], [PRIVATE], [BUSINESS]]),
    (GROUP_OF["Pension check"], "customerTypeIds", [[], [BUSINESS]]),
    (GROUP_OF["Pension check"], "employeeIds", [[ANNA, GITTE], [EVA]]),
    (GROUP_OF["Pension check"], "childGroupIds", [[], [GROUP_IDS["Buying a home"]]]),
    (GROUP_OF["Annual review"], "parentGroupIds", [[], [GROUP_IDS["Investing"]]]),
    (BRANCH, "competenceGroupIds", [[], [GROUP_IDS["Pension check"], GROUP_IDS["Investing"]]]),
    (BRANCH, "serviceTrigger/locations", [[], ["aarhus"], ["København"]]),
    (BRANCH, "serviceTrigger/meetingTypes", [[], ["Online"]]),
    (BRANCH, "serviceTrigger/topicIds", [[], [REVIEW]]),
    (OTHER_BRANCH, "serviceTrigger/customerTypeIds", [[], [PRIVATE]]),
    (OTHER_BRANCH, "employeeIds", [[EVA, GITTE], []]),
    (BRANCH, "serviceLevel/responseTime", ["00:00:00", "1.02:00:00"]),
    (BRANCH, "serviceLevel/bufferBefore", ["00:00:00", "00:10:00"]),
    (BRANCH, "serviceLevel/bufferAfter", ["00:00:00", "01:00:00"]),
    (BRANCH, "maxMeetingTimePerDay", [None, "02:00:00"]),
    (f"locations/{NORDLYS.id_of('location', 'Aarhus')}", "requireAvailableRoom", [False, True]),
    (SETTINGS, "openingTime", ["08:00:00", "10:00:00"]),
    (SETTINGS, "closingDays", [[], [], [], ["2026-03-03"]]),
    (SETTINGS, "maxMeetingTimePerDay", [None, "04:00:00"]),
    (BRANCH, "serviceLevel/meetingTypes", [None, None, ["Physical", "Online"], []]),
    (BRANCH, "serviceLevel/locations", [None, None, ["aarhus"], ["Odense"]]),
    (SETTINGS, "workingTimeBuffer", ["00:00:00", "08:00:00"]),
    (SETTINGS, "advisorPriority", [[{"kind": "Explicit"}, {"kind": "Local"}], [{"kind": "ServiceGroup"}]]),
    (SETTINGS, "dailyLimitForEmployees", [True, False]),
    (SETTINGS, "bufferBetweenMeetings", ["00:00:00", "00:30:00"]),
]
CHOICES: dict[str, list[str | None]] = {
    "topic": [None, REVIEW, HOME, PENSION],
    "customerTypeId": [None, PRIVATE, BUSINESS],
    "explicitEmployeeIds": [None, None, ANNA, f"{ANNA},{BO}", f"{CAMILLA},{EVA}"],
    "requireEmployeeParticipation": ["false", "false", "false", "true"],
    "employeeTypes": [None, None, "Explicit", "ServiceGroup", "Local,ServiceGroup", "explicit,local"],
    "meetingTypes": [None, None, "physical", "online,telephone"],
    "customerLocation": [None, None, "aarhus", "København"],
    "meetingLocation": [None, None, "Aarhus"],
    "requireRoom": [None, None, "true"],
    "specificRooms": [None, None, HAVBLIK],
    "isCustomerInitiated": [None, None, "true"],
    "ignoreMinimumTimeBeforeBooking": [None, None, "true"],
    "getBestTimeSlots": [None, None, "true"],
    "meetingDuration": [None, "30", "01:30:00"],
    "startDate": [None, None, "2026-03-03T09:40"],
    "lookForwardTime": [None, None, "08:00:00"],
}


async def configure(api: Api, resource: str, member: str, value: object) -> None:
    """Set a rule of the firm: the directory is saved, the rest patched."""
    is_in_directory = resource.startswith(("employees/", "meeting-topics/"))
    await (save if is_in_directory else change)(api, resource, **{member: value})


async def compare(api: Api, asked: dict[str, str], employees: list[str]) -> bool:
    """Compare search and explanation for some employees on Tuesday; return whether any is free."""
    answer = await send_search(api, **asked)
    assert answer.status_code == 200, asked
    slots = [slot for slot in answer.json() if slot["startDate"].startswith("2026-03-03")]
    for employee in employees:
        found = {(slot["startDate"], slot["meetingType"]) for slot in slots if slot["employeeId"] == employee}
        explanation = await explain(api, asked, employee)
        available = {(each["startDate"], each["meetingType"]) for each in explanation["starts"] if each["available"]}
        assert available == found, (asked, employee)
        assert bool(explanation["starts"]) is not bool(explanation["reasons"]), (asked, employee)
        excluded = [each for each in explanation["starts"] if not each["available"]]
        assert all(each["detail"] for each in [*excluded, *explanation["reasons"]])
    return bool(slots)


async def explain(api: Api, asked: dict[str, str], employee: str) -> dict[str, Any]:
    query = asked | {"employeeId": employee, "date": "2026-03-03"}
    answer = await api.get("v3/booking/time-slots/explain", params=query)
    assert answer.status_code == 200, asked
    return answer.json()


@pytest.mark.thorough
async def test_for_each_topic_and_customer_type_who_is_offered_is_not_explained_away(api: Api) -> None:
    await configure(api, GROUP_OF["Annual review"], "topicIds", [])
    await configure(api, GROUP_OF["Pension check"], "customerTypeIds", [BUSINESS])
    await configure(api, f"employees/{BO}", "customerTypeIds", [PRIVATE])
    await configure(api, f"meeting-topics/{HOME}", "customerTypeIds", [BUSINESS])
    for topic in ("", REVIEW, HOME, PENSION, INVESTING):
        for customer_type in ("", PRIVATE, BUSINESS):
            asked = {"topic": topic, "customerTypeId": customer_type, "requireEmployeeParticipation": "false"}
            await compare(api, asked | {"meetingTypes": "online"}, EMPLOYEES)


@pytest.mark.thorough
async def test_for_each_kind_of_employees_who_is_offered_is_not_explained_away(api: Api) -> None:
    await configure(api, OTHER_BRANCH, "employeeIds", [GITTE])
    await configure(api, SCHEDULE_OF["Anna Holm"], "workdays/1/location", "København")
    await configure(api, BRANCH, "serviceTrigger/locations", ["Aarhus"])
    await configure(api, BRANCH, "serviceTrigger/topicIds", [REVIEW, PENSION])
    for kinds in ("Local", "ServiceGroup", "Explicit", "Local,ServiceGroup", "Explicit,Local"):
        for place in ("aarhus", "København"):
            asked = {"employeeTypes": kinds, "customerLocation": place, "explicitEmployeeIds": f"{BO},{EVA}"}
            asked |= {"requireEmployeeParticipation": "false", "meetingTypes": "online"}
            await compare(api, asked | {"topic": HOME if place == "aarhus" else ""}, EMPLOYEES)


@pytest.mark.thorough
async def test_what_is_available_is_what_the_search_finds(api: Api, clock: HandClock) -> None:
    dice = random.Random(11)  # noqa: S311 - a test that repeats itself
    token = str(uuid4())
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO, roomId=HAVBLIK)
    times = {"startDate": "2026-03-03T12:00", "endDate": "2026-03-03T14:00"}
    meeting = (await api.book(employeeId=ANNA, additionalEmployees=[DAVID], type="Online", **times)).json()
    held = {"startDate": "2026-03-03T15:00", "endDate": "2026-03-03T16:00", "status": "Reserved", "employeeId": ANNA}
    await api.post("v3/booking/time-slots/reserve", {"timeSlot": held, "token": token})
    clock.advance(minutes=3)
    own: dict[str, list[str | None]] = {
        "token": [None, token],
        "existingMeetingId": [None, None, meeting["id"]],
        "ignoreMeetingIds": [None, None, meeting["id"]],
    }
    offered: list[bool] = []
    for _ in range(ROUNDS):
        for resource, member, values in dice.sample(RULES, 5):
            await configure(api, resource, member, dice.choice([*values, values[0], values[0]]))
        await redraw_entries(api, dice, EMPLOYEES)
        for _ in range(SEARCHES):
            drawn = {name: dice.choice(values) for name, values in (CHOICES | own).items()}
            asked = {name: value for name, value in drawn.items() if value is not None}
            offered.append(await compare(api, asked, dice.sample(EMPLOYEES, EXPLAINED)))
    assert sum(offered) > len(offered) // 3, "too few with slots prove little"
