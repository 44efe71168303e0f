"""Pictures from the data: `{{image:logo}}` in an alternative text."""

import base64
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.util import Inches

from meetdeck.present.deck import BadData, Deck, SlideRequest, build_deck, compile_template, whole_deck
from meetdeck.present.deck.images.compile import replaced_relationships
from meetdeck.present.deck.markup import parse
from package_checker.soundness import assert_sound

_DRAWINGML = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_SIDE = Inches(2)

Make = Callable[[Callable[[Any], None]], bytes]


def _png(size: tuple[int, int] = (40, 20), color: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, "png")
    return out.getvalue()


_OLD = _png((10, 10), "green")
_WIDE = _png((40, 20))
_HIGH = _png((20, 40))


def _uri(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def _describe(shape: Any, text: str) -> None:
    shape.element.xpath("./*/p:cNvPr")[0].set("descr", text)


def _add_slide(presentation: Any, layout: int = 6) -> Any:
    return presentation.slides.add_slide(presentation.slide_layouts[layout])


def _add_picture(slide: Any, text: str = "{{image:logo}}", content: bytes = _OLD) -> Any:
    shape = slide.shapes.add_picture(io.BytesIO(content), Inches(1), Inches(1), _SIDE, _SIDE)
    shape.name = "Logo"
    _describe(shape, text)
    return shape


def _add_box(slide: Any, text: str, kind: Any = MSO_SHAPE.OVAL) -> Any:
    shape = slide.shapes.add_shape(kind, Inches(1), Inches(1), _SIDE, _SIDE)
    _describe(shape, text)
    return shape


def _with_picture(make_template: Make, text: str = "{{image:logo}}") -> bytes:
    return make_template(lambda presentation: _add_picture(_add_slide(presentation), text))


def _build(template: bytes, data: Mapping[str, object], contents: Mapping[str, bytes] | None = None) -> Deck:
    deck = whole_deck(compile_template(template), data, contents=contents or {})
    assert_sound(deck.content)
    return deck


def _open(deck: Deck) -> Any:
    return Presentation(io.BytesIO(deck.content))


def _shape(deck: Deck, index: int = 0) -> Any:
    return _open(deck).slides[0].shapes[index]


def _shown(shape: Any) -> bytes:
    """Return the picture that a picture or a filled shape shows."""
    (identifier,) = shape.element.xpath(".//a:blip/@r:embed")
    return shape.part.related_part(identifier).blob


def _alt_text(shape: Any) -> str:
    return shape.element.xpath("./*/p:cNvPr/@descr")[0]


def _media(deck: Deck) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        return [name for name in archive.namelist() if name.startswith("ppt/media/")]


def _refusal(template: bytes, data: Mapping[str, object]) -> BadData:
    with pytest.raises(BadData) as refused:
        whole_deck(compile_template(template), data)
    return refused.value


@pytest.mark.parametrize(
    "value",
    [
        _uri(_WIDE),
        base64.b64encode(_WIDE).decode(),
        _WIDE,
        "content-1",
        {"data": _uri(_WIDE)},
        {"src": _uri(_WIDE)},
        {"src": "", "contentId": "content-1"},
    ],
)
def test_a_picture_shows_what_the_data_says(make_template: Make, value: object) -> None:
    deck = _build(_with_picture(make_template), {"logo": value}, {"content-1": _WIDE})

    picture = _shape(deck)
    assert picture.image.blob == _WIDE
    assert picture.image.content_type == "image/png"
    assert not deck.findings


def test_the_template_s_picture_is_not_in_the_deck(make_template: Make) -> None:
    deck = _build(_with_picture(make_template), {"logo": _WIDE})

    assert len(_media(deck)) == 1


def test_a_replaced_picture_that_another_shape_shows_stays(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = _add_slide(presentation)
        _add_picture(slide)
        _add_picture(slide, "the house's own")

    deck = _build(make_template(fill), {"logo": _WIDE})

    assert [shape.image.blob for shape in _open(deck).slides[0].shapes] == [_WIDE, _OLD]
    assert len(_media(deck)) == 2


def test_a_replaced_picture_that_another_slide_shows_stays_with_that_slide(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        _add_picture(_add_slide(presentation))
        _add_picture(_add_slide(presentation), "the house's own")

    template = compile_template(make_template(fill))

    assert len(_media(build_deck(template, [SlideRequest("Slide 1", {"logo": _WIDE})]))) == 1
    assert len(_media(whole_deck(template, {"logo": _WIDE}))) == 2


def test_a_relationship_that_is_used_elsewhere_is_not_replaced() -> None:
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="2" name="" descr="%s"/></p:nvPicPr>'
        '<p:blipFill><a:blip r:embed="%s"><a:extLst><a:ext><svg r:embed="%s"/></a:ext></a:extLst></a:blip></p:blipFill>'
        "</p:pic>"
    )
    pictures = picture % ("{{image:logo}}", "rId1", "rId2") + picture % ("a house", "rId1", "rId3")
    root = parse(
        f'<x xmlns:a="{_DRAWINGML[1:-1]}" xmlns:r="{_OFFICE}"'
        f' xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">{pictures}</x>'.encode()
    )

    assert replaced_relationships(root) == {"rId2"}


def test_one_picture_on_many_slides_is_one_part(make_template: Make) -> None:
    template = compile_template(_with_picture(make_template))
    values = [{"logo": value} for value in (_uri(_WIDE), base64.b64encode(_WIDE).decode(), _WIDE) * 7]

    deck = build_deck(template, [SlideRequest("Slide 1", data) for data in values])

    assert_sound(deck.content)
    assert len(_media(deck)) == 1
    assert {slide.shapes[0].image.blob for slide in _open(deck).slides} == {_WIDE}


def test_formats_stand_beside_one_another(make_template: Make) -> None:
    out = io.BytesIO()
    Image.new("RGB", (8, 8)).save(out, "jpeg")
    template = compile_template(_with_picture(make_template))

    deck = build_deck(template, [SlideRequest("Slide 1", {"logo": logo}) for logo in (out.getvalue(), _WIDE)])

    assert_sound(deck.content)
    types = [slide.shapes[0].image.content_type for slide in _open(deck).slides]
    assert types == ["image/jpeg", "image/png"]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({"logo": {"data": _WIDE, "alt": 'A "red" logo & more'}}, 'A "red" logo & more'),
        ({"logo": _WIDE, "logo.alt": "A red logo"}, "A red logo"),
        ({"logo": {"data": _WIDE, "alt": ""}}, ""),
        ({"logo": {"data": _WIDE, "alt": None}}, "Logo of Nordea"),
        ({"logo": _WIDE}, "Logo of Nordea"),
    ],
)
def test_the_alternative_text_is_the_value_s_else_the_template_s(
    make_template: Make, data: dict[str, object], text: str
) -> None:
    deck = _build(_with_picture(make_template, "Logo of {{bank}} {{image:logo}}"), {"bank": "Nordea", **data})

    assert _alt_text(_shape(deck)) == text


def test_without_any_alternative_text_it_is_empty(make_template: Make) -> None:
    assert not _alt_text(_shape(_build(_with_picture(make_template), {"logo": _WIDE})))


def _frame(shape: Any) -> tuple[int, int, int, int]:
    return shape.left, shape.top, shape.width, shape.height


def _insets(shape: Any, name: str) -> dict[str, str]:
    rectangles = list(shape.element.iter(_DRAWINGML + name))
    return dict(rectangles[0].attrib) if rectangles else {}


@pytest.mark.parametrize("text", ["{{image:logo}}", "{{image:logo fit=contain}}"])
@pytest.mark.parametrize(
    ("content", "frame"),
    [
        (_WIDE, (Inches(1), Inches(1.5), Inches(2), Inches(1))),
        (_HIGH, (Inches(1.5), Inches(1), Inches(1), Inches(2))),
    ],
)
def test_contain_shows_the_whole_picture_undistorted_in_the_middle(
    make_template: Make, text: str, content: bytes, frame: tuple[int, ...]
) -> None:
    picture = _shape(_build(_with_picture(make_template, text), {"logo": content}))

    assert _frame(picture) == frame
    assert not _insets(picture, "srcRect")


@pytest.mark.parametrize(
    ("content", "crop"), [(_WIDE, {"l": "25000", "r": "25000"}), (_HIGH, {"t": "25000", "b": "25000"}), (_OLD, {})]
)
def test_cover_crops_the_picture_to_the_shape(make_template: Make, content: bytes, crop: dict[str, str]) -> None:
    picture = _shape(_build(_with_picture(make_template, "{{image:logo fit=cover}}"), {"logo": content}))

    assert _frame(picture) == (Inches(1), Inches(1), _SIDE, _SIDE)
    assert _insets(picture, "srcRect") == crop


def test_stretch_fills_the_shape_with_the_whole_picture(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = _add_picture(_add_slide(presentation), "{{image:logo fit=stretch}}")
        shape.crop_left = 0.3

    picture = _shape(_build(make_template(fill), {"logo": _WIDE}))

    assert _frame(picture) == (Inches(1), Inches(1), _SIDE, _SIDE)
    assert (picture.crop_left, picture.crop_top) == (0, 0)


def test_a_picture_in_a_stretched_group_is_not_distorted(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        group = _add_slide(presentation).shapes.add_group_shape()
        _add_picture(group)
        # As drawn, what is in the group is twice as high.
        group.element.grpSpPr.xfrm.ext.cy = 2 * _SIDE

    group = _shape(_build(make_template(fill), {"logo": _WIDE}))

    # 2 inches wide as drawn, and so 1 inch high: half an inch before the group stretches it.
    assert _frame(group.shapes[0]) == (Inches(1), Inches(1.75), Inches(2), Inches(0.5))


def test_rotation_border_outline_and_effects_stay(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = _add_picture(_add_slide(presentation), "{{image:logo fit=cover}}")
        shape.rotation = 30
        shape.auto_shape_type = MSO_SHAPE.OVAL
        shape.line.color.rgb = RGBColor(0, 128, 0)
        (blip,) = shape.element.xpath(".//a:blip")
        blip.set(f"{{{_OFFICE}}}link", blip.get(f"{{{_OFFICE}}}embed"))
        for name in ("grayscl", "extLst"):
            blip.append(blip.makeelement(_DRAWINGML + name))

    picture = _shape(_build(make_template(fill), {"logo": _WIDE}))

    assert (picture.rotation, picture.auto_shape_type) == (30, MSO_SHAPE.OVAL)
    assert picture.line.color.rgb == RGBColor(0, 128, 0)
    (blip,) = picture.element.xpath(".//a:blip")
    assert [child.tag for child in blip] == [_DRAWINGML + "grayscl"]
    assert list(blip.attrib) == [f"{{{_OFFICE}}}embed"]
    assert _shown(picture) == _WIDE


def test_a_shape_is_filled_with_the_picture_and_keeps_its_text(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = _add_box(_add_slide(presentation), "{{image:logo}}")
        shape.fill.solid()
        shape.line.color.rgb = RGBColor(0, 128, 0)
        shape.text_frame.text = "{{name}}"

    shape = _shape(_build(make_template(fill), {"logo": _WIDE, "name": "Freja"}))

    assert _shown(shape) == _WIDE
    assert shape.text_frame.text == "Freja"
    assert [child.tag.rpartition("}")[2] for child in shape.element.spPr] == ["xfrm", "prstGeom", "blipFill", "ln"]
    assert _frame(shape) == (Inches(1), Inches(1.5), Inches(2), Inches(1))


@pytest.mark.parametrize(
    ("content", "overlap"),
    [(_WIDE, {"l": "-50000", "r": "-50000"}), (_HIGH, {"t": "-50000", "b": "-50000"}), (_OLD, {})],
)
def test_cover_lets_the_picture_reach_over_the_edges_of_a_shape(
    make_template: Make, content: bytes, overlap: dict[str, str]
) -> None:
    template = make_template(lambda deck: _add_box(_add_slide(deck), "{{image:logo fit=cover}}"))

    shape = _shape(_build(template, {"logo": content}))

    assert _insets(shape, "fillRect") == overlap
    assert _frame(shape) == (Inches(1), Inches(1), _SIDE, _SIDE)


@pytest.mark.parametrize(("layout", "index"), [(8, 1), (1, 1), (3, 2)])
def test_an_empty_placeholder_becomes_a_picture_in_its_place(make_template: Make, layout: int, index: int) -> None:
    def fill(presentation: Any) -> None:
        placeholder = _add_slide(presentation, layout).placeholders[index]
        placeholder.element.spPr.get_or_add_ln()
        _describe(placeholder, "{{image:logo}}")

    template = make_template(fill)
    frame = _frame(Presentation(io.BytesIO(template)).slides[0].placeholders[index])

    picture = _open(_build(template, {"logo": _HIGH})).slides[0].placeholders[index]

    assert picture.element.tag.endswith("}pic")
    assert picture.image.blob == _HIGH
    assert not picture.element.xpath(".//p:txBody")
    left, top, width, height = _frame(picture)
    assert width * 2 == pytest.approx(height, abs=2)
    assert (top, height) == (frame[1], frame[3])
    assert left + width / 2 == pytest.approx(frame[0] + frame[2] / 2, abs=2)


def test_a_placeholder_with_text_keeps_it(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        placeholder = _add_slide(presentation, 1).placeholders[1]
        placeholder.text_frame.text = "{{name}}"
        _describe(placeholder, "{{image:logo}}")

    shape = _open(_build(make_template(fill), {"logo": _HIGH, "name": "Freja"})).slides[0].placeholders[1]

    assert shape.text_frame.text == "Freja"
    assert _shown(shape) == _HIGH


def test_a_shape_of_unknown_size_shows_the_picture_all_the_same(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        shape = _add_picture(_add_slide(presentation))
        shape.element.spPr.remove(shape.element.spPr.find(_DRAWINGML + "xfrm"))

    assert _shape(_build(make_template(fill), {"logo": _WIDE})).image.blob == _WIDE


@pytest.mark.parametrize("value", [None, "", {"src": None, "alt": "A logo"}])
def test_without_a_value_the_shape_is_left_out(make_template: Make, value: object) -> None:
    deck = _build(_with_picture(make_template), {"logo": value})

    assert len(_open(deck).slides[0].shapes) == 0
    assert not _media(deck)
    assert [finding.code for finding in deck.findings] == ["missing-value"]


def test_each_item_shows_its_own_picture(make_template: Make) -> None:
    def fill(presentation: Any) -> None:
        slide = _add_slide(presentation, 5)
        slide.shapes.title.text_frame.text = "{{name}}"
        _describe(slide.shapes.title, "{{each:advisors}}")
        _add_picture(slide, "{{image:photo}}")

    advisors = [
        {"name": "Freja", "photo": {"data": _uri(_WIDE), "alt": "Freja smiles"}},
        {"name": "Karen", "photo": _uri(_HIGH), "photo.alt": "Karen smiles"},
    ]
    deck = _build(make_template(fill), {"advisors": advisors, "photo.alt": "Nobody"})

    pictures = [slide.shapes[1] for slide in _open(deck).slides]
    assert [picture.image.blob for picture in pictures] == [_WIDE, _HIGH]
    assert [_alt_text(picture) for picture in pictures] == ["Freja smiles", "Karen smiles"]


@pytest.mark.parametrize(
    ("value", "path", "words"),
    [
        (5, "customer.logo", "it is no picture; write a data URI"),
        ([_WIDE], "customer.logo", "it is no picture; write a data URI"),
        ("logo.png", "customer.logo", "neither a data URI, nor base64, nor the id"),
        (_uri(_WIDE)[:-9], "customer.logo", "cut short"),
        ({"data": _WIDE[:-20]}, "customer.logo.data", "cut short"),
        ({"src": "https://example.com/logo.png"}, "customer.logo.src", "nothing is fetched"),
        ({"contentId": {}}, "customer.logo.contentId", "it is no picture"),
        ({"data": _WIDE, "alt": ["A", "B"]}, "customer.logo.alt", "it is a list, not a text"),
    ],
)
def test_what_is_no_picture_is_refused_with_its_place(
    make_template: Make, value: object, path: str, words: str
) -> None:
    refused = _refusal(_with_picture(make_template, "{{image:customer.logo}}"), {"customer": {"logo": value}})

    assert (refused.slide, refused.shape, refused.tag) == ("Slide 1", "Logo", "{{image:customer.logo}}")
    assert refused.path == path
    assert words in refused.reason


def _add_table(slide: Any) -> Any:
    return slide.shapes.add_table(1, 1, 0, 0, _SIDE, _SIDE)


def _add_connector(slide: Any) -> Any:
    return slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, _SIDE, _SIDE)


def _add_group(slide: Any) -> Any:
    return slide.shapes.add_group_shape()


@pytest.mark.parametrize("add", [_add_table, _add_connector, _add_group])
def test_what_cannot_show_a_picture_is_noticed(make_template: Make, add: Callable[[Any], Any]) -> None:
    template = compile_template(make_template(lambda deck: _describe(add(_add_slide(deck)), "{{image:logo}}")))

    (finding,) = template.findings
    assert (finding.type, finding.code) == ("Warning", "missing-target")
    assert "of a picture or a shape" in finding.message


def test_the_same_data_gives_the_same_bytes(make_template: Make) -> None:
    template = compile_template(_with_picture(make_template))

    assert whole_deck(template, {"logo": _WIDE}).content == whole_deck(template, {"logo": _WIDE}).content
