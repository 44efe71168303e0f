"""`meetdeck import easyappointments`: a folder of tables becomes a firm, all or nothing."""

import json
from pathlib import Path

import pytest

from meetdeck.booking.importing.easyappointments.files import open_folder
from meetdeck.booking.importing.rows import FileProblems
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import SetupError
from support.easyappointments_tables import TABLES, YEAR, write_tables
from support.fakes import MONDAY_MORNING
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")


async def test_a_firm_moves_after_a_dry_run_and_a_second_time_changes_nothing(
    terminal: Terminal, tmp_path: Path
) -> None:
    _, out, _ = await terminal.run("tenant", "create", "Ny Bank", "--json")
    line = ("import", "easyappointments", str(write_tables(tmp_path)), "--tenant", json.loads(out)["tenantId"])
    status, told, left_out = await terminal.run(*line, "--dry-run")
    assert (status, told.splitlines()[-1:]) == (0, ["A dry run: nothing was changed."]), left_out
    assert "ea_services.csv:3: price: Left out: Meetdeck takes no payments. (Seminar)" in left_out
    assert "(Root Admin, Freja Nielsen)" in left_out
    assert (await terminal.run(*line))[0] == 0
    status, out, _ = await terminal.run(*line, "--json")
    counts = {
        count["kind"]: (count["new"], count["changed"], count["unchanged"]) for count in json.loads(out)["counts"]
    }
    assert (status, counts) == (
        0,
        {
            "topics": (0, 0, 2),
            "employees": (0, 0, 2),
            "schedules": (0, 0, 1),
            "calendar-entries": (0, 0, 3),
            "competence-groups": (0, 0, 2),
        },
    )


def test_times_are_the_providers_own_and_breaks_divide_their_days(tmp_path: Path) -> None:
    opened = open_folder(write_tables(tmp_path, separator=";"), MONDAY_MORNING)
    rows = {kind: [row.members for row in opened.rows(kind, FileProblems())] for kind in opened.kinds}
    day_off, booked, unavailable = rows[Kind.CALENDAR_ENTRY]
    assert (day_off["startDate"], day_off["endDate"]) == (
        f"{YEAR}-12-24T00:00:00+01:00",
        f"{YEAR}-12-25T00:00:00+01:00",
    )
    assert (booked["employeeId"], booked["startDate"]) == ("anna@example.com", f"{YEAR}-03-02T08:00:00+00:00")
    assert (unavailable["employeeId"], unavailable["startDate"]) == ("bo@example.com", f"{YEAR}-03-03T09:00:00+00:00")
    hours = [
        {"dayOfWeek": "Monday", "from": "09:00", "to": "12:00"},
        {"dayOfWeek": "Monday", "from": "13:00", "to": "18:00"},
    ]
    assert rows[Kind.EMPLOYEE_SCHEDULE] == [{"employeeId": "anna@example.com", "workdays": hours}]
    assert [row["employees"] for row in rows[Kind.COMPETENCE_GROUP]] == [
        ["anna@example.com", "bo@example.com"],
        ["bo@example.com"],
    ]
    assert [row["seats"] for row in rows[Kind.TOPIC]] == [1, 8]


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"must have the tables ea_users\.csv and ea_services\.csv"):
        open_folder(tmp_path, MONDAY_MORNING)
    users = [[cell.replace("Europe/London", "NULL") for cell in row] for row in TABLES["users"]]
    settings = [TABLES["user_settings"][0], ["2", '{"monday":{"start":"nine"}}', "NULL"]]
    services = [TABLES["services"][0], ["1", "Pension check", "long", "", "", "", "", ""]]
    problems = FileProblems()
    opened = open_folder(write_tables(tmp_path, users=users, user_settings=settings, services=services), MONDAY_MORNING)
    assert not [*opened.rows(Kind.TOPIC, problems)]
    named = {(Path(one.file).name, one.line, one.column) for one in problems.found}
    assert named == {
        ("ea_services.csv", 2, "duration"),
        ("ea_user_settings.csv", 2, "working_plan"),
        ("ea_appointments.csv", 4, "id_users_provider"),
    }
    (tmp_path / "ea_users.csv").write_text("1;2;3\n")
    with pytest.raises(SetupError, match="no column names"):
        open_folder(tmp_path, MONDAY_MORNING)
