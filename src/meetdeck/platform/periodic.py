"""Periodic work of a process."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NoReturn

import structlog

from meetdeck.platform.errors import MeetdeckError

log = structlog.stdlib.get_logger()


async def run_periodically(
    name: str, work: Callable[[], Awaitable[object]], *, first_seconds: float, every_seconds: float
) -> NoReturn:
    """Run `work` after the first seconds and then at every interval, until cancelled, also after failures."""
    await asyncio.sleep(first_seconds)
    while True:
        try:
            await work()
        except MeetdeckError as error:
            log.warning("regular work refused", work=name, code=error.code, detail=error.detail)
        except Exception:
            log.exception("regular work crashed", work=name)
        await asyncio.sleep(every_seconds)
