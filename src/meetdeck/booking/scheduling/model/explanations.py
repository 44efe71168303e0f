"""Why a search offers an employee at some times of a day and not at others: ours, for administrators."""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.rules import Rule


class Exclusion(StrEnum):
    """Why a search does not look at an employee's time at all."""

    INACTIVE = "Inactive"
    NO_SCHEDULE = "NoSchedule"
    NOT_BOOKABLE = "NotBookable"
    ONLY_WHEN_NAMED = "OnlyWhenNamed"
    NOT_NAMED = "NotNamed"
    EMPLOYEE_TYPES = "EmployeeTypes"
    CUSTOMER_TYPE = "CustomerType"
    TOPIC = "Topic"
    TOPIC_CUSTOMER_TYPE = "TopicCustomerType"
    TOPIC_MEETING_TYPE = "TopicMeetingType"
    TOPIC_DURATION = "TopicDuration"
    TOPIC_NOT_FOR_CUSTOMERS = "TopicNotForCustomers"
    SERVICE_TRIGGER = "ServiceTrigger"


class Reason(msgspec.Struct, frozen=True, rename="camel"):
    """A rule that keeps the employee out of the search, and what it goes by."""

    rule: Exclusion
    """The rule."""
    detail: str
    """The reason in a sentence for administrators."""


class ExplainedStart(msgspec.Struct, frozen=True, rename="camel"):
    """A start and meeting type: available, or the first rule that takes it away and what that rule goes by."""

    start_date: datetime
    """When the slot would begin."""
    end_date: datetime
    """When it would end."""
    meeting_type: MeetingType
    """How one would meet."""
    available: bool
    """Whether the search offers it."""
    rule: Rule | None
    """The first rule that takes it away; null: none does."""
    detail: str
    """The reason in a sentence for administrators; empty: none."""


class Explanation(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One employee's day in a search; without `reasons`, each half-hour of it in each meeting type asked for."""

    employee_id: UUID
    """The employee whose day is explained."""
    day: date = msgspec.field(name="date")
    """The day, a local date of the organization."""
    time_zone: str
    """The employee's zone, in which the sentences tell times."""
    reasons: list[Reason]
    """Why the search does not look at the employee at all; empty: it does."""
    starts: list[ExplainedStart]
    """Each half-hour of the day in each meeting type, in order; empty when there are `reasons`."""
