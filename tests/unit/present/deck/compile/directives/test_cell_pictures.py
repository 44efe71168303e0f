"""Pictures in cells once their rows have grown, and the color around them."""

import base64
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches

from meetdeck.present.deck import compile_template, whole_deck
from support.fitting import EvenTypefaces
from support.package_checker.soundness import assert_sound

RED = (255, 0, 0, 255)
# Medium Style 2, Accent 1, of a theme whose first accent is 4F81BD, as PowerPoint draws it.
HEADER, FIRST_BAND, SECOND_BAND = (0x4F, 0x81, 0xBD, 255), (0xD0, 0xD8, 0xE8, 255), (0xE9, 0xED, 0xF4, 255)
LONG = "words that make a row grow " * 8

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
Draw = Callable[[Any], None]


class Cell(NamedTuple):
    """A cell of a deck with a picture: its proportions (width by height), the picture's, its middle and a corner."""

    ratio: float
    drawn: float
    middle: tuple[int, ...]
    corner: tuple[int, ...]


def square(color: str = "red", size: tuple[int, int] = (100, 100), *, clear: bool = False) -> str:
    """Return a picture of one color; `clear` at its left and right thirds."""
    image = Image.new("RGBA" if clear else "RGB", size, color)
    if clear:
        image.paste((0, 0, 0, 0), (0, 0, size[0] // 3, size[1]))
        image.paste((0, 0, 0, 0), (size[0] * 2 // 3, 0, size[0], size[1]))
    packed = io.BytesIO()
    image.save(packed, "PNG")
    return f"data:image/png;base64,{base64.b64encode(packed.getvalue()).decode()}"


def add_table(presentation: Any, rows: list[list[str]], *, descr: str = "", height: float = 0.6) -> Any:
    """Return a table of columns of an inch, and rows of this height in inches, on a new slide."""
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    columns = len(rows[0])
    frame = slide.shapes.add_table(len(rows), columns, 0, 0, Inches(columns), Inches(height * len(rows)))
    frame._element.nvGraphicFramePr.cNvPr.set("descr", descr)  # noqa: SLF001 - python-pptx has no name for it
    for row, texts in zip(frame.table.rows, rows, strict=True):
        row.height = Inches(height)
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    return frame.table


def build(draw: Draw, data: Mapping[str, object], *, measures: bool = True) -> list[Cell]:
    """Return the cells with pictures of all tables of a deck, in order."""
    template: Any = Presentation()
    draw(template)
    packed = io.BytesIO()
    template.save(packed)
    deck = whole_deck(compile_template(packed.getvalue()), data, typefaces=EvenTypefaces() if measures else None)
    assert_sound(deck.content)
    return list_cells(deck.content)


def list_cells(content: bytes) -> list[Cell]:
    found: list[Cell] = []
    built: Any = Presentation(io.BytesIO(content))
    for slide in built.slides:
        for shape in slide.shapes:
            rows: list[Any] = list(shape.table.rows) if shape.has_table else []
            for number, row in enumerate(rows):
                for column, cell in enumerate(row.cells):
                    blips = cell._tc.xpath("a:tcPr/a:blipFill/a:blip")  # noqa: SLF001 - cells have no fill by name
                    if blips:
                        embedded = slide.part.related_part(blips[0].rEmbed).blob
                        found.append(read_cell(shape.table, number, column, embedded))
    return found


def read_cell(table: Any, row: int, column: int, embedded: bytes) -> Cell:
    cell = table.cell(row, column)
    width = sum(table.columns[column + at].width for at in range(cell.span_width or 1))
    height = sum(table.rows[row + at].height for at in range(cell.span_height or 1))
    with Image.open(io.BytesIO(embedded)) as image:
        pixels = image.convert("RGBA")
        middle, corner = pixels.getpixel((pixels.width // 2, pixels.height // 2)), pixels.getpixel((0, 0))
        return Cell(width / height, pixels.width / pixels.height, tuple(middle), tuple(corner))  # type: ignore[arg-type]


@pytest.mark.parametrize("fit", ["fit=contain", "fit=cover"])
@pytest.mark.parametrize("kind", ["block", "table"])
def test_a_picture_is_made_for_its_row_as_high_as_it_becomes(fit: str, kind: str) -> None:
    def draw(presentation: Any) -> None:
        if kind == "block":
            add_table(presentation, [["{{#rows}}{{image:photo FIT}}".replace("FIT", fit), "{{text}}{{/rows}}"]])
        else:
            add_table(
                presentation,
                [["a", "b"], ["{{image:photo FIT}}".replace("FIT", fit), "{{text}}"]],
                descr="{{table:rows}}",
            )

    rows = [{"photo": square(), "text": "short"}, {"photo": square(), "text": LONG}]

    short, grown = build(draw, {"rows": rows})

    assert grown.ratio < short.ratio / 2
    assert grown.drawn == pytest.approx(grown.ratio, rel=0.05)
    assert short.drawn == pytest.approx(short.ratio, rel=0.05)
    assert grown.middle == short.middle == RED


def test_rows_that_do_not_repeat_have_pictures_for_the_height_that_they_get() -> None:
    def draw(presentation: Any) -> None:
        add_table(presentation, [["{{image:photo}}", "{{text}}"]])

    (cell,) = build(draw, {"photo": square(), "text": LONG})

    # The file keeps the author's height, which programs raise when they draw.
    assert cell.drawn < cell.ratio / 2


def test_a_picture_over_merged_cells_is_made_for_all_of_them() -> None:
    def draw(presentation: Any) -> None:
        table = add_table(presentation, [["{{#rows}}{{image:photo}}", "", "{{text}}"], ["", "", "x{{/rows}}"]])
        table.cell(0, 0).merge(table.cell(1, 1))

    (cell,) = build(draw, {"rows": [{"photo": square(), "text": LONG}]})

    assert cell.drawn == pytest.approx(cell.ratio, rel=0.05)


def test_columns_that_the_data_adds_have_pictures_of_their_width() -> None:
    def draw(presentation: Any) -> None:
        add_table(presentation, [["x", "{{#photos columns}}{{image:p}}{{/photos}}"]])
        add_table(presentation, [["a", "b"], ["{{name}}", "{{image:p}}"]], descr="{{table:table}}")

    photos = [{"p": square(color)} for color in ("red", "blue", "lime", "navy")]
    cells = build(draw, {"photos": photos, "table": [{"name": "x", "b": 1, "c": 2, "d": 3, "p": square()}]})

    assert len(cells) == 8
    assert [cell.drawn for cell in cells] == [pytest.approx(cell.ratio, rel=0.05) for cell in cells]


def test_pictures_of_rows_that_go_on_are_made_for_the_row_on_its_slide() -> None:
    def draw(presentation: Any) -> None:
        rows = [["photo", "text"], ["{{#rows continue}}{{image:photo}}", "{{text}}{{/rows}}"]]
        add_table(presentation, rows, height=1)

    rows = [{"photo": square(size=(100, 90 + n)), "text": LONG if n % 2 else "short"} for n in range(6)]

    cells = build(draw, {"rows": rows})

    assert len(cells) == 6
    assert [cell.drawn for cell in cells] == [pytest.approx(cell.ratio, rel=0.05) for cell in cells]


def test_a_contained_picture_keeps_the_colors_of_a_banded_table() -> None:
    def draw(presentation: Any) -> None:
        table = add_table(presentation, [["{{image:head}}", "x"], ["{{#rows}}{{image:p}}", "x{{/rows}}"]], height=0.4)
        table.first_row = table.horz_banding = True

    header, first, second, third = build(
        draw, {"head": square(), "rows": [{"p": square(color)} for color in ("red", "blue", "lime")]}
    )

    assert (header.corner, header.middle) == (HEADER, RED)
    assert [first.corner, second.corner, third.corner] == [FIRST_BAND, SECOND_BAND, FIRST_BAND]


def test_the_last_row_and_the_first_column_have_the_colors_of_theirs() -> None:
    def draw(presentation: Any) -> None:
        rows = [["{{image:p}}", "{{image:p}}"], ["{{image:p}}", "{{image:p}}"]]
        table = add_table(presentation, rows, height=0.4)
        table.first_row = False
        table.first_col = table.last_row = True

    corners = [cell.corner for cell in build(draw, {"p": square()})]

    assert corners == [HEADER, FIRST_BAND, HEADER, HEADER]


@pytest.mark.parametrize("measures", [True, False])
def test_a_cells_own_color_stays_around_its_picture(measures: bool) -> None:  # noqa: FBT001 - pytest's way
    def draw(presentation: Any) -> None:
        table = add_table(presentation, [["{{image:p}}", "{{image:p}}", "{{image:p}}"]], height=0.4)
        table.cell(0, 0).fill.solid()
        table.cell(0, 0).fill.fore_color.rgb = RGBColor(0xFF, 0xE0, 0x80)
        table.cell(0, 1).fill.solid()
        table.cell(0, 1).fill.fore_color.theme_color = 6
        table.cell(0, 1).fill.fore_color.brightness = 0.4
        table.cell(0, 2).fill.background()

    yellow, theme, none = build(draw, {"p": square()}, measures=measures)

    assert yellow.corner == (0xFF, 0xE0, 0x80, 255)
    assert theme.corner == pytest.approx((0xD9, 0x97, 0x95, 255), abs=1)
    assert none.corner[3] == 0


@pytest.mark.parametrize("fit", ["fit=contain", "fit=cover", "fit=stretch"])
def test_a_logo_with_transparent_pixels_stands_on_the_color_of_its_cell(fit: str) -> None:
    def draw(presentation: Any) -> None:
        add_table(presentation, [["x"], ["{{image:logo FIT}}".replace("FIT", fit)]], height=1)

    (cell,) = build(draw, {"logo": square(size=(90, 90), clear=True)})

    assert cell.corner == FIRST_BAND
    assert cell.middle == RED


def test_codes_keep_their_quiet_zone_and_the_color_around_it() -> None:
    def draw(presentation: Any) -> None:
        add_table(presentation, [["x"], ["{{qr:url}}"]], height=0.5)

    (cell,) = build(draw, {"url": "https://example.com"})

    assert cell.corner == FIRST_BAND
    assert cell.drawn == pytest.approx(cell.ratio, rel=0.05)


def test_one_picture_in_many_rows_of_a_height_and_color_is_one_file() -> None:
    template: Any = Presentation()
    add_table(template, [["{{#rows}}{{image:photo}}", "x{{/rows}}"]], height=0.2)
    packed = io.BytesIO()
    template.save(packed)
    data = {"rows": [{"photo": square()}] * 12}

    deck = whole_deck(compile_template(packed.getvalue()), data, typefaces=EvenTypefaces()).content

    with zipfile.ZipFile(io.BytesIO(deck)) as archive:
        # A header and two bands.
        assert len([name for name in archive.namelist() if name.startswith("ppt/media/")]) == 3


def test_a_template_with_the_mark_of_a_waiting_picture_makes_a_deck() -> None:
    def draw(presentation: Any) -> None:
        table = add_table(presentation, [["{{image:p}}", "y"]])
        properties = table.cell(0, 1)._tc.get_or_add_tcPr()  # noqa: SLF001 - python-pptx has no name for it
        fill = properties.makeelement(f"{{{A}}}blipFill", {})
        fill.set("picture", "9" * 6)
        properties.append(fill)

    assert len(build(draw, {"p": square()})) == 1


STYLE = (
    f'<a:tblStyleLst xmlns:a="{A}" def="{{00000000-0000-0000-0000-000000000001}}"><a:tblStyle styleName="House" '
    'styleId="{00000000-0000-0000-0000-000000000001}"><a:tblBg><a:fillRef idx="1"><a:schemeClr val="accent2"/>'
    "</a:fillRef></a:tblBg><a:wholeTbl><a:tcTxStyle/><a:tcStyle/></a:wholeTbl><a:band1V><a:tcStyle><a:fill><a:solidFill>"
    '<a:srgbClr val="00FF00"><a:alpha val="50000"/></a:srgbClr></a:solidFill></a:fill></a:tcStyle></a:band1V>'
    "<a:lastCol><a:tcStyle><a:fill><a:noFill/></a:fill></a:tcStyle></a:lastCol></a:tblStyle></a:tblStyleLst>"
)


def test_a_style_that_the_presentation_defines_gives_the_color() -> None:
    template: Any = Presentation()
    table = add_table(template, [["{{image:p}}", "{{image:p}}", "{{image:p}}"]], height=0.4)
    table.first_row = table.horz_banding = False
    table.vert_banding = table.last_col = True
    table._tbl.tblPr.find(f"{{{A}}}tableStyleId").text = "{00000000-0000-0000-0000-000000000001}"  # noqa: SLF001
    styles = next(one.target_part for one in template.part.rels.values() if one.reltype.endswith("/tableStyles"))
    styles._blob = STYLE.encode()  # noqa: SLF001 - python-pptx has no name for it
    packed = io.BytesIO()
    template.save(packed)

    deck = whole_deck(compile_template(packed.getvalue()), {"p": square()}, typefaces=EvenTypefaces()).content

    band, background, none = (cell.corner for cell in list_cells(deck))
    assert band == pytest.approx((0x60, 0xA8, 0x26, 255), abs=1)
    assert background == (0xC0, 0x50, 0x4D, 255)
    assert none[3] == 0
