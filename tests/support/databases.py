"""Databases for tests: copies of a template, which one test process makes for all."""

import hashlib
import secrets
import shutil
import tempfile
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from meetdeck import migrations
from meetdeck.demo.seed import load_demo_data
from meetdeck.embedded_postgres import Endpoint
from meetdeck.migrations.steps import list_steps
from meetdeck.platform.database import Address, Database
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import make_services
from support.fakes import HandClock

DATABASES = "PYTEST_DATABASES"
"""The variable with the folder of this run's databases; the processes that `-n` starts inherit it."""
_TEMPLATE_LOCK = 5120
_MEMORY = Path("/dev/shm")  # noqa: S108 - what is made in it has a name of its own
_ROOM_BYTES = 2 << 30
_HURRIED = {"fsync": "off", "full_page_writes": "off"}


def find_room() -> Path:
    """Return the fastest place for databases: in memory if there is room, since each of them is 800 files."""
    is_roomy = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM_BYTES
    return _MEMORY if is_roomy else Path(tempfile.gettempdir())


@asynccontextmanager
async def copy_database(postgres: Endpoint, template: str) -> AsyncGenerator[tuple[Address, Address]]:
    """Lend a copy of the template, as (its owner, the application)."""
    name = f"test_{secrets.token_hex(8)}"
    admin = await postgres.superuser.connect()
    await admin.execute(f"create database {name} template {template} owner {postgres.owner.user} strategy file_copy")
    yield replace(postgres.owner, database=name), replace(postgres.app, database=name)
    await admin.execute(f"drop database {name} with (force)")  # a pooler keeps its connections
    await admin.close()


@asynccontextmanager
async def make_empty_database(postgres: Endpoint) -> AsyncGenerator[Address]:
    """Lend an empty database, as its owner."""
    name = f"test_{secrets.token_hex(8)}"
    admin = await postgres.superuser.connect()
    await admin.execute(f"create database {name} owner {postgres.owner.user}")
    yield replace(postgres.owner, database=name)
    await admin.execute(f"drop database {name} with (force)")
    await admin.close()


async def get_migrated_template(owner: Address) -> str:
    """Return the database with the migrated schema; the first test process to need it makes it."""
    steps = list_steps(after=None, to=migrations.known_revisions()[-1])
    name = "template_" + hashlib.sha256("".join(step.sql for step in steps).encode()).hexdigest()[:16]
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


async def load_demo_firms(addresses: tuple[Address, Address], data_dir: Path, now: datetime) -> None:
    """Load the demo firms into a database, and their files into `data_dir`."""
    async with (
        Database(addresses[1], connections=1) as database,
        aclosing(make_services(database, HandClock(now), data_dir, MissingRenderer())) as services,
    ):
        await services.storage.require_usable()
        await load_demo_data(services)


def take_demo_firms(demo_firms: tuple[str, Path], data_dir: Path) -> str:
    """Copy the demo firms' files into a test's folder, and return their database."""
    name, files = demo_firms
    shutil.copytree(files, data_dir, dirs_exist_ok=True)
    return name


async def hurry(postgres: Endpoint) -> None:
    """Turn off `fsync`, so that the system decides when data reaches the disk, and hash passwords in one round.

    These databases need not survive a crash, and nobody tries passwords on them.
    """
    admin = await postgres.superuser.connect()
    try:
        await admin.execute("select pg_advisory_lock($1)", _TEMPLATE_LOCK)  # one test process after the other
        for setting, value in _HURRIED.items():
            await admin.execute(f"alter system set {setting} = {value}")
        await admin.execute("select pg_reload_conf()")
        await admin.execute("select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'")
        for role in (postgres.superuser, postgres.owner, postgres.app):
            await admin.execute(f"alter role {role.user} password '{role.password}'")
    finally:
        await admin.close()


async def read_secrets(superuser: Address) -> dict[str, str]:
    """Return the roles' passwords as the server keeps them, which is all that a pooler needs."""
    admin = await superuser.connect()
    try:
        query = "select rolname, rolpassword from pg_authid where rolpassword is not null"
        return {row["rolname"]: row["rolpassword"] for row in await admin.fetch(query)}
    finally:
        await admin.close()
