"""The directory's resources, as the contract's section 2 spells them; "not shown" there: docs/api.md#directory."""

from uuid import UUID

import msgspec

from meetdeck.booking.slots.model import MeetingType


class Employee(msgspec.Struct, frozen=True, rename="camel"):
    """An advisor or another employee who can take part in meetings."""

    id: UUID
    """The employee's id; it never changes."""
    name: str
    """The name, as customers see it."""
    email: str
    """The address for invitations; empty: none."""
    phone: str
    """The telephone number; empty: none."""
    title: str
    """The job title."""
    location: str
    """Where the employee usually works: a location's name; empty: nowhere in particular."""
    time_zone_id: UUID | None
    """The zone of the employee's hours; null: the organization's."""
    customer_type_ids: list[UUID]
    """The customer types that the employee serves; empty: all."""
    active: bool
    """Whether the employee can be booked and is offered."""


class Room(msgspec.Struct, frozen=True, rename="camel"):
    """A meeting room; `capacity` counts seats."""

    id: UUID
    """The room's id; it never changes."""
    name: str
    """The name, as customers see it."""
    capacity: int
    """How many can sit in it."""
    location: str
    """Where it is: a location's name; empty: nowhere in particular."""
    features: list[str]
    """A description of the room, in words of your own."""
    available: bool
    """Whether it can be booked at all."""


class Topic(msgspec.Struct, frozen=True, rename="camel"):
    """What a meeting can be about; empty `meeting_types` and `customer_type_ids` mean all."""

    id: UUID
    """The topic's id; it never changes."""
    name: str
    """The name, as customers see it."""
    description: str
    """A description of the topic, in words for customers."""
    duration_minutes: int
    """How long a meeting about it takes, unless a search says otherwise."""
    meeting_types: list[MeetingType]
    """How one can meet about it; empty: in every way."""
    customer_type_ids: list[UUID]
    """For which customer types it is; empty: for all."""
    customer_bookable: bool
    """Whether customers may book it themselves."""


class CustomerType(msgspec.Struct, frozen=True, rename="camel"):
    """A kind of customer; lists are in `order`."""

    id: UUID
    """The customer type's id; it never changes."""
    name: str
    """The name, as customers see it."""
    description: str
    """A description of these customers, in words of your own."""
    order: int
    """Its place in lists: the lower comes first."""


class Location(msgspec.Struct, frozen=True, rename="camel"):
    """A place where employees work and rooms are; they name it by its `location`, in any case of its letters."""

    id: UUID
    """The location's id; it never changes."""
    location: str
    """The name by which employees, workdays, rooms and portals mean it; unique in any case of its letters."""
    display_name: str
    """The text that people see, such as the address."""
    add_rooms_to_booked_meetings: bool
    """Whether a physical meeting that is booked without a room gets the smallest free one that seats everybody."""
    require_available_room: bool
    """Whether a physical meeting needs a free room: without one it is refused, and not offered."""


class Timezone(msgspec.Struct, frozen=True, rename="camel"):
    """A time zone; `identifier` is its IANA name."""

    id: UUID
    """The time zone's id: the same in every installation."""
    identifier: str
    """The IANA name, such as `Europe/Copenhagen`."""
    display_name: str
    """The name for people, with the standard offset."""
