"""The bodies and queries that the directory takes (docs/api.md#directory); what a body leaves out has its default."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Email, Line, Name, Text

Ids = Annotated[list[UUID], Meta(max_length=10_000)]
NewId = Annotated[UUID, Meta(description="An id of your own for what is new; it cannot be changed.")]


class SaveEmployee(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/employees; without `timeZoneId` the organization's, no customer types mean all."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it."""
    email: Email = ""
    """The address for invitations."""
    phone: Line = ""
    """The telephone number."""
    title: Line = ""
    """The job title."""
    location: Line = ""
    """Where the employee usually works: a location's name."""
    time_zone_id: UUID | None = None
    """The zone of the employee's hours; none: the organization's."""
    customer_type_ids: Ids = []
    """The customer types that the employee serves; empty: all."""
    active: bool = True
    """Whether the employee can be booked and is offered."""


class SaveRoom(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/rooms; `capacity` counts seats."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it."""
    capacity: Annotated[int, Meta(ge=0, le=100_000)]
    """How many can sit in it."""
    location: Line = ""
    """Where it is: a location's name."""
    features: Annotated[list[Name], Meta(max_length=10_000)] = []
    """A description of the room, in words of your own."""
    available: bool = True
    """Whether it can be booked at all."""


class SaveTopic(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/meeting-topics; no meeting types or customer types mean all."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it."""
    description: Text = ""
    """A description of the topic, in words for customers."""
    duration_minutes: Annotated[int, Meta(ge=1, le=24 * 60)] = 60
    """How long a meeting about it takes, unless a search says otherwise."""
    meeting_types: Annotated[list[MeetingType], Meta(max_length=10_000)] = []
    """How one can meet about it; empty: in every way."""
    customer_type_ids: Ids = []
    """For which customer types it is; empty: for all."""
    customer_bookable: bool = True
    """Whether customers may book it themselves."""


class SaveCustomerType(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/customer-types."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it."""
    description: Text = ""
    """A description of these customers, in words of your own."""
    order: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)] = 0
    """Its place in lists: the lower comes first."""


class SaveLocation(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /config/locations, and what a PATCH makes of a location."""

    location: Name
    """The name by which employees, workdays, rooms and portals mean it; unique in any case of its letters."""
    display_name: Line = ""
    """The text that people see, such as the address."""
    add_rooms_to_booked_meetings: bool = False
    """Whether a physical meeting that is booked without a room gets the smallest free one that seats everybody."""
    require_available_room: bool = False
    """Whether a physical meeting needs a free room: without one it is refused, and not offered."""


class TopicsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /meeting-topics: `isCustomer=true` lists what customers may book themselves."""

    is_customer: Annotated[
        bool, Meta(description="true: those that customers may book themselves; false: all.", examples=[True])
    ]
    customer_type_id: Annotated[UUID | None, Meta(description="Only topics for this customer type.")] = None
    customer_category_id: Annotated[UUID | None, Meta(description="The booking flow's `customerTypeId`.")] = None


class VacanciesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /room-vacancies."""

    location: Annotated[str, Meta(description="Where the rooms are, in any case of its letters.", examples=["Aarhus"])]
    time_slot_id: Annotated[UUID, Meta(description="A reservation or a meeting's slot: the time, and who sits there.")]


class LocationsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/locations: the one of that name, or those with a part of theirs."""

    location: Annotated[str, Meta(description="A location, in any case of its letters.")] | None = None
    search: Annotated[str, Meta(description="A part of location or displayName, in any case.")] | None = None
