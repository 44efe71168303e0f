from pathlib import Path

import pytest

from meetdeck.booking.importing.files import open_files
from meetdeck.booking.importing.kinds import find_kind
from meetdeck.booking.importing.rows import FileProblems, Row
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import SetupError


def read(folder: Path, content: str, kind: Kind, name: str = "firm.json") -> tuple[list[Row], FileProblems]:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    problems = FileProblems()
    return [row for source in open_files([path]) for row in source.rows(kind, problems)], problems


def refusal(folder: Path, content: str, name: str = "firm.json") -> str:
    with pytest.raises(SetupError) as caught:
        read(folder, content, Kind.ROOM, name)
    return str(caught.value).partition(name)[2]


def test_one_file_may_hold_several_kinds_by_any_of_their_names(tmp_path: Path) -> None:
    content = '{"meetingTopics": [{"name": "A"}], "customer-types": [], "employeeSchedules": [], "rooms": []}'
    path = tmp_path / "firm.json"
    path.write_text(content, encoding="utf-8")
    assert open_files([path])[0].kinds == {Kind.TOPIC, Kind.CUSTOMER_TYPE, Kind.EMPLOYEE_SCHEDULE, Kind.ROOM}


def test_an_array_holds_what_its_file_is_called_by(tmp_path: Path) -> None:
    rows, _ = read(tmp_path, '[{"name": "A"}, {"name": "B"}]', Kind.ROOM, "rooms-2026.json")
    assert [row.members for row in rows] == [{"name": "A"}, {"name": "B"}]


def test_each_item_knows_its_line_and_its_place(tmp_path: Path) -> None:
    content = '{"topics": [\n{"name": "A"}],\n"rooms": [ {"name": "A"},\n\n{"name":\n"B"}, {"name": "A"}]}'
    rows, _ = read(tmp_path, content, Kind.ROOM)
    assert [(row.line, row.place) for row in rows] == [(3, "rooms[0]"), (5, "rooms[1]"), (6, "rooms[2]")]


def test_an_unknown_member_is_left_out_with_one_warning(tmp_path: Path) -> None:
    _, problems = read(tmp_path, '{"rooms": [{"colour": 1}, {"colour": 2}]}', Kind.ROOM)
    assert [warning.column for warning in problems.warnings] == ["colour"]


@pytest.mark.parametrize("item", ['{"capacity": 1e999}', "3", '"A"', "null", "[]", r'{"name": "a\u0000b"}'])
def test_an_item_that_cannot_be_one_is_a_problem_and_the_others_are_read(tmp_path: Path, item: str) -> None:
    rows, problems = read(tmp_path, f'{{"rooms": [{item}, {{"name": "B"}}]}}', Kind.ROOM)
    assert len(problems.found) == 1
    assert [row.members for row in rows] == [{"name": "B"}]


def test_a_backslash_and_zeros_are_a_text_like_any_other(tmp_path: Path) -> None:
    rows, problems = read(tmp_path, r'{"rooms": [{"name": "a\\u0000"}]}', Kind.ROOM)
    assert ([row.members for row in rows], problems.found) == ([{"name": r"a\u0000"}], [])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"rooms": [\n{"name": "A",}]}', "line 2"),
        ("", "not valid JSON"),
        ('{"rooms": {"name": "A"}}', "must hold an array"),
        ("3", "must hold an array"),
        ('{"cars": []}', "'cars' does not begin with one of"),
        ("[]", "does not begin with one of"),
        ('{"topics": [], "meetingTopics": []}', "twice"),
        ('{"rooms": [{"name": "\xff"', "not valid JSON"),
        (r'{"rooms": [{"name": "\ud800"}]}', "not valid JSON"),
        (f'{{"rooms": [{"[" * 200_000}{"]" * 200_000}]}}', "nested too deeply"),
    ],
)
def test_a_file_that_is_no_list_of_known_things_is_refused_in_one_line(tmp_path: Path, content: str, said: str) -> None:
    assert said in refusal(tmp_path, content)


def test_a_file_whose_name_says_nothing_wants_a_kind(tmp_path: Path) -> None:
    path = tmp_path / "export.csv"
    path.write_text("name\nA\n", encoding="utf-8")
    with pytest.raises(SetupError, match="--kind"):
        open_files([path])
    assert open_files([path], find_kind("Customer Types"))[0].kinds == {Kind.CUSTOMER_TYPE}


@pytest.mark.parametrize("name", ["employees.xlsx", "missing.csv", "missing.json", "."])
def test_a_file_that_cannot_be_read_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "employees.xlsx").write_bytes(b"PK")
    with pytest.raises(SetupError):
        open_files([tmp_path / name])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("employees.csv", Kind.EMPLOYEE),
        ("employee-schedules.csv", Kind.EMPLOYEE_SCHEDULE),
        ("Customer types 2026.csv", Kind.CUSTOMER_TYPE),
        ("meeting_topics.CSV", Kind.TOPIC),
        ("service-groups.tsv", Kind.SERVICE_GROUP),
    ],
)
def test_a_file_is_known_by_the_beginning_of_its_name(tmp_path: Path, name: str, kind: Kind) -> None:
    (tmp_path / name).write_text("name\n", encoding="utf-8")
    assert open_files([tmp_path / name])[0].kinds == {kind}
