"""The example document that fills every tag of a template, and the JSON Schema of its data."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from meetdeck.present.deck.fields.fields import Field
from meetdeck.present.deck.language.constructs import BlockStart, Directive
from meetdeck.present.deck.language.directives import DIRECTIVES
from meetdeck.present.deck.language.field_types import CONDITION, LIST, OBJECT, SCALAR, TEXT

JSON_SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"
_JOINTS: Final = re.compile(r"[_-]|(?<=[a-z0-9])(?=[A-Z])")
_FEWEST_ITEMS: Final = 2
_TAKE_ROWS: Final = frozenset({"chart", "table"})


def example_data(root: Field) -> dict[str, object]:
    """Return data that fills every tag, from the root of the fields."""
    return _example_scope(root)


def data_schema(root: Field, descriptions: Mapping[str, str]) -> dict[str, object]:
    """Return the JSON Schema of the data, from the root of the fields."""
    return {"$schema": JSON_SCHEMA} | schema_of(root, descriptions)


def example_of(field: Field) -> object:
    """Return a value that fills a field."""
    if field.type is OBJECT:
        return _example_scope(field)
    if field.type is LIST:
        fewest = 0 if field.numbered and not field.item else _FEWEST_ITEMS
        count = max(fewest, *(number + 1 for number in field.numbered), 0)
        return [_example_item(field, number) for number in range(count)]
    if field.type is CONDITION:
        return _must_be_true(field)
    example = next((use.example for use in field.uses if use.example is not None), (field.type or TEXT).example)
    return _words(field.name) if example is None else example


def _example_item(field: Field, number: int) -> object:
    item = _merge(field.item, field.numbered.get(number)) or next(iter(field.numbered.values()), None)
    if DIRECTIVES["spark"] in field.directives and (item is None or item.type is TEXT):
        return number + 1
    takes_rows = any(directive.name in _TAKE_ROWS for directive in field.directives)
    if takes_rows and (item is None or item.type is OBJECT):
        # The items are picked from a list, rows are objects, and a chart needs a category and a number in each.
        members = _example_scope(item) if item else {"value": number + 1}
        return {"name": f"{_words(field.name)} {number + 1}"} | members
    return example_of(item) if item else f"{_words(field.name)} {number + 1}"


def _example_object(field: Field) -> dict[str, object]:
    example = {name: _example_member(member) for name, member in _members(field).items()}
    used = field.directives
    wholes = [row.field.whole for row in DIRECTIVES.values() if row in used and row.field.whole]
    return {**wholes[0], **example} if wholes else example


def _example_scope(field: Field) -> dict[str, object]:
    """Return an object in which names are looked up: the data, or an item of a list."""
    return _example_object(field) | {name: _example_member(member) for name, member in _beside(field)}


def _example_member(field: Field) -> object:
    """Return an object's member; one shown as a text is a text."""
    if field.type is not OBJECT:
        return example_of(field)
    return _words(field.name) if field.is_torn else _example_object(field)


def _beside(field: Field, path: str = "") -> Iterator[tuple[str, Field]]:
    """Yield the members of a field shown as a text, too: they are siblings of it, under their whole names."""
    for name, member in _members(field).items():
        below = f"{path}{name}"
        if member.type is OBJECT:
            if member.is_torn:
                yield from _leaves(member, f"{below}.")
            yield from _beside(member, f"{below}.")


def _leaves(field: Field, path: str) -> Iterator[tuple[str, Field]]:
    for name, member in _members(field).items():
        if member.type is OBJECT:
            yield from _leaves(member, f"{path}{name}.")
        if member.type is not OBJECT or member.is_text:
            yield f"{path}{name}", member


def _members(field: Field) -> dict[str, Field]:
    """Return an object's members; a block over the object uses members, too."""
    return {**field.item.members, **field.members} if field.item else field.members


def _merge(*fields: Field | None) -> Field | None:
    """Return a field for all uses of one item: objects with the members of all of them, else the last."""
    merged: Field | None = None
    for field in filter(None, fields):
        if merged and merged.type is field.type is OBJECT:
            known, more = _members(merged), _members(field)
            # A text says the least about the type of a member.
            known = {name: member for name, member in known.items() if name not in more or member.type is not TEXT}
            merged = Field(field.name, OBJECT, more | known, uses=[*merged.uses, *field.uses])
        else:
            merged = field
    return merged


def _must_be_true(field: Field) -> bool:
    """Return whether the example's value must be true: `if` and blocks need it true, `unless` and `{{^…}}` false."""
    return any(
        use.example is True
        or (isinstance(use.expression, Directive) and use.expression.kind == "if")
        or (isinstance(use.expression, BlockStart) and not use.expression.inverted)
        for use in field.uses
    )


def _words(name: str) -> str:
    """Return the last part of a name as words: `customer.firstName` is First name, `first_name` too."""
    last = _JOINTS.sub(" ", name.rpartition(".")[2].rstrip("[]")).lower()
    return last[:1].upper() + last[1:]


def schema_of(field: Field, descriptions: Mapping[str, str], *, is_member: bool = False) -> dict[str, object]:
    """Return the schema of a value; nothing is required, since a missing value is a finding and no error.

    An object that is not a member (the data itself, an item of a list) is one that names are looked up in.
    """
    instead = f"Where an item has none, {field.outer!r} of the data around it is shown." if field.outer else ""
    text = descriptions.get(field.name, instead)
    described: dict[str, object] = {"description": text} if text else {}
    if field.type is OBJECT:
        if is_member and field.is_torn:
            return dict(TEXT.schema) | described
        members = {**_members(field), **({} if is_member else dict(_beside(field)))}
        schemas = {name: schema_of(member, descriptions, is_member=True) for name, member in members.items()}
        return {"type": "object", "properties": schemas} | described
    if field.type is LIST:
        item = _merge(*field.numbered.values(), field.item)
        if item and item.type is LIST and (table := DIRECTIVES["table"]) in field.directives:
            # Rows may be objects just as well.
            return dict(table.field.schema) | described
        items = schema_of(item, descriptions) if item else {"type": SCALAR}
        return {"type": ["array", "null"], "items": items} | described
    return dict((field.type or TEXT).schema) | described
