"""The report of meetings, against a count of the same meetings by hand (docs/reports.md#meetings)."""

import csv
import io
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from math import ceil
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import pytest

from meetdeck.booking.scheduling.reports.schemas import Grouping
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.platform.values import Duration
from support.factories import Api
from support.meetings import ANNA, HAVBLIK, INVESTING
from support.patches import pointers
from support.reports import ADVISORS, ROOM, BookedMeeting, add_meetings, draw_meetings
from support.seeds import list_seeds
from support.statements import logged_statements

pytestmark = pytest.mark.usefixtures("no_meetings")

REPORT = "v3/booking/reports/meetings"
COPENHAGEN = ZoneInfo("Europe/Copenhagen")
FIRST, LAST = date(2026, 3, 20), date(2026, 4, 2)  # clocks change on the 29th
MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
Json = dict[str, Any]


async def read(api: Api, **query: Any) -> Json:
    answer = await api.get(REPORT, params=MARCH | query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def count(meetings: Sequence[BookedMeeting], made: int) -> Json:
    """Count meetings the slow way; so many were booked on the days."""
    held = [each for each in meetings if each.cancelled_at is None]
    ahead = sorted(each.starts_at - each.date_created for each in held)
    length = sum((each.ends_at - each.starts_at for each in held), timedelta())
    by = [each.booked_by for each in meetings]
    return {
        "booked": len(meetings),
        "bookingsMade": made,
        "cancelled": len(meetings) - len(held),
        "moved": sum(each.time_sequence > 0 for each in meetings),
        "attended": sum(each.attendance == "Attended" for each in held),
        "noShows": sum(each.attendance == "NoShow" for each in held),
        "bookedByCustomer": by.count("Customer"),
        "bookedByEmployee": by.count("Employee"),
        "bookedByPortal": by.count("PortalCustomer") + by.count("PortalPartner"),
        "timesTaken": len(held),
        "totalLength": str(Duration.of(length)),
        "averageLength": str(Duration.of(length / len(held))) if held else None,
        "leadTimeMedian": str(Duration.of(ahead[ceil(len(ahead) / 2) - 1])) if held else None,
        "leadTimeP90": str(Duration.of(ahead[ceil(len(ahead) * 0.9) - 1])) if held else None,
    }


def local_day(meeting: BookedMeeting) -> date:
    return meeting.starts_at.astimezone(COPENHAGEN).date()


def begin_when_booked(meeting: BookedMeeting) -> BookedMeeting:
    """Return a meeting that begins when it was booked, for the period of its booking."""
    return meeting._replace(starts_at=meeting.date_created)


def find_week(meeting: BookedMeeting) -> str:
    monday = local_day(meeting) - timedelta(days=local_day(meeting).weekday())
    return max(monday, FIRST).isoformat()


def find_location(meeting: BookedMeeting) -> str:
    room_place = next(location for name, location, *_ in NORDLYS.rooms if NORDLYS.id_of("room", name) == ROOM)
    home = next(one.location for one in NORDLYS.advisors if NORDLYS.id_of("employee", one.name) == meeting.employee_id)
    return (room_place if meeting.room_id else home).lower()


KEYS: dict[str, Callable[[BookedMeeting], str]] = {
    "day": lambda meeting: local_day(meeting).isoformat(),
    "week": find_week,
    "month": lambda meeting: max(local_day(meeting).replace(day=1), FIRST).isoformat(),
    "topic": lambda meeting: str(meeting.topic_id or ""),
    "employee": lambda meeting: str(meeting.employee_id),
    "location": find_location,
    "type": lambda meeting: meeting.type,
}


def numbers_of(row: Json) -> Json:
    return {name: value for name, value in row.items() if name not in {"key", "name"}}


@pytest.mark.parametrize("seed", list_seeds(2))
async def test_rows_and_totals_are_what_counting_by_hand_finds(api: Api, database: Database, seed: int) -> None:
    assert set(KEYS) == {each.value for each in Grouping}
    dice = Random(seed)  # noqa: S311 - the same each time
    drawn = draw_meetings(dice, datetime(2026, 3, 18, tzinfo=UTC), 18, 60 * seed + 25)
    await add_meetings(database, drawn)
    counted = [each for each in drawn if FIRST <= local_day(each) <= LAST]
    booked = [each for each in map(begin_when_booked, drawn) if FIRST <= local_day(each) <= LAST]
    for by, key in KEYS.items():
        with logged_statements(database) as statements:
            report = await read(api, by=by, **{"from": str(FIRST), "to": str(LAST)})
        assert len(statements) <= 3
        groups: dict[str, list[BookedMeeting]] = {}
        for each in counted:
            groups.setdefault(key(each), []).append(each)
        rows = {row["key"]: numbers_of(row) for row in report["rows"]}
        made = Counter(map(key, booked))
        assert {name: row for name, row in rows.items() if row["booked"]} == {
            name: count(found, made[name]) for name, found in groups.items()
        }, by
        assert made == Counter({name: row["bookingsMade"] for name, row in rows.items() if row["bookingsMade"]})
        assert numbers_of(report["totals"]) == count(counted, len(booked))


async def test_periods_without_meetings_are_there_and_are_called_as_people_call_them(api: Api) -> None:
    by_day = await read(api, **{"from": "2026-03-27", "to": "2026-03-30"})
    assert [row["key"] for row in by_day["rows"]] == ["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30"]
    assert {row["booked"] for row in by_day["rows"]} == {0}
    by_week = await read(api, by="WEEK", **{"from": "2026-03-27", "to": "2026-04-06"})
    assert [(row["key"], row["name"]) for row in by_week["rows"]] == [
        ("2026-03-27", "2026-W13"),
        ("2026-03-30", "2026-W14"),
        ("2026-04-06", "2026-W15"),
    ]
    by_month = await read(api, by="month", to="2026-04-06")
    assert [(row["key"], row["name"]) for row in by_month["rows"]] == [
        ("2026-03-01", "2026-03"),
        ("2026-04-01", "2026-04"),
    ]
    assert (by_month["timeZone"], by_month["totals"]["leadTimeMedian"]) == ("Europe/Copenhagen", None)


async def test_rows_are_named_also_of_what_was_deleted_and_stand_with_the_most_booked_first(api: Api) -> None:
    made = await api.post("v3/booking/config/employees", {"name": "Erik Gone", "location": "Skagen"})
    erik = made.json()["id"]
    times = [f"2026-03-0{day}T09:00:00Z" for day in (3, 4)]
    for employee, begin in ((ANNA, times[0]), (ANNA, times[1]), (erik, times[0])):
        end = begin.replace("T09", "T10")
        booked = await api.book(employeeId=employee, startDate=begin, endDate=end, topicId=INVESTING, type="Online")
        assert booked.status_code == 201, booked.text
        if employee == erik:
            assert (await api.request("DELETE", f"v3/booking/meetings/{booked.json()['id']}")).status_code == 204
    assert (await api.request("DELETE", f"v3/booking/config/employees/{erik}")).status_code == 204
    rows = (await read(api, by="employee"))["rows"]
    assert [(row["name"], row["booked"], row["cancelled"]) for row in rows] == [
        ("Anna Holm", 2, 0),
        ("Erik Gone", 1, 1),
    ]
    assert [row["name"] for row in (await read(api, by="topic"))["rows"]] == ["Investing"]
    assert {row["name"] for row in (await read(api, by="location"))["rows"]} >= {"Skagen"}
    one = await read(api, by="employee", limit=1)
    assert ([row["name"] for row in one["rows"]], one["rowsLeftOut"], one["totals"]["booked"]) == (["Anna Holm"], 1, 3)


async def test_moving_a_meeting_and_booking_it_on_a_portal_count(api: Api) -> None:
    times = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
    made = await api.book(employeeId=ANNA, bookedBy="PortalCustomer", type="Online", **times)
    later = [
        {"op": "replace", "path": f"/{name}", "value": value.replace("03-03", "03-04")} for name, value in times.items()
    ]
    address = f"v3/booking/meetings/{made.json()['id']}"
    assert (await api.request("PATCH", address, json=later)).status_code == 200
    title = [{"op": "replace", "path": "/title", "value": "Another one"}]
    other = await api.book(employeeId=ANNA, type="Online", **times)
    assert (await api.request("PATCH", f"v3/booking/meetings/{other.json()['id']}", json=title)).status_code == 200
    rows = {row["key"]: row for row in (await read(api))["rows"]}
    assert (rows["2026-03-04"]["moved"], rows["2026-03-04"]["bookedByPortal"]) == (1, 1)
    assert (rows["2026-03-03"]["moved"], rows["2026-03-03"]["bookedByEmployee"]) == (0, 1)
    assert rows["2026-03-03"]["leadTimeMedian"] == "1.03:00:00"  # from Monday at 7 to Tuesday at 10


async def test_csv_has_the_same_rows_with_a_header_and_no_formula(api: Api) -> None:
    made = await api.post("v3/booking/config/meeting-topics", {"name": '=HYPERLINK("x")'})
    topic = made.json()["id"]
    times = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
    await api.book(employeeId=ANNA, topicId=topic, roomId=HAVBLIK, **times)
    by_header = await api.get(REPORT, params=MARCH | {"by": "topic"}, headers={"Accept": "text/csv"})
    by_format = await api.get(REPORT, params=MARCH | {"by": "topic", "format": "csv"})
    assert by_header.content == by_format.content
    assert by_header.headers["Content-Type"] == "text/csv; header=present; charset=utf-8"
    assert "meetings-2026-03-01-to-2026-03-31.csv" in by_header.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(by_header.text, newline="")))
    assert [(row["key"], row["name"], row["booked"]) for row in rows] == [
        (topic, '\'=HYPERLINK("x")', "1"),
        ("", "Total", "1"),
    ]
    assert rows[0]["totalLength"] == "01:00:00"


async def refuse(api: Api, **query: Any) -> httpx.Response:
    answer = await api.get(REPORT, params=MARCH | query)
    assert answer.status_code == 400, answer.text
    return answer


async def test_days_that_make_no_report_are_refused_with_their_pointer(api: Api) -> None:
    assert pointers(await refuse(api, to="2026-02-28")) == ["/query/to"]
    too_long = await refuse(api, to="2027-03-02")
    assert (pointers(too_long), "2027-03-01" in too_long.json()["detail"]) == (["/query/to"], True)
    assert (await read(api, to="2027-03-01"))["to"] == "2027-03-01"
    assert pointers(await refuse(api, **{"from": "0001-01-01"})) == ["/query/from"]
    assert pointers(await refuse(api, by="moon")) == ["/query/by"]
    assert pointers(await refuse(api, **{"from": "march"})) == ["/query/from"]
    assert (await api.get(REPORT, params=MARCH, headers={"Accept": "image/png"})).status_code == 406
    assert (await api.get(REPORT.replace("v3", "v2"), params=MARCH)).status_code == 404


async def test_another_firm_counts_its_own_meetings_alone(api: Api, database: Database) -> None:
    dice = Random(3)  # noqa: S311 - the same each time
    await add_meetings(database, draw_meetings(dice, datetime(2026, 3, 3, tzinfo=UTC), 5, 5))
    theirs = await read(await api.other(), by="employee")
    assert not {row["key"] for row in theirs["rows"]} & {str(each) for each in ADVISORS}


async def test_each_number_is_that_of_the_meetings_listed_for_it(api: Api, database: Database) -> None:
    dice = Random(7)  # noqa: S311 - the same each time
    await add_meetings(database, draw_meetings(dice, datetime(2026, 3, 18, tzinfo=UTC), 18, 40))
    for by in KEYS:
        query = {"from": str(FIRST), "to": str(LAST), "by": by}
        report = await read(api, **query)
        counts = [name for name, value in report["totals"].items() if isinstance(value, int)]
        for key, row in [*(({"key": row["key"] or "-"}, row) for row in report["rows"][:2]), ({}, report["totals"])]:
            for number in counts:
                listed = (await api.get(f"{REPORT}/counted", params=query | key | {"count": number})).json()
                assert listed["total"] == len(listed["items"]) == row[number], (by, key, number)
    nothing = await api.get(f"{REPORT}/counted", params=MARCH | {"key": "another", "count": "booked"})
    assert nothing.json() == {"total": 0, "items": []}


async def test_the_meetings_of_a_number_are_by_their_begin_and_at_most_as_many_as_asked_for(
    api: Api, database: Database
) -> None:
    dice = Random(7)  # noqa: S311 - the same each time
    await add_meetings(database, draw_meetings(dice, datetime(2026, 3, 18, tzinfo=UTC), 18, 40))
    query = {"from": str(FIRST), "to": str(LAST), "count": "booked", "limit": "2"}
    listed = (await api.get(f"{REPORT}/counted", params=query)).json()
    assert listed["total"] > len(listed["items"]) == 2
    first, second = listed["items"]
    assert first["startDate"] <= second["startDate"]
    refused = await api.get(f"{REPORT}/counted", params=query | {"count": "length"})
    assert (refused.status_code, pointers(refused)) == (400, ["/query/count"])
