"""The bodies and queries of time slots (contract section 4)."""

from datetime import date
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking.scheduling.model.time_slots import SlotStatus
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.durations import Duration
from meetdeck.platform.wire import AnyCase, Moment

Name = Annotated[str, Meta(max_length=500)]


class EmployeeType(AnyCase):
    """Which employees a search looks at; several are united."""

    EXPLICIT = "Explicit"
    LOCAL = "Local"
    SERVICE_GROUP = "ServiceGroup"


class TimeSlotsQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots; without dates, the 31 days from now."""

    employee_id: UUID | None = None
    room_id: UUID | None = None
    start_date: Moment | None = None
    end_date: Moment | None = None
    status: Annotated[list[SlotStatus], Meta(description="Reserved and Booked when it is not given.")] = []


class AvailableQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots/available."""

    require_employee_participation: bool
    explicit_employee_ids: list[UUID] = []
    start_date: Moment | None = None
    look_forward_time: Duration | None = None
    topic: UUID | None = None
    customer_type_id: UUID | None = None
    customer_category_id: UUID | None = None
    employee_types: list[EmployeeType] | None = None
    meeting_types: list[MeetingType] | None = None
    customer_location: str | None = None
    meeting_location: str | None = None
    require_room: bool = False
    specific_rooms: list[UUID] = []
    is_customer_initiated: bool = False
    meeting_duration: Annotated[str, Meta(description="hh:mm:ss, or a number of minutes")] | None = None
    token: Annotated[UUID, Meta(description="What this token has reserved counts as free.")] | None = None
    existing_meeting_id: Annotated[UUID, Meta(description="What this meeting takes counts as free.")] | None = None

    @property
    def any_customer_type_id(self) -> UUID | None:
        """Return the customer type, whichever dialect named it."""
        return self.customer_type_id or self.customer_category_id


class ExplainQuery(AvailableQuery, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots/explain: a search, seen by one employee on one day; without dates, the whole day is searched."""

    employee_id: UUID
    day: Annotated[date, Meta(description="A local date of the organization: YYYY-MM-DD.")] = field(name="date")
    require_employee_participation: bool = False


class SlotToReserve(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The `timeSlot` of a reservation."""

    start_date: Moment
    end_date: Moment
    status: SlotStatus
    employee_id: UUID | None = None
    room_id: UUID | None = None
    service_group: Name | None = None


class ReserveTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /time-slots/reserve; `token` is unique for each customer's session."""

    time_slot: SlotToReserve
    token: UUID
    existing_meeting_id: UUID | None = None
