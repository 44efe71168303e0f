"""The organization's settings.

Where the contract says "not shown": docs/api/organization.md, docs/api/search.md.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, tzinfo
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType, field

from meetdeck.booking import defaults, examples
from meetdeck.booking.directory.timezones.schemas import Timezone
from meetdeck.booking.employee_types import EmployeeType
from meetdeck.booking.localization.languages import MOST_LANGUAGES
from meetdeck.booking.localization.texts import GivenTranslations, Translations
from meetdeck.booking.texts import Email, Line, Name, Text
from meetdeck.platform.values import AnyCase, Duration, Moment, TimeOfDay


class DisplayLabel(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A name that pages show, and its position among the others."""

    name: str
    """Its name in the API."""
    label: str
    """Its name on pages, in the main language."""
    order: int
    """Its position on pages: lower ones come first."""
    localized_label: Translations = {}
    """Its name on pages by language."""


class AdvisorLevel(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of advisors, in the order in which a search for the best time slots chooses them."""

    kind: EmployeeType
    """Explicit: the named ones; Local: slots that start at the customer's location; ServiceGroup: a group's."""
    label: Name | None = None
    """For service groups: those with this label; null: all of them."""
    description: Line = ""
    """A description of the level, for people."""


DEFAULT_ADVISOR_PRIORITY = tuple(AdvisorLevel(kind=kind) for kind in EmployeeType)


class ScimGroups(AnyCase):
    """The kind of groups that a directory writes."""

    COMPETENCE_GROUPS = "CompetenceGroups"
    SERVICE_GROUPS = "ServiceGroups"


class WhenMovedThere(AnyCase):
    """The effect of moving or deleting a meeting's event in the advisor's calendar."""

    FOLLOW = "Follow"
    """The meeting is moved or cancelled, too, as far as the rules of bookings permit."""
    PUT_BACK = "PutBack"
    """The event is put back."""
    REPORT = "Report"
    """The event `meeting.calendarDiffers` is sent; nothing is changed."""


class OrganizationSetting(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The organization's opening hours, closing days, limits and time zone; null means no limit."""

    id: UUID
    """The settings' id."""
    opening_time: TimeOfDay
    """The time from which customers may book, by the organization's clock."""
    closing_time: TimeOfDay
    """The time until which customers may book; 00:00:00 is the day's end."""
    minimum_booking_notice: Duration
    """The minimum notice for bookings by customers; an extension."""
    max_time_from_booking_to_meeting: Duration | None
    """The maximum notice for bookings by customers."""
    max_meeting_time_per_day: Duration | None
    """The maximum booked time of an advisor's day, unless a schedule or service group has a limit; null: no limit."""
    daily_limit_for_employees: bool
    """True if daily limits, also of schedules and service groups, apply to searches by employees; an extension."""
    working_time_buffer: Duration
    """The working hours of an advisor that must pass before customers are offered times; an extension."""
    advisor_priority: list[AdvisorLevel]
    """The order in which `getBestTimeSlots` chooses advisors; those at no level come last; an extension."""
    buffer_between_meetings: Duration
    """The time before and after a meeting or reservation during which its advisors are not offered; an extension."""
    change_notice_delay: Duration
    """The delay of messages about changes by staff, during which the change can be undone; an extension."""
    customers_book_only_offered: bool
    """True if customers and portals can book only what the search offers them; an extension."""
    is_filter_show_times_as_customer_enabled: bool
    """True if pages for advisors offer to show times as customers see them."""
    meeting_type_labels: list[DisplayLabel]
    """Names of the meeting types on pages."""
    employee_labels: list[DisplayLabel]
    """Names of the kinds of employees on pages."""
    extended_opening_hours_email: str
    """The address to write to for a time outside of opening hours; empty: none."""
    closing_days: list[datetime]
    """Dates of the organization, ascending, each at 00:00:00Z."""
    ical_meeting_title: str = field(name="iCalMeetingTitle")
    """The title of calendar files, in the main language; empty: the meeting's own."""
    localized_ical_meeting_title: Translations = field(name="localizedICalMeetingTitle")
    """The title of calendar files by language."""
    ical_meeting_description: str = field(name="iCalMeetingDescription")
    """The description in calendar files, in the main language; empty: the meeting's own."""
    localized_ical_meeting_description: Translations = field(name="localizedICalMeetingDescription")
    """The description in calendar files by language."""
    main_locale: str
    """The language of the members with only one text: one of the enabled languages; an extension."""
    enabled_locales: list[str]
    """The languages in which texts are written and read; an extension."""
    phone: str
    """The telephone number that pages for customers show; empty: none; an extension."""
    privacy_url: str
    """The address of the privacy notice that pages for customers link to; empty: none; an extension."""
    scim_groups: ScimGroups
    """The kind of groups that the organization's directory writes by SCIM; an extension."""
    when_moved_there: WhenMovedThere
    """The effect of moving or deleting a meeting's event in the advisor's calendar; an extension."""
    time_zone_id: UUID
    """The organization's time zone."""
    time_zone: Timezone
    """The organization's time zone with its names."""


def read_closing_days(moments: Iterable[Moment], zone: tzinfo) -> set[date]:
    """Return the dates of moments: as written at midnight, at any other time the organization's local date."""
    return {
        moment.date() if moment.time() == time(0) else moment.to_utc(zone).astimezone(zone).date() for moment in moments
    }


def write_closing_days(days: Iterable[date]) -> list[datetime]:
    """Return dates as the API writes them."""
    return [datetime.combine(day, time(0), UTC) for day in sorted(days)]


MOST_CLOSING_DAYS = 10_000

ClosingDays = Annotated[
    list[Moment],
    Meta(
        max_length=MOST_CLOSING_DAYS,
        description="Dates. A date at 00:00:00 is read as written, any other time as the organization's local date.",
        examples=[[examples.CLOSING_DAY]],
    ),
]


class GivenDisplayLabel(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A name that pages show, and its position among the others. It is identified by its `name`."""

    name: Name
    """Its name in the API."""
    label: Line = ""
    """Its name on pages, in the main language."""
    order: Annotated[int, Meta(ge=-(2**31), lt=2**31)] = 0
    """Its position on pages: lower ones come first."""
    localized_label: GivenTranslations | UnsetType = UNSET
    """Its name on pages by language."""


DisplayLabels = Annotated[list[GivenDisplayLabel], Meta(max_length=1_000)]

Locale = Annotated[str, Meta(examples=[defaults.MAIN_LOCALE], description="A language tag (BCP 47), in any case.")]


class GivenTimezone(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A time zone by its id or its identifier, or by both."""

    id: UUID | UnsetType = UNSET
    identifier: str | UnsetType = UNSET
    display_name: str | UnsetType = UNSET


class OrganizationSettingContent(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The body of the organization's settings; the time zone by `timeZoneId` or in `timeZone`, whichever is changed."""

    opening_time: TimeOfDay = field(default_factory=lambda: defaults.OPENING_TIME)
    closing_time: Annotated[TimeOfDay, Meta(description="00:00:00 is the day's end.")] = field(
        default_factory=lambda: defaults.CLOSING_TIME
    )
    minimum_booking_notice: Duration = field(default_factory=lambda: defaults.MINIMUM_BOOKING_NOTICE)
    max_time_from_booking_to_meeting: Duration | None = None
    max_meeting_time_per_day: Duration | None = None
    daily_limit_for_employees: Annotated[
        bool,
        Meta(description="false: daily limits apply only to searches with `isCustomerInitiated=true`; an extension."),
    ] = True
    working_time_buffer: Annotated[
        Duration,
        Meta(
            description="The working time of an advisor before the first slot for customers; at most 31.00:00:00; "
            "an extension."
        ),
    ] = field(default_factory=Duration)
    advisor_priority: Annotated[list[AdvisorLevel], Meta(max_length=100)] = field(
        default_factory=lambda: list(DEFAULT_ADVISOR_PRIORITY)
    )
    """The order in which `getBestTimeSlots` chooses advisors; those at no level come last; an extension."""
    buffer_between_meetings: Annotated[
        Duration, Meta(description="Free time around each meeting and reservation, at most 1.00:00:00; an extension.")
    ] = field(default_factory=Duration)
    change_notice_delay: Annotated[
        Duration,
        Meta(
            description="The delay of messages about changes and cancellations by staff, at most 1.00:00:00; until "
            "then they can be undone; an extension."
        ),
    ] = field(default_factory=lambda: defaults.CHANGE_NOTICE_DELAY)
    customers_book_only_offered: Annotated[
        bool,
        Meta(description="true: bookings by customers that the search does not offer are refused; an extension."),
    ] = False
    is_filter_show_times_as_customer_enabled: bool = False
    meeting_type_labels: DisplayLabels = []
    employee_labels: DisplayLabels = []
    extended_opening_hours_email: Email = ""
    closing_days: ClosingDays = []
    ical_meeting_title: Line = field(name="iCalMeetingTitle", default="")
    localized_ical_meeting_title: GivenTranslations | UnsetType = field(name="localizedICalMeetingTitle", default=UNSET)
    ical_meeting_description: Text = field(name="iCalMeetingDescription", default="")
    localized_ical_meeting_description: GivenTranslations | UnsetType = field(
        name="localizedICalMeetingDescription", default=UNSET
    )
    main_locale: Locale = defaults.MAIN_LOCALE
    """The language of the members with only one text: one of the enabled languages; an extension."""
    enabled_locales: Annotated[list[Locale], Meta(min_length=1, max_length=MOST_LANGUAGES)] = field(
        default_factory=lambda: [defaults.MAIN_LOCALE]
    )
    """The languages in which texts are written and read; texts in a removed one are kept, unseen; an extension."""
    phone: Line = ""
    """The telephone number that pages for customers show; an extension."""
    privacy_url: Annotated[
        Line, Meta(description="https or http; or empty. Pages for customers link to it; an extension.")
    ] = ""
    scim_groups: ScimGroups = ScimGroups.COMPETENCE_GROUPS
    """The kind of groups that the organization's directory writes by SCIM; an extension."""
    when_moved_there: WhenMovedThere = WhenMovedThere.REPORT
    """The effect of moving or deleting a meeting's event in the advisor's calendar; an extension."""
    time_zone_id: UUID | UnsetType = UNSET
    time_zone: GivenTimezone | UnsetType = UNSET


class ClosingDaysQuery(msgspec.Struct, frozen=True, rename="camel"):
    """POST and DELETE of closing days."""

    closing_days: ClosingDays
