"""Meetings, as the contract's section 2 spells their fields."""

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


class Party(msgspec.Struct, frozen=True):
    """Somebody in an invitation."""

    name: str
    email: str
