"""Reading the parameters of a query, in all usual spellings of arrays."""

import re
from typing import Any, TypeVar, cast, get_args, get_origin

import msgspec

from meetdeck.platform.errors import Fault, UnstorableText
from meetdeck.platform.values.serialization import read_builtins

T = TypeVar("T", bound=msgspec.Struct)

_BRACKETS = re.compile(r"\[[0-9]*\]$")  # as many clients write arrays: name[]=a&name[]=b, name[0]=a&name[1]=b


def read_query_params(raw: dict[str, list[Any]], kind: type[T]) -> T:
    """Read a query as `kind`; arrays are read repeated and comma-separated, with or without brackets at the name.

    Raises UnstorableText for U+0000, which matches nothing that is stored, whether or not the database sees it.
    """
    values: dict[str, str | list[str]] = {}
    for field in msgspec.structs.fields(kind):
        texts = cast("list[str]", raw.get(field.encode_name, []))
        if _is_array(field.type):
            texts = [text for name in raw if _BRACKETS.sub("", name) == field.encode_name for text in raw[name]]
            if texts:
                values[field.encode_name] = [part.strip() for text in texts for part in text.split(",") if part.strip()]
        elif texts and texts[-1] != "":
            values[field.encode_name] = texts[-1]
    faults = tuple(
        Fault(f"/query/{name}", "Leave out the character U+0000.")
        for name, value in values.items()
        if any("\0" in text for text in _list_texts(value))
    )
    if faults:
        raise UnstorableText(faults=faults)
    return read_builtins(values, kind, pointer="/query", strict=False)


def _list_texts(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _is_array(kind: object) -> bool:
    return get_origin(kind) is list or any(map(_is_array, get_args(kind)))
