"""Any directive on any shape, with data that fits, nearly fits or does not: the deck is sound, or refused in words."""

import base64
import io
import re
from typing import Final

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fuzz.engine import build_all
from support.extended_charts import make_extended_template
from support.package_checker.samples import SLIDE_1, SLIDE_2, SLIDE_3, edit_parts, one_of_everything

_SHAPE: Final = re.compile(r'<p:cNvPr id="(?!1")(\d+)" name="[^"]*"(?: descr="[^"]*")?')


def _picture(kind: str) -> str:
    packed = io.BytesIO()
    Image.new("RGB", (3, 2), "navy").save(packed, kind)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(packed.getvalue()).decode()}"


_anywhere = ("{{if:v}}", "{{unless:v}}", "{{v | upper}}", "[tag:v:uppercase]")
_images = (
    *(f"{{{{image:i{fit}}}}}" for fit in ("", " fit=cover", " fit=contain", " fit=stretch")),
    *("[image:i]", "[image:i] [tag:v:trim]"),
)
_title = ("{{each:v}}", "{{chapter:v}}{{/}}", "{{chapter:v}}", "{{/v}}", *_anywhere)
_codes = ("{{qr:v}}", "{{qr:i level=h}}", "{{barcode:k}}", "{{barcode:v type=ean13}}")
_cards = ("{{repeat:v}}", "{{repeat:v columns=2 gap=3}}{{image:i}}", "{{repeat:v direction=column}}{{if:B}}{{qr:A}}")
_colors = (*_codes, *_cards, "{{fill:k}}", "{{line:k}}", "{{fill:k}}{{line:v}}")
# What the shapes of the sample can be asked for, in their order, slide by slide; and what none can.
_POSSIBLE: Final = (
    *(_title, (*_images, *_anywhere, *_colors)),
    *(_title, ("{{chart:c}}", *_anywhere), ("{{table:t}}", "{{table:t continue numbered}}", *_anywhere)),
    *((*_title, *_colors), (*_images, *_anywhere, *_colors), (*_images, *_anywhere, *_colors)),
)
_impossible = st.sampled_from(
    ["{{chart:v}}", "{{each:v}}", "{{image:v fit=x}}", "{{if:v", "{{if:}}", "[image:v][image:i]"]
)
_descriptions = st.tuples(
    *(st.none() | st.sampled_from(texts) | st.sampled_from(texts).map("A picture {}".format) for texts in _POSSIBLE)
)

_numbers = st.none() | st.integers() | st.floats() | st.sampled_from(["1.5", "x", "2026-01-31", "", True])
_words = st.sampled_from(["", "A", "B", "A & <B>", "2026-01-31", "x\ny", "\x00", "A" * 300, "=1+1"]) | st.text(
    max_size=6
)
_cells = _numbers | _words
_colors = st.sampled_from(["red", "#C00000", "accent2", "bg1", None]) | _cells
_series = st.fixed_dictionaries(
    {"name": _words, "values": st.lists(_numbers, max_size=4)},
    optional={
        "color": _colors,
        "colors": st.lists(_colors, max_size=5) | st.dictionaries(_words, _colors, max_size=3) | _colors,
        "negative": _colors,
        "labels": st.lists(_cells, max_size=4),
        "subtotals": st.lists(_cells, max_size=3) | _cells,
    },
)
_levels = st.recursive(
    st.lists(_words, max_size=3) | st.none(), lambda inner: st.dictionaries(_words, inner, max_size=3), max_leaves=4
)
_categories = st.lists(_cells, max_size=4) | st.lists(st.lists(_cells, max_size=3) | _cells, max_size=4) | _levels
_axis = st.dictionaries(st.sampled_from(["min", "max", "step", "title", "x"]), _cells, max_size=3) | _cells
_axes = st.dictionaries(st.sampled_from(["value", "category", "secondValue", "x", "z"]), _axis, max_size=3) | _cells
_chart = st.fixed_dictionaries(
    {"categories": _categories, "series": st.lists(_series, max_size=4)}, optional={"axes": _axes}
)
_rows = st.lists(st.lists(_cells, max_size=4), max_size=4)
_objects = st.lists(st.dictionaries(_words, _cells, max_size=4), max_size=4)
# More than a slide has room for.
_many_rows = st.tuples(_rows, st.integers(5, 20)).map(lambda rows: rows[0] * rows[1])
_pictures = st.sampled_from([_picture("PNG"), _picture("JPEG"), _picture("GIF"), "data:image/png;base64,AAAA", "x", ""])
_described = st.fixed_dictionaries({"src": _pictures, "alt": _words}, optional={"decorative": st.booleans()})
_any = _chart | _rows | _objects | _pictures | _described | _cells | st.lists(_pictures, max_size=2)
_data = st.fixed_dictionaries(
    {},
    optional={
        "c": _chart | _rows | _objects | _any,
        "t": _rows | _many_rows | _objects | _any,
        "i": _pictures | _described | _any,
        "k": st.sampled_from(["red", "#00FF00", "accent9", "none", "auto"]) | _any,
        "v": st.booleans() | _objects | _any,
    },
)


@given(_descriptions, st.none() | _impossible, _data)
def test_directives_on_shapes(descriptions: tuple[str | None, ...], wrong: str | None, data: dict[str, object]) -> None:
    remaining = iter(descriptions)

    def describe(shape: re.Match[str]) -> str:
        text = next(remaining)
        return shape[0] if text is None else f'<p:cNvPr id="{shape[1]}" name="Shape {shape[1]}" descr="{text}"'

    def edit(xml: str) -> str:
        return _SHAPE.sub(describe, xml) + "\n"  # changed, even when no shape got a directive

    template = edit_parts(one_of_everything(), dict.fromkeys((SLIDE_1, SLIDE_2, SLIDE_3), edit))
    build_all(template, data)
    if wrong:
        strange = edit_parts(
            template, {SLIDE_3: lambda xml: _SHAPE.sub(f'<p:cNvPr id="2" name="S" descr="{wrong}"', xml)}
        )
        build_all(strange, data)


_EXTENDED: Final = {layout: make_extended_template(layout) for layout in ("waterfall", "funnel", "treemap", "sunburst")}


@given(st.sampled_from(sorted(_EXTENDED)), _chart | _rows | _objects | _any)
def test_charts_of_office_2016(layout: str, data: object) -> None:
    build_all(_EXTENDED[layout], {"sales": data})
