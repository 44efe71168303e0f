"""Lists of columns for SQL, made from the Struct whose members the columns store (docs/decisions/0065)."""

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import time, timedelta
from enum import Enum
from typing import Any, Generic, TypeVar

import msgspec
from asyncpg import Record
from msgspec import UNSET
from msgspec.structs import fields

from meetdeck.platform.values import Duration, TimeOfDay

S = TypeVar("S", bound=msgspec.Struct)

_PLACEHOLDER = re.compile(
    r"\{(?:(?P<table>\w+)\.)?(?P<name>[^\W\d]\w*)(?: as (?P<form>members|parameters|arguments))?\}"
)


class Columns(Mapping[str, str], Generic[S]):
    """The columns of a table by the member of a Struct that each stores, in the Struct's order.

    A member's column has its name, unless `renamed` has another; members stored `elsewhere` have no column here.
    `values` are SQL expressions by column that are inserted instead of the parameter of that name alone.
    """

    def __init__(
        self, kind: type[S], *, elsewhere: Collection[str] = (), values: Mapping[str, str] | None = None, **renamed: str
    ) -> None:
        members = kind.__struct_fields__
        if unknown := sorted({*elsewhere, *renamed} - {*members}):
            raise ValueError(f"{kind.__name__} has no member {', '.join(unknown)}; it has {', '.join(members)}.")
        self.kind = kind
        self._names = {field.name: field.encode_name for field in fields(kind)}
        self._columns = {member: renamed.get(member, member) for member in members if member not in elsewhere}
        self._values = values or {}

    def __getitem__(self, member: str) -> str:
        return self._columns[member]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def write(self, resource: msgspec.Struct, **members: object) -> dict[str, Any]:
        """Return a row of the table: a resource's members, overridden by those given here; UNSET becomes null."""
        row = {
            column: members[member] if member in members else getattr(resource, member)
            for member, column in self._columns.items()
        }
        return {column: _to_value(value) for column, value in row.items()}

    def read(self, row: Record | Mapping[str, Any], **members: object) -> S:
        """Return the resource of a row under the members' names, converted to the members' types.

        `members` are those that are stored elsewhere, or replace the row's.
        """
        found = dict(row.items()) | members  # not `dict(row)`, which asks a row of a gathered SELECT for each column
        return msgspec.convert(
            {self._names[member]: value for member, value in found.items()}, self.kind, dec_hook=_read_value
        )

    def render(self, table: str | None = None, form: str | None = None) -> str:
        """Return the columns as an SQL list: of a table or its alias, and in one of the forms of `expand_columns`."""
        if form == "arguments":
            return ", ".join(self._columns.values())
        if form == "parameters":
            return ", ".join(self._values.get(column, f":{column}") for column in self._columns.values())
        of_table = f"{table}." if table else ""
        return ", ".join(
            f'{of_table}"{column}" as "{member}"' if form == "members" else f'{of_table}"{column}"'
            for member, column in self._columns.items()
        )


def _to_value(value: object) -> object:
    """Return a member in the form that the database accepts."""
    if value is UNSET:
        return None
    return value.value if isinstance(value, Enum) else value


def _read_value(kind: type, value: Any) -> Any:  # noqa: ANN401 - any of the types that msgspec does not know
    """Return an `interval` or a `time` as the type of its member; msgspec's `dec_hook`."""
    if kind is Duration and isinstance(value, timedelta):
        return Duration.of(value)
    if kind is TimeOfDay and isinstance(value, time):
        return TimeOfDay(value.hour, value.minute, value.second)
    raise NotImplementedError(f"a column cannot be read as {kind}")


def expand_columns(sql: str, lists: Mapping[str, Columns[Any]], *, source: str) -> str:
    """Return the SQL with its placeholders replaced by the columns that they name.

    `{columns}` in `insert into room (tenant_id, {columns})`, `{given.columns}` for those of a table or alias, `{columns
    as members}` to read them under the members' names, `{columns as parameters}` for `:name, :capacity`, the values of
    one row, and `{columns as arguments}` for `name, capacity` where the query is named. `columns` is the name of a
    list. Raises ValueError for another name; it names the `source`.
    """

    def expand(found: re.Match[str]) -> str:
        columns = lists.get(found["name"])
        if columns is None:
            known = ", ".join(f"{{{name}}}" for name in lists) or "none"
            raise ValueError(f"{source}: {found[0]} is not a list of columns that the store gives. It gives {known}.")
        return columns.render(found["table"], found["form"])

    return _PLACEHOLDER.sub(expand, sql)
