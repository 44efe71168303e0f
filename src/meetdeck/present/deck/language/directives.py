"""The directives: their names, options, fields, and where they are allowed.

A new directive is a row here, which holds everything that the language, the fields and the findings need, and a module
of its name in `compile/directives` that compiles its shape.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.language.chart_schema import CHART_MEMBERS
from meetdeck.present.deck.language.colors import PLAIN_COLORS
from meetdeck.present.deck.language.field_types import COLOR, CONDITION, LIST, SHARE, TEXT, FieldType

# A white dot, 1 x 1 pixel.
_PICTURE: Final = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
)
# Every kind of chart uses what it needs of it; a stock chart needs three series.
_CHART: Final[Mapping[str, object]] = {
    "categories": ["A", "B"],
    "series": [{"name": name, "values": [1, 2], "x": [1, 2], "size": [1, 2]} for name in ("First", "Second", "Third")],
}
# Numbers, since a column of the template may format its values.
_TABLE: Final = [["First", "Second"], [1, 2], [3, 4]]

_IMAGE_FIELD: Final = FieldType(
    "image",
    22,
    "image",
    {
        "description": "A picture (PNG, JPEG, SVG and others): a data URI, base64, the id of a stored file, or an "
        "object with its `alt` text or `decorative: true`.",
        "type": ["string", "object", "null"],
    },
    _PICTURE,
    {"data": _PICTURE},
)
_CODE_SCHEMA: Final[Mapping[str, object]] = {
    "description": "The content of the code.",
    "type": ["string", "number", "null"],
}
_QR_FIELD: Final = FieldType("qr", 46, "text", _CODE_SCHEMA, "https://example.com/")
# Every kind of bar code can write it.
_BARCODE_FIELD: Final = FieldType("barcode", 47, "text", _CODE_SCHEMA, "4006381333931")
_CHART_FIELD: Final = FieldType(
    "chart",
    21,
    "chart",
    {
        "description": "Categories and series; or rows: arrays, the first of them the header, or objects.",
        "type": ["object", "array", "null"],
        "properties": CHART_MEMBERS,
    },
    _CHART,
    _CHART,
    noun="a chart's data",
)
_TABLE_FIELD: Final = FieldType(
    "table",
    20,
    "table",
    {
        "description": "Rows: arrays, the first of them the header, or objects; or a text with a table in Markdown.",
        "type": ["object", "array", "string", "null"],
    },
    _TABLE,
    {"columns": _TABLE[0], "rows": _TABLE[1:]},
    noun="a table",
)
_ANGLE_FIELD: Final = FieldType(
    "angle",
    48,
    "text",
    {"type": ["number", "string", "null"], "description": "Degrees, clockwise: 90 is a quarter turn."},
    45,
)
_NUMBERS_FIELD: Final = FieldType(
    "numbers",
    23,
    "list",
    {
        "description": "Numbers, null for a gap.",
        "type": ["array", "null"],
        "items": {"type": ["number", "string", "null"]},
    },
    [3, 1, 4, 2],
    noun="a list of numbers",
)
_INKS: Final = {"color": (*(f"accent{number}" for number in range(1, 7)), "tx1", "tx2", "bg1", "bg2", *PLAIN_COLORS)}


class DirectiveType(Struct, frozen=True):
    """A kind of directive.

    `field` is the type of its value in the data, `options` are the choices of each option. It is allowed on a shape, on
    a slide (its title, or the first line of its notes), or on both; one that `fills` shows the value in its shape, one
    that `repeats` repeats with its slide for each item, one that `continues` may continue on further slides. One with
    `in_text` is also allowed in the text of a table's cell, and a picture in that of a bullet. `fit` is the default fit
    of its picture. `advice` is the remedy for a shape of the wrong kind. Where `wants_data` is false, it names
    something other than a value.
    """

    name: str
    field: FieldType
    options: Mapping[str, tuple[str, ...]] = {}
    on_shapes: bool = True
    on_slides: bool = False
    fills: bool = False
    repeats: bool = False
    in_text: bool = False
    continues: bool = False
    fit: str = "contain"
    advice: str = ""
    wants_data: bool = True


_ROWS: Final = (
    DirectiveType(
        "image",
        _IMAGE_FIELD,
        options={"fit": ("contain", "cover", "stretch")},
        fills=True,
        in_text=True,
        advice="shows a picture: put it into the alternative text of a picture or a shape.",
    ),
    DirectiveType(
        "chart",
        _CHART_FIELD,
        fills=True,
        advice="needs a native chart: put it into the alternative text of one (Insert, Chart). Maps, histograms and "
        "similar charts are left unchanged.",
    ),
    DirectiveType(
        "table",
        _TABLE_FIELD,
        fills=True,
        continues=True,
        advice="needs a table: put it into the alternative text of one (Insert, Table).",
    ),
    DirectiveType(
        "qr",
        _QR_FIELD,
        options={"level": ("l", "m", "q", "h")},
        fills=True,
        in_text=True,
        advice="shows a QR code: put it into the alternative text of a picture or a shape.",
    ),
    DirectiveType(
        "barcode",
        _BARCODE_FIELD,
        options={"type": ("code128", "code39", "ean13")},
        fills=True,
        in_text=True,
        fit="stretch",
        advice="shows a bar code: put it into the alternative text of a picture or a shape.",
    ),
    DirectiveType(
        "bar",
        SHARE,
        options=_INKS,
        fills=True,
        in_text=True,
        advice="draws a bar: put it into the alternative text of a picture or a shape.",
    ),
    DirectiveType(
        "harvey",
        SHARE,
        options=_INKS,
        fills=True,
        in_text=True,
        advice="draws a Harvey ball: put it into the alternative text of a picture or a shape.",
    ),
    DirectiveType(
        "spark",
        _NUMBERS_FIELD,
        options=_INKS,
        fills=True,
        in_text=True,
        advice="draws a line: put it into the alternative text of a picture or a shape.",
    ),
    DirectiveType(
        "fill",
        COLOR,
        in_text=True,
        advice="colors a shape: put it into the alternative text of one, or into a table's cell.",
    ),
    DirectiveType(
        "line",
        COLOR,
        advice="colors an outline: put it into the alternative text of a shape, a picture or a line.",
    ),
    DirectiveType(
        "repeat",
        LIST,
        options={
            "columns": tuple(map(str, range(1, 21))),
            "gap": tuple(map(str, range(101))),
            "direction": ("row", "column"),
        },
        advice="repeats a shape: put it into the alternative text of a shape, a picture or a group that contains "
        "no placeholder, table or chart, and is not inside another that repeats.",
    ),
    DirectiveType(
        "width",
        SHARE,
        options={"from": ("left", "right", "center")},
        advice="sizes a shape: put it into the alternative text of a shape, a picture, a line or a group.",
    ),
    DirectiveType(
        "height",
        SHARE,
        options={"from": ("bottom", "top", "center")},
        advice="sizes a shape: put it into the alternative text of a shape, a picture, a line or a group.",
    ),
    DirectiveType(
        "rotate",
        _ANGLE_FIELD,
        advice="turns a shape: put it into the alternative text of a shape, a picture, a line or a group.",
    ),
    DirectiveType(
        "pie",
        SHARE,
        advice="opens a round shape: put it into the alternative text of a Partial Circle, a Block Arc or an Arc "
        "(Insert, Shapes, Basic Shapes).",
    ),
    DirectiveType("if", CONDITION, on_slides=True),
    DirectiveType("unless", CONDITION, on_slides=True),
    DirectiveType(
        "each",
        LIST,
        on_shapes=False,
        on_slides=True,
        repeats=True,
        advice="repeats a slide: put it into the alternative text of the slide's title.",
    ),
    DirectiveType(
        "chapter",
        LIST,
        on_shapes=False,
        on_slides=True,
        repeats=True,
        advice="repeats slides: put it into the alternative text of the title of the first of them.",
    ),
    DirectiveType(
        "shape",
        TEXT,
        advice="refers to a shape of another template: put it into the alternative text of a rectangle on a slide.",
        wants_data=False,
    ),
    DirectiveType(
        "slide",
        TEXT,
        on_shapes=False,
        on_slides=True,
        advice="refers to a whole slide: put it into the alternative text of the slide's title.",
        wants_data=False,
    ),
)

DIRECTIVES: Final[Mapping[str, DirectiveType]] = {row.name: row for row in _ROWS}
# Those that show a picture, either from the data or made of a value.
CODES: Final = frozenset({"qr", "barcode"})
DRAWINGS: Final = frozenset({"bar", "harvey", "spark"})
PICTURES: Final = CODES | DRAWINGS | {"image"}
