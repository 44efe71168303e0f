"""Meeting topics: the resource, its body and query."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, field

from meetdeck.booking.defaults import MOST_ALSO
from meetdeck.booking.ids import Ids, NewId
from meetdeck.booking.localization.languages import LanguageQuery
from meetdeck.booking.localization.texts import GivenTranslations, Translations
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Line, Name, Text
from meetdeck.platform.values import Duration, SinceV3


class Topic(msgspec.Struct, frozen=True, rename="camel"):
    """A subject of meetings; empty `meeting_types` and `customer_type_ids` mean all."""

    id: UUID
    """The topic's id; it never changes."""
    name: str
    """The name, as customers see it, in the main language."""
    description: str
    """A description of the topic for customers."""
    duration_minutes: int
    """The length of its meetings, unless a search has its own."""
    meeting_types: list[MeetingType]
    """The possible meeting types; empty: all."""
    customer_type_ids: list[UUID]
    """The customer types that it is for; empty: all."""
    customer_bookable: bool
    """True if customers may book it themselves."""
    unique_topic_id: SinceV3[str] = UNSET
    """The topic's id in another system, unique among topics; empty: none."""
    parent_id: SinceV3[UUID | None] = UNSET
    """The topic above it in your lists; null: none."""
    order: SinceV3[int] = UNSET
    """Its position in lists: lower ones come first, equal ones by name."""
    preparation_time: SinceV3[Duration] = UNSET
    """The time before a meeting about it during which the advisor must be free of other meetings."""
    follow_up_time: SinceV3[Duration] = UNSET
    """The time after a meeting about it during which the advisor must be free of other meetings."""
    also_service_groups: SinceV3[list[UUID]] = UNSET
    """The service groups of which one more person each joins its meetings; name a group twice for two people."""
    seats: SinceV3[int] = UNSET
    """The number of customers who may book the same time of the same advisor; 1: one customer only."""
    minimum_seats: SinceV3[int] = UNSET
    """The number of customers who must book for it to take place; with fewer, it is cancelled automatically."""
    localized_name: SinceV3[Translations] = UNSET
    """The name by language."""
    localized_description: SinceV3[Translations] = UNSET
    """The description by language."""


class SaveTopic(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/meeting-topics; no meeting types or customer types mean all."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it, in the main language."""
    description: Text = ""
    """A description of the topic for customers."""
    duration_minutes: Annotated[int, Meta(ge=1, le=24 * 60)] = 60
    """The length of its meetings, unless a search has its own."""
    meeting_types: Annotated[list[MeetingType], Meta(max_length=10_000)] = []
    """The possible meeting types; empty: all."""
    customer_type_ids: Ids = []
    """The customer types that it is for; empty: all."""
    customer_bookable: bool = True
    """True if customers may book it themselves."""
    unique_topic_id: SinceV3[Line] = ""
    """The topic's id in another system, unique among topics; empty: none."""
    parent_id: SinceV3[UUID | None] = None
    """The topic above it in your lists; by default none."""
    order: SinceV3[Annotated[int, Meta(ge=-(2**31), lt=2**31)]] = 0
    """Its position in lists: lower ones come first, equal ones by name."""
    preparation_time: SinceV3[Duration] = field(default_factory=Duration)
    """The time before a meeting about it during which the advisor must be free of other meetings: at most a day."""
    follow_up_time: SinceV3[Duration] = field(default_factory=Duration)
    """The time after a meeting about it during which the advisor must be free of other meetings: at most a day."""
    also_service_groups: SinceV3[Annotated[list[Name], Meta(max_length=MOST_ALSO)]] = []
    """Service groups, by id or name: one more person of each joins its meetings; name a group twice for two people."""
    seats: SinceV3[Annotated[int, Meta(ge=1, le=1_000)]] = 1
    """The number of customers who may book the same time of the same advisor; 1: one customer only."""
    minimum_seats: SinceV3[Annotated[int, Meta(ge=1, le=1_000)]] = 1
    """The number of customers who must book for it to take place, at most `seats`; with fewer, it is cancelled."""
    localized_name: SinceV3[GivenTranslations] = UNSET
    """The name by language."""
    localized_description: SinceV3[GivenTranslations] = UNSET
    """The description by language."""


class TopicsQuery(LanguageQuery, frozen=True, rename="camel", kw_only=True):
    """GET /meeting-topics: `isCustomer=true` lists the topics that customers may book themselves."""

    is_customer: Annotated[
        bool, Meta(description="true: those that customers may book themselves; false: all.", examples=[True])
    ]
    customer_type_id: Annotated[UUID | None, Meta(description="Only topics for this customer type.")] = None
    customer_category_id: Annotated[UUID | None, Meta(description="The booking flow's `customerTypeId`.")] = None
