"""The reading of an address by a search at the console. Pure."""

from datetime import UTC, date, datetime
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from meetdeck.pages.console.booking.questions import Question
from meetdeck.pages.console.booking.search_form import Employee, Firm, SearchForm, Topic, make_search
from meetdeck.pages.console.booking.times import Time
from meetdeck.pages.console.forms import Choice

NOW = datetime(2026, 3, 2, 23, 30, tzinfo=UTC)  # Tuesday already in Copenhagen
PEOPLE = [Employee(UUID(int=number), name) for number, name in enumerate(("Anna Holm", "Bo Lind", "Bodil Holm"))]
FIRM = Firm(
    zone=ZoneInfo("Europe/Copenhagen"),
    topics=[Topic(UUID(int=9), "Pension", 45)],
    ways=[Choice("Physical", "In person"), Choice("Online", "Online")],
    places=[Choice("Aarhus", "Aarhus")],
    customer_types=[],
    labels=[Choice("Polish", "Polish")],
    employees=PEOPLE,
    meant=[],
)


@pytest.mark.parametrize(
    ("typed", "meant", "value", "text"),
    [
        ("", [], "", ""),
        (str(UUID(int=1)), PEOPLE[1:2], str(UUID(int=1)), "Bo Lind"),
        (f"{UUID(int=0)},{UUID(int=1)}", PEOPLE[:2], f"{UUID(int=0)},{UUID(int=1)}", "Anna Holm, Bo Lind"),
        ("holm", [PEOPLE[0], PEOPLE[2]], "holm", "holm"),
        ("nobody", [], "nobody", "nobody"),
    ],
)
def test_the_field_for_an_advisor_shows_what_finds_the_same_again(
    typed: str, meant: list[Employee], value: str, text: str
) -> None:
    firm = FIRM._replace(meant=meant)
    search = make_search(SearchForm(employee=typed), firm, NOW)
    assert search.is_for_nobody == (typed == "nobody")
    listed, picker = search.show_employee(firm), search.show_employee(firm._replace(employees=None))
    assert (picker.value, picker.text, picker.is_listed) == (value, text, False)
    assert (listed.value, listed.is_listed) == (value, True)
    assert (value in {one.value for one in listed.options}) == bool(meant)


def test_a_text_that_was_typed_counts_and_not_what_was_chosen_before() -> None:
    sent = {"employee": "1", "employee.text": "bo", "employee.was": "Anna"}
    assert SearchForm.read(lambda name: sent.get(name, "")).employee == "bo"
    assert SearchForm.read(lambda name: {**sent, "employee.was": "bo"}.get(name, "")).employee == "1"


def test_what_does_not_exist_is_left_out_and_no_day_is_over() -> None:
    wanted = SearchForm("x", "Walk", "Skagen", "x", "Klingon", "", "2020-01-01", "400", "noon", "x")
    search = make_search(wanted, FIRM, NOW)
    assert search.wanted == SearchForm(type="Physical", day="2026-03-03", days="7")
    assert (search.first, search.days, search.minutes) == (date(2026, 3, 3), 7, 60)


def test_a_clicked_time_is_by_the_organizations_clock_and_its_day_is_searched() -> None:
    search = make_search(SearchForm(topic=str(UUID(int=9)), at="2026-04-01T10:00"), FIRM, NOW)
    assert search.at == datetime(2026, 4, 1, 8, tzinfo=UTC)
    assert (search.first, search.minutes) == (date(2026, 4, 1), 45)


def test_a_time_is_written_as_it_is_read_and_nonsense_is_none() -> None:
    time = Time(NOW, NOW, UUID(int=1))
    assert Time.read(time.write()) == time
    for text in ("", "a~b~c", f"2026-03-02T10:00~2026-03-02T11:00~{UUID(int=1)}", time.write() + "~x"):
        assert Time.read(text) is None


def test_a_question_is_asked_in_the_pages_language_and_answered_with_the_portals_own_option() -> None:
    question = Question(
        name="matter",
        label="What matters?",
        type="Dropdown",
        options=["Price", "Time"],
        localized_label={"da-DK": "Hvad betyder mest?"},
        localized_options={"da-DK": ["Pris", "Tid"]},
    )
    danish, german = question.speak("da"), question.speak("de")
    assert (danish.label, danish.options, danish.option_words) == (
        "Hvad betyder mest?",
        ["Price", "Time"],
        ["Pris", "Tid"],
    )
    assert (german.label, german.option_words) == ("What matters?", ["Price", "Time"])
