"""The pool, transactions of a tenant, and SQL by name."""

from meetdeck.platform.database.cells import Cell, CellDatabase
from meetdeck.platform.database.columns import Columns
from meetdeck.platform.database.connections import Address, DatabaseServer, speak_json
from meetdeck.platform.database.errors import (
    CallerLeft,
    ChangedMeanwhile,
    DatabaseFull,
    DatabaseSilent,
    DatabaseUnavailable,
    TenantElsewhere,
    TenantMoving,
    UnknownCellError,
)
from meetdeck.platform.database.gathered import all_of, gathering, nothing
from meetdeck.platform.database.isolation import require_isolation
from meetdeck.platform.database.paging import Page, PageQuery, PartQuery, Position, read_written
from meetdeck.platform.database.pool import FIRST, Database, rolled_back, savepoint
from meetdeck.platform.database.queries import Connection, Queries, load_queries
from meetdeck.platform.database.standby import IDENTITY, LAG, POSITION
from meetdeck.platform.database.tables import Table

__all__ = [
    "FIRST",
    "IDENTITY",
    "LAG",
    "POSITION",
    "Address",
    "CallerLeft",
    "Cell",
    "CellDatabase",
    "ChangedMeanwhile",
    "Columns",
    "Connection",
    "Database",
    "DatabaseFull",
    "DatabaseServer",
    "DatabaseSilent",
    "DatabaseUnavailable",
    "Page",
    "PageQuery",
    "PartQuery",
    "Position",
    "Queries",
    "Table",
    "TenantElsewhere",
    "TenantMoving",
    "UnknownCellError",
    "all_of",
    "gathering",
    "load_queries",
    "nothing",
    "read_written",
    "require_isolation",
    "rolled_back",
    "savepoint",
    "speak_json",
]
