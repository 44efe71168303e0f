"""The jobs by which freed times are offered: one for each, until nobody is left who may want it."""

from datetime import datetime
from typing import Final
from uuid import UUID

from meetdeck.platform import jobs
from meetdeck.platform.db import Connection

QUEUE: Final = "wishes"


async def enqueue(connection: Connection, freed_time_id: UUID, now: datetime) -> None:
    """Enqueue the job that offers a freed time."""
    await jobs.enqueue(connection, QUEUE, freed_time_id, due_at=now)
