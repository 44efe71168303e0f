"""The forecast of free times, against the search and its explanations over HTTP (docs/reports.md#forecast)."""

import csv
import io
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from meetdeck.booking.slots.rules import Rule
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api
from support.meetings import ANNA, BO, TIMES, book
from support.patches import pointers
from support.searches import change
from support.statements import logged_statements

pytestmark = pytest.mark.usefixtures("no_meetings")

REPORT = "v3/booking/reports/forecast"
COPENHAGEN = ZoneInfo("Europe/Copenhagen")
TODAY = date(2026, 3, 2)
ORDER = list(Rule)
PENSION = str(NORDLYS.id_of("topic", "Pension check"))
BUSINESS = str(NORDLYS.id_of("topic", "Starting a business"))
DAVID = str(NORDLYS.id_of("employee", "David Krogh"))
Json = dict[str, Any]


async def read(api: Api, **query: Any) -> Json:
    answer = await api.get(REPORT, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def be_away(api: Api, employee: str, first: date, days: int) -> None:
    begin = datetime.combine(first, datetime.min.time(), COPENHAGEN)
    times = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(days=days)).isoformat()}
    answer = await api.post("v3/booking/time-slots", {"employeeId": employee, "status": "Busy"} | times)
    assert answer.status_code == 201, answer.text


async def search(api: Api, topic: str, place: Json, days: int, **more: str) -> Counter[date]:
    """Count the starts that the search itself finds on each day."""
    query = {"topic": topic, "requireEmployeeParticipation": "false", "lookForwardTime": f"{days + 1}.00:00:00"} | more
    query["meetingTypes"] = ",".join(place["meetingTypes"])
    if place["location"] is not None:
        query["meetingLocation"] = place["location"]
    answer = await api.get("v3/booking/time-slots/available", params=query)
    starts = {datetime.fromisoformat(slot["startDate"]) for slot in answer.json()}
    return Counter(start.astimezone(COPENHAGEN).date() for start in starts)


@pytest.mark.parametrize("by_customer", ["false", "true"])
async def test_each_day_has_the_times_that_the_search_finds(api: Api, by_customer: str) -> None:
    await be_away(api, ANNA, TODAY + timedelta(days=2), 6)
    await be_away(api, BO, TODAY + timedelta(days=3), 1)
    await book(api, **TIMES)
    await change(api, f"meeting-topics/{PENSION}", seats=3)
    length = timedelta(minutes=(await api.get(f"v3/booking/config/meeting-topics/{PENSION}")).json()["durationMinutes"])
    evening = datetime(2026, 3, 3, 18, tzinfo=UTC)  # when nobody works, but others have begun to share the time
    ends_at = (evening + length).isoformat()
    await book(api, topicId=PENSION, startDate=evening.isoformat(), endDate=ends_at)
    report = await read(api, days=10, isCustomerInitiated=by_customer)
    assert (report["from"], report["to"], report["topicsLeftOut"]) == ("2026-03-02", "2026-03-11", 0)
    assert len(report["topics"]) == 5
    for topic in report["topics"]:
        assert next(place["location"] for place in topic["places"]) is None
        for place in topic["places"]:
            found = await search(api, topic["topicId"], place, 10, isCustomerInitiated=by_customer)
            days = [TODAY + timedelta(days=number) for number in range(10)]
            assert place["freeTimes"] == [found[day] for day in days], (topic["name"], place["location"])
            gaps = {day for gap in place["gaps"] for day in gap["dates"]}
            assert gaps == {str(day) for day in days if not found[day]}


async def test_a_gap_names_the_rules_that_explaining_names(api: Api) -> None:
    wednesday, saturday = "2026-03-04", "2026-03-07"
    await be_away(api, DAVID, date.fromisoformat(wednesday), 1)
    report = await read(api, days=10, topicIds=BUSINESS)
    (topic,) = report["topics"]
    online, aarhus = topic["places"]
    assert (online["meetingTypes"], aarhus["location"], aarhus["advisors"]) == (
        ["Online", "Telephone", "Offsite"],
        "Aarhus",
        1,
    )
    reasons = {day: gap["reasons"] for gap in online["gaps"] for day in gap["dates"]}
    assert reasons[wednesday] == [{"rule": "Busy", "advisors": 1}]
    assert reasons[saturday] == [{"rule": "WorkingHours", "advisors": 1}]
    for day, named in reasons.items():
        query = {"topic": BUSINESS, "employeeId": DAVID, "date": day, "meetingTypes": "Online,Telephone,Offsite"}
        explained = (await api.get("v3/booking/time-slots/explain", params=query)).json()
        furthest = max((each["rule"] for each in explained["starts"]), key=lambda rule: ORDER.index(Rule(rule)))
        assert [each["rule"] for each in named] == [furthest]


async def test_the_calendars_are_read_once_however_many_topics(api: Api, database: Database) -> None:
    counts: list[int] = []
    for limit in (1, 4):
        with logged_statements(database) as statements:
            report = await read(api, limit=limit)
        assert report["topicsLeftOut"] == 5 - limit
        assert sum("from occupancy" in each for each in statements) == 1
        counts.append(len(statements))
    assert counts[1] - counts[0] == 3 * 3
    rest = await read(api, limit=4, offset=4)
    assert (len(rest["topics"]), rest["topicsLeftOut"]) == (1, 0)


async def test_a_topic_that_customers_cannot_book_says_so_and_one_that_nobody_serves_has_no_places(api: Api) -> None:
    closed = {"name": "Inside", "customerBookable": False}
    topic = (await api.post("v3/booking/config/meeting-topics", closed)).json()["id"]
    (found,) = (await read(api, topicIds=topic, isCustomerInitiated="true"))["topics"]
    assert (found["exclusions"], found["places"]) == (["TopicNotForCustomers"], [])
    group = {"name": "Nobody", "topicIds": [topic]}
    assert (await api.post("v3/booking/config/competence-groups", group)).status_code == 201
    (found,) = (await read(api, topicIds=topic))["topics"]
    assert (found["exclusions"], found["places"]) == ([], [])


async def test_it_is_answered_as_csv_and_unknown_topics_are_404(api: Api) -> None:
    answer = await api.get(REPORT, params={"days": 7, "topicIds": PENSION}, headers={"Accept": "text/csv"})
    rows = list(csv.DictReader(io.StringIO(answer.text, newline="")))
    columns = ["topicId", "topic", "location", "date", "freeTimes", "reasons", "meetingTypes", "search"]
    assert list(rows[0]) == columns
    assert len(rows) == 3 * 7  # without a location, in Aarhus, and in København
    assert rows[5]["reasons"].startswith("WorkingHours")
    unknown = await api.get(REPORT, params={"topicIds": str(uuid4())})
    assert (unknown.status_code, pointers(unknown)) == (404, ["/query/topicIds"])
    assert pointers(await api.get(REPORT, params={"days": 93})) == ["/query/days"]


async def test_a_topic_with_groups_has_times_only_when_somebody_of_them_can_come_along(api: Api) -> None:
    group = await api.post("v3/booking/config/service-groups", {"name": "Interpreters", "employeeIds": [BO]})
    topic = {"name": "First home", "alsoServiceGroups": [group.json()["id"]]}
    about = (await api.post("v3/booking/config/meeting-topics", topic)).json()["id"]
    await be_away(api, BO, date(2026, 3, 4), 1)
    report = await read(api, days=5, topicIds=about)
    (found,) = report["topics"]
    for place in found["places"]:
        counted = await search(api, about, place, 5)
        assert place["freeTimes"] == [counted[TODAY + timedelta(days=number)] for number in range(5)]
        (gap,) = [gap for gap in place["gaps"] if "2026-03-04" in gap["dates"]]
        assert "Also" in {each["rule"] for each in gap["reasons"]}, (place["location"], gap)
