"""Refusals of the API are told again in a page's language."""

from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from markupsafe import Markup

from meetdeck.booking.directory.rooms.schemas import SaveRoom
from meetdeck.booking.kinds import Kind
from meetdeck.pages.telling import KINDS, Translator, write_plainly
from meetdeck.pages.texts import get_texts
from meetdeck.platform.phrases import Hours, NamedResource, Phrases, Span, collect, join, mean, phrase
from meetdeck.platform.values import InvalidInput, read_builtins

COPENHAGEN = ZoneInfo("Europe/Copenhagen")
TODAY = date(2026, 11, 24)
ID = UUID(int=7)


def make_translator(language: str) -> Translator:
    return Translator(get_texts(language), COPENHAGEN, TODAY, "/console/{}".format)


def test_a_text_of_the_api_is_said_with_its_values() -> None:
    phrases: Phrases = {}
    with collect(phrases):
        text = phrase("At most {duration}.", duration=mean("30.00:00:00", timedelta(hours=5)))
    assert text == "At most 30.00:00:00."
    assert make_translator("da").translate(text, phrases) == "Højst 5 timer."
    assert make_translator("en").translate(text, phrases) == "At most 5 hours."


def test_times_are_by_the_firms_clock() -> None:
    phrases: Phrases = {}
    begin = datetime(2026, 11, 25, 8, tzinfo=UTC)
    with collect(phrases):
        mean("now", begin)
        mean("span", Span(begin.astimezone(COPENHAGEN), begin.astimezone(COPENHAGEN) + timedelta(hours=1)))
        mean("hours", Hours(time(8, 30), time(0)))
        mean("day", date(2026, 11, 28))
    english, danish = make_translator("en"), make_translator("da")
    assert [english.translate(each, phrases) for each in phrases] == [
        "Wednesday 25 November, 09:00",
        "Wednesday 25 November, 09:00 to 10:00",
        "08:30 to 24:00",
        "Saturday 28 November",
    ]
    assert [danish.translate(each, phrases) for each in phrases] == [
        "onsdag 25. november kl. 09.00",
        "onsdag 25. november kl. 09.00\N{EN DASH}10.00",
        "08.30\N{EN DASH}24.00",
        "lørdag 28. november",
    ]
    assert [make_translator("de").translate(each, phrases) for each in phrases] == [
        "Mittwoch, 25. November, 09:00 Uhr",
        "Mittwoch, 25. November, 09:00\N{EN DASH}10:00 Uhr",
        "08:30\N{EN DASH}24:00 Uhr",
        "Samstag, 28. November",
    ]


def test_a_thing_is_a_link_and_names_are_escaped() -> None:
    phrases: Phrases = {}
    with collect(phrases):
        meeting = mean("meeting 7", NamedResource("meeting", ID, "<b>"))
        text = phrase("There is no {kind} {id}.", kind=Kind.MEETING, id=join([meeting, "<i>"], ", "))
    told = make_translator("da").translate(text, phrases)
    link = f'<a class="ds-link" href="/console/calendar/meetings/{ID}">&lt;b&gt;</a>'
    assert isinstance(told, Markup)
    assert str(told) == f"Der er ingen møde {link}, &lt;i&gt;."
    assert write_plainly(told) == "Der er ingen møde <b>, <i>."


def test_a_page_that_the_reader_may_not_open_is_no_link() -> None:
    phrases: Phrases = {}
    with collect(phrases):
        connection = mean("it", NamedResource("calendar connection", ID, "M"))
        text = phrase("another appointment {times} in {connection}", times="", connection=connection)
    english = make_translator("en")
    assert english.translate(text, phrases).endswith(f'<a class="ds-link" href="/console/connections/{ID}">M</a>')
    assert english._replace(link="".format).translate(text, phrases) == "another appointment  in M"


def test_a_sentence_begins_with_a_capital() -> None:
    phrases: Phrases = {}
    with collect(phrases):
        text = phrase("The {kind} {name}", kind=Kind.EMPLOYEE, name="anna")
    assert make_translator("da").translate(text, phrases) == "Medarbejder anna"


def test_a_text_without_words_is_not_shown() -> None:
    assert (
        make_translator("da").translate("Some text of the API", {}, "odd_code")
        == "Systemet tillader det ikke (odd_code)."
    )


def test_nothing_is_kept_of_texts_made_outside() -> None:
    phrases: Phrases = {}
    assert phrase("{count:,} groups", count=1000) == "1,000 groups"
    assert phrases == {}


@pytest.mark.parametrize("kind", list(Kind))
def test_each_kind_has_a_word(kind: Kind) -> None:
    assert str(kind) in KINDS


def test_what_msgspec_says_of_a_value_is_said_in_the_pages_language() -> None:
    phrases: Phrases = {}
    with collect(phrases), pytest.raises(InvalidInput) as refused:
        read_builtins({"capacity": "six"}, SaveRoom)
    details = [fault.detail for fault in refused.value.faults if fault.pointer == "/capacity"]
    assert details == ["Write a whole number."]
    assert make_translator("da").translate(details[0], phrases) == "Skriv et helt tal."


def test_a_text_without_words_may_have_a_sentence_by_its_code() -> None:
    assert make_translator("da").translate("'x' is not a number", {}, "invalid_data").startswith("Det passer ikke her.")
