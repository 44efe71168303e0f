from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml import parse_xml

from meetdeck.present.deck import Notes, NotesSpan, TemplateError, read_notes

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def make_deck(*notes: str | None, hidden: int | None = None, paragraphs: str = "", first_number: int = 1) -> bytes:
    """Make a slide for each of the notes; `paragraphs`, as XML, come behind the text of each."""
    deck: Any = Presentation()
    deck.element.set("firstSlideNum", str(first_number))
    for number, text in enumerate(notes):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        if number == hidden:
            slide.element.set("show", "0")
        if text is not None:
            frame = slide.notes_slide.notes_text_frame
            frame.text = text
            wrapped = f'<x xmlns:a="{_A}">{paragraphs}</x>'
            frame._txBody.extend([*parse_xml(wrapped)])  # noqa: SLF001 - python-pptx has no public way to XML
    file = BytesIO()
    deck.save(file)
    return file.getvalue()


def texts(notes: Notes) -> list[str]:
    return [paragraph.text for paragraph in notes]


def listed(notes: Notes) -> list[tuple[int, str, int]]:
    return [(paragraph.level, paragraph.bullet, paragraph.number) for paragraph in notes]


def item(text: str, properties: str, level: int = 0) -> str:
    return f'<a:p><a:pPr lvl="{level}">{properties}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'


def numbered(scheme: str, level: int = 0, start: int = 1) -> str:
    return item("x", f'<a:buAutoNum type="{scheme}" startAt="{start}"/>', level)


def test_each_shown_slide_has_its_notes_or_none() -> None:
    assert [texts(notes) for notes in read_notes(make_deck("Smil & hils", None, "Slut"))] == [
        ["Smil & hils"],
        [],
        ["Slut"],
    ]


def test_a_hidden_slide_has_no_page_and_no_notes() -> None:
    assert [texts(notes) for notes in read_notes(make_deck("one", "two", "three", hidden=1))] == [["one"], ["three"]]


def test_a_line_break_stays_within_its_paragraph_and_empty_lines_stay_between_paragraphs() -> None:
    (notes,) = read_notes(make_deck("\nfirst\n\nsecond\vsame paragraph\n"))
    assert texts(notes) == ["first", "", "second\nsame paragraph"]


def test_bold_and_italic_text_stay_so() -> None:
    written = '<a:p><a:r><a:rPr b="1"/><a:t>Ask</a:t></a:r><a:r><a:rPr i="true" b="0"/><a:t> twice</a:t></a:r></a:p>'
    (notes,) = read_notes(make_deck("", paragraphs=written))
    assert notes[0].spans == (NotesSpan("Ask", bold=True), NotesSpan(" twice", italic=True))


@pytest.mark.parametrize(
    ("bullet", "drawn"),
    [
        ('<a:buChar char="»"/>', "»"),
        ('<a:buFont typeface="Arial"/><a:buChar char="•"/>', "•"),
        ('<a:buFont typeface="Wingdings"/><a:buChar char="§"/>', "•"),
        ('<a:buChar char="&#xF0A7;"/>', "•"),
        ("<a:buBlip><a:blip/></a:buBlip>", "•"),
        ("<a:buNone/>", ""),
        ("", ""),
    ],
    ids=["quote", "dot", "a picture of a font", "a private character", "a picture", "none", "nothing said"],
)  # fmt: skip
def test_bullets_are_kept_and_pictures_become_dots(bullet: str, drawn: str) -> None:
    (notes,) = read_notes(make_deck("", paragraphs=item("x", bullet, level=2)))
    assert listed(notes) == [(2, drawn, 0)]


def test_a_numbered_list_counts_past_what_is_below_it() -> None:
    lines = ("arabicPeriod", 0), ("alphaLcParenR", 1), ("alphaLcParenR", 1), ("arabicPeriod", 0), ("alphaLcParenR", 1)
    (notes,) = read_notes(make_deck("", paragraphs="".join(numbered(*line) for line in lines)))
    assert listed(notes) == [(0, "1.", 1), (1, "a)", 1), (1, "a)", 2), (0, "1.", 2), (1, "a)", 1)]


def test_a_numbered_list_begins_anew_behind_other_text_and_in_another_scheme() -> None:
    plain = item("Then", "")
    written = numbered("romanUcParenBoth", start=4) + plain + numbered("romanUcParenBoth") + numbered("arabicPlain")
    (notes,) = read_notes(make_deck("", paragraphs=written))
    assert listed(notes) == [(0, "(I)", 4), (0, "", 0), (0, "(I)", 1), (0, "1", 1)]


def test_an_unknown_scheme_is_counted_in_figures() -> None:
    (notes,) = read_notes(make_deck("", paragraphs=numbered("hindiAlphaPeriod")))
    assert listed(notes) == [(0, "1.", 1)]


def test_the_field_of_the_slide_number_is_the_number_that_the_slide_has() -> None:
    field = '<a:p><a:fld id="{0}" type="slidenum"><a:t>0</a:t></a:fld></a:p>'
    notes = read_notes(make_deck("", "", "", hidden=1, paragraphs=field, first_number=10))
    assert [texts(one) for one in notes] == [["10"], ["12"]]


def test_what_is_no_presentation_is_refused() -> None:
    with pytest.raises(TemplateError, match="zip"):
        read_notes(b"no zip")
