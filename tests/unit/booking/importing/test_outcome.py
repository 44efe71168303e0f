from uuid import UUID, uuid4

from meetdeck.booking.directory.employees.schemas import SaveEmployee
from meetdeck.booking.importing.outcome import Count, Outcome
from meetdeck.booking.importing.rows import FileProblem
from meetdeck.booking.kinds import Kind

PRIVATE = uuid4()


def describe(count: Count) -> list[str]:
    return list(Outcome(dry_run=False, counts=[count], problems=[], warnings=[]).describe())


def name_of(resource_id: UUID) -> str:
    return {PRIVATE: "Private"}[resource_id]


def test_a_change_is_shown_by_name_with_what_was_and_what_is() -> None:
    count = Count(Kind.EMPLOYEE.imported_as, unchanged=4_000)
    before = SaveEmployee(name="Anna", title="Advisor", customer_type_ids=[PRIVATE])
    count.add("Anna", before, SaveEmployee(name="Anna", title="a " * 100, active=False), name_of)
    count.add("Bo", None, SaveEmployee(name="Bo"), name_of)
    assert describe(count) == [
        "Employees  1 new, 1 changed, 4,000 unchanged",
        f"  Anna: title: Advisor → {'a ' * 30}…",
        "  Anna: customerTypeIds: Private → (empty)",
        "  Anna: active: true → false",
        "Imported.",
    ]


def test_five_examples_stand_for_all() -> None:
    count = Count(Kind.EMPLOYEE.imported_as)
    for number in range(9):
        count.add(f"A{number}", SaveEmployee(name="A"), SaveEmployee(name="B"), name_of)
    assert [line.strip() for line in describe(count)] == [
        "Employees  0 new, 9 changed, 0 unchanged",
        *(f"A{number}: name: A → B" for number in range(5)),
        "…",
        "Imported.",
    ]


def test_problems_are_counted_with_their_rows() -> None:
    problems = [FileProblem("a.csv", line, column, "") for line, column in ((2, "name"), (2, "email"), (3, ""))]
    outcome = Outcome(dry_run=False, counts=[], problems=problems, warnings=[])
    assert outcome.count_problems() == "3 problems in 2 rows"
