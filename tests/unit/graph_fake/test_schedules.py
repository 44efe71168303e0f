"""getSchedule: items by status, errors inside a 200, limits."""

from typing import Any

import pytest

from support.graph import Graph, at


async def test_working_elsewhere_is_in_the_items_and_free_in_the_view(graph: Graph) -> None:
    await graph.create("anna@firm.test", showAs="workingElsewhere")
    await graph.create("anna@firm.test", start="10:00", end="11:00", showAs="oof")
    [row] = (await graph.request_schedule("anna@firm.test", availabilityViewInterval=60)).json()["value"]
    assert [item["status"] for item in row["scheduleItems"]] == ["workingElsewhere", "oof"]
    assert row["availabilityView"][9:11] == "03"
    assert "id" not in row["scheduleItems"][0]


async def test_subjects_are_told_only_of_those_who_allow_it(graph: Graph) -> None:
    await graph.create("anna@firm.test", subject="Doctor")
    assert "Doctor" not in (await graph.request_schedule("anna@firm.test")).text
    graph.plant(people=[{"mail": "anna@firm.test", "showsSubjects": True}])
    assert "Doctor" in (await graph.request_schedule("anna@firm.test")).text


async def test_a_mailbox_that_is_not_found_is_an_error_beside_the_others(graph: Graph) -> None:
    answer = await graph.request_schedule("anna@firm.test", "nobody@firm.test")
    good, bad = answer.json()["value"]
    assert answer.status_code == 200
    assert "error" not in good
    assert bad["error"]["responseCode"] == "ErrorMailRecipientNotFound"


async def test_times_in_a_zone_of_windows_are_read_and_written_in_the_wanted_zone(graph: Graph) -> None:
    await graph.create("anna@firm.test", start="09:00", end="10:00")
    answer = await graph.http.post(
        "/v1.0/users/anna@firm.test/calendar/getSchedule",
        json={
            "schedules": ["anna@firm.test"],
            "startTime": at("10:30", "Romance Standard Time"),
            "endTime": at("12:00", "Romance Standard Time"),
        },
        headers={"Prefer": 'outlook.timezone="Romance Standard Time"'},
    )
    [item] = answer.json()["value"][0]["scheduleItems"]
    assert item["start"] == {"dateTime": "2026-11-24T10:00:00.0000000", "timeZone": "Romance Standard Time"}


@pytest.mark.parametrize(
    "members",
    [
        {"schedules": [f"{number}@firm.test" for number in range(21)]},
        {"endTime": {"dateTime": "2027-01-25T00:00:00", "timeZone": "UTC"}},  # 62 days
        {"endTime": at("00:00")},
        {"availabilityViewInterval": 4},
        {"startTime": at("09:00", "Nowhere")},
        {"startTime": {"dateTime": "soon"}},
        {"surprise": 1},
    ],
)
async def test_what_is_over_a_limit_or_unknown_is_refused(graph: Graph, members: dict[str, Any]) -> None:
    answer = await graph.request_schedule("anna@firm.test", **members)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"]
