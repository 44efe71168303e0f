"""Errors of calendar feeds."""

from uuid import UUID

from meetdeck.platform.errors import NotFound
from meetdeck.platform.phrases import phrase


class CalendarFeedNotFound(NotFound):
    """The employee has no feed, or no feed has this secret."""

    code = "calendar_feed_not_found"

    def __init__(self, employee_id: UUID | None = None) -> None:
        if employee_id is None:
            super().__init__("This calendar does not exist. Its address may have been replaced.")
        else:
            super().__init__(phrase("Employee {employee_id} has no calendar feed.", employee_id=employee_id))
