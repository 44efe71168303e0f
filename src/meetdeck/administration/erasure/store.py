"""The SQL of erasing one customer."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from meetdeck.administration.erasure.schemas import Receipt
from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


class CustomersMeeting(NamedTuple):
    """A meeting of the customer, and the people invited from outside."""

    meeting_id: UUID
    starts_at: datetime
    is_to_come: bool
    attendees: list[Attendee]


async def find_tenant_name(connection: Connection) -> str | None:
    """Return the name of the transaction's tenant, None for an unknown tenant."""
    return await queries.find_tenant_name(connection)


async def list_meetings(connection: Connection, customer_id: str, now: datetime) -> list[CustomersMeeting]:
    """Return a customer's meetings, cancelled ones too, by start."""
    return [
        CustomersMeeting(
            row["meeting_id"],
            row["starts_at"],
            row["is_to_come"],
            msgspec.convert(row["external_attendees"], list[Attendee]),
        )
        async for row in queries.list_meetings(connection, customer_id=customer_id, now=now)
    ]


async def list_documents(connection: Connection, meeting_ids: Sequence[UUID]) -> list[UUID]:
    """Return the ids of the contents that are documents of meetings."""
    rows = queries.list_documents(connection, meeting_ids=meeting_ids)
    return [row["content_id"] async for row in rows]


async def count_wishes(connection: Connection, customer_id: str) -> int:
    """Return the number of a customer's waiting-list entries."""
    return await queries.count_wishes(connection, customer_id=customer_id)


async def add_receipt(connection: Connection, receipt: Receipt) -> None:
    """Insert a receipt."""
    await queries.add_receipt(
        connection,
        erasure_id=receipt.erasure_id,
        now=receipt.erased_at,
        customer_digest=bytes.fromhex(receipt.customer_digest),
        meetings=receipt.meetings,
        cancelled=receipt.cancelled,
        history_entries=receipt.history_entries,
        answers=receipt.answers,
        contents=receipt.contents,
        wishes=receipt.wishes,
    )


async def has_receipts(connection: Connection) -> bool:
    """Return whether the tenant has any receipt."""
    return await queries.has_receipts(connection)


async def add_key(connection: Connection, key_id: UUID, key_encrypted: bytes) -> None:
    """Insert an earlier key of the receipts' digests."""
    await queries.add_key(connection, key_id=key_id, key_encrypted=key_encrypted)


async def list_keys(connection: Connection) -> list[bytes]:
    """Return the earlier keys of the receipts' digests, encrypted."""
    return [row["key_encrypted"] async for row in queries.list_keys(connection)]


async def list_receipts(connection: Connection) -> list[Receipt]:
    """Return the tenant's receipts, the oldest first."""
    return [Receipt(**row) async for row in queries.list_receipts(connection)]
