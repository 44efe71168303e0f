"""The table of a kind of resource with texts in several languages."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.localization.languages import Languages, read_stored
from meetdeck.booking.localization.texts import list_pairs, show
from meetdeck.platform.database import Columns, Connection, Queries, Table, load_queries

R = TypeVar("R", bound=msgspec.Struct)

LANGUAGES: Final = """
    (select main_locale from organization_setting) as main_locale,
    (select enabled_locales from organization_setting) as enabled_locales"""
"""The columns of a `select` that `read_translated` needs, beside those of the resource."""


class TranslatedTable(Table[R]):
    """The rows of a table whose resources have `localized…` members, each in a column with its name.

    A resource that is read has its texts in the organization's languages; one that is written has the changed ones in
    languages other than the main one, and None for one to remove.
    """

    def __init__(self, name: str, columns: Columns[R], *, order_by: str, elsewhere: str = "") -> None:
        localized = [pair.localized for pair in list_pairs(columns.kind)]
        self.elsewhere: Final = ",\n    ".join(filter(None, [elsewhere, *localized, LANGUAGES.strip()]))
        super().__init__(name, columns, order_by=order_by, elsewhere=self.elsewhere)
        parts = {
            "{given_localized}": ", ".join(f"jsonb_strip_nulls(coalesce({each}, '{{}}'))" for each in localized),
            "{changed_localized}": ", ".join(
                f"{each} = jsonb_strip_nulls({name}.{each} || coalesce(given.{each}, '{{}}'))" for each in localized
            ),
            "{localized}": ", ".join(localized),
            "{table}": name,
            "{key}": columns["id"],
        }
        self._translated: Queries = load_queries(__file__, "translated_rows.sql", parts=parts, columns=columns)
        self._table = name
        self._localized = localized

    def read(self, row: Record | Mapping[str, Any]) -> R:
        """Return the resource in a row, with its texts in the organization's languages."""
        return read_translated(self.columns, row)

    def write(self, resource: R) -> dict[str, Any]:
        """Return the row of a resource, its `localized…` without the main language."""
        return super().write(resource) | {name: getattr(resource, name) or None for name in self._localized}

    async def add(self, connection: Connection, new: Sequence[R]) -> set[UUID]:
        """Insert the resources with new ids, and return those ids."""
        insert = getattr(self._translated, f"add_{self._table}")
        return {row["id"] async for row in insert(connection, rows=[self.write(one) for one in new])}

    async def update(self, connection: Connection, changed: Sequence[R]) -> None:
        """Update locked resources."""
        await getattr(self._translated, f"update_{self._table}")(connection, rows=[self.write(one) for one in changed])


def read_translated(columns: Columns[R], row: Record | Mapping[str, Any], **members: object) -> R:
    """Return the resource in a row that has the columns `LANGUAGES`, with its texts in these languages."""
    found, languages = split_languages(row)
    return show(columns.read(found, **members), languages)


def split_languages(row: Record | Mapping[str, Any]) -> tuple[dict[str, Any], Languages]:
    """Return a row without the columns `LANGUAGES`, and the languages in them."""
    found = dict(row)
    return found, read_stored(found.pop("main_locale"), found.pop("enabled_locales"))
