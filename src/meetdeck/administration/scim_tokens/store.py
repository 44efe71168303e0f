"""SCIM tokens' SQL; the connection is in the tenant's transaction."""

from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.administration.scim_tokens.schemas import NewToken, Token
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.identity import hash_secret

queries = load_queries(__file__)

_ENDING: Final = 4


async def identify_token(connection: Connection, token_id: UUID) -> UUID | None:
    """Return the tenant of a token; the connection needs no tenant."""
    return await queries.identify_token(connection, token_id=token_id)


async def list_tokens(connection: Connection) -> list[Token]:
    """Return the tenant's tokens, live ones first, by name."""
    return [Token(**row) async for row in queries.list_tokens(connection)]


async def add_token(connection: Connection, token: NewToken, now: datetime) -> None:
    """Insert a token: its hash and its last characters."""
    await queries.add_token(
        connection,
        token_id=token.token_id,
        digest=hash_secret(token.token),
        name=token.name,
        ending=token.token[-_ENDING:],
        now=now,
    )


async def revoke_token(connection: Connection, token_id: UUID, now: datetime) -> None:
    """Revoke a token; without effect if it was revoked before."""
    await queries.revoke_token(connection, token_id=token_id, now=now)


async def release_owned(connection: Connection) -> None:
    """Make employees and groups that the firm's directory owned editable again."""
    await queries.release_people(connection)
    await queries.release_competence_groups(connection)
    await queries.release_service_groups(connection)
