"""Sessions as operators list and end them."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.administration.tenants.schemas import Tenant
from meetdeck.administration.tenants.service import tenants
from meetdeck.pages.console.kit.sessions import store
from meetdeck.pages.console.kit.sessions.schemas import Session
from meetdeck.pages.console.kit.sessions.service import LONGEST, LONGEST_REST, find_limits
from meetdeck.platform.changes import Actor, AuditAction, Entry, write_entries
from meetdeck.platform.database import Connection, Database

KIND: Final = "sessions"
"""The kind of these resources in the audit log."""


class LiveSession(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A live session, without its secrets."""

    session_id: UUID
    tenant_id: UUID
    tenant: str
    user_id: UUID
    name: str
    email: str
    roles: list[str]
    created_at: datetime
    last_used_at: datetime
    """Accurate to the minute."""
    signed_in_at: datetime | None
    """When the person signed in at the provider; null if the provider did not say."""
    roles_checked_at: datetime
    ends_at: datetime
    """When it ends unless it is used before."""


class SessionFilter(msgspec.Struct, frozen=True):
    """The selected sessions: those that match all given values."""

    session_id: UUID | None = None
    tenant_id: UUID | None = None
    user: str | None = None
    """A user's id or e-mail."""

    def has(self, session: Session) -> bool:
        """Return whether a session of the tenant matches."""
        is_user = self.user is None or self.user.casefold() in {str(session.user_id), session.email.casefold()}
        return is_user and self.session_id in {None, session.session_id}


async def list_sessions(database: Database, choice: SessionFilter, now: datetime) -> list[LiveSession]:
    """Return the live sessions, by tenant and name. Raises TenantNotFound."""
    found: list[LiveSession] = []
    for tenant in await tenants.choose_tenants(database, choice.tenant_id):
        async with database.transaction(tenant.tenant_id) as connection:
            found += [_describe(one, tenant) for one in await _find(connection, tenant, choice, now)]
    return found


async def end_sessions(database: Database, choice: SessionFilter, actor: Actor, now: datetime) -> list[LiveSession]:
    """Delete sessions and return them: their people are signed out at once. Raises TenantNotFound."""
    ended: list[LiveSession] = []
    for tenant in await tenants.choose_tenants(database, choice.tenant_id):

        async def end(connection: Connection, tenant: Tenant = tenant) -> list[Session]:
            found = await _find(connection, tenant, choice, now)
            for session in found:
                await store.delete_session(connection, session.digest)
            await write_entries(connection, actor, now, [_make_audit_entry(one) for one in found])
            return found

        ended += [_describe(one, tenant) for one in await database.run(tenant.tenant_id, end)]
    return ended


async def _find(connection: Connection, tenant: Tenant, choice: SessionFilter, now: datetime) -> list[Session]:
    found = await store.list_sessions(connection, tenant.tenant_id, **find_limits(now))
    return [session for session in found if choice.has(session)]


def _make_audit_entry(session: Session) -> Entry:
    """Return the audit log's entry; it is not an event, since it changes nothing that a caller reads."""
    return Entry(AuditAction.DELETED, KIND, str(session.session_id), session.email or session.name, event=None)


def _describe(session: Session, tenant: Tenant) -> LiveSession:
    return LiveSession(
        session_id=session.session_id,
        tenant_id=session.tenant_id,
        tenant=tenant.name,
        user_id=session.user_id,
        name=session.name,
        email=session.email,
        roles=sorted(session.roles),
        created_at=session.created_at,
        last_used_at=session.seen_at,
        signed_in_at=session.authenticated_at,
        roles_checked_at=session.checked_at,
        ends_at=min(session.created_at + LONGEST, session.seen_at + LONGEST_REST),
    )
