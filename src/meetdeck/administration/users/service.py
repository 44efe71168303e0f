"""Adding users who sign in at the built-in token issuer."""

import re
from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.administration.errors import InvalidUser, UserExists
from meetdeck.administration.names import read_name
from meetdeck.administration.tenants.service import tenants
from meetdeck.administration.users import store
from meetdeck.administration.users.schemas import KIND, NewUser, UserContent
from meetdeck.platform.changes import Actor, AuditAction, Entry, write_entries
from meetdeck.platform.database import Connection, Database

_ADDRESS: Final = re.compile(r"[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+")


async def create_user(
    database: Database, tenant_id: UUID, content: UserContent, actor: Actor, now: datetime
) -> NewUser:
    """Add a user to a tenant. Raises TenantNotFound, InvalidName, InvalidUser, UserExists."""
    name, email = read_name(content.name), content.email.strip()
    if not _ADDRESS.fullmatch(email):
        raise InvalidUser(f"An e-mail address is needed, such as anna@bank.example, not {email[:100]!r}.")

    async def create(connection: Connection) -> NewUser:
        await tenants.get_tenant(connection, tenant_id)
        user_id = await store.add_user(connection, email, name, content.roles)
        if user_id is None:
            raise UserExists(f"Someone in this tenant already signs in as {email}.")
        await write_entries(connection, actor, now, [Entry(AuditAction.CREATED, KIND, str(user_id), name)])
        return NewUser(user_id=user_id, tenant_id=tenant_id, name=name, email=email, roles=content.roles)

    return await database.run(tenant_id, create)
