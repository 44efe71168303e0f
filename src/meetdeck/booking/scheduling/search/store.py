"""The queries of the slot search (`candidates`, `terms`) and of its memory (`recalling`)."""

from datetime import timedelta
from uuid import UUID

import msgspec

from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.database import load_queries

queries = load_queries(__file__)
kept_queries = load_queries(__file__, "kept.sql")


class TopicRules(msgspec.Struct, frozen=True):
    """The topic's rules for its meetings, and whether it serves the customer type."""

    duration_minutes: int
    preparation_time: timedelta
    follow_up_time: timedelta
    meeting_types: list[MeetingType]
    serves_type: bool
    customer_bookable: bool
    also_service_groups: list[UUID]
    seats: int = 1
    minimum_seats: int = 1


class SearchConditions(msgspec.Struct, frozen=True):
    """The conditions of a search for all employees: its topic, if any, and the locations that require a free room."""

    topic: TopicRules | None
    locations_that_require_rooms: frozenset[str]
