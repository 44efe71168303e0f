"""The contract's six slot generation rules, one by one (GET /time-slots/available).

The rules: docs/api/search.md, docs/api/advisors.md#daily-limits.
"""

from datetime import datetime, timedelta
from typing import Any

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import Query, change, employees_of, move_to_zone, search, send_search, starts_of

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
BRANCH = f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}"
ANNAS = f"employee-schedules/{NORDLYS.id_of('schedule', 'Anna Holm')}"
HOUR = timedelta(hours=1)


def workday(day: str, begin: str, end: str, *types: str) -> dict[str, Any]:
    offered = [{"type": each} for each in types or ("Online",)]
    return {"dayOfWeek": day, "from": begin, "to": end, "availableMeetingTypes": offered}


# --------------------------------------------------------------------------------------------- 1. starts at :00 and :30


async def test_slots_start_on_the_hour_and_the_half_hour_and_lie_inside_the_working_hours(api: Api) -> None:
    await change(api, ANNAS, workdays=[workday("Tuesday", "09:10", "11:20"), workday("Tuesday", "13:00", "14:00")])
    assert starts_of(await search(api)) == ["09:30", "10:00", "13:00"]
    assert starts_of(await search(api, meetingDuration="20")) == ["09:30", "10:00", "10:30", "11:00", "13:00", "13:30"]
    assert starts_of(await search(api, startDate="2026-03-03T09:31")) == ["10:00", "13:00"]


async def test_an_advisors_half_hours_are_those_of_the_advisors_own_clock(api: Api) -> None:
    await move_to_zone(api, BO, "Asia/Kathmandu")  # 4:45 ahead of Copenhagen; Bo works from 9 to 17
    found = starts_of(await search(api), BO)
    assert (found[0], found[1], found[-1]) == ("04:15", "04:45", "11:15")
    assert starts_of(await search(api))[0] == "08:30"


async def test_on_days_when_clocks_change_every_real_half_hour_of_the_hours_is_a_start(api: Api) -> None:
    await change(api, ANNAS, workdays=[workday("Sunday", "01:00", "04:00")])
    asked: Query = {"meetingDuration": "30", "explicitEmployeeIds": ANNA, "employeeTypes": "Explicit"}
    spring = await search(api, startDate="2026-03-29T00:00", **asked)
    assert [slot["startDate"][11:16] for slot in spring] == ["00:00", "00:30", "01:00", "01:30"]
    autumn = await search(api, startDate="2026-10-25T00:00", **asked)
    assert [slot["startDate"][11:16] for slot in autumn] == [
        f"{hour % 24:02}:{minute}" for hour in range(23, 27) for minute in ("00", "30")
    ]


# ---------------------------------------------------------------------------------------------------- 2. how long it is


async def test_a_meeting_lasts_as_long_as_asked_for_else_as_its_topic_else_an_hour(api: Api) -> None:
    async def lengths(**query: Any) -> set[timedelta]:
        slots = await search(api, **query)
        return {datetime.fromisoformat(one["endDate"]) - datetime.fromisoformat(one["startDate"]) for one in slots}

    home: Query = {"topic": api.id_of("topic", "Buying a home")}
    assert await lengths() == {HOUR}
    assert await lengths(**home) == {timedelta(minutes=90)}
    for written in ("02:15:00", "02:15", "135", "0.02:15:00"):
        assert await lengths(meetingDuration=written, **home) == {timedelta(minutes=135)}, written
    assert await lengths(meetingDuration="08:00:00", explicitEmployeeIds=ANNA, employeeTypes="Explicit") == set()
    assert (await send_search(api, meetingDuration="1.00:00:00")).json() == []


# ------------------------------------------------------------------------------------ 3. one slot for each meeting type


async def test_each_free_advisor_has_one_slot_for_each_meeting_type_of_the_hours(api: Api) -> None:
    hours = [workday("Tuesday", "09:00", "10:00", "Physical", "Offsite"), workday("Tuesday", "10:00", "11:00")]
    await change(api, ANNAS, workdays=hours)
    slots = [slot for slot in await search(api) if slot["employeeId"] in {ANNA, GITTE}]
    offered = {
        (employee, hour): [
            slot["meetingType"]
            for slot in slots
            if (slot["employeeId"], slot["startDate"][11:16]) == (employee, f"{hour - 1:02}:00")
        ]
        for employee in (ANNA, GITTE)
        for hour in (9, 10)
    }
    assert offered == {
        (ANNA, 9): ["Physical", "Offsite"],
        (ANNA, 10): ["Online"],
        (GITTE, 9): ["Online", "Telephone"],
        (GITTE, 10): ["Online", "Telephone"],
    }
    assert {slot["employeeId"] for slot in await search(api, meetingTypes="offsite")} == {ANNA}


# -------------------------------------------------------------------------------------------- 4. three levels of limits


async def test_the_daily_limit_is_the_advisors_own_else_the_service_groups_else_the_organizations(api: Api) -> None:
    async def longest(employee: str) -> int:
        """Return of how many hours a day the employee can be booked with one more meeting."""
        fits = [
            hours for hours in range(1, 8) if employee in employees_of(await search(api, meetingDuration=f"{hours}:00"))
        ]
        return max(fits, default=0)

    await change(api, SETTINGS, maxMeetingTimePerDay="05:00:00")
    assert (await longest(ANNA), await longest(BO), await longest(EVA)) == (5, 5, 5)
    await change(api, BRANCH, maxMeetingTimePerDay="03:00:00")
    assert (await longest(ANNA), await longest(BO), await longest(EVA)) == (3, 3, 5)
    await change(api, ANNAS, maxMeetingTimePerDay="06:00:00")  # even when the others are stricter
    assert (await longest(ANNA), await longest(BO), await longest(EVA)) == (6, 3, 5)
    await change(api, BRANCH, maxMeetingTimePerDay="07:00:00")  # even when the organization's is stricter
    assert await longest(BO) == 7


# ------------------------------------------------------------------------------------------------ 5. when a day is full


async def test_an_advisor_is_left_out_of_the_days_that_the_meeting_would_overfill(api: Api) -> None:
    both_days: Query = {"lookForwardTime": "2.00:00:00"}

    def days(slots: list[dict[str, str]], employee: str = ANNA) -> set[str]:
        return {slot["startDate"][:10] for slot in slots if slot["employeeId"] == employee}

    await change(api, SETTINGS, maxMeetingTimePerDay="02:00:00")
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    assert days(await search(api, **both_days)) == {"2026-03-03", "2026-03-04"}  # two hours in all: as many as may be
    assert days(await search(api, meetingDuration="61", **both_days)) == {"2026-03-04"}  # totals begin anew
    assert days(await search(api, meetingDuration="61", **both_days), BO) == {"2026-03-03", "2026-03-04"}
    silently = await send_search(api, meetingDuration="121", **both_days)  # longer than the limit, on any day
    assert (silently.status_code, silently.json()) == (200, [])


# ------------------------------------------------------------------------------------------------ 6. what customers may


async def test_customers_book_with_notice_within_opening_hours_and_not_too_far_ahead(
    api: Api, clock: HandClock
) -> None:
    monday: Query = {"startDate": "2026-03-02T00:00"}
    assert starts_of(await search(api, isCustomerInitiated="true", **monday))[0] == "11:00"  # at seven; notice: 4 hours
    for not_by_a_customer in ({}, {"isCustomerInitiated": "false"}):
        assert starts_of(await search(api, **not_by_a_customer, **monday))[0] == "08:30"
    await change(api, SETTINGS, openingTime="10:00:00", closingTime="12:00:00")
    assert starts_of(await search(api, isCustomerInitiated="true")) == ["10:00", "10:30", "11:00"]
    assert starts_of(await search(api))[0] == "08:30"
    far = (clock() + timedelta(days=91)).isoformat()
    assert await search(api, startDate=far, isCustomerInitiated="true") == []
    assert await search(api, startDate=far) != []
