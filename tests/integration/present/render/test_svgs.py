"""SVGs of the data: drawn by a confined process, and shown in decks with their PNG."""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Inches

from meetdeck.present.deck import BadData, Deck, NoPicture, compile_template, whole_deck
from meetdeck.present.deck.opc.xml import parse
from meetdeck.present.render.intake import check_presentation
from meetdeck.present.render.svg import SvgDrawer, drawer
from meetdeck.present.render.svg.drawing import draw_png
from meetdeck.present.render.svg.rewriting import make_safe
from support.image_decks import DRAWINGML, add_box, add_picture, add_slide, describe, open_deck, shape_of, with_picture
from support.package_checker.soundness import assert_sound
from support.svgs import HOSTILE, make_svg

HALVES = '<rect width="100" height="100" fill="#ff0000"/><text x="110" y="50" font-size="40">Net</text>'
COVERED = f'<rect x="-10" y="-10" width="1000" height="1000" fill="#ffffff"/>{HALVES}'
LOGO = "{{image:logo}}"
PICTURE_WITH_CAPTION = 8
VECTOR = "http://schemas.microsoft.com/office/drawing/2016/SVG/main"


def make_template(fill: Callable[[Any], None]) -> bytes:
    presentation, out = Presentation(), io.BytesIO()
    fill(presentation)
    presentation.save(out)
    return out.getvalue()


def build(template: bytes, data: dict[str, Any], **more: Any) -> Deck:
    deck = whole_deck(compile_template(template), data, drawer=SvgDrawer(), **more)
    assert_sound(deck.content)
    return deck


def vectors_of(deck: Deck) -> list[bytes]:
    """Return the SVGs that a deck's first slide names, in order."""
    slide = open_deck(deck).slides[0]
    ids = re.findall(rf'svgBlip xmlns:asvg="{VECTOR}"[^>]* r:embed="(\w+)"', read(deck, "ppt/slides/slide1.xml"))
    return [slide.part.related_part(identifier).blob for identifier in ids]


def read(deck: Deck, name: str) -> str:
    return zipfile.ZipFile(io.BytesIO(deck.content)).read(name).decode()


def test_a_deck_holds_the_svg_and_the_png_that_was_drawn_from_it() -> None:
    deck = build(with_picture(make_template), {"logo": make_svg(HALVES)})

    shape = shape_of(deck)
    with Image.open(io.BytesIO(shape.image.blob)) as png:
        assert png.size == (1600, 800)
        assert png.getpixel((400, 400)) == (255, 0, 0, 255)
        assert png.getpixel((1500, 700)) == (0, 0, 0, 0)
        assert png.crop((860, 150, 1600, 450)).getbbox(), "there is text"
    assert vectors_of(deck) == [make_safe(make_svg(HALVES)).content]
    assert '<Default Extension="svg" ContentType="image/svg+xml"/>' in read(deck, "[Content_Types].xml")
    assert shape.width == 2 * shape.height, "it is contained in its own proportions"
    assert not deck.findings


def test_a_renderer_is_given_both() -> None:
    deck = build(with_picture(make_template), {"logo": make_svg(HALVES)})

    package = zipfile.ZipFile(io.BytesIO(check_presentation(deck.content).package))
    assert package.read("ppt/media/picture1.svg") == vectors_of(deck)[0]


@pytest.mark.parametrize(
    "form", ["data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1'/%3E", "id"]
)
def test_an_svg_comes_as_any_picture_does(form: str) -> None:
    deck = build(with_picture(make_template), {"logo": {"data": form}}, contents={"id": make_svg()})

    assert len(vectors_of(deck)) == 1


def test_what_an_svg_lost_is_reported_once() -> None:
    def fill(presentation: Any) -> None:
        for _ in range(2):
            add_picture(add_slide(presentation))

    deck = build(make_template(fill), {"logo": make_svg(HOSTILE["script"] + HOSTILE["onclick"])})

    (finding,) = deck.findings
    assert (finding.type, finding.code) == ("Warning", "svg-made-safe")
    assert "onclick, script." in finding.message
    assert sorted(name for name in open_names(deck) if "picture" in name) == [
        "ppt/media/picture1.png",
        "ppt/media/picture1.svg",
    ]


def open_names(deck: Deck) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(deck.content)).namelist()


@pytest.mark.parametrize(
    ("fit", "drawing", "vectors"),
    # What is see-through is laid on the cell's color, as a PNG.
    [("stretch", COVERED, 1), ("stretch", HALVES, 0), ("cover", COVERED, 0), ("cover", HALVES, 0)],
)
def test_a_table_s_cell_shows_the_png_of_an_svg(fit: str, drawing: str, vectors: int) -> None:
    def fill(presentation: Any) -> None:
        table = add_slide(presentation).shapes.add_table(1, 2, 0, 0, Inches(2), Inches(2)).table
        table.cell(0, 0).text = f"{{{{#people}}}}{{{{image:photo fit={fit}}}}}"
        table.cell(0, 1).text = "{{/people}}"

    deck = build(make_template(fill), {"people": [{"photo": make_svg(drawing)}]})

    assert len(vectors_of(deck)) == vectors
    assert [name for name in open_names(deck) if name.endswith(".png")]


def test_an_svg_stands_in_a_placeholder_a_shape_and_a_bullet() -> None:
    def fill(presentation: Any) -> None:
        slide = add_slide(presentation, PICTURE_WITH_CAPTION)
        describe(next(one for one in slide.placeholders if one.placeholder_format.type == PP_PLACEHOLDER.PICTURE), LOGO)
        add_box(slide, "{{image:logo fit=cover}}")
        paragraph = slide.shapes.add_textbox(0, 0, Inches(2), Inches(2)).text_frame.paragraphs[0]
        paragraph.text = f"{LOGO} Net"
        paragraph._p.get_or_add_pPr().insert(0, parse(f'<a:buChar xmlns:a="{DRAWINGML[1:-1]}" char="-"/>'.encode()))  # noqa: SLF001 - python-pptx has no bullets

    deck = build(make_template(fill), {"logo": make_svg(HALVES)})

    assert vectors_of(deck) == [make_safe(make_svg(HALVES)).content] * 3


def test_the_same_svg_makes_the_same_png() -> None:
    safe = make_safe(make_svg(HALVES))

    assert draw_png(safe, 10) == draw_png(safe, 10)


def test_the_same_svg_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = build(with_picture(make_template), {"logo": make_svg(HALVES)})
    monkeypatch.setattr(drawer, "draw_png", None)

    assert build(with_picture(make_template), {"logo": make_svg(HALVES)}).content == first.content


def test_without_a_drawer_an_svg_is_refused_in_words() -> None:
    with pytest.raises(BadData, match="SVG, which nothing here can draw"):
        whole_deck(compile_template(with_picture(make_template)), {"logo": make_svg()})


def test_a_drawing_that_takes_too_long_is_refused() -> None:
    heavy = '<g opacity=".9"><rect width="2000" height="2000" fill="red"/><circle r="3"/></g>' * 6_000

    with pytest.raises(NoPicture, match="cannot be drawn in"):
        draw_png(make_safe(make_svg(heavy, 'viewBox="0 0 2000 2000"')), 0.5)


def test_the_svgs_of_one_deck_share_a_bound_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawer, "_DECK_SECONDS", 0.0)

    with pytest.raises(NoPicture, match="SVGs of this deck"):
        SvgDrawer().draw(make_svg('<rect width="7" height="7"/>'))


def test_the_process_that_draws_reads_no_file_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("kept", encoding="utf-8")
    secret.chmod(0o644)
    program = tmp_path / "program.py"
    program.write_text(f"print(open({str(secret)!r}).read())", encoding="utf-8")
    monkeypatch.setattr("meetdeck.present.render.svg.drawing._PROGRAM", program)

    with pytest.raises(NoPicture, match="cannot be drawn in"):
        draw_png(make_safe(make_svg()), 10)
