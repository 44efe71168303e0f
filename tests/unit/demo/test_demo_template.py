import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Protocol, cast
from zipfile import ZipFile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.placeholder import PlaceholderPicture
from pptx.slide import Slide

from meetdeck.present.deck import compile_template, validate_template, whole_deck

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "src/meetdeck/demo"
TEMPLATE = (DEMO / "annual-review.pptx").read_bytes()
DATA = cast("dict[str, object]", json.loads((DEMO / "annual-review.json").read_bytes()))
TAG = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")

SECTIONS = {
    "Opening": ["Cover", "Agenda"],
    "Your money": ["Your situation", "Savings and goals", "Portfolio", "Risk and return"],
    "Closing": ["Recommendations", "Next steps", "Contact", "_tags"],
}


@pytest.fixture(scope="module")
def slides() -> dict[str, Slide]:
    return {slide.name: slide for slide in Presentation(BytesIO(TEMPLATE)).slides}


def test_the_slides_carry_their_names(slides: dict[str, Slide]) -> None:
    assert list(slides) == [name for names in SECTIONS.values() for name in names]


def test_the_slides_stand_in_sections() -> None:
    presentation = Presentation(BytesIO(TEMPLATE))
    names = {slide.slide_id: slide.name for slide in presentation.slides}
    markup = ZipFile(BytesIO(TEMPLATE)).read("ppt/presentation.xml").decode()
    found = re.findall(r'<p14:section name="([^"]+)".*?</p14:section>', markup)
    members = re.findall(r"<p14:sldIdLst>(.*?)</p14:sldIdLst>", markup)
    idents = [[int(ident) for ident in re.findall(r'id="(\d+)"', member)] for member in members]
    assert {name: [names[i] for i in ids] for name, ids in zip(found, idents, strict=True)} == SECTIONS


def test_the_slide_of_tags_alone_is_hidden() -> None:
    with ZipFile(BytesIO(TEMPLATE)) as package:
        hidden = [name for name in package.namelist() if re.search(rb'<p:sld [^>]*show="0"', package.read(name))]
        assert len(hidden) == 1
        assert b'<p:cSld name="_tags">' in package.read(hidden[0])


def test_every_slide_has_notes_and_a_title(slides: dict[str, Slide]) -> None:
    for name, slide in slides.items():
        assert slide.shapes.title is not None, name
        assert slide.shapes.title.text, name
        assert _notes(slide), name


def test_the_charts_bring_the_workbook_that_they_show(slides: dict[str, Slide]) -> None:
    assert [name for name, slide in slides.items() if any(frame.has_chart for frame in _frames(slide))] == [
        "Portfolio",
        "Risk and return",
    ]
    with ZipFile(BytesIO(TEMPLATE)) as package:
        for number in (1, 2):
            links = package.read(f"ppt/charts/_rels/chart{number}.xml.rels").decode()
            workbook = package.read("ppt/embeddings/" + re.findall(r"embeddings/([^\"]+)", links)[0])
            sheet = ZipFile(BytesIO(workbook)).read("xl/worksheets/sheet1.xml").decode()
            chart = package.read(f"ppt/charts/chart{number}.xml").decode()
            shown = re.findall(r"<c:v>([^<]+)</c:v>", "".join(re.findall(r"<c:val>.*?</c:val>", chart)))
            assert len(shown) in {5, 12}
            assert [value for value in shown if f"<v>{value}</v>" not in sheet] == []


def test_pictures_tables_and_charts_are_described_to_those_who_do_not_see_them(slides: dict[str, Slide]) -> None:
    seen = [shape for slide in slides.values() for shape in slide.shapes]
    descriptions = [_description(shape) for shape in seen if isinstance(shape, (GraphicFrame, PlaceholderPicture))]
    assert len(descriptions) == 9
    assert all(len(description) > 20 for description in descriptions)


def test_every_tag_is_explained_and_has_a_value_and_nothing_else_is(slides: dict[str, Slide]) -> None:
    used = {
        tag for name, slide in slides.items() if name != "_tags" for text in _texts(slide) for tag in TAG.findall(text)
    }
    explained = {tag: meaning for frame in _frames(slides["_tags"]) for tag, meaning in _rows_of_two(frame)}
    assert all(explained.values())
    assert {TAG.sub(r"\1", tag) for tag in explained} - {"Tag"} == used
    assert set(_paths(DATA)) == used


def test_a_tag_is_split_over_runs_as_powerpoint_does(slides: dict[str, Slide]) -> None:
    title = slides["Cover"].shapes.title
    assert title is not None
    runs = [run.text for run in title.text_frame.paragraphs[0].runs]
    assert runs == ["Welcome, {{", "customer.firstName", "}}"]


def test_the_engine_has_nothing_to_remark_and_fills_everything() -> None:
    assert validate_template(TEMPLATE) == []
    template = compile_template(TEMPLATE)
    assert [tag.name for tag in template.tags if not tag.description] == []
    deck = whole_deck(template, DATA)
    assert deck.findings == ()
    filled = list(Presentation(BytesIO(deck.content)).slides)
    assert [slide.name for slide in filled] == [name for names in SECTIONS.values() for name in names][:-1]
    assert not [text for slide in filled for text in _texts(slide) if "{{" in text]
    assert "Welcome, Freja" in list(_texts(filled[0]))


def test_every_part_is_used_and_every_id_is_unique(slides: dict[str, Slide]) -> None:
    used = {part.partname.lstrip("/") for part in Presentation(BytesIO(TEMPLATE)).part.package.iter_parts()}
    written = {name for name in ZipFile(BytesIO(TEMPLATE)).namelist() if not name.endswith((".rels", "_Types].xml"))}
    assert written == used
    for name, slide in slides.items():
        idents = [shape.shape_id for shape in slide.shapes]
        assert len(set(idents)) == len(idents), name


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("dk1", "lt1"),
        ("accent6", "lt1"),
        ("accent6", "lt2"),
        ("accent1", "lt1"),
        ("accent1", "lt2"),
        ("accent3", "dk2"),
    ],
)
def test_text_stands_out_from_its_ground(text: str, ground: str) -> None:
    theme = ZipFile(BytesIO(TEMPLATE)).read("ppt/theme/theme1.xml").decode()
    palette = dict(re.findall(r'<a:(\w+)><a:srgbClr val="(\w{6})"/>', theme))
    darker, lighter = sorted((_luminance(palette[text]), _luminance(palette[ground])))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5  # WCAG 2.2, 1.4.3


def test_the_script_makes_the_committed_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [str(ROOT / "scripts"), *sys.path])
    script = cast("_Script", cast("object", import_module("make_demo_template")))
    made = script.make_demo_template()
    assert made == script.make_demo_template()
    # How tightly zlib packs differs between its builds, so it is what was packed that is compared.
    assert _contents(made) == _contents(TEMPLATE)
    assert {entry.date_time for entry in ZipFile(BytesIO(TEMPLATE)).infolist()} == {(1980, 1, 1, 0, 0, 0)}


class _Script(Protocol):
    def make_demo_template(self) -> bytes: ...


def _contents(package: bytes) -> dict[str, object]:
    with ZipFile(BytesIO(package)) as parts:
        return {name: _content(name, parts.read(name)) for name in parts.namelist()}


def _content(name: str, data: bytes) -> object:
    if name.endswith(".xlsx"):
        return _contents(data)
    if name.endswith(".png"):
        with Image.open(BytesIO(data)) as picture:
            return picture.size, picture.mode, picture.tobytes()
    return data


def _texts(slide: Slide) -> Iterator[str]:
    """Walk through what a slide says, in its shapes, its tables and its notes."""
    for shape in slide.shapes:
        if isinstance(shape, Shape):
            yield shape.text_frame.text
        elif isinstance(shape, GraphicFrame) and shape.has_table:
            yield from (cell.text for cell in shape.table.iter_cells())
    yield _notes(slide)


def _notes(slide: Slide) -> str:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return frame.text if frame else ""


def _frames(slide: Slide) -> list[GraphicFrame]:
    return [shape for shape in slide.shapes if isinstance(shape, GraphicFrame)]


def _rows_of_two(frame: GraphicFrame) -> list[tuple[str, str]]:
    cells = [cell.text for cell in frame.table.iter_cells()]
    return list(zip(cells[::2], cells[1::2], strict=True))


class _Described(Protocol):
    def xpath(self, path: str) -> list[str]: ...


def _description(shape: BaseShape) -> str:
    return "".join(cast("_Described", cast("object", shape.element)).xpath(".//p:cNvPr/@descr"))


def _paths(data: object, prefix: str = "") -> Iterator[str]:
    """Walk through the dotted paths of the leaves, list items by their number."""
    if isinstance(data, dict):
        members = cast("dict[str, object]", data).items()
    elif isinstance(data, list):
        members = ((str(i), item) for i, item in enumerate(cast("list[object]", data)))
    else:
        yield prefix.removesuffix(".")
        return
    for name, value in members:
        yield from _paths(value, f"{prefix}{name}.")


def _luminance(rgb: str) -> float:
    channels = [int(rgb[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
