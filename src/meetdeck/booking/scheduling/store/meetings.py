"""Meetings' SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record

from meetdeck.booking.scheduling.model.meetings import Meeting, Party
from meetdeck.booking.scheduling.model.time_slots import TimeSlot
from meetdeck.booking.scheduling.requests.meetings import CreateMeeting
from meetdeck.platform.db import Connection, load_queries

queries = load_queries(__file__, "meetings.sql")


async def add_meeting(  # noqa: PLR0913 - a meeting has these parts
    connection: Connection,
    meeting_id: UUID,
    sent: CreateMeeting,
    slot: TimeSlot,
    *,
    meeting_type: str,
    cpr_encrypted: bytes | None,
    now: datetime,
) -> None:
    """Add a meeting in its slot, which is booked already."""
    await queries.add_meeting(
        connection,
        meeting_id=meeting_id,
        time_slot_id=slot.time_slot_id,
        crm_id=sent.crm_id,
        booked_by=sent.booked_by.value,
        customer_type_id=sent.any_customer_type_id,
        topic_id=sent.any_topic_id,
        portal_id=sent.portal_id,
        employee_id=sent.employee_id,
        room_id=slot.room_id,
        customer_id=sent.customer_id,
        type=meeting_type,
        title=sent.title,
        description=sent.description,
        video_link=sent.video_link,
        starts_at=slot.starts_at,
        ends_at=slot.ends_at,
        external_attendees=msgspec.to_builtins(sent.external_attendees),
        custom_fields=msgspec.to_builtins(sent.custom_fields),
        cpr_encrypted=cpr_encrypted,
        now=now,
    )
    if sent.additional_employees:
        await queries.add_additional_employees(
            connection, meeting_id=meeting_id, employee_ids=list(dict.fromkeys(sent.additional_employees))
        )


async def find_meeting(connection: Connection, meeting_id: UUID) -> tuple[Meeting, int] | None:
    """Return a meeting that is not cancelled, and its iCalendar SEQUENCE."""
    row: Record | None = await queries.find_meeting(connection, meeting_id=meeting_id)
    if row is None:
        return None
    members: dict[str, Any] = dict(row)
    sequence: int = members.pop("sequence")
    for name in ("portal_id", "custom_fields", "external_attendees"):  # shown when set (docs/api.md 22)
        if not members[name]:
            del members[name]
    wire = {
        field.encode_name: members[field.name] for field in msgspec.structs.fields(Meeting) if field.name in members
    }
    return msgspec.convert(wire, Meeting), sequence


async def list_parties(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, Party]:
    """Return names and e-mail addresses of employees."""
    return {row["id"]: Party(row["name"], row["email"]) async for row in queries.list_parties(connection, ids=ids)}


async def find_room_place(connection: Connection, room_id: UUID) -> str | None:
    """Return where a room is, for an invitation: its name and its location's display name."""
    row: Record | None = await queries.find_room_place(connection, room_id=room_id)
    return f"{row['name']}, {row['place']}" if row is not None else None
