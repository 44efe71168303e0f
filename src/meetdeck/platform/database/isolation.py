"""Isolation of tenants by row-level security, checked for each connection: nothing else enforces it (decision 0044)."""

from typing import Final

from asyncpg import Record

from meetdeck.platform.database.queries import Connection, load_queries
from meetdeck.platform.errors import SetupError

queries = load_queries(__file__, "isolation.sql")

_MOST_NAMED: Final = 3
_HOW_TO: Final = (
    "Make one that owns nothing (`create role meetdeck_app login password '…'`, docs/operations/database.md), name it "
    "in MEETDECK_DATABASE_URL, and the owner in MEETDECK_DATABASE_OWNER_URL for `meetdeck migrate`."
)


class IsolationError(SetupError):
    """The connection would see other tenants' rows."""


async def require_isolation(connection: Connection, *, owner_may_serve: bool) -> None:
    """Raise IsolationError unless row-level security holds this connection to the tenant of its transaction.

    It does not restrict a role that bypasses it, may switch it off, or may become such a role; nor a table where it is
    off. `owner_may_serve`: the tables' owner is allowed, for whom row-level security holds as long as it is forced.
    """
    powers: list[Record] = [row async for row in queries.list_powers(connection)]
    power = next((row for row in powers if row["in_test"] or not owner_may_serve), None)
    if power is not None:
        raise IsolationError(
            f"The database role {power['connected_as']} does not keep tenants apart: it "
            f"{'' if power['is_own'] else 'may become ' + power['role'] + ', which '}{power['power']}. {_HOW_TO}"
        )
    tables: list[str] = [row["relname"] async for row in queries.list_open_tables(connection)]
    if tables:
        more = f" and {len(tables) - _MOST_NAMED} more" if len(tables) > _MOST_NAMED else ""
        raise IsolationError(
            f"Row-level security does not keep the tenants of {', '.join(tables[:_MOST_NAMED])}{more} apart: it is "
            "off, not forced, or has a policy that asks for no tenant. As the owner, `alter table … enable row level "
            "security, force row level security`, or restore the database from a dump that is whole."
        )
