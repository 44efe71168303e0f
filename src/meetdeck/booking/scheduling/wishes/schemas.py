"""Wishes: the resource, its body and query (docs/api/waiting-list.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking import examples
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Email, Line
from meetdeck.platform.values import AnyCase, LanguageTag, Moment

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
    """The meeting type of the time."""
    expires_at: datetime
    """Until when it is held."""


class Wish(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The time and topic that a customer waits for."""

    id: UUID
    """The wish's id; it never changes."""
    topic_id: UUID | None
    """The topic, which decides the meeting's length; null: none in particular, and an hour."""
    customer_type_id: UUID | None
    """The customer's type; null: none."""
    meeting_types: list[MeetingType]
    """The customer's meeting types; empty: all."""
    employee_ids: list[UUID]
    """The customer's advisors; empty: anybody."""
    location: str
    """The location of Physical meetings, by name; empty: anywhere."""
    from_: datetime = field(name="from")
    """The earliest start."""
    to: datetime
    """The latest end."""
    customer_id: str | None
    """The customer, by the id that your systems know; null: none."""
    portal_id: UUID | None
    """The portal on whose pages an offer is accepted, to which its mail links; null: none."""
    name: str
    """The customer's name; may be empty."""
    email: str
    """The address for offers; may be empty."""
    phone: str
    """The customer's telephone number; may be empty."""
    language: LanguageTag | None
    """The language of its mails and of the pages to which they link; null: the organization's main one."""
    status: WishStatus
    """The current state of the wish."""
    offer: WishOffer | None
    """The time that is held for it, or was booked; null: none."""
    date_created: datetime
    """When it was created: older wishes come first."""


class WishContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of a wish; at least one of `customerId`, `email` and `phone` identifies the customer."""

    topic_id: Annotated[UUID | None, Meta(examples=[examples.TOPIC])] = None
    """The topic, which decides the meeting's length; null: none in particular, and an hour."""
    customer_type_id: UUID | None = None
    """The customer's type; null: none."""
    meeting_types: Annotated[list[MeetingType], Meta(max_length=100)] = []
    """The customer's meeting types; empty: all."""
    employee_ids: Annotated[list[UUID], Meta(max_length=_MOST_EMPLOYEES)] = []
    """The customer's advisors; empty: anybody."""
    location: Line = ""
    """The location of Physical meetings, by name; empty: anywhere."""
    from_: Annotated[Moment | None, Meta(description="The earliest start; null: now.")] = field(
        name="from", default=None
    )
    to: Annotated[Moment, Meta(examples=[examples.NEW_WISH["to"]])]
    """The latest end: at most 366 days after `from`."""
    customer_id: Annotated[str, Meta(min_length=1, max_length=500, examples=["C-1001"])] | None = None
    """The customer, by the id that your systems know; null: none."""
    portal_id: UUID | None = None
    """The portal on whose pages an offer is accepted, to which its mail links; null: none."""
    name: Line = ""
    """The customer's name."""
    email: Email = ""
    """The address for offers."""
    phone: Line = ""
    """The customer's telephone number."""
    language: LanguageTag | None = None
    """The language of its mails and of the pages to which they link; null: the organization's main one."""


class WishesQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /wishes."""

    status: Annotated[list[WishStatus], Meta(description="Only wishes of these; by default all.")] = field(
        default_factory=list
    )
    customer_id: Annotated[str | None, Meta(description="The customer's id, exactly as in `customerId`.")] = None


class FreedTime(msgspec.Struct, frozen=True, kw_only=True):
    """A time of an employee that became free."""

    freed_time_id: UUID
    employee_id: UUID
    starts_at: datetime
    ends_at: datetime


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """The current state of a freed time's part that was offered to a wish."""

    time_slot_id: UUID
    starts_at: datetime
    ends_at: datetime
    expires_at: datetime
