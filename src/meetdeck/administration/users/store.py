"""Users' SQL; the connection is in the tenant's transaction."""

from collections.abc import Sequence
from uuid import UUID, uuid4

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def add_user(connection: Connection, email: str, name: str, roles: Sequence[str]) -> UUID | None:
    """Insert a user who signs in with their address, and return their id; None if the address exists."""
    return await queries.add_user(
        connection, user_name=email.lower(), user_id=uuid4(), name=name, email=email, roles=list(roles)
    )
