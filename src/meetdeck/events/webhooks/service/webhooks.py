"""Webhooks and their secrets (docs/webhooks.md)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import msgspec

from meetdeck.events.errors import InvalidWebhook, TooManyWebhooks, WebhookNotFound
from meetdeck.events.feed import store as feed
from meetdeck.events.feed.schemas import list_types
from meetdeck.events.webhooks.schemas import CreateWebhook, NewWebhook, Signature, Webhook, WebhookContent
from meetdeck.events.webhooks.service.signing import make_secret
from meetdeck.events.webhooks.store import deliveries
from meetdeck.events.webhooks.store import webhooks as store
from meetdeck.platform.changes import AuditAction, Difference, Entry
from meetdeck.platform.database import Connection
from meetdeck.platform.outgoing import OutgoingClient, OutgoingRefused
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import copy_members
from meetdeck.platform.values.patching import JsonPatch, apply_patch

KIND: Final = "webhooks"
"""The kind of these resources in the audit log."""
OLD_SECRET_LIFETIME: Final = timedelta(hours=24)
MOST_WEBHOOKS: Final = 100
_READ_ONLY: Final = ("id", "signature", "createdAt", "failingSince", "publicKey")


class SecretKeeper(msgspec.Struct, frozen=True):
    """The encryption of secrets, and the tenant to which they belong."""

    encryption: Encryption
    tenant_id: UUID


async def require_allowed(client: OutgoingClient, url: str, hosts: Sequence[str] | None) -> None:
    """Raise InvalidWebhook if an address may not be called; looks its name up, so call it outside of transactions.

    `hosts`: those that the firm may name; None: the installation's.
    """
    try:
        await client.require_allowed(url, hosts)
    except OutgoingRefused as error:
        raise InvalidWebhook(str(error)) from None


async def get_webhook(connection: Connection, webhook_id: UUID, *, for_update: bool = False) -> Webhook:
    """Return a webhook, locked when `for_update`. Raises WebhookNotFound."""
    if for_update:
        await store.lock_webhook(connection, webhook_id)
    found = await store.list_webhooks(connection, webhook_id)
    if not found:
        raise WebhookNotFound(webhook_id)
    return found[0]


async def create_webhook(
    connection: Connection, body: CreateWebhook, keeper: SecretKeeper, now: datetime
) -> NewWebhook:
    """Add a webhook, which gets events committed from now on. Raises InvalidInput, TooManyWebhooks."""
    list_types(body.types, "/types")
    if await store.count_webhooks(connection) >= MOST_WEBHOOKS:
        raise TooManyWebhooks(MOST_WEBHOOKS)
    await feed.place_events(connection)
    found = await feed.list_events(connection, 0, most=0)
    webhook_id = uuid4()
    await store.add_webhook(connection, webhook_id, body, body.signature, now, begins_after=found.ends_at)
    return await _replace_secret(connection, webhook_id, body.signature, keeper, now)


def patch_webhook(webhook: Webhook, patch: JsonPatch) -> WebhookContent:
    """Return the webhook that results from a JSON Patch. Raises InvalidPatch, PatchTestFailed, InvalidInput."""
    content = apply_patch(webhook, patch, WebhookContent, read_only=_READ_ONLY)
    list_types(content.types, "/types")
    return content


async def update_webhook(
    connection: Connection, client: OutgoingClient, webhook: Webhook, patch: JsonPatch, now: datetime
) -> Webhook:
    """Apply a JSON Patch to a webhook read for update; waiting attempts end if it becomes inactive.

    Raises InvalidWebhook, and the errors of `patch_webhook`.
    """
    content = patch_webhook(webhook, patch)
    try:
        client.require_well_formed(content.url)
    except OutgoingRefused as error:
        raise InvalidWebhook(str(error)) from None
    await store.update_webhook(connection, webhook.id, content)
    if not content.active:
        await deliveries.end_waiting(connection, webhook.id, now, "The webhook was made inactive.")
    return await get_webhook(connection, webhook.id)


async def delete_webhook(connection: Connection, webhook: Webhook) -> None:
    """Delete a webhook that was read for update."""
    await store.delete_webhook(connection, webhook.id)


async def rotate_secret(connection: Connection, webhook_id: UUID, keeper: SecretKeeper, now: datetime) -> NewWebhook:
    """Give a webhook a new secret; the previous one is valid for another day. Raises WebhookNotFound."""
    webhook = await get_webhook(connection, webhook_id, for_update=True)
    return await _replace_secret(connection, webhook_id, webhook.signature, keeper, now)


def describe_rotation(webhook: Webhook) -> Entry:
    """Return the audit log's entry for a new secret, without the secret."""
    change = Difference("secret", None, None)
    return Entry(AuditAction.CHANGED, KIND, str(webhook.id), webhook.url, [change], webhook)


async def _replace_secret(
    connection: Connection, webhook_id: UUID, signature: Signature, keeper: SecretKeeper, now: datetime
) -> NewWebhook:
    secret, public_key = make_secret(signature)
    await store.replace_secret(
        connection,
        webhook_id,
        keeper.encryption.encrypt(keeper.tenant_id, secret),
        public_key,
        now,
        old_until=now + OLD_SECRET_LIFETIME,
    )
    webhook = await get_webhook(connection, webhook_id)
    return copy_members(NewWebhook, webhook, **({} if signature is Signature.V1A else {"secret": secret}))
