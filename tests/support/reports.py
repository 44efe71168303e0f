"""Random meetings written directly into the first demo firm, to be counted in reports."""

from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database

ADVISORS = [NORDLYS.id_of("employee", one.name) for one in NORDLYS.advisors[:4]]
TOPICS = [NORDLYS.id_of("topic", name) for name in ("Annual review", "Pension check")]
ROOM = NORDLYS.id_of("room", "Havblik")

_ADD = """
with slot as (
    insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, employee_id, status, created_at)
    values (current_tenant(), $1, $2, $3, $4, 'Booked', $5)
)
insert into meeting (
    tenant_id, meeting_id, time_slot_id, starts_at, ends_at, employee_id, date_created, date_modified, booked_by,
    topic_id, room_id, customer_id, type, cancelled_at, time_sequence, attendance
)
values (current_tenant(), $1, $1, $2, $3, $4, $5, $5, $6, $7, $8, 'Freja', $9, $10, $11, $12)
"""


class BookedMeeting(NamedTuple):
    """A meeting's members that reports use."""

    starts_at: datetime
    ends_at: datetime
    employee_id: UUID
    date_created: datetime
    booked_by: str
    topic_id: UUID | None
    room_id: UUID | None
    type: str
    cancelled_at: datetime | None
    time_sequence: int
    attendance: str | None


def draw_meetings(random: Random, begin: datetime, days: int, count: int) -> list[BookedMeeting]:
    """Draw meetings that begin on some days, some within minutes of midnight."""
    return [_draw(random, begin, days) for _ in range(count)]


def _draw(random: Random, begin: datetime, days: int) -> BookedMeeting:
    starts_at = begin + timedelta(
        days=random.randrange(days), hours=random.choice([0, 8, 9, 12, 22, 23]), minutes=random.choice([0, 1, 30, 59])
    )
    return BookedMeeting(
        starts_at=starts_at,
        ends_at=starts_at + timedelta(minutes=random.choice([30, 45, 60, 90])),
        employee_id=random.choice(ADVISORS),
        date_created=starts_at - timedelta(minutes=random.randrange(1, 100_000)),
        booked_by=random.choice(["Employee", "Employee", "Customer", "PortalPartner", "PortalCustomer"]),
        topic_id=random.choice([None, *TOPICS]),
        room_id=random.choice([None, None, ROOM]),
        type=random.choice(["Physical", "Online", "Telephone"]),
        cancelled_at=random.choice([None, None, None, begin]),
        time_sequence=random.choice([0, 0, 0, 2]),
        attendance=random.choice([None, "Attended", "NoShow"]),
    )


async def add_meetings(database: Database, meetings: list[BookedMeeting]) -> None:
    """Write meetings into the first demo firm; they occupy nobody's time."""
    rows: list[Any] = [
        (uuid4(), each.starts_at, each.ends_at, each.employee_id, each.date_created, *each[4:]) for each in meetings
    ]
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.executemany(_ADD, rows)
