"""Explanations of missing times (GET /time-slots/explain), rule by rule.

The rules: docs/api/advisors.md, docs/api/search.md, docs/api/rooms-and-seats.md.
"""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS, ZONE
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.searches import Query

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
REVIEW, HOME = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Buying a home"))
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))
HOUR = timedelta(hours=1)
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
Explanation = dict[str, Any]


async def explain(api: Api, **query: Any) -> Explanation:
    """Explain Anna's Tuesday, unless the query says otherwise."""
    answer = await api.get(
        "v3/booking/time-slots/explain",
        params={"employeeId": ANNA, "date": "2026-03-03", "meetingTypes": "online"} | query,
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def at(explanation: Explanation, time: str) -> tuple[str | None, str]:
    """Return the rule and its words for a local time; the first meeting type of it."""
    start = next(
        each
        for each in explanation["starts"]
        if f"{datetime.fromisoformat(each['startDate']).astimezone(ZONE):%H:%M}" == time
    )
    assert start["available"] == (start["rule"] is None)
    return start["rule"], start["detail"]


async def configure(database: Database, *statements: tuple[str, *tuple[str, ...]]) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        for statement, *arguments in statements:
            await connection.execute(statement, *arguments)


# ---------------------------------------------------------------------------------------------------------- the starts


async def test_each_half_hour_of_the_day_says_whether_it_is_offered_and_why_not(api: Api) -> None:
    explanation = await explain(api)
    assert (explanation["employeeId"], explanation["date"], explanation["reasons"]) == (ANNA, "2026-03-03", [])
    assert explanation["timeZone"] == "Europe/Copenhagen"
    assert len(explanation["starts"]) == 48
    assert at(explanation, "10:00") == (None, "")
    assert at(explanation, "16:00") == (
        "WorkingHours",
        "Anna Holm works on Tuesdays from 08:30 to 16:30, and the whole slot must lie within.",
    )


async def test_a_meeting_in_the_way_is_named(api: Api) -> None:
    meeting = (await api.book(employeeId=ANNA, title="Pension", **TIMES)).json()
    await api.reserve(TUESDAY_AT_TEN + 2 * HOUR, employeeId=ANNA)
    explanation = await explain(api)
    rule, detail = at(explanation, "09:30")
    assert rule == "Busy"
    assert detail == (
        f"Anna Holm is taken: the meeting “Pension” ({meeting['id']}) from 2026-03-03 10:00 to 2026-03-03 11:00."
    )
    assert (
        "a reservation from 2026-03-03 12:00 to 2026-03-03 13:00 (held until 2026-03-02 07:05)"
        in at(explanation, "12:30")[1]
    )
    assert at(explanation, "09:00") == at(explanation, "11:00") == (None, "")


async def test_ones_own_reservation_is_not_in_the_way(api: Api) -> None:
    token = uuid4()
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA, token=token)
    assert at(await explain(api), "10:00")[0] == "Busy"
    assert at(await explain(api, token=str(token)), "10:00")[0] is None


@pytest.mark.parametrize("whose", ["Anna Holm", "Aarhus branch", "the organization"])
async def test_whose_limit_is_reached_is_said_in_numbers(whose: str, api: Api, database: Database) -> None:
    limits = {
        "Anna Holm": "update employee_schedule set max_meeting_time_per_day = '2:00' where employee_id = $1",
        "Aarhus branch": "update service_group set max_meeting_time_per_day = '2:00' where name = $1",
        "the organization": "update organization_setting set max_meeting_time_per_day = '2:00' where $1::text <> ''",
    }
    await configure(database, (limits[whose], ANNA if whose == "Anna Holm" else whose))
    await api.reserve(TUESDAY_AT_TEN, minutes=90, employeeId=ANNA)
    rule, detail = at(await explain(api), "13:00")
    assert rule == "DailyLimit"
    assert detail == (
        "Booked or reserved on Tuesday 2026-03-03: 1 hour and 30 minutes."
        f" With 1 hour more it would exceed 2 hours a day, the limit of {whose}."
    )


async def test_what_holds_for_customers_is_told(api: Api, database: Database) -> None:
    await configure(
        database,
        ("update organization_setting set opening_time = '10:00', closing_time = '12:00'",),
        ("update organization_setting set closing_days = '{2026-03-04}'",),
        ("update organization_setting set max_time_from_booking_to_meeting = '2 days'",),
    )
    asked = {"isCustomerInitiated": "true"}
    monday = await explain(api, **asked, date="2026-03-02")
    assert at(monday, "06:30") == ("Past", "It is 2026-03-02 07:00 already.")
    assert at(monday, "10:00") == (
        "MinimumNotice",
        "Customers book 4 hours ahead at least: from 2026-03-02 11:00 on.",
    )
    tuesday = await explain(api, **asked)
    assert at(tuesday, "09:00")[1] == (
        "Customers meet when the organization is open, from 10:00 to 12:00, and the whole slot must lie within."
    )
    wednesday = await explain(api, **asked, date="2026-03-04")
    assert at(wednesday, "10:00")[1] == "Customers book 2 days ahead at most: up to 2026-03-04 07:00."
    assert at(await explain(api, date="2026-03-04"), "10:00") == (
        "ClosingDay",
        "Wednesday 2026-03-04 is a closing day of the organization.",
    )


async def test_types_places_and_rooms_are_told(api: Api) -> None:
    gitte = await explain(api, employeeId=GITTE, meetingTypes="physical")
    assert at(gitte, "10:00") == (
        "MeetingType",
        "The hours of Gitte Møller then are for Online and Telephone meetings, not for Physical ones.",
    )
    physical: Query = {"meetingTypes": "physical"}
    assert at(await explain(api, **physical, meetingLocation="Odense"), "10:00") == (
        "Location",
        "Anna Holm works at Aarhus then, not at Odense.",
    )
    for room in (HAVBLIK, FJORDEN):
        await api.reserve(TUESDAY_AT_TEN, roomId=room)
    rule, detail = at(await explain(api, **physical, requireRoom="true"), "10:00")
    assert (rule, detail) == ("Room", "A room that seats 2 is needed, and all such rooms at Aarhus (2) are taken.")
    assert "none at Odense" in at(await explain(api, requireRoom="true", meetingLocation="Odense"), "10:00")[1]


async def test_who_else_has_to_take_part_is_told(api: Api) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    asked = {"requireEmployeeParticipation": "true", "explicitEmployeeIds": f"{ANNA},{BO}"}
    explanation = await explain(api, **asked)
    assert at(explanation, "10:00") == (
        "Participants",
        "Everybody named has to take part, and the search does not offer Bo Lind then.",
    )
    assert at(explanation, "11:00")[0] is None


async def test_response_times_and_buffers_of_service_groups_are_told(api: Api, database: Database) -> None:
    await configure(
        database, ("update service_group set response_time = '1 day 2 hours', buffer_after = '15 minutes'",)
    )
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    explanation = await explain(api)
    assert at(explanation, "08:30") == (
        "ResponseTime",
        "The response time of Aarhus branch is 1 day and 2 hours: Anna Holm is offered from 2026-03-03 09:00 on.",
    )
    assert at(explanation, "09:00")[1].endswith("Their service groups require 15 minutes after a meeting to be free.")


async def test_outside_of_the_time_that_is_searched_is_told(api: Api) -> None:
    explanation = await explain(api, startDate="2026-03-03T10:00", lookForwardTime="02:00:00")
    assert [at(explanation, time)[0] for time in ("09:30", "10:00", "11:00", "11:30")] == [
        "OutsideSearch", None, None, "OutsideSearch",
    ]  # fmt: skip
    assert "from 2026-03-03 10:00 to 2026-03-03 12:00" in at(explanation, "09:30")[1]


async def test_of_the_hour_that_is_there_twice_it_is_said_which_one(api: Api) -> None:
    explanation = await explain(api, date="2026-10-25", startDate="2026-10-25T00:30:00Z", lookForwardTime="01:00:00")
    assert "from 2026-10-25 02:30 CEST to 2026-10-25 02:30 CET" in at(explanation, "01:00")[1]


@pytest.mark.parametrize(("day", "count"), [("2026-03-29", 46), ("2026-10-25", 50)])
async def test_a_day_when_clocks_change_has_its_own_length(day: str, count: int, api: Api) -> None:
    assert len((await explain(api, date=day))["starts"]) == count


# ------------------------------------------------------------------------------------------------- no candidate at all


async def test_why_somebody_is_not_looked_at_is_said_rule_by_rule(api: Api, database: Database) -> None:
    async def reasons(**query: Any) -> dict[str, str]:
        explanation = await explain(api, **query)
        assert explanation["starts"] == []
        return {reason["rule"]: reason["detail"] for reason in explanation["reasons"]}

    assert await reasons(employeeId=DAVID, topic=REVIEW) == {
        "Topic": "No competence group of David Krogh serves “Annual review”."
        " Groups of David Krogh: “Starting a business”. Groups that name “Annual review”: “Annual review”."
    }
    assert await reasons(employeeTypes="explicit", explicitEmployeeIds=BO) == {
        "EmployeeTypes": "employeeTypes requests Explicit (in explicitEmployeeIds), and Anna Holm is none of these."
    }
    assert await reasons(employeeTypes="local,explicit", customerLocation="København") == {
        "EmployeeTypes": "employeeTypes requests Local (working at København) and Explicit (in explicitEmployeeIds),"
        " and Anna Holm is none of these."
    }
    assert set(await reasons(requireEmployeeParticipation="true", explicitEmployeeIds=BO)) == {"NotNamed"}
    await configure(
        database,
        ("update employee set active = false where employee_id = $1", BO),
        ("update employee_schedule set can_be_booked = false where employee_id = $1", BO),
        ("delete from employee_schedule where employee_id = $1", CAMILLA),
        ("update employee_schedule set is_only_explicitly_available = true where employee_id = $1", EVA),
        ("insert into employee_customer_type values (current_tenant(), $1, $2)", ANNA, PRIVATE),
        ("insert into meeting_topic_customer_type values (current_tenant(), $1, $2)", REVIEW, PRIVATE),
        ("update meeting_topic set meeting_types = '{Physical}' where topic_id = $1", HOME),
        ("update service_group set trigger_locations = '{Skagen,Ribe}'",),
    )
    assert set(await reasons(employeeId=BO)) == {"Inactive", "NotBookable"}
    assert set(await reasons(employeeId=CAMILLA)) == {"NoSchedule"}
    assert set(await reasons(employeeId=EVA)) == {"OnlyWhenNamed"}
    business = await reasons(customerTypeId=BUSINESS, topic=REVIEW)
    assert business["CustomerType"] == "Anna Holm is for Private, not for Business."
    assert business["TopicCustomerType"] == "“Annual review” is for Private, not for Business."
    assert await reasons(topic=HOME) == {
        "TopicMeetingType": "Meetings about “Buying a home” are Physical, and meetingTypes requests others."
    }
    assert await reasons(customerLocation="Aarhus") == {
        "ServiceTrigger": "No service group offers Anna Holm in this search:"
        " “Aarhus branch” is for the locations Skagen and Ribe."
    }


# ---------------------------------------------------------------------------------------------------------- the edges


WRONG: list[tuple[Query, int, str]] = [
    ({"date": ""}, 400, "/query/date"),
    ({"date": "tomorrow"}, 400, "/query/date"),
    ({"date": "0001-01-01"}, 400, "/query/date"),
    ({"date": "9999-12-31"}, 400, "/query/date"),
    ({"employeeId": ""}, 400, "/query/employeeId"),
    ({"employeeId": str(uuid4())}, 404, "/query/employeeId"),
    ({"topic": str(uuid4())}, 404, "/query/topic"),
    ({"meetingDuration": "0"}, 400, "/query/meetingDuration"),
]


async def test_what_cannot_be_explained_is_refused_with_its_pointer(api: Api) -> None:
    for query, status, pointer in WRONG:
        answer = await api.get(
            "v3/booking/time-slots/explain", params={"employeeId": ANNA, "date": "2026-03-03"} | query
        )
        assert answer.status_code == status, f"{query}: {answer.text}"
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


@pytest.mark.parametrize("day", ["1900-01-01", "2999-12-31"])
async def test_days_far_away_are_explained_too(day: str, api: Api) -> None:
    assert len((await explain(api, date=day))["starts"]) in {48, 49}


async def test_only_v3_explains(api: Api) -> None:
    assert (await api.get(f"v2/booking/time-slots/explain?employeeId={ANNA}&date=2026-03-03")).status_code == 404


async def test_another_tenants_employee_is_not_explained(api: Api) -> None:
    other = await api.other()
    answer = await other.get(f"v3/booking/time-slots/explain?employeeId={ANNA}&date=2026-03-03")
    assert answer.status_code == 404
