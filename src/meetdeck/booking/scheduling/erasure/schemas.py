"""The members of a meeting that are its customer's personal data, and their erased values (docs/data-protection.md)."""

from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import fields

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting

CUSTOMER: Final = "customer_id"

BLANKS: Final[dict[str, Any]] = {
    "crm_id": None,
    "title": "",
    "description": "",
    "video_link": "",
    "custom_fields": UNSET,
    "external_attendees": UNSET,
}
"""The value of each personal member of an erased meeting, beside the customer's id; a free text may say anything."""

KEPT: Final = frozenset(
    {
        "id",
        "booked_by",
        "customer_type_id",
        "time_slot_id",
        "date_created",
        "date_modified",
        "additional_employees",
        "room_id",
        "start_date",
        "end_date",
        "type",
        "topic_id",
        "employee_id",
        "portal_id",
        "cancelled_at",
        "cancellation_reason",
        "attendance",
        "language",
        "calendar_unverified",
        "also_service_groups",
        "also_employees",
        "series_id",
        "shared_slot_id",
        "recurrence",
        "original_start_date",
    }
)
"""The members that stay: times, places and kinds, the firm's own people."""

_NAMES: Final = {field.name: field.encode_name for field in fields(Meeting)}

PERSONAL_NAMES: Final = [_NAMES[member] for member in (CUSTOMER, *BLANKS)]
"""The personal members as they are answered, and as the history names them."""

ANSWERED_BLANKS: Final = {_NAMES[member]: value for member, value in BLANKS.items() if value is not UNSET}
UNANSWERED: Final = [_NAMES[member] for member, value in BLANKS.items() if value is UNSET]


class ErasureCounts(msgspec.Struct, frozen=True):
    """The numbers of meetings, entries of their history, and stored answers that were erased."""

    meetings: int = 0
    history_entries: int = 0
    answers: int = 0

    def __add__(self, other: "ErasureCounts") -> "ErasureCounts":
        """Return the sum of both."""
        return ErasureCounts(
            self.meetings + other.meetings,
            self.history_entries + other.history_entries,
            self.answers + other.answers,
        )
