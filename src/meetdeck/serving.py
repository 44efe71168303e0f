"""A running installation: its parts are started in order, and stopped in reverse, the database last."""

import asyncio
import gc
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import NamedTuple
from uuid import UUID

import structlog
import uvloop

from meetdeck.app import Services, build_app
from meetdeck.booking.comparison import service as comparison
from meetdeck.booking.comparison.known_slots import KnownList
from meetdeck.booking.comparison.outcome import Comparison
from meetdeck.booking.comparison.service import SearchOptions
from meetdeck.booking.importing import service as importing
from meetdeck.booking.importing.outcome import Outcome
from meetdeck.booking.importing.progress import ProgressReport
from meetdeck.booking.importing.rows import Source
from meetdeck.demo.credentials import Credentials
from meetdeck.demo.seed import load_demo_data
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import Schema, check_schema, known_revisions, migrate, require_schema
from meetdeck.platform import clock
from meetdeck.platform.data_folder import take_data_folder
from meetdeck.platform.db import Address, Database
from meetdeck.platform.errors import MeetdeckError, SetupError, Unavailable
from meetdeck.platform.http.server import Server, allow_open_files
from meetdeck.platform.settings import Settings, read_database_url, read_gotenberg_url
from meetdeck.platform.storage import Storage
from meetdeck.present.render.confinement import require_jail
from meetdeck.present.render.gotenberg import GotenbergRenderer
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import MissingRenderer, Renderer, find_office
from meetdeck.present.sweeping.service import Swept

log = structlog.stdlib.get_logger()


@contextmanager
def database_addresses(settings: Settings) -> Generator[tuple[Address, Address]]:
    """Yield the addresses of the owner's and the application's role; an embedded PostgreSQL runs meanwhile."""
    if settings.database_url is not None:
        application = read_database_url(settings.database_url, "MEETDECK_DATABASE_URL")
        owner = settings.database_owner_url
        yield read_database_url(owner, "MEETDECK_DATABASE_OWNER_URL") if owner else application, application
        return
    with EmbeddedPostgres(settings.data_dir / "postgres", bin_dir=settings.pg_bin, supervised=True) as endpoint:
        yield endpoint.owner, endpoint.app


class Running(NamedTuple):
    """The address and demo credentials that `serve` reports once it accepts requests.

    `token` is None without demo data, or with another token issuer.
    """

    base_url: str
    credentials: Credentials | None
    token: str | None


def serve(settings: Settings, *, run_migrations: bool, demo_data: bool, on_ready: Callable[[Running], None]) -> None:
    """Serve until interrupted. Raises SetupError, one line for the operator, when a requirement is missing."""
    take_data_folder(settings.data_dir)
    allow_open_files()
    with (
        _listen(settings) as listener,
        database_addresses(settings) as (owner, application),
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        settings = settings.model_copy(update={"port": listener.getsockname()[1]})  # 0 meant any free port
        is_new = settings.database_url is None and runner.run(check_schema(application)) is Schema.EMPTY
        runner.run(migrate(owner) if run_migrations or is_new else require_schema(application))
        runner.run(_serve(settings, application, listener, demo_data=demo_data, on_ready=on_ready))


def migrate_database(settings: Settings) -> str:
    """Migrate the schema and return its revision. Raises SetupError."""
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (owner, _):
        asyncio.run(migrate(owner))
    return known_revisions()[-1]


def sweep_storage(settings: Settings, *, dry_run: bool) -> Swept:
    """Delete unused files, or only count them. Raises SetupError."""
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (_, application):
        return asyncio.run(_sweep_storage(settings, application, dry_run=dry_run))


async def _sweep_storage(settings: Settings, address: Address, *, dry_run: bool) -> Swept:
    await require_schema(address)
    storage = await _open_storage(settings)
    async with (
        _open_database(settings, address) as database,
        lend_renderer(settings) as renderer,
        aclosing(Services.open(settings, database, storage, renderer, clock.now)) as services,
    ):
        try:
            return await services.sweeper.sweep(clock.now(), dry_run=dry_run)
        except Unavailable as error:
            raise SetupError(f"The sweep was not finished: {error.detail}") from error


def import_files(
    settings: Settings, tenant_id: UUID, sources: Sequence[Source], progress: ProgressReport, *, dry_run: bool
) -> Outcome:
    """Import files for a tenant, all or nothing; a dry run only reports the changes. Raises SetupError."""
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (_, application):
        return asyncio.run(_import_files(settings, application, tenant_id, sources, progress, dry_run=dry_run))


async def _import_files(
    settings: Settings,
    address: Address,
    tenant_id: UUID,
    sources: Sequence[Source],
    progress: ProgressReport,
    *,
    dry_run: bool,
) -> Outcome:
    await require_schema(address)
    async with _open_database(settings, address, connections=1) as database:
        try:
            return await importing.import_files(database, tenant_id, sources, clock.now(), progress, dry_run=dry_run)
        except MeetdeckError as error:
            raise SetupError(f"Nothing was imported: {error.detail}") from error


def compare_slots(
    settings: Settings, tenant_id: UUID, known: KnownList, options: SearchOptions, progress: ProgressReport
) -> Comparison:
    """Compare known slots of a tenant with what the search finds. Raises SetupError."""
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (_, application):
        return asyncio.run(_compare_slots(settings, application, tenant_id, known, options, progress))


async def _compare_slots(
    settings: Settings,
    address: Address,
    tenant_id: UUID,
    known: KnownList,
    options: SearchOptions,
    progress: ProgressReport,
) -> Comparison:
    await require_schema(address)
    async with _open_database(settings, address, connections=1) as database:
        try:
            return await comparison.compare_slots(
                database, tenant_id, known, options, progress, most=settings.search_most_slots
            )
        except MeetdeckError as error:
            raise SetupError(f"Nothing was compared: {error.detail}") from error


def _listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the port; called before anything slow."""
    try:
        address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(address[0], socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address[4])
        listener.listen(2048)
    except (OSError, UnicodeError) as error:  # UnicodeError: a host name that cannot be encoded
        reason = getattr(error, "strerror", None) or error
        raise SetupError(
            f"Port {settings.port} on {settings.host} cannot be used ({reason}). Stop what uses it, or choose another: "
            "`--port` or MEETDECK_PORT (0: any free one), with make `PORT=`."
        ) from error
    return listener


async def _serve(
    settings: Settings,
    address: Address,
    listener: socket.socket,
    *,
    demo_data: bool,
    on_ready: Callable[[Running], None],
) -> None:
    storage = await _open_storage(settings)
    async with (
        _open_database(settings, address) as database,
        lend_renderer(settings) as renderer,
        aclosing(Services.open(settings, database, storage, renderer, clock.now)) as services,
    ):
        credentials = await _load_demo_data(services) if demo_data else None

        async def report() -> None:
            token = await _issue_token(services, credentials) if credentials else None
            on_ready(Running(settings.base_url, credentials, token))

        app = build_app(services)
        gc.freeze()  # scanning the objects of the start-up took 75 ms of every caller's time
        async with _tidy_up_regularly(services):
            await Server(app, report).serve([listener])


async def _load_demo_data(services: Services) -> Credentials:
    try:
        return await load_demo_data(services)
    except MeetdeckError as error:
        raise SetupError(f"The demo data cannot be loaded: {error.detail}") from error


@asynccontextmanager
async def _tidy_up_regularly(services: Services) -> AsyncGenerator[None]:
    tasks = [asyncio.create_task(work.run(clock.now)) for work in (services.sweeper, services.retention)]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


def _open_database(settings: Settings, address: Address, *, connections: int | None = None) -> Database:
    """Return the database, as a context manager. The owner of the tables may serve a test installation."""
    read_url = settings.database_read_url
    return Database(
        address,
        connections=connections or settings.database_connections,
        owner_may_serve=settings.environment == "test",
        standby=read_database_url(read_url, "MEETDECK_DATABASE_READ_URL") if read_url is not None else None,
        standby_lag_seconds=settings.database_read_lag,
    )


async def _open_storage(settings: Settings) -> Storage:
    storage = Storage.open(
        url=settings.storage_url, folder=settings.data_dir / "storage", allow_http=settings.storage_allow_http
    )
    await storage.require_usable()
    return storage


async def _issue_token(services: Services, credentials: Credentials) -> str | None:
    """Return a token of the first demo tenant, or None when another issuer gives them."""
    client = credentials.tenants[0].clients[0]
    issuer = services.issuer
    return await issuer.issue(client.client_id, client.client_secret, services.clock()) if issuer else None


@asynccontextmanager
async def lend_renderer(settings: Settings) -> AsyncGenerator[Renderer]:
    """Yield Gotenberg, this machine's LibreOffice, or a renderer that refuses with instructions. Raises SetupError."""
    renderer = _choose_renderer(settings)
    try:
        yield renderer
    finally:
        await renderer.close()


def _choose_renderer(settings: Settings) -> Renderer:
    if settings.gotenberg_url is not None:
        return GotenbergRenderer(read_gotenberg_url(settings.gotenberg_url), size=settings.office_processes)
    office = find_office(soffice=settings.office_path, python=settings.office_python)
    if office is None:
        log.warning("no LibreOffice found: PDF and pictures answer 503 with what to install")
        return MissingRenderer()
    require_jail(office, optional=settings.jail_optional)
    pool = OfficePool(office, size=settings.office_processes, jail_optional=settings.jail_optional)
    pool.start()
    return pool
