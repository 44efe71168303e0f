"""The hold of an installation that sends nothing out, such as a copy beside the original (docs/decisions/0168).

It is a row of the database, so that every process knows it. While it exists, no jobs are taken (`jobs.sql`), and the
mailbox of answers is not read.
"""

import time
from datetime import UTC, datetime
from typing import Final

from meetdeck.platform.database import Connection, Database, load_queries

_REMEMBERED_SECONDS: Final = 2.0

queries = load_queries(__file__, "sending_hold.sql")


async def hold_sending(connection: Connection, now: datetime) -> bool:
    """Start holding all sending; return False if the schema is too old for that."""
    if not await queries.has_table(connection):
        return False
    await queries.hold(connection, held_since=now)
    return True


async def find_hold(connection: Connection) -> datetime | None:
    """Return since when nothing is sent, None when everything is; the connection needs no tenant."""
    held_since: datetime | None = await queries.find(connection)
    return held_since


async def release_sending(connection: Connection) -> datetime | None:
    """End the hold on sending; return since when it was held, None when it was not."""
    held_since: datetime | None = await queries.release(connection)
    return held_since


def describe_hold(held_since: datetime) -> str:
    """Return the sentence that says that nothing is sent."""
    return (
        f"This installation is held since {held_since.astimezone(UTC):%Y-%m-%d %H:%M} UTC: it sends no mails, text "
        "messages or webhooks, and calls no data services, until `meetdeck release`."
    )


class SendingHold:
    """Knows whether the installation is held, at most two seconds late."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._looked_at: float | None = None
        self._held_since: datetime | None = None

    async def find(self) -> datetime | None:
        """Return since when nothing is sent, None when everything is. Raises DatabaseUnavailable."""
        now = time.monotonic()
        if self._looked_at is None or now - self._looked_at >= _REMEMBERED_SECONDS:
            self._held_since = await self._database.find(find_hold)
            self._looked_at = now
        return self._held_since
