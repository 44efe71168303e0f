"""SQL that writes rows as JSON, byte for byte as `write_json` writes the Struct of such a row.

This way a list of a hundred thousand rows takes the database a few microseconds for each, and us next to nothing. The
names of the members, their order and which may be missing are the Struct's own (docs/decisions/0051).
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from enum import Enum
from types import NoneType
from typing import Any, get_args, get_origin
from uuid import UUID

import msgspec
from msgspec.structs import FieldInfo, fields

from meetdeck.platform.values.annotations import options_of


def render_object(kind: type[msgspec.Struct], columns: Mapping[str, str], *, without: Collection[str] = ()) -> str:
    """Return an SQL expression of type `text`: a row as the JSON object of a Struct.

    `columns` gives the column or expression of a member's value, when it is not a column of the member's name. Texts,
    ids, times, integers, true and false, enumerations, arrays of ids, and `jsonb` arrays of Structs are written. The
    first member must be one that is never left out. Members of `without` are not written.
    """
    members = [
        _render_member(field, columns.get(field.name, field.name), is_first=not place)
        for place, field in enumerate(fields(kind))
        if field.name not in without
    ]
    return f"concat('{{', {', '.join(members)}, '}}')"


def _render_member(field: FieldInfo, column: str, *, is_first: bool) -> str:
    """Return the member with its name; null, which `concat` skips, for an empty member that may be UNSET."""
    found = options_of(field.type)
    name = f'{"" if is_first else ","}"{field.encode_name}":'
    (value_kind,) = [each for each in found if each not in {NoneType, msgspec.UnsetType}]
    value = _render_value(value_kind, column)
    if msgspec.UnsetType in found:
        empty = f"{column} = '{_find_empty(value_kind)}'" if get_origin(value_kind) is list else f"{column} is null"
        return f"case when not {empty} then concat('{name}', {value}) end"
    if NoneType in found:
        value = f"coalesce({value}, 'null')"
    return f"'{name}', {value}"


def _find_empty(kind: Any) -> str:  # noqa: ANN401 - any annotation
    """Return an empty array of ids, or of Structs in `jsonb`."""
    return "{}" if UUID in options_of(get_args(kind)[0]) else "[]"


def _render_value(kind: Any, column: str) -> str:  # noqa: ANN401 - any annotation
    """Return the value as JSON; null when the column is."""
    if get_origin(kind) is list:
        (item,) = options_of(get_args(kind)[0])
        return _render_ids(column) if item is UUID else _render_structs(item, column)
    if kind in {bool, int}:
        return f"{column}::text"
    if kind is UUID or issubclass(kind, Enum):
        return f"'\"' || {column} || '\"'"
    if kind is datetime:
        return f"json_time({column})"
    if kind is str:
        return f"to_json({column})::text"
    raise NotImplementedError(f"{kind} is not written by SQL yet")


def _render_ids(column: str) -> str:
    return f"case when {column} = '{{}}' then '[]' else '[\"' || array_to_string({column}, '\",\"') || '\"]' end"


def _render_structs(kind: type[msgspec.Struct], column: str) -> str:
    """Return an array of Structs whose members are texts."""
    names = [field.encode_name for field in fields(kind)]
    record = ", ".join(f'"{name}" text' for name in names)
    written = render_object(kind, {field.name: f'item."{field.encode_name}"' for field in fields(kind)})
    items = f"jsonb_to_recordset({column}) as item ({record})"
    return f"(select concat('[', string_agg({written}, ','), ']') from {items})"  # noqa: S608 - made of the model alone
