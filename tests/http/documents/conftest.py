"""A firm with a template, its data service, and a renderer that draws blank pages."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.meeting_documents import Firm, make_template
from support.receivers import Receiver, answer, open_receiver
from support.renderers import BlankPages


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages()


@pytest_asyncio.fixture
async def service() -> AsyncGenerator[Receiver]:
    """Lend a data service of the firm's."""
    async with open_receiver() as receiver:
        receiver.answers = [answer(200, b'{"customer": {"name": "Freja"}}')]
        yield receiver


@pytest.fixture
def own_settings() -> dict[str, object]:
    return {"outgoing_allow": "127.0.0.1", "content_lifetime_hours": 24}


@pytest_asyncio.fixture
async def firm(api: Api, services: Services, clock: HandClock) -> Firm:
    file = make_template("Dear {{customer.name}}", "{{advisor.name}}, {{topic.name}}, {{meeting.customerId}}")
    parts: Any = {"file": ("greeting.pptx", file), "name": (None, "Greeting")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    await services.routing.route(clock())
    return Firm(api, services, clock)
