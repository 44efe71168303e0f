"""Measures how long the event loop is blocked, in processor time of its own thread, whatever else the machine does."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass
class Held:
    """The longest time in which no other task got its turn, in seconds."""

    longest: float = 0


@asynccontextmanager
async def measuring_the_loop() -> AsyncGenerator[Held]:
    """Measure from turn to turn of the loop while the block runs."""
    held = Held()

    async def watch() -> None:
        before = time.thread_time()
        while True:
            await asyncio.sleep(0)
            now = time.thread_time()
            held.longest = max(held.longest, now - before)
            before = now

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0)
    try:
        yield held
    finally:
        watching.cancel()
