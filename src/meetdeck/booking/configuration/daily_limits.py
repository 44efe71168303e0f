"""How much meeting time a day may be allowed, wherever it is set (docs/api.md#daily-limits)."""

from datetime import timedelta

from meetdeck.platform.durations import Duration
from meetdeck.platform.errors import Fault

LONGEST_MEETING_TIME = timedelta(days=1)


def find_faults_of_limit(limit: Duration | None) -> list[Fault]:
    """Say that `maxMeetingTimePerDay` is more than a day has."""
    if limit is None or limit <= LONGEST_MEETING_TIME:
        return []
    return [Fault("/maxMeetingTimePerDay", f"At most {Duration(days=LONGEST_MEETING_TIME.days)}.")]
