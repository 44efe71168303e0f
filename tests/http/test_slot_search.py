"""Searching free time (contract, GET /time-slots/available). In depth: tests/unit.

The rules: docs/api/advisors.md, docs/api/search.md, docs/api/rooms-and-seats.md, docs/api/index.md#references.
"""

from datetime import datetime, timedelta
from uuid import uuid4

from meetdeck.demo.firm import NORDLYS, ZONE
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.searches import TUESDAY, Query, employees_of, search, send_search, starts_of

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))
HOUR = timedelta(hours=1)


# --------------------------------------------------------------------------------------------------------- the answer


async def test_a_free_advisor_is_offered_each_half_hour_in_each_way_to_meet(api: Api) -> None:
    slots = await search(api, topic=api.id_of("topic", "Annual review"))
    assert set(slots[0]) == {"startDate", "endDate", "meetingType", "employeeId"}
    expected = [f"{hour:02}:{minute}" for hour in range(8, 16) for minute in ("00", "30")][1:]
    assert starts_of(slots) == expected  # 08:30 to 16:30, an hour each
    at_ten = [slot for slot in slots if slot["startDate"] == "2026-03-03T09:00:00Z" and slot["employeeId"] == ANNA]
    assert sorted(slot["meetingType"] for slot in at_ten) == ["Online", "Physical", "Telephone"]
    assert all(slot["endDate"] == "2026-03-03T10:00:00Z" for slot in at_ten)


async def test_without_dates_the_next_seven_days_are_searched(api: Api, clock: HandClock) -> None:
    slots = await search(api, startDate="", lookForwardTime="")
    assert slots == await search(api, startDate="2026-03-02T07:00", lookForwardTime="7.00:00:00")
    times = [datetime.fromisoformat(slot["startDate"]) for slot in slots]
    assert clock() <= min(times)
    assert max(times) + HOUR <= clock() + timedelta(days=7)
    assert len({time.astimezone(ZONE).date() for time in times}) == 5  # working days


async def test_whole_slots_lie_between_the_start_and_the_end_of_the_search(api: Api) -> None:
    for start in ("2026-03-03T10:00", "2026-03-03T10:00:00+01:00", "2026-03-03T09:00:00Z", "2026-03-03T14:30+05:30"):
        for length in ("01:30:00", "1:30", "0.01:30:00"):
            assert starts_of(await search(api, startDate=start, lookForwardTime=length)) == ["10:00", "10:30"], start
    assert starts_of(await search(api, startDate="2026-03-03T10:00", lookForwardTime="01:29:59")) == ["10:00"]
    assert await search(api, startDate="2026-03-03T10:00", lookForwardTime="00:00:00") == []
    years = await search(api, lookForwardTime="366.00:00:00", meetingTypes="online", explicitEmployeeIds=ANNA)
    assert years[-1]["startDate"].startswith("2027-03-03")


async def test_a_search_that_began_in_the_past_ends_as_far_from_its_start_as_asked_for(api: Api) -> None:
    since_sunday: Query = {"startDate": "2026-03-01T12:00", "lookForwardTime": "1.00:00:00"}
    assert starts_of(await search(api, **since_sunday)) == ["08:30", "09:00", "09:30", "10:00", "10:30", "11:00"]


async def test_nothing_is_offered_in_the_past(api: Api, clock: HandClock) -> None:
    clock.moment = TUESDAY_AT_TEN + timedelta(minutes=10)
    api = await api.of(NORDLYS)
    assert starts_of(await search(api))[0] == "10:30"


# ------------------------------------------------------------------------------------------------------- the query


async def test_whether_all_must_take_part_has_to_be_said(api: Api) -> None:
    for version in ("v2", "v3"):
        answer = await api.get(f"{version}/booking/time-slots/available")
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


async def test_the_booking_flow_finds_the_same(api: Api) -> None:
    canonical = await send_search(api)
    for alias in ("v3/booking/booking", "v2/booking/booking"):
        query = {"requireEmployeeParticipation": "false"} | TUESDAY
        assert (await api.get(f"{alias}/time-slots/available", params=query)).content == canonical.content


WRONG: list[tuple[Query, str]] = [
    ({"requireEmployeeParticipation": "perhaps"}, "/query/requireEmployeeParticipation"),
    ({"isCustomerInitiated": "maybe"}, "/query/isCustomerInitiated"),
    ({"requireRoom": "2"}, "/query/requireRoom"),
    ({"topic": "pension"}, "/query/topic"),
    ({"customerTypeId": "private"}, "/query/customerTypeId"),
    ({"customerCategoryId": "private"}, "/query/customerCategoryId"),
    ({"specificRooms": [HAVBLIK, "fjorden"]}, "/query/specificRooms/1"),
    ({"token": "mine"}, "/query/token"),
    ({"existingMeetingId": "the last one"}, "/query/existingMeetingId"),
    ({"explicitEmployeeIds": f"{ANNA},bo"}, "/query/explicitEmployeeIds/1"),
    ({"employeeTypes": "Global"}, "/query/employeeTypes/0"),
    ({"employeeTypes": ""}, "/query/employeeTypes"),
    ({"meetingTypes": "carrier pigeon"}, "/query/meetingTypes/0"),
    ({"startDate": "tomorrow"}, "/query/startDate"),
    ({"startDate": "0001-01-01T00:00:00Z"}, "/query/startDate"),
    ({"lookForwardTime": "a week"}, "/query/lookForwardTime"),
    ({"lookForwardTime": "7"}, "/query/lookForwardTime"),
    ({"lookForwardTime": "-1.00:00:00"}, "/query/lookForwardTime"),
    ({"lookForwardTime": "367.00:00:00"}, "/query/lookForwardTime"),
    ({"meetingDuration": "an hour"}, "/query/meetingDuration"),
    ({"meetingDuration": "0"}, "/query/meetingDuration"),
    ({"meetingDuration": "00:00:30"}, "/query/meetingDuration"),
    ({"meetingDuration": "9" * 5000}, "/query/meetingDuration"),
    ({"meetingDuration": "999999999999"}, "/query/meetingDuration"),
]


async def test_what_cannot_be_searched_for_is_400_with_its_pointer(api: Api) -> None:
    for version in ("v2", "v3"):
        for query, pointer in WRONG:
            answer = await send_search(api, version, **query)
            assert answer.status_code == 400, f"{query}: {answer.text}"
            assert [error["pointer"] for error in answer.json()["errors"]] == [pointer]


async def test_everything_that_is_wrong_is_named_at_once(api: Api) -> None:
    answer = await send_search(
        api, topic="pension", meetingTypes="online,pigeon", explicitEmployeeIds=["anna", BO, "eva"]
    )
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == [
        *("/query/explicitEmployeeIds/0", "/query/explicitEmployeeIds/2", "/query/topic", "/query/meetingTypes/1")
    ]


async def test_what_does_not_exist_is_404_with_its_pointer(api: Api) -> None:
    unknown = str(uuid4())
    names = ("topic", "customerTypeId", "explicitEmployeeIds", "specificRooms", "existingMeetingId")
    for version in ("v2", "v3"):
        answer = await send_search(api, version, **dict.fromkeys(names, unknown))
        assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
        assert {error["pointer"] for error in answer.json()["errors"]} == {f"/query/{name}" for name in names}
    in_the_flow = await send_search(api, customerCategoryId=unknown)
    assert [error["pointer"] for error in in_the_flow.json()["errors"]] == ["/query/customerCategoryId"]


async def test_the_ends_of_the_calendar_have_no_slots_and_no_crash(api: Api) -> None:
    for day in ("1900-01-01", "2999-12-30"):
        answer = await send_search(api, startDate=f"{day}T00:00:00Z", isCustomerInitiated="true")
        assert (answer.status_code, answer.json()) == (200, []), day


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


async def test_what_began_weeks_before_the_search_takes_time_as_well(api: Api) -> None:
    begins_at, almost_over = TUESDAY_AT_TEN + timedelta(days=30), TUESDAY_AT_TEN + timedelta(days=57)
    assert (await api.reserve(begins_at, minutes=28 * 24 * 60, employeeId=ANNA)).status_code == 201
    offered = employees_of(await search(api, startDate=almost_over.isoformat(), lookForwardTime="04:00:00"))
    assert ANNA not in offered
    assert BO in offered


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
    await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")
    assert (await send_search(api, existingMeetingId=meeting["id"])).status_code == 404


# --------------------------------------------------------------------------------------------------------- tenants


async def test_another_tenants_advisors_are_not_offered(api: Api) -> None:
    other = await api.other()
    assert employees_of(await search(other)) == {
        other.id_of("employee", name) for name in ("Ida Bech", "Jonas Vest", "Karen Juul")
    }
    assert (await send_search(other, explicitEmployeeIds=ANNA)).status_code == 404
