"""The bodies and queries of time slots (contract section 4)."""

from datetime import date
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking import examples
from meetdeck.booking.scheduling.model.time_slots import SlotStatus
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.durations import Duration
from meetdeck.platform.paging import Paged
from meetdeck.platform.wire import AnyCase, Moment

Name = Annotated[str, Meta(max_length=500)]

_PARTICIPATION = "true: all of `explicitEmployeeIds` must be free for the whole meeting; false: one advisor must be."
_EMPLOYEE_TYPES = (
    "`Explicit`: those in `explicitEmployeeIds`; `Local`: slots that start in hours at `customerLocation`;"
    " `ServiceGroup`: whom service groups offer. United. Left out: those in `explicitEmployeeIds` alone, or everybody"
    " when it names nobody. Of no matter when `requireEmployeeParticipation` is true."
)
_CUSTOMER_INITIATED = (
    "true: opening hours, the minimum notice and the organization's longest time ahead count, as for customers."
)


class EmployeeType(AnyCase):
    """Which employees a search looks at; several are united."""

    EXPLICIT = "Explicit"
    LOCAL = "Local"
    SERVICE_GROUP = "ServiceGroup"


class TimeSlotsQuery(Paged, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots; without dates, the 31 days from now."""

    employee_id: Annotated[
        UUID | None, Meta(description="An employee's slots, and those of meetings in which they take part.")
    ] = None
    room_id: Annotated[UUID | None, Meta(description="A room's slots.")] = None
    start_date: Annotated[Moment | None, Meta(description="Slots that end later; default now.")] = None
    end_date: Annotated[
        Moment | None, Meta(description="Slots that begin earlier; default 31 days after `startDate`, at most 366.")
    ] = None
    status: Annotated[list[SlotStatus], Meta(description="Reserved and Booked when it is not given.")] = field(
        default_factory=list
    )


class AvailableQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots/available."""

    require_employee_participation: Annotated[bool, Meta(description=_PARTICIPATION, examples=[False])]
    explicit_employee_ids: Annotated[
        list[UUID], Meta(description="The named ones; nobody else is offered, unless `employeeTypes` asks for others.")
    ] = []
    start_date: Annotated[Moment | None, Meta(description="Slots that begin then or later; default now.")] = None
    look_forward_time: Annotated[
        Duration | None, Meta(description="How far from `startDate`, as d.hh:mm:ss; default 7 days, at most 366.")
    ] = None
    topic: Annotated[
        UUID | None, Meta(description="A topic's id: only advisors who serve it, and its length of a meeting.")
    ] = None
    customer_type_id: Annotated[UUID | None, Meta(description="Only advisors who serve this customer type.")] = None
    customer_category_id: Annotated[UUID | None, Meta(description="The booking flow's `customerTypeId`.")] = None
    employee_types: Annotated[list[EmployeeType] | None, Meta(description=_EMPLOYEE_TYPES)] = None
    meeting_types: Annotated[list[MeetingType] | None, Meta(description="In any case; default all.")] = None
    customer_location: Annotated[str | None, Meta(description="Where the customer is: for `Local`.")] = None
    meeting_location: Annotated[
        str | None, Meta(description="Physical meetings there alone; default `customerLocation`.")
    ] = None
    require_room: Annotated[bool, Meta(description="Only slots with a free room that seats the meeting.")] = False
    specific_rooms: Annotated[list[UUID], Meta(description="One of these rooms, and no other.")] = []
    is_customer_initiated: Annotated[bool, Meta(description=_CUSTOMER_INITIATED)] = False
    meeting_duration: Annotated[
        str | None, Meta(description="hh:mm:ss, or a number of minutes; default the topic's, else one hour.")
    ] = None
    token: Annotated[UUID | None, Meta(description="What this token has reserved counts as free.")] = None
    existing_meeting_id: Annotated[UUID | None, Meta(description="What this meeting takes counts as free.")] = None

    @property
    def any_customer_type_id(self) -> UUID | None:
        """Return the customer type, whichever dialect named it."""
        return self.customer_type_id or self.customer_category_id

    @property
    def kinds(self) -> frozenset[EmployeeType]:
        """Return the kinds of employees that the search is for, none for everybody (docs/api.md#candidates)."""
        if self.require_employee_participation:
            return frozenset()
        if self.employee_types is None and self.explicit_employee_ids:
            return frozenset({EmployeeType.EXPLICIT})
        return frozenset(self.employee_types or [])

    @property
    def is_for_named_alone(self) -> bool:
        """Return whether nobody but the named employees can be offered."""
        all_must = self.require_employee_participation and bool(self.explicit_employee_ids)
        return all_must or self.kinds == frozenset({EmployeeType.EXPLICIT})


class ExplainQuery(AvailableQuery, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots/explain: a search, seen by one employee on one day; without dates, the whole day is searched."""

    employee_id: Annotated[UUID, Meta(description="Whose day it is.", examples=[examples.EMPLOYEE])]
    day: Annotated[date, Meta(description="A local date of the organization: YYYY-MM-DD.", examples=["2035-03-05"])] = (
        field(name="date")
    )
    require_employee_participation: Annotated[bool, Meta(description=_PARTICIPATION)] = False


class SlotToReserve(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The `timeSlot` of a reservation."""

    start_date: Annotated[Moment, Meta(examples=[examples.RESERVATION["timeSlot"]["startDate"]])]
    """When it begins: now or later."""
    end_date: Annotated[Moment, Meta(examples=[examples.RESERVATION["timeSlot"]["endDate"]])]
    """When it ends: at most 31 days later."""
    status: Annotated[SlotStatus, Meta(description="Reserved.", examples=["Reserved"])]
    employee_id: Annotated[
        UUID | None, Meta(description="Whose time; none: see `serviceGroup`.", examples=[examples.EMPLOYEE])
    ] = None
    room_id: Annotated[UUID | None, Meta(description="A room that is held, too.")] = None
    service_group: Annotated[
        Name | None,
        Meta(description="A group's id or name: of its advisors whom the search offers then, the least booked."),
    ] = None


class ReserveTimeSlot(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """POST /time-slots/reserve; `token` is unique for each customer's session."""

    time_slot: SlotToReserve
    """The time to hold."""
    token: Annotated[
        UUID,
        Meta(description="Yours to choose: it holds one slot at most.", examples=[examples.TOKEN]),
    ]
    existing_meeting_id: Annotated[
        UUID | None, Meta(description="The meeting that is to move there: what it takes counts as free.")
    ] = None
