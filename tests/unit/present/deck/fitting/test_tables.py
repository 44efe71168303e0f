"""Tables that the data makes too long for the slide, and how high their frames are."""

import re
from collections.abc import Callable

import pytest

from meetdeck.present.deck import Deck, compile_template, whole_deck
from support.fitting import EvenTypefaces, table

Make = Callable[[str], bytes]
Read = Callable[[bytes, str], str]
Check = Callable[[bytes], None]

_SLIDE = "ppt/slides/slide1.xml"
_ROW = 254_000  # 20 points; the slide is 540 points high
_BLOCK = [["Name", "Value"], ["{{#rows}}{{.}}", "x{{/rows}}"], ["Total", "y"]]


@pytest.fixture
def fill(slide_template: Make, check_whole: Check) -> Callable[..., Deck]:
    """Fill a slide of one table, measured with the fonts given."""

    def fill(shapes: str, typefaces: EvenTypefaces | None = None, **data: object) -> Deck:
        deck = whole_deck(compile_template(slide_template(shapes)), data, typefaces=typefaces)
        check_whole(deck.content)
        return deck

    return fill


def _heights(deck: str) -> tuple[int, list[int]]:
    """Return the height of the frame and of its rows."""
    frame = re.search(r'<p:xfrm>.*?<a:ext cx="\d+" cy="(\d+)"/>', deck)
    assert frame is not None
    return int(frame[1]), [int(height) for height in re.findall('<a:tr h="([0-9]+)"', deck)]


def _overflows(deck: Deck) -> list[object]:
    return [finding.details["millimeters"] for finding in deck.findings if finding.code == "overflow"]


@pytest.mark.parametrize(("rows", "millimeters"), [(3, []), (25, []), (26, [8]), (35, [71])])
def test_rows_below_the_slide_are_found(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, rows: int, millimeters: list[int]
) -> None:
    shapes = table(_BLOCK, heights=[_ROW] * 3)
    assert _overflows(fill(shapes, typefaces, rows=["a"] * rows)) == millimeters
    from_data = table(_BLOCK[:1] * 2, heights=[_ROW] * 2, descr="{{table:rows}}")
    assert _overflows(fill(from_data, typefaces, rows=[["a", "b"]] * (rows + 2))) == millimeters


@pytest.mark.parametrize("descr", ["", "{{table:rows}}"])
@pytest.mark.parametrize("height", [_ROW, 0])
@pytest.mark.parametrize("is_measured", [True, False])
def test_a_frame_is_as_high_as_its_rows(
    fill: Callable[..., Deck],
    typefaces: EvenTypefaces,
    read_part: Read,
    descr: str,
    height: int,
    is_measured: bool,  # noqa: FBT001 - a case
) -> None:
    shapes = table(_BLOCK if not descr else _BLOCK[::2], heights=[height] * (2 if descr else 3), descr=descr)
    rows = [["a", "b"]] * 9 if descr else ["a"] * 7
    frame, heights = _heights(read_part(fill(shapes, typefaces if is_measured else None, rows=rows).content, _SLIDE))
    assert frame == sum(heights)
    assert heights == [height or 12 * 12_700] * 9


def test_a_row_is_as_high_as_its_longest_cell(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, read_part: Read
) -> None:
    shapes = table(_BLOCK, heights=[_ROW] * 3)
    deck = fill(shapes, typefaces, rows=["a", "abcd " * 12, "c"])
    frame, heights = _heights(read_part(deck.content, _SLIDE))
    assert heights == [_ROW, _ROW, 36 * 12_700, _ROW, _ROW]
    assert frame == sum(heights)


def test_a_table_whose_rows_stay_keeps_its_bytes(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, read_part: Read
) -> None:
    shapes = table([["{{x}}", "b"]], heights=[_ROW], y=500)
    assert _heights(read_part(fill(shapes, typefaces, x="abcd " * 20).content, _SLIDE)) == (_ROW, [_ROW])
    assert _overflows(fill(shapes, typefaces, x="abcd " * 20)) == [8]
    assert _overflows(fill(shapes, typefaces, x="abcd ")) == []


def test_rows_that_the_data_leaves_out_make_the_frame_lower(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, read_part: Read
) -> None:
    deck = fill(table(_BLOCK, heights=[_ROW] * 3), typefaces, rows=[])
    assert _heights(read_part(deck.content, _SLIDE)) == (2 * _ROW, [_ROW] * 2)


def test_a_table_of_thousands_of_rows_is_found_at_once(fill: Callable[..., Deck], typefaces: EvenTypefaces) -> None:
    shapes = table(_BLOCK[::2], heights=[_ROW] * 2, descr="{{table:rows}}")
    assert len(_overflows(fill(shapes, typefaces, rows=[["a b c " * 9, "b"]] * 5_000))) == 1


@pytest.mark.parametrize("descr", ["", "{{table:rows}}"])
@pytest.mark.parametrize("ending", ["", '<a:endParaRPr lang="da-DK" sz="1800"/>', '<a:endParaRPr sz="1000"/>'])
def test_a_cell_without_text_keeps_the_format_of_its_tag(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, read_part: Read, descr: str, ending: str
) -> None:
    rows = [["{{#rows}}{{.}}{{/rows}}"]] if not descr else [["a"]]
    shapes = table(rows, heights=[_ROW], descr=descr).replace('<a:endParaRPr sz="1000"/>', ending)
    shapes = shapes.replace('<a:rPr sz="1000"/>', '<a:rPr sz="1000" b="1"><a:latin typeface="Arial"/></a:rPr>')
    values = [["x"], [""], [None]] if descr else ["x", "", None]
    deck = read_part(fill(shapes, typefaces, rows=values).content, _SLIDE)
    full, *empty = re.findall("<a:tc>.*?</a:tc>", deck)
    assert "<a:t>x</a:t>" in full
    mark = '<a:p><a:endParaRPr sz="1000" b="1"><a:latin typeface="Arial"/></a:endParaRPr></a:p>'
    assert [mark in cell and "<a:r>" not in cell for cell in empty] == [True, True]
    assert _heights(deck)[1] == [_ROW] * 3


def test_a_word_too_long_for_its_column_is_broken_between_letters(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, read_part: Read
) -> None:
    # Letters of 24 points are 12 wide: eight stand in a line of 100 points, and none in half.
    shapes = table([["{{#rows}}{{.}}{{/rows}}"]], heights=[_ROW], size=24)
    deck = fill(shapes, typefaces, rows=["abcdefgh", "abcdefghijklmnop", "abcdefghijklmnopq"])
    assert _heights(read_part(deck.content, _SLIDE))[1] == [round(28.8 * lines * 12_700) for lines in (1, 2, 3)]


def test_a_first_line_does_not_stand_left_of_its_cell(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, read_part: Read
) -> None:
    shapes = table([["{{#rows}}{{.}}{{/rows}}"]], heights=[1]).replace(
        "<a:p>", '<a:p><a:pPr marL="0" indent="-254000"/>'
    )
    deck = fill(shapes, typefaces, rows=["abcd " * 4, "abcd " * 4 + "ef"])
    assert _heights(read_part(deck.content, _SLIDE))[1] == [12 * 12_700, 24 * 12_700]


def test_an_empty_cell_is_as_high_as_its_letters_at_least(
    fill: Callable[..., Deck], typefaces: EvenTypefaces, read_part: Read
) -> None:
    spaced = '<a:p><a:pPr><a:lnSpc><a:spcPct val="50000"/></a:lnSpc></a:pPr>'
    shapes = table([["{{#rows}}{{.}}{{/rows}}"]], heights=[1], size=20).replace("<a:p>", spaced)
    # LibreOffice asks an empty cell for its letters alone.
    heights = _heights(read_part(fill(shapes, typefaces, rows=["a", ""]).content, _SLIDE))[1]
    assert heights == [12 * 12_700, 24 * 12_700]
