"""The SQL of a firm's message settings: at most one row."""

from asyncpg import Record

from meetdeck.messages.message_settings.schemas import MessageSettings
from meetdeck.platform.database import Columns, Connection, load_queries

_COLUMNS = Columns(MessageSettings)
queries = load_queries(__file__, columns=_COLUMNS)


async def get_settings(connection: Connection, _key: None = None, *, for_update: bool = False) -> MessageSettings:
    """Return the firm's settings, or the defaults; locked when `for_update`."""
    if for_update:
        await queries.lock_settings(connection)
    row: Record | None = await queries.find_settings(connection)
    return _COLUMNS.read(row) if row is not None else MessageSettings()


async def update_settings(connection: Connection, settings: MessageSettings) -> None:
    """Replace the firm's settings, which were read for update."""
    await queries.update_settings(connection, **_COLUMNS.write(settings))
