"""The check of `maxMeetingTimePerDay`, wherever it is set (docs/api.md#daily-limits)."""

from datetime import timedelta

from meetdeck.platform.durations import Duration
from meetdeck.platform.errors import Fault

LONGEST_MEETING_TIME = timedelta(days=1)


def find_faults_of_limit(limit: Duration | None) -> list[Fault]:
    """Return a fault when `maxMeetingTimePerDay` is more than a day."""
    if limit is None or limit <= LONGEST_MEETING_TIME:
        return []
    return [Fault("/maxMeetingTimePerDay", f"At most {Duration(days=LONGEST_MEETING_TIME.days)}.")]
