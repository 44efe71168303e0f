"""Wishes: the resource, its body and query (docs/api.md#wishes)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking import examples
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Email, Line
from meetdeck.platform.values import AnyCase, Moment

_MOST_EMPLOYEES = 200


class WishStatus(AnyCase):
    """The state of a wish."""

    WAITING = "Waiting"
    OFFERED = "Offered"
    BOOKED = "Booked"
    ENDED = "Ended"


class WishOffer(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A time that is held for the wish. A meeting with its `timeSlotId` takes it."""

    time_slot_id: UUID
    """The reservation; a meeting's `timeSlotId`."""
    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""
    employee_id: UUID
    """The advisor."""
    meeting_type: MeetingType
    """How one would meet."""
    expires_at: datetime
    """Until when it is held."""


class Wish(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The time and subject that a customer waits for."""

    id: UUID
    """The wish's id; it never changes."""
    topic_id: UUID | None
    """The topic, which says how long the meeting is; null: none in particular, and an hour."""
    customer_type_id: UUID | None
    """The customer's type; null: none."""
    meeting_types: list[MeetingType]
    """How the customer would meet; empty: in any way."""
    employee_ids: list[UUID]
    """With whom; empty: with anybody."""
    location: str
    """Where Physical meetings are: a location's name; empty: anywhere."""
    from_: datetime = field(name="from")
    """Not before."""
    to: datetime
    """The meeting ends then at the latest."""
    customer_id: str | None
    """The customer, by the id that your systems know; null: none."""
    portal_id: UUID | None
    """The portal on whose pages an offer is taken: its mail leads there; null: none."""
    name: str
    """The customer's name; may be empty."""
    email: str
    """Where the offer goes; may be empty."""
    phone: str
    """The customer's telephone number; may be empty."""
    status: WishStatus
    """What became of it, as it is now."""
    offer: WishOffer | None
    """The time that is held for it, or was booked; null: none."""
    date_created: datetime
    """When it was made: who waits longest comes first."""


class WishContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of a wish; at least one of `customerId`, `email` and `phone` says whose it is."""

    topic_id: Annotated[UUID | None, Meta(examples=[examples.TOPIC])] = None
    """The topic, which says how long the meeting is; null: none in particular, and an hour."""
    customer_type_id: UUID | None = None
    """The customer's type; null: none."""
    meeting_types: Annotated[list[MeetingType], Meta(max_length=100)] = []
    """How the customer would meet; empty: in any way."""
    employee_ids: Annotated[list[UUID], Meta(max_length=_MOST_EMPLOYEES)] = []
    """With whom; empty: with anybody."""
    location: Line = ""
    """Where Physical meetings are: a location's name; empty: anywhere."""
    from_: Annotated[Moment | None, Meta(description="Not before; null: now.")] = field(name="from", default=None)
    to: Annotated[Moment, Meta(examples=[examples.NEW_WISH["to"]])]
    """The meeting ends then at the latest: at most 366 days after `from`."""
    customer_id: Annotated[str, Meta(min_length=1, max_length=500, examples=["C-1001"])] | None = None
    """The customer, by the id that your systems know; null: none."""
    portal_id: UUID | None = None
    """The portal on whose pages an offer is taken: its mail leads there; null: none."""
    name: Line = ""
    """The customer's name."""
    email: Email = ""
    """Where the offer goes."""
    phone: Line = ""
    """The customer's telephone number."""


class WishesQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /wishes."""

    status: Annotated[list[WishStatus], Meta(description="Only wishes of these; all when it is not given.")] = field(
        default_factory=list
    )
    customer_id: Annotated[str | None, Meta(description="A customer's, exactly as `customerId` has it.")] = None


class FreedTime(msgspec.Struct, frozen=True, kw_only=True):
    """A time of an employee that became free."""

    freed_time_id: UUID
    employee_id: UUID
    starts_at: datetime
    ends_at: datetime


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A time of a freed time that was offered to a wish, as it is now."""

    time_slot_id: UUID
    starts_at: datetime
    ends_at: datetime
    expires_at: datetime
