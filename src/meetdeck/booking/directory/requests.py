"""The bodies and queries that the directory takes (docs/api.md 19); what a body leaves out has its default."""

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
    email: Email = ""
    phone: Line = ""
    title: Line = ""
    location: Line = ""
    time_zone_id: UUID | None = None
    customer_type_ids: Ids = []
    active: bool = True


class SaveRoom(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/rooms; `capacity` counts seats."""

    id: NewId | None = None
    name: Name
    capacity: Annotated[int, Meta(ge=0, le=100_000)]
    location: Line = ""
    features: Annotated[list[Name], Meta(max_length=10_000)] = []
    available: bool = True


class SaveTopic(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/meeting-topics; no meeting types or customer types mean all."""

    id: NewId | None = None
    name: Name
    description: Text = ""
    duration_minutes: Annotated[int, Meta(ge=1, le=24 * 60)] = 60
    meeting_types: Annotated[list[MeetingType], Meta(max_length=10_000)] = []
    customer_type_ids: Ids = []
    customer_bookable: bool = True


class SaveCustomerType(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/customer-types."""

    id: NewId | None = None
    name: Name
    description: Text = ""
    order: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)] = 0


class SaveLocation(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /config/locations, and what a PATCH makes of a location."""

    location: Name
    display_name: Line = ""
    add_rooms_to_booked_meetings: bool = False
    require_available_room: bool = False


class TopicsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /meeting-topics: `isCustomer=true` lists what customers may book themselves."""

    is_customer: Annotated[bool, Meta(description="true: those that customers may book themselves; false: all.")]
    customer_type_id: Annotated[UUID | None, Meta(description="Only topics for this customer type.")] = None
    customer_category_id: Annotated[UUID | None, Meta(description="The booking flow's `customerTypeId`.")] = None


class VacanciesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /room-vacancies."""

    location: Annotated[str, Meta(description="Where the rooms are, in any case of its letters.")]
    time_slot_id: Annotated[UUID, Meta(description="A reservation or a meeting's slot: the time, and who sits there.")]


class LocationsQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /config/locations: the one of that name, or those with a part of theirs."""

    location: Annotated[str, Meta(description="A location, in any case of its letters.")] | None = None
    search: Annotated[str, Meta(description="A part of location or displayName, in any case.")] | None = None
