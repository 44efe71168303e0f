"""Competence groups and service groups; where the contract says "not shown", docs/api/groups.md."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, field

from meetdeck.booking.ids import Ids
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Email, Name
from meetdeck.platform.values import Duration, SetSinceV3


class ServiceTrigger(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The searches for which a service group's advisors are offered; an empty array means all."""

    customer_type_ids: Ids = []
    """The types of customers; empty: all."""
    topic_ids: Ids = []
    """The topics; empty: all."""
    meeting_types: list[MeetingType] = []
    """The meeting types; empty: all."""
    locations: Annotated[list[Name], Meta(max_length=10_000)] = []
    """The locations of customers or meetings, in any case of their letters; empty: all."""


class ServiceLevel(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The level of a service group: its priority, its response time, and the buffers around meetings."""

    priority: Annotated[int, Meta(ge=0, le=1000, description="Higher ones come first.")] = 0
    response_time: Duration = field(default_factory=Duration)
    """The minimum notice: offered times start at least this long from now."""
    buffer_before: Duration = field(default_factory=Duration)
    """The time before a meeting during which the advisor must be free."""
    buffer_after: Duration = field(default_factory=Duration)
    """The time after a meeting during which the advisor must be free."""
    meeting_types: list[MeetingType] | None = None
    """The meeting types; null: all; empty: nothing is offered."""
    locations: Annotated[list[Name], Meta(max_length=10_000)] | None = None
    """The locations of physical meetings, in any case; empty: none; null: all, or none if `meetingTypes` is given."""


class ServiceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Advisors who serve together, directly or through competence groups."""

    id: UUID
    """The group's id; it never changes."""
    name: str
    """The name; several groups may have it."""
    membership_email: str
    """The address for questions and notices about membership; empty: none."""
    employee_ids: list[UUID]
    """The direct members."""
    competence_group_ids: list[UUID]
    """The competence groups whose members also serve here, with those of all groups below."""
    labels: list[str]
    """The labels of the group."""
    max_meeting_time_per_day: Duration | None
    """The maximum booked time of a direct member's day, at most `1.00:00:00`; null: the organization's limit."""
    service_trigger: ServiceTrigger
    """When its advisors are offered."""
    service_level: ServiceLevel
    """Its service level."""
    provisioned: SetSinceV3[bool] = UNSET
    """True when the firm's directory owns it (SCIM): its name and members are changed there alone; else left out."""


class ServiceGroupAdvisors(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The advisors of a service group, each list by name: an advisor may be in several."""

    skill_based: list[UUID]
    """The advisors who serve a topic that one of its competence groups names."""
    assigned: list[UUID]
    """Its direct members."""
    competence_group_advisors: list[UUID]
    """The members of its competence groups, and of all groups below them."""


class EmployeeServiceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A service group that an employee is a member of, and since when."""

    id: UUID
    """The group's id."""
    name: str
    """The group's name."""
    membership_email: str
    """The address for questions and notices about membership; empty: none."""
    date_assigned: datetime
    """When the employee became a member."""


class ServiceGroupContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of a service group."""

    name: Name
    """The name; several groups may have it."""
    membership_email: Email = ""
    """The address for questions and notices about membership; empty: none."""
    employee_ids: Ids = []
    """The direct members."""
    competence_group_ids: Ids = []
    """The competence groups whose members also serve here, with those of all groups below."""
    labels: list[str] = []
    """The labels of the group; new ones are registered."""
    max_meeting_time_per_day: Duration | None = None
    """The maximum booked time of a direct member's day, at most `1.00:00:00`; null: the organization's limit."""
    service_trigger: ServiceTrigger = ServiceTrigger()
    """When its advisors are offered."""
    service_level: ServiceLevel = field(default_factory=ServiceLevel)
    """Its service level."""
