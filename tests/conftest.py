"""Fixtures of all tests. Nothing here is started before a test asks for it: the unit tests ask for none of it."""

import asyncio
import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio
import structlog
import uvloop
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from meetdeck.embedded_postgres import EmbeddedPostgres, Endpoint
from meetdeck.embedded_postgres.postmaster import SETTINGS
from meetdeck.platform.database import Address, Connection, Database
from meetdeck.present.render.renderer import MissingRenderer, Renderer
from meetdeck.services import Services
from support import real_clock, times
from support.databases import (
    DATABASES,
    copy_database,
    find_room,
    get_migrated_template,
    hurry,
    load_demo_firms,
    read_secrets,
    take_demo_firms,
)
from support.factories import Api, make_services
from support.fakes import MONDAY_MORNING, HandClock
from support.installation import Installation, install
from support.judges import make_environment
from support.logs import find_forbidden, keep_logs, remember_event
from support.patience import be_patient_with_answers
from support.pgbouncer import MISSING, find_pgbouncer, run_pgbouncer
from support.portal_sites import UNLIMITED
from support.real_clock import RealClock
from support.shared_databases import CONNECTIONS, SharedDatabase, SharedDatabases, cancelling_tasks
from support.tally import Tally
from support.times import Times

_THROUGH_PGBOUNCER = "MEETDECK_THROUGH_PGBOUNCER"
"""The variable that puts PgBouncer before the databases of all tests: not every day, but now and then."""

# `make thorough` tries more; on a busy machine, a deadline says more about the machine.
settings.register_profile("meetdeck", max_examples=int(os.environ.get("MEETDECK_EXAMPLES", "30")), deadline=None)
settings.load_profile("meetdeck")
if "MEETDECK_EXAMPLES" not in os.environ:
    # Of thirty examples one or two would be a constant from somewhere in the product, for which each process reads and
    # parses all of its modules: seven seconds of the processor from a clean clone.
    providers._get_local_constants = Constants  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - no setting does it


def pytest_configure(config: pytest.Config) -> None:
    """Make the folder of this run's databases, and let each program that is started find itself compiled."""
    gc.disable()  # until everything is imported and collected
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end_run)  # so that a run that is ended stops what it started
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ[DATABASES] = tempfile.mkdtemp(prefix="meetdeck-tests-", dir=find_room())
        keep_logs(os.environ[DATABASES])
    config.pluginmanager.register(RealClock(config))
    config.pluginmanager.register(Times(config))
    config.pluginmanager.register(Tally())
    be_patient_with_answers()
    structlog.configure(processors=[remember_event, *structlog.get_config()["processors"]])


def _end_run(_number: int, _frame: object) -> None:
    """Raise KeyboardInterrupt, as Python's own handler does.

    asyncio replaces that one in each of the five to ten runs of the loop that a test takes, which costs a millisecond.
    """
    raise KeyboardInterrupt


def pytest_collection_finish() -> None:
    """Spare the garbage collector the objects of imports and collection, which stay, and let it come less often.

    By default it takes a fifteenth of the processor's time.
    """
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run by what was logged that no log may hold, and tell it."""
    if "PYTEST_XDIST_WORKER" not in os.environ and (found := {*find_forbidden()}):
        print("\n", "What no log may hold was logged:", *sorted(found)[:40], sep="\n")  # noqa: T201 - what pytest shows
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure() -> None:
    """Remove it: it may lie in memory. What a server still writes that a killed process left alone, stays."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(os.environ.pop(DATABASES), ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the choice of `make thorough`, and that of `make test`."""
    parser.addoption(real_clock.OPTION, action="store_true", help="run only tests that read the machine's clock")
    parser.addoption(times.OPTION, action="store_true", help="print the slowest tests, and the seconds of each folder")


class _EndlessLoop(uvloop.Loop):
    """The loop of the service, which ends with the process.

    Closing it waits for every handle, and a server or a process that a test left open never gives its own back.
    """

    def close(self) -> None:
        """Leave the loop open."""


@pytest.fixture(scope="session")
def _asyncio_loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    """Run tests on the loop of the service: they take a tenth less of the processor's time than on asyncio's.

    It is pytest-asyncio's. Its hook would give the loop to asynchronous tests alone, and a test that is not, between
    them, would end the session's loop and all that belongs to it.
    """
    return _EndlessLoop


@pytest.fixture(autouse=True)
def usual_umask() -> Generator[None]:
    """Give each test the umask that systems have; what takes a data folder in this process has closed its own."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(scope="session")
def postgres() -> Generator[Endpoint]:
    """Lend the embedded PostgreSQL that all test processes of this run share."""
    SETTINGS["max_connections"] = "200"  # the shipped 50 are those of one service
    with EmbeddedPostgres(Path(os.environ[DATABASES])) as endpoint:
        asyncio.run(hurry(endpoint))
        yield endpoint


@pytest_asyncio.fixture(scope="session")
async def migrated(postgres: Endpoint) -> str:
    """Name the database that is migrated, and empty."""
    return await get_migrated_template(postgres.owner)


@pytest_asyncio.fixture(scope="session")
async def demo_firms(
    postgres: Endpoint, migrated: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[tuple[str, Path]]:
    """Load the demo firms once for this process: name their database, and the folder of their files."""
    files = tmp_path_factory.mktemp("demo")
    async with copy_database(postgres, migrated) as addresses:
        await load_demo_firms(addresses, files, MONDAY_MORNING)
        yield addresses[0].database, files


@pytest.fixture
def template(migrated: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Name the database whose rows a test finds: none, or those of the demo firms where it calls the API."""
    if "api" not in request.fixturenames:
        return migrated
    return take_demo_firms(request.getfixturevalue("demo_firms"), tmp_path)


@pytest_asyncio.fixture(scope="session")
async def shared_databases(postgres: Endpoint) -> AsyncGenerator[SharedDatabases]:
    """Lend the databases that the tests of this process share."""
    databases = SharedDatabases(postgres)
    yield databases
    await databases.close()


@pytest_asyncio.fixture
async def shared_database(
    template: str, shared_databases: SharedDatabases, request: pytest.FixtureRequest
) -> AsyncGenerator[SharedDatabase | None]:
    """Lend the process's database with the template's rows; None when the test is marked to have one of its own.

    Fails afterwards when the test changed more than rows.
    """
    if request.node.get_closest_marker("own_database") is not None:
        yield None
        return
    shared = await shared_databases.lend(template)
    yield shared
    if changes := await shared.list_changes():
        shared.is_changed = True
        pytest.fail(f"mark this test `own_database`: it changed {'; '.join(changes[:5])}", pytrace=False)


@pytest_asyncio.fixture
async def addresses(
    postgres: Endpoint, template: str, shared_database: SharedDatabase | None
) -> AsyncGenerator[tuple[Address, Address]]:
    """Lend a database with the template's rows, as (its owner, the application)."""
    if shared_database is not None:
        yield shared_database.addresses
        return
    async with copy_database(postgres, template) as addresses:
        yield addresses


@pytest_asyncio.fixture
async def owner(addresses: tuple[Address, Address]) -> AsyncGenerator[Connection]:
    """Lend a connection of the role that owns the tables."""
    connection = await addresses[0].connect()
    yield connection
    await connection.close()


@pytest.fixture(scope="session")
def judges(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lend the Python of an environment with other software that judges ours."""
    return make_environment(tmp_path_factory.mktemp("judges"))


@pytest.fixture(scope="session")
def pgbouncer(postgres: Endpoint) -> Generator[int]:
    """Lend the port of a PgBouncer before that server, in transaction mode; without the program the test is skipped."""
    if find_pgbouncer() is None:
        pytest.skip(MISSING)
    secrets = asyncio.run(read_secrets(postgres.superuser))
    with run_pgbouncer(postgres.socket_dir, secrets) as port:
        yield port


@pytest.fixture
def application(addresses: tuple[Address, Address], request: pytest.FixtureRequest) -> Address:
    """Lend the address by which the application reaches the test's own database."""
    if _THROUGH_PGBOUNCER not in os.environ:
        return addresses[1]
    return replace(addresses[1], host="127.0.0.1", port=request.getfixturevalue("pgbouncer"))


@pytest_asyncio.fixture
async def database(application: Address, shared_database: SharedDatabase | None) -> AsyncGenerator[Database]:
    """Lend the application's pool."""
    if shared_database is None:
        async with Database(application, connections=CONNECTIONS) as database:
            yield database
        return
    database = await shared_database.borrow(application)
    with cancelling_tasks():
        yield database


@pytest.fixture(scope="session")
def running() -> Generator[Installation]:
    """Lend an installation that serves the demo firms to all tests of this process whose subject is not its process.

    A test leaves alone what others read: it adds what has names of its own, or takes a tenant of its own. Nobody is
    held back for asking often, since all callers have one address.
    """
    with install() as installation:
        installation.settings |= UNLIMITED
        installation.start()
        yield installation


@pytest.fixture
def clock() -> HandClock:
    """Lend a clock that shows Monday, 2 March 2026, 07:00 in Copenhagen."""
    return HandClock(MONDAY_MORNING)


@pytest.fixture
def renderer() -> Renderer:
    """Lend the installation's renderer: none; a module whose tests draw lends another."""
    return MissingRenderer()


@pytest.fixture
def own_settings() -> dict[str, object]:
    """Lend the settings that are not the defaults: none; a module whose tests need some lends them."""
    return {}


@pytest_asyncio.fixture
async def services(
    database: Database, clock: HandClock, tmp_path: Path, renderer: Renderer, own_settings: dict[str, object]
) -> AsyncGenerator[Services]:
    """Lend the application's parts, with the module's `renderer` and `own_settings`."""
    async with aclosing(make_services(database, clock, tmp_path, renderer, **own_settings)) as services:
        yield services


@pytest_asyncio.fixture
async def api(services: Services) -> AsyncGenerator[Api]:
    """Lend the API with both demo firms loaded, called by the first firm's client without roles."""
    async with Api.open(services) as api:
        yield api
