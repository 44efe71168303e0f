"""The JSON of free slots."""

from collections import Counter
from datetime import datetime
from uuid import UUID

import msgspec
import numpy as np
import pytest

from meetdeck.booking.slots.encode import CHUNK_BYTES, encode
from meetdeck.booking.slots.model import Calendars, MeetingType, Slot, Slots
from meetdeck.booking.slots.search import search
from meetdeck.booking.slots.timestamps import to_instant
from support.slots.small_firm import OFFICE, ONLINE, PHYSICAL, QUERY, at, with_hours, works


def test_the_json_of_two_slots() -> None:
    advisor = with_hours(works("09:00", "10:00", PHYSICAL, ONLINE))
    assert b"".join(encode(search(QUERY, OFFICE, [advisor], (), Calendars.from_rows(())))) == (
        b'[{"startDate":"2026-03-02T08:00:00Z","endDate":"2026-03-02T09:00:00Z",'
        b'"meetingType":"Physical","employeeId":"00000000-0000-0000-0000-000000000001"},'
        b'{"startDate":"2026-03-02T08:00:00Z","endDate":"2026-03-02T09:00:00Z",'
        b'"meetingType":"Online","employeeId":"00000000-0000-0000-0000-000000000001"}]'
    )


def test_no_slots_are_an_empty_array() -> None:
    assert b"".join(encode(search(QUERY, OFFICE, [], (), Calendars.from_rows(())))) == b"[]"


def draw_slots() -> Slots:
    """Return slots of 30 columns with three priorities, in any meeting types."""
    rng = np.random.default_rng(5)
    return Slots(
        starts_at=to_instant(at("09:00")) + 1_800_000_000 * np.arange(40),
        duration=5_400_000_000,
        employee_ids=tuple(UUID(int=number) for number in range(30)),
        priorities=tuple(number % 3 for number in range(30)),
        offers=rng.choice([0, 0, 1, 2, 5, 15], (40, 30)).astype(np.uint8),
    )


def test_the_first_of_each_start_and_type_are_those_that_come_first_of_all() -> None:
    slots = draw_slots()
    counts = Counter[tuple[datetime, MeetingType]]()
    first: list[Slot] = []
    for slot in slots:
        counts[slot.starts_at, slot.meeting_type] += 1
        if counts[slot.starts_at, slot.meeting_type] <= 2:
            first.append(slot)
    assert list(slots.keep_first(2)) == first
    assert list(slots.keep_first(30)) == list(slots)


def test_the_json_says_what_iteration_says() -> None:
    slots = draw_slots()
    items = msgspec.json.decode(b"".join(encode(slots)))
    assert len(items) == len(slots)
    assert items == [
        {
            "startDate": f"{slot.starts_at:%Y-%m-%dT%H:%M:%SZ}",
            "endDate": f"{slot.ends_at:%Y-%m-%dT%H:%M:%SZ}",
            "meetingType": slot.meeting_type.value,
            "employeeId": str(slot.employee_id),
        }
        for slot in slots
    ]


def offered_online(starts: int, employees: int) -> Slots:
    return Slots(
        starts_at=to_instant(at("09:00")) + 1_800_000_000 * np.arange(starts),
        duration=3_600_000_000,
        employee_ids=tuple(UUID(int=number) for number in range(employees)),
        priorities=(0,) * employees,
        offers=np.full((starts, employees), MeetingType.ONLINE.bit, dtype=np.uint8),
    )


@pytest.mark.parametrize(("starts", "employees"), [(200, 50), (2, 5000)], ids=["many starts", "many at one start"])
def test_a_long_answer_comes_in_chunks(starts: int, employees: int) -> None:
    *chunks, last = encode(offered_online(starts, employees))
    items = msgspec.json.decode(b"".join([*chunks, last]))
    assert [item["employeeId"][-4:] for item in items] == [f"{number:04x}" for number in range(employees)] * starts
    assert len(chunks) > 1
    assert all(CHUNK_BYTES <= len(chunk) < 2.1 * CHUNK_BYTES for chunk in chunks)
    assert last.endswith(b"]")
