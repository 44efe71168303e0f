"""The explanation of an employee's offered and missing times on a day; an extension for administrators."""

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking import examples
from meetdeck.booking.scheduling.search.schemas import PARTICIPATION, AvailableQuery, Exclusion
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.rules import Rule


class Reason(msgspec.Struct, frozen=True, rename="camel"):
    """A rule that excludes the employee from the search, and the facts behind it."""

    rule: Exclusion
    """The rule."""
    detail: str
    """The reason in a sentence for administrators."""


class ExplainedStart(msgspec.Struct, frozen=True, rename="camel"):
    """A start and meeting type: available, or the first rule that removes it and the facts behind it."""

    start_date: datetime
    """When the slot would begin."""
    end_date: datetime
    """When it would end."""
    meeting_type: MeetingType
    """The meeting type."""
    available: bool
    """True if the search offers it."""
    rule: Rule | None
    """The first rule that removes it; null: none does."""
    detail: str
    """The reason in a sentence for administrators; for an available start, its extra hours, if any."""


class Explanation(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An employee's day in a search; without `reasons`, each half-hour of it in each requested meeting type."""

    employee_id: UUID
    """The employee whose day is explained."""
    day: date = msgspec.field(name="date")
    """The day, a local date of the organization."""
    time_zone: str
    """The employee's zone, in which the sentences give times."""
    reasons: list[Reason]
    """The reasons that the search does not consider the employee at all; empty if it does."""
    starts: list[ExplainedStart]
    """Each half-hour of the day in each meeting type, in order; empty when there are `reasons`."""


class ExplainQuery(AvailableQuery, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots/explain: a search for one employee on one day; without dates, the whole day is searched."""

    employee_id: Annotated[UUID, Meta(description="The employee whose day is explained.", examples=[examples.EMPLOYEE])]
    day: Annotated[date, Meta(description="A local date of the organization: YYYY-MM-DD.", examples=["2035-03-05"])] = (
        field(name="date")
    )
    require_employee_participation: Annotated[bool, Meta(description=PARTICIPATION)] = False
