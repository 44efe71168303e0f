"""Document rules, and the secrets that sign requests to their data services (docs/documents.md)."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from meetdeck.booking.configuration.document_rules import store
from meetdeck.booking.configuration.document_rules.schemas import (
    DocumentRule,
    DocumentRuleContent,
    DocumentRuleWithSecret,
    DocumentSecret,
)
from meetdeck.booking.configuration.errors import AddressNotAllowed
from meetdeck.booking.directory.identity import require_found
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.events.webhooks.schemas import Signature
from meetdeck.events.webhooks.service.signing import make_secret
from meetdeck.platform.changes import AuditAction, Difference, Entry
from meetdeck.platform.database import Connection
from meetdeck.platform.outgoing import OutgoingClient, OutgoingRefused
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values import copy_members
from meetdeck.platform.values.patching import JsonPatch, apply_patch

BOTH_SIGN: Final = timedelta(hours=24)
"""The time for which a replaced secret also signs."""

KIND: Final = Kind.DOCUMENT_RULE.address
"""The kind of rules in the audit log, and the last step of their address."""

RequireAllowed = Callable[[str], None]
"""Raises OutgoingRefused for an address that may not be called, wherever its name leads."""


async def get_rule(connection: Connection, rule_id: UUID, *, for_update: bool = False) -> DocumentRule:
    """Return a rule, locked when `for_update`. Raises ResourceNotFound."""
    found = await store.table.find(connection, rule_id, for_update=for_update)
    return require_found(found, Kind.DOCUMENT_RULE, rule_id)


class DocumentRules:
    """Creates and changes rules, encrypts their secrets and checks their addresses."""

    def __init__(self, encryption: Encryption, require_allowed: RequireAllowed) -> None:
        self._encryption = encryption
        self._require_allowed = require_allowed

    async def create(
        self, connection: Connection, tenant_id: UUID, content: DocumentRuleContent, now: datetime
    ) -> DocumentRuleWithSecret:
        """Create a rule with a new secret. Raises ReferenceNotFound, AddressNotAllowed."""
        await self._check(connection, content, None)
        rule_id, secret = uuid4(), make_secret(Signature.V1).secret
        await store.add_rule(connection, rule_id, content, self._encryption.encrypt(tenant_id, secret), now)
        return copy_members(DocumentRuleWithSecret, await get_rule(connection, rule_id), secret=secret)

    async def update(self, connection: Connection, rule: DocumentRule, content: DocumentRuleContent) -> DocumentRule:
        """Change a rule read for update. Raises as `create`."""
        await self._check(connection, content, rule.data_url)
        await store.table.update(connection, [copy_members(DocumentRule, content, id=rule.id)])
        return await get_rule(connection, rule.id)

    async def rotate(
        self, connection: Connection, tenant_id: UUID, rule: DocumentRule, now: datetime
    ) -> DocumentSecret:
        """Replace the secret of a rule read for update; the former also signs for a day."""
        secret = make_secret(Signature.V1).secret
        await store.rotate_secret(connection, rule.id, self._encryption.encrypt(tenant_id, secret), now)
        return DocumentSecret(id=rule.id, secret=secret, former_until=now + BOTH_SIGN)

    async def list_secrets(self, connection: Connection, tenant_id: UUID, rule_id: UUID, now: datetime) -> list[str]:
        """Return the current secrets, the newest first."""
        encrypted = await store.list_secrets(connection, rule_id, now - BOTH_SIGN)
        return [self._encryption.decrypt(tenant_id, each) for each in encrypted]

    async def _check(self, connection: Connection, content: DocumentRuleContent, data_url_before: str | None) -> None:
        if content.data_url is not None and content.data_url != data_url_before:
            with _refused():
                self._require_allowed(content.data_url)
        await require_existing(
            connection,
            [
                Reference(Kind.TOPIC, content.topic_id, "/topicId"),
                Reference(Kind.CUSTOMER_TYPE, content.customer_type_id, "/customerTypeId"),
            ],
        )


def require_well_formed(client: OutgoingClient, data_url: str | None) -> None:
    """Raise AddressNotAllowed when an address may not be called, wherever its name leads."""
    if data_url is not None:
        with _refused():
            client.require_well_formed(data_url)


async def require_reachable(client: OutgoingClient, data_url: str | None, hosts: Sequence[str] | None) -> None:
    """Raise AddressNotAllowed when an address may not be called; looks its name up, so outside of transactions.

    `hosts`: those that the firm may name; None: the installation's.
    """
    if data_url is not None:
        with _refused():
            await client.require_allowed(data_url, hosts)


def patch_rule(rule: DocumentRule, patch: JsonPatch) -> DocumentRuleContent:
    """Return a rule after a JSON Patch. Raises InvalidPatch, PatchTestFailed."""
    return apply_patch(rule, patch, DocumentRuleContent, read_only=("id",))


def describe_rotation(rule: DocumentRule) -> Entry:
    """Return the entry of the audit log for a new secret, without the secret."""
    return Entry(AuditAction.CHANGED, KIND, str(rule.id), changes=(Difference("secret", None, None),), event=None)


@contextmanager
def _refused() -> Generator[None]:
    """Raise AddressNotAllowed for OutgoingRefused."""
    try:
        yield
    except OutgoingRefused as error:
        raise AddressNotAllowed(str(error), "/dataUrl") from None
