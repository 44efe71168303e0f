"""What groups are made of. A POST's body, and what a PATCH must come to, are one: both are checked alike."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from meetdeck.booking.configuration.model.groups import Ids, ServiceLevel, ServiceTrigger
from meetdeck.booking.texts import Email, Name
from meetdeck.labels.model import LabelMatch
from meetdeck.platform.durations import Duration


class GroupsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET of a list of groups: those that carry all of the labels, or any."""

    labels: Annotated[list[str], Meta(description="Only what carries these labels, in any case of their letters.")] = []
    label_match: Annotated[LabelMatch, Meta(description="All of the labels, or any of them.")] = LabelMatch.ALL


class GivenReference(msgspec.Struct, frozen=True):
    """A customer type or topic as groups show it; only the id counts."""

    id: UUID
    """The id of the customer type or topic."""
    name: str | None = None
    """Not read: groups show it."""


class CompetenceGroupContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a competence group is made of; customer types and topics as ids, or as the group shows them."""

    name: Name
    """The name; several groups may have it."""
    child_group_ids: Ids = []
    """The groups below it: an order for people, that nobody serves a topic through."""
    parent_group_ids: Ids = []
    """The groups above it; groups form no circle."""
    customer_type_ids: Ids | UnsetType = UNSET
    """The customer types that the members serve; empty: all. Or send `customerTypes`, not both."""
    customer_types: list[GivenReference] | UnsetType = UNSET
    """`customerTypeIds`, as the group shows them: only each `id` counts."""
    employee_ids: Ids = []
    """The members: who serves the topics."""
    topic_ids: Ids | UnsetType = UNSET
    """The topics that the members serve; empty: all. Or send `topics`, not both."""
    topics: list[GivenReference] | UnsetType = UNSET
    """`topicIds`, as the group shows them: only each `id` counts."""
    service_group_ids: Ids = []
    """The service groups that its members serve in."""
    labels: list[str] = []
    """The labels that it carries; those that are new are registered."""


class CompetenceGroupInIds(CompetenceGroupContent, frozen=True, rename="camel", kw_only=True):
    """A competence group in the words of its POST: what a patch works on that names `customerTypeIds` or `topicIds`."""

    id: UUID


class ServiceGroupContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a service group is made of."""

    name: Name
    """The name; several groups may have it."""
    membership_email: Email = ""
    """Where members are asked for or told of; empty: nowhere."""
    employee_ids: Ids = []
    """The direct members."""
    competence_group_ids: Ids = []
    """The competence groups whose members serve here too."""
    labels: list[str] = []
    """The labels that it carries; those that are new are registered."""
    max_meeting_time_per_day: Duration | None = None
    """How much of a day a direct member may be booked, `1.00:00:00` at most; null: the organization's limit holds."""
    service_trigger: ServiceTrigger = ServiceTrigger()
    """When its advisors are offered."""
    service_level: ServiceLevel = field(default_factory=ServiceLevel)
    """How it serves."""
