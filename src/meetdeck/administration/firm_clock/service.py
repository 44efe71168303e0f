"""Moving a firm's clock, and how every process learns of it."""

import asyncio
from datetime import datetime, timedelta
from typing import Final, NoReturn

import structlog

from meetdeck.administration.errors import ClockMovedBack
from meetdeck.administration.firm_clock import store
from meetdeck.administration.firm_clock.schemas import FARTHEST, FirmClock, MoveClock
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.platform.database import Connection, Database, DatabaseUnavailable
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.process import MovedClocks
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.values import Duration, InvalidInput

LOOK_SECONDS: Final = 0.2
"""The interval at which a process reads the clocks; a change waits for twice as long."""
_NOTHING: Final = timedelta()

log = structlog.stdlib.get_logger()


async def move_clock(connection: Connection, move: MoveClock, now: datetime) -> FirmClock:
    """Return the firm's time after a move; `now` is the real time. Raises InvalidInput, ClockMovedBack."""
    _require_one(move)
    if move.reset:
        await store.reset_clock(connection, now)
        return FirmClock(now=now, offset=Duration())
    before = await store.lock_clock(connection)
    if move.now is not None:
        ahead, place = move.now.to_utc((await get_rules(connection)).zone) - now, "/now"
    else:
        ahead, place = before + (move.advance or _NOTHING), "/advance"
    if ahead > FARTHEST:
        detail = phrase("A firm's clock is at most {days} days ahead of the real time.", days=FARTHEST.days)
        raise InvalidInput(detail, faults=(Fault(place, detail),))
    if ahead < before:
        raise ClockMovedBack(now + before)
    await store.move_clock(connection, ahead)
    return FirmClock(now=now + ahead, offset=Duration.of(ahead))


def _require_one(move: MoveClock) -> None:
    if sum((move.advance is not None, move.now is not None, move.reset)) != 1:
        detail = "Send exactly one of `advance`, `now` and `reset` (true)."
        raise InvalidInput(detail, faults=(Fault("", detail),))


class ClockWatch:
    """Reads the clocks of firms into the `moved` ones of this process; it runs in the test environment alone."""

    def __init__(self, database: Database, moved: MovedClocks) -> None:
        self._database = database
        self._moved = moved

    async def run(self, _: Clock) -> NoReturn:
        """Read them several times a second, until cancelled."""
        while True:
            try:
                await self.read()
            except DatabaseUnavailable:  # which the log has
                pass
            except Exception:
                log.exception("the clocks of firms could not be read")
            await asyncio.sleep(LOOK_SECONDS)

    async def read(self) -> None:
        """Read them once. Raises DatabaseUnavailable."""
        self._moved.set_all(dict(await self._database.collect(store.list_clocks)))

    async def spread(self) -> None:
        """Read them, and wait until every other process has, too. Raises DatabaseUnavailable."""
        await self.read()
        await asyncio.sleep(2 * LOOK_SECONDS)
