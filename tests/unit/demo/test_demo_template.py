import json
import re
import sys
from base64 import b64decode
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

from meetdeck.present.deck import SlideRequest, TagInfo, build_deck, compile_template, validate_template, whole_deck

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "src/meetdeck/demo"
TEMPLATE = (DEMO / "annual-review.pptx").read_bytes()
DATA = cast("dict[str, object]", json.loads((DEMO / "annual-review.json").read_bytes()))
TAG = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")

DIRECTIVE = re.compile(r"\{\{\w+:[^{}]+\}\} ?")

SECTIONS = {
    "Opening": ["Cover", "Agenda"],
    "Your money": ["Your situation", "Savings and goals", "Portfolio", "Risk and return", "Insurance"],
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
        "Savings and goals",
        "Portfolio",
        "Risk and return",
    ]
    with ZipFile(BytesIO(TEMPLATE)) as package:
        for number in (1, 2, 3):
            links = package.read(f"ppt/charts/_rels/chart{number}.xml.rels").decode()
            workbook = package.read("ppt/embeddings/" + re.findall(r"embeddings/([^\"]+)", links)[0])
            sheet = ZipFile(BytesIO(workbook)).read("xl/worksheets/sheet1.xml").decode()
            chart = package.read(f"ppt/charts/chart{number}.xml").decode()
            shown = re.findall(r"<c:v>([^<]+)</c:v>", "".join(re.findall(r"<c:val>.*?</c:val>", chart)))
            assert len(shown) in {4, 10}
            assert [value for value in shown if f"<v>{value}</v>" not in sheet] == []


def test_pictures_tables_and_charts_are_described_to_those_who_do_not_see_them(slides: dict[str, Slide]) -> None:
    seen = [shape for slide in slides.values() for shape in slide.shapes]
    descriptions = [_description(shape) for shape in seen if isinstance(shape, (GraphicFrame, PlaceholderPicture))]
    assert len(descriptions) == 12
    assert all(len(DIRECTIVE.sub("", description)) > 20 for description in descriptions)


def test_every_tag_is_explained_and_has_a_value_and_nothing_else_is(slides: dict[str, Slide]) -> None:
    used = {tag.name for tag in _named_tags() if tag.occurrences}
    explained = {tag: meaning for frame in _frames(slides["_tags"]) for tag, meaning in _rows_of_two(frame)}
    assert all(explained.values())
    assert {TAG.sub(r"\1", tag) for tag in explained} - {"Tag"} == used
    leaves = {name for name in used if not any(other.startswith((f"{name}.", f"{name}[]")) for other in used)}
    assert set(_paths(DATA, leaves)) - {"$locale"} == leaves


def test_a_tag_is_split_over_runs_as_powerpoint_does(slides: dict[str, Slide]) -> None:
    title = slides["Cover"].shapes.title
    assert title is not None
    runs = [run.text for run in title.text_frame.paragraphs[0].runs]
    assert runs == ["Welcome, {{", "customer.firstName", "}}"]


def test_the_engine_has_nothing_to_remark_and_fills_everything() -> None:
    assert validate_template(TEMPLATE) == []
    assert [tag.name for tag in _named_tags() if not tag.description] == []
    deck = whole_deck(compile_template(TEMPLATE), DATA)
    assert deck.findings == ()
    filled = list(Presentation(BytesIO(deck.content)).slides)
    once = [name for names in SECTIONS.values() for name in names][:-1]
    assert [slide.name for slide in filled] == [*once[:3], *["Savings and goals"] * 3, *once[4:]]
    assert not [text for slide in filled for text in _texts(slide) if "{{" in text]
    assert "Welcome, Freja" in list(_texts(filled[0]))


def test_each_goal_has_a_slide_with_a_chart_of_its_own() -> None:
    goals = [slide for slide in _fill(DATA) if slide.name == "Savings and goals"]
    assert [next(_texts(slide)) for slide in goals] == [
        "Summer house in Ebeltoft",
        "Retire at 64",
        "Education for Alma and Noah",
    ]
    badges = [[text for text in _texts(slide) if text in {"On track", "Behind plan"}] for slide in goals]
    assert badges == [["On track"], ["Behind plan"], ["On track"]]
    assert [_shown_values(frame) for slide in goals for frame in _frames(slide)] == [
        ["128000", "186000", "251000", "312000", "372000", "120000", "180000", "240000", "300000", "360000"],
        ["905000", "921000", "1010000", "1128000", "1264000", "900000", "1000000", "1100000", "1205000", "1315000"],
        ["72000", "93000", "114000", "134000", "153000", "70000", "86000", "102000", "118000", "134000"],
    ]


def test_tables_have_a_row_for_each_item_and_a_total() -> None:
    rows = {slide.name: [_rows(frame) for frame in _frames(slide) if frame.has_table] for slide in _fill(DATA)}
    assert rows["Portfolio"][0][1] == ["Nordlys Global Equity", "353,600", "42%", "11.2%"]
    assert rows["Portfolio"][0][-1] == ["Portfolio", "842,000", "100%", "7.3%"]
    assert rows["Your situation"][0][-1] == ["Net worth", "2,604,000", "3,046,000", "442,000"]
    assert rows["Insurance"][0][0] == ["Insurance", "Covers, DKK", "A year, DKK"]
    assert [len(rows[name][0]) for name in ("Your situation", "Portfolio", "Recommendations", "Next steps")] == [
        6,
        7,
        3,
        5,
    ]


def test_recommendations_have_bullets_bold_words_and_a_link() -> None:
    (slide,) = (slide for slide in _fill(DATA) if slide.name == "Recommendations")
    (frame,) = _frames(slide)
    title, first, second = frame.table.cell(0, 0).text_frame.paragraphs
    assert title.text == "1\tRefinance the mortgage to a fixed rate"
    assert [run.text for run in first.runs if run.font.bold] == ["October"]
    assert _find(frame, "(.//a:tc)[1]/a:txBody/a:p[a:pPr/a:buChar]/a:r[1]/a:t/text()") == [
        "Your rate is adjusted in ",
        "It ends the uncertainty. ",
    ]
    assert [run.hyperlink.address for run in second.runs] == [None, "https://nordlys.example/offers"]


def test_the_advisors_portrait_comes_from_the_data() -> None:
    shown = [shape.image.blob for shape in _fill(DATA)[-1].shapes if isinstance(shape, PlaceholderPicture)]
    assert shown == [_picture(_portrait())]
    assert len(_portrait()) < 10_000


def test_a_customer_without_holdings_insurance_or_a_next_meeting_does_not_hear_of_them() -> None:
    meeting = cast("dict[str, object]", DATA["meeting"]) | {"next": None}
    nothing: dict[str, object] = {"holdings": [], "insurance": None, "meeting": meeting}
    deck = whole_deck(compile_template(TEMPLATE), DATA | nothing)
    assert deck.findings == ()
    slides = {slide.name: slide for slide in Presentation(BytesIO(deck.content)).slides}
    assert {"Portfolio", "Risk and return", "Insurance"}.isdisjoint(slides)
    assert not [text for text in _texts(slides["Next steps"]) if "We meet again" in text]
    assert "Book the next meeting now." in _notes(slides["Next steps"])


def test_a_cover_for_little_data_has_no_gaps() -> None:
    customer = {"name": "Freja Holm", "firstName": "Freja"}
    deck = build_deck(compile_template(TEMPLATE), [SlideRequest("Cover", {"customer": customer})])
    (slide,) = Presentation(BytesIO(deck.content)).slides
    assert "Prepared for Freja Holm" in list(_texts(slide))


def test_the_sample_figures_add_up() -> None:
    balance, holdings, goals = (cast("list[dict[str, float]]", DATA[name]) for name in ("balance", "holdings", "goals"))
    net_worth, portfolio = (cast("dict[str, float]", DATA[name]) for name in ("netWorth", "portfolio"))
    assert {name: sum(line[name] for line in balance) for name in net_worth} == net_worth
    assert all(line["thisYear"] - line["lastYear"] == line["change"] for line in balance)
    assert sum(one["value"] for one in holdings) == portfolio["value"]
    assert [round(one["value"] / portfolio["value"], 2) for one in holdings] == [one["share"] for one in holdings]
    assert round(sum(one["return"] * one["share"] for one in holdings), 3) == portfolio["return"]
    assert [round(goal["saved"] / goal["target"], 2) for goal in goals] == [goal["done"] for goal in goals]


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


def test_the_tool_makes_the_committed_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [str(ROOT / "tools"), *sys.path])
    script = cast("_Script", cast("object", import_module("make_demo_template")))
    made = script.make_demo_template()
    assert made == script.make_demo_template()
    # How tightly zlib packs differs between its builds, so it is what was packed that is compared.
    assert _contents(made) == _contents(TEMPLATE)
    assert {entry.date_time for entry in ZipFile(BytesIO(TEMPLATE)).infolist()} == {(1980, 1, 1, 0, 0, 0)}
    drawn = json.loads(script.with_portrait('{"portrait": ""}'))["portrait"]
    assert _content("portrait.png", _picture(drawn)) == _content("portrait.png", _picture(_portrait()))


class _Script(Protocol):
    def make_demo_template(self) -> bytes: ...
    def with_portrait(self, sample_data: str) -> str: ...


def _portrait() -> str:
    return cast("dict[str, str]", DATA["advisor"])["portrait"]


def _picture(uri: str) -> bytes:
    return b64decode(uri.removeprefix("data:image/png;base64,"), validate=True)


def _fill(data: dict[str, object]) -> list[Slide]:
    return list(Presentation(BytesIO(whole_deck(compile_template(TEMPLATE), data).content)).slides)


def _named_tags() -> list[TagInfo]:
    """Return the tags, without a table's columns by number: what they are is the data's affair."""
    return [tag for tag in compile_template(TEMPLATE).tags if not tag.name.rpartition("[].")[2].isdigit()]


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


def _rows(frame: GraphicFrame) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in frame.table.rows]


def _rows_of_two(frame: GraphicFrame) -> list[tuple[str, str]]:
    cells = [cell.text for cell in frame.table.iter_cells()]
    return list(zip(cells[::2], cells[1::2], strict=True))


class Proxy(Protocol):
    @property
    def element(self) -> object: ...


class _SearchResult(Protocol):
    def xpath(self, path: str) -> list[str]: ...


def _find(proxy: Proxy, path: str) -> list[str]:
    """Look up an XPath in the XML that an object of python-pptx stands for."""
    return cast("_SearchResult", proxy.element).xpath(path)


def _description(shape: BaseShape) -> str:
    return "".join(_find(shape, ".//p:cNvPr/@descr"))


def _shown_values(frame: GraphicFrame) -> list[str]:
    """Return the values of all series of a chart, as the file holds them."""
    return _find(frame.chart, ".//c:val//c:v/text()")


def _paths(data: object, whole: set[str], path: str = "") -> Iterator[str]:
    """Walk through the paths of the leaves, as tags name them; what is used as a `whole` is a leaf."""
    if path not in whole and isinstance(data, dict):
        for name, value in cast("dict[str, object]", data).items():
            yield from _paths(value, whole, f"{path}.{name}".removeprefix("."))
    elif path not in whole and isinstance(data, list):
        for item in cast("list[object]", data):
            yield from _paths(item, whole, f"{path}[]")
    else:
        yield path


def _luminance(rgb: str) -> float:
    channels = [int(rgb[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
