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
    """How many can sit in it."""
    location: str
    """Where it is: a location's name; empty: nowhere in particular."""
    features: list[str]
    """A description of the room, in words of your own."""
    available: bool
    """Whether it can be booked at all."""
    email: SinceV3[str] = UNSET
    """The room's address, as of a room mailbox; empty: none."""
    can_be_booked: SinceV3[bool] = UNSET
    """Whether it is offered and can be booked, as `available` says, too: either may close it."""


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
    email: SinceV3[Email] = ""
    """The room's address, as of a room mailbox."""
    can_be_booked: SinceV3[bool] = True
    """Whether it is offered and can be booked, as `available` says, too: either may close it."""


class VacanciesQuery(msgspec.Struct, frozen=True, rename="camel"):
    """GET /room-vacancies."""

    location: Annotated[str, Meta(description="Where the rooms are, in any case of its letters.", examples=["Aarhus"])]
    time_slot_id: Annotated[UUID, Meta(description="A reservation or a meeting's slot: the time, and who sits there.")]
    attendees: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_ATTENDEES)] | None,
        Meta(
            description="How many people come from outside, the customer included; default as the slot's meeting has"
            " them, else 1. Ours."
        ),
    ] = None
