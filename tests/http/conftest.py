"""Fixtures of the tests over HTTP: the demo firms, and a log that is short, so that a failing test can be read."""

from pathlib import Path

import pytest
import pytest_asyncio
import structlog

from meetdeck.platform.database import Database
from support.databases import take_demo_firms
from support.documents import DOCUMENTS, Json
from support.factories import Api
from support.logs import remember_event
from support.meetings import forget_meetings

structlog.configure(
    processors=[
        remember_event,
        structlog.stdlib.add_log_level,
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
    ]
)


@pytest.fixture
def template(demo_firms: tuple[str, Path], tmp_path: Path) -> str:
    """Name the demo firms' database, of which the test's own is a copy; copies of their files are in `tmp_path`."""
    return take_demo_firms(demo_firms, tmp_path)


@pytest.fixture
def document(request: pytest.FixtureRequest) -> Json:
    """Lend the document of the version by which the test is marked (`EACH_VERSION`)."""
    return DOCUMENTS[request.param]


@pytest_asyncio.fixture
async def no_meetings(api: Api, database: Database) -> None:
    """Forget the demo meetings."""
    assert api  # which loads them
    await forget_meetings(database)
