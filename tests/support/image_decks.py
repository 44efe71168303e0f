"""Templates that request pictures, and the pictures in the decks made of them."""

import base64
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches

from meetdeck.present.deck import BadData, Deck, compile_template, whole_deck
from support.package_checker.soundness import assert_sound

DRAWINGML = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SIDE = Inches(2)

Make = Callable[[Callable[[Any], None]], bytes]


def make_png(size: tuple[int, int] = (40, 20), color: str = "red") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, color).save(out, "png")
    return out.getvalue()


OLD = make_png((10, 10), "green")
WIDE = make_png((40, 20))
HIGH = make_png((20, 40))


def uri_of(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"


def describe(shape: Any, text: str) -> None:
    shape.element.xpath("./*/p:cNvPr")[0].set("descr", text)


def add_slide(presentation: Any, layout: int = 6) -> Any:
    return presentation.slides.add_slide(presentation.slide_layouts[layout])


def add_picture(slide: Any, text: str = "{{image:logo}}", content: bytes = OLD) -> Any:
    shape = slide.shapes.add_picture(io.BytesIO(content), Inches(1), Inches(1), SIDE, SIDE)
    shape.name = "Logo"
    describe(shape, text)
    return shape


def add_box(slide: Any, text: str, kind: Any = MSO_SHAPE.OVAL) -> Any:
    shape = slide.shapes.add_shape(kind, Inches(1), Inches(1), SIDE, SIDE)
    describe(shape, text)
    return shape


def with_picture(make_template: Make, text: str = "{{image:logo}}") -> bytes:
    return make_template(lambda presentation: add_picture(add_slide(presentation), text))


def build(template: bytes, data: Mapping[str, object], contents: Mapping[str, bytes] | None = None) -> Deck:
    deck = whole_deck(compile_template(template), data, contents=contents or {})
    assert_sound(deck.content)
    return deck


def open_deck(deck: Deck) -> Any:
    return Presentation(io.BytesIO(deck.content))


def shape_of(deck: Deck, index: int = 0) -> Any:
    return open_deck(deck).slides[0].shapes[index]


def shown_in(shape: Any) -> bytes:
    """Return the picture in a picture or a filled shape."""
    (identifier,) = shape.element.xpath(".//a:blip/@r:embed")
    return shape.part.related_part(identifier).blob


def alt_text_of(shape: Any) -> str:
    return shape.element.xpath("./*/p:cNvPr/@descr")[0]


def media_of(deck: Deck) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(deck.content)) as archive:
        return [name for name in archive.namelist() if name.startswith("ppt/media/")]


def refusal_of(template: bytes, data: Mapping[str, object]) -> BadData:
    with pytest.raises(BadData) as refused:
        whole_deck(compile_template(template), data)
    return refused.value
