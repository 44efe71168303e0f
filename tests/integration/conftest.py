"""Fixtures of integration tests."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.db import Database
from support.fakes import HandClock
from support.importing import ImportingFirm

if TYPE_CHECKING:
    from support.s3_server import S3Server


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Generator["S3Server"]:
    """Lend a server that speaks S3; the process has the variables that lead to it."""
    from support.s3_server import S3Server  # noqa: PLC0415 - moto takes a second to import; few tests need it

    server = S3Server()
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    yield server
    server.stop()


@pytest_asyncio.fixture
async def firm(database: Database, clock: HandClock, tmp_path: Path) -> ImportingFirm:
    """Lend the first demo firm, before anything is imported."""
    return await ImportingFirm.of_demo(database, NORDLYS, tmp_path, clock())
