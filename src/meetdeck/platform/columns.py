"""Lists of columns for SQL, made from the Struct whose members the columns store (docs/decisions/0065)."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

_PLACEHOLDER = re.compile(r"\{(?:(?P<table>\w+)\.)?(?P<name>[^\W\d]\w*)(?P<as_members> as members)?\}")


class Columns(Mapping[str, str]):
    """The columns of a table by the member of a Struct that each stores, in the Struct's order.

    A member's column has its name, unless `renamed` has another; members that are stored `elsewhere` have none here.
    """

    def __init__(self, kind: type[msgspec.Struct], *, elsewhere: Collection[str] = (), **renamed: str) -> None:
        members = kind.__struct_fields__
        if unknown := sorted({*elsewhere, *renamed} - {*members}):
            raise ValueError(f"{kind.__name__} has no member {', '.join(unknown)}; it has {', '.join(members)}.")
        self._columns = {member: renamed.get(member, member) for member in members if member not in elsewhere}

    def __getitem__(self, member: str) -> str:
        return self._columns[member]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def write(self, resource: msgspec.Struct, **members: object) -> dict[str, Any]:
        """Return a row of the table for `jsonb_populate_record`: a resource's members, those given here instead.

        What is UNSET is null.
        """
        row = {
            column: members[member] if member in members else getattr(resource, member)
            for member, column in self._columns.items()
        }
        return {column: None if value is UNSET else value for column, value in row.items()}

    def render(self, table: str | None = None, *, as_members: bool = False) -> str:
        """Return the columns as an SQL list: of a table or its alias, and with the members' names when asked."""
        of_table = f"{table}." if table else ""
        return ", ".join(
            f'{of_table}"{column}" as "{member}"' if as_members else f'{of_table}"{column}"'
            for member, column in self._columns.items()
        )


def expand_columns(sql: str, lists: Mapping[str, Columns], *, source: str) -> str:
    """Return the SQL with its placeholders replaced by the columns that they stand for.

    `{columns}` in `insert into room (tenant_id, {columns})`, `{given.columns}` for those of a table or alias,
    `{columns as members}` to read them under the members' names. `columns` is the name of a list. Raises ValueError
    for another name; it names the `source`.
    """

    def expand(found: re.Match[str]) -> str:
        columns = lists.get(found["name"])
        if columns is None:
            known = ", ".join(f"{{{name}}}" for name in lists) or "none"
            raise ValueError(f"{source}: {found[0]} is no list of columns that the store gives. It gives {known}.")
        return columns.render(found["table"], as_members=found["as_members"] is not None)

    return _PLACEHOLDER.sub(expand, sql)
