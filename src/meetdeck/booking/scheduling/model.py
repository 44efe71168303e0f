"""Meetings and time slots, as the contract's section 2 spells their fields."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.wire import AnyCase


class BookedBy(AnyCase):
    """Who booked a meeting."""

    EMPLOYEE = "Employee"
    CUSTOMER = "Customer"
    PORTAL_PARTNER = "PortalPartner"
    PORTAL_CUSTOMER = "PortalCustomer"


class SlotStatus(AnyCase):
    """The state of a time slot (contract section 3; docs/api.md 25). Expired is a reservation past its time."""

    RESERVED = "Reserved"
    BOOKED = "Booked"
    EXPIRED = "Expired"
    RELEASED = "Released"


class CustomField(msgspec.Struct, frozen=True):
    """An answer to a portal's field."""

    key: str
    value: str


class Attendee(msgspec.Struct, frozen=True):
    """Somebody from outside who takes part."""

    name: str
    email: Annotated[str, msgspec.Meta(pattern=r"^[^@\s\x00-\x1f]+@[^@\s\x00-\x1f]+$(?!\n)", max_length=320)]


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
    portal_id: UUID | UnsetType = UNSET
    custom_fields: list[CustomField] | UnsetType = UNSET
    external_attendees: list[Attendee] | UnsetType = UNSET


class AvailableSlot(msgspec.Struct, frozen=True, rename="camel"):
    """One free slot that the search found."""

    start_date: datetime
    end_date: datetime
    meeting_type: MeetingType
    employee_id: UUID


class ReservedTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A reservation, with what confirms it: its token and when it ends by itself."""

    id: UUID
    employee_id: UUID | None
    start_time: datetime
    end_time: datetime
    start_date: datetime
    end_date: datetime
    available: bool
    room_id: UUID | None
    status: SlotStatus
    service_group: str | None
    token: UUID
    expires_at: datetime


class TimeSlot(msgspec.Struct, frozen=True, kw_only=True):
    """A time slot as it is stored; `status` is as written, so a Reserved one past `expires_at` is expired."""

    time_slot_id: UUID
    starts_at: datetime
    ends_at: datetime
    employee_id: UUID | None
    room_id: UUID | None
    service_group: str | None
    status: SlotStatus
    token: UUID | None
    expires_at: datetime | None
    renewals: int

    def is_live_reservation(self, now: datetime) -> bool:
        """Tell whether it is reserved and its five minutes are not over."""
        return self.status is SlotStatus.RESERVED and self.expires_at is not None and now < self.expires_at


class Party(msgspec.Struct, frozen=True):
    """Somebody in an invitation."""

    name: str
    email: str
