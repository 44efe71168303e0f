"""Scheduling's SQL: reservations, meetings and what they occupy."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from asyncpg import ExclusionViolationError, Record

from meetdeck.booking.scheduling.errors import TimeSlotTaken
from meetdeck.booking.scheduling.model import Meeting, Party, TimeSlot
from meetdeck.booking.scheduling.requests import CreateMeeting
from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.db import ChangedMeanwhile, Connection, load_queries

queries = load_queries(__file__)


class OrganizationRules(msgspec.Struct, frozen=True):
    """What the organization set; the defaults are those of an organization that set nothing yet."""

    opening_time: time = time(8)
    closing_time: time = time(17)
    minimum_booking_notice: timedelta = timedelta(hours=4)
    max_time_from_booking_to_meeting: timedelta | None = None
    max_meeting_time_per_day: timedelta | None = None
    closing_days: list[date] = []
    time_zone: str = "Europe/Copenhagen"
    ical_meeting_title: str = ""
    ical_meeting_description: str = ""

    @property
    def zone(self) -> ZoneInfo:
        """Return the organization's time zone."""
        return ZoneInfo(self.time_zone)


async def get_rules(connection: Connection) -> OrganizationRules:
    """Return the organization's rules, or the defaults."""
    row: Record | None = await queries.find_settings(connection)
    return OrganizationRules(**row) if row is not None else OrganizationRules()


class TopicRules(msgspec.Struct, frozen=True):
    """What a topic says about its meetings, and whether it is for the customer type asked about."""

    duration_minutes: int
    meeting_types: list[MeetingType]
    serves_type: bool


async def list_unbookable(connection: Connection, ids: Sequence[UUID]) -> list[str]:
    """Return the names of those employees and rooms among the ids that cannot be booked."""
    return [row["name"] async for row in queries.list_unbookable(connection, ids=ids)]


async def find_service_group(connection: Connection, named: str) -> UUID | None:
    """Return the service group of that id or name."""
    row: Record | None = await queries.find_service_group(connection, named=named)
    return row["service_group_id"] if row is not None else None


async def list_group_members_by_load(
    connection: Connection, service_group_id: UUID, *, day: tuple[datetime, datetime], now: datetime
) -> list[UUID]:
    """Return the group's bookable members, the least booked in `day` first."""
    rows = queries.list_group_members_by_load(
        connection, service_group_id=service_group_id, day_starts_at=day[0], day_ends_at=day[1], now=now
    )
    return [row["employee_id"] async for row in rows]


# ------------------------------------------------------------------------------------------------ slots and occupancy


async def lock_token(connection: Connection, token: UUID) -> None:
    """Let one transaction at a time work on a token; take this lock before those on resources."""
    await queries.lock_token(connection, token=token)


async def occupy(
    connection: Connection,
    slot: TimeSlot,
    resource_ids: Sequence[UUID],
    *,
    now: datetime,
    existing_meeting_id: UUID | None = None,
) -> None:
    """Let the slot hold its time of exactly these resources. Raises TimeSlotTaken, ChangedMeanwhile for one gone.

    What it held before is taken anew: another may have thought it expired, and then only the constraint knows.
    """
    locked = [row async for row in queries.lock_resources(connection, resource_ids=resource_ids)]
    if len(locked) < len(set(resource_ids)):
        raise ChangedMeanwhile
    span = {"starts_at": slot.starts_at, "ends_at": slot.ends_at, "resource_ids": resource_ids}
    await queries.forget_expired(connection, now=now, **span)
    await queries.release(connection, time_slot_id=slot.time_slot_id)
    try:
        async with connection.transaction():
            await queries.occupy(
                connection,
                time_slot_id=slot.time_slot_id,
                expires_at=slot.expires_at,
                existing_meeting_id=existing_meeting_id,
                **span,
            )
    except ExclusionViolationError:
        raise TimeSlotTaken(
            "The time is taken: the employee, an additional employee or the room is booked or reserved then."
        ) from None


async def find_slot_of_token_for_update(connection: Connection, token: UUID) -> TimeSlot | None:
    """Return the token's reservation, live or expired, and hold its row until the transaction ends."""
    row: Record | None = await queries.find_slot_of_token_for_update(connection, token=token)
    return _read_slot(row) if row is not None else None


async def find_slot_for_update(connection: Connection, time_slot_id: UUID) -> TimeSlot | None:
    """Return a slot and hold its row until the transaction ends."""
    row: Record | None = await queries.find_slot_for_update(connection, time_slot_id=time_slot_id)
    return _read_slot(row) if row is not None else None


async def add_slot(
    connection: Connection, slot: TimeSlot, *, now: datetime, existing_meeting_id: UUID | None = None
) -> None:
    """Add a slot; it occupies nothing yet."""
    await queries.add_slot(
        connection,
        time_slot_id=slot.time_slot_id,
        starts_at=slot.starts_at,
        ends_at=slot.ends_at,
        employee_id=slot.employee_id,
        room_id=slot.room_id,
        service_group=slot.service_group,
        status=slot.status.value,
        token=slot.token,
        expires_at=slot.expires_at,
        existing_meeting_id=existing_meeting_id,
        now=now,
    )


async def delete_slot(connection: Connection, time_slot_id: UUID) -> None:
    """Delete a reservation and what it occupies."""
    await queries.delete_slot(connection, time_slot_id=time_slot_id)


async def renew_slot(connection: Connection, time_slot_id: UUID, *, expires_at: datetime) -> None:
    """Let a reservation live until then, counting the renewal; what it holds is for `occupy`."""
    await queries.renew_slot(connection, time_slot_id=time_slot_id, expires_at=expires_at)


async def book_slot(connection: Connection, time_slot_id: UUID, *, employee_id: UUID, room_id: UUID | None) -> None:
    """Make a reservation's slot a meeting's; what it holds is for `occupy`."""
    await queries.book_slot(connection, time_slot_id=time_slot_id, employee_id=employee_id, room_id=room_id)


def _read_slot(row: Record) -> TimeSlot:
    return msgspec.convert(dict(row), TimeSlot)


# ----------------------------------------------------------------------------------------------------------- meetings


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
