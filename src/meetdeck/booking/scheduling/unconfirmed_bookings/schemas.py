"""A booking that waits for its customer's e-mail address to be confirmed."""

from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.meetings import NewMeeting
from meetdeck.platform.values import read_json

HELD_FOR: Final = timedelta(minutes=15)
"""The time for which it is held from the request for the mail: as long as one that is offered by mail."""


class UnconfirmedBooking(msgspec.Struct, frozen=True, kw_only=True):
    """A waiting or confirmed booking; one for each confirmation mail."""

    id: UUID
    portal_id: UUID
    time_slot_id: UUID
    """The reservation."""
    email: str
    language: str
    """The language of the page on which it was requested."""
    place: str
    """The place of a physical meeting, as people see it; empty: unknown, or not physical."""
    content: str | None
    """The body of the meeting as JSON; None once it is booked."""
    meeting_id: UUID | None = None
    """The meeting, once it is booked."""

    def read_content(self) -> NewMeeting:
        """Return the body of the meeting of a waiting booking."""
        return read_json((self.content or "").encode(), NewMeeting)
