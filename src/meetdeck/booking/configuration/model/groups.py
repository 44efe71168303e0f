"""Competence groups and service groups; where the contract says "not shown", docs/api.md 32."""

from datetime import datetime
from enum import Enum
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Name
from meetdeck.labels.model import LabelledKind
from meetdeck.platform.durations import Duration

Ids = Annotated[list[UUID], Meta(max_length=10_000)]


class GroupKind(Enum):
    """The two kinds of groups; the value is the name of the table."""

    COMPETENCE = "competence_group"
    SERVICE = "service_group"

    @property
    def words(self) -> str:
        """Return its name for people."""
        return self.value.replace("_", " ")

    @property
    def labelled(self) -> LabelledKind:
        """Return it as what carries labels."""
        return LabelledKind(self.value)


class NamedReference(msgspec.Struct, frozen=True):
    """A customer type or topic that a group names; to change its name, change the thing itself."""

    id: UUID
    name: str


class CompetenceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Who serves which topics for which customer types; none named means all."""

    id: UUID
    name: str
    child_group_ids: list[UUID]
    parent_group_ids: list[UUID]
    customer_types: list[NamedReference]
    employee_ids: list[UUID]
    topics: list[NamedReference]
    service_group_ids: list[UUID]
    labels: list[str]


class ServiceTrigger(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """When a service group's advisors are offered: for these; an empty array means always."""

    customer_type_ids: Ids = []
    topic_ids: Ids = []
    meeting_types: list[MeetingType] = []
    locations: Annotated[list[Name], Meta(max_length=10_000)] = []


class ServiceLevel(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How a service group serves: who is offered first, how soon, and how much time lies around meetings."""

    priority: Annotated[int, Meta(ge=0, le=1000, description="The higher comes first.")] = 0
    response_time: Duration = field(default_factory=Duration)
    """Advisors are offered from so long after now."""
    buffer_before: Duration = field(default_factory=Duration)
    """So long before a meeting the advisor must be free."""
    buffer_after: Duration = field(default_factory=Duration)
    """So long after a meeting the advisor must be free."""


class ServiceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Advisors who serve together, directly or through competence groups."""

    id: UUID
    name: str
    membership_email: str
    employee_ids: list[UUID]
    competence_group_ids: list[UUID]
    labels: list[str]
    max_meeting_time_per_day: Duration | None
    service_trigger: ServiceTrigger
    service_level: ServiceLevel


class ServiceGroupAdvisors(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Who serves in a service group, each list by name: an advisor may be in several."""

    skill_based: list[UUID]
    """Who serves a topic that one of its competence groups names."""
    assigned: list[UUID]
    """Its own members."""
    competence_group_advisors: list[UUID]
    """The members of its competence groups."""


class EmployeeCompetenceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A competence group that an employee is a member of, and since when."""

    id: UUID
    name: str
    date_assigned: datetime


class EmployeeServiceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A service group that an employee is a member of, and since when."""

    id: UUID
    name: str
    membership_email: str
    date_assigned: datetime
