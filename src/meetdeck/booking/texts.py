"""Names, lines, texts and e-mail addresses in bodies: their limits, and reading them without the spaces around."""

import re
import types
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Self, TypeVar, Union, cast, get_args, get_origin

import msgspec
from msgspec import Meta

from meetdeck.platform.errors import Fault
from meetdeck.platform.patching.reading import refuse

S = TypeVar("S", bound=msgspec.Struct)

_ADDRESS = re.compile(r"[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+")


@dataclass(frozen=True, slots=True)
class Trimmed:
    """Marks a text for `read_texts`: the spaces around it do not count, and what is left has so many characters."""

    least: int
    most: int
    is_address: bool = False

    def find_fault(self, text: str) -> str | None:
        """Return what is wrong with a text that is trimmed already, None when nothing is."""
        if not self.least <= len(text) <= self.most:
            return f"{len(text)} characters; {self.most} are the most." if text else "Empty; write something."
        if self.is_address and text and not _ADDRESS.fullmatch(text):
            return "No e-mail address: write it like anna@example.com."
        return None


def _document(least: int, most: int, description: str) -> Meta:
    """Describe the limits on the page; `read_texts` checks them, since msgspec would count the spaces too."""
    return Meta(description=description, extra_json_schema={"minLength": least, "maxLength": most})


Name = Annotated[str, Trimmed(1, 200), _document(1, 200, "Spaces around it do not count.")]
Line = Annotated[str, Trimmed(0, 200), _document(0, 200, "May be empty. Spaces around it do not count.")]
Email = Annotated[str, Trimmed(0, 320, is_address=True), _document(0, 320, "An e-mail address, or empty.")]
Text = Annotated[str, Meta(max_length=10_000)]


def read_texts(sent: S) -> S:
    """Return a body with its names, lines and addresses trimmed. Raises InvalidInput, naming each that is wrong."""
    faults: list[Fault] = []
    read = _read(sent, "", faults)
    refuse(faults)
    return read


def _read(value: S, pointer: str, faults: list[Fault]) -> S:
    """Return a Struct with its texts trimmed: itself when nothing was to be trimmed."""
    changed: dict[str, object] = {}
    for member in _list_members(type(value)):
        before: object = getattr(value, member.name)
        after = _read_member(before, member, f"{pointer}/{member.encode_name}", faults)
        if after is not before:
            changed[member.name] = after
    return msgspec.structs.replace(value, **changed) if changed else value


def _read_member(value: object, member: "_Member", pointer: str, faults: list[Fault]) -> object:
    if isinstance(value, str):
        return _read_text(value, member.mark, pointer, faults) if member.mark is not None else value
    if isinstance(value, msgspec.Struct):
        return _read(value, pointer, faults)
    if not isinstance(value, list) or member.item is None:
        return cast("object", value)
    read: list[object] = []
    for place, item in enumerate(cast("list[object]", value)):
        read.append(_read_member(item, member.item, f"{pointer}/{place}", faults))
    return read


def _read_text(value: str, mark: Trimmed, pointer: str, faults: list[Fault]) -> str:
    text = value.strip()
    if detail := mark.find_fault(text):
        faults.append(Fault(pointer, detail))
    return text


@dataclass(frozen=True, slots=True)
class _Member:
    """Where there may be a text to read: the member itself, the items of its list, or inside of a Struct."""

    name: str
    encode_name: str
    mark: Trimmed | None
    item: "_Member | None"
    is_struct: bool

    @classmethod
    def of(cls, name: str, encode_name: str, kind: Any) -> Self | None:  # noqa: ANN401 - any annotation
        """Describe a member; None when there can be no text in it."""
        item = next((get_args(one)[0] for one in map(_unwrap, _options(kind)) if get_origin(one) is list), None)
        member = cls(
            name,
            encode_name,
            mark=_find_mark(kind),
            item=cls.of("", "", item) if item is not None else None,
            is_struct=any(isinstance(one, type) and issubclass(one, msgspec.Struct) for one in _options(kind)),
        )
        return member if member.mark or member.item or member.is_struct else None


@cache  # a Struct's annotations do not change, and reading them takes longer than reading a body
def _list_members(struct: type[msgspec.Struct]) -> tuple[_Member, ...]:
    found = (_Member.of(field.name, field.encode_name, field.type) for field in msgspec.structs.fields(struct))
    return tuple(member for member in found if member is not None)


def _find_mark(kind: Any) -> Trimmed | None:  # noqa: ANN401 - any annotation
    marks = (mark for option in _options(kind) for mark in getattr(option, "__metadata__", ()))
    return next((mark for mark in marks if isinstance(mark, Trimmed)), None)


def _unwrap(kind: Any) -> Any:  # noqa: ANN401 - any annotation
    return kind.__origin__ if hasattr(kind, "__metadata__") else kind


def _options(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any annotation
    return get_args(kind) if get_origin(kind) in {Union, types.UnionType} else (kind,)
