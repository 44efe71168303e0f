"""A firm that has webhooks, and a receiver of what they send."""

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.receivers import Receiver, open_receiver
from support.webhooks import Webhooks


@pytest.fixture
def own_settings() -> dict[str, object]:
    """Lend a setting with which events may be sent to this machine."""
    return {"outgoing_allow": ("127.0.0.1",)}


@pytest_asyncio.fixture
async def webhooks(api: Api, services: Services, clock: HandClock) -> Webhooks:
    """Lend the first firm's webhooks."""
    return Webhooks(await api.of(api.firm, elevated=True), services, clock)


@pytest_asyncio.fixture
async def receiver() -> AsyncGenerator[Receiver]:
    """Lend a receiver that answers 200."""
    async with open_receiver() as receiver:
        yield receiver
