"""Meetings, as the contract's section 2 spells their fields, and what happened to them."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.texts import Text
from meetdeck.platform.wire import AnyCase

Line = Annotated[str, Meta(max_length=500)]


class BookedBy(AnyCase):
    """Who booked a meeting."""

    EMPLOYEE = "Employee"
    CUSTOMER = "Customer"
    PORTAL_PARTNER = "PortalPartner"
    PORTAL_CUSTOMER = "PortalCustomer"


class CustomField(msgspec.Struct, frozen=True):
    """An answer to a portal's field."""

    key: Line
    """The `name` of the portal's field."""
    value: Text
    """The answer: of a checkbox `true` or `false`."""


class Attendee(msgspec.Struct, frozen=True):
    """Somebody from outside who takes part."""

    name: Line
    """The name in the invitation."""
    email: Annotated[
        str,
        Meta(pattern=r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$(?!\n)", max_length=320, examples=["freja@example.com"]),
    ]
    """Where the invitation goes."""


def count_seats(meeting_type: MeetingType, people: int, attendees: int) -> int:
    """Return how many sit in a meeting's room (docs/api.md#seats): all and one customer, or the advisors alone."""
    return people + attendees + 1 if meeting_type is MeetingType.PHYSICAL else people


class Meeting(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A meeting. What is UNSET is not written."""

    id: UUID
    """The meeting's id; it never changes."""
    crm_id: str | None
    """The meeting in your CRM; null: none."""
    booked_by: BookedBy
    """The kind of person who booked it."""
    customer_type_id: UUID | None
    """The customer's type; null: none."""
    time_slot_id: UUID
    """The time slot that it takes."""
    date_created: datetime
    """When it was booked."""
    date_modified: datetime
    """When it was changed last."""
    title: str
    """The title in calendars; may be empty."""
    description: str
    """The description in calendars; may be empty."""
    video_link: str
    """Where an online meeting is held; empty: nowhere."""
    additional_employees: list[UUID]
    """Employees beside the advisor."""
    room_id: UUID | None
    """The room; null: none."""
    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""
    type: MeetingType
    """How advisor and customer meet."""
    topic_id: UUID | None
    """The topic; null: none in particular."""
    employee_id: UUID
    """The advisor."""
    customer_id: str
    """The customer, by the id that your systems know."""
    portal_id: UUID | UnsetType | None = UNSET
    """The portal in which it was booked; null: none."""
    custom_fields: list[CustomField] | UnsetType = UNSET
    """The answers to the portal's fields."""
    external_attendees: list[Attendee] | UnsetType = UNSET
    """People from outside, beside the customer."""
    cancelled_at: datetime | UnsetType = UNSET
    """When it was cancelled; only cancelled meetings have it."""

    @property
    def people(self) -> list[UUID]:
        """Return the advisor and the additional employees, each once."""
        return list(dict.fromkeys([self.employee_id, *self.additional_employees]))

    @property
    def resource_ids(self) -> list[UUID]:
        """Return everybody and everything that it takes."""
        return self.people if self.room_id is None else [*self.people, self.room_id]

    @property
    def seats(self) -> int:
        """Return how many its room must seat."""
        return count_seats(self.type, len(self.people), len(self.external_attendees or []))

    @property
    def is_cancelled(self) -> bool:
        """Return whether it was cancelled."""
        return self.cancelled_at is not UNSET


class MeetingAction(AnyCase):
    """What was done to a meeting."""

    CREATED = "Created"
    CHANGED = "Changed"
    CANCELLED = "Cancelled"


class MemberChange(msgspec.Struct, frozen=True):
    """A member of the meeting before and after, as it is answered; null when it was not set."""

    member: str
    """Which member of the meeting changed."""
    before: Any
    """The value before; null: not set."""
    after: Any
    """The value since; null: not set."""


class HistoryEntry(msgspec.Struct, frozen=True, rename="camel"):
    """Who did what to a meeting, and when."""

    happened_at: datetime
    """When it was done."""
    user_id: UUID
    """The user of the token that did it."""
    action: MeetingAction
    """The kind of change."""
    changes: list[MemberChange]
    """The members that changed; empty unless the action is Changed."""


class Party(msgspec.Struct, frozen=True):
    """Somebody in an invitation."""

    name: str
    email: str
