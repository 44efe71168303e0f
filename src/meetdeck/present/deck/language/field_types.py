"""The types of fields: for each the name in the API, an example, a JSON Schema."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from meetdeck.present.deck.language.colors import COLOR_SCHEMA

TagType = Literal["text", "list", "image", "chart", "table", "condition"]

SCALAR: Final = ["string", "number", "boolean", "null"]


class FieldType(Struct, frozen=True):
    """A type of field.

    When one name is used in several ways, the type of the lowest `rank` decides. `tag_type` is the type in the API;
    `whole` the example as an object, for a value that has further members. `noun` is the everyday word for a value that
    no tag can show as a text; else empty. Without an `example`, the words of the name are used.
    """

    name: str
    rank: int
    tag_type: TagType
    schema: Mapping[str, object] = {}
    example: object = None
    whole: Mapping[str, object] | None = None
    noun: str = ""


OBJECT: Final = FieldType("object", 0, "condition", noun="an object: its members are asked for")
"""A value that is used for its members."""
LIST: Final = FieldType("list", 10, "list", noun="a list")
DATE: Final = FieldType(
    "date",
    30,
    "text",
    {"type": ["string", "null"], "description": "A date or date-time in ISO 8601."},
    "2026-01-31",
)
SHARE: Final = FieldType(
    "share",
    40,
    "text",
    {"type": ["number", "string", "null"], "description": "A share of one: 0.125 is 12.5 %."},
    0.125,
)
COLOR: Final = FieldType("color", 45, "text", {**COLOR_SCHEMA, "type": ["string", "null"]}, "accent1")
WHOLE: Final = FieldType(
    "whole", 49, "text", {"type": ["number", "string", "null"], "description": "A whole number."}, 3
)
NUMBER: Final = FieldType("number", 50, "text", {"type": ["number", "string", "null"]}, 1234.5)
ADDRESS: Final = FieldType(
    "address", 60, "text", {"type": ["string", "null"], "format": "uri-reference"}, "https://example.com/"
)
TEXT: Final = FieldType("text", 70, "text", {"type": SCALAR})
CONDITION: Final = FieldType("condition", 80, "condition")
