"""The SQL of notices."""

from datetime import datetime
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__)


async def add_offer_notice(
    connection: Connection, notice_id: UUID, wish_id: UUID, occasion: UUID, now: datetime
) -> bool:
    """Insert the notice of an offer; returns False when there is one already."""
    added: bool | None = await queries.add_offer_notice(
        connection, notice_id=notice_id, wish_id=wish_id, occasion=occasion, now=now
    )
    return added is True


async def add_meeting_notice(connection: Connection, notice: Notice, now: datetime) -> bool:
    """Insert a notice of a meeting; returns False when there is the same already, or no meeting."""
    added: bool | None = await queries.add_meeting_notice(
        connection,
        notice_id=notice.notice_id,
        kind=notice.kind.value,
        meeting_id=notice.meeting_id,
        occasion=notice.occasion,
        now=now,
    )
    return added is True


async def lock_notice(connection: Connection, notice_id: UUID) -> Notice | None:
    """Return a notice, locked until the transaction ends; None for one that is gone."""
    row: Record | None = await queries.lock_notice(connection, notice_id=notice_id)
    return msgspec.convert(dict(row), Notice) if row is not None else None


async def was_told(connection: Connection, meeting_id: UUID, kind: TextKind, told: bytes) -> bool:
    """Return whether the last notice of a kind that was sent for a meeting said the same to the same address."""
    return await queries.was_told(connection, meeting_id=meeting_id, kind=kind.value, told=told)


async def end_notice(
    connection: Connection,
    notice_id: UUID,
    status: MessageStatus,
    now: datetime,
    *,
    reason: str | None = None,
    told: bytes | None = None,
) -> None:
    """Update a waiting notice that was sent, or is not sent."""
    await queries.end_notice(connection, notice_id=notice_id, status=status.value, reason=reason, told=told, now=now)


async def note_attempt(connection: Connection, notice_id: UUID, reason: str) -> int:
    """Count a vain attempt to send a notice; return how many there were."""
    return await queries.note_attempt(connection, notice_id=notice_id, reason=reason) or 1
