"""What an explanation calls available is what the search finds, however the firm is configured and whatever is asked.

Who is a candidate is judged in SQL twice, for the search and rule by rule for the explanation; so each round of the
test draws some rules of the firm anew.
"""

import random
from typing import Any
from uuid import uuid4

from factories import TUESDAY_AT_TEN, Api
from fakes import HandClock
from meetdeck.demo.firm import NORDLYS
from searches import ask, change, save

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
REVIEW, HOME, PENSION = (
    str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Buying a home", "Pension check")
)
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
HAVBLIK = str(NORDLYS.id_of("room", "Havblik"))
SCHEDULE_OF = {one.name: f"employee-schedules/{NORDLYS.id_of('schedule', one.name)}" for one in NORDLYS.advisors}
BRANCH, OTHER_BRANCH = (f"service-groups/{NORDLYS.id_of('service group', place)}" for place in ("Aarhus", "København"))
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"

ROUNDS, SEARCHES = 12, 8

# What the rules of the firm are drawn from: each a resource, a member and its values, the first more often.
RULES: list[tuple[str, str, list[Any]]] = [
    (f"employees/{BO}", "active", [True, False]),
    (f"employees/{ANNA}", "customerTypeIds", [[], [BUSINESS], [PRIVATE, BUSINESS]]),
    (f"meeting-topics/{PENSION}", "customerTypeIds", [[], [PRIVATE]]),
    (f"meeting-topics/{REVIEW}", "meetingTypes", [[], ["Physical", "Telephone"]]),
    (SCHEDULE_OF["Eva Sand"], "canBeBooked", [True, False]),
    (SCHEDULE_OF["Anna Holm"], "isOnlyExplicitlyAvailable", [False, True]),
    (SCHEDULE_OF["Camilla Friis"], "isOnlyExplicitlyAvailable", [False, True]),
    (SCHEDULE_OF["Anna Holm"], "workdays/1/location", ["", "København"]),
    (SCHEDULE_OF["Bo Lind"], "maxMeetingTimePerDay", [None, "01:30:00", "03:00:00"]),
    (f"competence-groups/{NORDLYS.id_of('competence group', 'Annual review')}", "topicIds", [[REVIEW], [], [HOME]]),
    (f"competence-groups/{NORDLYS.id_of('competence group', 'Pension check')}", "customerTypeIds", [[], [BUSINESS]]),
    (f"competence-groups/{NORDLYS.id_of('competence group', 'Pension check')}", "employeeIds", [[ANNA, GITTE], [EVA]]),
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
    (SETTINGS, "maxMeetingTimePerDay", [None, "04:00:00"]),
    (SETTINGS, "closingDays", [[], ["2026-03-03"]]),
]
CHOICES: dict[str, list[str | None]] = {
    "topic": [None, None, REVIEW, HOME, PENSION],
    "customerTypeId": [None, None, PRIVATE, BUSINESS],
    "explicitEmployeeIds": [None, None, ANNA, f"{ANNA},{BO}", f"{CAMILLA},{EVA}"],
    "requireEmployeeParticipation": ["false", "false", "false", "true"],
    "employeeTypes": [None, None, "Explicit", "ServiceGroup", "Local,ServiceGroup", "explicit,local"],
    "meetingTypes": [None, None, "physical", "online,telephone"],
    "customerLocation": [None, None, "aarhus", "København"],
    "meetingLocation": [None, None, "Aarhus"],
    "requireRoom": [None, None, "true"],
    "specificRooms": [None, None, HAVBLIK],
    "isCustomerInitiated": [None, None, "true"],
    "meetingDuration": [None, "30", "01:30:00"],
    "startDate": ["2026-03-03T00:00", "2026-03-03T09:40"],
    "lookForwardTime": ["1.00:00:00", "08:00:00"],
}


async def configure(api: Api, resource: str, member: str, value: object) -> None:
    """Let a rule of the firm be so: the directory is saved, the rest patched."""
    is_in_directory = resource.startswith(("employees/", "meeting-topics/"))
    await (save if is_in_directory else change)(api, resource, **{member: value})


async def compare(api: Api, asked: dict[str, str], employee: str) -> int:
    """Let both say when an employee is free on Tuesday; return how often that is."""
    searched = await ask(api, **asked)
    found = {
        (slot["startDate"], slot["meetingType"])
        for slot in searched.json()
        if slot["employeeId"] == employee and slot["startDate"].startswith("2026-03-03")
    }
    answer = await api.get(
        "v3/booking/time-slots/explain", params=asked | {"employeeId": employee, "date": "2026-03-03"}
    )
    assert answer.status_code == searched.status_code == 200, asked
    explanation: dict[str, Any] = answer.json()
    available = {(each["startDate"], each["meetingType"]) for each in explanation["starts"] if each["available"]}
    assert available == found, asked
    assert bool(explanation["starts"]) is not bool(explanation["reasons"]), asked
    assert all(
        each["detail"] for each in [*explanation["starts"], *explanation["reasons"]] if not each.get("available")
    )
    return len(found)


async def test_what_is_available_is_what_the_search_finds(api: Api, clock: HandClock) -> None:
    dice = random.Random(7)  # noqa: S311 - a test that repeats itself
    token = str(uuid4())
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO, roomId=HAVBLIK)
    times = {"startDate": "2026-03-03T12:00", "endDate": "2026-03-03T14:00"}
    meeting = (await api.book(employeeId=ANNA, additionalEmployees=[DAVID], type="Online", **times)).json()
    held = {"startDate": "2026-03-03T15:00", "endDate": "2026-03-03T16:00", "status": "Reserved", "employeeId": ANNA}
    await api.post("v3/booking/time-slots/reserve", {"timeSlot": held, "token": token})
    clock.advance(minutes=3)
    own: dict[str, list[str | None]] = {"token": [None, token], "existingMeetingId": [None, None, meeting["id"]]}
    offered: list[bool] = []
    for _ in range(ROUNDS):
        for resource, member, values in dice.sample(RULES, 5):
            await configure(api, resource, member, dice.choice([values[0], *values]))
        for _ in range(SEARCHES):
            drawn = {name: dice.choice(values) for name, values in (CHOICES | own).items()}
            asked = {name: value for name, value in drawn.items() if value is not None}
            offered.append(await compare(api, asked, dice.choice([ANNA, ANNA, BO, CAMILLA, DAVID, EVA, GITTE])) > 0)
    assert sum(offered) > len(offered) // 6, "too few with slots prove little"
