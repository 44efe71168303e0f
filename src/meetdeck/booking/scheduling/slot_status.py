"""The states of a time slot."""

from typing import Final

from meetdeck.platform.values import AnyCase


class SlotStatus(AnyCase):
    """The state of a time slot (contract section 3; docs/api/holds.md). Expired is a reservation past its time.

    The last three are those of calendar entries: time slots that are not meetings (docs/api/calendar-entries.md).
    """

    RESERVED = "Reserved"
    BOOKED = "Booked"
    EXPIRED = "Expired"
    RELEASED = "Released"
    BUSY = "Busy"
    EXTRA_OPEN = "ExtraOpen"
    WORKING_FROM_ELSEWHERE = "WorkingFromElsewhere"


ENTRY_STATUSES: Final = frozenset({SlotStatus.BUSY, SlotStatus.EXTRA_OPEN, SlotStatus.WORKING_FROM_ELSEWHERE})


class SlotSource(AnyCase):
    """The origin of a time slot."""

    API = "api"
    CALENDAR = "calendar"
