"""The report of utilization (docs/reports.md#utilization); what it measures is counted in unit tests."""

import csv
import io
from typing import Any

import pytest

from meetdeck.platform.database import Database
from support.factories import Api
from support.meetings import ANNA, BO, LATER, TIMES, book
from support.patches import pointers
from support.statements import logged_statements

pytestmark = pytest.mark.usefixtures("no_meetings")

REPORT = "v3/booking/reports/utilization"
WEEK = {"from": "2026-03-02", "to": "2026-03-08"}
SATURDAY: dict[str, Any] = {"startDate": "2026-03-07T09:00:00Z", "endDate": "2026-03-07T10:00:00Z"}
Json = dict[str, Any]


async def read(api: Api, **query: Any) -> Json:
    answer = await api.get(REPORT, params=WEEK | query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def find_anna(api: Api) -> Json:
    rows = (await read(api, by="employee"))["rows"]
    return next(row for row in rows if row["key"] == ANNA)


def numbers_of(row: Json) -> tuple[str, str, str | None, float | None]:
    return row["bookable"], row["booked"], row["outsideHours"], row["share"]


async def test_hours_are_schedules_less_closing_days_and_absences_with_extra_hours(api: Api) -> None:
    assert numbers_of(await find_anna(api)) == ("1.16:00:00", "00:00:00", "00:00:00", 0)
    absence = {"employeeId": ANNA, "status": "Busy"} | TIMES
    assert (await api.post("v3/booking/time-slots", absence)).status_code == 201
    assert numbers_of(await find_anna(api))[0] == "1.15:00:00"
    setting = (await api.get("v3/booking/config/organization-settings")).json()["id"]
    closing = f"v3/booking/config/organization-settings/{setting}/closing-days"
    assert (await api.post(closing, params={"closingDays": "2026-03-06T00:00:00Z"})).is_success
    assert numbers_of(await find_anna(api))[0] == "1.07:00:00"
    extra = {"employeeId": ANNA, "status": "ExtraOpen"} | SATURDAY
    assert (await api.post("v3/booking/time-slots", extra)).status_code == 201
    assert numbers_of(await find_anna(api))[0] == "1.08:00:00"


async def test_what_is_booked_counts_in_hours_and_beside_them_until_it_is_cancelled(api: Api) -> None:
    first = await book(api, **LATER)
    await book(api, **SATURDAY)
    assert numbers_of(await find_anna(api)) == ("1.16:00:00", "01:00:00", "01:00:00", 0.025)
    absence = {"employeeId": ANNA, "status": "Busy"} | LATER
    assert (await api.post("v3/booking/time-slots", absence)).status_code == 201
    assert numbers_of(await find_anna(api))[0] == "1.16:00:00"  # nothing is lost to it
    assert (await api.request("DELETE", f"v3/booking/meetings/{first['id']}")).status_code == 204
    assert numbers_of(await find_anna(api)) == ("1.15:00:00", "00:00:00", "01:00:00", 0)


async def test_periods_employees_and_locations_add_up_to_the_same_totals(api: Api, database: Database) -> None:
    await book(api, **LATER)
    totals: list[Json] = []
    for by in ("day", "week", "month", "employee", "location"):
        with logged_statements(database) as statements:
            report = await read(api, by=by)
        assert len(statements) == 3
        totals.append(report["totals"])
    assert {numbers_of(total)[:2] for total in totals} == {("13.03:00:00", "01:00:00")}
    days = (await read(api))["rows"]
    assert [(row["name"], row["booked"]) for row in days][:2] == [
        ("2026-03-02", "00:00:00"),
        ("2026-03-03", "01:00:00"),
    ]
    assert (days[5]["bookable"], days[5]["share"]) == ("00:00:00", None)  # a Saturday
    places = (await read(api, by="location"))["rows"]
    assert [(row["key"], row["name"]) for row in places] == [("københavn", "København"), ("aarhus", "Aarhus")]
    assert {row["outsideHours"] for row in places} == {None}


async def test_it_is_answered_as_csv_within_its_limit_and_refuses_what_makes_no_report(api: Api) -> None:
    answer = await api.get(REPORT, params=WEEK | {"by": "employee", "limit": 2, "format": "CSV"})
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    assert [row["name"] for row in rows][-1] == "Total"
    assert len(rows) == 3
    assert (await read(api, by="employee", limit=2))["rowsLeftOut"] == 6
    assert pointers(await api.get(REPORT, params=WEEK | {"to": "2026-03-01"})) == ["/query/to"]
    assert pointers(await api.get(REPORT, params=WEEK | {"by": "type"})) == ["/query/by"]


async def test_people_of_groups_who_come_along_are_booked_as_the_advisor_is(api: Api) -> None:
    group = {"name": "Mortgage", "employeeIds": [ANNA]}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    meeting = await book(api, employeeId=BO, alsoServiceGroups=["Mortgage"], type="Online", **LATER)
    assert meeting["alsoEmployees"] == [ANNA]
    assert numbers_of(await find_anna(api))[1] == "01:00:00"
    rows = (await read(api, by="employee"))["rows"]
    assert [row["booked"] for row in rows if row["key"] == BO] == ["01:00:00"]
