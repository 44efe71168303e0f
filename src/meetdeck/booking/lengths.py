"""The bounds of the configuration's durations (docs/api/advisors.md#daily-limits, #service-levels, #buffers)."""

from datetime import timedelta

from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import Duration

LONGEST_MEETING_TIME = timedelta(days=1)
LONGEST_BUFFER = timedelta(days=1)
LONGEST_NOTICE_DELAY = timedelta(days=1)
LONGEST_LEAD_TIME = timedelta(days=31)  # of working hours
LONGEST_RESPONSE = timedelta(days=366)  # as far as a search looks


def find_faults_of_limit(limit: Duration | None) -> list[Fault]:
    """Return a fault when `maxMeetingTimePerDay` is more than a day."""
    return find_too_long(("/maxMeetingTimePerDay", limit, LONGEST_MEETING_TIME))


def find_too_long(*lengths: tuple[str, Duration | None, timedelta]) -> list[Fault]:
    """Return a fault for each (pointer, length, most) that is too long."""
    return [
        Fault(pointer, phrase("At most {duration}.", duration=Duration(days=most.days)))
        for pointer, length, most in lengths
        if length is not None and length > most
    ]
