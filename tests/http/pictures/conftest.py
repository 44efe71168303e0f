"""Fixtures of the tests of slides' pictures: an application whose renderer counts what it draws."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest
import pytest_asyncio

from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import make_services
from support.fakes import HandClock
from support.renderers import BlankPages


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages(pages=30)


@pytest_asyncio.fixture
async def services(
    database: Database, clock: HandClock, tmp_path: Path, renderer: BlankPages
) -> AsyncGenerator[Services]:
    """Lend the application's parts, with a renderer that counts."""
    async with aclosing(make_services(database, clock, tmp_path, renderer)) as services:
        yield services
