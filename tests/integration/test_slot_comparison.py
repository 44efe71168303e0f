"""`meetdeck slots compare`: a list of known slots beside what the search finds, with a demo firm."""

import json
from collections import Counter
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from meetdeck.booking.comparison.known_slots import read_known_slots
from meetdeck.booking.comparison.outcome import Addition, Comparison
from meetdeck.booking.comparison.service import SearchOptions, compare_slots
from meetdeck.booking.importing.moments import read_moment
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import find_slots
from meetdeck.booking.slots.encode import encode
from meetdeck.booking.slots.model import MeetingType
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.errors import MeetdeckError, SetupError
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.values import Duration, Moment
from support.fakes import MONDAY_MORNING
from support.importing import ImportingFirm, id_of
from support.statements import logged_statements

ANNA, BO = id_of("employee", "Anna Holm"), id_of("employee", "Bo Lind")
TUESDAY = "2026-03-03"
Json = dict[str, Any]


class Comparing:
    """A firm, what its search finds, and comparing lists with that."""

    def __init__(self, firm: ImportingFirm) -> None:
        self.firm = firm
        self.statements: list[str] = []

    async def search(self, *, days: int = 7, **query: Any) -> list[Json]:
        """Return what the search answers."""
        asked = AvailableQuery(require_employee_participation=False, look_forward_time=Duration(days=days), **query)
        async with self.firm.database.transaction(self.firm.tenant_id) as connection:
            found = await read_search_input(connection, asked, MONDAY_MORNING)
        return json.loads(b"".join(encode(find_slots(found))))

    async def execute(self, statement: str, *arguments: object) -> None:
        async with self.firm.database.transaction(self.firm.tenant_id) as connection:
            await connection.execute(statement, *arguments)

    def write(self, name: str, content: object) -> Path:
        text = content if isinstance(content, str) else json.dumps(content)
        (self.firm.folder / name).write_text(text, encoding="utf-8")
        return self.firm.folder / name

    async def compare(self, content: object, name: str = "slots.json", *, query: str | None = None) -> Comparison:
        """Compare a list as it was on Monday morning."""
        known = read_known_slots(self.write(name, content))
        assert not known.problems, [str(each) for each in known.problems]
        said = SearchOptions(MONDAY_MORNING + timedelta(days=30), read_moment("2026-03-02T06:00:00Z"), query)
        with logged_statements(self.firm.database) as statements:
            found = await compare_slots(
                self.firm.database, self.firm.tenant_id, known, said, NoProgress(), most=1_000_000
            )
        self.statements = statements
        return found

    def list_problems(self, content: object, name: str) -> list[str]:
        problems = read_known_slots(self.write(name, content)).problems
        return [str(each).removeprefix(f"{self.firm.folder}/") for each in problems]


@pytest_asyncio.fixture
async def comparing(firm: ImportingFirm) -> AsyncGenerator[Comparing]:
    yield Comparing(firm)


def reasons_of(found: Comparison) -> Counter[tuple[str, str]]:
    return Counter((each.rule, each.detail) for each in found.missing)


async def test_what_the_search_answered_is_equal(comparing: Comparing) -> None:
    slots = await comparing.search()
    found = await comparing.compare(slots)
    assert found.is_equal
    assert (found.known, found.offered, found.in_both) == (len(slots), len(slots), len(slots))
    assert (found.at, found.warnings) == (MONDAY_MORNING, [])


async def test_the_query_in_the_file_is_the_search_with_names_for_ids(comparing: Comparing) -> None:
    topic, customer_type = NORDLYS.id_of("topic", "Annual review"), NORDLYS.id_of("customer type", "Private")
    slots = await comparing.search(
        topic=topic, customer_type_id=customer_type, is_customer_initiated=True, explicit_employee_ids=[UUID(ANNA)]
    )
    for query in (
        ("topic=annual+review&customerTypeId=Private&isCustomerInitiated=true&lookForwardTime=7.00:00:00"
        "&explicitEmployeeIds[]=anna%20holm"),
        (f"https://hosted.example/api/v2/booking/time-slots/available?topic={topic}&customerCategoryId={customer_type}"
        f"&isCustomerInitiated=true&lookForwardTime=7.00:00:00&explicitEmployeeIds={ANNA}"),
        {
            "topic": "Annual review", "customerTypeId": "Private", "isCustomerInitiated": True,
            "lookForwardTime": "7.00:00:00", "explicitEmployeeIds": ["Anna Holm"], "token": None,
        },
    ):  # fmt: skip
        found = await comparing.compare({"query": query, "slots": slots})
        assert found.is_equal, (query, found.missing[:2], found.added[:2])
        assert found.end_date == MONDAY_MORNING + timedelta(days=7)
    asked = await comparing.compare({"query": "topic=Annual review&colour=green", "slots": slots})
    assert [(each.column, each.detail) for each in asked.warnings] == [
        ("query.colour", "An unknown parameter, left out.")
    ]
    assert not asked.is_equal


async def test_a_spreadsheet_names_employees_and_says_local_times(comparing: Comparing) -> None:
    found = await comparing.compare(
        "Medarbejder;Start;Slut;Mødetype\n"
        "Anna Holm;03-03-2026 10:00;03-03-2026 11:00;Fysisk\n"
        f"{ANNA};2026-03-03 10:30;2026-03-03T11:30;online\n"
        "anna holm;2026-03-03T10:00:00Z;2026-03-03T11:00:00Z;Telefon\n",
        "slots.csv",
    )
    assert (found.known, found.in_both, found.missing) == (3, 3, [])
    assert found.start_date == datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


async def test_a_closing_day_is_the_reason_in_words(comparing: Comparing) -> None:
    slots = await comparing.search(explicit_employee_ids=[UUID(ANNA)])
    await comparing.execute(
        "insert into organization_setting (tenant_id, organization_setting_id, closing_days)"
        " values (current_tenant(), gen_random_uuid(), $1) on conflict (tenant_id) do update set closing_days = $1",
        [datetime(2026, 3, 3, tzinfo=UTC).date()],
    )
    found = await comparing.compare(slots, query=f"explicitEmployeeIds={ANNA}")
    on_tuesday = [each for each in slots if each["startDate"].startswith(TUESDAY)]
    said = "Tuesday 2026-03-03 is a closing day of the organization."
    assert reasons_of(found) == {("ClosingDay", said): len(on_tuesday)}
    assert on_tuesday
    assert not found.added


async def test_a_missing_room_is_the_reason_in_words(comparing: Comparing) -> None:
    query = {"explicitEmployeeIds": ANNA, "requireRoom": True, "meetingTypes": "physical"}
    slots = await comparing.search(
        explicit_employee_ids=[UUID(ANNA)], require_room=True, meeting_types=[MeetingType.PHYSICAL]
    )
    assert slots
    await comparing.execute("delete from room")
    found = await comparing.compare({"query": query, "slots": slots})
    ((rule, detail),) = reasons_of(found)
    assert (rule, len(found.missing)) == ("Room", len(slots))
    assert detail == "A room that seats 2 is needed, and none at Aarhus can be booked."


async def test_each_other_difference_has_its_reason(comparing: Comparing) -> None:
    def slot(employee: str, begin: str, end: str, how: str = "online") -> Json:
        times = {"startDate": f"{TUESDAY}T{begin}:00", "endDate": f"{TUESDAY}T{end}:00"}
        return {"employeeId": employee, "meetingType": how} | times

    found = await comparing.compare(
        {
            "query": "meetingTypes=online&isCustomerInitiated=true&topic=Annual review",
            "slots": [
                slot(ANNA, "10:00", "11:00"),
                slot(ANNA, "10:00", "10:45"),
                slot(ANNA, "10:15", "11:15"),
                slot(ANNA, "12:00", "13:00", "telephone"),
                slot(ANNA, "20:00", "21:00"),
                slot("Ana Holm", "12:00", "13:00"),
                slot(ANNA, "10:00", "11:00"),
            ],
        }
    )
    assert reasons_of(found) == {
        ("UnknownEmployee", "There is no employee 'Ana Holm'; did you mean 'Anna Holm'?"): 1,
        ("Length", "It lasts 45 minutes, and this search finds slots of 60 minutes."): 1,
        ("HalfHour", "Slots begin at :00 and :30 of the advisor's clock."): 1,
        ("MeetingType", "This search finds only Online meetings."): 1,
        (
            "OpeningHours",
            "Customers meet when the organization is open, from 08:00 to 18:00, and the whole slot must lie within.",
        ): 1,
    }
    assert [each.detail for each in found.warnings] == ["1 slots are in the list more than once, and count once."]


async def test_what_is_offered_here_alone_is_grouped_by_advisor_and_by_what_the_list_lacks(
    comparing: Comparing,
) -> None:
    slots = await comparing.search(days=4, explicit_employee_ids=[UUID(ANNA), UUID(BO)])

    def is_known(slot: Json) -> bool:
        day, begin = slot["startDate"][:10], slot["startDate"][11:16]
        if slot["employeeId"] == BO:
            return day == "2026-03-02"
        is_in_hours = day != "2026-03-04" or begin < "12:00"
        return slot["meetingType"] != "Telephone" and day != TUESDAY and is_in_hours

    left_out = [each for each in slots if not is_known(each)]
    known = [each for each in slots if is_known(each)]
    taken = next(each for each in known if each["employeeId"] == ANNA and "T09:" in each["startDate"])
    known.remove(taken)
    query = f"explicitEmployeeIds={ANNA},{BO}&startDate=2026-03-02T06:00:00Z&lookForwardTime=4.00:00:00"
    found = await comparing.compare(known, query=query)
    assert not found.missing
    groups = Counter({(each.employee, each.rule): 0 for each in found.added})
    for each in found.added:
        groups[each.employee, each.rule] += each.count
    assert set(groups) == {
        ("Anna Holm", "Day"),
        ("Anna Holm", "MeetingType"),
        ("Anna Holm", "Hours"),
        ("Anna Holm", "Time"),
        ("Bo Lind", "Day"),
        ("Bo Lind", "EmployeeOnDay"),
    }
    assert groups["Anna Holm", Addition.TIME] == 1
    assert sum(groups.values()) == len(left_out) + 1 == found.offered - found.in_both
    assert len(found.added) < 10
    nobody = await comparing.compare([each for each in known if each["employeeId"] == ANNA], query=query)
    assert ("Bo Lind", "Employee") in {(each.employee, each.rule) for each in nobody.added}


async def test_a_large_list_is_read_in_as_many_statements_as_a_small_one(comparing: Comparing) -> None:
    slots = await comparing.search(days=60)
    assert len(slots) > 10_000
    assert (await comparing.compare(slots)).is_equal
    statements = len(comparing.statements)
    await comparing.compare(slots[:10])
    assert len(comparing.statements) == statements

    await comparing.execute("update employee_schedule set can_be_booked = false")
    found = await comparing.compare(slots)
    employees = {each["employeeId"] for each in slots}
    assert len(found.missing) == len(slots)
    assert {each.rule for each in found.missing} == {"NotBookable"}
    assert len(comparing.statements) <= statements + 5 * len(employees)


@pytest.mark.parametrize(
    ("name", "content", "problems"),
    [
        (
            "a.csv",
            (
                "employee,start,end,type\nAnna,soon,2026-03-03T10:00,Online\n,2026-03-03T09:00,2026-03-03T10:00,Fax\n"
                "Anna,2026-03-03T10:00,2026-03-03T09:00,Online\nAnna,2026-03-03T10:00\n"
            ),
            [
                "a.csv:2: startDate: 'soon' is not an ISO 8601 date and time: write for example 2026-03-02T09:00:00Z.",
                "a.csv:3: employeeId: employeeId is required.",
                "a.csv:3: meetingType: 'Fax' is unknown; write one of",
                "a.csv:4: endDate: It must end after it begins.",
                "a.csv:5: 2 cells, but the header has 4; quote a cell that contains the separator.",
            ],
        ),
        ("b.csv", "colour\ngreen\n", ["b.csv:1: The first line has no known column"]),
        ("c.json", '[\n1,\n{"employeeId": 7}]', ["c.json:2: slots[0]: Each item of the array must be an object."]),
        (
            "d.json",
            '[{"employeeId": "a", "startDate": "2026-03-03T10:00", "endDate": "2026-03-03", "meetingType": "x"}]',
            ["d.json:1: slots[0].meetingType: "],
        ),
        (
            "e.json",
            '[{"employeeId": "a", "startDate": "2026-03-03T10Z", "endDate": "2026-03-03T11", "meetingType": "online"}]',
            [
                (
                    "e.json:1: slots[0].endDate: One of its times has an offset, and the other has none; write both in "
                    "the same form."
                )
            ],
        ),
    ],
)
async def test_wrong_rows_are_named(comparing: Comparing, name: str, content: str, problems: list[str]) -> None:
    found = comparing.list_problems(content, name)
    assert len(found) >= len(problems)
    for said, wanted in zip(found, problems, strict=False):
        assert said.startswith(wanted), found


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", "[{", "is not valid JSON: line 1"),
        ("b.json", "7", "must hold the response of a slot search"),
        ("c.json", '{"slots": 7}', "must hold the response of a slot search"),
        ("d.json", "[" * 100_000, "d.json is n"),
        ("e.json", '{"at": "soon", "slots": []}', "at: 'soon' is not an ISO 8601 date"),
        ("f.xlsx", "", "is neither .json nor .csv"),
        ("g.json", "[]", "no slots from which to read the period"),
        ("h.json", '{"slots": [], "query": "topic=Chess"}', "query.topic: There is no topic 'Chess'"),
        ("i.json", '{"slots": [], "query": "lookForwardTime=long"}', "query.lookForwardTime: 'long' is not a duration"),
        ("j.json", '{"slots": [], "query": 7}', "write it as in an address"),
        ("k.json", '{"slots": [], "query": "hello"}', "has no parameters"),
        ("l.json", '{"slots": [], "query": "lookForwardTime=900.00:00:00"}', "At most 366.00:00:00"),
        (
            "m.json",
            '{"slots": [], "query": "lookForwardTime=1.00:00:00&topic=6f9619ff-8b86-4d01-b42d-00cf4fc964ff"}',
            "6f9619ff",
        ),
    ],
)
async def test_a_file_that_is_no_list_is_one_line(comparing: Comparing, name: str, content: str, said: str) -> None:
    with pytest.raises((SetupError, MeetdeckError)) as caught:
        await comparing.compare(content, name)
    assert said in str(caught.value)


def test_a_moment_is_read_as_people_write_it() -> None:
    for text in ("2026-11-03 09:30", "2026-11-03T09:30:00", "03-11-2026 9:30", "3.11.2026 09.30"):
        assert read_moment(text) == datetime(2026, 11, 3, 9, 30), text  # noqa: DTZ001 - local, as the text is
    assert isinstance(read_moment("2026-11-03T09:30+01:00"), Moment)
    for text in ("11/03/2026 09:30", "soon", "31-02-2026 09:30"):
        with pytest.raises(ValueError, match="ISO 8601"):
            read_moment(text)


async def test_a_joint_search_is_compared_with_its_groups_by_name_or_id(comparing: Comparing) -> None:
    await comparing.execute(
        "with made as ("
        "insert into service_group (tenant_id, service_group_id, name) values ($1, gen_random_uuid(), 'Mortgage')"
        " returning service_group_id)"
        " insert into service_group_employee (tenant_id, service_group_id, employee_id, position)"
        " select $1, service_group_id, $2, 0 from made",
        NORDLYS.tenant_id,
        BO,
    )
    together = await comparing.search(also_service_groups=["Mortgage"])
    everything = await comparing.search()
    assert 0 < len(together) < len(everything)
    found = await comparing.compare(together, query="alsoServiceGroups=Mortgage")
    assert found.is_equal
    more = await comparing.compare(everything, query="alsoServiceGroups=Mortgage")
    assert len(more.missing) == len(everything) - len(together)
    assert "Also" in {each.rule for each in more.missing}
