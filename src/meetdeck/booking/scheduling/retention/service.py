"""Retention: erasing personal data of meetings after their retention period (docs/operations/retention.md)."""

from datetime import datetime, timedelta
from typing import Final, NoReturn
from uuid import UUID

import structlog

from meetdeck.booking.scheduling.erasure import service as erasure
from meetdeck.booking.scheduling.erasure.store import lock_meetings_over
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.retention import store
from meetdeck.booking.scheduling.retention.schemas import Ends, Periods, PurgeCounts
from meetdeck.booking.scheduling.unconfirmed_bookings.store import delete_unconfirmed
from meetdeck.booking.scheduling.visitor_holds.store import delete_ended
from meetdeck.booking.scheduling.wishes.service.wishes import delete_wishes_over
from meetdeck.platform.changes import idempotency
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.work import Leases, run_periodically

_FIRST_SECONDS: Final = 10 * 60.0  # later than the start, and not together with the sweep of the storage
_EVERY_SECONDS: Final = 60 * 60.0
_UNCONFIRMED: Final = timedelta(days=1)
_BATCH: Final = 200  # rows of each kind that a transaction locks: for a fifth of a second, on two busy cores

log = structlog.stdlib.get_logger()


class Retention:
    """Erases data past its retention period, in one process at a time; two at once do no harm."""

    def __init__(self, database: Database, periods: Periods, *, batch: int = _BATCH) -> None:
        """Keep data for these periods, or a tenant's own; a transaction changes at most `batch` rows of a kind."""
        self._database = database
        self._periods = periods
        self._batch = batch

    async def run(
        self, clock: Clock, *, first_seconds: float = _FIRST_SECONDS, every_seconds: float = _EVERY_SECONDS
    ) -> NoReturn:
        """Purge every hour, first after some minutes, until cancelled; after a failure, at the next hour."""
        await run_periodically(
            "retention",
            lambda: self.purge(clock()),
            Leases(self._database),
            first_seconds=first_seconds,
            every_seconds=every_seconds,
        )

    async def purge(self, now: datetime) -> PurgeCounts:
        """Purge one tenant after another; a failure is logged, and retried at the next hour.

        Raises DatabaseUnavailable when the tenants cannot be listed.
        """
        async with self._database.outside_tenants() as connection:
            tenant_ids = await store.list_tenants(connection)
        purged, failed = PurgeCounts(), 0
        for tenant_id in tenant_ids:
            try:
                purged += await self._purge_tenant(tenant_id, now)
            except MeetdeckError as error:
                failed += 1
                log.warning("retention refused", tenant=str(tenant_id), code=error.code, detail=error.detail)
            except Exception:
                failed += 1
                log.exception("retention crashed", tenant=str(tenant_id))
        log.info("retention", **purged._asdict(), failed_tenants=failed)
        return purged

    async def _purge_tenant(self, tenant_id: UUID, now: datetime) -> PurgeCounts:
        async with self._database.transaction(tenant_id) as connection:
            periods = await store.find_periods(connection, self._periods)
        ends = periods.end(now)
        purged = PurgeCounts()
        while True:
            batch = await self._database.run(tenant_id, lambda connection: self._purge_batch(connection, ends, now))
            purged += batch
            if max(batch) < self._batch:
                break
        await self._database.run(tenant_id, lambda connection: store.delete_shared_slots(connection, now, self._batch))
        await self._database.run(tenant_id, store.delete_unused_names)
        await self._database.run(tenant_id, store.forget_search_changes)
        await self._database.run(tenant_id, lambda connection: delete_ended(connection, now))
        return purged

    async def _purge_batch(self, connection: Connection, ends: Ends, now: datetime) -> PurgeCounts:
        numbers = await store.erase_numbers(connection, ends.cpr, self._batch)
        over = await lock_meetings_over(connection, ends.data, self._batch) if ends.erases_meetings else []
        erased = await erasure.erase_meetings(connection, over, now, Command.RETENTION)
        return PurgeCounts(
            numbers=numbers,
            erased=erased.meetings,
            meetings=await store.delete_cancelled(connection, ends.data, self._batch),
            reservations=await store.delete_reservations(connection, ends.data, self._batch),
            entries=await store.delete_entries(connection, ends.data, self._batch),
            answers=await idempotency.delete_expired(connection, now, self._batch),
            wishes=await delete_wishes_over(connection, ends.data, self._batch, now),
            unconfirmed_bookings=await delete_unconfirmed(connection, now - _UNCONFIRMED, self._batch),
        )
