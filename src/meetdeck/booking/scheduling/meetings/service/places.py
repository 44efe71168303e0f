"""The place of a meeting, as customers see it."""

from typing import NamedTuple

from meetdeck.booking.directory.locations import store as locations
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.store.meetings import find_room_place
from meetdeck.booking.scheduling.meetings.store.rooms import find_place
from meetdeck.booking.slots.model import MeetingType, to_place
from meetdeck.platform.database import Connection


class MeetingPlace(NamedTuple):
    """The place of a physical meeting; both empty if it is unknown, or the meeting is not physical."""

    location: str
    """The name of the location."""
    shown: str
    """The place as people see it: room and address."""


async def find_meeting_place(
    connection: Connection, meeting: Meeting, organization_zone: str, usual_location: str, language: str | None
) -> MeetingPlace:
    """Return the place of a meeting: the advisor's location, or the usual one if that is unknown.

    Its text is in the `language`, a canonical tag; None: the main one.
    """
    if meeting.type is not MeetingType.PHYSICAL:
        return MeetingPlace("", "")
    worked = await find_place(connection, meeting.employee_id, meeting.start_date, organization_zone)
    location = worked.location if worked is not None else usual_location
    if meeting.room_id is not None:
        return MeetingPlace(location, await find_room_place(connection, meeting.room_id, language) or location)
    known = await locations.list_locations(connection, location=None, search=None)
    spoken = (speak(one, language) for one in known if to_place(one.location) == to_place(location))
    shown = next((one.display_name for one in spoken), "")
    return MeetingPlace(location, shown or location)
