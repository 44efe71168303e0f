import io
from typing import Any

import pikepdf
import pypdfium2
import pytest

from meetdeck.present.deck import Chapter, Notes, NotesParagraph, NotesSpan, Outline
from meetdeck.present.render import handouts
from meetdeck.present.render.handouts import Sheet, handout, handout_with_notes, notes_pages
from meetdeck.present.render.pages import page_count
from meetdeck.present.render.renderer import RenderingFailed
from support.pdfs import Rectangle, bookmarks, links_of, make_slides, painted_places, place_of, text_of

NOBODY_KNOWS = Outline()
LONG = ["A sentence that an advisor wants to remember in the meeting. " * 8] * 40


def notes(*lines: str) -> Notes:
    return tuple(NotesParagraph((NotesSpan(line),) if line else ()) for line in lines)


def test_a_handout_has_three_slides_a_page() -> None:
    pdf = handout(make_slides(7), NOBODY_KNOWS)
    assert page_count(pdf) == 3
    assert [f"Slide {number}" in text_of(pdf, 0) for number in range(1, 5)] == [True, True, True, False]
    assert "Slide 7" in text_of(pdf, 2)


@pytest.mark.parametrize("size", [(720, 540), (405, 720), (960, 100)], ids=["4:3", "portrait", "banner"])
def test_slides_of_any_proportions_fit(size: tuple[float, float]) -> None:
    slides = make_slides(3, size)
    assert page_count(handout(slides, NOBODY_KNOWS)) == 1
    assert page_count(notes_pages(slides, NOBODY_KNOWS, [notes("Note")] * 3)) == 3
    assert page_count(handout_with_notes(slides, NOBODY_KNOWS, [notes("Note")] * 3)) == 1


def test_notes_stand_below_their_slide() -> None:
    pdf = notes_pages(make_slides(2), NOBODY_KNOWS, [notes("Ask about the cabin."), ()])
    assert page_count(pdf) == 2
    assert "Slide 1" in text_of(pdf, 0)
    assert "Ask about the cabin." in text_of(pdf, 0)
    assert "Slide 2" in text_of(pdf, 1)


def test_long_notes_flow_onto_further_pages_and_lose_nothing() -> None:
    pdf = notes_pages(make_slides(2), NOBODY_KNOWS, [notes(*LONG, "The end."), notes("Next")])
    pages = page_count(pdf)
    assert pages > 3
    texts = [text_of(pdf, page) for page in range(pages)]
    assert sum(text.count("remember") for text in texts) == "".join(LONG).count("remember")
    assert "The end." in texts[-2]
    assert "Slide 2" in texts[-1]


def test_long_notes_beside_a_slide_push_the_next_slides_on() -> None:
    pdf = handout_with_notes(make_slides(3), NOBODY_KNOWS, [(), notes(*LONG), notes("Last")])
    texts = [text_of(pdf, page) for page in range(page_count(pdf))]
    assert sum(text.count("remember") for text in texts) == "".join(LONG).count("remember")
    assert "Slide 3" in texts[-1]
    assert "Last" in texts[-1]


def test_notes_are_text_and_never_markup() -> None:
    written = 'Rate *up* to 3% #panic("x") $y$ = [z] `q` <w> @v \\ // "u" -- ...'
    assert written in text_of(notes_pages(make_slides(1), NOBODY_KNOWS, [notes(written)]), 0).replace("\r\n", " ")


def test_a_line_break_breaks_the_line() -> None:
    lines = text_of(notes_pages(make_slides(1), NOBODY_KNOWS, [notes("one\ntwo", "three")]), 0).split("\r\n")
    assert [line for line in lines if line in {"one", "two", "three"}] == ["one", "two", "three"]


def test_lists_have_their_bullets_and_numbers() -> None:
    lines = (
        NotesParagraph((NotesSpan("Ask", bold=True),), 0, "•"),
        NotesParagraph((NotesSpan("First"),), 0, "1.", 1),
        NotesParagraph((NotesSpan("part", italic=True),), 1, "(a)", 2),
        NotesParagraph((NotesSpan("Second"),), 0, "I)", 12),
    )
    text = text_of(handout_with_notes(make_slides(1), NOBODY_KNOWS, [lines]), 0)
    assert text.split("\r\n")[1:5] == ["• Ask", "1. First", "(b) part", "XII) Second"]


def left_edges(pdf: bytes) -> dict[str, float]:
    """Return by first word how far from the left of the page, in points, each line begins."""
    with pypdfium2.PdfDocument(pdf) as document:
        text: Any = document[0].get_textpage()
        rectangles = [text.get_rect(index) for index in range(text.count_rects())]
        return {text.get_text_bounded(*edges).split()[0]: edges[0] for edges in rectangles}


def test_a_paragraph_of_hebrew_is_read_from_the_right() -> None:
    edges = left_edges(notes_pages(make_slides(1), NOBODY_KNOWS, [notes("English", "שלום")]))
    assert edges["English"] < 60
    assert max(edge for word, edge in edges.items() if set(word) & set("שלום")) > 450


@pytest.mark.parametrize("slides", [1, 2, 4, 6, 9])
def test_a_handout_has_as_many_slides_a_page_as_asked_for_row_by_row(slides: int) -> None:
    pdf = handout(make_slides(slides + 1), NOBODY_KNOWS, Sheet("us-letter", slides))
    assert page_count(pdf) == 2
    places = [place_of(pdf, 0, f"Slide {number}") for number in range(1, slides + 1)]
    assert sorted(places, key=lambda place: (-round(place.bottom), place.left)) == places
    assert "Slide" in text_of(pdf, 1)


@pytest.mark.parametrize("slides", [1, 2, 4])
def test_slides_beside_their_notes_are_as_many_a_page_as_asked_for(slides: int) -> None:
    pdf = handout_with_notes(make_slides(slides + 1), NOBODY_KNOWS, [notes("Note")] * (slides + 1), Sheet("a4", slides))
    assert [text_of(pdf, page).count("Note") for page in range(page_count(pdf))] == [slides, 1]


def test_letter_is_letter() -> None:
    for pdf in (
        handout(make_slides(1), NOBODY_KNOWS, Sheet("us-letter")),
        notes_pages(make_slides(1), NOBODY_KNOWS, [()], Sheet("us-letter")),
    ):
        with pikepdf.open(io.BytesIO(pdf)) as document:
            assert [round(float(edge)) for edge in document.pages[0].mediabox] == [0, 0, 612, 792]


def test_pages_are_a4() -> None:
    with pikepdf.open(io.BytesIO(handout(make_slides(1), NOBODY_KNOWS))) as document:
        assert [round(float(edge)) for edge in document.pages[0].mediabox] == [0, 0, 595, 842]


FACTS = Outline(
    "Annual review", "da-DK", (Chapter("", ("Welcome",)), Chapter("Your money", ("Savings", "Pension", "Home")))
)


@pytest.mark.parametrize(
    ("layout", "pages"), [("handout", [0, 0, 0, 1]), ("notes", [0, 1, 2, 3]), ("both", [0, 0, 0, 1])]
)
def test_each_slide_has_a_bookmark_that_leads_to_where_it_stands(layout: str, pages: list[int]) -> None:
    pdf = laid_out(layout, make_slides(4))
    marks = bookmarks(pdf)
    assert [(mark.level, mark.title) for mark in marks] == [
        (0, "Welcome"),
        (0, "Your money"),
        (1, "Savings"),
        (1, "Pension"),
        (1, "Home"),
    ]
    assert [mark.page for mark in marks] == [pages[0], pages[1], *pages[1:]]
    tops = [mark.top for mark in marks if mark.title not in {"Your money", "Home"} and mark.top is not None]
    assert len(tops) == 3
    if layout != "notes":
        assert tops == sorted(tops, reverse=True)
        assert tops[0] - tops[1] > 200


def laid_out(layout: str, slides: bytes) -> bytes:
    if layout == "handout":
        return handout(slides, FACTS)
    return (notes_pages if layout == "notes" else handout_with_notes)(slides, FACTS, [notes("Note")] * 4)


def test_the_document_has_the_title_and_the_language_of_the_deck_and_nobodys_name() -> None:
    with pikepdf.open(io.BytesIO(handout(make_slides(4), FACTS))) as document:
        assert {name: str(value) for name, value in document.docinfo.items()} == {
            "/Title": "Annual review",
            "/Producer": "Meetdeck",
        }
        assert str(document.Root.Lang) == "da-DK"


@pytest.mark.parametrize("layout", ["handout", "notes", "both"])
def test_links_lie_where_the_slide_shows_them(layout: str) -> None:
    places = Rectangle(100, 300, 260, 340), Rectangle(500, 20, 600, 60)
    slides = make_slides(4, links=[(0, places[0], "https://example.org/?a=1"), (0, places[1], 2)])
    pdf = laid_out(layout, slides)
    web, jump = links_of(pdf, 0)
    for link, painted in zip((web, jump), painted_places(pdf, 0, 2), strict=True):
        assert tuple(link.rectangle) == pytest.approx(tuple(painted), abs=0.75)
    pension = next(mark for mark in bookmarks(pdf) if mark.title == "Pension")
    assert (web.target, jump.target) == ("https://example.org/?a=1", pension.page)


def test_the_same_input_gives_the_same_bytes() -> None:
    slides = make_slides(4)
    assert laid_out("notes", slides) == laid_out("notes", slides)


@pytest.mark.parametrize("language", ['"; panic()', "x", "", "zh-Hant-TW", "en-001"])
def test_any_language_can_be_set(language: str) -> None:
    assert page_count(notes_pages(make_slides(1), Outline(language=language), [notes("a")])) == 1


def test_a_deck_of_which_nothing_is_known_has_no_bookmarks() -> None:
    assert bookmarks(handout(make_slides(2), FACTS)) == []


def test_notes_must_match_the_slides() -> None:
    with pytest.raises(ValueError, match="1 notes for 2 pages"):
        notes_pages(make_slides(2), NOBODY_KNOWS, [notes("only one")])


@pytest.mark.parametrize(
    "endless",
    [
        (NotesParagraph((NotesSpan("x" * 500_001),)),),
        (NotesParagraph((NotesSpan("x"),) * 25_000),),
        (NotesParagraph(),) * 25_001,
    ],
    ids=["characters", "formats", "empty lines"],
)
def test_endless_notes_are_refused_before_they_cost_anything(endless: Notes) -> None:
    with pytest.raises(RenderingFailed, match=r"Shorten them, or request the slides alone\.$"):
        notes_pages(make_slides(1), NOBODY_KNOWS, [endless])


def test_of_thousands_of_links_the_first_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handouts, "_MOST_LINKS", 3)  # as many as are allowed would take a second
    place = Rectangle(100, 300, 260, 340)
    links = [(page, place, f"https://example.org/{number}") for page in (0, 1) for number in range(2)]
    pdf = notes_pages(make_slides(2, links=links), NOBODY_KNOWS, [(), ()])
    assert [link.target for page in (0, 1) for link in links_of(pdf, page)] == [
        "https://example.org/0",
        "https://example.org/1",
        "https://example.org/0",
    ]
