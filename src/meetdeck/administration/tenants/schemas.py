"""Tenants as operators see them, and the settings of them that can be changed."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from meetdeck.platform.database import FIRST

KIND: Final = "tenants"
"""The kind of these resources in the audit log."""


class Tenant(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A tenant, its settings and its usage; a quota of null is the installation's, 0 means unlimited."""

    tenant_id: UUID
    name: str
    cell: str = FIRST
    """The name of the database in which it lives."""
    status: str
    """`enabled` or `disabled`."""
    created_at: datetime
    disabled_at: datetime | None
    locale: str
    """The language in which its decks write numbers and dates (BCP 47)."""
    quota_bytes: int | None
    quota_templates: int | None
    rate_limit: int | None
    """The maximum requests a minute of each of its keys; null: the installation's, 0: unlimited."""
    retention_days: int | None
    """The time after a meeting's end for which its customer's personal data is kept; null: the installation's."""
    cpr_retention_days: int | None
    """The same for its `cpr`, which is never kept longer than the rest."""
    erases_meetings: bool
    """True if past meetings lose their customers then; cancelled ones are deleted anyway."""
    event_days: int | None
    """The time for which the feed keeps events; null: the installation's."""
    outgoing_hosts: list[str] | None
    """The hosts that it may name for webhooks and data services; null: the installation's."""
    stored_bytes: int | None
    """The bytes of its files; null, as the numbers below, while its cell does not answer."""
    templates: int | None
    live_keys: int | None


class TenantSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings to change; UNSET: unchanged. A quota or period of None is the installation's."""

    name: str | UnsetType = UNSET
    locale: str | UnsetType = UNSET
    quota_bytes: int | UnsetType | None = UNSET
    quota_templates: int | UnsetType | None = UNSET
    rate_limit: int | UnsetType | None = UNSET
    retention_days: int | UnsetType | None = UNSET
    cpr_retention_days: int | UnsetType | None = UNSET
    erases_meetings: bool | UnsetType = UNSET
    event_days: int | UnsetType | None = UNSET
    outgoing_hosts: list[str] | UnsetType | None = UNSET


class CellState(msgspec.Struct, frozen=True, kw_only=True):
    """A database in which tenants live; `bytes` is None while it does not answer."""

    name: str
    tenants: int
    bytes: int | None
    ok: bool


class DeletedTenant(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The number of a deleted tenant's rows, by table, and of its files."""

    tenant_id: UUID
    name: str
    rows: dict[str, int]
    files: int
    file_bytes: int
