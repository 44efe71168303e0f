"""The words of the pages: whole catalogues, chosen languages, dates and times as people write them."""

import ast
import re
import runpy
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from meetdeck.booking.localization.members import list_labels
from meetdeck.pages.texts import LANGUAGES, choose_language, get_texts

ROOT = Path(__file__).parents[3]
CATALOGUES = sorted((ROOT / "src/meetdeck/pages/catalogues").glob("*.po"))
TOOL = runpy.run_path(str(ROOT / "tools/update_catalogues.py"))
read_texts: Callable[[], Catalog] = TOOL["read_texts"]
list_missing: Callable[[Path], list[str]] = TOOL["list_missing"]
KEYWORDS = {*TOOL["_KEYWORDS"], "phrase", "gettext", "ngettext"}
IN_BRACES = re.compile(rf"\{{[^{{}}]*\b(?:{'|'.join(KEYWORDS)})\(")
"""A first look at a file: reading all of them as Python takes half a minute."""
COPENHAGEN = ZoneInfo("Europe/Copenhagen")


def find_calls_in_f_strings(text: str) -> list[str]:
    """Return the calls that have a text translated inside of an f-string."""
    return [
        ast.unparse(call)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant)
        if ast.unparse(call.func).rpartition(".")[2] in KEYWORDS
    ]


def test_each_language_but_the_codes_own_has_a_catalogue() -> None:
    assert {path.stem for path in CATALOGUES} == set(LANGUAGES) - {"en"}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_a_catalogue_has_words_for_every_text_of_the_pages(path: Path) -> None:
    assert len(list(read_texts())) > 80
    assert list_missing(path) == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_the_label_of_a_member_is_in_each_language_and_in_no_catalogue(path: Path) -> None:
    labels = list_labels(path.stem)
    assert [label for label, translated in labels.items() if not translated] == []
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.stem)
    assert [label for label in labels if catalogue.get(label) is not None] == []


def test_texts_that_a_template_says_by_a_method_are_found() -> None:
    assert read_texts().get("Page {number} of {pages}") is not None


def test_no_text_to_translate_is_inside_of_an_f_string() -> None:
    """Python 3.11 reads an f-string as one token: the extractor does not find the calls inside of it."""
    assert find_calls_in_f_strings("f'{done} {texts.translate(\"Saved.\")}'") == ["texts.translate('Saved.')"]
    found = {
        path.relative_to(ROOT).as_posix(): calls
        for path in sorted((ROOT / "src/meetdeck").rglob("*.py"))
        if IN_BRACES.search(text := path.read_text(encoding="utf-8")) and (calls := find_calls_in_f_strings(text))
    }
    assert found == {}, "Take them out of the f-strings"


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_a_translation_names_the_same_values(path: Path) -> None:
    with path.open("rb") as file:
        messages = [message for message in read_po(file, locale=path.stem) if message.id]
    for message in messages:
        texts = [message.id] if isinstance(message.id, str) else list(message.id)
        translated = [message.string] if isinstance(message.string, str) else list(message.string or ())
        names = {name for text in texts for name in re.findall(r"\{(\w+)\}", text)}
        for each in translated:
            assert set(re.findall(r"\{(\w+)\}", each)) in (names, names - {"id"}), texts


@pytest.mark.parametrize(
    ("offered", "wishes", "chosen"),
    [
        (["en", "da"], ["da"], "da"),
        (["en", "da"], ["da-DK,da;q=0.9,en;q=0.8"], "da"),
        (["en", "da"], ["de,en;q=0.5,da;q=0.7"], "da"),
        (["en", "da"], ["da;q=0, en;q=0.1"], "en"),
        (["en", "da"], ["", "fr", "da"], "da"),
        (["en", "da"], ["sv"], "en"),
        (["da"], ["en"], "da"),
        (["en", "da"], ["da;q=much, ,;;;"], "en"),
    ],
)
def test_the_language_is_the_first_wish_that_is_offered(offered: list[str], wishes: list[str], chosen: str) -> None:
    assert choose_language(offered, *wishes) == chosen


@pytest.mark.parametrize(
    ("language", "day", "whole", "span"),
    [
        ("en", "Tuesday 24 November", "Tuesday 24 November 2026", "10:30 to 11:30"),
        ("da", "Tirsdag 24. november", "Tirsdag 24. november 2026", "10.30\N{EN DASH}11.30"),
        ("de", "Dienstag, 24. November", "Dienstag, 24. November 2026", "10:30\N{EN DASH}11:30 Uhr"),
    ],
)
def test_days_and_times_are_written_as_the_language_writes_them(language: str, day: str, whole: str, span: str) -> None:
    texts, tuesday = get_texts(language), date(2026, 11, 24)
    assert (texts.show_day(tuesday, tuesday), texts.show_date(tuesday)) == (day, whole)
    assert texts.show_day(tuesday, date(2025, 12, 31)) == whole
    begin = datetime(2026, 11, 24, 9, 30, tzinfo=UTC)
    assert texts.show_span(begin, begin + timedelta(hours=1), COPENHAGEN) == span


@pytest.mark.parametrize(
    ("first", "last", "today", "language", "said"),
    [
        (date(2026, 11, 23), date(2026, 11, 29), date(2026, 11, 25), "en", "23\N{EN DASH}29 November"),
        (date(2026, 11, 23), date(2026, 11, 29), date(2026, 11, 25), "da", "23.\N{EN DASH}29. november"),
        (date(2026, 11, 23), date(2026, 11, 29), date(2025, 11, 25), "de", "23.\N{EN DASH}29. November 2026"),
        (date(2026, 11, 30), date(2026, 12, 6), date(2026, 11, 25), "en", "30 November \N{EN DASH} 6 December"),
        (
            date(2026, 12, 28),
            date(2027, 1, 3),
            date(2026, 12, 29),
            "da",
            "28. december 2026 \N{EN DASH} 3. januar 2027",
        ),
    ],
)
def test_days_in_a_row_name_their_month_once(first: date, last: date, today: date, language: str, said: str) -> None:
    assert get_texts(language).show_days(first, last, today) == said


@pytest.mark.parametrize(
    ("length", "english", "danish"),
    [
        (timedelta(minutes=45), "45 minutes", "45 minutter"),
        (timedelta(minutes=60), "1 hour", "1 time"),
        (timedelta(minutes=150), "2 hours 30 minutes", "2 timer 30 minutter"),
        (timedelta(days=1), "24 hours", "24 timer"),
        (timedelta(days=3, minutes=1), "72 hours 1 minute", "72 timer 1 minut"),
    ],
)
def test_a_length_of_time_is_said_in_words(length: timedelta, english: str, danish: str) -> None:
    assert get_texts("en").show_length(length) == english
    assert get_texts("da").show_length(length) == danish


@pytest.mark.parametrize(
    ("language", "said", "of_another_year"),
    [
        ("en", "24 Nov, 10:30", "24 Nov 2025, 10:30"),
        ("da", "24. nov. 10.30", "24. nov. 2025 10.30"),
        ("de", "24. Nov., 10:30", "24. Nov. 2025, 10:30"),
    ],
)
def test_a_moment_is_short_in_a_table(language: str, said: str, of_another_year: str) -> None:
    texts, today = get_texts(language), date(2026, 12, 1)
    assert texts.show_short_moment(datetime(2026, 11, 24, 10, 30, tzinfo=UTC), today) == said
    assert texts.show_short_moment(datetime(2025, 11, 24, 10, 30, tzinfo=UTC), today) == of_another_year


def test_a_text_keeps_braces_that_customers_typed() -> None:
    assert get_texts("da").translate("Fill in “{label}”.", label="{7*7}") == "Udfyld “{7*7}”."


@pytest.mark.parametrize(
    ("minutes", "english", "danish"),
    [
        (0, "0 h", "0 t."),
        (45, "45 min", "45 min."),
        (90, "1 h 30 min", "1 t. 30 min."),
        (63 * 60, "63 h", "63 t."),
        (4_725_660, "78,761 h", "78.761 t."),
        (6_030, "101 h", "101 t."),
    ],
)
def test_lengths_are_written_in_hours(minutes: int, english: str, danish: str) -> None:
    length = timedelta(minutes=minutes)
    assert [get_texts(language).show_length_in_hours(length) for language in ("en", "da")] == [english, danish]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Monday 23 November to Tuesday 24 November"),
        ("da", "Mandag 23. november til tirsdag 24. november"),
        ("de", "Montag, 23. November bis Dienstag, 24. November"),
    ],
)
def test_only_the_first_day_of_a_period_begins_a_sentence(language: str, said: str) -> None:
    texts, monday, tuesday = get_texts(language), date(2026, 11, 23), date(2026, 11, 24)
    assert texts.show_period(monday, tuesday, monday) == said
    assert texts.show_period(monday, monday, monday) == texts.show_day(monday, monday)
