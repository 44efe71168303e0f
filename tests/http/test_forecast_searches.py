"""Each number of the forecast is what the search finds to which it leads, at places that route in their own ways.

The rules: docs/reports.md#forecast, docs/api/reports.md#reports-forecast.
"""

import csv
import io
import random
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.meetings import ANNA, BO, CAMILLA, DAVID
from support.patches import pointers
from support.searches import change, redraw_entries, save, send_search

pytestmark = pytest.mark.usefixtures("no_meetings")

REPORT = "v3/booking/reports/forecast"
COPENHAGEN = ZoneInfo("Europe/Copenhagen")
TODAY = date(2026, 3, 2)
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
GROUP_OF_REVIEW = str(NORDLYS.id_of("competence group", "Annual review"))
BRANCH, OTHER_BRANCH = (f"service-groups/{NORDLYS.id_of('service group', place)}" for place in ("Aarhus", "København"))
EVA, GITTE = (str(NORDLYS.id_of("employee", name)) for name in ("Eva Sand", "Gitte Møller"))
SCHEDULES = [f"employee-schedules/{NORDLYS.id_of('schedule', one.name)}" for one in NORDLYS.advisors]
AARHUS = f"locations/{NORDLYS.id_of('location', 'Aarhus')}"
PLACES = ["", "Aarhus", " aarhus", "København", "Odense"]
DAYS = 4
RULES: list[tuple[str, list[Any]]] = [
    ("serviceTrigger/locations", [[], ["aarhus"], ["KØBENHAVN ", "Ribe"], ["Odense"]]),
    ("serviceTrigger/meetingTypes", [[], [], ["Online"], ["Physical"]]),
    ("serviceLevel/locations", [None, None, ["aarhus"], ["Odense"]]),
    ("serviceLevel/meetingTypes", [None, None, ["Physical", "Online"], []]),
    ("serviceLevel/responseTime", ["00:00:00", "1.04:00:00"]),
    ("serviceLevel/bufferBefore", ["00:00:00", "00:45:00"]),
    ("competenceGroupIds", [[], [GROUP_OF_REVIEW]]),
    ("employeeIds", [[ANNA, BO], [CAMILLA, EVA], [DAVID], []]),
]
Json = dict[str, Any]


async def read(api: Api, **query: Any) -> list[Json]:
    answer = await api.get(REPORT, params={"days": DAYS} | query)
    assert answer.status_code == 200, answer.text
    return [{"topic": topic["name"]} | place for topic in answer.json()["topics"] for place in topic["places"]]


async def follow(api: Api, address: str) -> Counter[date]:
    """Count the starts on each day that the search at an address finds."""
    answer = await api.get(address.removeprefix("/api/"))
    assert answer.status_code == 200, answer.text
    starts = {datetime.fromisoformat(slot["startDate"]) for slot in answer.json()}
    return Counter(start.astimezone(COPENHAGEN).date() for start in starts)


async def be_nowhere(api: Api, number: int) -> None:
    """Remove the location from the hours of an advisor of the demo firm."""
    days = (await api.get(f"v3/booking/config/{SCHEDULES[number]}")).json()["workdays"]
    await change(api, SCHEDULES[number], workdays=[day | {"location": ""} for day in days])
    await save(api, f"employees/{(ANNA, BO)[number]}", location="")


def list_days() -> Iterator[date]:
    return (TODAY + timedelta(days=number) for number in range(DAYS))


def place_of(places: list[Json], location: str | None) -> Json:
    return next(each for each in places if each["location"] == location)


async def test_a_group_for_another_location_is_neither_counted_at_this_one_nor_found(api: Api) -> None:
    await change(api, BRANCH, **{"serviceTrigger/locations": ["Odense"]})
    places = await read(api, topicIds=PENSION, isCustomerInitiated="true")
    aarhus = place_of(places, "Aarhus")
    assert (aarhus["advisors"], aarhus["freeTimes"]) == (0, [0] * DAYS)
    assert not await follow(api, aarhus["search"])
    workday = next(gap for gap in aarhus["gaps"] if str(TODAY) in gap["dates"])
    assert workday["reasons"] == [{"rule": "ServiceTrigger", "advisors": 1}]
    assert sum(place_of(places, None)["freeTimes"])
    await change(api, BRANCH, **{"serviceTrigger/locations": []}, **{"serviceLevel/locations": ["Odense"]})
    (reason,) = next(gap for gap in place_of(await read(api, topicIds=PENSION), "Aarhus")["gaps"])["reasons"]
    assert reason == {"rule": "ServiceLevel", "advisors": 1}


async def test_who_is_held_back_by_a_group_for_another_location_is_offered_at_this_one(api: Api) -> None:
    await change(api, BRANCH, employeeIds=[])
    group = {"name": "Odense", "competenceGroupIds": [GROUP_OF_REVIEW]}
    rules: dict[str, Any] = {"serviceTrigger": {"locations": ["Odense"]}, "serviceLevel": {"meetingTypes": []}}
    made = await api.post("v3/booking/config/service-groups", group | rules)
    assert made.status_code == 201, made.text
    aarhus = place_of(await read(api, topicIds=REVIEW), "Aarhus")
    assert aarhus["advisors"] == 3
    found = await follow(api, aarhus["search"])
    assert aarhus["freeTimes"] == [found[day] for day in list_days()]
    assert found


async def test_advisors_without_a_location_are_a_row_and_a_search(api: Api) -> None:
    for number in (0, 1):
        await be_nowhere(api, number)
    nowhere = place_of(await read(api, topicIds=REVIEW), "")
    assert nowhere["advisors"] == 2
    query = {"topic": REVIEW, "meetingTypes": "physical", "withoutLocation": "true"}
    for version in ("v2", "v3"):
        slots = (await send_search(api, version, **query)).json()
        assert {slot["employeeId"] for slot in slots} == {ANNA, BO}
    others = (await send_search(api, topic=REVIEW, meetingTypes="physical", meetingLocation="Aarhus")).json()
    assert {slot["employeeId"] for slot in others} == {CAMILLA}
    refused = await send_search(api, withoutLocation="true", meetingLocation="Aarhus")
    assert (refused.status_code, pointers(refused)) == (400, ["/query/withoutLocation"])
    at_home = {"date": "2026-03-03", "employeeId": CAMILLA, "requireEmployeeParticipation": "false"}
    explained = (await api.get("v3/booking/time-slots/explain", params=query | at_home)).json()
    at_ten = next(each for each in explained["starts"] if each["startDate"] == "2026-03-03T09:00:00Z")
    assert at_ten["detail"] == "Camilla Friis works at Aarhus then, not without a location."


@pytest.mark.parametrize("by_customer", ["false", pytest.param("true", marks=pytest.mark.thorough)])
async def test_each_number_is_what_the_search_finds_that_it_leads_to(by_customer: str, api: Api) -> None:
    dice = random.Random(by_customer)  # noqa: S311 - a test that repeats itself
    compared = Counter[str]()
    await be_nowhere(api, 1)
    for _ in range(4):
        for branch in (BRANCH, OTHER_BRANCH):
            for member, values in dice.sample(RULES, 4):
                await change(api, branch, **{member: dice.choice(values)})
        for schedule in dice.sample(SCHEDULES, 3):
            await change(api, schedule, **{f"workdays/{dice.randint(0, 3)}/location": dice.choice(PLACES)})
        await save(api, f"employees/{dice.choice([ANNA, EVA])}", location=dice.choice(PLACES))
        await change(api, AARHUS, requireAvailableRoom=dice.choice([True, False]))
        await redraw_entries(api, dice, [ANNA, BO, CAMILLA, DAVID, EVA, GITTE])
        asked = {"topicIds": f"{REVIEW},{PENSION}", "isCustomerInitiated": by_customer}
        places = await read(api, **asked)
        for place in places:
            found = await follow(api, place["search"])
            assert place["freeTimes"] == [found[day] for day in list_days()], place
            gaps = {day for gap in place["gaps"] for day in gap["dates"]}
            assert gaps == {str(day) for day in list_days() if not found[day]}
            compared["without location"] += place["location"] == ""
            compared["with times"] += bool(found)
            compared["kept back"] += any(
                reason["rule"].startswith("Service") for gap in place["gaps"] for reason in gap["reasons"]
            )
        file = await api.get(REPORT, params={"days": DAYS, "format": "csv"} | asked)
        rows = list(csv.DictReader(io.StringIO(file.text, newline="")))
        assert [int(row["freeTimes"]) for row in rows] == [free for place in places for free in place["freeTimes"]]
        for row in dice.sample(rows, min(5, len(rows))):
            assert dict(await follow(api, row["search"])) == (
                {date.fromisoformat(row["date"]): int(row["freeTimes"])} if int(row["freeTimes"]) else {}
            ), row
    assert all(compared[each] for each in ("without location", "with times", "kept back")), compared
