"""Calendar entries come from files, each once however often its file is imported."""

import json
from datetime import timedelta
from uuid import uuid4

from support.importing import ImportingFirm, counts_of, id_of

HEADER = "employee,room,status,startDate,endDate\n"
ANNA, HAVBLIK = id_of("employee", "Anna Holm"), id_of("room", "Havblik")


async def test_entries_come_as_people_write_them_in_the_organizations_time(firm: ImportingFirm) -> None:
    outcome = await firm.add(
        {
            "calendar-entries.csv": HEADER
            + "anna@nordlys.example,,busy,2026-03-02,2026-03-04\n"
            + "Bo Lind,,WorkingFromElsewhere,2026-07-01T08:00:00+01:00,2026-07-01T15:00:00Z\n"
            + f",{HAVBLIK},Busy,2026-03-05 08:00,2026-03-05T12:00\n",
            "Calendar entries 2.csv": "Medarbejder;Status;Start;Slut\n"
            "Anna Holm;Ekstra åbent;5-3-2026 17.00;05-03-2026 20:00\n"
            "Bo Lind;OPTAGET;29.03.2026 02:30;30.03.2026 00:00\n",
        }
    )
    assert counts_of(outcome) == {"calendar-entries": (5, 0, 0)}
    assert await firm.list_entries() == [
        ("Anna Holm", "Busy", "2026-03-01T23:00:00Z", "2026-03-03T23:00:00Z"),
        ("Havblik", "Busy", "2026-03-05T07:00:00Z", "2026-03-05T11:00:00Z"),
        ("Anna Holm", "ExtraOpen", "2026-03-05T16:00:00Z", "2026-03-05T19:00:00Z"),
        ("Bo Lind", "Busy", "2026-03-29T01:30:00Z", "2026-03-29T22:00:00Z"),
        ("Bo Lind", "WorkingFromElsewhere", "2026-07-01T07:00:00Z", "2026-07-01T15:00:00Z"),
    ]


async def test_an_entry_is_known_by_all_that_it_says(firm: ImportingFirm) -> None:
    await firm.add({"calendar-entries.csv": f"{HEADER}Anna Holm,,Busy,2026-03-02 09:00,2026-03-02 10:00\n"})
    before = (await firm.list_all())["calendarEntries"]
    said_otherwise = {
        "a.json": [
            {"employeeId": ANNA, "status": "BUSY", "startDate": "2026-03-02T08:00Z", "endDate": "2026-03-02T09Z"}
        ]
    }
    outcome = await firm.add({"time-slots.json": json.dumps(said_otherwise["a.json"])})
    assert counts_of(outcome) == {"calendar-entries": (0, 0, 1)}
    assert (await firm.list_all())["calendarEntries"] == before
    others = (
        "Bo Lind,,Busy,2026-03-02 09:00,2026-03-02 10:00\nAnna Holm,,ExtraOpen,2026-03-02 09:00,2026-03-02 10:00\n"
        "Anna Holm,,Busy,2026-03-02 09:00,2026-03-02 10:01\nAnna Holm,,Busy,2026-03-02 08:59,2026-03-02 10:00\n"
    )
    assert counts_of(await firm.add({"calendar-entries.csv": HEADER + others})) == {"calendar-entries": (4, 0, 0)}


async def test_rows_that_are_there_again_count_once_with_a_warning(firm: ImportingFirm) -> None:
    row = "Anna Holm,,Busy,2026-03-02 09:00,2026-03-02 10:00\n"
    same = f"{ANNA},,busy,2026-03-02T08:00:00Z,02-03-2026 10:00\n"
    times = [firm.now + timedelta(minutes=number) for number in range(2_500)]
    many = "".join(f"Bo Lind,,Busy,{time:%Y-%m-%d %H:%M},2026-06-01\n" for time in times)
    outcome = await firm.add(
        {"calendar-entries.csv": HEADER + row + same + row, "calendar-entries-2.csv": HEADER + many + row}
    )
    assert counts_of(outcome) == {"calendar-entries": (2_501, 0, 0)}
    assert len(await firm.list_entries()) == 2_501
    said = [str(warning).rpartition("/files/")[2] for warning in outcome.warnings]
    assert said[0] == ("calendar-entries.csv:3: The same calendar entry as in line 2. Repeated rows count once.")
    assert str(outcome.warnings[1]).startswith(
        f"{firm.folder}/files/calendar-entries-2.csv:2502: The same calendar entry"
    )
    assert said[1] == "calendar-entries.csv:2. Repeated rows count once."


async def test_with_its_id_an_entry_is_moved(firm: ImportingFirm) -> None:
    new_id = str(uuid4())
    rows = "id,employee,status,startDate,endDate\n" + f"{new_id},Anna Holm,Busy,2026-03-02 09:00,2026-03-02 10:00\n"
    assert counts_of(await firm.add({"calendar-entries.csv": rows})) == {"calendar-entries": (1, 0, 0)}
    outcome = await firm.add({"calendar-entries.csv": f"id,endDate\n{new_id},2026-03-02 11:00\n"})
    assert counts_of(outcome) == {"calendar-entries": (0, 1, 0)}
    assert [(one.member, one.new) for one in outcome.counts[0].examples] == [("endDate", "2026-03-02T10:00:00+00:00")]
    assert await firm.list_entries() == [("Anna Holm", "Busy", "2026-03-02T08:00:00Z", "2026-03-02T10:00:00Z")]
    outcome = await firm.add({"calendar-entries.csv": rows.replace("Busy", "ExtraOpen").replace("09:00", "06:00")})
    assert counts_of(outcome) == {"calendar-entries": (0, 1, 0)}
    assert await firm.list_entries() == [("Anna Holm", "ExtraOpen", "2026-03-02T05:00:00Z", "2026-03-02T09:00:00Z")]


async def test_wrong_entries_are_named_by_file_and_line(firm: ImportingFirm) -> None:
    said = await firm.list_problems(
        {
            "calendar-entries.csv": HEADER
            + "Anna Holm,,Busy,2026-03-02 09:00,2026-03-02 10:00\n"
            + "Ana Holm,,Busy,2026-03-02 09:00,2026-03-02 10:00\n"
            + ",Havblik,ExtraOpen,2026-03-02 09:00,2026-03-02 09:00\n"
            + "Anna Holm,Havblik,Reserved,2026-03-02 09:00,2027-03-04 09:00\n"
            + ",,Busy,2040-03-02,2040-03-03\n"
            + "Anna Holm,,Ferie,soon,2026-03-02T25:00\n"
            + "Anna Holm,,Busy,,2026-03-02\n",
            "calendar-entries.json": json.dumps([{"employeeId": ANNA, "status": 7, "startDate": 1}, 7, {"id": []}]),
        }
    )
    assert said == [
        "calendar-entries.csv:3: employeeId: There is no employee 'Ana Holm'; did you mean 'Anna Holm'?",
        "calendar-entries.csv:4: status: A room can only be Busy; the other statuses are for employees.",
        "calendar-entries.csv:4: endDate: Not after the start.",
        (
            "calendar-entries.csv:5: status: Write Busy, ExtraOpen or WorkingFromElsewhere; to reserve a time, "
            "call time-slots/reserve, and to book one, meetings."
        ),
        "calendar-entries.csv:5: roomId: employeeId already names the owner: create one entry for each.",
        "calendar-entries.csv:5: endDate: It must be at most 366 days after startDate. Make several of a longer time.",
        "calendar-entries.csv:6: employeeId: Name the owner of the time with one of employeeId, roomId.",
        "calendar-entries.csv:6: startDate: It must be at most ten years in the past or future.",
        (
            "calendar-entries.csv:7: startDate: 'soon' is not an ISO 8601 date and time: write for example"
            " 2026-03-02T09:00:00Z."
        ),
        (
            "calendar-entries.csv:7: endDate: '2026-03-02T25:00' is not an ISO 8601 date and time: write for example"
            " 2026-03-02T09:00:00Z."
        ),
        (
            "calendar-entries.csv:7: status: 'Ferie' is unknown; write one of Reserved, Booked, Expired,"
            " Released, Busy, ExtraOpen, WorkingFromElsewhere."
        ),
        "calendar-entries.csv:8: startDate: startDate is required.",
        "calendar-entries.json:1: calendar-entries[1]: Each item of the array must be an object.",
        "calendar-entries.json:1: calendar-entries[2].id: '[]' is not a UUID; leave it out for something new.",
        "calendar-entries.json:1: calendar-entries[0].startDate: Write a text.",
        "calendar-entries.json:1: calendar-entries[0].endDate: endDate is required.",
        "calendar-entries.json:1: calendar-entries[0].status: Write a text.",
    ]


async def test_an_entry_stays_whose_it_is_and_takes_no_id_of_others(firm: ImportingFirm) -> None:
    entry_id, slot_id = uuid4(), uuid4()
    rows = f"id,employee,status,startDate,endDate\n{entry_id},Anna Holm,Busy,2026-03-02,2026-03-03\n"
    await firm.add({"calendar-entries.csv": rows})
    async with firm.database.transaction(firm.tenant_id) as connection:
        await connection.execute(
            "insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, status, created_at)"
            " values (current_tenant(), $1, $2, $3, 'Booked', $2)",
            slot_id,
            firm.now,
            firm.now + timedelta(hours=1),
        )
    again = rows.replace("Anna Holm", "Bo Lind")
    taken = f"{slot_id},Anna Holm,Busy,2026-03-02,2026-03-03\nnone,Anna Holm,Busy,2026-03-04,2026-03-05\n"
    assert await firm.list_problems({"calendar-entries.csv": again + taken}) == [
        "calendar-entries.csv:4: id: 'none' is not a UUID; leave it out for something new."
    ]
    assert await firm.list_problems({"calendar-entries.csv": again + taken.partition("\n")[0] + "\n"}) == [
        "calendar-entries.csv:2: employeeId: An entry's owner cannot change: leave the id out to create a new entry.",
        "calendar-entries.csv:3: id: The id is taken by something else.",
    ]
    twice = rows + f"{entry_id},Anna Holm,Busy,2026-03-05,2026-03-06\n"
    assert await firm.list_problems({"calendar-entries.csv": twice}) == [
        "calendar-entries.csv:3: The same calendar entry as in line 2. Leave one out."
    ]


async def test_what_is_imported_with_them_may_be_whose_they_are(firm: ImportingFirm) -> None:
    outcome = await firm.add(
        {
            "calendar-entries.csv": HEADER
            + "new@x.dk,,Busy,2026-03-02,2026-03-03\n,Kælderen,Busy,2026-03-02,2026-03-03\n",
            "employees.csv": "name,email\nNew,new@x.dk\n",
            "rooms.csv": "name,capacity\nKælderen,4\n",
        }
    )
    assert counts_of(outcome)["calendar-entries"] == (2, 0, 0)
    assert {whose for whose, *_ in await firm.list_entries()} == {"New", "Kælderen"}
