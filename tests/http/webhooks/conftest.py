"""A firm that has webhooks, and a receiver of what they send."""

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
from support.webhooks import Webhooks


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Services]:
    """Lend the application's parts, which may call this machine."""
    made = make_services(database, clock, tmp_path, MissingRenderer(), outgoing_allow=("127.0.0.1",))
    async with aclosing(made) as services:
        yield services


@pytest_asyncio.fixture
async def webhooks(api: Api, services: Services, clock: HandClock) -> Webhooks:
    """Lend the first firm's webhooks."""
    return Webhooks(await api.of(api.firm, elevated=True), services, clock)


@pytest_asyncio.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    """Lend a receiver that answers 200."""
    async with open_receiver() as receiver:
        yield receiver
