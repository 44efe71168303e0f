"""Meetings' SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.model.meetings import Meeting, Party
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__, "meetings.sql")

_SHOWN_WHEN_SET = ("portal_id", "custom_fields", "external_attendees", "cancelled_at")  # docs/api.md 22
_NAMES = {field.name: field.encode_name for field in msgspec.structs.fields(Meeting)}


async def find_meeting(connection: Connection, meeting_id: UUID, *, for_update: bool = False) -> Meeting | None:
    """Return a meeting, cancelled or not; `for_update`, nobody else changes it until the transaction ends."""
    if for_update:
        await queries.lock_meeting(connection, meeting_id=meeting_id)
    found = await list_meetings(connection, [meeting_id])
    return found[0] if found else None


async def list_meetings(connection: Connection, ids: Sequence[UUID]) -> list[Meeting]:
    """Return those of the meetings that are there, in the order of the ids."""
    return [_read_meeting(row) async for row in queries.list_meetings(connection, ids=ids)]


async def list_ids(
    connection: Connection,
    *,
    time_slot_id: UUID | None,
    employee_id: UUID | None,
    modified_from: datetime | None,
    modified_before: datetime | None,
    include_cancelled: bool,
) -> list[UUID]:
    """Return the ids of the meetings asked for, by their start."""
    rows = queries.list_ids(
        connection,
        time_slot_id=time_slot_id,
        employee_id=employee_id,
        modified_from=modified_from,
        modified_before=modified_before,
        include_cancelled=include_cancelled,
    )
    return [row["meeting_id"] async for row in rows]


async def is_employee_known(connection: Connection, employee_id: UUID) -> bool:
    """Tell whether there is, or once was, such an employee."""
    return await queries.is_employee_known(connection, employee_id=employee_id)


async def add_meeting(connection: Connection, meeting: Meeting) -> None:
    """Add a meeting in its slot, which is booked already."""
    await queries.add_meeting(connection, **_write(meeting))
    await _add_additional_employees(connection, meeting)


async def update_meeting(connection: Connection, meeting: Meeting) -> None:
    """Let a meeting be like this, changed at its `date_modified`."""
    await queries.update_meeting(connection, **_write(meeting))
    await queries.forget_additional_employees(connection, meeting_id=meeting.id)
    await _add_additional_employees(connection, meeting)


async def set_cpr(connection: Connection, meeting_id: UUID, cpr_encrypted: bytes | None) -> None:
    """Keep the customer's number with a meeting, or erase it."""
    await queries.set_cpr(connection, meeting_id=meeting_id, cpr_encrypted=cpr_encrypted)


async def cancel_meeting(connection: Connection, meeting_id: UUID, now: datetime) -> None:
    """Mark a meeting as cancelled; what it holds is for `time_slots.release_slot`."""
    await queries.cancel_meeting(connection, meeting_id=meeting_id, now=now)


async def get_sequence(connection: Connection, meeting_id: UUID) -> int:
    """Return how often a meeting has changed: the SEQUENCE of its calendar object."""
    return await queries.get_sequence(connection, meeting_id=meeting_id)


async def list_parties(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, Party]:
    """Return names and e-mail addresses of employees."""
    return {row["id"]: Party(row["name"], row["email"]) async for row in queries.list_parties(connection, ids=ids)}


async def find_room_place(connection: Connection, room_id: UUID) -> str | None:
    """Return where a room is, for an invitation: its name and its location's display name."""
    row: Record | None = await queries.find_room_place(connection, room_id=room_id)
    return f"{row['name']}, {row['place']}" if row is not None else None


def _read_meeting(row: Record) -> Meeting:
    members = {_NAMES[name]: value for name, value in row.items() if value or name not in _SHOWN_WHEN_SET}
    return msgspec.convert(members, Meeting)


def _write(meeting: Meeting) -> dict[str, Any]:
    """Return the columns that a meeting's members are kept in."""
    return {
        "meeting_id": meeting.id,
        "time_slot_id": meeting.time_slot_id,
        "crm_id": meeting.crm_id,
        "booked_by": meeting.booked_by.value,
        "customer_type_id": meeting.customer_type_id,
        "topic_id": meeting.topic_id,
        "portal_id": meeting.portal_id or None,
        "employee_id": meeting.employee_id,
        "room_id": meeting.room_id,
        "customer_id": meeting.customer_id,
        "type": meeting.type.value,
        "title": meeting.title,
        "description": meeting.description,
        "video_link": meeting.video_link,
        "starts_at": meeting.start_date,
        "ends_at": meeting.end_date,
        "external_attendees": msgspec.to_builtins(meeting.external_attendees or []),
        "custom_fields": msgspec.to_builtins(meeting.custom_fields or []),
        "now": meeting.date_modified,
    }


async def _add_additional_employees(connection: Connection, meeting: Meeting) -> None:
    if meeting.additional_employees:
        await queries.add_additional_employees(
            connection, meeting_id=meeting.id, employee_ids=meeting.additional_employees
        )
