"""Date patterns of other tools write another date: the author is warned, and told which pattern is meant."""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import pytest

from meetdeck.present.deck import Finding, compile_template, validate_template, whole_deck
from meetdeck.present.deck.language.date_patterns import find_doubt
from meetdeck.present.deck.language.filters import FilterCall, find_fault

Make = Callable[[str], bytes]
Texts = Callable[[bytes], list[list[str]]]

# Pattern, and the one that is meant.
_FOREIGN = [
    # moment.js, Day.js, Carbone
    ("dd.MM.YYYY", "dd.MM.yyyy"),
    ("DD.MM.YYYY", "dd.MM.yyyy"),
    ("DD.MM.yyyy", "dd.MM.yyyy"),
    ("D. MMMM YYYY", "d. MMMM yyyy"),
    ("dddd D MMMM YYYY", "EEEE d MMMM yyyy"),
    ("ddd, DD MMM YY", "EEE, dd MMM yy"),
    ("Do MMMM", "d MMMM"),
    ("D [de] MMMM [de] YYYY", "d 'de' MMMM 'de' yyyy"),
    ("YYYY-MM-DD[T]HH:mm", "yyyy-MM-dd'T'HH:mm"),
    ("hh:mm A", "hh:mm a"),
    ("YYYY", "yyyy"),
    ("DD", "dd"),
    ("D", "d"),
    # Excel and Word
    ("dd.mm.yyyy", "dd.MM.yyyy"),
    ("m/d/yy", "M/d/yy"),
    ("mm-yyyy", "MM-yyyy"),
    ("mmmm yyyy", "MMMM yyyy"),
    ("dd-mm-yyyy hh:mm", "dd-MM-yyyy HH:mm"),
    ("dd.mm.yyyy HH:mm", "dd.MM.yyyy HH:mm"),
    ("dddd d. mmmm", "EEEE d. MMMM"),
    ("[$-406]d. mmmm yyyy;@", "d. MMMM yyyy"),
    ("h:mm AM/PM", "h:mm a"),
    ("dd-mm-åååå", "dd-MM-yyyy"),
    ("TT.MM.JJJJ", "dd.MM.yyyy"),
    ("jj/mm/aaaa", "dd/MM/yyyy"),
    ("dd-mm-jjjj", "dd-MM-yyyy"),
    # .NET, strftime, PHP
    ("h:mm tt", "h:mm a"),
    ("%d.%m.%Y", "dd.MM.yyyy"),
    ("d.m.Y", "d.M.y"),
    # Slips
    ("HH:MM", "HH:mm"),
    ("HH:MM:SS", "HH:mm:ss"),
    ("HH:mm:SS", "HH:mm:ss"),
    ("dd/MM/yyyy hh:mm", "dd/MM/yyyy HH:mm"),
    ("d. MMMM y kl. HH:mm", "d. MMMM y 'kl'. HH:mm"),
    ("d de MMMM de y", "d 'de' MMMM 'de' y"),
    ("Long", "long"),
]
_RIGHT = [
    *("", "short", "medium", "long", "full", "d MMMM y", "dd.MM.yyyy", "d.M.yy", "EEE d MMM", "y", "yyyy", "d", "MM"),
    *("HH:mm", "H.mm", "HH:mm:ss", "HH:mm:ss.SSS", "mm:ss", "mm", "h:mm a", "hh:mm a", "h:mm", "ha", "K:mm a", "kk:mm"),
    *("YYYY-'W'ww", "YYYY ww", "'Uge' w, YYYY", "yyyy-DDD", "yyyyDDD", "D yyyy", "DDD", "QQQ y", "'Q'Q yyyy"),
    *("d. MMMM y 'kl.' HH:mm", "EEEE 'den' d. MMMM", "d 'de' MMMM 'de' y", "d of MMMM", "H 'h' mm", "H:mm 'Uhr'"),
    *("yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-ddTHH:mm:ssZ", "yyyyMMddHHmmss", "dd.MM.yyyy [HH:mm]", "LLLL y", "G y"),
    *("MMMM d, y 'at' h:mm a", "M/d/yy h:mm", "h 'o''clock' a", "HH:mm, d. MMM", "mm 'past' HH", "HH:mm zzzz", "B h"),
]


def _paragraph(text: str) -> str:
    return f"<a:p><a:r><a:t>{escape(text)}</a:t></a:r></a:p>"


def _doubts(findings: Sequence[Finding]) -> list[tuple[str, object]]:
    return [(one.type, one.details.get("suggestion")) for one in findings if one.code == "doubtful-date-pattern"]


@pytest.mark.parametrize(("pattern", "meant"), _FOREIGN)
def test_a_pattern_of_another_tool_is_pointed_out_with_the_one_that_is_meant(
    text_template: Make, pattern: str, meant: str
) -> None:
    (finding,) = validate_template(text_template(_paragraph(f'{{{{day | date:"{pattern}"}}}}')))[:1]
    assert finding.code in {"doubtful-date-pattern", "bad-filter"}
    assert f'date:"{meant}"' in finding.message
    if finding.code == "doubtful-date-pattern":
        assert (finding.type, finding.details["suggestion"]) == ("Warning", f'{{{{day | date:"{meant}"}}}}')
    # What is proposed is right itself.
    assert (find_fault(FilterCall("date", meant)), find_doubt(meant)) == (None, None)


@pytest.mark.parametrize("pattern", _RIGHT)
def test_a_pattern_that_means_what_it_says_has_no_warning(text_template: Make, pattern: str) -> None:
    assert _doubts(validate_template(text_template(_paragraph(f'{{{{day | date:"{pattern}"}}}}')))) == []


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("{{D | date:D}}", '{{D | date:"d"}}'),
        ("{{day | date:'dd.MM.YYYY' | upper}}", "{{day | date:'dd.MM.yyyy' | upper}}"),
        ("{{day | date:“dd.MM.YYYY”}}", '{{day | date:"dd.MM.yyyy"}}'),
        ('{{day | add:"1 day" | date:"DD.MM."}}', '{{day | add:"1 day" | date:"dd.MM."}}'),
        ('{{day | date:"MM/YYYY" | default:"YYYY"}}', '{{day | date:"MM/yyyy" | default:"YYYY"}}'),
        ('{{(start or end) | date:"YYYY"}}', '{{(start or end) | date:"yyyy"}}'),
        ('{{"old" if day | date:"YYYY" = "2025" else "new"}}', '{{"old" if day | date:"yyyy" = "2025" else "new"}}'),
        ('{{#day | date:"YYYY" = "2026"}}x{{/}}', '{{#day | date:"yyyy" = "2026"}}x{{/}}'),
        (
            """{{#rows | where:"day | date:'YYYY' = '2026'"}}{{name}}{{/}}""",
            """{{#rows | where:"day | date:'yyyy' = '2026'"}}{{name}}{{/}}""",
        ),
    ],
)
def test_it_is_found_wherever_a_date_is_written(text_template: Make, text: str, suggestion: str) -> None:
    (doubt,) = _doubts(compile_template(text_template(_paragraph(text))).findings)
    assert doubt == ("Warning", suggestion.removesuffix("x{{/}}").removesuffix("{{name}}{{/}}"))


def test_it_is_found_in_directives_and_not_in_other_texts(make_template: Callable[..., bytes]) -> None:
    def fill(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        box = slide.shapes.add_textbox(0, 0, 99, 99)
        box.text_frame.text = '{{x | default:"dd.MM.YYYY"}} {{until | relative}}'
        (properties,) = box.element.xpath("./*/p:cNvPr")
        properties.set("descr", '{{if:day | date:"DD" = "12"}}')

    template = compile_template(make_template(fill))
    assert _doubts(template.findings) == [("Warning", '{{if:day | date:"dd" = "12"}}')]


def test_the_pattern_that_is_meant_writes_the_right_year(text_template: Make, slide_texts: Texts) -> None:
    texts = ('{{day | date:"dd.MM.YYYY"}}', '{{day | date:"dd.MM.yyyy"}}')
    deck = whole_deck(compile_template(text_template("".join(map(_paragraph, texts)))), {"day": "2025-12-29"})
    assert slide_texts(deck.content) == [["29.12.2026\n29.12.2025"]]
