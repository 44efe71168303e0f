"""A change of the customer's e-mail address, as requested by the meeting's link."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting

LIFETIME: Final = timedelta(hours=24)
"""The time for which the link to the old address works."""


class AddressChange(msgspec.Struct, frozen=True, kw_only=True):
    """A requested change; it takes effect when the old address confirms it."""

    id: UUID
    meeting_id: UUID
    old_email: str
    name: str
    """The customer's name together with the new address."""
    email: str
    asked_at: datetime
    confirmed_at: datetime | None = None

    def is_open(self, meeting: Meeting, now: datetime) -> bool:
        """Return whether the change can be confirmed: it is recent, and the meeting still has the old address."""
        attendee = next(iter(meeting.external_attendees or []), None)
        is_current = attendee is not None and attendee.email == self.old_email
        return self.confirmed_at is None and is_current and now < self.asked_at + LIFETIME
