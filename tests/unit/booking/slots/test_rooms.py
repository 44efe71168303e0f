"""Rooms and places on a small firm."""

from uuid import UUID

import pytest
from msgspec.structs import replace

from meetdeck.booking.slots.model import Calendars, Query, Room
from meetdeck.booking.slots.search import search
from support.slots.small_firm import (
    OFFICE,
    ONLINE,
    PHYSICAL,
    QUERY,
    starts,
    taken,
    with_hours,
    works,
)

AARHUS_ROOM = Room(UUID(int=11), 11, "Aarhus", 2)
ODENSE_ROOM = Room(UUID(int=12), 12, "Odense", 4)
IN_PERSON = with_hours(works("09:00", "11:00", PHYSICAL, ONLINE))
NEEDS_ROOM = replace(QUERY, require_room=True)
NEEDS_ROOM_TO_MEET = replace(NEEDS_ROOM, meeting_types=frozenset({PHYSICAL}))


@pytest.mark.parametrize(
    ("query", "rooms", "expected"),
    [
        pytest.param(NEEDS_ROOM, (), "", id="without rooms nothing that needs one"),
        pytest.param(NEEDS_ROOM, (AARHUS_ROOM,), "09:30 10:00", id="a room is free when its meetings are over"),
        pytest.param(
            NEEDS_ROOM,
            (AARHUS_ROOM, replace(ODENSE_ROOM, location=" aarhus ")),
            "09:00 09:30 10:00",
            id="any room will do",
        ),
        pytest.param(
            NEEDS_ROOM,
            (replace(ODENSE_ROOM, location=" aarhus "), AARHUS_ROOM),
            "09:00 09:30 10:00",
            id="whichever of them is free",
        ),
        pytest.param(NEEDS_ROOM, (ODENSE_ROOM,), "", id="a room elsewhere will not do"),
        pytest.param(
            replace(NEEDS_ROOM_TO_MEET, attendees=1),
            (AARHUS_ROOM,),
            "09:30 10:00",
            id="a room may be just large enough",
        ),
        pytest.param(replace(NEEDS_ROOM_TO_MEET, attendees=2), (AARHUS_ROOM,), "", id="a room seats everybody"),
        pytest.param(
            replace(NEEDS_ROOM, meeting_types=frozenset({ONLINE}), attendees=9),
            (AARHUS_ROOM,),
            "09:30 10:00",
            id="online, only the advisor sits in it",
        ),
        pytest.param(
            replace(NEEDS_ROOM, room_ids=frozenset({AARHUS_ROOM.room_id})),
            (AARHUS_ROOM, ODENSE_ROOM),
            "09:30 10:00",
            id="only the rooms asked for",
        ),
        pytest.param(
            replace(NEEDS_ROOM, room_ids=frozenset({ODENSE_ROOM.room_id})),
            (AARHUS_ROOM, ODENSE_ROOM),
            "09:00 09:30 10:00",
            id="a room asked for may be elsewhere",
        ),
        pytest.param(
            replace(NEEDS_ROOM, room_ids=frozenset({ODENSE_ROOM.room_id}), meeting_location="Aarhus"),
            (AARHUS_ROOM, ODENSE_ROOM),
            "09:00 09:30 10:00",
            id="even when the meeting is here",
        ),
        pytest.param(
            replace(NEEDS_ROOM, room_ids=frozenset[UUID]()),
            (AARHUS_ROOM, ODENSE_ROOM),
            "",
            id="of no rooms none is free",
        ),
        pytest.param(
            replace(NEEDS_ROOM, meeting_location="AARHUS"),
            (AARHUS_ROOM, ODENSE_ROOM),
            "09:30 10:00",
            id="a room at the meeting's location",
        ),
        pytest.param(
            replace(NEEDS_ROOM, meeting_types=frozenset({ONLINE}), meeting_location="Odense"),
            (ODENSE_ROOM,),
            "09:00 09:30 10:00",
            id="for online meetings the room counts, not the advisor's place",
        ),
        pytest.param(
            replace(QUERY, room_ids=frozenset[UUID]()),
            (),
            "09:00 09:30 10:00",
            id="rooms are not looked at unless required",
        ),
    ],
)
def test_rooms_decide(query: Query, rooms: tuple[Room, ...], expected: str) -> None:
    assert starts(query, IN_PERSON, rooms=rooms, busy=(taken("08:00", "09:30", key=11),)) == expected


def test_a_room_is_free_for_all_of_the_meeting() -> None:
    later = taken("10:30", "11:00", key=11)
    assert starts(NEEDS_ROOM, IN_PERSON, rooms=(AARHUS_ROOM,), busy=(later,)) == "09:00 09:30"


def test_a_location_may_require_a_room_for_physical_meetings() -> None:
    query = replace(QUERY, room_required_locations=frozenset({"aarhus"}))
    physical = replace(query, meeting_types=frozenset({PHYSICAL}))
    online = replace(query, meeting_types=frozenset({ONLINE}))
    assert starts(physical, IN_PERSON) == ""
    assert starts(physical, IN_PERSON, rooms=(AARHUS_ROOM,)) == "09:00 09:30 10:00"
    assert starts(online, IN_PERSON) == "09:00 09:30 10:00"
    assert starts(physical, with_hours(works("09:00", "11:00", PHYSICAL, location="Odense"))) == "09:00 09:30 10:00"


def test_the_meeting_location_narrows_physical_meetings_to_those_who_work_there() -> None:
    query = replace(QUERY, meeting_location=" odense")
    found = search(query, OFFICE, [IN_PERSON], (), Calendars.from_rows(()))
    assert {slot.meeting_type for slot in found} == {ONLINE}
    in_odense = with_hours(works("09:00", "11:00", PHYSICAL, location="Odense "))
    assert starts(query, in_odense) == "09:00 09:30 10:00"
