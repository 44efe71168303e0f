"""JSON Schemas of the lines of an export, made from the database's own catalog."""

from typing import Any, Final

from meetdeck.administration.archives.catalog import Column, Table
from meetdeck.administration.exports.sealed import CLEAR_COLUMNS
from meetdeck.administration.exports.tables import TABLES

Schema = dict[str, Any]

_TYPES: Final[dict[str, Schema]] = {
    "bigint": {"type": "integer"},
    "boolean": {"type": "boolean"},
    "bytea": {"type": "string", "pattern": r"^\\x([0-9a-f]{2})*$"},
    "date": {"type": "string", "format": "date"},
    "integer": {"type": "integer"},
    "interval": {"type": "string", "format": "duration"},
    "jsonb": {},
    "smallint": {"type": "integer"},
    "text": {"type": "string"},
    "time without time zone": {"type": "string", "pattern": r"^\d\d:\d\d:\d\d(\.\d+)?$"},
    "timestamp with time zone": {"type": "string", "format": "date-time"},
    "uuid": {"type": "string", "format": "uuid"},
}


def describe_lines(table: Table) -> Schema:
    """Return the schema of a table's lines. Raises KeyError for a column whose type has no form here yet."""
    columns = [_in_clear(table.name, column) for column in table.columns]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": table.name,
        "description": TABLES[table.name],
        "type": "object",
        "properties": {column.name: _describe(column) for column in columns},
        "required": [column.name for column in columns],
        "additionalProperties": False,
        "x-key": list(table.key),
    }


def _in_clear(table: str, column: Column) -> Column:
    """Return the column as lines have it: an encrypted column is text."""
    clear = CLEAR_COLUMNS.get((table, column.name))
    return column if clear is None else Column(clear, "text", column.is_nullable, None)


def _describe(column: Column) -> Schema:
    if column.type.endswith("[]"):
        schema: Schema = {"type": "array", "items": _TYPES[column.type.removesuffix("[]")]}
    else:
        schema = dict(_TYPES[column.type])
    if column.is_nullable and "type" in schema:
        schema["type"] = [schema["type"], "null"]
    return schema
