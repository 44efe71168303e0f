"""Fixtures of the tests over HTTP: the demo firms, and a log that is short, so that a failing test can be read."""

import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
import structlog

from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.db import Database
from support.databases import copy_database, get_migrated_template, load_demo_firms
from support.factories import Api
from support.fakes import MONDAY_MORNING
from support.logs import remember_event
from support.meetings import forget_meetings

structlog.configure(
    processors=[
        remember_event,
        structlog.stdlib.add_log_level,
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def demo_firms(postgres: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[tuple[str, Path]]:
    """Load the demo firms once for this process: name their database, and the folder of their files."""
    files = tmp_path_factory.mktemp("demo")
    async with copy_database(postgres, await get_migrated_template(postgres.owner)) as addresses:
        await load_demo_firms(addresses, files, MONDAY_MORNING)
        yield addresses[0].database, files


@pytest.fixture
def template(demo_firms: tuple[str, Path], tmp_path: Path) -> str:
    """Name the demo firms' database, of which the test's own is a copy; copies of their files are in `tmp_path`."""
    name, files = demo_firms
    shutil.copytree(files, tmp_path, dirs_exist_ok=True)
    return name


@pytest_asyncio.fixture
async def no_meetings(api: Api, database: Database) -> None:
    """Forget the demo meetings."""
    assert api  # which loads them
    await forget_meetings(database)
