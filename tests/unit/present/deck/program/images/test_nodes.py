"""A picture from the data fits the shape that shows it; the rest of the shape stays."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches

from support.image_decks import (
    DRAWINGML,
    HIGH,
    OFFICE,
    OLD,
    SIDE,
    WIDE,
    Make,
    add_box,
    add_picture,
    add_slide,
    build,
    describe,
    open_deck,
    shape_of,
    shown_in,
    with_picture,
)


def _frame(shape: Any) -> tuple[int, int, int, int]:
    return shape.left, shape.top, shape.width, shape.height


def _insets(shape: Any, name: str) -> dict[str, str]:
    rectangles = list(shape.element.iter(DRAWINGML + name))
    return dict(rectangles[0].attrib) if rectangles else {}


@pytest.mark.parametrize("text", ["{{image:logo}}", "{{image:logo fit=contain}}"])
@pytest.mark.parametrize(
    ("content", "frame"),
    [
        (WIDE, (Inches(1), Inches(1.5), Inches(2), Inches(1))),
        (HIGH, (Inches(1.5), Inches(1), Inches(1), Inches(2))),
    ],
)
def test_contain_shows_the_whole_picture_undistorted_in_the_middle(
    make_template: Make, text: str, content: bytes, frame: tuple[int, ...]
) -> None:
    picture = shape_of(build(with_picture(make_template, text), {"logo": content}))

    assert _frame(picture) == frame
    assert not _insets(picture, "srcRect")


@pytest.mark.parametrize(
    ("content", "crop"), [(WIDE, {"l": "25000", "r": "25000"}), (HIGH, {"t": "25000", "b": "25000"}), (OLD, {})]
)
def test_cover_crops_the_picture_to_the_shape(make_template: Make, content: bytes, crop: dict[str, str]) -> None:
    picture = shape_of(build(with_picture(make_template, "{{image:logo fit=cover}}"), {"logo": content}))

    assert _frame(picture) == (Inches(1), Inches(1), SIDE, SIDE)
    assert _insets(picture, "srcRect") == crop


def test_stretch_fills_the_shape_with_the_whole_picture(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = add_picture(add_slide(presentation), "{{image:logo fit=stretch}}")
        shape.crop_left = 0.3

    picture = shape_of(build(make_template(fill), {"logo": WIDE}))

    assert _frame(picture) == (Inches(1), Inches(1), SIDE, SIDE)
    assert (picture.crop_left, picture.crop_top) == (0, 0)


def test_a_picture_in_a_stretched_group_is_not_distorted(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        group = add_slide(presentation).shapes.add_group_shape()
        add_picture(group)
        # As drawn, what is in the group is twice as high.
        group.element.grpSpPr.xfrm.ext.cy = 2 * SIDE

    group = shape_of(build(make_template(fill), {"logo": WIDE}))

    # 2 inches wide as drawn, and so 1 inch high: half an inch before the group stretches it.
    assert _frame(group.shapes[0]) == (Inches(1), Inches(1.75), Inches(2), Inches(0.5))


def test_rotation_border_outline_and_effects_stay(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = add_picture(add_slide(presentation), "{{image:logo fit=cover}}")
        shape.rotation = 30
        shape.auto_shape_type = MSO_SHAPE.OVAL
        shape.line.color.rgb = RGBColor(0, 128, 0)
        (blip,) = shape.element.xpath(".//a:blip")
        blip.set(f"{{{OFFICE}}}link", blip.get(f"{{{OFFICE}}}embed"))
        for name in ("grayscl", "extLst"):
            blip.append(blip.makeelement(DRAWINGML + name))

    picture = shape_of(build(make_template(fill), {"logo": WIDE}))

    assert (picture.rotation, picture.auto_shape_type) == (30, MSO_SHAPE.OVAL)
    assert picture.line.color.rgb == RGBColor(0, 128, 0)
    (blip,) = picture.element.xpath(".//a:blip")
    assert [child.tag for child in blip] == [DRAWINGML + "grayscl"]
    assert list(blip.attrib) == [f"{{{OFFICE}}}embed"]
    assert shown_in(picture) == WIDE


def test_a_shape_is_filled_with_the_picture_and_keeps_its_text(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = add_box(add_slide(presentation), "{{image:logo}}")
        shape.fill.solid()
        shape.line.color.rgb = RGBColor(0, 128, 0)
        shape.text_frame.text = "{{name}}"

    shape = shape_of(build(make_template(fill), {"logo": WIDE, "name": "Freja"}))

    assert shown_in(shape) == WIDE
    assert shape.text_frame.text == "Freja"
    assert [child.tag.rpartition("}")[2] for child in shape.element.spPr] == ["xfrm", "prstGeom", "blipFill", "ln"]
    assert _frame(shape) == (Inches(1), Inches(1.5), Inches(2), Inches(1))


@pytest.mark.parametrize(
    ("content", "overlap"),
    [(WIDE, {"l": "-50000", "r": "-50000"}), (HIGH, {"t": "-50000", "b": "-50000"}), (OLD, {})],
)
def test_cover_lets_the_picture_reach_over_the_edges_of_a_shape(
    make_template: Make, content: bytes, overlap: dict[str, str]
) -> None:
    template = make_template(lambda deck: add_box(add_slide(deck), "{{image:logo fit=cover}}"))

    shape = shape_of(build(template, {"logo": content}))

    assert _insets(shape, "fillRect") == overlap
    assert _frame(shape) == (Inches(1), Inches(1), SIDE, SIDE)


@pytest.mark.parametrize(("layout", "index"), [(8, 1), (1, 1), (3, 2)])
def test_an_empty_placeholder_becomes_a_picture_in_its_place(make_template: Make, layout: int, index: int) -> None:
    def fill(presentation: Any) -> None:
        placeholder = add_slide(presentation, layout).placeholders[index]
        placeholder.element.spPr.get_or_add_ln()
        describe(placeholder, "{{image:logo}}")

    template = make_template(fill)
    frame = _frame(Presentation(io.BytesIO(template)).slides[0].placeholders[index])

    picture = open_deck(build(template, {"logo": HIGH})).slides[0].placeholders[index]

    assert picture.element.tag.endswith("}pic")
    assert picture.image.blob == HIGH
    assert not picture.element.xpath(".//p:txBody")
    left, top, width, height = _frame(picture)
    assert width * 2 == pytest.approx(height, abs=2)
    assert (top, height) == (frame[1], frame[3])
    assert left + width / 2 == pytest.approx(frame[0] + frame[2] / 2, abs=2)


def test_a_placeholder_with_text_keeps_it(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        placeholder = add_slide(presentation, 1).placeholders[1]
        placeholder.text_frame.text = "{{name}}"
        describe(placeholder, "{{image:logo}}")

    shape = open_deck(build(make_template(fill), {"logo": HIGH, "name": "Freja"})).slides[0].placeholders[1]

    assert shape.text_frame.text == "Freja"
    assert shown_in(shape) == HIGH


def test_a_shape_of_unknown_size_shows_the_picture_all_the_same(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = add_picture(add_slide(presentation))
        shape.element.spPr.remove(shape.element.spPr.find(DRAWINGML + "xfrm"))

    assert shape_of(build(make_template(fill), {"logo": WIDE})).image.blob == WIDE
