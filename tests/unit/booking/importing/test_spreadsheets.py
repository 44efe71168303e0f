from pathlib import Path

import pytest

from meetdeck.booking.importing.rows import DEFAULT, FileProblems, Row
from meetdeck.booking.importing.spreadsheets import Spreadsheet
from meetdeck.booking.kinds import Kind


class Table:
    """A file as somebody saved it, read."""

    def __init__(self, folder: Path, kind: Kind, content: str | bytes) -> None:
        path = folder / "table.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.problems = FileProblems()
        self.rows: list[Row] = list(Spreadsheet(path, kind).rows(kind, self.problems))

    @property
    def members(self) -> list[dict[str, object]]:
        assert not self.problems.found
        return [row.members for row in self.rows]

    @property
    def said(self) -> list[str]:
        return [str(problem).partition("table.csv:")[2] for problem in self.problems.found]

    @property
    def warned(self) -> list[str]:
        return [str(warning).partition("table.csv:")[2] for warning in self.problems.warnings]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_is_read_with_a_comma_a_semicolon_or_a_tab_between_cells(tmp_path: Path, separator: str) -> None:
    text = "name,capacity,location\r\nHavblik,8,Aarhus\r\n".replace(",", separator)
    assert Table(tmp_path, Kind.ROOM, text).members == [{"name": "Havblik", "capacity": 8, "location": "Aarhus"}]


def test_excels_mark_and_its_line_about_the_separator_are_not_cells(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.ROOM, b"\xef\xbb\xbfsep=;\r\nname;capacity\r\nHavblik;8\r\n")
    assert table.members == [{"name": "Havblik", "capacity": 8}]
    assert table.rows[0].line == 3


def test_a_header_is_known_in_any_case_with_spaces_and_hyphens_and_without_ids(tmp_path: Path) -> None:
    text = "NAME,E-mail,customer types,Time_Zone\nBo,bo@x.dk,Private,Europe/Copenhagen\n"
    assert Table(tmp_path, Kind.EMPLOYEE, text).members == [
        {"name": "Bo", "email": "bo@x.dk", "customerTypeIds": ["Private"], "timeZoneId": "Europe/Copenhagen"}
    ]


def test_an_unknown_column_is_left_out_with_a_warning_that_names_the_nearest(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.EMPLOYEE, "name,emial,salary\nBo,bo@x.dk,1\n")
    assert table.members == [{"name": "Bo"}]
    assert table.warned == [
        "1: emial: An unknown column, left out; did you mean email?",
        "1: salary: An unknown column, left out.",
    ]


def test_a_table_without_a_known_column_names_those_that_there_are(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.CUSTOMER_TYPE, "Havblik,8\nFjorden,4\n")
    assert table.said == ["1: The first line has no known column; the columns are id, name, description, order."]


def test_a_column_that_is_there_twice_is_a_problem(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.EMPLOYEE, "name,customerTypes,customerTypeIds\nBo,a,b\n")
    assert table.said == ["1: customerTypes: The column appears more than once."]


def test_quotes_commas_and_lines_inside_of_a_cell_are_its_text(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.CUSTOMER_TYPE, 'name,description\n"A ""B""","one,\r\ntwo"\nC,D\n')
    assert table.members == [{"name": 'A "B"', "description": "one,\r\ntwo"}, {"name": "C", "description": "D"}]
    assert [row.line for row in table.rows] == [2, 4]


def test_an_empty_cell_is_the_default_and_empty_lines_are_none(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.CUSTOMER_TYPE, "name,order\nA, \n\n,\n  ,\n")
    assert table.members == [{"name": "A", "order": DEFAULT}]


@pytest.mark.parametrize("cell", ["Private|Business", " Private | Business |", "Private;Business"])
def test_a_list_in_a_cell_stands_between_bars_or_semicolons(tmp_path: Path, cell: str) -> None:
    table = Table(tmp_path, Kind.TOPIC, f"name,customerTypes\nA,{cell}\n")
    assert table.members[0]["customerTypeIds"] == ["Private", "Business"]


def test_a_semicolon_belongs_to_an_item_where_bars_stand_between(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.ROOM, "name,capacity,features\nA,1,Screen; large|\n")
    assert table.members[0]["features"] == ["Screen; large"]


@pytest.mark.parametrize(
    ("cell", "is_active"),
    [
        ("true", True),
        ("TRUE", True),
        ("yes", True),
        ("1", True),
        ("Ja", True),
        ("no", False),
        ("0", False),
        ("nej", False),
    ],
)
def test_truth_is_read_in_the_words_that_people_use(tmp_path: Path, cell: str, *, is_active: bool) -> None:
    assert Table(tmp_path, Kind.EMPLOYEE, f"email,active\na@x.dk,{cell}\n").members[0]["active"] is is_active


@pytest.mark.parametrize("cell", ["12", "12.0", '"12,0"', '"=""12"""'])
def test_a_whole_number_may_look_as_spreadsheets_write_it(tmp_path: Path, cell: str) -> None:
    assert Table(tmp_path, Kind.ROOM, f"name,capacity\nA,{cell}\n").members[0]["capacity"] == 12


@pytest.mark.parametrize(
    ("cell", "phone"), [('"=""0045 12"""', "0045 12"), ("4512345678", "4512345678"), ("+45 1", "+45 1")]
)
def test_a_phone_number_stays_as_it_was_typed(tmp_path: Path, cell: str, phone: str) -> None:
    assert Table(tmp_path, Kind.EMPLOYEE, f"email,phone\na@x.dk,{cell}\n").members[0]["phone"] == phone


@pytest.mark.parametrize("cell", ["4.51235E+09", '"4,5E+9"'])
def test_a_phone_number_that_a_spreadsheet_has_spoilt_is_a_problem(tmp_path: Path, cell: str) -> None:
    said = Table(tmp_path, Kind.EMPLOYEE, f"email,phone\na@x.dk,{cell}\n").said
    assert len(said) == 1
    assert said[0].startswith("2: phone: ")
    assert "format the column as text" in said[0]


def test_each_cell_that_does_not_fit_is_named_with_line_and_column(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.ROOM, "name,capacity,available\nA,eight,maybe\nB,1e3,\n" + f"C,{'9' * 5000},yes\n")
    assert [problem.partition(" is ")[0][:25] for problem in table.said] == [
        "2: capacity: 'eight'",
        "2: available: 'maybe'",
        "3: capacity: '1e3'",
        "4: capacity: '99999999999",
    ]


def test_a_row_with_too_few_or_too_many_cells_is_a_problem(tmp_path: Path) -> None:
    table = Table(tmp_path, Kind.ROOM, "name,capacity\nA\nB,1,,\nC,1,2\n")
    assert [row.members for row in table.rows] == [{"name": "B", "capacity": 1}]
    assert [problem.partition(", but")[0] for problem in table.said] == ["2: 1 cells", "4: 3 cells"]


def test_what_is_not_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    said = Table(tmp_path, Kind.ROOM, "name,capacity\nA,1\nSø,2\n".encode("cp1252")).said
    assert [problem[:26] for problem in said] == ["3: It is not UTF-8 after '"]


def test_a_table_in_utf_16_says_how_to_save_it(tmp_path: Path) -> None:
    said = Table(tmp_path, Kind.ROOM, "name,capacity\nA,1\n".encode("utf-16")).said
    assert len(said) == 1
    assert "UTF-16" in said[0]


def test_a_quote_that_is_never_closed_is_a_problem(tmp_path: Path) -> None:
    said = Table(tmp_path, Kind.ROOM, 'name,capacity\n"A,1\nB,2\n').said
    assert len(said) == 1
    assert "quotes" in said[0]


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_a_problem(tmp_path: Path, content: bytes) -> None:
    assert len(Table(tmp_path, Kind.ROOM, content).said) == 1


def test_a_member_of_a_member_is_a_column_with_a_dot(tmp_path: Path) -> None:
    text = "name,serviceLevel.priority,serviceTrigger.topics\nA,3,Pension|Housing\n"
    assert Table(tmp_path, Kind.SERVICE_GROUP, text).members == [
        {"name": "A", "serviceLevel": {"priority": 3}, "serviceTrigger": {"topicIds": ["Pension", "Housing"]}}
    ]


def test_the_rows_of_one_employee_are_the_workdays_of_one_schedule(tmp_path: Path) -> None:
    table = Table(
        tmp_path,
        Kind.EMPLOYEE_SCHEDULE,
        "employee,canBeBooked,dayOfWeek,from,to,availableMeetingTypes\n"
        "a@x.dk,no,Monday,08:00,12:00,Physical|Online\nA@x.dk,,Monday,13:00,16:00,\nb@x.dk,,,,,\n",
    )
    types = [{"type": "Physical"}, {"type": "Online"}]
    assert table.members == [
        {
            "employeeId": "a@x.dk",
            "canBeBooked": False,
            "workdays": [
                {"dayOfWeek": "Monday", "from": "08:00", "to": "12:00", "availableMeetingTypes": types},
                {"dayOfWeek": "Monday", "from": "13:00", "to": "16:00"},
            ],
        },
        {"employeeId": "b@x.dk", "canBeBooked": DEFAULT, "workdays": []},
    ]
    assert [row.item_lines for row in table.rows] == [(2, 3), ()]


def test_rows_of_one_employee_that_disagree_about_the_schedule_are_a_problem(tmp_path: Path) -> None:
    text = "employee,canBeBooked,dayOfWeek,from,to\na,yes,Monday,08,12\na,no,Tuesday,08,12\n"
    said = Table(tmp_path, Kind.EMPLOYEE_SCHEDULE, text).said
    assert said == ["3: canBeBooked: It differs from line 2 for the same employee; a schedule has one value."]
