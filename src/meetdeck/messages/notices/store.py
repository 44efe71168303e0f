"""The SQL of notices."""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.notices.schemas import Notice
from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__)


async def add_offer_notice(
    connection: Connection, notice_id: UUID, wish_id: UUID, occasion: UUID, now: datetime
) -> bool:
    """Insert the notice of an offer; return False if it exists."""
    added: bool | None = await queries.add_offer_notice(
        connection, notice_id=notice_id, wish_id=wish_id, occasion=occasion, now=now
    )
    return added is True


async def add_meeting_notice(connection: Connection, notice: Notice, now: datetime) -> bool:
    """Insert a notice of a meeting; return False if the same notice exists, or the meeting does not."""
    added: bool | None = await queries.add_meeting_notice(
        connection,
        notice_id=notice.notice_id,
        kind=notice.kind.value,
        meeting_id=notice.meeting_id,
        occasion=notice.occasion,
        now=now,
    )
    return added is True


async def add_booking_notice(connection: Connection, notice_id: UUID, occasion: UUID, now: datetime) -> None:
    """Insert the notice of a booking that waits for the confirmation of an address."""
    await queries.add_booking_notice(connection, notice_id=notice_id, occasion=occasion, now=now)


async def begin_notice(connection: Connection, notice_id: UUID, now: datetime) -> Notice | None:
    """Mark a waiting notice as being sent, lock and return it; None if it is not waiting."""
    row: Record | None = await queries.begin_notice(connection, notice_id=notice_id, now=now)
    return msgspec.convert(dict(row), Notice) if row is not None else None


class OtherNotices(NamedTuple):
    """The state of the other notices of the same kind and meeting."""

    was_sent: bool
    """True if the last one that was sent had the same content and address."""
    is_being_sent: bool
    """True if one is being sent now."""


async def find_other_notices(
    connection: Connection, notice: Notice, facts_digest: bytes, *, begun_after: datetime
) -> OtherNotices:
    """Return the state of the other notices of the same kind and meeting; attempts begun before `begun_after` ended."""
    row: Record = await queries.find_other_notices(
        connection,
        meeting_id=notice.meeting_id,
        kind=notice.kind.value,
        notice_id=notice.notice_id,
        facts_digest=facts_digest,
        begun_after=begun_after,
    )
    return OtherNotices(row["was_sent"], row["is_being_sent"])


async def end_notice(
    connection: Connection,
    notice_id: UUID,
    status: MessageStatus,
    now: datetime,
    *,
    reason: str | None = None,
    facts_digest: bytes | None = None,
) -> None:
    """Update a waiting notice that was sent, or will not be sent."""
    await queries.end_notice(
        connection, notice_id=notice_id, status=status.value, reason=reason, facts_digest=facts_digest, now=now
    )


async def count_attempt(connection: Connection, notice_id: UUID, reason: str, *, is_perhaps_sent: bool) -> int:
    """Count an attempt to send a notice that was not acknowledged; return the number of attempts."""
    attempts: int | None = await queries.count_attempt(
        connection, notice_id=notice_id, reason=reason, is_perhaps_sent=is_perhaps_sent
    )
    return attempts or 1
