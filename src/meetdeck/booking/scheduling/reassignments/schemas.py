"""Reassigning meetings: the request, and the outcome for each meeting."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking import examples
from meetdeck.platform.values import Moment


class ReassignMeetings(
    msgspec.Struct, frozen=True, rename={"employee_id": "employeeId", "dry_run": "dryRun"}, kw_only=True
):
    """POST /meetings/reassign."""

    employee_id: Annotated[UUID, Meta(examples=[examples.EMPLOYEE])]
    """The absent advisor."""
    from_: Annotated[Moment, Meta(examples=[examples.BUSY_TIME["startDate"]])] = msgspec.field(name="from")
    """When the absence begins: meetings that end later are reassigned."""
    to: Annotated[Moment, Meta(examples=[examples.BUSY_TIME["endDate"]])]
    """When the absence ends: meetings that begin earlier are reassigned."""
    dry_run: bool = False
    """True to report what would be done without changing anything."""


class Reassignment(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The outcome for a meeting."""

    meeting_id: UUID
    """The meeting."""
    employee_id: UUID | None
    """The new advisor, or the new person for the service group; null: the meeting stays unchanged."""
    reason: str
    """The reason that this advisor was chosen, or that the meeting stays."""


class Unattended(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An employee who is not active any more and still has meetings."""

    employee_id: UUID
    """The employee."""
    name: str
    """The employee's name."""
    meetings: int
    """The number of meetings that are not over."""
    first_at: datetime
    """When the first of them begins."""
