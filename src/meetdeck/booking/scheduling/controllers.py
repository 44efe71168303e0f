"""Scheduling's addresses (contract section 4: Time slots; Meetings): parse, open the transaction, shape the answer."""

from litestar import Controller

from meetdeck.booking.scheduling.explanations.endpoints import Explanations
from meetdeck.booking.scheduling.meetings.endpoints import MeetingHistory, Meetings
from meetdeck.booking.scheduling.reports.endpoints import Reports
from meetdeck.booking.scheduling.search.endpoints import Search
from meetdeck.booking.scheduling.time_slots.endpoints import CalendarEntries, TimeSlots
from meetdeck.booking.scheduling.wishes.endpoints import Wishes
from meetdeck.platform.http.versions import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version; those of `since_v3` are ours."""
    since_v3 = [Explanations, CalendarEntries, MeetingHistory, Wishes, Reports] if version is Version.V3 else []
    return [TimeSlots, Search, Meetings, *since_v3]
