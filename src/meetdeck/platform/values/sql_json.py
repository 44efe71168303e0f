"""SQL that writes rows as JSON, byte for byte as `write_json` writes the Struct of such a row.

This way a list of a hundred thousand rows takes the database a few microseconds for each, and us next to nothing. The
names of the members, their order and which may be missing are the Struct's own (docs/decisions/0051).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from enum import Enum
from itertools import groupby
from types import NoneType
from typing import Any, get_args, get_origin
from uuid import UUID

import msgspec
from msgspec.structs import FieldInfo, fields

from meetdeck.platform.values.annotations import options_of


class _Text(str):
    """A piece of the JSON that is the same for every row."""

    __slots__ = ()


def render_object(kind: type[msgspec.Struct], columns: Mapping[str, str], *, without: Collection[str] = ()) -> str:
    """Return an SQL expression of type `text`: a row as the JSON object of a Struct.

    `columns` gives the column or expression of a member's value, when it is not a column of the member's name. Texts,
    ids, times, integers, true and false, enumerations, arrays of ids, and `jsonb` arrays of Structs are written. The
    first member must be one that is never left out. Members of `without` are not written.

    The expression calls as few functions as possible: PostgreSQL prepares each, with the right to call it, for each
    statement, even if no row needs it. So `concat` writes what it can itself.
    """
    pieces: list[str] = [_Text("{")]
    for place, field in enumerate(each for each in fields(kind) if each.name not in without):
        name = f'{"," if place else ""}"{field.encode_name}":'
        pieces += _render_member(field, name, columns.get(field.name, field.name))
    return f"concat({', '.join(_join_texts([*pieces, _Text('}')]))})"


def _join_texts(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the arguments of `concat`: expressions, and each run of texts as one."""
    for kind, run in groupby(pieces, type):
        if kind is _Text:
            yield f"'{''.join(run)}'"
        else:
            yield from run


def _render_member(field: FieldInfo, name: str, column: str) -> list[str]:
    """Return the member with its name; null, which `concat` skips, for an empty member that may be UNSET."""
    found = options_of(field.type)
    (kind,) = [each for each in found if each not in {NoneType, msgspec.UnsetType}]
    if msgspec.UnsetType in found:
        written = f"'{name}'::text || {_render_value(kind, column)}"  # null if the value is
        is_list = get_origin(kind) is list
        return [f"case when not {column} = '{_find_empty(kind)}' then {written} end" if is_list else written]
    if NoneType in found:
        return [_Text(name), f"coalesce({_render_value(kind, column)}, 'null')"]
    if kind is UUID or (isinstance(kind, type) and issubclass(kind, Enum)):
        return [_Text(f'{name}"'), column, _Text('"')]
    return [_Text(name), _render_value(kind, column)]


def _find_empty(kind: Any) -> str:  # noqa: ANN401 - any annotation
    """Return an empty array of ids, or of Structs in `jsonb`."""
    return "{}" if UUID in options_of(get_args(kind)[0]) else "[]"


def _render_value(kind: Any, column: str) -> str:  # noqa: ANN401 - any annotation
    """Return the value as JSON, of type `json` or `text`; null when the column is."""
    if get_origin(kind) is list:
        (item,) = options_of(get_args(kind)[0])
        return f"to_json({column})" if item is UUID else _render_structs(item, column)
    if kind in {bool, int}:
        return f"{column}::text"
    if kind is datetime:
        return f"json_time({column})"
    if kind in {str, UUID} or issubclass(kind, Enum):
        return f"to_json({column})"
    raise NotImplementedError(f"{kind} is not written by SQL yet")


def _render_structs(kind: type[msgspec.Struct], column: str) -> str:
    """Return an array of Structs without null members."""
    if any(NoneType in options_of(field.type) for field in fields(kind)):
        raise NotImplementedError(f"{kind} has a member that may be null, which json_objects leaves out")
    return f"json_objects({column}, '{{{','.join(field.encode_name for field in fields(kind))}}}')"
