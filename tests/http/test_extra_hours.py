"""Extra hours, and hours elsewhere, in the search and what stands on it (docs/api/calendar-entries.md)."""

from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.booking.scheduling.search.service.memory import MEMORY
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api
from support.meetings import ANNA, BO, HAVBLIK, patch, replace
from support.searches import change, move_to_zone, save, search, send_search, starts_of
from support.statements import logged_statements

ANNAS = f"employee-schedules/{NORDLYS.id_of('schedule', 'Anna Holm')}"
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
EVENING = {"startDate": "2026-03-03T18:00", "endDate": "2026-03-03T20:00"}
OF_ANNA = {"explicitEmployeeIds": ANNA, "employeeTypes": "Explicit"}
AS_CUSTOMER = OF_ANNA | {"isCustomerInitiated": "true"}
PHYSICAL_AND_ONLINE = [{"type": "Physical"}, {"type": "Online"}]


async def add(api: Api, status: str, begin: str, end: str, employee: str = ANNA) -> str:
    """Add a calendar entry on Tuesday, at local times."""
    body = {"status": status, "employeeId": employee, "startDate": _on_tuesday(begin), "endDate": _on_tuesday(end)}
    answer = await api.post("v3/booking/time-slots", body)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def _on_tuesday(clock: str) -> str:
    return clock if "T" in clock else f"2026-03-03T{clock}"


async def explain(api: Api, clock: str, meeting_type: str, **asked: Any) -> tuple[str | None, str]:
    """Return the rule, and the sentence, of Anna's start at a local time on Tuesday."""
    query = {"employeeId": ANNA, "date": "2026-03-03", "requireEmployeeParticipation": "false"} | asked
    answer = await api.get("v3/booking/time-slots/explain", params=query)
    assert answer.status_code == 200, answer.text
    at = f"2026-03-03T{int(clock[:2]) - 1:02}{clock[2:]}:00Z"
    starts = answer.json()["starts"]
    found = next(each for each in starts if (each["startDate"], each["meetingType"]) == (at, meeting_type))
    assert found["available"] is (found["rule"] is None)
    return found["rule"], found["detail"]


def types_at(slots: list[dict[str, str]], clock: str) -> set[str]:
    at = f"2026-03-03T{int(clock[:2]) - 1:02}{clock[2:]}:00Z"
    return {slot["meetingType"] for slot in slots if slot["startDate"] == at}


async def book(api: Api, begin: str, end: str, **members: Any) -> httpx.Response:
    times = {"startDate": _on_tuesday(begin), "endDate": _on_tuesday(end)}
    return await api.book(**{"employeeId": ANNA, "type": "Online"} | times | members)


# ---------------------------------------------------------------------------------------------------------- extra hours


async def test_extra_hours_are_offered_online_and_by_telephone_also_to_customers(api: Api) -> None:
    assert types_at(await search(api, **OF_ANNA), "18:00") == set()
    entry = await add(api, "ExtraOpen", "18:00", "20:00")
    for asked in (OF_ANNA, AS_CUSTOMER):
        slots = await search(api, **asked)
        assert [start for start in starts_of(slots) if start >= "17:00"] == ["18:00", "18:30", "19:00"]
        assert types_at(slots, "18:00") == {"Online", "Telephone"}
    assert (await api.request("DELETE", f"v3/booking/time-slots/{entry}")).status_code == 204
    assert types_at(await search(api, **OF_ANNA), "18:00") == set()


async def test_a_slot_runs_over_the_seam_of_working_hours_and_extra_hours_in_the_types_of_both(api: Api) -> None:
    await change(api, SETTINGS, closingTime="17:00:00")
    await change(api, ANNAS, **{"workdays/1/to": "17:00:00", "workdays/1/availableMeetingTypes": PHYSICAL_AND_ONLINE})
    assert types_at(await search(api, **OF_ANNA), "16:30") == set()
    await add(api, "ExtraOpen", "17:00", "18:00")
    for asked in (OF_ANNA, AS_CUSTOMER):
        slots = await search(api, **asked)
        assert types_at(slots, "16:00") == {"Physical", "Online"}
        assert types_at(slots, "16:30") == {"Online"}
        assert types_at(slots, "17:00") == {"Online", "Telephone"}


async def test_a_customer_reaches_extra_hours_only_from_opening_hours_that_they_join(api: Api) -> None:
    await change(api, SETTINGS, closingTime="17:00:00")
    await change(api, ANNAS, **{"workdays/1/to": "18:00:00"})
    await add(api, "ExtraOpen", "18:00", "19:00")
    assert types_at(await search(api, **OF_ANNA), "17:30") == {"Online", "Telephone"}
    assert types_at(await search(api, **AS_CUSTOMER), "17:30") == set()  # 17:00 to 18:00 is not open
    assert types_at(await search(api, **AS_CUSTOMER), "18:00") == {"Online", "Telephone"}
    await add(api, "ExtraOpen", "17:00", "18:00")
    assert types_at(await search(api, **AS_CUSTOMER), "17:30") == {"Online", "Telephone"}
    assert types_at(await search(api, **AS_CUSTOMER), "16:30") == {"Online", "Telephone"}


async def test_overlapping_extra_hours_are_one_and_never_open_a_closing_day(api: Api) -> None:
    await add(api, "ExtraOpen", "18:00", "19:00")
    await add(api, "ExtraOpen", "18:30", "20:10")
    slots = await search(api, **OF_ANNA)
    assert [start for start in starts_of(slots) if start >= "17:00"] == ["18:00", "18:30", "19:00"]
    await add(api, "ExtraOpen", "20:00", "2026-03-05T12:00")
    await change(api, SETTINGS, closingDays=["2026-03-03"])
    assert await search(api, **OF_ANNA) == []
    wednesday = {"startDate": "2026-03-04T00:00", "lookForwardTime": "02:00:00"}
    assert {slot["startDate"] for slot in await search(api, **OF_ANNA | wednesday)} == {
        "2026-03-03T23:00:00Z",
        "2026-03-03T23:30:00Z",
        "2026-03-04T00:00:00Z",
    }


async def test_busy_time_limits_notice_and_the_horizon_bind_in_extra_hours_too(api: Api) -> None:
    await add(api, "ExtraOpen", "18:00", "21:00")
    await add(api, "Busy", "19:00", "19:30")
    assert types_at(await search(api, **OF_ANNA), "18:30") == set()
    assert types_at(await search(api, **OF_ANNA), "19:30") == {"Online", "Telephone"}
    await change(api, SETTINGS, minimumBookingNotice="1.12:00:00")
    assert types_at(await search(api, **AS_CUSTOMER), "18:00") == set()
    await change(api, SETTINGS, minimumBookingNotice="00:00:00", maxTimeFromBookingToMeeting="1.00:00:00")
    assert types_at(await search(api, **AS_CUSTOMER), "18:00") == set()
    await change(api, SETTINGS, maxTimeFromBookingToMeeting=None, bufferBetweenMeetings="00:30:00")
    assert (await book(api, "20:30", "21:00")).status_code == 201
    assert types_at(await search(api, **OF_ANNA), "19:30") == set()
    await change(api, SETTINGS, bufferBetweenMeetings="00:00:00")
    assert types_at(await search(api, **OF_ANNA), "19:30") == {"Online", "Telephone"}
    await change(api, ANNAS, maxMeetingTimePerDay="01:00:00")
    assert await search(api, **OF_ANNA) == []


async def test_extra_hours_do_not_count_as_hours_before_a_customers_meeting(api: Api) -> None:
    await change(api, SETTINGS, workingTimeBuffer="08:00:00", minimumBookingNotice="00:00:00")
    before = await search(api, **AS_CUSTOMER)
    await add(api, "ExtraOpen", "2026-03-02T18:00", "2026-03-02T23:00")
    assert await search(api, **AS_CUSTOMER) == before


async def test_slots_of_extra_hours_start_on_the_half_hours_of_the_advisors_clock(api: Api) -> None:
    await move_to_zone(api, ANNA, "Asia/Kathmandu")
    await add(api, "ExtraOpen", "18:00", "20:00")
    starts = [start for start in starts_of(await search(api, **OF_ANNA)) if start >= "17:00"]
    assert starts == ["18:15", "18:45"]


async def test_extra_hours_are_where_the_employee_is_at_home(api: Api) -> None:
    await add(api, "ExtraOpen", "18:00", "20:00")
    local = {"employeeTypes": "Local", "topic": str(NORDLYS.id_of("topic", "Annual review"))}
    in_aarhus = await search(api, **local, customerLocation="Aarhus")
    assert types_at([slot for slot in in_aarhus if slot["employeeId"] == ANNA], "18:00") == {"Online", "Telephone"}
    await change(api, ANNAS, **{"workdays/1/location": "København"})
    for place, expected in (("København", ["09:00"]), ("Aarhus", ["18:00"])):
        starts = starts_of(await search(api, **local, customerLocation=place))
        assert [start for start in starts if start in {"09:00", "18:00"}] == expected
    with_room = OF_ANNA | {"requireRoom": "true"}
    assert types_at(await search(api, **with_room), "18:00") == {"Online", "Telephone"}
    await save(api, f"employees/{ANNA}", location="Odense")
    assert types_at(await search(api, **with_room), "18:00") == set()


async def test_who_has_no_working_hours_and_who_is_for_names_alone_is_found_in_extra_hours(api: Api) -> None:
    await change(api, ANNAS, workdays=[], isOnlyExplicitlyAvailable=True)
    await add(api, "ExtraOpen", "18:00", "19:00")
    assert starts_of(await search(api, **OF_ANNA)) == ["18:00"]
    assert starts_of(await search(api)) == []


async def test_all_who_must_take_part_are_at_work_in_hours_of_either_kind(api: Api) -> None:
    both = {"explicitEmployeeIds": f"{ANNA},{BO}", "requireEmployeeParticipation": "true"}
    await add(api, "ExtraOpen", "18:00", "20:00")
    assert types_at(await search(api, **both), "18:30") == set()
    await add(api, "ExtraOpen", "18:30", "19:30", BO)
    evening = [slot for slot in await search(api, **both) if slot["startDate"] >= "2026-03-03T17:00:00Z"]
    assert {slot["startDate"] for slot in evening} == {"2026-03-03T17:30:00Z"}
    assert {slot["meetingType"] for slot in evening} == {"Online", "Telephone"}


async def test_the_best_advisor_of_a_time_may_be_one_with_extra_hours(api: Api) -> None:
    await add(api, "ExtraOpen", "18:00", "19:00", BO)
    slots = await search(api, getBestTimeSlots="true")
    assert {
        (slot["employeeId"], slot["meetingType"]) for slot in slots if slot["startDate"] == "2026-03-03T17:00:00Z"
    } == {
        (BO, "Online"),
        (BO, "Telephone"),
    }


async def test_a_service_group_gives_an_advisor_who_has_extra_hours_then(api: Api) -> None:
    group = {"serviceGroup": "Aarhus branch", "status": "Reserved"} | EVENING | {"endDate": "2026-03-03T19:00"}
    refused = await api.post("v3/booking/time-slots/reserve", {"timeSlot": group, "token": str(uuid4())})
    assert refused.status_code == 409
    await add(api, "ExtraOpen", "18:00", "19:00", BO)
    held = await api.post("v3/booking/time-slots/reserve", {"timeSlot": group, "token": str(uuid4())})
    assert (held.status_code, held.json().get("employeeId")) == (201, BO)


async def test_a_customer_who_books_only_what_is_offered_books_extra_hours(api: Api) -> None:
    await change(api, SETTINGS, customersBookOnlyOffered=True)
    by_customer = {"bookedBy": "Customer"}
    assert (await book(api, "18:00", "19:00", **by_customer)).json()["rule"] == "OpeningHours"
    await add(api, "ExtraOpen", "18:00", "20:00")
    refused = await book(api, "18:00", "19:00", type="Physical", **by_customer)
    assert (refused.status_code, refused.json()["rule"]) == (409, "OpeningHours")
    assert (await book(api, "18:00", "19:00", **by_customer)).status_code == 201


async def test_extra_hours_are_told_by_explanations(api: Api) -> None:
    await add(api, "ExtraOpen", "18:00", "20:00")
    span = "ExtraOpen from 2026-03-03 18:00 to 2026-03-03 20:00"
    more = f" More hours, for Online and Telephone meetings: {span}."
    assert await explain(api, "18:00", "Online") == (None, f"Anna Holm has extra hours then: {span}.")
    assert await explain(api, "18:00", "Physical") == (
        "MeetingType",
        f"The hours of Anna Holm then are for Online and Telephone meetings, not for Physical ones.{more}",
    )
    rule, words = await explain(api, "19:30", "Online")
    assert (rule, words.endswith(f", and the whole slot must lie within.{more}")) == ("WorkingHours", True)
    assert await explain(api, "10:00", "Online") == (None, "")
    rule, words = await explain(api, "18:00", "Physical", isCustomerInitiated="true")
    assert (rule, words.endswith(more)) == ("OpeningHours", True)
    assert (await explain(api, "18:00", "Online", isCustomerInitiated="true"))[0] is None
    await change(api, SETTINGS, closingDays=["2026-03-03"])
    assert await explain(api, "18:00", "Online") == (
        "ClosingDay",
        f"Tuesday 2026-03-03 is a closing day of the organization. Extra hours do not open it: {span}.",
    )


# ------------------------------------------------------------------------------------------------------ hours elsewhere


async def test_nobody_is_met_physically_while_working_from_elsewhere(api: Api) -> None:
    before = await search(api, **OF_ANNA)
    entry = await add(api, "WorkingFromElsewhere", "10:15", "11:00")
    after = await search(api, **OF_ANNA)
    assert types_at(after, "10:00") == {"Online", "Telephone"}
    gone = {(slot["startDate"], slot["meetingType"]) for slot in before if slot not in after}
    assert gone == {(f"2026-03-03T{clock}:00Z", "Physical") for clock in ("08:30", "09:00", "09:30")}
    assert [slot for slot in after if slot not in before] == []
    changed = await api.request("PATCH", f"v3/booking/time-slots/{entry}", json=replace(status="Busy"))
    assert changed.status_code == 200
    assert types_at(await search(api, **OF_ANNA), "10:00") == set()


async def test_why_nobody_is_met_physically_is_told_and_being_busy_comes_first(api: Api) -> None:
    await add(api, "WorkingFromElsewhere", "10:00", "2026-03-04T12:00")
    assert await explain(api, "10:00", "Physical") == (
        "WorkingFromElsewhere",
        "Anna Holm works from elsewhere from 2026-03-03 10:00 to 2026-03-04 12:00, and has no physical meetings then.",
    )
    assert await explain(api, "10:00", "Online") == (None, "")
    await add(api, "Busy", "10:00", "10:30")
    assert (await explain(api, "10:00", "Physical"))[0] == "Busy"
    assert (await explain(api, "10:30", "Physical"))[0] == "WorkingFromElsewhere"


async def test_who_works_from_elsewhere_takes_part_online_and_is_not_offered_physically_to_customers(api: Api) -> None:
    await change(api, SETTINGS, customersBookOnlyOffered=True)
    await add(api, "WorkingFromElsewhere", "08:00", "17:00", BO)
    both = {"explicitEmployeeIds": f"{ANNA},{BO}", "requireEmployeeParticipation": "true"}
    assert types_at(await search(api, **both), "10:00") == {"Online", "Telephone"}
    refused = await book(api, "10:00", "11:00", employeeId=BO, type="Physical", bookedBy="Customer")
    assert (refused.status_code, refused.json()["rule"]) == (409, "WorkingFromElsewhere")
    assert (await book(api, "10:00", "11:00", employeeId=BO, bookedBy="Customer")).status_code == 201
    assert (await book(api, "11:00", "12:00", employeeId=BO, type="Physical")).status_code == 201


# ------------------------------------------------------------------------------ bound to what is offered, and Busy time


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_customer_who_books_only_what_is_offered_cannot_ignore_busy_time(version: str, api: Api) -> None:
    await add(api, "Busy", "10:00", "11:00")
    body = {"customerId": "Freja", "crmId": "C-1", "employeeId": ANNA, "type": "Online", "bookedBy": "Customer"}
    body |= {"startDate": "2026-03-03T10:00", "endDate": "2026-03-03T11:00", "ignoreTimeSlotConflicts": True}
    await change(api, SETTINGS, customersBookOnlyOffered=True)
    refused = await api.post(f"{version}/booking/meetings", body)
    assert (refused.status_code, refused.json()["code"], refused.json()["rule"]) == (409, "not_offered", "Busy")
    slot = {"startDate": body["startDate"], "endDate": body["endDate"], "status": "Reserved", "employeeId": ANNA}
    reservation = {"timeSlot": slot | {"ignoreTimeSlotConflicts": True}, "token": str(uuid4())}
    held = await api.post(f"{version}/booking/time-slots/reserve", reservation)
    assert held.status_code == 201, held.text
    by_hold = {name: value for name, value in body.items() if not name.endswith("Date")} | {
        "timeSlotId": held.json()["id"]
    }
    assert (await api.post(f"{version}/booking/meetings", by_hold)).json()["rule"] == "Busy"
    by_employee = await api.post(f"{version}/booking/meetings", by_hold | {"bookedBy": "Employee"})
    assert by_employee.status_code == 201, by_employee.text


async def test_a_bound_customer_moves_no_meeting_onto_busy_time_and_takes_no_busy_room(api: Api) -> None:
    await change(api, SETTINGS, customersBookOnlyOffered=True)
    await add(api, "Busy", "10:00", "11:00")
    room_is_busy = {"status": "Busy", "roomId": HAVBLIK, "startDate": "2026-03-03T12:00", "endDate": "2026-03-03T14:00"}
    assert (await api.post("v3/booking/time-slots", room_is_busy)).status_code == 201
    ignoring = {"ignoreTimeSlotConflicts": True}
    mine = (await book(api, "12:00", "13:00", bookedBy="Customer")).json()
    say_so = {"op": "add", "path": "/ignoreTimeSlotConflicts", "value": True}
    onto_busy = replace(startDate="2026-03-03T10:00", endDate="2026-03-03T11:00")
    assert (await patch(api, mine, [say_so, *onto_busy])).json()["rule"] == "Busy"
    assert (await patch(api, mine, [say_so, *replace(roomId=HAVBLIK)])).json()["code"] == "time_busy"
    by_employee = [say_so, *replace(roomId=HAVBLIK, bookedBy="Employee")]
    assert (await patch(api, mine, by_employee)).status_code == 200
    refused = await book(api, "13:00", "14:00", employeeId=BO, roomId=HAVBLIK, bookedBy="Customer", **ignoring)
    assert (refused.status_code, refused.json()["rule"]) == (409, "Busy")
    assert "Havblik is busy from 2026-03-03T11:00Z" in refused.json()["detail"]
    await change(api, SETTINGS, customersBookOnlyOffered=False)
    taken = await book(api, "13:00", "14:00", employeeId=BO, roomId=HAVBLIK, bookedBy="Customer", **ignoring)
    assert taken.status_code == 201


# -------------------------------------------------------------------------------------------------------------- quickly


async def test_entries_of_every_kind_are_read_with_what_is_taken(
    api: Api, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MEMORY, "limit", 0)
    await send_search(api)
    with logged_statements(database) as statements:
        await send_search(api)
    without = len(statements)
    for status in ("Busy", "ExtraOpen", "WorkingFromElsewhere"):
        await add(api, status, "09:00", "20:00")
    with logged_statements(database) as statements:
        await send_search(api)
    assert len(statements) == without
