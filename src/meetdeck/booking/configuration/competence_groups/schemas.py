"""Competence groups: the resource and its bodies."""

from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from meetdeck.booking.ids import Ids
from meetdeck.booking.texts import Name
from meetdeck.platform.values import SetSinceV3


class NamedReference(msgspec.Struct, frozen=True):
    """A customer type or topic that a group names; to rename it, change the customer type or topic itself."""

    id: UUID
    """The id of the customer type or topic."""
    name: str
    """Its current name."""


class CompetenceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A group of employees, with the topics and customer types that they serve; none means all."""

    id: UUID
    """The group's id; it never changes."""
    name: str
    """The name; several groups may have it."""
    child_group_ids: list[UUID]
    """The groups below it: their members, and those of all groups below them, serve the same as it."""
    parent_group_ids: list[UUID]
    """The groups above it, in at most 32 levels; groups must not form a circle."""
    customer_types: list[NamedReference]
    """The customer types that the members serve; empty: all."""
    employee_ids: list[UUID]
    """The members, who serve the topics."""
    topics: list[NamedReference]
    """The topics that the members serve; empty: all."""
    service_group_ids: list[UUID]
    """The service groups that its members serve in."""
    labels: list[str]
    """The labels of the group."""
    provisioned: SetSinceV3[bool] = UNSET
    """True when the firm's directory owns it (SCIM): its name and members are changed there alone; else left out."""


class EmployeeCompetenceGroup(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A competence group that an employee is a member of, and since when."""

    id: UUID
    """The group's id."""
    name: str
    """The group's name."""
    date_assigned: datetime
    """When the employee became a member."""


class GivenReference(msgspec.Struct, frozen=True):
    """A customer type or topic as groups show it; only the id counts."""

    id: UUID
    """The id of the customer type or topic."""
    name: str | None = None
    """Ignored; groups show it."""


class CompetenceGroupContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of a competence group; customer types and topics as ids, or as the group shows them."""

    name: Name
    """The name; several groups may have it."""
    child_group_ids: Ids = []
    """The groups below it: their members, and those of all groups below them, serve the same as it."""
    parent_group_ids: Ids = []
    """The groups above it, in at most 32 levels; groups must not form a circle."""
    customer_type_ids: Ids | UnsetType = UNSET
    """The customer types that the members serve; empty: all. Or send `customerTypes`, not both."""
    customer_types: list[GivenReference] | UnsetType = UNSET
    """`customerTypeIds`, as the group shows them: only each `id` counts."""
    employee_ids: Ids = []
    """The members, who serve the topics."""
    topic_ids: Ids | UnsetType = UNSET
    """The topics that the members serve; empty: all. Or send `topics`, not both."""
    topics: list[GivenReference] | UnsetType = UNSET
    """`topicIds`, as the group shows them: only each `id` counts."""
    service_group_ids: Ids = []
    """The service groups that its members serve in."""
    labels: list[str] = []
    """The labels of the group; new ones are registered."""


class CompetenceGroupInIds(CompetenceGroupContent, frozen=True, rename="camel", kw_only=True):
    """A competence group as its POST spells it, for a patch that names `customerTypeIds` or `topicIds`."""

    id: UUID
