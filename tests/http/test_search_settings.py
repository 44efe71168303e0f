"""Effects of the organization's settings, and of the rules that a caller ignores, on searches for free time.

The rules: docs/api/organization.md, docs/api/advisors.md#daily-limits, #buffers, docs/api/search.md#ignored.
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.searches import change, employees_of, search, send_search, starts_of

ANNA, BO, EVA = (str(NORDLYS.id_of("employee", name)) for name in ("Anna Holm", "Bo Lind", "Eva Sand"))
ANNAS = f"employee-schedules/{NORDLYS.id_of('schedule', 'Anna Holm')}"
BRANCH = f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}"
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
HOUR = timedelta(hours=1)
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat(), "type": "Online"}
MORNING = {"startDate": "2026-03-03T09:00", "lookForwardTime": "04:00:00", "meetingDuration": "30"}


async def find(api: Api, **query: Any) -> list[str]:
    return starts_of(await search(api, **query))


# ----------------------------------------------------------------------------------------------------- daily limits


async def test_the_daily_limit_binds_employees_unless_the_organization_says_otherwise(api: Api) -> None:
    await change(api, ANNAS, maxMeetingTimePerDay="01:00:00")
    await change(api, BRANCH, maxMeetingTimePerDay="01:00:00")
    asked = {"meetingDuration": "90"}
    for query in ({}, {"isCustomerInitiated": "true"}):
        assert not {ANNA, BO} & employees_of(await search(api, **asked, **query))
    await change(api, SETTINGS, dailyLimitForEmployees=False)
    assert {ANNA, BO} <= employees_of(await search(api, **asked))
    assert not {ANNA, BO} & employees_of(await search(api, **asked, isCustomerInitiated="true"))


async def test_a_hold_by_service_group_follows(api: Api) -> None:
    await change(api, BRANCH, maxMeetingTimePerDay="00:30:00")
    assert (await api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch")).status_code == 409
    await change(api, SETTINGS, dailyLimitForEmployees=False)
    assert (await api.reserve(TUESDAY_AT_TEN, serviceGroup="Aarhus branch")).status_code == 201


# ---------------------------------------------------------------------------------------------------------- buffers


@pytest.mark.parametrize("booked", [True, False])
async def test_the_organization_keeps_time_between_meetings(booked: bool, api: Api) -> None:  # noqa: FBT001 - a case
    await change(api, SETTINGS, bufferBetweenMeetings="00:30:00")
    if booked:
        await api.book(employeeId=EVA, additionalEmployees=[ANNA], **TIMES)
    else:
        await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    assert await find(api, **MORNING) == ["09:00", "11:30", "12:00", "12:30"]
    assert starts_of(await search(api, **MORNING), BO)[:4] == ["09:00", "09:30", "10:00", "10:30"]
    assert (await api.reserve(TUESDAY_AT_TEN + HOUR, employeeId=ANNA)).status_code == 201  # the search alone minds


async def test_of_the_organizations_buffer_and_a_service_groups_the_longer_counts(api: Api) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    await change(api, BRANCH, **{"serviceLevel/bufferAfter": "01:00:00", "serviceLevel/bufferBefore": "00:10:00"})
    await change(api, SETTINGS, bufferBetweenMeetings="00:30:00")
    assert await find(api, **MORNING) == [
        "11:30",
        "12:00",
        "12:30",
    ]  # an hour to ten o'clock, half an hour after eleven
    query = {"employeeId": ANNA, "date": "2026-03-03", "meetingTypes": "online", "meetingDuration": "30"}
    explained = (await api.get("v3/booking/time-slots/explain", params=query)).json()["starts"]
    detail = next(each["detail"] for each in explained if each["startDate"] == "2026-03-03T08:00:00Z")
    assert "The organization requires 30 minutes before a meeting to be free." in detail
    assert "Their service groups require 1 hour after a meeting to be free." in detail


async def test_a_buffer_of_more_than_a_day_is_refused(api: Api) -> None:
    operations = [{"op": "replace", "path": "/bufferBetweenMeetings", "value": "1.00:00:01"}]
    answer = await api.request("PATCH", f"v3/booking/config/{SETTINGS}", json=operations)
    assert answer.status_code == 400
    assert answer.json()["errors"] == [{"pointer": "/bufferBetweenMeetings", "detail": "At most 1.00:00:00."}]


# ---------------------------------------------------------------------------------------------------------- ignoring


async def test_what_ignored_meetings_take_is_free_and_counts_for_no_limit(api: Api) -> None:
    await change(api, ANNAS, maxMeetingTimePerDay="01:30:00")
    mine, other = [
        (await api.book(employeeId=ANNA, **TIMES | {"startDate": start.isoformat(), "endDate": end.isoformat()})).json()
        for start, end in (
            (TUESDAY_AT_TEN, TUESDAY_AT_TEN + HOUR / 2),
            (TUESDAY_AT_TEN + HOUR, TUESDAY_AT_TEN + HOUR * 3 / 2),
        )
    ]
    assert await find(api) == []
    assert "10:00" in await find(api, ignoreMeetingIds=mine["id"])
    assert "10:30" not in await find(api, ignoreMeetingIds=mine["id"])
    both = await find(api, ignoreMeetingIds=[mine["id"], other["id"]], meetingDuration="90")
    assert {"10:00", "10:30"} <= set(both)
    assert both == await find(api, ignoreMeetingIds=f"{mine['id']},{other['id']}", meetingDuration="90")


async def test_a_meeting_to_ignore_must_exist(api: Api) -> None:
    for version in ("v2", "v3"):
        answer = await send_search(api, version, ignoreMeetingIds=str(uuid4()))
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (404, "/query/ignoreMeetingIds")


async def test_the_minimum_notice_can_be_ignored(api: Api) -> None:
    today = {"startDate": "2026-03-02T00:00", "isCustomerInitiated": "true"}
    assert (await find(api, **today))[0] == "11:00"  # at seven, with a notice of four hours
    assert (await find(api, **today, ignoreMinimumTimeBeforeBooking="true"))[0] == "08:30"
    assert (await find(api, **today, ignoreMinimumTimeBeforeBooking="false"))[0] == "11:00"
