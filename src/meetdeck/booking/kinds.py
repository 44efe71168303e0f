"""The list of booking's kinds of resources, with all their names.

Addresses, the audit log, the import and `deletion.kind` take their names here. Modules with words or code for each kind
(the console, exports, bodies of an import) have their own lists, which `tests/unit/booking/test_kinds.py` compares.
"""

from enum import StrEnum
from typing import Self


class Kind(StrEnum):
    """A kind of resource: its word in sentences, which is also the value of `deletion.kind`.

    It has the name of its table, its name in addresses and in the audit log, empty if it is not configured, and its
    name in files to import, empty if it is not imported.
    """

    table: str
    address: str
    imported_as: str

    EMPLOYEE = "employee", "employee", "employees", "employees"
    ROOM = "room", "room", "rooms", "rooms"
    TOPIC = "topic", "meeting_topic", "meeting-topics", "topics"
    CUSTOMER_TYPE = "customer type", "customer_type", "customer-types", "customer-types"
    LOCATION = "location", "location", "locations", "locations"
    COMPETENCE_GROUP = "competence group", "competence_group", "competence-groups", "competence-groups"
    SERVICE_GROUP = "service group", "service_group", "service-groups", "service-groups"
    PORTAL = "portal", "portal", "portals", ""
    EMPLOYEE_SCHEDULE = "employee schedule", "employee_schedule", "employee-schedules", "schedules"
    ORGANIZATION_SETTING = "organization setting", "organization_setting", "organization-settings", ""
    DOCUMENT_RULE = "document rule", "document_rule", "document-rules", ""
    MEETING = "meeting", "meeting", "", ""
    TIME_SLOT = "time slot", "time_slot", "", ""
    WISH = "wish", "wish", "", ""
    CALENDAR_ENTRY = "calendar entry", "calendar_entry", "", "calendar-entries"

    def __new__(cls, word: str, table: str, address: str, imported_as: str) -> Self:
        """Make a kind that equals its word, and has its other names."""
        kind = str.__new__(cls, word)
        kind._value_ = word
        kind.table = table
        kind.address = address
        kind.imported_as = imported_as
        return kind

    @property
    def area(self) -> str:
        """Return the address below which its resources are created."""
        return f"booking/config/{self.address}"
