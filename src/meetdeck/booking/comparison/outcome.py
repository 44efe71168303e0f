"""The outcome of a comparison."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from meetdeck.booking.importing.rows import FileProblem
from meetdeck.booking.slots.model import MeetingType


class Mismatch(StrEnum):
    """The reason why a known slot is not offered when no search rule explains it."""

    UNKNOWN_EMPLOYEE = "UnknownEmployee"
    LENGTH = "Length"
    MEETING_TYPE = "MeetingType"
    HALF_HOUR = "HalfHour"
    NOT_CHOSEN = "NotChosen"


class Addition(StrEnum):
    """The part that the list of known slots lacks around a slot that only the search offers."""

    EMPLOYEE = "Employee"
    DAY = "Day"
    EMPLOYEE_ON_DAY = "EmployeeOnDay"
    MEETING_TYPE = "MeetingType"
    HOURS = "Hours"
    TIME = "Time"


class MissingSlot(msgspec.Struct, frozen=True, rename="camel"):
    """A known slot that is not offered, with the rule that removes it and the reason in a sentence."""

    employee_id: UUID | None
    employee: str
    start_date: datetime
    end_date: datetime
    meeting_type: MeetingType
    rule: str
    detail: str


class AddedSlots(msgspec.Struct, frozen=True, rename="camel"):
    """Slots of one employee that only the search offers, and a sentence on why the list may lack them."""

    employee_id: UUID
    employee: str
    meeting_types: list[MeetingType]
    rule: Addition
    detail: str
    count: int
    first_start: datetime
    last_start: datetime


class Comparison(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Known slots beside those that the search finds at the time `at` in the period from `startDate` to `endDate`."""

    at: datetime
    start_date: datetime
    end_date: datetime
    time_zone: str
    """The organization's zone, which days and hours refer to."""
    known: int
    offered: int
    in_both: int
    missing: list[MissingSlot]
    added: list[AddedSlots]
    warnings: list[FileProblem]

    @property
    def is_equal(self) -> bool:
        """Return whether the search finds the known slots and no other."""
        return not self.missing and not self.added
