"""Portals' SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.configuration.portals.schemas import AuthenticationType, Portal, PortalContent, PortalField
from meetdeck.booking.directory.uses import MOST_NAMED, Uses, read_uses
from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service import uses
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__)


async def list_portals(connection: Connection, portal_ids: Sequence[UUID] | None) -> list[Portal]:
    """Return some portals, or all, by name: in two queries, however many they are."""
    rows: list[Record] = [row async for row in queries.list_portals(connection, portal_ids=portal_ids)]
    labels = await uses.list_labels(connection, LabelledKind.PORTAL, [row["id"] for row in rows])
    return [_read_portal(row, labels[row["id"]]) for row in rows]


async def lock_portal(connection: Connection, portal_id: UUID) -> None:
    """Lock a portal against changes and bookings until the transaction ends."""
    await queries.lock_portal(connection, portal_id=portal_id)


async def lock_portal_against_deletion(connection: Connection, portal_id: UUID) -> None:
    """Lock a portal against deletion until the transaction ends."""
    await queries.lock_portal_against_deletion(connection, portal_id=portal_id)


async def put_portal(
    connection: Connection, portal_id: UUID, content: PortalContent, fields: Sequence[PortalField]
) -> None:
    """Upsert a portal without its labels."""
    await queries.put_portal(
        connection,
        portal_id=portal_id,
        name=content.name,
        location=content.location,
        logo_url=content.logo_url,
        logo_height=content.logo_height,
        styling=content.styling,
        authentication_type=content.authentication_type.value,
        customer_type_id=content.customer_type_id,
        topic_id=content.topic_id,
        crm_mapping_configuration_id=content.crm_mapping_configuration_id,
        ical_enabled=content.ical_enabled,
    )
    await queries.drop_fields(connection, portal_id=portal_id)
    await queries.add_fields(connection, portal_id=portal_id, fields=msgspec.to_builtins(fields))


async def list_uses(connection: Connection, portal_id: UUID, now: datetime) -> Uses:
    """Return the uses of a portal: future meetings."""
    return await read_uses(queries.list_uses(connection, portal_id=portal_id, now=now, most=MOST_NAMED))


async def delete_portal(connection: Connection, portal_id: UUID) -> None:
    """Delete a portal and its fields."""
    await queries.delete_portal(connection, portal_id=portal_id)


def _read_portal(row: Record, labels: list[str]) -> Portal:
    members: dict[str, Any] = dict(row)
    members["fields"] = msgspec.convert(members["fields"], list[PortalField])
    members["authentication_type"] = AuthenticationType(members["authentication_type"])
    return Portal(**members, labels=labels)
