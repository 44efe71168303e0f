"""A folder of Cal.com's answers: the rows that they become, what is left out, and what cannot be read."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from meetdeck.booking.importing.cal.files import open_folder
from meetdeck.booking.importing.rows import FileProblems
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import SetupError
from support.cal_answers import BOOKINGS, EVENT_TYPES, SCHEDULES, USERS, write_answers

NOW = datetime(2034, 1, 2, 12, tzinfo=UTC)


def translate(folder: Path) -> tuple[dict[Kind, list[dict[str, object]]], FileProblems]:
    source, problems = open_folder(folder, NOW), FileProblems()
    return {kind: [row.members for row in source.rows(kind, problems)] for kind in source.kinds}, problems


def test_answers_become_rows(tmp_path: Path) -> None:
    rows, problems = translate(write_answers(tmp_path))
    assert problems.found == []
    pension, mortgage = rows[Kind.TOPIC]
    assert pension == {
        "name": "Pension check",
        "description": "Your pension, on one page.",
        "durationMinutes": 45,
        "meetingTypes": ["Physical", "Online"],
        "customerBookable": False,
        "uniqueTopicId": "11",
        "preparationTime": "00:00:00",
        "followUpTime": "01:30:00",
        "seats": 4,
    }
    assert (mortgage["meetingTypes"], mortgage["customerBookable"], mortgage["seats"]) == (["Telephone"], True, 1)
    assert [group["employees"] for group in rows[Kind.COMPETENCE_GROUP]] == [
        ["anna@example.com", "bo@example.com"],
        ["anna@example.com"],
    ]
    assert rows[Kind.EMPLOYEE] == [
        {"name": "Anna Holm", "email": "anna@example.com", "timeZone": "Europe/Copenhagen", "externalId": "1"},
        {"name": "Bo Lind", "email": "bo@example.com", "externalId": "2"},
    ]
    (schedule,) = rows[Kind.EMPLOYEE_SCHEDULE]
    assert schedule["workdays"] == [
        {"dayOfWeek": "Monday", "from": "09:00", "to": "15:30"},
        {"dayOfWeek": "Tuesday", "from": "09:00", "to": "15:30"},
    ]


def test_overrides_replace_a_days_hours_and_future_bookings_are_busy(tmp_path: Path) -> None:
    rows, _ = translate(write_answers(tmp_path))
    assert [(one["status"], one["startDate"], one["endDate"]) for one in rows[Kind.CALENDAR_ENTRY]] == [
        ("Busy", "2035-03-05T00:00:00+01:00", "2035-03-05T17:00:00+01:00"),
        ("ExtraOpen", "2035-03-05T17:00:00+01:00", "2035-03-05T20:00:00+01:00"),
        ("Busy", "2035-03-05T20:00:00+01:00", "2035-03-06T00:00:00+01:00"),
        ("Busy", "2035-03-06T00:00:00+01:00", "2035-03-07T00:00:00+01:00"),
        ("Busy", "2035-03-12T08:30:00+00:00", "2035-03-12T09:15:00+00:00"),
    ]


def test_each_member_without_a_counterpart_is_named_once_with_its_items(tmp_path: Path) -> None:
    _, problems = translate(write_answers(tmp_path))
    assert [(Path(one.file).name, one.column, one.detail.rpartition(" (")[2]) for one in problems.warnings] == [
        ("event-types.json", "lengthInMinutesOptions", "Pension check)"),
        ("event-types.json", "bookingFields", "Mortgage)"),
        ("event-types.json", "slotInterval", "Mortgage)"),
        ("schedules.json", "isDefault", "Evenings)"),
        ("bookings.json", "attendees", "Pension check between Anna and Jane)"),
    ]


def test_event_types_of_one_title_are_one_topic_of_all_their_owners(tmp_path: Path) -> None:
    other = {**EVENT_TYPES[1], "id": 13, "ownerId": 2, "lengthInMinutes": 20}
    rows, problems = translate(write_answers(tmp_path, event_types=[EVENT_TYPES[1], other]))
    assert [topic["durationMinutes"] for topic in rows[Kind.TOPIC]] == [30]
    assert [group["employees"] for group in rows[Kind.COMPETENCE_GROUP]] == [["anna@example.com", "bo@example.com"]]
    assert "title" in {warning.column for warning in problems.warnings}


@pytest.mark.parametrize(
    ("name", "item", "column"),
    [
        ("users", {**USERS[0], "email": 5}, "email"),
        ("schedules", {**SCHEDULES[0], "overrides": [{**SCHEDULES[0]["overrides"][1], "date": "soon"}]}, "overrides"),
        (
            "schedules",
            {**SCHEDULES[0], "overrides": [{**SCHEDULES[0]["overrides"][1], "endTime": "20:00Z"}]},
            "overrides",
        ),
        ("bookings", {**BOOKINGS[0], "start": "2035-03-12T08:30", "end": "2035-03-12T09:15"}, "start"),
    ],
)
def test_an_item_that_cannot_be_read_is_named_with_its_line(
    name: str, item: dict[str, object], column: str, tmp_path: Path
) -> None:
    _, problems = translate(write_answers(tmp_path, **{name: [item]}))
    found = [(Path(one.file).name, one.line, one.column) for one in problems.found]
    assert found == [(f"{name}.json", 4, f"data[0].{column}")]


def test_a_booking_that_two_answers_have_is_busy_once(tmp_path: Path) -> None:
    rows, _ = translate(write_answers(tmp_path, schedules=[], bookings=[BOOKINGS[0], BOOKINGS[0]]))
    assert len(rows[Kind.CALENDAR_ENTRY]) == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "line 1"), ("[]", '"data"'), ('{"status": "error", "error": {"message": "No"}}', '"data"')],
)
def test_a_file_that_is_no_answer_is_refused(content: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text(content, encoding="utf-8")
    with pytest.raises(SetupError, match=r"users\.json is not a response of Cal\.com's API") as refused:
        open_folder(tmp_path, NOW)
    assert words in str(refused.value)


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"users\.json, event-types\.json"):
        open_folder(tmp_path / "none", NOW)
