"""What tests are given. Nothing here is started before a test asks for it: the unit tests ask for none of it."""

import hashlib
import os
import secrets
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio

from factories import Api, make_services
from fakes import HandClock
from meetdeck import migrations
from meetdeck.app import Services
from meetdeck.platform.db import Address, Connection, Database
from meetdeck.platform.embedded_postgres import EmbeddedPostgres, Endpoint
from meetdeck.present.render.renderer import MissingRenderer

MONDAY_MORNING = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)  # 07:00 in Copenhagen
_TEMPLATE_LOCK = 5120


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Generator[Endpoint]:
    """Lend the embedded PostgreSQL that all test processes of this run share."""
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with EmbeddedPostgres(run / "postgres") as endpoint:
        yield endpoint


@pytest_asyncio.fixture
async def addresses(postgres: Endpoint) -> AsyncGenerator[tuple[Address, Address]]:
    """Lend a migrated, empty database of the test's own, as (its owner, the application)."""
    template = await _get_template(postgres.owner)
    name = f"test_{secrets.token_hex(8)}"
    admin = await postgres.owner.connect()
    await admin.execute(f"create database {name} template {template}")
    yield replace(postgres.owner, database=name), replace(postgres.app, database=name)
    await admin.execute(f"drop database {name}")
    await admin.close()


async def _get_template(owner: Address) -> str:
    """Return the database that holds the migrated schema; the first test process to need it makes it."""
    steps = sorted((Path(migrations.__file__).parent / "versions").glob("*.sql"))
    name = "template_" + hashlib.sha256(b"".join(step.read_bytes() for step in steps)).hexdigest()[:16]
    admin = await owner.connect()
    try:
        await admin.execute("select pg_advisory_lock($1)", _TEMPLATE_LOCK)
        if not await admin.fetchval("select exists (select from pg_database where datname = $1)", name):
            await admin.execute(f"create database {name}_new")
            await migrations.migrate(replace(owner, database=f"{name}_new"))
            await admin.execute(f"alter database {name}_new rename to {name}")
    finally:
        await admin.close()
    return name


@pytest_asyncio.fixture
async def owner(addresses: tuple[Address, Address]) -> AsyncGenerator[Connection]:
    """Lend a connection of the role that owns the tables."""
    connection = await addresses[0].connect()
    yield connection
    await connection.close()


@pytest_asyncio.fixture
async def database(addresses: tuple[Address, Address]) -> AsyncGenerator[Database]:
    """Lend the application's pool."""
    async with Database(addresses[1], connections=5) as database:
        yield database


@pytest.fixture
def clock() -> HandClock:
    """Lend a clock that shows Monday, 2 March 2026, 07:00 in Copenhagen."""
    return HandClock(MONDAY_MORNING)


@pytest_asyncio.fixture
async def services(database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Services]:
    """Lend the application's parts, without a renderer."""
    async with aclosing(make_services(database, clock, tmp_path, MissingRenderer())) as services:
        yield services


@pytest_asyncio.fixture
async def api(services: Services) -> AsyncGenerator[Api]:
    """Lend the API with both demo firms loaded, called by the first firm's client without roles."""
    async with Api.open(services) as api:
        yield api
