"""The cancellation of a time that customers share: one mail to each employee (docs/messages.md)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.connections.calendar_events.store import was_written_for
from meetdeck.messages.meeting_messages.schemas import MeetingState, NewMessage
from meetdeck.messages.writing.kinds import MessageKind, RecipientKind
from meetdeck.platform.database import Connection


async def find_cancelled_together(
    connection: Connection, due: Mapping[UUID, NewMessage], states: Sequence[MeetingState]
) -> dict[UUID, UUID]:
    """Return for each further cancellation of a shared time to an employee the message with which it is sent.

    Only for employees in whose calendar the time is written: other mails cancel the appointment of one customer each.
    """
    by_id = {state.meeting_id: state for state in states}
    together: dict[tuple[UUID, str], list[UUID]] = {}
    for message_id, message in due.items():
        shared_slot_id = by_id[message.meeting_id].shared_slot_id
        is_own = message.recipient.kind is RecipientKind.EMPLOYEE and message.kind is MessageKind.CANCELLATION
        if shared_slot_id is not None and is_own:
            together.setdefault((shared_slot_id, message.recipient.key), []).append(message_id)
    return {
        each: first
        for (shared_slot_id, address), (first, *others) in together.items()
        if others and await was_written_for(connection, shared_slot_id, address)
        for each in others
    }


def share_time(meeting: Meeting, others: Sequence[Meeting]) -> bool:
    """Return whether a meeting and the others of a message are at one time that their customers share."""
    return bool(others) and bool(meeting.shared_slot_id) and others[0].shared_slot_id == meeting.shared_slot_id
