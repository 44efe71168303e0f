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
    name: str | None = None


class CompetenceGroupContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a competence group is made of; customer types and topics as ids, or as the group shows them."""

    name: Name
    child_group_ids: Ids = []
    parent_group_ids: Ids = []
    customer_type_ids: Ids | UnsetType = UNSET
    customer_types: list[GivenReference] | UnsetType = UNSET
    employee_ids: Ids = []
    topic_ids: Ids | UnsetType = UNSET
    topics: list[GivenReference] | UnsetType = UNSET
    service_group_ids: Ids = []
    labels: list[str] = []


class CompetenceGroupInIds(CompetenceGroupContent, frozen=True, rename="camel", kw_only=True):
    """A competence group in the words of its POST: what a patch works on that names `customerTypeIds` or `topicIds`."""

    id: UUID


class ServiceGroupContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What a service group is made of."""

    name: Name
    membership_email: Email = ""
    employee_ids: Ids = []
    competence_group_ids: Ids = []
    labels: list[str] = []
    max_meeting_time_per_day: Duration | None = None
    service_trigger: ServiceTrigger = ServiceTrigger()
    service_level: ServiceLevel = field(default_factory=ServiceLevel)
