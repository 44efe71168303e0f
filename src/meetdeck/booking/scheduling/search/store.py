"""The queries of the slot search, which `candidates` and `service_groups` read."""

import msgspec

from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.db import load_queries

queries = load_queries(__file__)


class TopicRules(msgspec.Struct, frozen=True):
    """What a topic says about its meetings, and whether it is for the customer type asked about."""

    duration_minutes: int
    meeting_types: list[MeetingType]
    serves_type: bool
    customer_bookable: bool


class Conditions(msgspec.Struct, frozen=True):
    """What is known of a search before anybody is looked at: its topic, if any, and where meetings need a free room."""

    topic: TopicRules | None
    locations_that_require_rooms: frozenset[str]
