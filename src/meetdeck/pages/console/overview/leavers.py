"""The employees who have left and still have meetings."""

from uuid import UUID

import msgspec

from meetdeck.pages.console.kit import ConsolePage
from meetdeck.platform.identity import Access


class Leaver(msgspec.Struct, frozen=True, rename="camel"):
    """An employee who cannot be booked any more, and the number of meetings to come."""

    employee_id: UUID
    name: str
    meetings: int


async def list_leavers(page: ConsolePage) -> list[Leaver]:
    """Return the employees whose meetings must be reassigned; none for a person who is not a manager."""
    if not page.may(Access.MANAGER):
        return []
    return await page.api.get("booking/meetings/unattended", list[Leaver])
