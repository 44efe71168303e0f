"""Reads calendars in the background or at once. While a calendar fails, the last good state stays."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from prometheus_client import Counter, Histogram

from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.time_slots.service import calendar_times
from meetdeck.connections.calendars import store
from meetdeck.connections.calendars.schemas import CalendarKind
from meetdeck.connections.calendars.service.caldav import Collection
from meetdeck.connections.calendars.service.fetching import CalendarUnreadable, FetchedCalendar, fetch_file
from meetdeck.connections.calendars.store import Source
from meetdeck.connections.icalendar import CalendarRefused, Kind, Reading, Window, read_busy_times
from meetdeck.connections.logins import Login
from meetdeck.events.webhooks.service.schedule import read_retry_after
from meetdeck.platform.changes import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts

QUEUE: Final = "calendars"
EVERY: Final = timedelta(minutes=15)
LONGEST_PAUSE: Final = timedelta(hours=6)
LONG: Final = timedelta(hours=1)
"""The time that a calendar must fail before an event reports it."""
WINDOW: Final = timedelta(days=366)
"""The window begins yesterday; no calendar entry may be longer."""
_WHOLE_EVERY: Final = timedelta(days=1)
"""The interval at which an unchanged file is read again, since the window advances."""
_JITTER: Final = 0.1
_MOST_DOUBLINGS: Final = 10

_READS: Final = Counter("meetdeck_calendar_reads", "Attempts to read connected calendars.", ["outcome"])
_SECONDS: Final = Histogram(
    "meetdeck_calendar_seconds", "Time until a calendar was read.", buckets=(0.1, 0.5, 1, 5, 15, 30)
)
_FAILING: Final = Counter("meetdeck_calendars_failing", "Calendars that began to fail for long.")

log = structlog.stdlib.get_logger()
_random = SystemRandom()


class CalendarReader:
    """Reads calendars: a Handler, whose jobs are calendars."""

    queue = QUEUE

    def __init__(self, database: Database, encryption: Encryption, client: OutgoingClient) -> None:
        self._database = database
        self._encryption = encryption
        self._client = client

    async def run(self, tenant_id: UUID, job_id: UUID, now: datetime) -> datetime | None:
        """Read a calendar, and return when to read it again; None if it is gone or was uploaded."""
        async with self._database.reading(tenant_id) as connection:
            source = await store.find_source(connection, job_id)
            hosts = await find_outgoing_hosts(connection)
            zone = await find_zone(connection, source.employee_id) if source else None
        if source is None or zone is None or source.address is None:
            return None
        pause = EVERY
        try:
            with _SECONDS.time():
                await self._read(tenant_id, job_id, source, hosts, zone, now)
            _READS.labels("read").inc()
        except CalendarUnreadable as error:
            _READS.labels("failed").inc()
            problem, pause = error.problem, find_pause(source.failures + 1, read_retry_after(error.retry_after, now))
            await self._database.run(
                tenant_id, lambda connection: _record_failure(connection, job_id, source, problem, now)
            )
        return now + pause * (1 + _JITTER * _random.random())

    async def _read(
        self,
        tenant_id: UUID,
        calendar_id: UUID,
        source: Source,
        hosts: Sequence[str] | None,
        zone: ZoneInfo,
        now: datetime,
    ) -> None:
        """Read a calendar and store its times. Raises CalendarUnreadable."""
        fetched = await self._fetch(tenant_id, source, hosts, now)
        if fetched is None:
            await self._database.run(
                tenant_id, lambda connection: _record_unchanged(connection, calendar_id, source, now)
            )
            return
        reading = await read_file(fetched.data, zone, now)
        await self._database.run(
            tenant_id, lambda connection: keep_times(connection, calendar_id, source, reading, now, fetched)
        )

    async def _fetch(
        self, tenant_id: UUID, source: Source, hosts: Sequence[str] | None, now: datetime
    ) -> FetchedCalendar | None:
        password = None
        if source.password_encrypted is not None:
            with suppress(ValueError):
                password = self._encryption.decrypt(tenant_id, source.password_encrypted)
            if password is None:
                raise CalendarUnreadable("PasswordLost")
        login, address = Login(source.user_name, password), source.address or ""
        is_recent = source.whole_read_at is not None and source.whole_read_at > now - _WHOLE_EVERY
        etag, changed = (source.etag, source.changed) if is_recent else (None, None)
        if source.kind is CalendarKind.CALDAV:
            return await Collection(self._client, address, login, hosts).read(find_window(now), known=etag)
        return await fetch_file(self._client, address, login, hosts, etag=etag, changed=changed)


async def read_file(data: bytes, zone: ZoneInfo, now: datetime) -> Reading:
    """Return the busy times of a file in the current window. Raises CalendarUnreadable."""
    try:
        return await run_in_thread(lambda: read_busy_times(data, find_window(now), zone))
    except CalendarRefused as refused:
        raise CalendarUnreadable(refused.problem.value) from None


def find_window(now: datetime) -> Window:
    """Return the period that is read. It changes only at midnight, so that unchanged entries stay unchanged."""
    begin = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=1)
    return Window(begin, begin + WINDOW)


async def keep_times(
    connection: Connection,
    calendar_id: UUID,
    source: Source,
    reading: Reading,
    now: datetime,
    fetched: FetchedCalendar | None = None,
) -> None:
    """Replace the times that were read from a calendar, and record the reading."""
    success = store.Success(
        is_whole=True,
        etag=fetched.etag if fetched else None,
        changed=fetched.changed if fetched else None,
        problem=max(reading.left_out, key=lambda one: reading.left_out[one]).value if reading.left_out else None,
        left_out=sum(reading.left_out.values()),
    )
    was_reported = await store.record_read(connection, calendar_id, source.address, now, success)
    if was_reported is None:  # the calendar was deleted, or has another address now
        return
    times = [
        calendar_times.ReadTime(one.kind.value, one.starts_at, one.ends_at)
        for one in reading.times
        if one.kind is Kind.BUSY or source.employee_id is not None  # a room has no other place
    ]
    await calendar_times.replace_times(connection, calendar_id, source.employee_id, source.room_id, times, now)
    await _report_recovery(connection, calendar_id, now, was_reported=was_reported)


async def _record_unchanged(connection: Connection, calendar_id: UUID, source: Source, now: datetime) -> None:
    success = store.Success(is_whole=False, etag=source.etag, changed=source.changed)
    was_reported = await store.record_read(connection, calendar_id, source.address, now, success)
    await _report_recovery(connection, calendar_id, now, was_reported=bool(was_reported))


async def _report_recovery(connection: Connection, calendar_id: UUID, now: datetime, *, was_reported: bool) -> None:
    if was_reported:
        log.info("calendar recovered", calendar=str(calendar_id))
        await _write_event(connection, EventType.CALENDAR_RECOVERED, calendar_id, now)


async def _record_failure(
    connection: Connection, calendar_id: UUID, source: Source, problem: str, now: datetime
) -> None:
    """Record a failure; once it has lasted for long, write an event and a log line."""
    if await store.record_failure(connection, calendar_id, source.address, now, problem, long_ago=now - LONG):
        _FAILING.inc()
        log.warning("calendar failing", calendar=str(calendar_id), problem=problem)
        await _write_event(connection, EventType.CALENDAR_FAILED, calendar_id, now)


async def _write_event(connection: Connection, event: EventType, calendar_id: UUID, now: datetime) -> None:
    await store.lock_calendar(connection, calendar_id)
    if (calendar := await store.find_calendar(connection, calendar_id, now)) is not None:
        await write_event(connection, NewEvent(event, f"calendars/{calendar_id}", now, write_data(calendar)))


async def find_zone(connection: Connection, employee_id: UUID | None) -> ZoneInfo:
    """Return the time zone of dates and floating times: the employee's, or else the organization's."""
    name = await store.find_zone(connection, employee_id) if employee_id is not None else None
    return ZoneInfo(name) if name else (await get_rules(connection)).zone


def find_pause(failures: int, retry_after: timedelta | None = None) -> timedelta:
    """Return how long to wait after consecutive failures, or as long as the server asks for, at most six hours."""
    pause = EVERY * 2 ** min(failures - 1, _MOST_DOUBLINGS)
    return min(max(pause, retry_after or pause), LONGEST_PAUSE)
