"""Rows of written tables are as high as their cells need, each of which is laid out by itself here."""

from random import Random
from typing import Final
from xml.sax.saxutils import escape

import pytest

from meetdeck.present.deck.fitting.inheritance import TextLook
from meetdeck.present.deck.fitting.layout import Measurer
from meetdeck.present.deck.fitting.row_forms import RowForms
from meetdeck.present.deck.fitting.rows import measure_rows
from meetdeck.present.deck.fitting.styles import FontScheme, usual_levels
from meetdeck.present.deck.opc.xml import A, Element, P, parse
from meetdeck.present.render.typefaces import InstalledTypefaces, installed_typefaces

FONTS: Final = FontScheme()
LOOK: Final = TextLook(usual_levels(FONTS), FONTS)
BOLD: Final = tuple(style._replace(run=style.run._replace(bold=True)) for style in LOOK.levels)
OPENING: Final = f'<w xmlns:a="{A[1:-1]}" xmlns:p="{P[1:-1]}">'.encode()
STYLE: Final = "<a:tableStyleId>{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}</a:tableStyleId>"
FLAGS: Final = ("firstRow", "lastRow", "firstCol", "lastCol")
TEXTS: Final = (
    "",
    "a",
    "1,234,567",
    "WWWWWWWWWWWW",
    "R&D <b>",
    "Å",
    "Æblegrød",
    "漢字 漢字漢字",
    "a\tb",
    "a\nb",
    "well-kept",
)
WORDS: Final = ("fund", "Nordic", "Æblegrød", "of", "WWW", "10&20")
RUNS: Final = ("", '<a:rPr sz="1000"/>', '<a:rPr b="1" cap="all" spc="200"/>', '<a:rPr baseline="30000"/>')
PARAGRAPHS: Final = ("", '<a:pPr marL="63500" indent="-63500"><a:buNone/></a:pPr>', '<a:pPr lvl="1"/>')
ENDINGS: Final = ("", '<a:endParaRPr sz="2800"/>')
SPANS: Final = ("", "", "", ' hMerge="1"', ' vMerge="1"', ' gridSpan="2"', ' rowSpan="2"')
MARGINS: Final = {"": (14.4, 7.2), ' marL="25400" marR="25400" marT="25400" marB="25400"': (4.0, 4.0)}
VERTICAL: Final = ("", "", ' vert="vert"')
EMU: Final = 12_700


def find_typefaces() -> InstalledTypefaces:
    typefaces = installed_typefaces()
    assert typefaces is not None
    return typefaces


def write_cell(chance: Random) -> str:
    if chance.random() < 0.05:
        return "<a:tc/>"
    body = ""
    for _ in range(chance.choice([1, 1, 1, 2])):
        said = [
            " ".join(chance.choices(WORDS, k=9)) if chance.random() < 0.2 else chance.choice(TEXTS)
            for _ in range(chance.choice([0, 1, 1, 2]))
        ]
        runs = "".join(f"<a:r>{chance.choice(RUNS)}<a:t>{escape(text)}</a:t></a:r>" for text in said)
        body += (
            f"<a:p>{chance.choice(PARAGRAPHS)}{runs}{chance.choice(['', '', '<a:br/>'])}{chance.choice(ENDINGS)}</a:p>"
        )
    properties = f"<a:tcPr{chance.choice(list(MARGINS))}{chance.choice(VERTICAL)}/>"
    return f"<a:tc{chance.choice(SPANS)}><a:txBody><a:bodyPr/>{body}</a:txBody>{properties}</a:tc>"


def write_table(chance: Random) -> bytes:
    flags = "".join(f' {name}="1"' for name in FLAGS if chance.random() < 0.5)
    columns = "".join(f'<a:gridCol w="{chance.choice([600_000, 1_500_000, 9_000_000])}"/>' for _ in range(3))
    kinds = [write_cell(chance) for _ in range(5)]
    rows = "".join(
        f'<a:tr h="{chance.choice([127_000, 370_840])}">{"".join(chance.choices(kinds, k=3))}</a:tr>'
        for _ in range(chance.randrange(7))
    )
    properties = f"<a:tblPr{flags}>{chance.choice(['', STYLE])}</a:tblPr>"
    table = f"<a:tbl>{properties}<a:tblGrid>{columns}</a:tblGrid>{rows}</a:tbl>"
    return f"<p:graphicFrame><a:graphic><a:graphicData>{table}</a:graphicData></a:graphic></p:graphicFrame>".encode()


def lay_out(table: Element, measurer: Measurer) -> list[float]:
    """Return the rows' heights, every cell read and laid out."""
    widths = [int(column.get("w") or 0) / EMU for column in table.iter(A + "gridCol")]
    rows = list(table.iter(A + "tr"))
    properties = next(table.iter(A + "tblPr"))
    has_style = next(table.iter(A + "tableStyleId"), None) is not None
    heights = [int(row.get("h") or 0) / EMU for row in rows]
    needs = list[tuple[int, int, float]]()
    for number, row in enumerate(rows):
        cells = list(row.iterchildren(A + "tc"))
        for column, cell in enumerate(cells):
            body, look = cell.find(A + "txBody"), cell.find(A + "tcPr")
            if body is None or look is None or cell.get("hMerge") or cell.get("vMerge") or look.get("vert"):
                continue
            span = int(cell.get("gridSpan") or 1)
            places = (number == 0, number == len(rows) - 1, column == 0, column + span >= len(cells))
            is_bold = has_style and any(at and properties.get(name) for at, name in zip(places, FLAGS, strict=True))
            sides, ends = MARGINS[
                "".join(f' {name}="{value}"' for name, value in look.attrib.items() if name != "vert")
            ]
            width = max(sum(widths[column : column + span]) - sides, 1)
            height = measurer.measure(body, BOLD if is_bold else LOOK.levels, width).height
            needs.append((int(cell.get("rowSpan") or 1), number, height + ends))
    for span, number, need in sorted(needs, key=lambda each: each[0]):
        last = min(number + span, len(rows))
        heights[last - 1] += max(need - sum(heights[number:last]), 0)
    return heights


@pytest.mark.parametrize("is_shaped", [False, True])
def test_rows_are_as_high_as_their_cells_need(*, is_shaped: bool) -> None:
    measurer = Measurer(find_typefaces(), FONTS, shaped=is_shaped, in_cells=True)
    forms = RowForms(OPENING, b"a:", LOOK, find_typefaces())
    for seed in range(150):
        written = write_table(Random(seed))  # noqa: S311 - the same each time
        (frame,) = parse(OPENING + written + b"</w>")
        expected = lay_out(frame, measurer)
        assert measure_rows(written, forms, shaped=is_shaped) == pytest.approx(expected), seed


def test_a_text_that_is_one_line_in_letters_alone_is_wrapped_where_the_style_makes_it_bold() -> None:
    cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>Accumulating</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>"
    heights, forms = set[bool](), RowForms(OPENING, b"a:", LOOK, find_typefaces())
    for width in range(900_000, 1_500_000, 5_000):
        head = f'<a:tblPr firstRow="1">{STYLE}</a:tblPr><a:tblGrid><a:gridCol w="{width}"/></a:tblGrid>'
        row = f'<a:tr h="1">{cell}</a:tr>'
        written = f"<a:tbl>{head}{row * 2}</a:tbl>".encode()
        first, second = measure_rows(written, forms, shaped=True)
        heights.add(first > second + 10)
    assert heights == {True, False}


def test_cells_of_one_form_are_as_high_as_their_own_texts_need() -> None:
    forms = RowForms(OPENING, b"a:", LOOK, find_typefaces())
    head = '<a:tblGrid><a:gridCol w="1000000"/></a:tblGrid>'
    cell = "<a:tc><a:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody><a:tcPr/></a:tc>"
    texts = [" ".join(["fund"] * count) for count in (1, 3, 9, 27)]
    rows = "".join(f'<a:tr h="1">{cell.format(text)}</a:tr>' for text in texts)
    heights = measure_rows(f"<a:tbl>{head}{rows}</a:tbl>".encode(), forms, shaped=True)
    assert heights == sorted(heights)
    assert len(set(heights)) == len(texts)
