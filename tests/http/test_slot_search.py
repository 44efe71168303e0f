"""Searching free time (contract, GET /time-slots/available; docs/api.md 27 to 30, 39). In depth: tests/unit."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from factories import TUESDAY_AT_TEN, Api
from fakes import HandClock
from meetdeck.demo.firm import NORDLYS, ZONE
from meetdeck.platform.db import Database
from searches import TUESDAY, Query, ask, employees_of, search, starts_of

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))
HOUR = timedelta(hours=1)


# --------------------------------------------------------------------------------------------------------- the answer


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_free_advisor_is_offered_each_half_hour_in_each_way_to_meet(version: str, api: Api) -> None:
    slots = (await ask(api, version, topic=api.id_of("topic", "Annual review"))).json()
    assert set(slots[0]) == {"startDate", "endDate", "meetingType", "employeeId"}
    expected = [f"{hour:02}:{minute}" for hour in range(8, 16) for minute in ("00", "30")][1:]
    assert starts_of(slots) == expected  # 08:30 to 16:30, an hour each
    at_ten = [slot for slot in slots if slot["startDate"] == "2026-03-03T09:00:00Z" and slot["employeeId"] == ANNA]
    assert sorted(slot["meetingType"] for slot in at_ten) == ["Online", "Physical", "Telephone"]
    assert all(slot["endDate"] == "2026-03-03T10:00:00Z" for slot in at_ten)


async def test_without_dates_the_next_seven_days_are_searched(api: Api, clock: HandClock) -> None:
    answer = await api.get("v3/booking/time-slots/available?requireEmployeeParticipation=false")
    times = [datetime.fromisoformat(slot["startDate"]) for slot in answer.json()]
    assert clock() <= min(times)
    assert max(times) + HOUR <= clock() + timedelta(days=7)
    assert len({time.astimezone(ZONE).date() for time in times}) == 5  # working days


async def test_nothing_is_offered_in_the_past(api: Api, clock: HandClock) -> None:
    clock.moment = TUESDAY_AT_TEN + timedelta(minutes=10)
    api = await api.of(NORDLYS)
    assert starts_of(await search(api))[0] == "10:30"


# ------------------------------------------------------------------------------------------------------- the query


async def test_whether_all_must_take_part_has_to_be_said(api: Api) -> None:
    answer = await api.get("v3/booking/time-slots/available")
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/query/requireEmployeeParticipation"]


async def test_arrays_are_read_repeated_and_comma_separated_and_words_in_any_case(api: Api) -> None:
    written: list[Query] = [
        {"meetingTypes": ["online", "telephone"], "employeeTypes": ["Explicit"], "explicitEmployeeIds": [ANNA, BO]},
        {"meetingTypes": "Online,TELEPHONE", "employeeTypes": "explicit", "explicitEmployeeIds": f"{ANNA},{BO}"},
    ]
    repeated, separated = [await search(api, **query) for query in written]
    assert repeated == separated
    assert employees_of(repeated) == {ANNA, BO}
    assert {slot["meetingType"] for slot in repeated} == {"Online", "Telephone"}


async def test_the_meetings_length_is_written_as_duration_or_minutes(api: Api) -> None:
    for written in ("01:30:00", "90", "0.01:30:00"):
        slots = await search(api, meetingDuration=written)
        assert {
            datetime.fromisoformat(slot["endDate"]) - datetime.fromisoformat(slot["startDate"]) for slot in slots
        } == {timedelta(minutes=90)}


async def test_the_meetings_length_is_the_topics_else_an_hour(api: Api) -> None:
    home = await search(api, topic=api.id_of("topic", "Buying a home"))
    assert (home[0]["startDate"], home[0]["endDate"]) == ("2026-03-03T07:30:00Z", "2026-03-03T09:00:00Z")
    assert (await search(api))[0]["endDate"] == "2026-03-03T08:00:00Z"


async def test_the_booking_flow_finds_the_same(api: Api) -> None:
    canonical = await ask(api)
    for alias in ("v3/booking/booking", "v2/booking/booking"):
        query = {"requireEmployeeParticipation": "false"} | TUESDAY
        assert (await api.get(f"{alias}/time-slots/available", params=query)).content == canonical.content


WRONG: list[tuple[Query, str]] = [
    ({"requireEmployeeParticipation": "perhaps"}, "/query/requireEmployeeParticipation"),
    ({"topic": "pension"}, "/query/topic"),
    ({"explicitEmployeeIds": f"{ANNA},bo"}, "/query/explicitEmployeeIds/1"),
    ({"employeeTypes": "Global"}, "/query/employeeTypes/0"),
    ({"employeeTypes": ""}, "/query/employeeTypes"),
    ({"meetingTypes": "carrier pigeon"}, "/query/meetingTypes/0"),
    ({"startDate": "tomorrow"}, "/query/startDate"),
    ({"lookForwardTime": "a week"}, "/query/lookForwardTime"),
    ({"lookForwardTime": "367.00:00:00"}, "/query/lookForwardTime"),
    ({"meetingDuration": "an hour"}, "/query/meetingDuration"),
    ({"meetingDuration": "0"}, "/query/meetingDuration"),
    ({"meetingDuration": "00:00:30"}, "/query/meetingDuration"),
    ({"meetingDuration": "9" * 5000}, "/query/meetingDuration"),
    ({"meetingDuration": "999999999999"}, "/query/meetingDuration"),
]


async def test_what_cannot_be_searched_for_is_400_with_its_pointer(api: Api) -> None:
    for query, pointer in WRONG:
        answer = await ask(api, **query)
        assert answer.status_code == 400, f"{query}: {answer.text}"
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_what_does_not_exist_is_404_with_its_pointer(api: Api) -> None:
    unknown = str(uuid4())
    answer = await ask(api, topic=unknown, customerTypeId=unknown, explicitEmployeeIds=unknown, specificRooms=unknown)
    assert answer.status_code == 404
    assert {error["pointer"] for error in answer.json()["errors"]} == {
        "/query/topic",
        "/query/customerTypeId",
        "/query/explicitEmployeeIds",
        "/query/specificRooms",
    }


async def test_the_ends_of_the_calendar_have_no_slots_and_no_crash(api: Api) -> None:
    for day in ("1900-01-01", "2999-12-30"):
        answer = await ask(api, startDate=f"{day}T00:00:00Z", isCustomerInitiated="true")
        assert (answer.status_code, answer.json()) == (200, []), day


# -------------------------------------------------------------------------------------------------------- who and what


async def test_a_topic_narrows_to_those_who_serve_it(api: Api) -> None:
    everybody = employees_of(await search(api))
    assert everybody == {str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors}
    assert employees_of(await search(api, topic=api.id_of("topic", "Starting a business"))) == {DAVID}
    pension = employees_of(await search(api, topic=api.id_of("topic", "Pension check")))
    assert pension == {ANNA, EVA, GITTE}


async def test_an_advisor_is_offered_in_the_ways_that_the_hours_say(api: Api) -> None:
    slots = await search(api, employeeTypes="Explicit", explicitEmployeeIds=GITTE)
    assert {slot["meetingType"] for slot in slots} == {"Online", "Telephone"}


async def test_employee_types_are_united(api: Api) -> None:
    local = await search(api, employeeTypes="Local", customerLocation="aarhus")
    assert employees_of(local) == {ANNA, BO, CAMILLA, DAVID}
    united = await search(api, employeeTypes="Local,Explicit", customerLocation="Aarhus", explicitEmployeeIds=EVA)
    assert employees_of(united) == {ANNA, BO, CAMILLA, DAVID, EVA}


async def test_when_all_must_take_part_only_common_times_are_left(api: Api) -> None:
    together: Query = {"requireEmployeeParticipation": "true", "explicitEmployeeIds": [ANNA, BO]}
    slots = await search(api, **together)
    assert employees_of(slots) == {ANNA, BO}
    assert starts_of(slots, ANNA) == starts_of(slots, BO)
    assert (starts_of(slots)[0], starts_of(slots)[-1]) == ("09:00", "15:30")  # Bo from 9, Anna until 16:30
    await api.reserve(TUESDAY_AT_TEN, employeeId=BO)
    assert "10:00" not in starts_of(await search(api, **together))


async def test_a_customer_type_that_an_advisor_does_not_serve_leaves_the_advisor_out(
    api: Api, database: Database
) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(
            "insert into employee_customer_type values (current_tenant(), $1, $2)",
            ANNA,
            api.id_of("customer type", "Business"),
        )
    for parameter in ("customerTypeId", "customerCategoryId"):
        private: Query = {parameter: api.id_of("customer type", "Private")}
        business: Query = {parameter: api.id_of("customer type", "Business")}
        assert ANNA not in employees_of(await search(api, **private))
        assert ANNA in employees_of(await search(api, **business))


# ----------------------------------------------------------------------------------------------------- what is taken


async def test_reserved_and_booked_time_is_gone_until_it_is_free_again(api: Api, clock: HandClock) -> None:
    await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)
    taken = starts_of(await search(api))
    assert [time for time in ("09:00", "09:30", "10:00", "10:30", "11:00") if time in taken] == ["09:00", "11:00"]
    clock.advance(minutes=5)
    assert "10:00" in starts_of(await search(api))
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
    assert (await api.book(employeeId=BO, additionalEmployees=[ANNA], **times)).status_code == 201
    clock.advance(minutes=10)
    slots = await search(api)
    assert "10:00" not in starts_of(slots, ANNA)
    assert "10:00" not in starts_of(slots, BO)
    assert "10:00" in starts_of(slots, CAMILLA)


async def test_ones_own_reservation_does_not_hide_ones_own_slot(api: Api, clock: HandClock) -> None:
    token = uuid4()
    for employee, hour, owner in ((ANNA, 0, token), (ANNA, 2, uuid4())):
        assert (await api.reserve(TUESDAY_AT_TEN + hour * HOUR, employeeId=employee, token=owner)).status_code == 201
    mine = starts_of(await search(api, token=str(token)))
    assert [time for time in ("09:30", "10:00", "10:30", "11:30", "12:00") if time in mine] == [
        "09:30",
        "10:00",
        "10:30",
    ]
    assert "10:00" not in starts_of(await search(api))
    assert "10:00" not in starts_of(await search(api, token=str(uuid4())))
    assert "10:00" not in starts_of(await search(await api.other(), token=str(token)))
    clock.advance(minutes=5)
    assert (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).status_code == 201  # somebody else's now
    assert "10:00" not in starts_of(await search(api, token=str(token)))


async def test_ones_own_reservation_does_not_count_for_the_day_either(api: Api) -> None:
    token = uuid4()
    await api.reserve(TUESDAY_AT_TEN, minutes=360, employeeId=ANNA, token=token)  # six hours a day
    assert ANNA not in employees_of(await search(api))
    assert ANNA in employees_of(await search(api, token=str(token)))


async def test_a_meeting_that_is_to_be_moved_is_not_in_its_own_way(api: Api) -> None:
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
    meeting = (await api.book(employeeId=ANNA, **times)).json()
    assert "10:30" not in starts_of(await search(api))
    assert "10:30" in starts_of(await search(api, existingMeetingId=meeting["id"]))
    unknown = await ask(api, existingMeetingId=str(uuid4()))
    assert (unknown.status_code, unknown.json()["errors"][0]["pointer"]) == (404, "/query/existingMeetingId")


async def test_an_advisor_whose_day_is_full_is_silently_left_out(api: Api) -> None:
    for hour in range(5):  # of six hours a day
        assert (await api.reserve(TUESDAY_AT_TEN + hour * HOUR, employeeId=ANNA)).status_code == 201
    assert ANNA in employees_of(await search(api))
    assert ANNA not in employees_of(await search(api, meetingDuration="90"))
    wednesday = await search(api, startDate="2026-03-04T00:00", meetingDuration="90")
    assert ANNA in employees_of(wednesday)


async def test_with_a_room_required_the_last_room_taken_ends_it(api: Api) -> None:
    aarhus: Query = {"requireRoom": "true", "meetingLocation": "Aarhus", "meetingTypes": "physical"}
    assert "10:00" in starts_of(await search(api, **aarhus))
    for room in (HAVBLIK, FJORDEN):
        await api.reserve(TUESDAY_AT_TEN, roomId=room)
    assert "10:00" not in starts_of(await search(api, **aarhus))
    assert "10:00" in starts_of(await search(api, requireRoom="false", meetingTypes="physical"))
    only_havblik = await search(api, **aarhus, specificRooms=HAVBLIK, startDate="2026-03-04T00:00")
    assert "10:00" in starts_of(only_havblik)


# -------------------------------------------------------------------------------------------------------- customers


async def test_customers_book_with_notice_within_opening_hours_and_not_too_far_ahead(
    api: Api, clock: HandClock, database: Database
) -> None:
    monday: Query = {"startDate": "2026-03-02T00:00", "isCustomerInitiated": "true"}
    assert starts_of(await search(api, **monday))[0] == "11:00"  # it is seven, and notice is four hours
    assert starts_of(await search(api, startDate="2026-03-02T00:00"))[0] == "08:30"
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update organization_setting set opening_time = '10:00', closing_time = '12:00'")
    assert starts_of(await search(api, isCustomerInitiated="true")) == ["10:00", "10:30", "11:00"]
    assert starts_of(await search(api))[0] == "08:30"
    far = (clock() + timedelta(days=91)).isoformat()
    assert await search(api, startDate=far, isCustomerInitiated="true") == []
    assert await search(api, startDate=far) != []


async def test_a_closing_day_is_closed_for_everybody(api: Api, database: Database) -> None:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update organization_setting set closing_days = '{2026-03-03}'")
    assert await search(api) == []
    assert await search(api, startDate="2026-03-04T00:00") != []


async def test_another_tenants_advisors_are_not_offered(api: Api) -> None:
    other = await api.other()
    assert employees_of(await search(other)) == {
        other.id_of("employee", name) for name in ("Ida Bech", "Jonas Vest", "Karen Juul")
    }
    assert (await ask(other, explicitEmployeeIds=ANNA)).status_code == 404
