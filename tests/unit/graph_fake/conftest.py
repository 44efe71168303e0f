"""A firm of two at the fake, signed in."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime

import pytest

from support.graph import Graph


@pytest.fixture
async def graph() -> AsyncGenerator[Graph]:
    graph = Graph()
    graph.world.clock.stop_at(datetime(2026, 11, 24, 8, tzinfo=UTC))
    graph.plant_firm("anna@firm.test", "bo@firm.test")
    async with graph.http:
        await graph.sign_in()
        yield graph
