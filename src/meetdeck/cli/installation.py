"""The way from a command to the installation's database, also beside a running `serve`."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from meetdeck.migrations import require_schema
from meetdeck.platform.data_folder import take_data_folder
from meetdeck.platform.db import Address, Database
from meetdeck.platform.errors import MeetdeckError, SetupError
from meetdeck.platform.logging import configure_logging
from meetdeck.platform.settings import Settings, read_settings

T = TypeVar("T")

_CONNECTIONS = 2


def run_on_database(work: Callable[[Database, Settings], Awaitable[T]]) -> T:
    """Return what `work` returns, given the database that the settings name, as the application's role.

    An embedded database is started, or joined when it runs. Raises SetupError, with the detail of a MeetdeckError too.
    """
    from meetdeck.serving import database_addresses  # noqa: PLC0415 - `meetdeck --help` should not wait for it all

    settings = read_settings()
    configure_logging(settings.log_format)
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (_, application):
        return asyncio.run(_run(settings, application, work))


async def _run(settings: Settings, address: Address, work: Callable[[Database, Settings], Awaitable[T]]) -> T:
    await require_schema(address)
    owner_may_serve = settings.environment == "test"
    try:
        async with Database(address, connections=_CONNECTIONS, owner_may_serve=owner_may_serve) as database:
            return await work(database, settings)
    except MeetdeckError as error:
        raise SetupError(error.detail) from error
