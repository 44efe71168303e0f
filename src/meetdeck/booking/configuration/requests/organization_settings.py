"""What organization settings are made of; a PATCH must come to it. Its defaults are those of a new organization."""

from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from meetdeck.booking import defaults, examples
from meetdeck.booking.configuration.model.organization_settings import DisplayLabel
from meetdeck.booking.texts import Email, Line, Text
from meetdeck.platform.durations import Duration
from meetdeck.platform.wire import Moment, TimeOfDay

MOST_CLOSING_DAYS = 10_000

ClosingDays = Annotated[
    list[Moment],
    Meta(
        max_length=MOST_CLOSING_DAYS,
        description="Dates: at 00:00:00 as written, at any other time the organization's local date then.",
        examples=[[examples.CLOSING_DAY]],
    ),
]
DisplayLabels = Annotated[list[DisplayLabel], Meta(max_length=1_000)]


class GivenTimezone(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A time zone by its id or its identifier, or by both."""

    id: UUID | UnsetType = UNSET
    identifier: str | UnsetType = UNSET
    display_name: str | UnsetType = UNSET


class OrganizationSettingContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What the organization sets; the time zone by `timeZoneId` or in `timeZone`, whichever is changed."""

    opening_time: TimeOfDay = field(default_factory=lambda: defaults.OPENING_TIME)
    closing_time: Annotated[TimeOfDay, Meta(description="00:00:00 is the day's end.")] = field(
        default_factory=lambda: defaults.CLOSING_TIME
    )
    minimum_booking_notice: Duration = field(default_factory=lambda: defaults.MINIMUM_BOOKING_NOTICE)
    max_time_from_booking_to_meeting: Duration | None = None
    max_meeting_time_per_day: Duration | None = None
    customers_book_only_offered: Annotated[
        bool,
        Meta(description="true: a booking by a customer or portal that the search does not offer is refused; ours."),
    ] = False
    is_filter_show_times_as_customer_enabled: bool = False
    meeting_type_labels: DisplayLabels = []
    employee_labels: DisplayLabels = []
    extended_opening_hours_email: Email = ""
    closing_days: ClosingDays = []
    ical_meeting_title: Line = field(name="iCalMeetingTitle", default="")
    ical_meeting_description: Text = field(name="iCalMeetingDescription", default="")
    time_zone_id: UUID | UnsetType = UNSET
    time_zone: GivenTimezone | UnsetType = UNSET


class ClosingDaysQuery(msgspec.Struct, frozen=True, rename="camel"):
    """POST and DELETE of closing days."""

    closing_days: ClosingDays
