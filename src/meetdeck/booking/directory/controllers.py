"""The directory's addresses (contract section 4: Rooms, employees, topics; Customer types; Locations and timezones)."""

from litestar import Controller

from meetdeck.booking.directory.customer_types.endpoints import CustomerTypes
from meetdeck.booking.directory.employees.endpoints import Employees, EmployeesPictures
from meetdeck.booking.directory.locations.endpoints import Locations
from meetdeck.booking.directory.meeting_topics.endpoints import MeetingTopicChanges, MeetingTopics
from meetdeck.booking.directory.rooms.endpoints import Rooms
from meetdeck.booking.directory.timezones.endpoints import Timezones
from meetdeck.platform.values import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version; some are only in v3."""
    since_v3 = [EmployeesPictures, MeetingTopicChanges, Locations, Timezones] if version is Version.V3 else []
    return [Employees, Rooms, MeetingTopics, CustomerTypes, *since_v3]
