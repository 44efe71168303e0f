"""The organization's rules that scheduling needs."""

from collections.abc import Sequence
from datetime import date, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from asyncpg import Record

from meetdeck.booking import defaults
from meetdeck.booking.configuration.organization_settings.schemas import (
    DEFAULT_ADVISOR_PRIORITY,
    AdvisorLevel,
    WhenMovedThere,
)
from meetdeck.booking.slots.model import Organization
from meetdeck.platform.database import Columns, Connection, load_queries


class OrganizationRules(msgspec.Struct, frozen=True):
    """The organization's settings for scheduling; the defaults are those of an organization that has set nothing."""

    opening_time: time = defaults.OPENING_TIME
    closing_time: time = defaults.CLOSING_TIME
    minimum_booking_notice: timedelta = defaults.MINIMUM_BOOKING_NOTICE
    max_time_from_booking_to_meeting: timedelta | None = None
    max_meeting_time_per_day: timedelta | None = None
    daily_limit_for_employees: bool = True
    buffer_between_meetings: timedelta = timedelta(0)
    working_time_buffer: timedelta = timedelta(0)
    advisor_priority: Sequence[AdvisorLevel] = DEFAULT_ADVISOR_PRIORITY
    change_notice_delay: timedelta = defaults.CHANGE_NOTICE_DELAY
    closing_days: list[date] = []
    customers_book_only_offered: bool = False
    when_moved_there: WhenMovedThere = WhenMovedThere.REPORT
    time_zone: str = defaults.TIME_ZONE

    @property
    def zone(self) -> ZoneInfo:
        """Return the organization's time zone."""
        return ZoneInfo(self.time_zone)

    @property
    def organization(self) -> Organization:
        """Return the organization's clock and calendar, as the search needs them."""
        return Organization(
            zone=self.zone,
            opening=self.opening_time,
            closing=self.closing_time,
            closing_days=frozenset(self.closing_days),
        )


queries = load_queries(__file__, "rules.sql", columns=Columns(OrganizationRules))


class CustomerRules(msgspec.Struct, frozen=True):
    """The rules for customers: whether they book only offered slots, and the topic's name if they cannot book it."""

    only_offered: bool
    closed_topic: str | None


async def find_customer_rules(connection: Connection, topic_id: UUID | None) -> CustomerRules:
    """Return the rules for customers who book a meeting about a topic."""
    row: Record = await queries.find_customer_rules(connection, topic_id=topic_id)
    return CustomerRules(**row)


async def get_rules(connection: Connection) -> OrganizationRules:
    """Return the organization's rules, or the defaults."""
    row: Record | None = await queries.find_settings(connection)
    if row is None:
        return OrganizationRules()
    members: dict[str, Any] = dict(row)
    members["advisor_priority"] = msgspec.convert(members["advisor_priority"], tuple[AdvisorLevel, ...])
    members["when_moved_there"] = WhenMovedThere(members["when_moved_there"])
    return OrganizationRules(**members)
