"""Notices: mails about an offer of the waiting list, a meeting's documents, or a change of its customer's address."""

from uuid import UUID

import msgspec

from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.writing.kinds import TextKind


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice that is due, or was; of a wish or a meeting."""

    notice_id: UUID
    kind: TextKind
    wish_id: UUID | None
    meeting_id: UUID | None
    occasion: UUID
    """The reservation of an offer; of documents the event; the change of an address; the booking that waits."""
    status: MessageStatus
    is_perhaps_sent: bool = False
    """Whether an attempt ended without an answer: the recipient may have the mail."""
