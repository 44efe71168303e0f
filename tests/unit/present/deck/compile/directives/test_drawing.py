"""Small drawings of numbers: `{{bar:…}}`, `{{harvey:…}}` and `{{spark:…}}` in shapes, pictures and cells."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.util import Inches

from meetdeck.present.deck import BadData, TemplateError, compile_template, whole_deck
from support.fitting import EvenTypefaces
from support.package_checker.soundness import assert_sound

# Accents of python-pptx's theme, and its black.
FIRST, SECOND, BLACK = (0x4F, 0x81, 0xBD), (0xC0, 0x50, 0x4D), (0, 0, 0)
WHITE = (255, 255, 255)


class Drawn(NamedTuple):
    """A drawing of a deck: its PNG, its SVG, the proportions of its place."""

    png: Any
    svg: str
    ratio: float

    def pixel(self, across: float, down: float = 0.5) -> tuple[int, ...]:
        """Return a pixel by its place, as shares of width and height; without color where it is transparent."""
        red, green, blue, opacity = self.png.getpixel(
            (round(across * (self.png.width - 1)), round(down * (self.png.height - 1)))
        )
        return (red, green, blue) if opacity == 255 else (opacity,)


def make(draw: Callable[[Any], None]) -> bytes:
    """Return a template of one slide."""
    presentation: Any = Presentation()
    draw(presentation.slides.add_slide(presentation.slide_layouts[6]))
    packed = io.BytesIO()
    presentation.save(packed)
    return packed.getvalue()


def shape(alt: str, size: tuple[float, float] = (2, 0.5), **look: Any) -> bytes:
    """Return a template with a text box of this alternative text and size in inches."""

    def draw(slide: Any) -> None:
        box = slide.shapes.add_textbox(0, 0, Inches(size[0]), Inches(size[1]))
        box._element.nvSpPr.cNvPr.set("descr", alt)  # noqa: SLF001 - python-pptx has no name for it
        if color := look.get("text"):
            run = box.text_frame.paragraphs[0].add_run()
            run.font.color.rgb = RGBColor(*color)
        if color := look.get("fill"):
            box.fill.solid()
            box.fill.fore_color.rgb = RGBColor(*color)

    return make(draw)


def table(*cells: str, alt: str = "") -> bytes:
    """Return a template with a table of one row of cells, each 2 by 0.5 inches."""

    def draw(slide: Any) -> None:
        frame = slide.shapes.add_table(1, len(cells), 0, 0, Inches(2 * len(cells)), Inches(0.5))
        frame._element.nvGraphicFramePr.cNvPr.set("descr", alt)  # noqa: SLF001 - see above
        frame.table.first_row = frame.table.horz_banding = False
        for cell, text in zip(frame.table.rows[0].cells, cells, strict=True):
            cell.text = text

    return make(draw)


def build(template: bytes, data: Mapping[str, object]) -> tuple[list[Drawn], list[str], Any]:
    """Return the drawings of a deck, the alternative texts of its shapes, and its findings."""
    compiled = compile_template(template)
    assert not compiled.findings
    deck = whole_deck(compiled, data, typefaces=EvenTypefaces())
    assert_sound(deck.content, template)
    built: Any = Presentation(io.BytesIO(deck.content))
    shapes = list(built.slides[0].shapes)
    texts = [one._element.xpath(".//p:cNvPr")[0].get("descr", "") for one in shapes]  # noqa: SLF001
    drawn: list[Drawn] = []
    for one in shapes:
        element: Any = one._element  # noqa: SLF001
        for blip in element.xpath(".//*[local-name()='blipFill']/a:blip"):
            ratio = one.width / one.height
            if one.has_table:
                row = next(row for row in one.table.rows if blip in row._tr.iter())  # noqa: SLF001
                ratio = one.table.columns[0].width / row.height
            names = [blip.rEmbed, *re.findall(r'svgBlip[^>]* r:embed="(\w+)"', element.xml)]
            svg = blip.xpath(".//*[local-name()='svgBlip']")[0].get(names_of("embed"))
            png = Image.open(io.BytesIO(built.slides[0].part.related_part(names[0]).blob)).convert("RGBA")
            drawn.append(Drawn(png, built.slides[0].part.related_part(svg).blob.decode(), ratio))
    return drawn, texts, deck.findings


def names_of(attribute: str) -> str:
    """Return the name of an attribute of relationships."""
    return f"{{http://schemas.openxmlformats.org/officeDocument/2006/relationships}}{attribute}"


def test_a_bar_fills_its_shape_to_its_share() -> None:
    """Ink from the left to the share, and faint behind it; SVG and PNG show the same; the value is said."""
    (bar,), texts, findings = build(shape("{{bar:share color=accent2}}"), {"share": 0.75})

    assert bar.png.width / bar.png.height == pytest.approx(bar.ratio, rel=0.02)
    assert [bar.pixel(across) for across in (0, 0.74)] == [SECOND, SECOND]
    assert bar.pixel(0.77) == (51,)
    assert '<rect x="0" y="0" width="108" height="36" fill="#C0504D"/>' in bar.svg
    assert texts == ["75%"]
    assert not findings


def test_a_drawing_takes_the_color_of_its_text_on_the_color_of_its_shape() -> None:
    """The drawing has the size of text at its place."""
    (bar,), _, _ = build(shape("{{bar:share}}", text=FIRST, fill=WHITE), {"share": 0.5})
    (plain,), _, _ = build(shape("{{bar:share}}"), {"share": 0.5})

    assert (bar.pixel(0.2), bar.pixel(0.8)) == (FIRST, (220, 230, 242))
    assert plain.pixel(0.2) == BLACK


def test_a_ball_keeps_its_proportions_and_fills_clockwise() -> None:
    """In a wide shape it stands in the middle, as wide as high."""
    (ball,), texts, _ = build(shape("Progress {{harvey:share}}", (3, 1)), {"share": 0.25, "$locale": "da-DK"})

    assert [ball.pixel(0.5 + off / 3, 0.5 - off) for off in (0.2, -0.2)] == [BLACK, WHITE]
    assert ball.pixel(0.5 + 0.2 / 3, 0.7) == WHITE
    assert (ball.pixel(0.3), ball.pixel(0.7)) == ((0,), (0,))
    assert ball.pixel(0.5 - 0.47 / 3) == BLACK
    assert texts == ["Progress: 25\xa0%"]


def test_a_line_says_its_first_and_last_number_and_has_gaps() -> None:
    """The line rises to the right, where its dot is; nothing is drawn over a gap."""
    (line,), texts, findings = build(
        shape("{{spark:prices}}", (2, 1)), {"prices": [1000, None, None, None, "2000", 3000.5], "$locale": "da-DK"}
    )

    assert (line.svg.count("<polyline"), line.svg.count("<circle")) == (1, 2)
    columns = [any(line.pixel(across, down / 50) == BLACK for down in range(51)) for across in (0.015, 0.5, 0.9)]
    assert columns == [True, False, True]
    assert line.pixel(0.98, 0.05) == BLACK
    assert texts == ["1.000 → 3.000,5"]
    assert not findings


def test_cells_have_drawings_of_the_size_of_their_row_and_the_table_says_their_values() -> None:
    """A row that its text makes higher has a drawing that is not distorted."""
    template = table(
        "{{#funds}}{{bar:share color=accent1}}",
        "{{harvey:share}}",
        "{{spark:prices}}",
        "{{name}}{{/funds}}",
        alt="The funds.",
    )
    funds = [
        {"name": "A", "share": 0.5, "prices": [1, 2]},
        {"name": "words that make a row grow " * 8, "share": 1, "prices": [3]},
    ]

    drawn, texts, findings = build(template, {"funds": funds})

    assert [one.png.width / one.png.height for one in drawn] == [pytest.approx(one.ratio, rel=0.02) for one in drawn]
    assert drawn[3].ratio < drawn[0].ratio / 2
    assert (drawn[0].pixel(0.1), drawn[0].pixel(0.9)) != (FIRST, FIRST)
    assert drawn[0].pixel(0.1) == FIRST
    assert texts == ["The funds. 50%; 50%; 1 → 2; 100%; 100%; 3"]
    assert not findings


def test_tables_from_the_data_have_drawings_in_their_columns() -> None:
    """A column of shares is drawn where the template's cell says so."""

    def draw(slide: Any) -> None:
        frame = slide.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(1))
        frame._element.nvGraphicFramePr.cNvPr.set("descr", "{{table:funds}}")  # noqa: SLF001 - see above
        for cell, text in zip(frame.table.iter_cells(), ("a", "b", "x", "{{bar:.}}"), strict=True):
            cell.text = text

    drawn, texts, findings = build(make(draw), {"funds": [["Fund", "Share"], ["A", 0.25], ["B", 1]]})

    assert len(drawn) == 2
    assert texts == ["25%; 100%"]
    assert not findings


def test_bars_begin_at_the_right_where_text_does() -> None:
    """In a table that is read from right to left."""
    mirrored = table("{{bar:share color=accent1}}", "x")
    with zipfile.ZipFile(io.BytesIO(mirrored)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    slide = "ppt/slides/slide1.xml"
    parts[slide] = parts[slide].replace(b"<a:tblPr", b'<a:tblPr rtl="1"', 1)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)

    (bar,), _, _ = build(packed.getvalue(), {"share": 0.3})

    assert (bar.pixel(0.9), bar.pixel(0.5) != FIRST) == (FIRST, True)


def test_no_value_leaves_the_shape_out_and_the_cell_as_it_is() -> None:
    """Bad values are reported as for pictures; a list without numbers is not a line."""
    drawn, texts, findings = build(shape("{{spark:prices}}"), {"prices": [None]})
    assert (drawn, texts, [finding.code for finding in findings]) == ([], [], ["missing-value"])

    drawn, texts, findings = build(table("{{bar:share}}", "x", alt="Funds"), {})
    assert (drawn, texts, [finding.code for finding in findings]) == ([], ["Funds"], ["missing-value"])


def test_many_numbers_are_drawn_by_the_lowest_and_highest_of_each_stretch() -> None:
    """A hundred thousand numbers are one line, one finding, and a small file."""
    prices: list[object] = [0.0] * 100_000
    prices[50_000] = 9.0
    (line,), _, (finding,) = build(shape("{{spark:prices}}", (2, 1)), {"prices": prices})

    assert (finding.type, finding.code, finding.details["path"]) == ("Warning", "out-of-range", "prices")
    assert len(line.svg) < 20_000
    assert any(line.pixel(0.5 + off / 100, 0.1) == BLACK for off in range(-2, 3))


@pytest.mark.parametrize(
    ("directive", "value", "path"),
    [
        ("bar", "12 %", "x"),
        ("harvey", float("nan"), "x"),
        ("spark", 7, "x"),
        ("spark", [1, "much"], "x.1"),
        ("spark", [float("inf")], "x.0"),
    ],
)
@pytest.mark.parametrize("place", [shape, table])
def test_what_is_no_number_is_refused_with_its_place(
    directive: str, value: object, path: str, place: Callable[[str], bytes]
) -> None:
    """The deck is refused: a wrong drawing would not be noticed."""
    template = compile_template(place(f"{{{{{directive}:x}}}}"))

    with pytest.raises(BadData) as refusal:
        whole_deck(template, {"x": value})

    assert refusal.value.path == path
    assert "write" in refusal.value.reason


def test_a_share_beyond_its_bounds_is_drawn_as_the_bound_and_named_once() -> None:
    """The text says what is drawn."""
    _, texts, (finding,) = build(shape("{{bar:share}}"), {"share": -0.5})

    assert (finding.code, texts) == ("out-of-range", ["0%"])


def test_the_example_fills_drawings_and_the_schema_describes_them() -> None:
    """Also where a block shows the same numbers."""
    template = compile_template(
        table("{{#rows}}{{spark:prices}}", "{{#prices}}{{.}}, {{/prices}}{{harvey:done}}{{/rows}}")
    )

    assert not whole_deck(template, template.example).findings
    assert "A share of one" in str(template.schema)


def test_an_unknown_color_is_named_at_upload() -> None:
    """With those that there are."""
    with pytest.raises(TemplateError) as refusal:
        compile_template(shape("{{bar:share color=pink}}"))

    (finding,) = refusal.value.findings
    assert finding.code == "bad-option"
    assert "color=accent1" in finding.message
