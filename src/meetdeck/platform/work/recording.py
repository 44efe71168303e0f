"""Recording the outcome of what was done outside of the database, such as a mail that was sent."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from meetdeck.platform.database import DatabaseUnavailable

T = TypeVar("T")

_PAUSE_SECONDS: Final = 0.2
_LONGEST_SECONDS: Final = 120.0


async def record(write: Callable[[], Awaitable[T]]) -> T:
    """Return the result of `write`, which is tried again for two minutes while the database is unavailable.

    An outcome that is not recorded is not known, so that the work is done again: a failover would send mails twice.
    `write` may have been committed although it failed. Raises DatabaseUnavailable.
    """
    loop = asyncio.get_running_loop()
    gives_up_at = loop.time() + _LONGEST_SECONDS
    while True:
        try:
            return await write()
        except DatabaseUnavailable:
            if loop.time() >= gives_up_at:
                raise
        await asyncio.sleep(_PAUSE_SECONDS)
