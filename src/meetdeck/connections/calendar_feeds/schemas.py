"""Calendar feeds: the resource (docs/calendars.md)."""

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

KIND: Final = "calendar-feeds"
"""The kind of these resources in the audit log."""


class CalendarFeed(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An employee's calendar for other programs; its address cannot be read again."""

    employee_id: UUID
    """The employee whose calendar it is."""
    created_at: datetime
    """When its address was made."""


class NewCalendarFeed(CalendarFeed, frozen=True, rename="camel", kw_only=True):
    """A feed as it is made; only this answer has its address."""

    address: str
    """The address to subscribe to: when the employee is busy; with `?details=true` also with whom and where."""

    @property
    def without_address(self) -> CalendarFeed:
        """Return the feed as it can be read afterwards."""
        return CalendarFeed(employee_id=self.employee_id, created_at=self.created_at)
