"""The search for free time slots: its query, and its answer."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta

from meetdeck.booking.defaults import MOST_ALSO
from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.seats import MOST_ATTENDEES
from meetdeck.platform.values import Duration, Moment, NotEmpty, SetSinceV3


class Exclusion(StrEnum):
    """The reason for which a search ignores an employee's time entirely."""

    INACTIVE = "Inactive"
    NO_SCHEDULE = "NoSchedule"
    NOT_BOOKABLE = "NotBookable"
    ONLY_WHEN_NAMED = "OnlyWhenNamed"
    NOT_NAMED = "NotNamed"
    EMPLOYEE_TYPES = "EmployeeTypes"
    CUSTOMER_TYPE = "CustomerType"
    TOPIC = "Topic"
    TOPIC_CUSTOMER_TYPE = "TopicCustomerType"
    TOPIC_MEETING_TYPE = "TopicMeetingType"
    TOPIC_DURATION = "TopicDuration"
    TOPIC_NOT_FOR_CUSTOMERS = "TopicNotForCustomers"
    SERVICE_TRIGGER = "ServiceTrigger"
    SERVICE_LEVEL = "ServiceLevel"
    LABELS = "Labels"


class AvailableSlot(msgspec.Struct, frozen=True, rename="camel"):
    """A free slot that the search found."""

    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""
    meeting_type: MeetingType
    """The possible meeting type."""
    employee_id: UUID
    """The free employee."""
    additional_employees: SetSinceV3[list[UUID]] = UNSET
    """The people of `alsoServiceGroups` who can join, in the order of the groups: one possible choice."""
    additional_employee_options: SetSinceV3[int] = UNSET
    """In how many ways the people of `alsoServiceGroups` can be chosen, 1,000,000 at most."""
    seats_left: SetSinceV3[int] = UNSET
    """The number of customers who can still join a time that others have booked; missing from free times."""


Name = Annotated[str, Meta(max_length=500)]

ALSO = (
    "Service groups, by id or name. For each, one more person must be free for the whole meeting, all of them "
    "different people; for two people of a group, name it twice."
)

_ATTENDEES = (
    "The number of external attendees, including the customer; default 1. A room must seat them and the advisors, as at"
    " booking: a customer and two `externalAttendees` are 3. An extension."
)

PARTICIPATION = "true: all of `explicitEmployeeIds` must be free for the whole meeting; false: one advisor must be."

_EMPLOYEE_TYPES = (
    "`Explicit`: those in `explicitEmployeeIds`; `Local`: slots that start in hours at `customerLocation`; "
    "`ServiceGroup`: those whom service groups offer. Several are combined. Default: only those in "
    "`explicitEmployeeIds`, or everybody if it is empty. No effect if `requireEmployeeParticipation` is true."
)

_CUSTOMER_INITIATED = (
    "true: opening hours, the minimum notice and the organization's longest time ahead count, as for customers."
)


class AvailableQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /time-slots/available."""

    asks_topic: ClassVar[bool] = True
    """True if the query can ask for people of the topic's groups; False in a subclass whose search includes them."""

    require_employee_participation: Annotated[bool, Meta(description=PARTICIPATION, examples=[False])]
    explicit_employee_ids: Annotated[
        list[UUID],
        NotEmpty,
        Meta(description="These employees only, unless `employeeTypes` requests others."),
    ] = []
    start_date: Annotated[Moment | None, Meta(description="Slots that begin at this time or later; default now.")] = (
        None
    )
    look_forward_time: Annotated[
        Duration | None, Meta(description="How far from `startDate`, as d.hh:mm:ss; default 7 days, at most 366.")
    ] = None
    topic: Annotated[
        UUID | None, Meta(description="A topic's id: only advisors who serve it, and its length of meetings.")
    ] = None
    customer_type_id: Annotated[UUID | None, Meta(description="Only advisors who serve this customer type.")] = None
    customer_category_id: Annotated[UUID | None, Meta(description="The booking flow's `customerTypeId`.")] = None
    employee_types: Annotated[list[EmployeeType] | None, Meta(description=_EMPLOYEE_TYPES)] = None
    meeting_types: Annotated[list[MeetingType] | None, Meta(description="In any case; default all.")] = None
    customer_location: Annotated[str | None, Meta(description="The customer's location, for `Local`.")] = None
    meeting_location: Annotated[
        str | None, Meta(description="Only physical meetings there; default `customerLocation`.")
    ] = None
    without_location: Annotated[
        bool,
        Meta(
            description="true: physical meetings with advisors who work without a location, and no others; not together"
            " with `meetingLocation`."
        ),
    ] = False
    labels: Annotated[
        list[str],
        NotEmpty,
        Meta(
            max_length=100,
            description="Only advisors whose competence groups and service groups together have all of these labels, "
            "in any case of their letters, such as the languages that they speak.",
        ),
    ] = []
    also_service_groups: Annotated[list[Name], Meta(max_length=MOST_ALSO, description=ALSO)] = []
    require_room: Annotated[bool, Meta(description="Only slots with a free room that seats the meeting.")] = False
    attendees: Annotated[int, Meta(ge=1, le=MOST_ATTENDEES, description=_ATTENDEES)] = 1
    specific_rooms: Annotated[list[UUID], NotEmpty, Meta(description="Only these rooms.")] = []
    is_customer_initiated: Annotated[bool, Meta(description=_CUSTOMER_INITIATED)] = False
    meeting_duration: Annotated[
        str | None, Meta(description="hh:mm:ss, or a number of minutes; default the topic's length, else one hour.")
    ] = None
    advisors_per_time: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None,
        Meta(
            description="The maximum number of advisors for each time and meeting type, the first in order; "
            "default all."
        ),
    ] = None
    token: Annotated[UUID | None, Meta(description="This token's reservation counts as free.")] = None
    existing_meeting_id: Annotated[UUID | None, Meta(description="This meeting's time counts as free.")] = None
    ignore_meeting_ids: Annotated[
        list[UUID],
        Meta(max_length=1_000, description="These meetings' times count as free, and not towards daily limits."),
    ] = []
    ignore_minimum_time_before_booking: Annotated[
        bool,
        Meta(description="true: no minimum notice and no working-time buffer, even if `isCustomerInitiated` is true."),
    ] = False
    get_best_time_slots: Annotated[
        bool,
        Meta(description="true: one advisor for each time and meeting type, by the organization's `advisorPriority`."),
    ] = False

    @property
    def any_customer_type_id(self) -> UUID | None:
        """Return the customer type, from either dialect's parameter."""
        return self.customer_type_id or self.customer_category_id

    @property
    def ignored_ids(self) -> list[UUID]:
        """Return the token and the meetings whose time counts as free."""
        own = (self.token, self.existing_meeting_id)
        return [*(each for each in own if each is not None), *self.ignore_meeting_ids]

    @property
    def kinds(self) -> frozenset[EmployeeType]:
        """Return the kinds of employees to search, none for everybody (docs/api/advisors.md)."""
        if self.require_employee_participation:
            return frozenset()
        if self.employee_types is None and self.explicit_employee_ids:
            return frozenset({EmployeeType.EXPLICIT})
        return frozenset(self.employee_types or [])

    @property
    def is_for_named_alone(self) -> bool:
        """Return whether only the named employees can be offered."""
        all_must = self.require_employee_participation and bool(self.explicit_employee_ids)
        return all_must or self.kinds == frozenset({EmployeeType.EXPLICIT})
