"""Reading the parameters of a query, in all usual spellings of arrays."""

import re
from functools import cache
from typing import Any, TypeVar, cast, get_args, get_origin

import msgspec

from meetdeck.platform.errors import Fault, UnstorableText
from meetdeck.platform.values.annotations import NotEmpty
from meetdeck.platform.values.serialization import read_builtins, refuse

T = TypeVar("T", bound=msgspec.Struct)

_BRACKETS = re.compile(r"\[[0-9]*\]$")  # as many clients write arrays: name[]=a&name[]=b, name[0]=a&name[1]=b


def plain_name(name: str) -> str:
    """Return the name of an array's parameter without brackets."""
    return _BRACKETS.sub("", name)


def read_query_params(raw: dict[str, list[Any]], kind: type[T], *, refuses_empty: bool = False) -> T:
    """Read a query as `kind`; arrays are read repeated and comma-separated, with or without brackets at the name.

    `refuses_empty`: an empty array that would widen the answer is a fault; the contracts take it as not given.

    Raises InvalidInput, and UnstorableText for U+0000, which matches nothing that is stored, whether or not the
    database sees it.
    """
    values: dict[str, str | list[str]] = {}
    plain_names = {name: plain_name(name) for name in raw}
    faults: list[Fault] = []
    for member, is_array, may_be_empty in _list_members(kind):
        texts = cast("list[str]", raw.get(member, []))
        if is_array:
            texts = [text for name, plain in plain_names.items() if plain == member for text in raw[name]]
            if texts:
                parts = [part.strip() for text in texts for part in text.split(",") if part.strip()]
                values[member] = parts
                if refuses_empty and not parts and not may_be_empty:
                    faults.append(Fault(f"/query/{member}", "Give at least one, or leave it out."))
        elif texts and texts[-1] != "":
            values[member] = texts[-1]
    unstorable = tuple(
        Fault(f"/query/{name}", "Leave out the character U+0000.")
        for name, value in values.items()
        if any("\0" in text for text in _list_texts(value))
    )
    if unstorable:
        raise UnstorableText(faults=unstorable)
    refuse(faults)
    return read_builtins(values, kind, pointer="/query", strict=False)


def find_empty_parameters(raw: dict[str, list[Any]], kind: type[msgspec.Struct]) -> list[Fault]:
    """Return a fault for each parameter, other than arrays, whose value is empty and therefore not read."""
    return [
        Fault(f"/query/{name}", "Give a value, or leave it out.")
        for name, is_array, _ in _list_members(kind)
        if not is_array and raw.get(name, [None])[-1] == ""
    ]


@cache
def _list_members(kind: type[msgspec.Struct]) -> tuple[tuple[str, bool, bool], ...]:
    """Return the names of a query's members, whether each is an array, and whether that may be empty."""
    return tuple(
        (field.encode_name, _is_array(field.type), NotEmpty not in get_args(field.type))
        for field in msgspec.structs.fields(kind)
    )


def _list_texts(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _is_array(kind: object) -> bool:
    return get_origin(kind) is list or any(map(_is_array, get_args(kind)))
