"""The directory's addresses (contract section 4: Rooms, employees, topics; Customer types; Locations and timezones)."""

from litestar import Controller

from meetdeck.booking.directory.endpoints.customer_types import CustomerTypes
from meetdeck.booking.directory.endpoints.employees import Employees
from meetdeck.booking.directory.endpoints.locations import Locations
from meetdeck.booking.directory.endpoints.meeting_topics import MeetingTopics
from meetdeck.booking.directory.endpoints.rooms import Rooms
from meetdeck.booking.directory.endpoints.timezones import Timezones
from meetdeck.platform.http.versions import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version; locations and timezones are v3's."""
    since_v3 = [Locations, Timezones] if version is Version.V3 else []
    return [Employees, Rooms, MeetingTopics, CustomerTypes, *since_v3]
