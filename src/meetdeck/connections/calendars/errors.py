"""Errors of calendars."""

from uuid import UUID

from meetdeck.platform.errors import Conflict, Fault, Invalid, NotFound
from meetdeck.platform.phrases import phrase


class CalendarNotFound(NotFound):
    """No calendar of the tenant has this id."""

    code = "calendar_not_found"

    def __init__(self, calendar_id: UUID) -> None:
        super().__init__(phrase("There is no calendar {calendar_id}.", calendar_id=calendar_id))


class InvalidCalendar(Invalid):
    """A calendar with an address that may not be called, or a file that cannot be read."""

    code = "invalid_calendar"

    def __init__(self, member: str, reason: str) -> None:
        super().__init__(f"{member}: {reason}", faults=(Fault(f"/{member}", reason),))


class TooManyCalendars(Conflict):
    """The tenant already has the maximum number of calendars."""

    code = "too_many_calendars"

    def __init__(self, most: int) -> None:
        super().__init__(
            phrase("There are already {most} calendars, the maximum. Delete one that is not used.", most=most)
        )
