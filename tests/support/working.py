"""The worker of a test: due work is done on the test's command."""

from datetime import datetime
from uuid import UUID

from meetdeck.platform.process.clock import Clock
from meetdeck.services import Services


async def work(services: Services, clock: Clock) -> None:
    """Route what happened, and do the jobs that are due."""
    await services.routing.route(clock())
    await services.jobs.run_due(clock)


async def find_next_due(services: Services, tenant_id: UUID, queue: str) -> datetime | None:
    """Return when the next job of a queue is due."""
    async with services.database.transaction(tenant_id) as connection:
        return await connection.fetchval("select min(due_at) from job where queue = $1", queue)
