"""The portal that a visitor requests: visitors have no credentials that identify a tenant."""

from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.configuration.portals import store
from meetdeck.booking.configuration.portals.service.pages import is_address
from meetdeck.platform.database import Database

_LENGTH_OF_UUID = 36


class PortalIdentity(NamedTuple):
    """A portal, and the tenant in whose transactions it is read."""

    tenant_id: UUID
    portal_id: UUID


async def find_portal(database: Database, reference: str) -> PortalIdentity | None:
    """Return the portal of an id or of an address, in any case of its letters."""
    portal_id = _read_id(reference)
    address = reference.lower()
    if portal_id is None and not is_address(address):
        return None
    found = await database.identify_all(
        lambda connection: store.identify_portals(connection, portal_id, address if portal_id is None else None)
    )
    return PortalIdentity(*found[0]) if len(found) == 1 else None


def _read_id(reference: str) -> UUID | None:
    try:
        return UUID(reference) if len(reference) == _LENGTH_OF_UUID else None
    except ValueError:
        return None
