"""Service levels with meeting types and locations, and lead time in working hours.

The rules: docs/api/advisors.md#service-levels, #lead-time.
"""

from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.searches import change, search, starts_of

ANNA, EVA = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Eva Sand"))
ANNAS = f"employee-schedules/{NORDLYS.id_of('schedule', 'Anna Holm')}"
BRANCH = f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}"
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
EVERY = {"Physical", "Online", "Telephone"}


async def types(api: Api, employee: str = ANNA, **query: Any) -> set[str]:
    return {slot["meetingType"] for slot in await search(api, **query) if slot["employeeId"] == employee}


@pytest.mark.parametrize(
    ("level", "left"),
    [
        ({}, EVERY),
        ({"meetingTypes": ["Physical", "Online"]}, {"Online"}),  # Physical wants a location
        ({"meetingTypes": ["Physical", "Online"], "locations": ["AARHUS "]}, {"Physical", "Online"}),
        ({"meetingTypes": ["Physical"], "locations": ["Odense"]}, set[str]()),
        ({"locations": ["Aarhus", "Odense"]}, EVERY),
        ({"locations": ["Odense"]}, EVERY - {"Physical"}),
        ({"locations": []}, EVERY - {"Physical"}),
        ({"meetingTypes": []}, set[str]()),
    ],
)
async def test_a_level_leaves_its_types_and_physical_meetings_at_its_locations(
    level: dict[str, Any], left: set[str], api: Api
) -> None:
    await change(api, BRANCH, serviceLevel=level)
    assert await types(api) == left
    assert await types(api, employeeTypes="ServiceGroup") == left
    assert await types(api, EVA) == EVERY
    assert await types(api, explicitEmployeeIds=ANNA) == EVERY  # who is named is offered whatever the level says


async def test_what_a_level_takes_away_is_explained(api: Api) -> None:
    query = {"employeeId": ANNA, "date": "2026-03-03", "meetingTypes": "physical"}
    await change(api, BRANCH, serviceLevel={"locations": ["Odense"]})
    explained = (await api.get("v3/booking/time-slots/explain", params=query)).json()
    start = next(each for each in explained["starts"] if each["startDate"] == "2026-03-03T09:00:00Z")
    assert start["rule"] == "ServiceLevel"
    assert (
        "“Aarhus branch” offers Physical, Online, Telephone and Offsite meetings (Physical ones at Odense)"
        in start["detail"]
    )
    await change(api, BRANCH, serviceLevel={"meetingTypes": []})
    (reason,) = (await api.get("v3/booking/time-slots/explain", params=query)).json()["reasons"]
    assert reason["rule"] == "ServiceLevel"
    assert "“Aarhus branch” offers no meetings" in reason["detail"]


async def test_customers_wait_for_some_of_the_advisors_own_working_hours(api: Api) -> None:
    hours = [
        {"dayOfWeek": day, "from": "09:00", "to": "12:00"} for day in ("Monday", "Tuesday", "Wednesday", "Thursday")
    ]
    await change(api, ANNAS, workdays=hours)
    await change(api, SETTINGS, minimumBookingNotice="00:00:00", workingTimeBuffer="04:00:00")
    asked = {"lookForwardTime": "4.00:00:00", "explicitEmployeeIds": ANNA, "isCustomerInitiated": "true"}
    assert starts_of(await search(api, **asked))[0] == "10:00"  # three hours on Monday, one on Tuesday
    tuesday = [slot for slot in await search(api, **asked) if slot["startDate"].startswith("2026-03-03")]
    assert starts_of(tuesday) == ["10:00", "10:30", "11:00"]
    await change(api, SETTINGS, closingDays=["2026-03-02"])
    found = await search(api, **asked)
    assert min(slot["startDate"] for slot in found) == "2026-03-04T09:00:00Z"
    for lifted in ({"ignoreMinimumTimeBeforeBooking": "true"}, {"isCustomerInitiated": "false"}):
        assert min(slot["startDate"] for slot in await search(api, **asked | lifted)) == "2026-03-03T08:00:00Z"
    query = {"employeeId": ANNA, "date": "2026-03-03", "isCustomerInitiated": "true", "meetingTypes": "online"}
    starts = (await api.get("v3/booking/time-slots/explain", params=query)).json()["starts"]
    at_ten = next(each for each in starts if each["startDate"] == "2026-03-03T09:00:00Z")
    assert at_ten["rule"] == "WorkingTimeBuffer"
    assert "after 4 hours of their own working hours from 2026-03-02 07:00 on" in at_ten["detail"]
