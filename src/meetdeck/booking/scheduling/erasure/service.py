"""Erasing customers' personal data from meetings (docs/data-protection.md#erasure).

The one place that decides what a meeting loses; `meetdeck erase` and retention both call it.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.booking.scheduling.erasure import store
from meetdeck.booking.scheduling.erasure.schemas import ANSWERED_BLANKS, UNANSWERED, ErasureCounts
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.platform.changes import idempotency
from meetdeck.platform.database import Connection


async def erase_meetings(
    connection: Connection,
    meeting_ids: Sequence[UUID],
    now: datetime,
    command: Command,
    *,
    customer_id: str | None = None,
) -> ErasureCounts:
    """Erase the personal data of locked meetings: in their rows, history, events, and answers kept for repeats.

    Their customer becomes `customer_id`, or without one a new one for each meeting.
    """
    if not meeting_ids:
        return ErasureCounts()
    await store.erase_meetings(connection, meeting_ids, now, customer_id=customer_id)
    return ErasureCounts(
        meetings=len(meeting_ids),
        history_entries=await store.erase_history(connection, meeting_ids, now, command),
        answers=await idempotency.redact_answers(
            connection,
            meeting_ids,
            members={"customerId": customer_id or "erased", **ANSWERED_BLANKS},
            without=UNANSWERED,
        ),
    )


async def erase_former_meetings(connection: Connection, customer_id: str, now: datetime, command: Command) -> int:
    """Erase a customer from the history of meetings that now have another; return how many entries lost something.

    All personal values of such a history are erased: it is unknown whose each was.
    """
    meeting_ids = await store.list_former_meetings(connection, customer_id)
    if not meeting_ids:
        return 0
    await store.erase_events(connection, meeting_ids)
    return await store.erase_history(connection, meeting_ids, now, command)
