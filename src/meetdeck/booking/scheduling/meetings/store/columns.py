"""The columns of a meeting's row, and the row as JSON, for all SQL of meetings."""

from typing import Final

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting, MeetingInV2
from meetdeck.platform.database import Columns
from meetdeck.platform.values import render_object

_LANGUAGE: Final = {"language": "coalesce(:language, main_locale())"}
_RENAMED: Final = {"id": "meeting_id", "start_date": "starts_at", "end_date": "ends_at"}
MEETING_COLUMNS: Final = Columns(Meeting, values=_LANGUAGE, **_RENAMED)
TAKEN_COLUMNS: Final = Columns(
    Meeting,
    values=_LANGUAGE
    | {name: f"taken.{name}" for name in ("time_slot_id", "starts_at", "ends_at", "room_id")}
    | {"calendar_unverified": "coalesce(:calendar_unverified, nullif(taken.calendar_unverified, false))"},
    **_RENAMED,
)
"""The same, with the values that the slot of the meeting has: `take_for_meeting`."""
MEETING_PARTS: Final = {"meeting_as_json": render_object(Meeting, MEETING_COLUMNS)}
"""The SQL that replaces `meeting_as_json`: the meeting as v3 shows it."""
MEETING_PARTS_IN_V2: Final = {
    "meeting_as_json": render_object(
        MeetingInV2,
        MEETING_COLUMNS,
        without=(
            *("attendance", "language", "calendar_unverified", "also_service_groups", "also_employees"),
            *("series_id", "recurrence", "original_start_date", "shared_slot_id"),
            "cancellation_reason",
        ),
    )
}
