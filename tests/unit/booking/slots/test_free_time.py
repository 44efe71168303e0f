"""The free time that slots offer (booking/slots/free_time.py)."""

from datetime import datetime, timedelta
from uuid import UUID

import numpy as np

from meetdeck.booking.slots.free_time import measure_free_time
from meetdeck.booking.slots.model import Slots
from meetdeck.booking.slots.timestamps import to_instant

ANNA, BO, CAMILLA = (UUID(int=number) for number in (1, 2, 3))
HALF_HOURS = [
    to_instant(datetime.fromisoformat(f"2026-03-03T{text}:00Z")) for text in ("09:00", "09:30", "10:00", "12:00")
]


def make_slots(*columns: tuple[UUID, list[int]], minutes: int = 60) -> Slots:
    """Return slots of some columns: whose, and what each offers at each start."""
    return Slots(
        starts_at=np.array(HALF_HOURS, dtype=np.int64),
        duration=minutes * 60_000_000,
        employee_ids=tuple(employee for employee, _ in columns),
        priorities=(0,) * len(columns),
        offers=np.array([offers for _, offers in columns], dtype=np.uint8).T,
    )


def test_slots_that_overlap_count_once() -> None:
    assert measure_free_time(make_slots((ANNA, [1, 1, 1, 1]))) == {ANNA: timedelta(hours=3)}
    assert measure_free_time(make_slots((ANNA, [1, 0, 1, 0]))) == {ANNA: timedelta(hours=2)}
    assert measure_free_time(make_slots((ANNA, [2, 3, 0, 0]), minutes=15)) == {ANNA: timedelta(minutes=30)}


def test_each_employee_has_their_own_time_also_of_several_columns() -> None:
    found = measure_free_time(
        make_slots((ANNA, [1, 0, 0, 0]), (BO, [1, 1, 0, 0]), (ANNA, [2, 1, 0, 0]), (CAMILLA, [0] * 4))
    )
    assert found == {ANNA: timedelta(minutes=90), BO: timedelta(minutes=90)}


def test_without_slots_nobody_is_free() -> None:
    assert measure_free_time(make_slots((ANNA, [0, 0, 0, 0]))) == {}
