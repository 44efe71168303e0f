"""An import of wrong files names every wrong row, and changes nothing."""

import json
from pathlib import Path
from uuid import uuid4

import pytest

from meetdeck.demo.firm import FJORD
from meetdeck.platform.database import Database
from meetdeck.platform.identity import TenantNotFound
from support.fakes import HandClock
from support.importing import ImportingFirm, id_of


async def test_every_wrong_row_of_every_file_is_named_at_once_and_nothing_is_changed(firm: ImportingFirm) -> None:
    said = await firm.list_problems(
        {
            "employees.csv": "id,name,email,customerTypes,timeZone,active\n"
            f",{'x' * 201},anna,Privat,Europe/Kopenhagen,perhaps\n"
            "17,Bo,bo@x.dk,,,\n"
            ",Fine,fine@x.dk,,,\n"
            ",Nobody,,,,\n",
            "rooms.json": json.dumps({"rooms": [{"name": "A"}, {"name": "", "capacity": -1}]}, indent=1),
            "schedules.csv": "employee,dayOfWeek,from,to\n"
            "fine@x.dk,Mondag,08:00,12:00\nfine@x.dk,Friday,14:00,12:00\nwho@x.dk,Friday,8,12:00\n",
            "service-groups.csv": f"name,serviceLevel.bufferBefore,labels\nTeam,48:00:00,\nOther,,{'y' * 101}\n",
        }
    )
    over_midnight = (
        "schedules.csv:3: to: 12:00:00 is not after 14:00:00. Hours over midnight are two workdays: Friday 14:00:00 to"
        " 24:00:00, and Saturday 00:00:00 to 12:00:00."
    )
    expected = [
        "rooms.json:3: rooms[0].capacity: capacity is required.",
        "rooms.json:6: rooms[1].name: Must not be empty.",
        "rooms.json:6: rooms[1].capacity: Must be at least 0.",
        "employees.csv:2: active: 'perhaps' is neither true nor false.",
        "employees.csv:2: timeZoneId: There is no time zone 'Europe/Kopenhagen'; did you mean Europe/Copenhagen?",
        "employees.csv:2: customerTypeIds (item 1): There is no customer type 'Privat'; did you mean 'Private'?",
        "employees.csv:3: id: '17' is not a UUID; leave it out for something new.",
        "employees.csv:5: email: Give an e-mail address or an id, so that the next import recognizes the employee.",
        "employees.csv:2: name: Must have at most 200 characters.",
        "employees.csv:2: email: Write an e-mail address like anna@example.com.",
        over_midnight,
        "schedules.csv:4: employeeId: There is no employee 'who@x.dk'.",
        "schedules.csv:4: from: '8' is not a time of day: write hh:mm:ss, for example 09:00:00.",
        "service-groups.csv:2: serviceLevel.bufferBefore: At most 1.00:00:00.",
        "service-groups.csv:3: labels (item 1): Must have at most 100 characters.",
    ]
    weekday = "schedules.csv:2: dayOfWeek: 'Mondag' is unknown; write one of Monday, Tuesday, "
    assert sorted(said) == sorted([*expected, f"{weekday}Wednesday, Thursday, Friday, Saturday, Sunday."])


async def test_what_is_wrong_is_said_as_the_page_shows_it_file_by_file_and_line_by_line(firm: ImportingFirm) -> None:
    page = (Path(__file__).parents[2] / "docs/importing.md").read_text(encoding="utf-8")
    *shown, summary = page.partition("## Errors")[2].split("```")[1].strip().splitlines()
    people = ["Bo,bo@x.dk,Privat", "Eva,eva@x.dk,", "Ida,ida@x.dk,", "Jon,jon@x.dk,", "Ole,ole@x.dk,", "Pia,pia at x,"]
    hours = ["Tuesday,09:00,12:00", "Wednesday,09:00,12:00", "Thursday,09:00,12:00", "Monday,09:00,12:00"]
    said = await firm.list_problems(
        {
            "schedules.csv": "\n".join(
                ["employee,dayOfWeek,from,to", *(f"eva@x.dk,{each}" for each in [*hours, "Monday,11:00,13:00"])]
            ),
            "rooms.csv": "name,capacity\nHavblik,4\nKajen,many\n",
            "employees.csv": "\n".join(["name,email,customerTypes", *people, "Ulla,ulla@x.dk,", "Ida B.,ida@x.dk,"]),
        }
    )
    assert said == shown
    assert f" {len(said)} problems in {len(said)} rows." in summary


async def test_hours_that_overlap_are_named_with_the_lines_of_their_rows(firm: ImportingFirm) -> None:
    said = await firm.list_problems(
        {
            "schedules.csv": "employee,dayOfWeek,from,to\n"
            "Anna Holm,Monday,08:00,12:00\nAnna Holm,Monday,13:00,15:00\nAnna Holm,Monday,11:00,12:30\n"
        }
    )
    assert sorted(said) == [
        "schedules.csv:2: Overlaps with line 4, Monday 11:00:00 to 12:30:00.",
        "schedules.csv:4: Overlaps with line 2, Monday 08:00:00 to 12:00:00.",
    ]


async def test_hours_that_overlap_are_named_beside_what_else_is_wrong(firm: ImportingFirm) -> None:
    said = await firm.list_problems(
        {
            "schedules.csv": "employee,dayOfWeek,from,to,maxMeetingTimePerDay\n"
            "Anna Holm,Monday,08:00,12:00,many\nAnna Holm,Monday,11:00,15:00,\nAnna Holm,Someday,1,2,\n"
            "nobody@nordlys.example,Friday,22:00,06:00,\n",
            "schedules.json": json.dumps(
                [
                    {
                        "employeeId": "Bo Lind",
                        "workdays": [{"dayOfWeek": "Monday", "from": "08:00", "to": end} for end in ("10:00", "09:00")],
                    }
                ]
            ),
        }
    )
    assert len([problem for problem in said if "Overlaps with line" in problem]) == 2
    assert len([problem for problem in said if "Overlaps with item" in problem]) == 2
    assert not [problem for problem in said if "/workdays/" in problem]
    assert any("Friday 22:00:00 to 24:00:00, and Saturday 00:00:00 to 06:00:00." in problem for problem in said)
    assert any(problem.startswith("schedules.csv:4: dayOfWeek: ") for problem in said)
    assert any(": There is no employee 'nobody@nordlys.example'." in problem for problem in said)


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("Ana Holm", "'Anna Holm'"),
        ("anna@nordlys.exampel", "'anna@nordlys.example'"),
        ("ana@nordlys.example", "'anna@nordlys.example'"),
        ("nobody@nordlys.example", None),
        ("b@nordlys.example", None),
        ("Somebody Else", None),
    ],
)
async def test_only_what_is_near_is_suggested(named: str, meant: str | None, firm: ImportingFirm) -> None:
    (said,) = await firm.list_problems({"schedules.csv": f"employee,dayOfWeek,from,to\n{named},Monday,08:00,12:00\n"})
    suggestion = f"; did you mean {meant}?" if meant else "."
    assert said == f"schedules.csv:2: employeeId: There is no employee '{named}'{suggestion}"


async def test_a_thing_that_comes_twice_is_named_with_both_lines(firm: ImportingFirm) -> None:
    anna = await firm.find("employees", "Anna Holm")
    said = await firm.list_problems(
        {
            "employees.csv": f"id,name,email\n,A,a@x.dk\n,B, A@X.dk\n{anna['id']},Anna,\n,Anna,{anna['email']}\n",
            "employees-more.csv": "email,name\na@x.dk,A\n",
            "schedules.csv": "employee,dayOfWeek,from,to\nBo Lind,Monday,08:00,12:00\nAnna Holm,,,\n"
            "Bo Lind,Tuesday,08:00,12:00\n",
        }
    )
    assert said[:2] == [
        "employees.csv:3: The same employee as in line 2. Leave one out.",
        "employees.csv:5: The same employee as in line 4. Leave one out.",
    ]
    assert said[2].startswith("employees-more.csv:2: The same employee as in ")
    assert said[2].endswith("employees.csv:2. Leave one out.")
    assert said[3:] == [
        (
            "schedules.csv:4: The same employee schedule as in line 2. Keep the rows of an employee together, or leave"
            " one out."
        )
    ]


async def test_what_several_are_called_by_must_be_named_by_id(firm: ImportingFirm) -> None:
    twins = "id,name,email\n" + "".join(f"{uuid4()},Twin,twin@x.dk\n" for _ in range(2))
    await firm.add({"employees.csv": twins})
    said = await firm.list_problems(
        {
            "employees.csv": "email,title\ntwin@x.dk,Advisor\n",
            "competence-groups.csv": "name,employees\nTax,Anna Holm|Twin\n",
        }
    )
    assert said == [
        "employees.csv:2: email: Several employees have this name; give the id of the one you mean.",
        "competence-groups.csv:2: employeeIds (item 2): Several employees are called 'Twin'; give the id of one.",
    ]


async def test_one_wrong_row_does_not_make_those_wrong_that_name_it(firm: ImportingFirm) -> None:
    said = await firm.list_problems(
        {
            "customer-types.csv": "name,order\nFarmer,first\n",
            "employees.csv": "name,email,customerTypes\nA,a@x.dk,Farmer\n",
        }
    )
    assert said == ["customer-types.csv:2: order: 'first' is not a whole number."]


async def test_an_id_that_is_a_rooms_cannot_be_an_employees(firm: ImportingFirm) -> None:
    said = await firm.list_problems({"employees.csv": f"id,name\n{id_of('room', 'Havblik')},A\n"})
    assert said == ["employees.csv:2: id: The id is taken by something else."]


async def test_two_locations_cannot_have_one_name(firm: ImportingFirm) -> None:
    said = await firm.list_problems({"locations.csv": f"id,location\n{uuid4()},aarhus\n"})
    assert said == ["locations.csv:2: location: Another one already has this name."]


async def test_another_firms_things_are_not_there(firm: ImportingFirm, database: Database, tmp_path: Path) -> None:
    other = await ImportingFirm.of_demo(database, FJORD, tmp_path, firm.now)
    anna = id_of("employee", "Anna Holm")
    said = await other.list_problems({"competence-groups.csv": f"name,employees\nA,{anna}\n"})
    assert said == [f"competence-groups.csv:2: employeeIds (item 1): There is no employee '{anna}'."]
    before = await firm.list_all()
    await other.add({"employees.csv": f"id,name\n{anna},Somebody else\n"})
    assert await firm.list_all() == before


async def test_an_unknown_tenant_is_refused(database: Database, clock: HandClock, tmp_path: Path) -> None:
    with pytest.raises(TenantNotFound):
        await ImportingFirm(database, uuid4(), tmp_path, clock()).take({"rooms.csv": "name,capacity\nA,1\n"})
