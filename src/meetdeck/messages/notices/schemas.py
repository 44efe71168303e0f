"""Notices: mails about an offer of the waiting list, a meeting's documents, or a change of its customer's address."""

from uuid import UUID

import msgspec

from meetdeck.messages.meeting_messages.schemas import MessageStatus
from meetdeck.messages.writing.kinds import TextKind


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice of a waiting-list entry or a meeting, due or done."""

    notice_id: UUID
    kind: TextKind
    wish_id: UUID | None
    meeting_id: UUID | None
    occasion: UUID
    """The reservation of an offer, the event of documents, the change of an address, or the waiting booking."""
    status: MessageStatus
    is_perhaps_sent: bool = False
    """True if an attempt ended without an answer: the recipient may have the mail."""
