"""The SQL of meetings' messages."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee, MeetingVersion
from meetdeck.booking.scheduling.meetings.store.columns import MEETING_COLUMNS
from meetdeck.booking.scheduling.meetings.store.meetings import read_version
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.meeting_messages.schemas import MeetingState, Message, MessageStatus, NewMessage, Recipient
from meetdeck.messages.writing.kinds import MessageKind, RecipientKind
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, meeting=MEETING_COLUMNS)


class BegunMessage(NamedTuple):
    """A message that is being sent: its recipient, and its meeting."""

    recipient: Recipient
    version: MeetingVersion


async def list_states(connection: Connection, meeting_ids: Sequence[UUID]) -> list[MeetingState]:
    """Return meetings, cancelled ones too."""
    return [_read_state(row) async for row in queries.list_states(connection, meeting_ids=meeting_ids)]


async def list_messages(connection: Connection, meeting_ids: Sequence[UUID]) -> list[Message]:
    """Return all messages of some meetings, in the order in which they became due."""
    return [_read_message(row) async for row in queries.list_messages(connection, meeting_ids=meeting_ids)]


async def list_addresses(connection: Connection, employee_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return employees' e-mail addresses, which may be empty."""
    rows = queries.list_addresses(connection, employee_ids=employee_ids)
    return {row["employee_id"]: row["email"] async for row in rows}


async def list_addresses_of(connection: Connection, meeting_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the e-mail addresses of the employees of meetings."""
    rows = queries.list_addresses_of(connection, meeting_ids=meeting_ids)
    return {row["employee_id"]: row["email"] async for row in rows}


async def count_too_few(connection: Connection, meeting_id: UUID) -> dict[str, int]:
    """Return the number of customers who had booked the time of a meeting that Meetdeck cancelled, and the minimum."""
    return dict(await queries.count_too_few(connection, meeting_id=meeting_id))


async def add_messages(connection: Connection, messages: Mapping[UUID, NewMessage], now: datetime) -> list[UUID]:
    """Insert messages that have become due, by their ids; return the ids of the new ones."""
    given = [
        {
            "message_id": message_id,
            "meeting_id": message.meeting_id,
            "kind": message.kind,
            "recipient": message.recipient.kind,
            "address": message.recipient.address,
            "sequence": message.sequence,
            "digest": message.facts_digest.hex(),
        }
        for message_id, message in messages.items()
    ]
    rows = queries.add_messages(connection, messages=given, now=now)
    return [row["message_id"] async for row in rows]


async def carry(connection: Connection, carriers: Mapping[UUID, UUID]) -> None:
    """Record with which other message each message is sent, by their ids."""
    await queries.carry(connection, carried_ids=list(carriers), carrier_ids=list(carriers.values()))


async def uncarry(connection: Connection, message_id: UUID) -> None:
    """Record that a message is sent alone."""
    await queries.uncarry(connection, message_id=message_id)


async def list_carried(connection: Connection, message_id: UUID) -> list[UUID]:
    """Return the waiting messages that are sent with another, by the start of their meetings."""
    return [row["message_id"] async for row in queries.list_carried(connection, message_id=message_id)]


async def restate(connection: Connection, meeting_id: UUID, facts_digest: bytes) -> None:
    """Change the facts that the waiting messages of a meeting state; they are written when they are sent."""
    await queries.restate(connection, meeting_id=meeting_id, facts_digest=facts_digest)


async def begin_message(connection: Connection, message_id: UUID, now: datetime) -> BegunMessage | None:
    """Mark a waiting message as being sent, and lock it; return it, None if it is not waiting."""
    row: Record | None = await queries.begin_message(connection, message_id=message_id, now=now)
    if row is None:
        return None
    members = dict(row)
    recipient = Recipient(RecipientKind(members.pop("recipient")), members.pop("address"))
    return BegunMessage(recipient, read_version(members))


async def end_message(
    connection: Connection, message_id: UUID, status: MessageStatus, reason: str, now: datetime
) -> None:
    """Update a waiting message that will not be sent."""
    await queries.end_message(connection, message_id=message_id, status=status.value, reason=reason, now=now)


async def mark_sent(  # noqa: PLR0913 - what was sent, and to whom
    connection: Connection,
    tenant_id: UUID,
    message_id: UUID,
    facts_digest: bytes,
    language: str,
    sequence: int,
    *,
    now: datetime,
) -> None:
    """Update a message that was sent: the stated facts, its language and its SEQUENCE.

    The connection needs no tenant.
    """
    await queries.mark_sent(
        connection,
        tenant_id=tenant_id,
        message_id=message_id,
        facts_digest=facts_digest,
        language=language,
        sequence=sequence,
        now=now,
    )


async def count_attempt(connection: Connection, message_id: UUID, reason: str, *, is_perhaps_sent: bool) -> int:
    """Count an attempt to send a message that was not acknowledged; return the number of attempts."""
    attempts: int | None = await queries.count_attempt(
        connection, message_id=message_id, reason=reason, is_perhaps_sent=is_perhaps_sent
    )
    return attempts or 1


async def get_tenant_name(connection: Connection) -> str:
    """Return the firm's name."""
    return await queries.find_tenant_name(connection)


def _read_state(row: Record) -> MeetingState:
    members: dict[str, Any] = dict(row.items())
    members["type"] = MeetingType(members["type"])
    members["external_attendees"] = msgspec.convert(members["external_attendees"], list[Attendee])
    return MeetingState(**members)


def _read_message(row: Record) -> Message:
    members: dict[str, Any] = dict(row.items())
    members["kind"] = MessageKind(row["kind"])
    members["recipient"] = RecipientKind(row["recipient"])
    members["status"] = MessageStatus(row["status"])
    return Message(**members)


async def find_line(connection: Connection, meeting_id: UUID, address: str, now: datetime) -> str | None:
    """Return the line of a change's author, for a recipient who was not notified of it; None without an author."""
    return await queries.find_line(connection, meeting_id=meeting_id, address=address, now=now)


async def list_waiting_messages(connection: Connection, meeting_id: UUID) -> list[UUID]:
    """Return the ids of the waiting messages of a meeting."""
    return [row["message_id"] async for row in queries.list_waiting_messages(connection, meeting_id=meeting_id)]
