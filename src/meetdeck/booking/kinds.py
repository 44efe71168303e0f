"""The kinds of resources that booking has, with all their names."""

from enum import StrEnum
from typing import Self


class Kind(StrEnum):
    """A kind of resource: its word in sentences, which is also how `deletion.kind` has it.

    With the name of its table, and the name by which files to import mean it, empty for a kind that is not imported.
    """

    table: str
    imported_as: str

    EMPLOYEE = "employee", "employee", "employees"
    ROOM = "room", "room", "rooms"
    TOPIC = "topic", "meeting_topic", "topics"
    CUSTOMER_TYPE = "customer type", "customer_type", "customer-types"
    LOCATION = "location", "location", "locations"
    COMPETENCE_GROUP = "competence group", "competence_group", "competence-groups"
    SERVICE_GROUP = "service group", "service_group", "service-groups"
    PORTAL = "portal", "portal", ""
    EMPLOYEE_SCHEDULE = "employee schedule", "employee_schedule", "schedules"
    ORGANIZATION_SETTING = "organization setting", "organization_setting", ""
    DOCUMENT_RULE = "document rule", "document_rule", ""
    MEETING = "meeting", "meeting", ""
    TIME_SLOT = "time slot", "time_slot", ""
    WISH = "wish", "wish", ""
    CALENDAR_ENTRY = "calendar entry", "calendar_entry", "calendar-entries"

    def __new__(cls, word: str, table: str, imported_as: str) -> Self:
        """Make a kind that is its word, and knows its other names."""
        kind = str.__new__(cls, word)
        kind._value_ = word
        kind.table = table
        kind.imported_as = imported_as
        return kind
