"""Scheduling's addresses (contract section 4: Time slots; Meetings): parse, open the transaction, shape the answer."""

from collections.abc import Sequence
from typing import Any, Final

from litestar import Controller

from meetdeck.booking.scheduling.explanations.endpoints import Explanations
from meetdeck.booking.scheduling.meetings.endpoints import MeetingHistory, Meetings, MeetingSeries
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.reassignments.endpoints import Reassignments, UnattendedMeetings
from meetdeck.booking.scheduling.reports.endpoints import Reports
from meetdeck.booking.scheduling.search.endpoints import Search
from meetdeck.booking.scheduling.time_slots.endpoints import CalendarEntries, TimeSlots
from meetdeck.booking.scheduling.time_slots.schemas import ListedTimeSlot
from meetdeck.booking.scheduling.wishes.endpoints import Wishes
from meetdeck.booking.scheduling.wishes.schemas import Wish
from meetdeck.platform.changes import EventType
from meetdeck.platform.values import Version

EVENT_DATA: Final[dict[EventType, Sequence[type[Any]]]] = {
    **{one: (Meeting,) for one in EventType if one.startswith("meeting.")},
    **{one: (ListedTimeSlot,) for one in EventType if one.startswith("reservation.")},
    EventType.WISH_OFFERED: (Wish,),
}
"""The types of the data that events of scheduling have."""


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version; those of `since_v3` are extensions."""
    since_v3 = (
        [
            Explanations,
            CalendarEntries,
            MeetingHistory,
            MeetingSeries,
            Reassignments,
            UnattendedMeetings,
            Wishes,
            Reports,
        ]
        if version is Version.V3
        else []
    )
    return [TimeSlots, Search, Meetings, *since_v3]
