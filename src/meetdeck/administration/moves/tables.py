"""The tables that a move copies, as the catalog lists them, and the statements that copy and compare their rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from meetdeck.administration.archives.catalog import COUNTED, OF_ITS_SERVER, read_tables
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)

HOME: Final = "cell"
"""The column of `tenant` that names where the tenant lives: each database has its own value."""


@dataclass(frozen=True)
class MovedTable:
    """A table whose rows are copied. Names are those of the catalog, and `tenant` is the tenant as an SQL literal."""

    tenant: str
    name: str
    columns: Sequence[str]
    key: Sequence[str]
    counted: Sequence[str]
    """Columns that triggers count up while rows are added."""
    watched: Sequence[str]
    """Columns whose updates fire triggers, whether or not they change."""
    numbered: Sequence[str]
    """Columns whose numbers come from a sequence and never change."""
    refers_to_itself: bool

    @property
    def is_read_whole(self) -> bool:
        """Return whether all rows count as changed: there are few, and triggers or others write them in the target."""
        return bool(self.counted) or self.name == "tenant"

    @property
    def staged(self) -> str:
        """Return the temporary table of rows that have arrived."""
        return f'pg_temp."staged {self.name}"'

    @property
    def staged_keys(self) -> str:
        """Return the temporary table of keys that the source has."""
        return f'pg_temp."keys of {self.name}"'

    @property
    def stages(self) -> Sequence[str]:
        """Return the statements that create the temporary tables."""
        return [self._stage("staged", self.columns), self._stage("keys of", self.key)]

    def select(self, columns: Sequence[str], condition: str = "true") -> str:
        """Return the query of the tenant's rows."""
        return f'select {_list(columns)} from "{self.name}" where tenant_id = {self.tenant} and {condition}'  # noqa: S608 - of the catalog

    def count(self, condition: str) -> str:
        """Return the query of the table's name, the number of the tenant's rows, and that of those of a condition."""
        return (
            f"select '{self.name}' as name, count(*) as total, count(*) filter (where {condition}) as changed"  # noqa: S608 - of the catalog
            f' from "{self.name}" where tenant_id = {self.tenant}'
        )

    @cached_property
    def insert(self) -> str:
        """Return the statement that adds staged rows; a condition may follow. Triggers count what they count."""
        columns = _list([column for column in self.columns if column not in self.counted])
        return (
            f'insert into "{self.name}" ({columns}) overriding system value'  # noqa: S608 - of the catalog
            f" select {columns} from {self.staged} as staged"
        )

    @property
    def count_new(self) -> str:
        """Return the query of the number of staged rows that the table does not have."""
        return (
            f"select count(*) from {self.staged} as staged"  # noqa: S608 - of the catalog
            f' where not exists (select from "{self.name}" as kept where {self._is_same("staged")})'
        )

    @property
    def delete_gone(self) -> str:
        """Return the statement that deletes the rows whose keys the source does not have."""
        return (
            f'delete from "{self.name}" as kept where tenant_id = {self.tenant}'  # noqa: S608 - of the catalog
            f" and not exists (select from {self.staged_keys} as known where {self._is_same('known')})"
        )

    @property
    def update_watched(self) -> str:
        """Return the statement that updates watched columns where they differ, so that triggers fire for these rows."""
        return self._update(self.watched)

    @property
    def update_counted(self) -> str:
        """Return the statement that sets counted columns to the source's."""
        return self._update(self.counted)

    def upsert(self, condition: str = "true") -> str:
        """Return the statement that adds or changes staged rows."""
        fixed = {*self.key, *self.counted, *self.watched, *self.numbered}
        changed = [column for column in self.columns if column not in fixed]
        sets = ", ".join(f'"{column}" = excluded."{column}"' for column in changed)
        conflict = f"do update set {sets}" if sets else "do nothing"
        return f"{self.insert} where {condition} on conflict ({_list(self.key)}) {conflict}"

    def _stage(self, prefix: str, columns: Sequence[str]) -> str:
        name = f'"{prefix} {self.name}"'
        return f'create temp table {name} as select {_list(columns)} from "{self.name}" with no data'  # noqa: S608 - of the catalog

    def _update(self, columns: Sequence[str]) -> str:
        sets = ", ".join(f'"{column}" = staged."{column}"' for column in columns)
        differs = " or ".join(f'kept."{column}"::text is distinct from staged."{column}"::text' for column in columns)
        return (
            f'update "{self.name}" as kept set {sets} from {self.staged} as staged'  # noqa: S608 - of the catalog
            f" where {self._is_same('staged')} and ({differs})"
        )

    def _is_same(self, other: str) -> str:
        return " and ".join(f'kept."{column}" = {other}."{column}"' for column in self.key)


async def read_moved_tables(connection: Connection, tenant: str) -> list[MovedTable]:
    """Return the tables to copy, each after those that it refers to."""
    watched: dict[str, list[str]] = {
        row["table_name"]: row["columns"] async for row in queries.list_watched(connection)
    }
    return [
        MovedTable(
            tenant=tenant,
            name=table.name,
            columns=[column.name for column in table.columns if (table.name, column.name) != ("tenant", HOME)],
            key=table.key,
            counted=sorted(COUNTED.get(table.name, ())),
            watched=watched.get(table.name, []),
            numbered=[column.name for column in table.columns if column.sequence is not None],
            refers_to_itself=table.refers_to_itself,
        )
        for table in await read_tables(connection)
        if table.is_of_tenants and table.name not in OF_ITS_SERVER
    ]


def _list(columns: Sequence[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)
