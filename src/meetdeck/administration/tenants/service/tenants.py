"""Creating, changing and disabling tenants."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid4

import msgspec
from msgspec import UNSET

from meetdeck.administration.errors import InvalidTenant, TenantExists
from meetdeck.administration.names import read_name
from meetdeck.administration.tenants import store
from meetdeck.administration.tenants.schemas import KIND, Tenant, TenantSettings
from meetdeck.platform.changes import Actor, AuditAction, Entry, list_differences, write_entries
from meetdeck.platform.database import Connection, Database, DatabaseUnavailable
from meetdeck.platform.identity import TenantNotFound
from meetdeck.platform.outgoing import NamedHosts
from meetdeck.platform.values import LanguageTagError, read_language_tag

_MOST_BYTES: Final = 2**63 - 1
_MOST: Final = 2**31 - 1
_MOST_DAYS: Final = 36_500
_LEAST_EVENT_DAYS: Final = 7  # webhooks are retried for three
_MOST_EVENT_DAYS: Final = 3_650
_STORABLE_LOCALE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


async def list_tenants(database: Database) -> list[Tenant]:
    """Return all tenants by name."""
    async with database.directory.outside_tenants() as connection:
        tenant_ids = await store.list_directory(connection)
    found: list[Tenant] = []
    for tenant_id in tenant_ids:
        tenant = await _find_tenant(database, tenant_id)
        found += [tenant] if tenant is not None else []
    return sorted(found, key=lambda tenant: (tenant.name.casefold(), tenant.tenant_id))


async def choose_tenants(database: Database, tenant_id: UUID | None) -> list[Tenant]:
    """Return one tenant, or all by name. Raises TenantNotFound."""
    return [await read_tenant(database, tenant_id)] if tenant_id is not None else await list_tenants(database)


async def get_tenant(connection: Connection, tenant_id: UUID, *, for_update: bool = False) -> Tenant:
    """Return the transaction's tenant, locked when `for_update`. Raises TenantNotFound."""
    found = await store.find_tenant(connection, for_update=for_update)
    if found is None:
        raise TenantNotFound(tenant_id)
    return found


async def read_tenant(database: Database, tenant_id: UUID) -> Tenant:
    """Return a tenant. Raises TenantNotFound."""
    async with database.transaction(tenant_id) as connection:
        tenant = await get_tenant(connection, tenant_id)
    return await _name_cell(database, tenant)


async def create_tenant(
    database: Database, name: str, tenant_id: UUID | None, actor: Actor, now: datetime, *, cell: str | None = None
) -> Tenant:
    """Create a tenant, with a new id unless one is given, in a cell, by default the first.

    Raises TenantExists, InvalidName, UnknownCellError.
    """
    name, tenant_id, home = read_name(name), tenant_id or uuid4(), database.open_cell(cell)
    exists = TenantExists(f"The tenant {tenant_id} already exists: `meetdeck tenant show {tenant_id}`.")
    is_elsewhere = home.name != database.name

    async def create(connection: Connection) -> Tenant:
        if await store.add_tenant(connection, name, now):
            await write_entries(connection, actor, now, [Entry(AuditAction.CREATED, KIND, str(tenant_id), name)])
        elif not is_elsewhere:  # an earlier call may have ended before the directory knew
            raise exists
        return await get_tenant(connection, tenant_id)

    if is_elsewhere and await find_in_directory(database, tenant_id) is not None:
        raise exists
    tenant = await home.run(tenant_id, create)
    if is_elsewhere and not await database.directory.run(
        tenant_id, lambda connection: store.add_to_directory(connection, name, now, home.name)
    ):
        raise exists
    return msgspec.structs.replace(tenant, cell=home.name)


async def find_in_directory(database: Database, tenant_id: UUID) -> str | None:
    """Return the name of a tenant, None if there is none in any cell."""
    async with database.directory.transaction(tenant_id) as connection:
        found = await store.find_tenant(connection)
    return found.name if found is not None else None


async def register_tenants(database: Database, cell: str) -> None:
    """Record in the directory that the tenants of a cell live there: those that were restored or imported into it."""
    home = database.open_cell(cell)
    if home.name == database.name:
        return
    async with home.outside_tenants() as connection:
        tenant_ids = await store.list_ids(connection)
    for tenant_id in tenant_ids:
        async with home.transaction(tenant_id) as connection:
            tenant = await get_tenant(connection, tenant_id)
        await database.directory.run(
            tenant_id,
            lambda connection, tenant=tenant: store.add_to_directory(connection, tenant.name, tenant.created_at, cell),
        )


async def _find_tenant(database: Database, tenant_id: UUID) -> Tenant | None:
    """Return a tenant; without numbers, what the directory knows of it, while its cell does not answer."""
    home = await database.find_cell(tenant_id)
    try:
        async with database.transaction(tenant_id) as connection:
            tenant = await store.find_tenant(connection)
    except DatabaseUnavailable:
        if home.name == database.name:
            raise
        async with database.directory.transaction(tenant_id) as connection:
            tenant = await store.find_tenant(connection)
            unknown = dict.fromkeys(("stored_bytes", "templates", "live_keys"))
            tenant = tenant and msgspec.structs.replace(tenant, **unknown)
    return tenant and await _name_cell(database, tenant)


async def _name_cell(database: Database, tenant: Tenant) -> Tenant:
    return msgspec.structs.replace(tenant, cell=(await database.find_cell(tenant.tenant_id)).name)


async def change_tenant(
    database: Database, tenant_id: UUID, settings: TenantSettings, actor: Actor, now: datetime
) -> Tenant:
    """Change a tenant's settings. Raises TenantNotFound, InvalidTenant, InvalidName."""
    return await _update(database, tenant_id, require_possible(settings), actor, now)


def require_possible(settings: TenantSettings) -> dict[str, Any]:
    """Return the given settings in their stored form. Raises InvalidTenant, InvalidName."""
    given = {name: value for name, value in msgspec.structs.asdict(settings).items() if value is not UNSET}
    _require_number("quota-bytes", given.get("quota_bytes"), _MOST_BYTES)
    _require_number("quota-templates", given.get("quota_templates"), _MOST)
    _require_number("rate-limit", given.get("rate_limit"), _MOST)
    _require_number("retention-days", given.get("retention_days"), _MOST_DAYS)
    _require_number("cpr-retention-days", given.get("cpr_retention_days"), _MOST_DAYS)
    _require_number("event-days", given.get("event_days"), _MOST_EVENT_DAYS, _LEAST_EVENT_DAYS)
    _require_hosts(given.get("outgoing_hosts"))
    if "name" in given:
        given["name"] = read_name(given["name"])
    if "locale" in given:
        given["locale"] = _read_locale(given["locale"])
    return given


async def enable_tenant(database: Database, tenant_id: UUID, actor: Actor, now: datetime) -> Tenant:
    """Enable a tenant: all processes serve its callers again within a minute. Raises TenantNotFound."""
    return await _update(database, tenant_id, {"status": "enabled", "disabled_at": None}, actor, now)


async def disable_tenant(database: Database, tenant_id: UUID, actor: Actor, now: datetime) -> Tenant:
    """Refuse a tenant's callers, in all processes within a minute; its data stays. Raises TenantNotFound."""
    return await _update(database, tenant_id, {"status": "disabled", "disabled_at": now}, actor, now)


async def _update(
    database: Database, tenant_id: UUID, members: dict[str, object], actor: Actor, now: datetime
) -> Tenant:
    async def update(connection: Connection) -> Tenant:
        before = await get_tenant(connection, tenant_id, for_update=True)
        if members.get("status") == before.status:
            return before
        after = msgspec.structs.replace(before, **members)
        if "cpr_retention_days" in members:
            _require_shorter(after.cpr_retention_days, after.retention_days)
        await store.update_tenant(connection, after)
        changes = [one for one in list_differences(before, after) if one.member != "disabledAt"]
        if changes:
            entry = Entry(AuditAction.CHANGED, KIND, str(tenant_id), after.name, changes)
            await write_entries(connection, actor, now, [entry])
        return after

    tenant = await _name_cell(database, await database.run(tenant_id, update))
    if tenant.cell != database.name:
        await database.directory.run(tenant_id, lambda connection: store.update_tenant(connection, tenant))
    return tenant


def _require_number(option: str, number: object, most: int, least: int = 0) -> None:
    if isinstance(number, int) and not least <= number <= most:
        raise InvalidTenant(f"--{option} must be a number from {least} to {most}, not {number}.")


def _require_hosts(hosts: Sequence[str] | None) -> None:
    try:
        NamedHosts(hosts or ())
    except ValueError as error:
        raise InvalidTenant(f"--outgoing-hosts: {error}.") from None


def _require_shorter(cpr_days: int | None, days: int | None) -> None:
    if cpr_days is not None and days is not None and cpr_days > days:
        raise InvalidTenant(
            f"--cpr-retention-days {cpr_days} is longer than the {days} days for which other data is kept: cpr "
            f"numbers cannot be kept longer. Give at most {days}, or --retention-days too."
        )


def _read_locale(text: str) -> str:
    try:
        locale = read_language_tag(text)
    except LanguageTagError as error:
        raise InvalidTenant(str(error)) from None
    if _STORABLE_LOCALE.fullmatch(locale) is None:
        raise InvalidTenant(f"'{locale}' has more than a language and a region; write it like en-GB or da.")
    return locale
