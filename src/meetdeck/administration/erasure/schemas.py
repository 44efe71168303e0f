"""The plan of an erasure, its receipt, and the meetings that prevent it."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.platform.errors import Conflict

_SHOWN = 10

KIND: Final = "erasures"
"""The kind of receipts in the audit log: that a customer was erased, not who."""


class UpcomingMeeting(msgspec.Struct, frozen=True, rename="camel"):
    """A meeting that is not over."""

    meeting_id: UUID
    starts_at: datetime


class UpcomingMeetings(Conflict):
    """The customer has meetings that are not over, and is needed for them."""

    code = "meetings_to_come"

    def __init__(self, meetings: list[UpcomingMeeting]) -> None:
        shown = ", ".join(f"{one.meeting_id} ({one.starts_at:%Y-%m-%d %H:%M} UTC)" for one in meetings[:_SHOWN])
        more = f" and {len(meetings) - _SHOWN:,} more" if len(meetings) > _SHOWN else ""
        super().__init__(
            f"Nothing was erased: the customer has meetings that are not over: {shown}{more}. Erase after them, or add "
            "--cancel to cancel them first."
        )


class ErasurePlan(msgspec.Struct, frozen=True):
    """The amount of data about a customer.

    `former` meetings belong to another customer now; the names of `contents` mention the customer, or they are
    meetings' documents.
    """

    tenant_name: str
    meetings: int
    to_come: list[UpcomingMeeting]
    former: int
    contents: int
    wishes: int

    @property
    def is_empty(self) -> bool:
        """Return whether there is no data about the customer."""
        return not (self.meetings or self.former or self.contents or self.wishes)


class Receipt(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The receipt of an erasure. Only someone who knows the customer's id can identify the customer."""

    erasure_id: UUID
    tenant_id: UUID
    erased_at: datetime
    customer_digest: str
    """HMAC-SHA-256 of the customer's id with the installation's key, in hex: nobody else can try ids."""
    meetings: int
    cancelled: int
    """The number of those meetings that were in the future."""
    history_entries: int
    answers: int
    contents: int
    wishes: int = 0
    """The number of deleted waiting-list entries."""


class ErasureOutcome(msgspec.Struct, frozen=True, rename="camel"):
    """A new receipt, None if nothing was left; and the earlier receipts of the same customer."""

    receipt: Receipt | None
    earlier: list[Receipt]
