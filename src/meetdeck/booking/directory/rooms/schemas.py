"""Rooms: the resource, its body and queries."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta

from meetdeck.booking.ids import NewId
from meetdeck.booking.slots.seats import MOST_ATTENDEES
from meetdeck.booking.texts import Email, Line, Name
from meetdeck.platform.values import SinceV3


class Room(msgspec.Struct, frozen=True, rename="camel"):
    """A meeting room; `capacity` counts seats."""

    id: UUID
    """The room's id; it never changes."""
    name: str
    """The name, as customers see it."""
    capacity: int
    """The number of seats."""
    location: str
    """The location of the room, by name; empty: none in particular."""
    features: list[str]
    """A description of the room, in your own words."""
    available: bool
    """True if it can be booked at all."""
    email: SinceV3[str] = UNSET
    """The room's address, such as that of a room mailbox; empty: none."""
    can_be_booked: SinceV3[bool] = UNSET
    """True if it is offered and can be booked; both this and `available` must be true."""


class SaveRoom(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST and PUT /config/rooms; `capacity` counts seats."""

    id: NewId | None = None
    name: Name
    """The name, as customers see it."""
    capacity: Annotated[int, Meta(ge=0, le=100_000)]
    """The number of seats."""
    location: Line = ""
    """The location of the room, by name."""
    features: Annotated[list[Name], Meta(max_length=10_000)] = []
    """A description of the room, in your own words."""
    available: bool = True
    """True if it can be booked at all."""
    email: SinceV3[Email] = ""
    """The room's address, such as that of a room mailbox."""
    can_be_booked: SinceV3[bool] = True
    """True if it is offered and can be booked; both this and `available` must be true."""


class VacanciesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /room-vacancies."""

    location: Annotated[
        str, Meta(description="The location of the rooms, in any case of its letters.", examples=["Aarhus"])
    ]
    time_slot_id: Annotated[UUID, Meta(description="A reservation or a meeting's slot, with its time and people.")]
    attendees: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_ATTENDEES)] | None,
        Meta(
            description="The number of external attendees, including the customer; default: as in the slot's meeting,"
            " else 1. An extension."
        ),
    ] = None
