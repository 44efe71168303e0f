"""The SQL of erasing."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from meetdeck.booking.scheduling.erasure.schemas import BLANKS, PERSONAL_NAMES
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.meetings.store.columns import MEETING_PARTS
from meetdeck.platform.database import Connection, load_queries

# All columns have the members' names; unanswered members are empty lists.
_BLANK_COLUMNS = ", ".join(
    f"{member} = {'null' if value is None else repr(value) if isinstance(value, str) else repr('[]')}"
    for member, value in BLANKS.items()
)
queries = load_queries(__file__, parts={"blank_columns": _BLANK_COLUMNS, **MEETING_PARTS})


async def lock_meetings_of_customer(connection: Connection, customer_id: str) -> list[UUID]:
    """Return the ids of a customer's meetings, including cancelled ones, and lock them."""
    rows = queries.lock_meetings_of_customer(connection, customer_id=customer_id)
    return [row["meeting_id"] async for row in rows]


async def list_former_meetings(connection: Connection, customer_id: str) -> list[UUID]:
    """Return the ids of meetings that were the customer's by their history, and now have another."""
    rows = queries.list_former_meetings(connection, customer_id=customer_id)
    return [row["meeting_id"] async for row in rows]


async def lock_meetings_over(connection: Connection, ended_before: datetime, most: int) -> list[UUID]:
    """Return the ids of at most `most` meetings that took place, ended before then and are not erased; lock them."""
    rows = queries.lock_meetings_over(connection, ended_before=ended_before, most=most)
    return [row["meeting_id"] async for row in rows]


async def erase_meetings(
    connection: Connection, meeting_ids: Sequence[UUID], now: datetime, *, customer_id: str | None
) -> None:
    """Erase the personal data in meetings' rows; None gives each meeting a customer of its own."""
    await queries.erase_meetings(connection, meeting_ids=meeting_ids, customer_id=customer_id, now=now)
    await erase_events(connection, meeting_ids)
    await queries.add_events(connection, meeting_ids=meeting_ids, now=now)


async def erase_events(connection: Connection, meeting_ids: Sequence[UUID]) -> None:
    """Erase the personal data in meetings' events: their data is the meeting as it is now."""
    await queries.erase_events(connection, meeting_ids=meeting_ids)


async def erase_history(connection: Connection, meeting_ids: Sequence[UUID], now: datetime, command: Command) -> int:
    """Erase personal values in meetings' history, and record that in it; return how many entries lost something."""
    return await queries.erase_history(
        connection, meeting_ids=meeting_ids, members=PERSONAL_NAMES, now=now, command=command.value
    )


async def list_customers(connection: Connection) -> list[str]:
    """Return the ids of all customers of meetings, each once."""
    return [row["customer_id"] async for row in queries.list_customers(connection)]
