"""Meetings' SQL."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.defaults import LONGEST_OCCUPANCY
from meetdeck.booking.localization.languages import read_stored
from meetdeck.booking.localization.texts import show
from meetdeck.booking.scheduling.meetings.schemas.history import MeetingAction
from meetdeck.booking.scheduling.meetings.schemas.icalendar import CalendarTexts, Party
from meetdeck.booking.scheduling.meetings.schemas.meetings import (
    CancellationReason,
    InvitedAttendee,
    Meeting,
    MeetingVersion,
)
from meetdeck.booking.scheduling.meetings.store.columns import MEETING_COLUMNS, MEETING_PARTS, MEETING_PARTS_IN_V2
from meetdeck.booking.scheduling.meetings.store.history import MEETING_CHANGES
from meetdeck.platform.database import Connection, Page, load_queries, read_written
from meetdeck.platform.identity import Principal

queries = load_queries(__file__, "meetings.sql", parts=MEETING_PARTS, columns=MEETING_COLUMNS)
queries_in_v2 = load_queries(__file__, "meetings.sql", parts=MEETING_PARTS_IN_V2, columns=MEETING_COLUMNS)

_SHOWN_WHEN_SET = (
    "portal_id",
    "custom_fields",
    "external_attendees",
    "cancelled_at",
    "attendance",
    "calendar_unverified",
    "also_service_groups",
    "also_employees",
    "language",
    "series_id",
    "recurrence",
    "original_start_date",
    "shared_slot_id",
    "cancellation_reason",
)  # docs/api/meetings.md
_NAMES = {field.name: field.encode_name for field in msgspec.structs.fields(Meeting)}


async def find_meeting(connection: Connection, meeting_id: UUID, *, for_update: bool = False) -> Meeting | None:
    """Return a meeting, cancelled or not, locked when `for_update`."""
    if for_update:
        await queries.lock_meeting(connection, meeting_id=meeting_id)
    row: Record | None = await queries.find_meeting(connection, meeting_id=meeting_id)
    return _read_meeting(row) if row is not None else None


async def find_version(connection: Connection, meeting_id: UUID) -> MeetingVersion | None:
    """Return a meeting, cancelled or not, and its present SEQUENCE."""
    row: Record | None = await queries.find_version(connection, meeting_id=meeting_id)
    return read_version(row) if row is not None else None


async def list_series(connection: Connection, series_id: UUID) -> list[MeetingVersion]:
    """Return the meetings of a series with their SEQUENCE, cancelled ones too, by the start that the rule gave."""
    rows = queries.list_series(connection, series_id=series_id)
    return [read_version(row) async for row in rows]


async def find_language(connection: Connection, meeting_id: UUID) -> str | None:
    """Return the language of a meeting, cancelled or not; None for an unknown meeting, or one without a language."""
    return await queries.find_language(connection, meeting_id=meeting_id)


async def find_meeting_in(connection: Connection, time_slot_id: UUID) -> UUID | None:
    """Return the id of the meeting in a time slot."""
    return await queries.find_meeting_in(connection, time_slot_id=time_slot_id)


async def list_from(connection: Connection, series_id: UUID, starts_at: datetime) -> list[UUID]:
    """Return the ids of the meetings of a series that begin at a time or later and take place, by their start."""
    rows = queries.list_from(connection, series_id=series_id, starts_at=starts_at)
    return [row["meeting_id"] async for row in rows]


async def list_sharing(connection: Connection, shared_slot_id: UUID) -> list[UUID]:
    """Return the ids of the living meetings that share a time, in their order."""
    return [row["meeting_id"] async for row in queries.list_sharing(connection, shared_slot_id=shared_slot_id)]


class MeetingFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions of a list of meetings. `between` selects those that overlap the period between two moments."""

    time_slot_id: UUID | None = None
    shared_slot_id: UUID | None = None
    employee_ids: Sequence[UUID] | None = None
    room_ids: Sequence[UUID] | None = None
    series_id: UUID | None = None
    customer_id: str | None = None
    search: str | None = None
    modified: tuple[datetime | None, datetime | None] = (None, None)
    between: tuple[datetime | None, datetime | None] = (None, None)
    include_cancelled: bool = False

    @property
    def is_narrow(self) -> bool:
        """Return whether the filter selects few meetings, which an index finds."""
        narrowing = (self.time_slot_id, self.shared_slot_id, self.employee_ids, self.customer_id, self.series_id)
        return any(one is not None for one in narrowing)


def write_meetings(
    connection: Connection, meeting_filter: MeetingFilter, page: Page | None, *, in_v2: bool
) -> AsyncGenerator[list[Record]]:
    """Yield the selected meetings as JSON, in batches, by start; for a page, one more than its size."""
    is_in_order = not meeting_filter.is_narrow and (page is not None or meeting_filter.modified == (None, None))
    return read_written(
        connection,
        (queries_in_v2 if in_v2 else queries).write_meetings_cursor,
        page,
        in_order_of_index=is_in_order,
        time_slot_id=meeting_filter.time_slot_id,
        shared_slot_id=meeting_filter.shared_slot_id,
        employee_ids=meeting_filter.employee_ids,
        room_ids=meeting_filter.room_ids,
        series_id=meeting_filter.series_id,
        customer_id=meeting_filter.customer_id,
        search=meeting_filter.search,
        modified_from=meeting_filter.modified[0],
        modified_before=meeting_filter.modified[1],
        ends_after=meeting_filter.between[0],
        starts_before=meeting_filter.between[1],
        longest=LONGEST_OCCUPANCY,
        include_cancelled=meeting_filter.include_cancelled,
    )


async def is_employee_known(connection: Connection, employee_id: UUID) -> bool:
    """Return whether the employee exists or was deleted."""
    return await queries.is_employee_known(connection, employee_id=employee_id)


async def add_meeting(connection: Connection, meeting: Meeting, *, by: Principal, is_room_given: bool) -> Meeting:
    """Insert a meeting in its booked slot, and its creation by a user into its history; return it with its language.

    `is_room_given` if its room was assigned.
    """
    language = await queries.add_meeting(
        connection, **write_row(meeting), user_id=by.user_id, user_name=by.name or None, is_room_given=is_room_given
    )
    MEETING_CHANGES.labels(MeetingAction.CREATED.value.lower()).inc()
    await _add_additional_employees(connection, meeting)
    return replace(meeting, language=language)


async def is_room_given(connection: Connection, meeting_id: UUID) -> bool:
    """Return whether a meeting's room was assigned rather than chosen."""
    return await queries.is_room_given(connection, meeting_id=meeting_id)


async def update_meeting(connection: Connection, meeting: Meeting, *, is_room_given: bool) -> None:
    """Update a meeting, changed at its `date_modified`; `is_room_given` if its room was assigned."""
    await queries.update_meeting(connection, meeting=write_row(meeting), is_room_given=is_room_given)
    await queries.delete_additional_employees(connection, meeting_id=meeting.id)
    await _add_additional_employees(connection, meeting)


async def set_cpr(connection: Connection, meeting_id: UUID, cpr_encrypted: bytes | None) -> None:
    """Store the customer's encrypted CPR number with a meeting; None erases it."""
    await queries.set_cpr(connection, meeting_id=meeting_id, cpr_encrypted=cpr_encrypted)


async def set_attendees(
    connection: Connection, meeting_id: UUID, attendees: Sequence[InvitedAttendee], now: datetime
) -> None:
    """Update the attendees of a meeting; its calendar object is unchanged."""
    await queries.set_attendees(connection, meeting_id=meeting_id, attendees=msgspec.to_builtins(attendees), now=now)


async def cancel_meeting(
    connection: Connection, meeting_id: UUID, now: datetime, reason: CancellationReason | None = None
) -> None:
    """Mark a meeting as cancelled; `time_slots.release_slot` deletes its occupancy."""
    cancellation_reason = reason.value if reason is not None else None
    await queries.cancel_meeting(connection, meeting_id=meeting_id, now=now, cancellation_reason=cancellation_reason)


async def restore_meeting(connection: Connection, meeting_id: UUID, now: datetime) -> None:
    """Mark a cancelled meeting as taking place."""
    await queries.restore_meeting(connection, meeting_id=meeting_id, now=now)


async def list_parties(connection: Connection, ids: Sequence[UUID]) -> dict[UUID, Party]:
    """Return names and e-mail addresses of employees."""
    return {row["id"]: Party(row["name"], row["email"]) async for row in queries.list_parties(connection, ids=ids)}


async def find_room_place(connection: Connection, room_id: UUID, language: str | None) -> str | None:
    """Return a room's name and its location's display name in a language, for an invitation; None: the main one."""
    row: Record | None = await queries.find_room_place(connection, room_id=room_id, language=language)
    return f"{row['name']}, {row['place']}" if row is not None else None


async def get_calendar_texts(connection: Connection) -> CalendarTexts:
    """Return the organization's texts for calendar objects, by language."""
    row: Record | None = await queries.find_calendar_texts(connection)
    if row is None:
        return CalendarTexts()
    members = dict(row)
    languages = read_stored(members.pop("main_locale"), members.pop("enabled_locales"))
    return show(CalendarTexts(**members), languages)


def _read_meeting(row: Record | Mapping[str, Any]) -> Meeting:
    members = {_NAMES[name]: value for name, value in row.items() if value or name not in _SHOWN_WHEN_SET}
    return msgspec.convert(members, Meeting)


def read_version(row: Record | Mapping[str, Any]) -> MeetingVersion:
    """Return the meeting in a row, and its SEQUENCE."""
    members = dict(row)
    sequence = members.pop("sequence")
    return MeetingVersion(_read_meeting(members), sequence)


def write_row(meeting: Meeting, **members: object) -> dict[str, Any]:
    """Return a meeting's row, with the members given here; unset lists are empty."""
    return MEETING_COLUMNS.write(
        meeting,
        custom_fields=meeting.custom_fields or [],
        external_attendees=meeting.external_attendees or [],
        also_service_groups=meeting.also_service_groups or [],
        also_employees=meeting.also_employees or [],
        **members,
    )


async def _add_additional_employees(connection: Connection, meeting: Meeting) -> None:
    if meeting.additional_employees:
        await queries.add_additional_employees(
            connection, meeting_id=meeting.id, employee_ids=meeting.additional_employees
        )
