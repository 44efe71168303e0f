"""Firms of any size: Monday to Friday, about nine hours, five meetings per advisor and day, each of an hour."""

from datetime import UTC, datetime, time, timedelta
from io import BytesIO
from typing import Any, Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from meetdeck.booking.slots.model import MeetingType
from meetdeck.booking.slots.timestamps import HALF_HOUR, Instants, to_instant
from meetdeck.platform.database import Connection

ZONE: Final = ZoneInfo("Europe/Copenhagen")
NOW: Final = datetime(2026, 3, 2, 6, tzinfo=UTC)
HOUR: Final = timedelta(hours=1)
DAILY_LIMIT: Final = timedelta(hours=6)
TYPES: Final = (MeetingType.PHYSICAL, MeetingType.ONLINE, MeetingType.TELEPHONE)
WEEKDAYS: Final = range(5)
_MEETINGS_A_DAY: Final = 5
_HOURS_A_DAY: Final = 24
_YEAR: Final = 360
# One row of a binary COPY: the number of fields, then length and value of each (PostgreSQL: COPY, Binary Format).
_OCCUPANCY_ROW: Final = np.dtype(
    [
        ("fields", ">i2"),
        *(("tenant_length", ">i4"), ("tenant_id", "V16")),
        *(("key_length", ">i4"), ("resource_key", ">i4")),
        *(("start_length", ">i4"), ("starts_at", ">i8")),
        *(("end_length", ">i4"), ("ends_at", ">i8")),
        *(("slot_length", ">i4"), ("time_slot_id", "V16")),
    ]
)
# A Busy entry, likewise.
_ENTRY_ROW: Final = np.dtype(
    [
        ("fields", ">i2"),
        *(("tenant_length", ">i4"), ("tenant_id", "V16")),
        *(("slot_length", ">i4"), ("time_slot_id", "V16")),
        *(("key_length", ">i4"), ("resource_key", ">i4")),
        *(("employee_length", ">i4"), ("employee_id", "V16")),
        *(("status_length", ">i4"), ("status", "V4")),
        *(("start_length", ">i4"), ("starts_at", ">i8")),
        *(("end_length", ">i4"), ("ends_at", ">i8")),
        *(("created_length", ">i4"), ("created_at", ">i8")),
    ]
)
_COPY_HEADER: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_TRAILER: Final = b"\xff\xff"
# PostgreSQL counts microseconds from 2000-01-01.
_POSTGRES_EPOCH: Final = to_instant(datetime(2000, 1, 1, tzinfo=UTC))

_ADD_RESOURCES: Final = """
insert into resource (tenant_id, resource_id, resource_key) overriding system value
select $1, employee_id, number from unnest($2::uuid[]) with ordinality as given (employee_id, number)
"""
_ADD_EMPLOYEES: Final = """
insert into employee (tenant_id, employee_id, name, email, location)
select $1, resource_id, 'Advisor ' || resource_key, 'advisor' || resource_key || '@example.com', 'Aarhus'
from resource where tenant_id = $1
"""
_ADD_SCHEDULES: Final = """
insert into employee_schedule (tenant_id, employee_schedule_id, employee_id, max_meeting_time_per_day)
select tenant_id, gen_random_uuid(), employee_id, $2::interval from employee where tenant_id = $1
"""
_ADD_WORKDAYS: Final = """
insert into employee_workday
    (tenant_id, employee_schedule_id, position, day_of_week, from_time, to_time, meeting_types)
select $1, employee_schedule_id, weekday, weekday, begins, ends, $4
from unnest($2::uuid[], $3::time[], $5::time[]) as given (employee_id, begins, ends)
join employee_schedule using (employee_id), unnest($6::int[]) as weekday
where tenant_id = $1
"""
_ADD_TIME_SLOTS: Final = """
insert into time_slot (tenant_id, time_slot_id, starts_at, ends_at, employee_id, status, created_at)
select tenant_id, time_slot_id, starts_at, ends_at, resource_id, 'Booked', $2
from occupancy join resource using (tenant_id, resource_key) where tenant_id = $1
"""
_ADD_MEETINGS: Final = """
insert into meeting (tenant_id, meeting_id, time_slot_id, booked_by, employee_id, customer_id, type, title,
    starts_at, ends_at, date_created, date_modified)
select tenant_id, gen_random_uuid(), time_slot_id, 'Customer', employee_id, 'Freja', 'Online', 'Annual review',
    starts_at, ends_at, created_at, created_at
from time_slot where tenant_id = $1
"""


class Size(NamedTuple):
    """The size of a firm and the number of searched days; `distinct`: no two advisors have the same hours.

    `entries` are Busy calendar entries of a year, a month's share of them while the days are searched: at the time of
    meetings, so that they take no slot away and the answer is the same.
    """

    advisors: int
    days: int
    distinct: bool = False
    entries: int = 0

    def __str__(self) -> str:
        return f"{self.advisors:,} x {self.days}{', all hours differ' if self.distinct else ''}"


class Firm(NamedTuple):
    """A tenant with its advisors, whose resource keys are 1, 2, …, and its meetings, in the order they were booked."""

    size: Size
    tenant_id: UUID
    advisor_ids: list[UUID]
    booked_keys: Instants
    booked_at: Instants


def make_firm(size: Size) -> Firm:
    """Make a firm of the size; the same one each time."""
    ids, rng = np.random.default_rng(size), np.random.default_rng(size[:3])
    tenant_id, *advisor_ids = (UUID(bytes=ids.bytes(16), version=4) for _ in range(size.advisors + 1))
    # Hours of the whole time, at :00 for some and at :30 for others: nobody is booked twice, and some days are full.
    hours = np.argsort(rng.random((size.advisors, size.days * _HOURS_A_DAY)), axis=1)
    half_hours = 2 * hours[:, : size.days * _MEETINGS_A_DAY] + rng.integers(0, 2, (size.advisors, 1))
    keys = np.repeat(np.arange(1, size.advisors + 1), half_hours.shape[1])
    order = rng.permutation(len(keys))
    return Firm(size, tenant_id, advisor_ids, keys[order], to_instant(NOW) + HALF_HOUR * half_hours.ravel()[order])


def hours_of(size: Size, advisor: int) -> tuple[time, time]:
    """Return from when to when the advisor (0, 1, …) works."""
    if not size.distinct:
        return time(8), time(17)
    return time(7, advisor % 60), time(15 + advisor // 60 % 3, advisor // 180 % 60)


async def prepare(superuser: Connection) -> None:
    """Make the schema quick to fill: foreign keys and double bookings are not checked.

    The index of the constraint that is dropped serves no query.
    """
    await superuser.execute("set session_replication_role = replica")
    await superuser.execute("alter table occupancy drop constraint no_double_booking")


async def add_firm(superuser: Connection, firm: Firm, *, with_meetings: bool) -> None:
    """Write the firm into the tables; without meetings and their time slots, only what they occupy."""
    hours = [hours_of(firm.size, advisor) for advisor in range(firm.size.advisors)]
    begins, ends = map(list, zip(*hours, strict=True))
    types, tenant_id = [each.value for each in TYPES], firm.tenant_id
    await superuser.execute("insert into tenant (tenant_id, name) values ($1, 'Benchmark')", tenant_id)
    await superuser.execute(_ADD_RESOURCES, tenant_id, firm.advisor_ids)
    await superuser.execute(_ADD_EMPLOYEES, tenant_id)
    await superuser.execute(_ADD_SCHEDULES, tenant_id, DAILY_LIMIT)
    await superuser.execute(_ADD_WORKDAYS, tenant_id, firm.advisor_ids, begins, types, ends, list(WEEKDAYS))
    await superuser.copy_to_table(
        "occupancy",
        source=BytesIO(_render_occupancy(firm)),
        columns=["tenant_id", "resource_key", "starts_at", "ends_at", "time_slot_id"],
        format="binary",
    )
    if firm.size.entries:
        await superuser.copy_to_table(
            "calendar_entry",
            source=BytesIO(_render_entries(firm)),
            columns=[
                *("tenant_id", "time_slot_id", "resource_key", "employee_id"),
                *("status", "starts_at", "ends_at", "created_at"),
            ],
            format="binary",
        )
    if with_meetings:
        await superuser.execute(_ADD_TIME_SLOTS, tenant_id, NOW)
        await superuser.execute(_ADD_MEETINGS, tenant_id)


async def vacuum(superuser: Connection) -> None:
    """Do what autovacuum does when it comes around."""
    await superuser.execute("vacuum analyze")


def _render_occupancy(firm: Firm) -> bytes:
    rows = np.zeros(len(firm.booked_keys), dtype=_OCCUPANCY_ROW)
    return _render(rows, firm, firm.booked_keys, firm.booked_at)


def _render_entries(firm: Firm) -> bytes:
    periods = _YEAR // firm.size.days
    of_meeting = np.arange(firm.size.entries) // periods % len(firm.booked_keys)
    later = (np.arange(firm.size.entries) % periods) * firm.size.days * _HOURS_A_DAY * 2 * HALF_HOUR
    rows = np.zeros(firm.size.entries, dtype=_ENTRY_ROW)
    rows["employee_length"], rows["status_length"], rows["created_length"] = 16, 4, 8
    rows["status"] = np.void(b"Busy")
    employees = np.frombuffer(b"".join(each.bytes for each in firm.advisor_ids), dtype="V16")
    rows["employee_id"] = employees[firm.booked_keys[of_meeting] - 1]
    return _render(rows, firm, firm.booked_keys[of_meeting], firm.booked_at[of_meeting] + later)


def _render(rows: np.ndarray[Any, Any], firm: Firm, keys: Instants, starts_at: Instants) -> bytes:
    """Return rows of an hour each as a binary COPY wants them."""
    rng = np.random.default_rng(firm.size)
    rows["fields"] = sum(name.endswith("_length") for name in rows.dtype.names or ())
    for name in ("tenant_length", "slot_length"):
        rows[name] = 16
    for name in ("start_length", "end_length"):
        rows[name] = 8
    rows["key_length"] = 4
    rows["tenant_id"] = np.void(firm.tenant_id.bytes)
    rows["resource_key"] = keys
    rows["starts_at"] = starts_at - _POSTGRES_EPOCH
    rows["ends_at"] = rows["starts_at"] + 2 * HALF_HOUR
    rows["time_slot_id"] = np.frombuffer(rng.bytes(16 * len(rows)), dtype="V16")
    return _COPY_HEADER + rows.tobytes() + _COPY_TRAILER
