"""The list of booking's kinds of resources, with all their names.

Addresses, the audit log, the import and `deletion.kind` take their names here. What needs words or code of its own for
each kind (the console, exports, bodies of an import) has a list, and `tests/unit/booking/test_kinds.py` compares it.
"""

from enum import StrEnum
from typing import Self


class Kind(StrEnum):
    """A kind of resource: its word in sentences, which is also how `deletion.kind` has it.

    With the name of its table, the name in its addresses and in the audit log, empty for what is not configured, and
    the name by which files to import mean it, empty for a kind that is not imported.
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
        """Make a kind that is its word, and knows its other names."""
        kind = str.__new__(cls, word)
        kind._value_ = word
        kind.table = table
        kind.address = address
        kind.imported_as = imported_as
        return kind

    @property
    def area(self) -> str:
        """Return the address below which its resources are made."""
        return f"booking/config/{self.address}"
