"""People's SQL; the connection is in the tenant's transaction."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def add_user(connection: Connection, email: str, name: str, roles: Sequence[str]) -> UUID | None:
    """Insert somebody who signs in by their address, and return their id; None when the address is taken."""
    return await queries.add_user(
        connection, user_name=email.lower(), user_id=uuid4(), name=name, email=email, roles=list(roles)
    )
