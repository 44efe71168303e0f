"""Lists that the database writes: byte for byte what reading each resource answers, in both versions (0051)."""

import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from meetdeck.booking.scheduling.meetings.schemas.meetings import BookedBy
from meetdeck.booking.scheduling.meetings.store import meetings
from meetdeck.booking.scheduling.time_slots.store import listed_slots
from meetdeck.booking.slots.model import MEETING_TYPES
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.values import write_json
from support.factories import Api
from support.meetings import forget_meetings

HOSTILE = "".join(map(chr, range(1, 0xA0))) + "\"\\/<>&'{}[]:,\u2028\u2029\ufeffæøå😀 null"
COUNT = 300

_ADD_SLOT = """
insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, employee_id, room_id, service_group, status, token,
    expires_at, created_at)
values (current_tenant(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $2)
"""
_ADD_MEETING = """
insert into meeting (tenant_id, meeting_id, time_slot_id, crm_id, booked_by, customer_type_id, topic_id, portal_id,
    employee_id, room_id, customer_id, type, title, description, video_link, starts_at, ends_at, external_attendees,
    custom_fields, additional_employees, date_created, date_modified, cancelled_at)
values (current_tenant(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
    $21, $22)
"""


def any_text(rng: random.Random) -> str:
    return "".join(rng.choices(HOSTILE, k=rng.choice((0, 1, 5, 60))))


def any_time(rng: random.Random) -> datetime:
    """Some with whole seconds, some with microseconds that end in zeros."""
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(
        seconds=rng.randrange(10_000_000), microseconds=rng.choice((0, 0, 1, 120_000, 999_999, 100))
    )


def maybe(rng: random.Random, value: Any) -> Any:
    return value if rng.random() < 0.5 else None


async def add_anything(connection: Connection, rng: random.Random) -> tuple[UUID, UUID]:
    """Add a meeting of any content, and its slot in any state."""
    slot_id, meeting_id, starts_at = uuid4(), uuid4(), any_time(rng)
    status = rng.choice(("Booked", "Released", "Reserved"))
    held = (uuid4(), any_time(rng)) if status == "Reserved" else (None, None)
    ends_at = starts_at + timedelta(minutes=30)
    slot = (starts_at, ends_at, maybe(rng, uuid4()), maybe(rng, uuid4()), maybe(rng, any_text(rng)))
    await connection.execute(_ADD_SLOT, slot_id, *slot, status, *held)
    some = range(rng.choice((0, 0, 1, 3)))
    await connection.execute(
        _ADD_MEETING,
        meeting_id,
        slot_id,
        maybe(rng, any_text(rng)),
        rng.choice(list(BookedBy)).value,
        *(maybe(rng, uuid4()) for _ in range(3)),
        uuid4(),
        maybe(rng, uuid4()),
        any_text(rng),
        rng.choice(MEETING_TYPES).value,
        *(any_text(rng) for _ in range(3)),
        starts_at,
        ends_at,
        [{"name": any_text(rng), "email": rng.choice(("a", "æ", '"', "\\")) + "@example"} for _ in some],
        [{"value": any_text(rng), "key": any_text(rng)} for _ in some],
        [uuid4() for _ in range(rng.choice((0, 0, 1, 3)))],
        any_time(rng),
        any_time(rng),
        maybe(rng, any_time(rng)),
    )
    return meeting_id, slot_id


@pytest.mark.parametrize("version", ["v2", "v3"])
async def test_a_list_is_written_as_each_of_it_is(version: str, api: Api, database: Database) -> None:
    rng = random.Random(version)  # noqa: S311 - the same in each run
    now = datetime(2026, 3, 2, 6, tzinfo=UTC)
    await forget_meetings(database)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        ids = [await add_anything(connection, rng) for _ in range(COUNT)]
        read = [await meetings.find_meeting(connection, meeting_id) for meeting_id, _ in ids]
        slots = [await listed_slots.find_slot(connection, slot_id, now) for _, slot_id in ids]
    answer = await api.get(f"{version}/booking/meetings?includeCancelled=true")
    expected = sorted((one for one in read if one is not None), key=lambda one: (one.start_date, one.id.bytes))
    assert answer.content == write_json(expected)
    assert len(expected) == COUNT
    assert answer.headers["Content-Type"] == "application/json"
    statuses = "status=reserved,booked,expired,released"
    answer = await api.get(
        f"{version}/booking/time-slots?startDate=2026-01-01T00:00Z&endDate=2026-12-01T00:00Z&{statuses}"
    )
    listed = sorted((one for one in slots if one is not None), key=lambda one: (one.start_time, one.id.bytes))
    assert answer.content == write_json(listed)
    assert json.loads(answer.content) == msgspec.to_builtins(listed)
