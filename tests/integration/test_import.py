"""Files of a firm become its employees, rooms, schedules and groups."""

import json
import re
from pathlib import Path
from uuid import UUID, uuid4

from meetdeck.platform.database import Database
from support.fakes import HandClock
from support.importing import ImportingFirm, counts_of, id_of, write_csv


async def test_the_examples_of_the_page_are_imported_and_again_without_a_change(
    database: Database, clock: HandClock, tmp_path: Path
) -> None:
    empty = ImportingFirm(database, uuid4(), tmp_path, clock())
    async with database.transaction(empty.tenant_id) as connection:
        await connection.execute("insert into tenant (tenant_id, name) values ($1, 'New')", empty.tenant_id)
    page = (Path(__file__).parents[2] / "docs/import-files.md").read_text(encoding="utf-8")
    examples = dict(re.findall(r"`([a-z-]+\.csv)`[^`]*\n\n```csv\n(.*?)```", page, re.DOTALL))
    assert len(examples) == 9
    assert all(one.new for one in (await empty.add(examples)).counts)
    assert [(one.new, one.changed) for one in (await empty.add(examples)).counts] == [(0, 0)] * 9
    document = re.findall(r"```json\n(.*?)```", page, re.DOTALL)[0]
    assert not (await empty.take({"firm.json": document})).problems


# ------------------------------------------------------------------------------------------------------ who and what


async def test_employees_come_with_references_in_words_and_a_default_schedule(firm: ImportingFirm) -> None:
    outcome = await firm.add(
        {
            "employees.csv": "name,email,phone,title,location,timeZone,customerTypes,active\n"
            "Åse Bo 🙂,ase@x.dk,+45 1,Advisor,Aarhus,europe/copenhagen,private|Business,ja\n"
        }
    )
    assert counts_of(outcome) == {"employees": (1, 0, 0)}
    ase = await firm.find("employees", "Åse Bo 🙂")
    assert ase["customerTypeIds"] == [id_of("customer type", "Private"), id_of("customer type", "Business")]
    assert (ase["email"], ase["phone"], ase["location"], ase["active"]) == ("ase@x.dk", "+45 1", "Aarhus", True)
    assert UUID(ase["timeZoneId"])
    schedule = await firm.find_schedule("Åse Bo 🙂")
    assert [workday["dayOfWeek"] for workday in schedule["workdays"]] == [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday",
    ]  # fmt: skip


async def test_who_is_there_is_known_by_id_or_by_address_in_any_case(firm: ImportingFirm) -> None:
    bo = await firm.find("employees", "Bo Lind")
    outcome = await firm.add(
        {
            "employees.csv": f"id,email,title\n{id_of('employee', 'Anna Holm')},,Partner\n"
            f",{bo['email'].upper()},Partner\n"
        }
    )
    assert counts_of(outcome) == {"employees": (0, 2, 0)}
    assert (await firm.find("employees", "Bo Lind"))["title"] == "Partner"


async def test_a_column_that_is_not_there_changes_nothing_and_an_empty_cell_sets_the_default(
    firm: ImportingFirm,
) -> None:
    before = await firm.find("employees", "Anna Holm")
    await firm.add({"employees.csv": f"email,phone,location\n{before['email']},12345678,\n"})
    after = await firm.find("employees", "Anna Holm")
    assert after == before | {"phone": "12345678", "location": ""}


async def test_something_new_may_bring_its_id(firm: ImportingFirm) -> None:
    new_id = str(uuid4())
    await firm.add({"topics.json": json.dumps([{"id": new_id, "name": "Tax", "customerTypeIds": ["Private"]}])})
    topic = await firm.find("meetingTopics", "Tax")
    assert (topic["id"], topic["customerTypeIds"]) == (new_id, [id_of("customer type", "Private")])


async def test_a_room_is_known_by_name_and_location(firm: ImportingFirm) -> None:
    outcome = await firm.add(
        {"rooms.csv": "name,location,capacity,features\nhavblik,AARHUS,5,Screen\nHavblik,København,6,\n"}
    )
    assert counts_of(outcome) == {"rooms": (1, 1, 0)}
    names = [(room["name"], room["location"], room["capacity"]) for room in (await firm.list_all())["rooms"]]
    assert ("havblik", "AARHUS", 5) in names
    assert ("Havblik", "København", 6) in names


async def test_what_is_at_a_renamed_location_moves_along(firm: ImportingFirm) -> None:
    aarhus = await firm.find("locations", "Aarhus")
    await firm.add({"locations.csv": f"id,location\n{aarhus['id']},Århus\n"})
    assert (await firm.find("employees", "Anna Holm"))["location"] == "Århus"
    assert (await firm.find("locations", "Århus"))["displayName"] == aarhus["displayName"]


async def test_a_location_may_be_named_by_its_id(firm: ImportingFirm) -> None:
    aarhus = await firm.find("locations", "Aarhus")
    await firm.add({"rooms.csv": f"name,capacity,location\nNew,2,{aarhus['id']}\n"})
    assert (await firm.find("rooms", "New"))["location"] == "Aarhus"


async def test_files_may_come_in_any_order_and_name_each_other(firm: ImportingFirm) -> None:
    outcome = await firm.add(
        {
            "service-groups.csv": "name,competenceGroups,employees\nTeam,Tax,new@x.dk\n",
            "competence-groups.csv": "name,topics,employees\nTax,Tax,new@x.dk\n",
            "schedules.csv": "employee,dayOfWeek,from,to\nnew@x.dk,Friday,09:00,12:00\n",
            "employees.csv": "name,email,customerTypes\nNew,new@x.dk,Farmer\n",
            "topics.csv": "name,customerTypes,durationMinutes\nTax,Farmer,30\n",
            "customer-types.csv": "name\nFarmer\n",
        }
    )
    assert list(counts_of(outcome)) == [
        "customer-types", "topics", "employees", "schedules", "competence-groups", "service-groups",
    ]  # fmt: skip
    new, tax = await firm.find("employees", "New"), await firm.find("competenceGroups", "Tax")
    team = await firm.find("serviceGroups", "Team")
    assert tax["topics"] == [{"id": (await firm.find("meetingTopics", "Tax"))["id"], "name": "Tax"}]
    assert (tax["employeeIds"], tax["serviceGroupIds"]) == ([new["id"]], [team["id"]])
    assert (team["employeeIds"], team["competenceGroupIds"]) == ([new["id"]], [tax["id"]])
    assert [workday["dayOfWeek"] for workday in (await firm.find_schedule("New"))["workdays"]] == ["Friday"]


# ----------------------------------------------------------------------------------------------------------- schedules


async def test_without_columns_of_workdays_the_hours_stay(firm: ImportingFirm) -> None:
    before = await firm.find_schedule("Anna Holm")
    text = "employee,canBeBooked,isOnlyExplicitlyAvailable,maxMeetingTimePerDay\nAnna Holm,no,yes,05:30\n"
    assert counts_of(await firm.add({"schedules.csv": text})) == {"schedules": (0, 1, 0)}
    flags = {"canBeBooked": False, "isOnlyExplicitlyAvailable": True, "maxMeetingTimePerDay": "05:30:00"}
    assert await firm.find_schedule("Anna Holm") == before | flags


async def test_the_rows_of_an_employee_are_the_whole_schedule(firm: ImportingFirm) -> None:
    before, other = await firm.find_schedule("Anna Holm"), await firm.find_schedule("Bo Lind")
    text = (
        "employee,dayOfWeek,from,to,location,availableMeetingTypes\nAnna Holm,sunday,10:00,24:00,Odense,online|Online\n"
    )
    assert counts_of(await firm.add({"schedules.csv": text})) == {"schedules": (0, 1, 0)}
    after = await firm.find_schedule("Anna Holm")
    assert after["workdays"] == [
        {
            "dayOfWeek": "Sunday",
            "from": "10:00:00",
            "to": "00:00:00",
            "isAvailable": True,
            "availableMeetingTypes": [{"type": "Online"}],
            "location": "Odense",
        }
    ]
    assert after | {"workdays": []} == before | {"workdays": []}
    assert await firm.find_schedule("Bo Lind") == other


async def test_a_row_without_a_weekday_is_a_schedule_without_hours(firm: ImportingFirm) -> None:
    await firm.add({"schedules.csv": "employee,dayOfWeek,from,to\nAnna Holm,,,\n"})
    assert (await firm.find_schedule("Anna Holm"))["workdays"] == []


# -------------------------------------------------------------------------------------------------------------- groups


async def test_groups_may_name_each_other_before_they_are_there(firm: ImportingFirm) -> None:
    await firm.add(
        {
            "firm.json": json.dumps(
                {
                    "competenceGroups": [
                        {"name": "Tax", "parentGroups": ["Money"]},
                        {"name": "Money", "childGroups": ["Tax", "Loans"], "serviceGroups": ["Team"], "labels": ["A"]},
                        {"name": "Loans"},
                    ],
                    "serviceGroups": [{"name": "Team", "labels": ["a"], "serviceTrigger": {"topics": ["Investing"]}}],
                }
            )
        }
    )
    money, team = await firm.find("competenceGroups", "Money"), await firm.find("serviceGroups", "Team")
    children = [(await firm.find("competenceGroups", name))["id"] for name in ("Loans", "Tax")]
    assert (money["childGroupIds"], money["serviceGroupIds"]) == (children, [team["id"]])
    assert team["serviceTrigger"]["topicIds"] == [id_of("topic", "Investing")]
    assert (money["labels"], team["labels"]) == (["A"], ["A"])


async def test_rows_that_contradict_each_other_from_both_ends_are_named(firm: ImportingFirm) -> None:
    said = await firm.list_problems({"competence-groups.csv": "name,parentGroups,childGroups\nMoney,,\nTax,Money,\n"})
    detail = "Another row contradicts this relation; list the relation in only one of the two resources."
    assert said == [f"competence-groups.csv:2: childGroupIds: {detail}"]


async def test_groups_that_would_form_a_circle_are_named(firm: ImportingFirm) -> None:
    said = await firm.list_problems({"competence-groups.csv": "name,parentGroups\nA,B\nB,C\nC,A\n"})
    assert len(said) == 1
    assert said[0].startswith("competence-groups.csv:4: parentGroupIds: ")
    assert "'C' → 'A' → 'B' → 'C'" in said[0]


async def test_who_stays_in_a_group_keeps_the_date(firm: ImportingFirm) -> None:
    group = await firm.find("competenceGroups", "Pension check")
    new = id_of("employee", "David Krogh")
    outcome = await firm.add(
        {"competence-groups.csv": f"name,employees\nPension check,{'|'.join([*group['employeeIds'], new])}\n"}
    )
    assert counts_of(outcome) == {"competence-groups": (0, 1, 0)}
    assert await firm.find("competenceGroups", "Pension check") == group | {"employeeIds": [*group["employeeIds"], new]}
    async with firm.database.transaction(firm.tenant_id) as connection:
        assigned = await connection.fetch(
            "select employee_id from competence_group_employee where competence_group_id = $1 and date_assigned = $2",
            UUID(group["id"]),
            firm.now,
        )
    assert [str(row["employee_id"]) for row in assigned] == [new]


# ------------------------------------------------------------------------------------------------------------- dry run


async def test_a_dry_run_says_what_would_change_and_changes_nothing(firm: ImportingFirm) -> None:
    before = await firm.list_all()
    anna, bo = await firm.find("employees", "Anna Holm"), await firm.find("employees", "Bo Lind")
    outcome = await firm.take(
        {
            "employees.csv": "name,email,title,customerTypes\n"
            f"Anna Holm,{anna['email']},Partner,Business\nNew,new@x.dk,,\nBo Lind,{bo['email']},{bo['title']},\n"
        },
        dry_run=True,
    )
    assert list(outcome.describe()) == [
        "Employees  1 new, 1 changed, 1 unchanged",
        "  Anna Holm: title: Senior advisor → Partner",
        "  Anna Holm: customerTypeIds: (empty) → Business",
        "A dry run: nothing was changed.",
    ]
    assert await firm.list_all() == before


# ------------------------------------------------------------------------------------------------- the same once more


ENTRIES = (
    "employee,room,status,start date,end date\n"
    "Anna Holm,,Busy,2026-12-24,2027-01-02\n,Havblik,busy,2026-03-02,2026-03-03\n"
)


async def test_what_the_lists_answer_is_imported_without_a_change(firm: ImportingFirm) -> None:
    await firm.add({"calendar-entries.csv": ENTRIES})
    lists = await firm.list_all()
    outcome = await firm.add({"firm.json": json.dumps(lists)})
    assert counts_of(outcome) == {
        one.kind: (0, 0, len(items)) for one, items in zip(outcome.counts, lists.values(), strict=True)
    }
    assert await firm.list_all() == lists


async def test_what_the_lists_answer_is_imported_from_spreadsheets_without_a_change(firm: ImportingFirm) -> None:
    await firm.add({"calendar-entries.csv": ENTRIES})
    lists = await firm.list_all()
    outcome = await firm.add({f"{name}.csv": write_csv(items) for name, items in lists.items()})
    assert [(one.new, one.changed) for one in outcome.counts] == [(0, 0)] * 9
    assert await firm.list_all() == lists


async def test_a_spreadsheet_may_be_danish_and_times_as_excel_writes_them(firm: ImportingFirm) -> None:
    await firm.add(
        {
            "employees.csv": "Navn;E-mail;Titel;Telefon;Lokation;Kundetyper;Aktiv;Tidszone\n"
            "Søren Å;soeren@x.dk;Rådgiver;+45 1;;;ja;Europe/Copenhagen\n",
            "schedules.csv": "Medarbejder;Ugedag;Fra;Til;Mødetyper;Længste mødetid om dagen\n"
            "soeren@x.dk;Mandag;8:30;12.00;Online;5:00\nsoeren@x.dk;tir.;08.30;1:30 PM;Online;\n"
            "soeren@x.dk;LØRDAG;22:00;24:00;Telephone;\nsoeren@x.dk;søn;00:00;6.00;FYSISK|Telefon|ude af huset;\n",
            "topics.csv": "Navn;Mødetyper\nSommerhus;fysisk|Online\n",
            "rooms.csv": "Navn;Kapacitet;Faciliteter\nKælderen;4;Skærm|Tavle\n",
        }
    )
    employee = await firm.find("employees", "Søren Å")
    assert (employee["title"], employee["phone"], employee["active"]) == ("Rådgiver", "+45 1", True)
    schedules = (await firm.list_all())["employeeSchedules"]
    (schedule,) = [each for each in schedules if each["employeeId"] == employee["id"]]
    assert schedule["maxMeetingTimePerDay"] == "05:00:00"
    assert [(day["dayOfWeek"], day["from"], day["to"]) for day in schedule["workdays"]] == [
        ("Monday", "08:30:00", "12:00:00"),
        ("Tuesday", "08:30:00", "13:30:00"),
        ("Saturday", "22:00:00", "00:00:00"),
        ("Sunday", "00:00:00", "06:00:00"),
    ]
    assert [each["type"] for each in schedule["workdays"][-1]["availableMeetingTypes"]] == [
        "Physical",
        "Telephone",
        "Offsite",
    ]
    assert (await firm.find("meetingTopics", "Sommerhus"))["meetingTypes"] == ["Physical", "Online"]
    room = await firm.find("rooms", "Kælderen")
    assert (room["capacity"], room["features"]) == (4, ["Skærm", "Tavle"])
