"""Bookings by customers: topics for them and, if the firm requires it, only times that the search offers.

The rules: docs/api/meetings.md#customer-bookings.
"""

import asyncio
import random
from collections import Counter
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import ANNA, BO, CAMILLA, DAVID, HAVBLIK, LATER, TIMES, patch, replace
from support.searches import Query, change, redraw_entries, save, send_search

EVA, GITTE = (str(NORDLYS.id_of("employee", name)) for name in ("Eva Sand", "Gitte Møller"))
REVIEW, HOME, PENSION, BUSINESS_START = (
    str(NORDLYS.id_of("topic", name))
    for name in ("Annual review", "Buying a home", "Pension check", "Starting a business")
)
SETTINGS = f"organization-settings/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
SCHEDULE = {
    name: f"employee-schedules/{NORDLYS.id_of('schedule', name)}"
    for name in ("Anna Holm", "Bo Lind", "Camilla Friis", "Eva Sand")
}
AARHUS = f"locations/{NORDLYS.id_of('location', 'Aarhus')}"
HOUR = timedelta(hours=1)
BY = ("Customer", "PortalCustomer", "PortalPartner")


async def bind(api: Api) -> None:
    """Set that customers book only offered slots."""
    await change(api, SETTINGS, customersBookOnlyOffered=True)


async def book(api: Api, starts_at: datetime = TUESDAY_AT_TEN, minutes: int = 60, **members: Any) -> httpx.Response:
    """Book Anna online, as a customer, unless the members say otherwise."""
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + timedelta(minutes=minutes)).isoformat()}
    times = {} if "timeSlotId" in members else times
    return await api.book(**{"employeeId": ANNA, "type": "Online", "bookedBy": "Customer"} | times | members)


async def last(api: Api, topic: str) -> int:
    """Return how many minutes meetings about a topic last."""
    return (await api.get(f"v3/booking/config/meeting-topics/{topic}")).json()["durationMinutes"]


def rule_of(answer: httpx.Response) -> str:
    """Return the rule by which a booking is not offered, and see that it is told."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, "not_offered"), answer.text
    assert problem["rule"] in problem["detail"]
    assert problem["errors"][0]["detail"] in problem["detail"]
    return problem["rule"]


# ------------------------------------------------------------------------------------------------- topics for customers


@pytest.mark.parametrize("booked_by", BY)
async def test_a_topic_that_is_not_for_customers_is_neither_found_nor_booked_by_them(booked_by: str, api: Api) -> None:
    await save(api, f"meeting-topics/{PENSION}", customerBookable=False)
    assert (await send_search(api, topic=PENSION)).json()
    assert (await send_search(api, topic=PENSION, isCustomerInitiated="true")).json() == []
    assert (await send_search(api, topic=REVIEW, isCustomerInitiated="true")).json()
    answer = await book(api, topicId=PENSION, bookedBy=booked_by)
    assert (answer.status_code, answer.json()["code"]) == (409, "not_bookable")
    assert answer.json()["errors"][0]["pointer"] == "/topicId"
    assert "Pension check" in answer.json()["detail"]
    slot = (await api.reserve(TUESDAY_AT_TEN, employeeId=ANNA)).json()
    assert (await book(api, themeId=PENSION, timeSlotId=slot["id"])).json()["code"] == "not_bookable"
    mine = (await book(api, TUESDAY_AT_TEN + 2 * HOUR)).json()
    assert (await patch(api, mine, replace(topicId=PENSION))).json()["code"] == "not_bookable"
    assert (await book(api, TUESDAY_AT_TEN + 4 * HOUR, topicId=PENSION, bookedBy="Employee")).status_code == 201


async def test_why_a_customers_search_finds_nothing_about_a_topic_is_explained(api: Api) -> None:
    await save(api, f"meeting-topics/{PENSION}", customerBookable=False)
    query = {"employeeId": ANNA, "date": "2026-03-03", "topic": PENSION, "isCustomerInitiated": "true"}
    explanation = (await api.get("v3/booking/time-slots/explain", params=query)).json()
    assert explanation["reasons"] == [
        {
            "rule": "TopicNotForCustomers",
            "detail": "Customers cannot book “Pension check”: its customerBookable is false.",
        }
    ]


# ---------------------------------------------------------------------------------------------- only what is offered


async def test_unless_the_organization_says_so_nothing_binds_customers(api: Api) -> None:
    assert (await book(api, TUESDAY_AT_TEN - 7 * HOUR, minutes=240)).status_code == 201


@pytest.mark.parametrize("booked_by", BY)
async def test_what_the_search_does_not_offer_is_refused_with_the_rule(booked_by: str, api: Api) -> None:
    await bind(api)
    await save(api, f"meeting-topics/{PENSION}", meetingTypes=["Online"])
    await change(api, SETTINGS, closingDays=["2026-03-05"])
    await change(api, SCHEDULE["Anna Holm"], maxMeetingTimePerDay="03:00:00")
    wrong: list[tuple[str, timedelta, dict[str, Any]]] = [
        ("OpeningHours", -7 * HOUR, {}),
        ("HalfHours", HOUR / 4, {}),
        ("ClosingDay", 48 * HOUR, {}),
        ("MinimumNotice", -26 * HOUR, {}),
        ("TooFarAhead", timedelta(days=365 * 400), {}),
        ("WorkingHours", 7 * HOUR, {}),
        ("DailyLimit", 0 * HOUR, {"minutes": 240}),
        ("TopicDuration", 0 * HOUR, {"minutes": 240, "topicId": PENSION}),
        ("TopicMeetingType", 0 * HOUR, {"type": "Telephone", "topicId": PENSION}),
        ("Topic", 0 * HOUR, {"topicId": BUSINESS_START}),
        ("MeetingType", 0 * HOUR, {"type": "Offsite"}),
        ("Participants", 0 * HOUR, {"additionalEmployees": [GITTE], "topicId": REVIEW}),
    ]
    for rule, after, members in wrong:
        assert rule_of(await book(api, TUESDAY_AT_TEN + after, bookedBy=booked_by, **members)) == rule, members
    right = await book(api, bookedBy=booked_by, topicId=PENSION, minutes=await last(api, PENSION))
    assert right.status_code == 201
    by_employee = await book(api, TUESDAY_AT_TEN - 7 * HOUR, bookedBy="Employee")
    assert by_employee.status_code == 201


async def test_a_portals_booking_is_a_customers(api: Api) -> None:
    await bind(api)
    portal = {"name": "Home", "authenticationType": "NationalId", "location": ""}
    made = await api.post("v3/booking/config/portals", portal)
    assert made.status_code == 201, made.text
    answer = await book(api, TUESDAY_AT_TEN - 7 * HOUR, bookedBy="Employee", portalId=made.json()["id"])
    assert rule_of(answer) == "OpeningHours"


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_portals_booking_moves_as_a_customers_whoever_it_says_booked_it(version: str, api: Api) -> None:
    """`bookedBy` is Employee where the portal leaves it out."""
    await bind(api)
    await save(api, f"meeting-topics/{PENSION}", customerBookable=False)
    portal = {"name": "Home", "authenticationType": "NationalId", "location": ""}
    portal_id = (await api.post("v3/booking/config/portals", portal)).json()["id"]
    mine = (await api.book(employeeId=ANNA, type="Online", portalId=portal_id, **TIMES)).json()
    assert mine["bookedBy"] == "Employee"
    at_night = {"startDate": "2026-03-03T02:00:00Z", "endDate": "2026-03-03T03:00:00Z"}
    assert rule_of(await patch(api, mine, replace(**at_night), version=version)) == "OpeningHours"
    refused = await patch(api, mine, replace(topicId=PENSION), version=version)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_bookable")
    tested = [{"op": "test", "path": "/bookedBy", "value": "Employee"}, *replace(**at_night)]
    assert rule_of(await patch(api, mine, tested, version=version)) == "OpeningHours"
    assert (await patch(api, mine, replace(title="Hers"), version=version)).status_code == 200
    by_phone = await patch(api, mine, replace(bookedBy="Employee", **at_night), version=version)  # who answers for it
    assert by_phone.status_code == 200

    employees = (await api.book(employeeId=BO, type="Online", **at_night)).json()
    become = [{"op": "add", "path": "/portalId", "value": portal_id}]
    assert rule_of(await patch(api, employees, become, version=version)) == "OpeningHours"


async def test_what_is_taken_is_taken_and_not_a_rule(api: Api) -> None:
    await bind(api)
    await book(api)
    assert (await book(api)).json()["code"] == "time_slot_taken"
    assert (await book(api, employeeId=BO, additionalEmployees=[ANNA])).json()["code"] == "time_slot_taken"
    branch = f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}"
    await change(api, branch, **{"serviceLevel/bufferBefore": "00:15:00"})
    assert rule_of(await book(api, TUESDAY_AT_TEN + HOUR)) == "Busy"


async def test_a_hold_becomes_a_customers_meeting_when_it_is_offered_but_for_itself(api: Api) -> None:
    await bind(api)
    for starts_at, status in ((TUESDAY_AT_TEN, 201), (TUESDAY_AT_TEN - 7 * HOUR, 409)):
        slot = (await api.reserve(starts_at, employeeId=ANNA)).json()
        answer = await book(api, timeSlotId=slot["id"])
        assert answer.status_code == status
    assert rule_of(answer) == "OpeningHours"
    assert (await book(api, timeSlotId=slot["id"], bookedBy="Employee")).status_code == 201  # it is still held


async def test_a_customers_meeting_moves_to_what_is_offered_but_for_itself(api: Api) -> None:
    await bind(api)
    meeting = (await book(api)).json()
    by_half_an_hour = {"startDate": "2026-03-03T09:30:00Z", "endDate": "2026-03-03T10:30:00Z"}
    assert (await patch(api, meeting, replace(**by_half_an_hour))).status_code == 200
    at_night = {"startDate": "2026-03-03T02:00:00Z", "endDate": "2026-03-03T03:00:00Z"}
    assert rule_of(await patch(api, meeting, replace(**at_night))) == "OpeningHours"
    assert rule_of(await patch(api, meeting, replace(type="Offsite"))) == "MeetingType"
    assert rule_of(await patch(api, meeting, replace(employeeId=GITTE, topicId=REVIEW))) == "Topic"
    slot = await api.post(
        "v3/booking/time-slots/reserve",
        {
            "timeSlot": at_night | {"status": "Reserved", "employeeId": ANNA},
            "token": str(uuid4()),
            "existingMeetingId": meeting["id"],
        },
    )
    assert rule_of(await patch(api, meeting, replace(timeSlotId=slot.json()["id"]))) == "OpeningHours"
    await change(api, SETTINGS, openingTime="11:00:00")
    assert (await patch(api, meeting, replace(title="As it was"))).status_code == 200
    later_at_night = {"startDate": "2026-03-03T03:00:00Z", "endDate": "2026-03-03T04:00:00Z"}
    by_phone = await patch(api, meeting, replace(**later_at_night, bookedBy="Employee"))  # who answers for it
    assert by_phone.status_code == 200
    assert rule_of(await patch(api, meeting, replace(bookedBy="Customer"))) == "OpeningHours"


async def test_a_customers_meeting_that_has_begun_ends_when_it_ends(api: Api, clock: HandClock) -> None:
    meeting = (await book(api)).json()
    await bind(api)
    clock.moment = TUESDAY_AT_TEN + HOUR / 2
    api = await api.of(api.firm)
    assert (await patch(api, meeting, replace(endDate="2026-03-03T10:10:00Z"))).status_code == 200


async def test_of_many_customers_at_once_no_day_becomes_fuller_than_its_limit(api: Api) -> None:
    await bind(api)
    await change(api, SCHEDULE["Anna Holm"], maxMeetingTimePerDay="02:00:00")
    answers = await asyncio.gather(*(book(api, TUESDAY_AT_TEN + number * HOUR) for number in range(6)))
    assert Counter(answer.status_code for answer in answers) == {201: 2, 409: 4}


async def test_a_room_is_found_for_what_is_offered(api: Api) -> None:
    await bind(api)
    await change(api, AARHUS, requireAvailableRoom=True)
    physical: Query = {"type": "Physical"}
    first = await book(api, **physical)
    assert first.json()["roomId"] == HAVBLIK
    await book(api, TUESDAY_AT_TEN + 3 * HOUR, employeeId=BO, roomId=HAVBLIK, **physical)
    assert (await patch(api, first.json(), replace(**LATER))).status_code == 200
    assert (await book(api, employeeId=CAMILLA, roomId=HAVBLIK, **physical)).status_code == 201
    assert (await book(api, employeeId=BO, **physical)).status_code == 201
    assert (await book(api, employeeId=DAVID, **physical)).json()["code"] == "no_room_free"


# ------------------------------------------------------------------------------------------------- with the search

RULES: list[tuple[str, str, list[Any]]] = [
    (SETTINGS, "openingTime", ["08:00:00", "10:00:00"]),
    (SETTINGS, "closingDays", [[], [], ["2026-03-03"]]),
    (SETTINGS, "minimumBookingNotice", ["04:00:00", "1.04:00:00"]),
    (SETTINGS, "maxTimeFromBookingToMeeting", [None, "1.08:00:00"]),
    (SETTINGS, "maxMeetingTimePerDay", [None, "02:00:00"]),
    (SCHEDULE["Anna Holm"], "isOnlyExplicitlyAvailable", [False, True]),
    (SCHEDULE["Bo Lind"], "canBeBooked", [True, True, False]),
    (SCHEDULE["Camilla Friis"], "maxMeetingTimePerDay", [None, "01:00:00"]),
    (f"meeting-topics/{PENSION}", "meetingTypes", [[], ["Online"]]),
    (f"meeting-topics/{REVIEW}", "customerBookable", [True, False]),
    (AARHUS, "requireAvailableRoom", [False, True]),
    (
        f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}",
        "serviceLevel/bufferAfter",
        ["00:00:00", "00:30:00"],
    ),
    (f"service-groups/{NORDLYS.id_of('service group', 'Aarhus')}", "serviceTrigger/topicIds", [[], [PENSION]]),
]


async def test_what_a_customers_search_offers_can_be_booked_and_nothing_else(api: Api) -> None:
    await bind(api)
    dice = random.Random(5)  # noqa: S311 - a test that repeats itself
    outcome: list[bool] = []
    for _ in range(12):
        for resource, member, values in dice.sample(RULES, 4):
            configure = save if resource.startswith("meeting-topics/") else change
            await configure(api, resource, **{member: dice.choice([*values, values[0]])})
        await redraw_entries(api, dice, [ANNA, BO, EVA])
        for _ in range(5):
            employee, topic = dice.choice([ANNA, ANNA, BO, EVA]), dice.choice([None, REVIEW, PENSION, HOME])
            kind, minutes = dice.choice(["Online", "Physical", "Telephone"]), dice.choice([30, 60, 90])
            if topic is not None and dice.random() < 0.8:
                minutes = await last(api, topic)
            query = {"topic": topic, "meetingTypes": kind, "explicitEmployeeIds": employee}
            query |= {"meetingDuration": str(minutes), "isCustomerInitiated": "true", "lookForwardTime": "3.00:00:00"}
            found = (
                await send_search(api, **{name: value for name, value in query.items() if value is not None})
            ).json()
            starts = [datetime.fromisoformat(slot["startDate"]) for slot in found]
            anywhere = TUESDAY_AT_TEN + dice.randint(-3, 60) * HOUR / 2
            begin = dice.choice(starts) if starts and dice.random() < 0.6 else anywhere
            is_offered = begin in starts
            ignoring = {"ignoreTimeSlotConflicts": dice.random() < 0.3}
            answer = await book(api, begin, minutes, employeeId=employee, topicId=topic, type=kind, **ignoring)
            assert (answer.status_code == 201) == is_offered, (query, begin, answer.text)
            assert answer.status_code in {201, 409}
            outcome.append(is_offered)
    assert len(outcome) // 6 < sum(outcome) < len(outcome), "too few of either prove little"


async def test_the_setting_is_off_by_default_and_can_be_read(api: Api) -> None:
    setting = (await api.get("v3/booking/config/organization-settings")).json()
    assert setting["customersBookOnlyOffered"] is False
    await bind(api)
    setting = (await api.get("v3/booking/config/organization-settings")).json()
    assert setting["customersBookOnlyOffered"] is True
    answer = await api.book(version="v2", employeeId=ANNA, bookedBy="customer", type="online", **TIMES)
    assert answer.status_code == 201
    too_late = {"startDate": "2026-03-03T20:00:00Z", "endDate": "2026-03-03T21:00:00Z"}
    refused = await api.book(version="v2", employeeId=ANNA, bookedBy="customer", type="online", **too_late)
    assert rule_of(refused) == "OpeningHours"


async def test_of_a_customers_series_the_first_alone_lies_within_the_longest_time_ahead(api: Api) -> None:
    """All other rules hold for each time: here a closing day."""
    await bind(api)
    await change(api, SETTINGS, maxTimeFromBookingToMeeting="20.00:00:00")
    weekly = {"recurrence": "FREQ=WEEKLY;COUNT=5", "topicId": REVIEW}
    length = await last(api, REVIEW)
    far = await book(api, TUESDAY_AT_TEN + timedelta(weeks=4), length, **weekly)
    assert (far.status_code, far.json()["code"]) == (409, "series_conflict")
    booked = await book(api, TUESDAY_AT_TEN, length, **weekly)
    assert booked.status_code == 201, booked.text
    assert len(booked.json()["meetings"]) == 5
    third = booked.json()["meetings"][2]
    assert (await api.request("DELETE", f"v3/booking/meetings/{booked.json()['id']}?series=true")).status_code == 204
    await change(api, SETTINGS, closingDays=[f"{third['startDate'][:10]}T00:00:00Z"])
    refused = await book(api, TUESDAY_AT_TEN, length, **weekly)
    (fault,) = refused.json()["errors"]
    assert fault["detail"].startswith(third["startDate"][:10])
    assert "ClosingDay" in fault["detail"]
