"""Group the slots that only the search offers by the reason why the list of known slots may lack them."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from meetdeck.booking.comparison.outcome import AddedSlots, Addition
from meetdeck.booking.slots.model import MEETING_TYPES, MeetingType, Slot


class _Group(NamedTuple):
    employee_id: UUID
    rule: Addition
    detail: str


class _Count:
    """The slots of a group: their number, their meeting types, the first and the last."""

    def __init__(self, slot: Slot) -> None:
        self.first = self.last = slot.starts_at
        self.meeting_types: set[MeetingType] = set()
        self.number = 0

    def add(self, slot: Slot) -> None:
        self.first = min(self.first, slot.starts_at)
        self.last = max(self.last, slot.starts_at)
        self.meeting_types.add(slot.meeting_type)
        self.number += 1


class Additions:
    """Groups the slots that the list lacks, by employee and missing part. Days are the organization's."""

    def __init__(self, known: Iterable[Slot], zone: ZoneInfo, name_of: Callable[[UUID], str]) -> None:
        self._name_of = name_of
        self._zone = zone
        self._employees: set[UUID] = set()
        self._days: set[date] = set()
        self._employee_days: set[tuple[UUID, date]] = set()
        self._types: set[tuple[UUID, MeetingType]] = set()
        self._hours: dict[tuple[UUID, int], tuple[time, time]] = {}
        self._groups: dict[_Group, _Count] = {}
        for slot in known:
            self._record(slot)

    def _record(self, slot: Slot) -> None:
        day, begins = _to_local(slot.starts_at, self._zone)
        self._employees.add(slot.employee_id)
        self._days.add(day)
        self._employee_days.add((slot.employee_id, day))
        self._types.add((slot.employee_id, slot.meeting_type))
        weekday = slot.employee_id, day.weekday()
        first, last = self._hours.get(weekday, (begins, begins))
        self._hours[weekday] = min(first, begins), max(last, begins)

    def add(self, slot: Slot) -> None:
        """Count a slot that is missing from the list."""
        group = _Group(slot.employee_id, *self._classify(slot))
        if group not in self._groups:
            self._groups[group] = _Count(slot)
        self._groups[group].add(slot)

    def _classify(self, slot: Slot) -> tuple[Addition, str]:
        """Return the most important part that the list lacks around a slot, and its sentence."""
        employee_id, name = slot.employee_id, self._name_of(slot.employee_id)
        day, begins = _to_local(slot.starts_at, self._zone)
        if employee_id not in self._employees:
            return Addition.EMPLOYEE, "The list has no slot of theirs: compare their groups and schedules."
        if day not in self._days:
            return Addition.DAY, f"The list has no slot on {day:%A} {day}: is it a closing day?"
        if (employee_id, day) not in self._employee_days:
            return (
                Addition.EMPLOYEE_ON_DAY,
                f"The list has no slot of {name} on {day:%A} {day}: are they away, or full, that day?",
            )
        if (employee_id, slot.meeting_type) not in self._types:
            return (
                Addition.MEETING_TYPE,
                f"The list has no {slot.meeting_type} slot of {name}: compare the meeting types of their hours.",
            )
        first, last = self._hours.get((employee_id, day.weekday()), (begins, begins))
        if not first <= begins <= last:
            hours = f"from {first:%H:%M} to {last:%H:%M}"
            return Addition.HOURS, f"On {day:%A}s slots of {name} start {hours} in the list: compare the hours."
        return Addition.TIME, f"The list has other times of {name} that day: are they taken then?"

    def list_groups(self) -> Iterator[AddedSlots]:
        """Yield the groups, the largest first."""
        for group, count in sorted(self._groups.items(), key=lambda each: (-each[1].number, each[1].first)):
            yield AddedSlots(
                employee_id=group.employee_id,
                employee=self._name_of(group.employee_id),
                meeting_types=[each for each in MEETING_TYPES if each in count.meeting_types],
                rule=group.rule,
                detail=group.detail,
                count=count.number,
                first_start=count.first,
                last_start=count.last,
            )


@lru_cache(maxsize=4096)  # slots are sorted by start
def _to_local(moment: datetime, zone: ZoneInfo) -> tuple[date, time]:
    local = moment.astimezone(zone)
    return local.date(), local.time()
