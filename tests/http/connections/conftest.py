"""A firm whose advisor has a calendar at a server."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest_asyncio

from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services
from support.factories import Api, make_services
from support.fakes import HandClock
from support.receivers import Receiver, open_receiver


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Services]:
    """Lend the application's parts, which may call this machine."""
    made = make_services(database, clock, tmp_path, MissingRenderer(), outgoing_allow=("127.0.0.1",))
    async with aclosing(made) as services:
        yield services


@pytest_asyncio.fixture
async def server() -> AsyncGenerator[Receiver]:
    """Lend a server of calendars."""
    async with open_receiver() as server:
        yield server


@pytest_asyncio.fixture
async def elevated(api: Api) -> Api:
    """Call the first firm with the elevated role."""
    return await api.of(api.firm, elevated=True)
