"""Fixtures of integration tests."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from meetdeck.cli import installation
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Address, Database
from meetdeck.platform.settings import Settings
from support.fakes import HandClock
from support.importing import ImportingFirm
from support.terminals import Terminal

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
async def firms(database: Database) -> Database:
    """Lend the database with the rows of both demo firms, without their data."""
    for firm in (NORDLYS, FJORD):
        async with database.transaction(firm.tenant_id) as connection:
            await connection.execute("insert into tenant (tenant_id, name) values ($1, 'Firm')", firm.tenant_id)
    return database


@pytest_asyncio.fixture
async def firm(database: Database, clock: HandClock, tmp_path: Path) -> ImportingFirm:
    """Lend the first demo firm, before anything is imported."""
    return await ImportingFirm.of_demo(database, NORDLYS, tmp_path, clock())


def do_nothing(*_: object) -> None:
    """Stand in for what is set up for a whole process."""


@pytest.fixture
def terminal(
    addresses: tuple[Address, Address],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Terminal:
    """Lend a command line on the test's database and files."""

    @contextmanager
    def lend_addresses(_: Settings) -> Generator[tuple[Address, Address]]:
        yield addresses

    monkeypatch.setenv("MEETDECK_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("meetdeck.installation.database_addresses", lend_addresses)
    monkeypatch.setattr(installation, "configure_logging", do_nothing)  # the log is the tests' own
    monkeypatch.setattr("signal.signal", do_nothing)  # a thread has none
    return Terminal(monkeypatch, capsys)
