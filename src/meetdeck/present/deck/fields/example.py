"""What to send: an example document that fills every tag of a template, and a JSON Schema of the data."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from meetdeck.present.deck.fields.fields import Field, Kind
from meetdeck.present.deck.language.syntax import BlockStart, Directive, DirectiveKind

JSON_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"
_JOINTS: Final = re.compile(r"[_-]|(?<=[a-z0-9])(?=[A-Z])")
_FEWEST_ITEMS: Final = 2
# A white dot, 1 x 1 pixel.
_PICTURE: Final = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTj2FAAAAABJRU5ErkJggg=="
)
# Every kind of chart takes what it needs of it; a stock chart needs three series.
_CHART: Final[dict[str, object]] = {
    "categories": ["A", "B"],
    "series": [{"name": name, "values": [1, 2], "x": [1, 2], "size": [1, 2]} for name in ("First", "Second", "Third")],
}
# Numbers, since a column of the template may format what stands in it.
_TABLE: Final = [["First", "Second"], [1, 2], [3, 4]]
_EXAMPLES: Final[Mapping[Kind, object]] = {
    "image": _PICTURE,
    "chart": _CHART,
    "table": _TABLE,
    "number": 1234.5,
    "share": 0.125,
    "date": "2026-01-31",
    "address": "https://example.com/",
}
# The same as objects, for those that have further members.
_WHOLES: Final[Mapping[DirectiveKind, dict[str, object]]] = {
    "image": {"data": _PICTURE},
    "chart": _CHART,
    "table": {"columns": _TABLE[0], "rows": _TABLE[1:]},
}
_SCALAR: Final = ["string", "number", "boolean", "null"]
_SCHEMAS: Final[Mapping[Kind, Mapping[str, object]]] = {
    "text": {"type": _SCALAR},
    "address": {"type": ["string", "null"], "format": "uri-reference"},
    "number": {"type": ["number", "string", "null"]},
    "share": {"type": ["number", "string", "null"], "description": "A share of one: 0.125 is 12.5 %."},
    "date": {"type": ["string", "null"], "description": "A date or date-time in ISO 8601."},
    "image": {
        "description": "A picture: a data URI, base64, the id of a stored file, or an object with its `alt` text.",
        "type": ["string", "object", "null"],
    },
    "chart": {
        "description": "Categories and series; or rows: arrays, the first of them the header, or objects.",
        "type": ["object", "array", "null"],
    },
    "table": {
        "description": "Rows: arrays, the first of them the header, or objects.",
        "type": ["object", "array", "null"],
    },
    "condition": {},
}


def example_data(root: Field) -> dict[str, object]:
    """Return data that fills every tag, from the root of the fields."""
    return _example_scope(root)


def data_schema(root: Field, descriptions: Mapping[str, str]) -> dict[str, object]:
    """Return the JSON Schema of the data, from the root of the fields."""
    return {"$schema": JSON_SCHEMA} | schema_of(root, descriptions)


def example_of(field: Field) -> object:
    """Return a value that fills what asks for it."""
    if field.kind == "object":
        return _example_scope(field)
    if field.kind == "list":
        fewest = 0 if field.numbered and not field.item else _FEWEST_ITEMS
        count = max(fewest, *(number + 1 for number in field.numbered), 0)
        return [_example_item(field, number) for number in range(count)]
    if field.kind == "condition":
        return _is_wanted(field)
    return _EXAMPLES.get(field.kind or "text", _words(field.name))


def _example_item(field: Field, number: int) -> object:
    item = _merge(field.item, field.numbered.get(number)) or next(iter(field.numbered.values()), None)
    return example_of(item) if item else f"{_words(field.name)} {number + 1}"


def _example_object(field: Field) -> dict[str, object]:
    example = {name: _example_member(member) for name, member in _members(field).items()}
    wholes = [whole for kind, whole in _WHOLES.items() if field.is_for(kind)]
    return wholes[0] | example if wholes else example


def _example_scope(field: Field) -> dict[str, object]:
    """Return an object in which names are looked up: the data, or an item of a list."""
    return _example_object(field) | {name: _example_member(member) for name, member in _beside(field)}


def _example_member(field: Field) -> object:
    """Return an object's member; one that is shown as a text is a text."""
    if field.kind != "object":
        return example_of(field)
    return _words(field.name) if field.is_torn else _example_object(field)


def _beside(field: Field, path: str = "") -> Iterator[tuple[str, Field]]:
    """Yield the members of what is shown as a text, too: they stand beside it, under their whole names."""
    for name, member in _members(field).items():
        below = f"{path}{name}"
        if member.kind == "object":
            if member.is_torn:
                yield from _leaves(member, f"{below}.")
            yield from _beside(member, f"{below}.")


def _leaves(field: Field, path: str) -> Iterator[tuple[str, Field]]:
    for name, member in _members(field).items():
        if member.kind == "object":
            yield from _leaves(member, f"{path}{name}.")
        if member.kind != "object" or member.is_text:
            yield f"{path}{name}", member


def _members(field: Field) -> dict[str, Field]:
    """Return an object's members; a block over the object asks for members, too."""
    return {**field.item.members, **field.members} if field.item else field.members


def _merge(*fields: Field | None) -> Field | None:
    """Return a field for all that is asked of one item: objects with the members of all of them, else the last."""
    merged: Field | None = None
    for field in filter(None, fields):
        if merged and merged.kind == field.kind == "object":
            known, more = _members(merged), _members(field)
            # A text says least of what a member must be.
            known = {name: member for name, member in known.items() if name not in more or member.kind != "text"}
            merged = Field(field.name, "object", more | known, uses=[*merged.uses, *field.uses])
        else:
            merged = field
    return merged


def _is_wanted(field: Field) -> bool:
    """Return whether `if` or a block wants a condition to be true; `unless` and `{{^…}}` want the opposite."""
    return any(
        (isinstance(use.what, Directive) and use.what.kind == "if")
        or (isinstance(use.what, BlockStart) and not use.what.inverted)
        for use in field.uses
    )


def _words(name: str) -> str:
    """Return the last part of a name as words: `customer.firstName` is First name, `first_name` too."""
    last = _JOINTS.sub(" ", name.rpartition(".")[2].rstrip("[]")).lower()
    return last[:1].upper() + last[1:]


def schema_of(field: Field, descriptions: Mapping[str, str], *, is_member: bool = False) -> dict[str, object]:
    """Return the schema of a value; nothing is required, since a missing value is a finding and no error.

    What is no member of an object has its names looked up in it: the data itself, an item of a list.
    """
    instead = f"Where an item has none, {field.outer!r} of the data around it is shown." if field.outer else ""
    text = descriptions.get(field.name, instead)
    described: dict[str, object] = {"description": text} if text else {}
    if field.kind == "object":
        if is_member and field.is_torn:
            return dict(_SCHEMAS["text"]) | described
        members = {**_members(field), **({} if is_member else dict(_beside(field)))}
        schemas = {name: schema_of(member, descriptions, is_member=True) for name, member in members.items()}
        return {"type": "object", "properties": schemas} | described
    if field.kind == "list":
        item = _merge(*field.numbered.values(), field.item)
        if item and item.kind == "list" and field.is_for("table"):
            # Rows may be objects just as well.
            return dict(_SCHEMAS["table"]) | described
        items = schema_of(item, descriptions) if item else {"type": _SCALAR}
        return {"type": ["array", "null"], "items": items} | described
    return dict(_SCHEMAS[field.kind or "text"]) | described
