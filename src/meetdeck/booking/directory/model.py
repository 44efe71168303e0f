"""The directory's resources, as the contract's section 2 spells them; where it says "not shown", docs/api.md 19."""

from uuid import UUID

import msgspec

from meetdeck.booking.slots.model import MeetingType


class Employee(msgspec.Struct, frozen=True, rename="camel"):
    """An advisor or another employee who can take part in meetings."""

    id: UUID
    name: str
    email: str
    phone: str
    title: str
    location: str
    time_zone_id: UUID | None
    customer_type_ids: list[UUID]
    active: bool


class Room(msgspec.Struct, frozen=True, rename="camel"):
    """A meeting room; `capacity` counts seats."""

    id: UUID
    name: str
    capacity: int
    location: str
    features: list[str]
    available: bool


class Topic(msgspec.Struct, frozen=True, rename="camel"):
    """What a meeting can be about; empty `meeting_types` and `customer_type_ids` mean all."""

    id: UUID
    name: str
    description: str
    duration_minutes: int
    meeting_types: list[MeetingType]
    customer_type_ids: list[UUID]
    customer_bookable: bool


class CustomerType(msgspec.Struct, frozen=True, rename="camel"):
    """A kind of customer; lists are in `order`."""

    id: UUID
    name: str
    description: str
    order: int


class Location(msgspec.Struct, frozen=True, rename="camel"):
    """A place where employees work and rooms are; they name it by its `location`, in any case of its letters."""

    id: UUID
    location: str
    display_name: str
    add_rooms_to_booked_meetings: bool
    require_available_room: bool


class Timezone(msgspec.Struct, frozen=True, rename="camel"):
    """A time zone; `identifier` is its IANA name."""

    id: UUID
    identifier: str
    display_name: str
