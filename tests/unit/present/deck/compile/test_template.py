"""A compiled template is data: two of the same file are equal, and nothing in one is a function."""

import dataclasses
import gc
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, cast, get_args, get_type_hints

import pytest
from msgspec import Struct
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.util import Inches

from meetdeck import demo
from meetdeck.present.deck import compile_template, fitting, program, whole_deck
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.program.nodes import Hyperlink
from meetdeck.present.deck.program.tables.row_programs import RowPrograms
from meetdeck.present.deck.program.template import FixedPartsCache
from meetdeck.present.deck.program.typefaces import TypefacesCache
from support.animations import SLIDE, Timing, box
from support.fitting import EvenTypefaces

Make = Callable[[Callable[[Any], None]], bytes]
Read = Callable[[bytes, str], str]
Replace = Callable[[bytes, Mapping[str, bytes | None]], bytes]

_DEMO = Path(demo.__file__).parent / "annual-review.pptx"
_SCALARS = (str, bytes, memoryview, int, float, bool, type(None))
_SHAPES = (
    box("First", "{{#rows}}{{.}}{{/rows}}", "{{text | markdown}}", "Read {{text | markdown}}", spid=20),
    box('{{url | link:"More"}}', "{{amount | number:2}}", spid=21, descr="{{if:premium}}"),
    box("A picture", spid=22, descr="{{image:logo fit=cover}}"),
)


def _describe(shape: Any, text: str) -> None:
    (properties,) = shape.element.xpath("./*/p:cNvPr")
    properties.set("descr", text)


def _fill(presentation: Any) -> None:
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.name = "Everything"
    slide.shapes.title.text = "{{name}}"
    _describe(slide.shapes.title, "{{each:goals}}")
    run = slide.shapes.add_textbox(0, 0, 9, 9).text_frame.paragraphs[0].add_run()
    run.text, run.hyperlink.address = "Ours", "https://example.com/{{id}}"
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(8), Inches(1))
    _describe(table, "{{table:holdings}}")
    data: Any = CategoryChartData()
    data.categories = ["A", "B"]
    data.add_series("First", (1, 2))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(3), data)
    _describe(chart, "{{chart:sales}}")
    slide.notes_slide.notes_text_frame.text = "Tell {{name | upper}}"


@pytest.fixture
def everything(make_template: Make, read_part: Read, replace_parts: Replace) -> bytes:
    """Make a template with each directive, rich text, links, notes, a chart's workbook and animations."""
    template, timing = make_template(_fill), Timing()
    steps = "".join(timing.step(timing.effect(timing.paragraphs(number, spid=20))) for number in range(2))
    slide = read_part(template, SLIDE).replace("</p:spTree>", f"{''.join(_SHAPES)}</p:spTree>")
    animated = slide.replace("</p:clrMapOvr>", f"</p:clrMapOvr>{timing.whole(steps, '')}")
    return replace_parts(template, {SLIDE: animated.encode()})


@pytest.fixture(params=["demo", "everything"])
def template(request: pytest.FixtureRequest, everything: bytes) -> bytes:
    """Lend the demo's template, then the one with everything."""
    return everything if request.param == "everything" else _DEMO.read_bytes()


def test_two_of_the_same_file_are_equal(template: bytes) -> None:
    once, again = compile_template(template), compile_template(bytes(bytearray(template)))
    assert once == again
    whole_deck(once, once.example, typefaces=EvenTypefaces())
    assert once == again


def test_those_of_different_files_differ(everything: bytes, read_part: Read, replace_parts: Replace) -> None:
    changed = read_part(everything, SLIDE).replace("number:2", "number:3")
    assert compile_template(everything) != compile_template(replace_parts(everything, {SLIDE: changed.encode()}))


def test_nothing_in_one_is_a_function(template: bytes) -> None:
    assert not list(_find_foreign(compile_template(template), "template", set()))


def test_one_is_printed_readably(everything: bytes) -> None:
    printed = repr(compile_template(everything))
    assert "TextValue(tag=Tag(source='{{amount | number:2}}'" in printed
    assert "HasTable(directive=Directive(kind='table', source='{{table:holdings}}'" in printed
    assert not re.search(r"\bat 0x[0-9a-f]|<function|<bound method|<lambda>", printed)


def test_no_kind_of_node_has_a_member_that_is_a_function() -> None:
    kinds = [
        kind
        for package in (program, fitting)
        for module in walk_packages(package.__path__, f"{package.__name__}.")
        for kind in vars(import_module(module.name)).values()
        if isinstance(kind, type) and issubclass(kind, Struct)
    ]
    assert Hyperlink in kinds
    assert not [
        f"{kind.__name__}.{name}"
        for kind in kinds
        for name, hint in get_type_hints(kind).items()
        if name in kind.__struct_fields__ and "Callable" in f"{hint}{get_args(hint)}"
    ]


def _find_foreign(value: object, path: str, seen: set[int]) -> Iterator[str]:
    """Yield the paths to what is neither a scalar nor a frozen collection or record of such."""
    if isinstance(value, _SCALARS) or id(value) in seen:
        return
    seen.add(id(value))
    members: list[tuple[str, object]] = []
    match value:
        case Struct() if value.__struct_config__.frozen:
            members = [(f".{name}", getattr(value, name)) for name in value.__struct_fields__]
        case tuple() | frozenset():
            members = [("[]", member) for member in cast("Collection[object]", value)]
        case dict():
            members = [(f"[{key!r}]", member) for key, member in cast("Mapping[object, object]", value).items()]
        case TypefacesCache() | RowPrograms() | FixedPartsCache():  # caches, made anew
            members = []
        case _ if dataclasses.is_dataclass(value) and getattr(type(value), "__dataclass_params__").frozen:  # noqa: B009
            members = [(f".{one.name}", getattr(value, one.name)) for one in dataclasses.fields(value)]
        case _:
            yield f"{path}: {type(value).__name__}"
    for name, member in members:
        yield from _find_foreign(member, path + name, seen)


def test_trees_are_freed_as_soon_as_they_are_compiled(make_template: Make) -> None:
    def add(presentation: Any) -> None:
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "{{name}}"
        frame = slide.shapes.add_textbox(0, 0, Inches(2), Inches(1)).text_frame
        frame.text, frame.auto_size = "{{text}}", MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT

    template = make_template(add)
    gc.collect()
    gc.disable()
    try:
        compile_template(template)
        # A circle of references would keep all trees until garbage is collected, which then takes long.
        assert not [one for one in gc.get_objects() if type(one) is PartContext]
    finally:
        gc.enable()
