"""Names, lines, texts and e-mail addresses in bodies: their limits, and reading them without the spaces around."""

import re
import types
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin

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
        """Say what is wrong with a text that is trimmed already."""
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
    read = cast("S", _read(sent, type(sent), "", faults))
    refuse(faults)
    return read


def _read(value: object, kind: Any, pointer: str, faults: list[Fault]) -> object:  # noqa: ANN401 - any annotation
    if isinstance(value, msgspec.Struct):
        members = {
            field.name: _read(getattr(value, field.name), field.type, f"{pointer}/{field.encode_name}", faults)
            for field in msgspec.structs.fields(value)
        }
        return msgspec.structs.replace(value, **members)
    if isinstance(value, list):
        items, item = cast("list[object]", value), _find_item(kind)
        if item is None:
            return items
        return [_read(each, item, f"{pointer}/{place}", faults) for place, each in enumerate(items)]
    mark = _find_mark(kind)
    if mark is None or not isinstance(value, str):
        return value
    text = value.strip()
    if detail := mark.find_fault(text):
        faults.append(Fault(pointer, detail))
    return text


def _find_mark(kind: Any) -> Trimmed | None:  # noqa: ANN401 - any annotation
    marks = (mark for option in _options(kind) for mark in getattr(option, "__metadata__", ()))
    return next((mark for mark in marks if isinstance(mark, Trimmed)), None)


def _find_item(kind: Any) -> Any:  # noqa: ANN401 - any annotation
    """Return what a list holds, when there is something in it to read."""
    for option in _options(kind):
        inner = getattr(option, "__origin__", option) if hasattr(option, "__metadata__") else option
        if get_origin(inner) is list:
            item: Any = get_args(inner)[0]
            return item if _is_struct(item) or _find_mark(item) else None
    return None


def _is_struct(kind: Any) -> bool:  # noqa: ANN401 - any annotation
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _options(kind: Any) -> tuple[Any, ...]:  # noqa: ANN401 - any annotation
    return get_args(kind) if get_origin(kind) in {Union, types.UnionType} else (kind,)
