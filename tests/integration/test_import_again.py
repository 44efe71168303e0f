"""Whatever a firm's lists answer, an import of it changes nothing."""

import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from meetdeck.platform.database import Database
from support.fakes import HandClock
from support.importing import ImportingFirm, write_csv

MEETING_TYPES = ("Physical", "Online", "Telephone", "Offsite")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

ids = st.uuids().map(str)
# One line, as names are, but for ="…", which spreadsheets write for a text.
texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=30).map(str.strip)
texts = texts.filter(lambda text: not text.startswith("="))
names = texts.filter(bool)
words = st.text("abcæøåÅ😀 ,\"'", min_size=1, max_size=8).map(str.strip).filter(bool)  # items of lists
durations = st.none() | st.sampled_from(["00:30:00", "07:15:00", "1.00:00:00"])


def some_of(things: list[dict[str, Any]]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([one["id"] for one in things]), unique=True, max_size=3) if things else st.just([])


def lists_of(members: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(st.fixed_dictionaries({"id": ids, **members}), max_size=3, unique_by=lambda one: one["id"])


@st.composite
def firms(draw: st.DrawFn) -> dict[str, list[dict[str, Any]]]:
    """Draw a firm as the API's lists would answer it, with what it names by id."""
    named = {"location": names, "displayName": texts, "requireAvailableRoom": st.booleans()}
    locations = list({str(one["location"]).upper().lower(): one for one in draw(lists_of(named))}.values())
    customer_types = draw(lists_of({"name": names, "description": texts, "order": st.integers(-(2**31), 2**31 - 1)}))
    topics = draw(
        lists_of(
            {
                "name": names,
                "description": texts,
                "durationMinutes": st.integers(1, 1440),
                "meetingTypes": st.lists(st.sampled_from(MEETING_TYPES), unique=True),
                "customerTypeIds": some_of(customer_types),
                "customerBookable": st.booleans(),
            }
        )
    )
    places = st.sampled_from([one["location"] for one in locations]) if locations else texts
    rooms = draw(
        lists_of(
            {"name": names, "capacity": st.integers(0, 9), "location": places, "features": st.lists(words, max_size=3)}
        )
    )
    employees = draw(
        lists_of(
            {
                "name": names,
                "email": st.sampled_from(["", "a@x.dk", "B@x.dk"]),
                "phone": st.sampled_from(["", "0045 12 34", "+45 1"]),
                "location": places,
                "customerTypeIds": some_of(customer_types),
                "active": st.booleans(),
            }
        )
    )
    schedules = [draw(_schedules_of(one["id"])) for one in employees if draw(st.booleans())]
    entries = [draw(_entries_of(one["id"])) for one in employees if draw(st.booleans())]
    groups = draw(
        lists_of(
            {
                "name": names,
                "customerTypeIds": some_of(customer_types),
                "topicIds": some_of(topics),
                "employeeIds": some_of(employees),
                "labels": st.lists(words, max_size=3),
            }
        )
    )
    for position, group in enumerate(groups):
        group["parentGroupIds"] = draw(some_of(groups[:position]))
    service_groups = draw(
        lists_of(
            {
                "name": names,
                "membershipEmail": st.sampled_from(["", "team@x.dk"]),
                "employeeIds": some_of(employees),
                "competenceGroupIds": some_of(groups),
                "labels": st.lists(words, max_size=3),
                "maxMeetingTimePerDay": durations,
                "serviceTrigger": st.fixed_dictionaries(
                    {"topicIds": some_of(topics), "locations": st.lists(words, max_size=2), "meetingTypes": st.just([])}
                ),
                "serviceLevel": st.fixed_dictionaries({"priority": st.integers(0, 1000)}),
            }
        )
    )
    return {
        "locations": locations,
        "customerTypes": customer_types,
        "topics": topics,
        "rooms": rooms,
        "employees": employees,
        "schedules": schedules,
        "calendarEntries": entries,
        "competenceGroups": groups,
        "serviceGroups": service_groups,
    }


def _schedules_of(employee_id: str) -> st.SearchStrategy[dict[str, Any]]:
    workday = st.fixed_dictionaries(
        {
            "dayOfWeek": st.sampled_from(WEEKDAYS),
            "from": st.sampled_from(["00:00:00", "08:30:00"]),
            "to": st.sampled_from(["09:00:01", "00:00:00"]),
            "isAvailable": st.booleans(),
            "location": texts,
            "availableMeetingTypes": st.lists(
                st.fixed_dictionaries({"type": st.sampled_from(MEETING_TYPES)}), min_size=1, max_size=3
            ),
        }
    )
    return st.fixed_dictionaries(
        {
            "employeeId": st.just(employee_id),
            "canBeBooked": st.booleans(),
            "isOnlyExplicitlyAvailable": st.booleans(),
            "maxMeetingTimePerDay": durations,
            "workdays": st.lists(workday, max_size=3, unique_by=lambda one: one["dayOfWeek"]),
        }
    )


def _entries_of(employee_id: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "employeeId": st.just(employee_id),
            "status": st.sampled_from(["Busy", "ExtraOpen", "WorkingFromElsewhere"]),
            # The clock goes back at the end of one, and stands still before the other.
            "startDate": st.sampled_from(
                ["2026-10-25T02:30:00", "2026-03-29T02:30:00", "2026-05-01", "2026-03-02T07Z"]
            ),
            "endDate": st.sampled_from(["2026-10-25T02:30:00Z", "2026-12-24T00:00:00.123456Z"]),
        }
    )


@pytest.mark.thorough
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(wanted=firms())
async def test_an_import_of_what_the_lists_answer_changes_nothing(
    wanted: dict[str, list[dict[str, Any]]], database: Database, clock: HandClock, tmp_path: Path
) -> None:
    firm = await _make_firm(database, tmp_path, clock)
    await firm.add({"firm.json": json.dumps(wanted)})
    lists = await firm.list_all()
    for files in (
        {"lists.json": json.dumps(lists)},
        {f"{name}.csv": write_csv(items) for name, items in lists.items()},
    ):
        outcome = await firm.add({name: content for name, content in files.items() if content.strip()})
        assert [one for one in outcome.counts if one.new or one.changed] == []
        assert await firm.list_all() == lists


async def _make_firm(database: Database, folder: Path, clock: HandClock) -> ImportingFirm:
    tenant_id: UUID = uuid4()
    async with database.transaction(tenant_id) as connection:
        await connection.execute("insert into tenant (tenant_id, name) values ($1, 'A firm')", tenant_id)
    return ImportingFirm(database, tenant_id, folder, clock())
