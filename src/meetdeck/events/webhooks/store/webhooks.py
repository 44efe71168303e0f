"""The SQL of webhooks and their secrets."""

from datetime import datetime
from uuid import UUID, uuid4

from meetdeck.events.webhooks.schemas import Signature, Webhook, WebhookContent
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(Webhook, elsewhere=("public_key",), id="webhook_id")
queries = load_queries(__file__, "webhooks.sql", columns=_COLUMNS)


async def list_webhooks(connection: Connection, webhook_id: UUID | None = None) -> list[Webhook]:
    """Return the tenant's webhooks, the oldest first; or only the one with an id."""
    return [_COLUMNS.read(row) async for row in queries.list_webhooks(connection, webhook_id=webhook_id)]


async def lock_webhook(connection: Connection, webhook_id: UUID) -> None:
    """Lock a webhook against other changes until the transaction ends."""
    await queries.lock_webhook(connection, webhook_id=webhook_id)


async def identify_webhook(connection: Connection, webhook_id: UUID) -> UUID | None:
    """Return the tenant of a webhook; the connection needs no tenant."""
    return await queries.identify_webhook(connection, webhook_id=webhook_id)


async def count_webhooks(connection: Connection) -> int:
    """Return how many webhooks the tenant has."""
    return await queries.count_webhooks(connection)


async def add_webhook(
    connection: Connection,
    webhook_id: UUID,
    content: WebhookContent,
    signature: Signature,
    now: datetime,
    *,
    begins_after: int,
) -> None:
    """Insert a webhook, which gets all events in the feed after a position."""
    await queries.add_webhook(
        connection,
        webhook_id=webhook_id,
        url=content.url,
        types=content.types,
        description=content.description,
        active=content.active,
        signature=signature.value,
        now=now,
        begins_after=begins_after,
    )


async def update_webhook(connection: Connection, webhook_id: UUID, content: WebhookContent) -> None:
    """Change a webhook; with a new address, or active again, it no longer counts as failing."""
    await queries.update_webhook(
        connection,
        webhook_id=webhook_id,
        url=content.url,
        types=content.types,
        description=content.description,
        active=content.active,
    )


async def delete_webhook(connection: Connection, webhook_id: UUID) -> None:
    """Delete a webhook with its secrets and deliveries."""
    await queries.delete_webhook(connection, webhook_id=webhook_id)


async def replace_secret(
    connection: Connection,
    webhook_id: UUID,
    secret_encrypted: bytes,
    public_key: str | None,
    now: datetime,
    *,
    old_until: datetime,
) -> None:
    """Insert a secret; the previous one is valid until a moment, older ones end at once."""
    await queries.replace_secret(
        connection,
        webhook_id=webhook_id,
        secret_id=uuid4(),
        secret_encrypted=secret_encrypted,
        public_key=public_key,
        now=now,
        old_until=old_until,
    )


async def mark_failing(connection: Connection, webhook_id: UUID, at: datetime, *, long_ago: datetime) -> bool:
    """Record a failed attempt; return True the first time that the webhook has been failing since `long_ago`."""
    return bool(await queries.mark_failing(connection, webhook_id=webhook_id, at=at, long_ago=long_ago))


async def deactivate(connection: Connection, webhook_id: UUID, at: datetime) -> bool:
    """Make a webhook whose receiver is gone inactive; return whether it was active."""
    return bool(await queries.deactivate(connection, webhook_id=webhook_id, at=at))
