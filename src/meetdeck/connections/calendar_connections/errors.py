"""Errors of calendar connections."""

from uuid import UUID

from meetdeck.platform.errors import Conflict, Fault, Invalid, NotFound
from meetdeck.platform.phrases import phrase


class CalendarConnectionNotFound(NotFound):
    """No calendar connection of the tenant has this id."""

    code = "calendar_connection_not_found"

    def __init__(self, connection_id: UUID) -> None:
        super().__init__(phrase("There is no calendar connection {connection_id}.", connection_id=connection_id))


class InvalidCalendarConnection(Invalid):
    """A connection with an address that may not be called, or a certificate that cannot be read."""

    code = "invalid_calendar_connection"

    def __init__(self, member: str, reason: str) -> None:
        super().__init__(f"{member}: {reason}", faults=(Fault(f"/{member}", reason),))


class TooManyCalendarConnections(Conflict):
    """The tenant already has the maximum number of calendar connections."""

    code = "too_many_calendar_connections"

    def __init__(self, most: int) -> None:
        super().__init__(
            phrase("There are already {most} connections, the maximum. Delete one that is not used.", most=most)
        )
