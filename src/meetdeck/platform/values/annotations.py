"""Annotations as descriptions of values: an array's items, a Struct's members, texts of one line.

`serialization.py` reads every body, form, query and patched resource by them.
"""

import re
import types
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple, Self, TypeVar, Union, cast, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, fields, replace

from meetdeck.platform.phrases import phrase

S = TypeVar("S", bound=msgspec.Struct)

# C0, DEL, C1, the two separators that calendars and mails read as line breaks, and the controls that reorder the
# text around them (UAX 9: embeddings, overrides and isolates; marks may stay). U+0000 is `unstorable_text`.
_CONTROL = re.compile("[\x01-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_ADDRESS = re.compile(r"[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+")


@dataclass(frozen=True, slots=True)
class SingleLine:
    """Marks a text without line breaks and other control characters: names, titles, subjects, addresses.

    It is in an annotation of a member or of an array's items: `Annotated[str, SingleLine(1, 200)]`. The spaces around
    the text are removed unless they are kept; the rest has that many characters.
    """

    least: int
    most: int
    is_address: bool = False
    keeps_spaces: bool = False

    def find_fault(self, text: str) -> str | None:
        """Return the fault of a text without spaces around it, None when there is none."""
        if not self.least <= len(text) <= self.most:
            return (
                phrase("Must have at most {limit} characters.", limit=self.most)
                if text
                else phrase("Must not be empty.")
            )
        if found := _CONTROL.search(text):
            return phrase(
                "Character {place} is a line break or another control character ({code}); write one line.",
                place=found.start() + 1,
                code=f"U+{ord(found[0]):04X}",
            )
        if self.is_address and text and not _ADDRESS.fullmatch(text):
            return phrase("Write an e-mail address like anna@example.com.")
        return None

    def read(self, text: str) -> str:
        """Return the text as it is stored. Raises msgspec.ValidationError with its fault."""
        kept = text if self.keeps_spaces else text.strip()
        if detail := self.find_fault(kept):
            raise msgspec.ValidationError(detail)
        return kept


class NotEmpty:
    """Marks an array of a query that restricts the answer, so that an empty one would widen it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A value as described by its annotation: the items of an array, the Structs of an object, the limits of a text."""

    kind: Any
    item: "Shape | None"
    structs: tuple[type[msgspec.Struct], ...]
    text: SingleLine | None

    @classmethod
    def of(cls, kind: Any) -> Self:  # noqa: ANN401 - any annotation
        """Return the shape of an annotation."""
        options = options_of(kind)
        item = next((get_args(option)[0] for option in options if get_origin(option) is list), None)
        return cls(
            kind,
            item=cls.of(item) if item is not None else None,
            structs=tuple(one for one in options if isinstance(one, type) and issubclass(one, msgspec.Struct)),
            text=_find_mark(kind),
        )

    @property
    def struct(self) -> type[msgspec.Struct] | None:
        """Return the Struct of an object; None when there is none, or several."""
        return self.structs[0] if len(self.structs) == 1 else None


class Member(NamedTuple):
    """A member of a Struct; for `may_be_left_out` see the function of that name."""

    name: str
    encode_name: str
    shape: Shape
    required: bool
    may_be_left_out: bool


@cache  # a Struct's annotations do not change, and looking through them takes longer than reading a body
def members_of(struct: type[msgspec.Struct]) -> dict[str, Member]:
    """Return a Struct's members by the names that callers write."""
    return {
        field.encode_name: Member(
            field.name, field.encode_name, Shape.of(field.type), field.required, may_be_left_out(field)
        )
        for field in fields(struct)
    }


def may_be_left_out(field: FieldInfo) -> bool:
    """Return whether a null member is read as a missing one."""
    return not field.required and types.NoneType not in options_of(field.type)


def options_of(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any annotation
    """Return the types of a union, or the one type, without `Annotated`."""
    if get_origin(kind) is Annotated:
        return options_of(get_args(kind)[0])
    if get_origin(kind) in {Union, types.UnionType}:
        return tuple(option for each in get_args(kind) for option in options_of(each))
    return (kind,)


@cache  # asked of every body that is read
def find_texts(kind: Any) -> Shape | None:  # noqa: ANN401 - any annotation
    """Return the shape of an annotation below which there are texts to trim, None when there are none."""
    shape = Shape.of(kind)
    return shape if _holds_texts(shape) else None


def trim(value: object, shape: Shape) -> object:
    """Return a value with its texts trimmed: the same when there is nothing to trim.

    Raises msgspec.ValidationError for a text that breaks its limits.
    """
    if isinstance(value, str):
        return value if shape.text is None else shape.text.read(value)
    if isinstance(value, msgspec.Struct):
        return _trim_members(value)
    if isinstance(value, list) and shape.item is not None:
        return [trim(each, shape.item) for each in cast("list[object]", value)]
    return cast("object", value)


def _trim_members(struct: S) -> S:
    changed: dict[str, object] = {}
    for name, shape in _list_members_with_texts(type(struct)):
        before: object = getattr(struct, name)
        after = trim(before, shape)
        if after is not before:
            changed[name] = after
    return replace(struct, **changed) if changed else struct


@cache
def _list_members_with_texts(struct: type[msgspec.Struct]) -> tuple[tuple[str, Shape], ...]:
    return tuple((member.name, member.shape) for member in members_of(struct).values() if _holds_texts(member.shape))


def _holds_texts(shape: Shape, above: tuple[type[msgspec.Struct], ...] = ()) -> bool:
    """Return whether a value can contain a text to trim; `above` are the Structs that were already searched."""
    if shape.text is not None:
        return True
    if shape.item is not None and _holds_texts(shape.item, above):
        return True
    inside = (
        (struct, member) for struct in shape.structs if struct not in above for member in members_of(struct).values()
    )
    return any(_holds_texts(member.shape, (*above, struct)) for struct, member in inside)


def _find_mark(kind: Any) -> SingleLine | None:  # noqa: ANN401 - any annotation
    """Return the mark of a text in its annotation, even of a nullable one."""
    if get_origin(kind) is Annotated:
        inside, *marks = get_args(kind)
        return next((mark for mark in marks if isinstance(mark, SingleLine)), None) or _find_mark(inside)
    if get_origin(kind) in {Union, types.UnionType}:
        return next(filter(None, map(_find_mark, get_args(kind))), None)
    return None
