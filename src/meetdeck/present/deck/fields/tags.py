"""The tags of a template as callers see them, with types and places, an example document and a schema."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, NamedTuple

from meetdeck.present.deck.fields.example import data_schema, example_data
from meetdeck.present.deck.fields.fields import Field, infer_fields
from meetdeck.present.deck.fields.uses import Level, Use
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.language.directives import DIRECTIVES
from meetdeck.present.deck.language.field_types import DATE, NUMBER, SHARE, TEXT, TagType


class Occurrence(NamedTuple):
    """The place of a tag: `part` is the kind of part, `paragraph` counts from 1 in the text body, 0 outside of one."""

    slide: str
    shape: str
    part: str
    paragraph: int


class TagInfo(NamedTuple):
    """A field as callers see it: `name` is the path to it, an item's members as `holdings[].name`.

    `description` is empty when the template has none. `kind` tells authors more about a value shown as a text: whether
    it is a number or a date.
    """

    name: str
    description: str
    type: TagType
    occurrences: tuple[Occurrence, ...]
    kind: str = "text"


class Description(NamedTuple):
    """A row of the table that describes the tags; `is_header` for one that may be the table's header."""

    name: str
    text: str
    is_header: bool


_KINDS: Final[Mapping[str, str]] = {NUMBER.name: "number", SHARE.name: "number", DATE.name: "date"}
# A column of `{{table:…}}` whose cells have a format: the example needs the name, though the author has given none.
_COLUMN: Final = re.compile(r"\[\]\.[0-9]+$")


@dataclass(frozen=True)
class TemplateFields:
    """The fields of a template, computed when first read: decks are built without them.

    `uses` are the tags, blocks and directives in order, `levels` the names that blocks repeat for, `rows` those of the
    table that describes the tags, `borrowed` those of templates whose slides stand in this one.
    """

    uses: tuple[Use, ...]
    levels: Mapping[str, Level]
    rows: tuple[Description, ...]
    borrowed: tuple[Description, ...] = ()

    def of_slides(self, names: Collection[str]) -> "TemplateFields":
        """Return the fields of some slides, and those used on no slide, such as on a master."""
        kept = {*names, ""}
        return replace(self, uses=tuple(use for use in self.uses if use.slide in kept))

    @cached_property
    def _root(self) -> Field:
        return infer_fields(self.uses, self.levels)

    @cached_property
    def _descriptions(self) -> dict[str, str]:
        """The descriptions by tag name; an item's members are `holdings[].name`, `holdings.name` or `name`."""
        known = _spellings(self._root)
        descriptions: dict[str, str] = {}
        for name, text, is_header in self.rows:
            if name in known or not is_header:
                descriptions.setdefault(known.get(name, name), text)
        for name, text, _ in self.borrowed:
            if name in known:
                descriptions.setdefault(known[name], text)
        return descriptions

    @cached_property
    def tags(self) -> tuple[TagInfo, ...]:
        """The tags in order of appearance, then those that only have a description."""
        fields = sorted(self._root.walk(), key=lambda field: field.first_use)
        used = {field.name: field for field in fields if not _COLUMN.search(field.name)}
        unused = [TagInfo(name, text, "text", ()) for name, text in self._descriptions.items() if name not in used]
        return (*(self._describe(field) for field in used.values()), *unused)

    def _describe(self, field: Field) -> TagInfo:
        places = tuple(
            Occurrence(use.slide, use.place.shape, use.place.part, use.place.paragraph) for use in field.uses
        )
        # Independent of the value's other uses.
        filled = next((row.field for row in DIRECTIVES.values() if row.fills and row in field.directives), None)
        field_type = filled or field.type or TEXT
        kind = _KINDS.get(field_type.name, field_type.tag_type)
        return TagInfo(field.name, self._descriptions.get(field.name, ""), field_type.tag_type, places, kind)

    def find_torn(self) -> list[Field]:
        """Return the fields used as a text in one place and for members, items or rows in another."""
        # Inferring takes long, and every upload asks for this: check first whether there may be any.
        texts = {use.expression.name for use in self.uses if isinstance(use.expression, Tag)}
        wholes = {use.expression.name for use in self.uses if isinstance(use.expression, BlockStart | Directive)}
        paths = {use.expression.path for use in self.uses if len(use.expression.path) > 1}
        wholes |= {".".join(path[:end]) for path in paths for end in range(1, len(path))}
        return [field for field in self._root.walk() if field.is_torn] if texts & wholes else []

    @cached_property
    def example(self) -> Mapping[str, object]:
        """Data that fills every tag."""
        return example_data(self._root)

    @cached_property
    def schema(self) -> Mapping[str, object]:
        """The JSON Schema of the data."""
        return data_schema(self._root, self._descriptions)


def _spellings(fields: Field) -> dict[str, str]:
    """Return the fields' names by every spelling that an author may use."""
    names = [field.name for field in fields.walk()]
    last = {name.rpartition("[].")[2]: name for name in reversed(names)}
    return last | {name.replace("[]", ""): name for name in names} | {name: name for name in names}
