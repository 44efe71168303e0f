"""Periodic work of an installation, done by one of its processes."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final, NoReturn

import structlog

from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.leases import Leases

_LOOK_SECONDS: Final = 60.0

log = structlog.stdlib.get_logger()


async def run_periodically(
    name: str, work: Callable[[], Awaitable[object]], leases: Leases, *, first_seconds: float, every_seconds: float
) -> NoReturn:
    """Run `work` after the first seconds and then at every interval, until cancelled, also after failures.

    Of all processes one does it, whichever looks first when it is due; each looks every minute, so that another takes
    over from one that was killed.
    """
    await asyncio.sleep(first_seconds)
    while True:
        async with leases.hold_for_all(name, rest=timedelta(seconds=every_seconds)) as is_ours:
            if is_ours:
                await _try(name, work)
        await asyncio.sleep(min(every_seconds, _LOOK_SECONDS))


async def _try(name: str, work: Callable[[], Awaitable[object]]) -> None:
    try:
        await work()
    except MeetdeckError as error:
        log.warning("regular work refused", work=name, code=error.code, detail=error.detail)
    except Exception:
        log.exception("regular work crashed", work=name)
