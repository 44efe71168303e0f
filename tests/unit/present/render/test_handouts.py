import io

import pikepdf
import pypdfium2
import pytest

from meetdeck.present.render.handouts import handout, handout_with_notes, notes_pages
from meetdeck.present.render.pages import page_count

LONG = "\n".join(["A sentence that an advisor wants to remember in the meeting. " * 8] * 40)


def slides(count: int, size: tuple[float, float] = (720, 405)) -> bytes:
    """Make a PDF of `count` slides; each says which it is."""
    document = pikepdf.new()
    helvetica = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    for number in range(1, count + 1):
        page = document.add_blank_page(page_size=size)
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=helvetica))
        page.Contents = pikepdf.Stream(document, f"BT /F 40 Tf 50 200 Td (Slide {number}) Tj ET".encode())
    document.docinfo["/Title"] = "Annual review"
    packed = io.BytesIO()
    document.save(packed)
    return packed.getvalue()


def text_of(pdf: bytes, page: int) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return document[page].get_textpage().get_text_range()


def test_a_handout_has_three_slides_a_page() -> None:
    pdf = handout(slides(7))
    assert page_count(pdf) == 3
    assert [f"Slide {number}" in text_of(pdf, 0) for number in range(1, 5)] == [True, True, True, False]
    assert "Slide 7" in text_of(pdf, 2)


@pytest.mark.parametrize("size", [(720, 540), (405, 720), (960, 100)], ids=["4:3", "portrait", "banner"])
def test_slides_of_any_proportions_fit(size: tuple[float, float]) -> None:
    assert page_count(handout(slides(3, size))) == 1
    assert page_count(notes_pages(slides(3, size), ["Note"] * 3)) == 3
    assert page_count(handout_with_notes(slides(3, size), ["Note"] * 3)) == 1


def test_notes_stand_below_their_slide() -> None:
    pdf = notes_pages(slides(2), ["Ask about the cabin.", ""])
    assert page_count(pdf) == 2
    assert "Slide 1" in text_of(pdf, 0)
    assert "Ask about the cabin." in text_of(pdf, 0)
    assert "Slide 2" in text_of(pdf, 1)


def test_long_notes_flow_onto_further_pages_and_lose_nothing() -> None:
    pdf = notes_pages(slides(2), [LONG + "\nThe end.", "Next"])
    pages = page_count(pdf)
    assert pages > 3
    texts = [text_of(pdf, page) for page in range(pages)]
    assert sum(text.count("remember") for text in texts) == LONG.count("remember")
    assert "The end." in texts[-2]
    assert "Slide 2" in texts[-1]


def test_long_notes_beside_a_slide_push_the_next_slides_on() -> None:
    pdf = handout_with_notes(slides(3), ["", LONG, "Last"])
    texts = [text_of(pdf, page) for page in range(page_count(pdf))]
    assert sum(text.count("remember") for text in texts) == LONG.count("remember")
    assert "Slide 3" in texts[-1]
    assert "Last" in texts[-1]


def test_notes_are_text_and_never_markup() -> None:
    written = 'Rate *up* to 3% #panic("x") $y$ = [z] `q` <w> @v \\ // "u"'
    assert written in text_of(notes_pages(slides(1), [written]), 0).replace("\r\n", " ")


def test_control_characters_are_left_out_and_soft_breaks_break_lines() -> None:
    text = text_of(notes_pages(slides(1), ["one\x0btwo\x00\x07three\r\nfour"]), 0)
    assert [line for line in text.split() if line in {"one", "twothree", "four"}] == ["one", "twothree", "four"]


def test_pages_are_a4_and_keep_the_title() -> None:
    with pikepdf.open(io.BytesIO(handout(slides(1)))) as document:
        assert [round(float(edge)) for edge in document.pages[0].mediabox] == [0, 0, 595, 842]
        assert str(document.docinfo["/Title"]) == "Annual review"


def test_the_same_input_gives_the_same_bytes() -> None:
    deck = slides(2)
    assert notes_pages(deck, ["a", "b"], language="da-DK") == notes_pages(deck, ["a", "b"], language="da-DK")


def test_an_unknown_language_is_taken_for_english() -> None:
    assert page_count(notes_pages(slides(1), ["a"], language='"; panic()')) == 1


def test_notes_must_match_the_slides() -> None:
    with pytest.raises(ValueError, match="1 notes for 2 pages"):
        notes_pages(slides(2), ["only one"])
