"""Creates, changes and deletes calendars."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, require_existing
from meetdeck.connections.calendars import store
from meetdeck.connections.calendars.errors import CalendarNotFound, InvalidCalendar, TooManyCalendars
from meetdeck.connections.calendars.schemas import Calendar, CalendarContent, CalendarKind, CreateCalendar
from meetdeck.connections.calendars.service.fetching import CalendarUnreadable
from meetdeck.connections.calendars.service.reading import QUEUE, keep_times, read_file
from meetdeck.connections.icalendar import Reading
from meetdeck.events.webhooks.service.webhooks import SecretKeeper
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.outgoing import OutgoingClient, OutgoingRefused
from meetdeck.platform.values import refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch
from meetdeck.platform.work import cancel, enqueue

KIND: Final = "calendars"
"""The kind of these resources in the audit log, and the last step of their address."""
MOST_CALENDARS: Final = 10_000
_READ_ONLY: Final = ("id", "employeeId", "roomId", "kind", "lastReadAt", "staleSeconds", "status", "problem", "leftOut")


async def get_calendar(
    connection: Connection, calendar_id: UUID, now: datetime, *, for_update: bool = False
) -> Calendar:
    """Return a calendar, locked when `for_update`. Raises CalendarNotFound."""
    if for_update:
        await store.lock_calendar(connection, calendar_id)
    if (found := await store.find_calendar(connection, calendar_id, now)) is None:
        raise CalendarNotFound(calendar_id)
    return found


async def require_allowed(client: OutgoingClient, address: str | None, hosts: Sequence[str] | None) -> None:
    """Raise InvalidCalendar if an address may not be called. Resolves host names: call it outside transactions."""
    if address is not None:
        try:
            await client.require_allowed(address, hosts)
        except OutgoingRefused as error:
            raise InvalidCalendar("address", str(error)) from None


async def create_calendar(
    connection: Connection,
    body: CreateCalendar,
    upload: Reading | None,
    keeper: SecretKeeper,
    now: datetime,
) -> Calendar:
    """Insert a calendar, and enqueue its first reading; `upload` is its file, if one was sent.

    Raises ReferenceNotFound, TooManyCalendars.
    """
    await require_existing(
        connection,
        [Reference(Kind.EMPLOYEE, body.employee_id, "/employeeId"), Reference(Kind.ROOM, body.room_id, "/roomId")],
    )
    if await store.count_calendars(connection) >= MOST_CALENDARS:
        raise TooManyCalendars(MOST_CALENDARS)
    calendar_id = uuid4()
    password = keeper.encryption.encrypt(keeper.tenant_id, body.password) if body.password is not None else None
    await store.add_calendar(connection, calendar_id, body, password, now)
    await _begin_reading(connection, calendar_id, body, upload, now)
    return await get_calendar(connection, calendar_id, now)


def patch_calendar(calendar: Calendar, patch: JsonPatch) -> CalendarContent:
    """Return the body that a JSON Patch makes of a calendar. Raises InvalidPatch, PatchTestFailed, InvalidInput."""
    content = apply_patch(calendar, patch, CalendarContent, read_only=_READ_ONLY)
    if content.file is not None and calendar.address is not None and content.address == calendar.address:
        refuse([Fault("/file", "Set `address` to null, too: a calendar is either read from an address or uploaded.")])
    refuse(_find_faults_of_source(content, calendar.kind, is_uploaded=calendar.address is None))
    return content


async def update_calendar(
    connection: Connection,
    calendar: Calendar,
    content: CalendarContent,
    upload: Reading | None,
    keeper: SecretKeeper,
    now: datetime,
) -> Calendar:
    """Update a calendar that the caller has locked. A new server clears the password."""
    is_same_server = _name_server(content.address) == _name_server(calendar.address)
    await store.update_calendar(
        connection,
        calendar.id,
        content.address,
        content.user_name,
        keeper.encryption.encrypt(keeper.tenant_id, content.password) if content.password is not None else None,
        keeps_password=content.password is None and is_same_server and content.user_name is not None,
    )
    await _begin_reading(connection, calendar.id, content, upload, now)
    return await get_calendar(connection, calendar.id, now)


async def delete_calendar(connection: Connection, calendar: Calendar) -> None:
    """Delete a calendar that the caller has locked, with the times that were read from it."""
    await cancel(connection, QUEUE, calendar.id)
    await store.delete_calendar(connection, calendar.id)


async def read_upload(content: CalendarContent, zone: ZoneInfo, now: datetime) -> Reading | None:
    """Return the times of an uploaded file, None without a file. Slow: call it outside transactions.

    Raises InvalidCalendar.
    """
    if content.file is None:
        return None
    try:
        return await read_file(content.file.encode(), zone, now)
    except CalendarUnreadable as error:
        raise InvalidCalendar("file", f"It cannot be read ({error.problem}).") from None


async def _begin_reading(
    connection: Connection, calendar_id: UUID, content: CalendarContent, upload: Reading | None, now: datetime
) -> None:
    """Enqueue the reading of a calendar, or store the times of an uploaded file."""
    if content.address is not None:
        await enqueue(connection, QUEUE, calendar_id, due_at=now, lane=_name_server(content.address))
        return
    await cancel(connection, QUEUE, calendar_id)
    source = await store.find_source(connection, calendar_id)
    if upload is not None and source is not None:
        await keep_times(connection, calendar_id, source, upload, now)


def _name_server(address: str | None) -> str:
    return urlsplit(address).netloc.rpartition("@")[2].lower() if address else ""


def check_new(body: CreateCalendar) -> None:
    """Raise InvalidInput if a body has contradictory or missing members."""
    faults = _find_faults_of_source(body, body.kind, is_uploaded=False)
    if (body.employee_id is None) == (body.room_id is None):
        faults.append(Fault("/employeeId", "Name its owner: give either employeeId or roomId."))
    refuse(faults)


def _find_faults_of_source(content: CalendarContent, kind: CalendarKind, *, is_uploaded: bool) -> list[Fault]:
    faults: list[Fault] = []
    if content.address is not None and content.file is not None:
        faults.append(
            Fault("/file", "Leave out `address` or this: a calendar is either read from an address or uploaded.")
        )
    elif content.address is None and content.file is None and not is_uploaded:
        faults.append(Fault("/address", "Give the address from which it is read, or upload it as `file`."))
    if kind is CalendarKind.CALDAV and content.address is None:
        faults.append(Fault("/address", "A CalDAV calendar is read at an address."))
    if content.password is not None and content.user_name is None:
        faults.append(Fault("/userName", "Give the user name for the password."))
    return faults
