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
    value: Text


class Attendee(msgspec.Struct, frozen=True):
    """Somebody from outside who takes part."""

    name: Line
    email: Annotated[
        str,
        Meta(pattern=r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$(?!\n)", max_length=320, examples=["freja@example.com"]),
    ]


class Meeting(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A meeting. What is UNSET is not written."""

    id: UUID
    crm_id: str | None
    booked_by: BookedBy
    customer_type_id: UUID | None
    time_slot_id: UUID
    date_created: datetime
    date_modified: datetime
    title: str
    description: str
    video_link: str
    additional_employees: list[UUID]
    room_id: UUID | None
    start_date: datetime
    end_date: datetime
    type: MeetingType
    topic_id: UUID | None
    employee_id: UUID
    customer_id: str
    portal_id: UUID | UnsetType | None = UNSET
    custom_fields: list[CustomField] | UnsetType = UNSET
    external_attendees: list[Attendee] | UnsetType = UNSET
    cancelled_at: datetime | UnsetType = UNSET

    @property
    def people(self) -> list[UUID]:
        """Return the advisor and the additional employees, each once."""
        return list(dict.fromkeys([self.employee_id, *self.additional_employees]))

    @property
    def resource_ids(self) -> list[UUID]:
        """Return everybody and everything that it takes."""
        return self.people if self.room_id is None else [*self.people, self.room_id]

    @property
    def is_cancelled(self) -> bool:
        """Tell whether it was cancelled."""
        return self.cancelled_at is not UNSET


class MeetingAction(AnyCase):
    """What was done to a meeting."""

    CREATED = "Created"
    CHANGED = "Changed"
    CANCELLED = "Cancelled"


class MemberChange(msgspec.Struct, frozen=True):
    """A member of the meeting before and after, as it is answered; null when it was not set."""

    member: str
    before: Any
    after: Any


class HistoryEntry(msgspec.Struct, frozen=True, rename="camel"):
    """Who did what to a meeting, and when."""

    happened_at: datetime
    user_id: UUID
    action: MeetingAction
    changes: list[MemberChange]


class Party(msgspec.Struct, frozen=True):
    """Somebody in an invitation."""

    name: str
    email: str
