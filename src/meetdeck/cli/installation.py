"""The access of commands to the installation's database, also beside a running `serve`."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from meetdeck.platform.database import Address, Database
from meetdeck.platform.errors import MeetdeckError, SetupError
from meetdeck.platform.process import signals, take_data_folder
from meetdeck.platform.process.logging import configure_logging
from meetdeck.platform.settings import Settings, read_settings

T = TypeVar("T")

_CONNECTIONS = 2


def prepare() -> Settings:
    """Return the settings; from here on, logs are written where they say. Raises SetupError."""
    settings = read_settings()
    configure_logging(settings.log_format)
    return settings


def run_on_database(work: Callable[[Database, Settings], Awaitable[T]], *, undone: str = "") -> T:
    """Return the result of `work`, called with the database of the settings, as the application's role.

    An embedded database is started, or joined if it runs. Raises SetupError, also for a MeetdeckError, whose detail
    follows the words `undone`: what was not done.
    """
    from meetdeck.installation import database_addresses

    settings = prepare()
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (_, application):
        return signals.run(_run(settings, application, work, undone))


async def _run(
    settings: Settings, address: Address, work: Callable[[Database, Settings], Awaitable[T]], undone: str
) -> T:
    from meetdeck.installation import open_database, require_schemas

    await require_schemas(settings, address)
    try:
        async with open_database(settings, address, connections=_CONNECTIONS) as database:
            return await work(database, settings)
    except MeetdeckError as error:
        raise SetupError(f"{undone} {error.detail}".strip()) from error
