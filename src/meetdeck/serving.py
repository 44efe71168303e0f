"""A running installation: its parts are started in order and stopped in reverse, the database last."""

import asyncio
import signal
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, ExitStack, aclosing, asynccontextmanager
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn

import msgspec
import structlog
import uvloop
from litestar.types import ASGIApp

from meetdeck.administration.recent_requests.service import RecentRequestWriting
from meetdeck.app import build_app, make_routes_for
from meetdeck.demo.credentials import Credentials
from meetdeck.forking import FORKS, STOP_SECONDS, ForkServer, Orders, Work
from meetdeck.installation import (
    database_addresses,
    migrate_all,
    open_database,
    open_storage,
    read_application_address,
    require_schemas,
)
from meetdeck.migrations import Schema, check_schema
from meetdeck.platform.database import Address
from meetdeck.platform.database.metrics import measuring
from meetdeck.platform.errors import MeetdeckError, SetupError, Unavailable
from meetdeck.platform.http.around import Proxies
from meetdeck.platform.http.server import (
    BoundedProtocol,
    ConnectionCounts,
    Drain,
    Server,
    SharedListener,
    WorkerServer,
    allow_open_files,
    share,
)
from meetdeck.platform.process import (
    LONG_DEADLINE,
    WORK_DEADLINE,
    clock,
    collect_rarely,
    no_garbage_collection,
    take_data_folder,
    within,
)
from meetdeck.platform.process.logging import configure_logging
from meetdeck.platform.process.priority import give_way
from meetdeck.platform.process.shared_numbers import forget_process
from meetdeck.platform.process.signals import Runner, handling, run
from meetdeck.platform.process.threads import hand_over_soon
from meetdeck.platform.process.tracing import Recording, record
from meetdeck.platform.settings import Area, ReloadableSettings, Settings, limits_outgoing_calls, read_settings
from meetdeck.present.render.lending import lend_no_renderer, lend_renderer
from meetdeck.present.render.renderer import Renderer
from meetdeck.present.sweeping.service import SweepReport
from meetdeck.services import Services
from meetdeck.supervisor import SeveralProcesses, Supervisor

log = structlog.stdlib.get_logger()

# The deck engine loads it with the first Markdown. Here it is loaded before workers are forked: all share its memory.
import_module("meetdeck.present.deck.language.markdown_parser")


class ServingReport(NamedTuple):
    """The address and demo credentials that `serve` reports once it accepts requests.

    `token` is None without demo data, or with another token issuer.
    """

    base_url: str
    credentials: Credentials | None
    token: str | None


class ServingOptions(NamedTuple):
    """The options and open resources of `serve`."""

    settings: Settings
    database: Address
    listener: socket.socket
    demo_data: bool
    demo_meetings: bool
    on_ready: Callable[[ServingReport], None]


def serve(
    settings: Settings,
    several: SeveralProcesses | None,
    *,
    run_migrations: bool,
    demo_data: bool,
    demo_meetings: bool,
    on_ready: Callable[[ServingReport], None],
) -> None:
    """Serve until interrupted. Raises SetupError, with one line for the operator, if a requirement is missing.

    `several`: needed if the settings ask for several processes.
    """
    take_data_folder(settings.data_dir)
    allow_open_files()
    if settings.smtp_url is None and not settings.keeps_messages:
        log.warning("no mail is sent", advice="Set MEETDECK_SMTP_URL to send invitations and reminders.")
    with (
        _listen(settings) as listener,
        database_addresses(settings) as (owner, application),
        Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        settings = settings.model_copy(update={"port": listener.getsockname()[1]})  # 0 meant any free port
        is_new = settings.database_url is None and runner.run(check_schema(application)) is Schema.EMPTY
        runner.run(
            migrate_all(settings, owner, application)
            if run_migrations or is_new
            else require_schemas(settings, application)
        )
        start = ServingOptions(settings, application, listener, demo_data or demo_meetings, demo_meetings, on_ready)
        runner.run(_serve(start) if several is None else _supervise(start, several))


def work(settings: Settings, *, on_ready: Callable[[Services], None]) -> None:
    """Run background work, without serving, until a signal. Raises SetupError."""
    take_data_folder(settings.data_dir)

    def begin(services: Services) -> None:
        on_ready(services)
        give_way()

    with (
        database_addresses(settings) as (_, application),
        Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        runner.run(_work_alone(settings, application, begin))


def fork_workers(work: Work, settings: Settings) -> ForkServer:
    """Return a fork server of this process, which has loaded the code and makes the routes: all share the memory."""
    if FORKS:
        with no_garbage_collection():
            make_routes_for(_serving(settings))
    return ForkServer.fork(work)


def serve_as_worker(orders: Orders, *, on_ready: Callable[[], None]) -> None:
    """Serve, or run background work, as one of several processes until a signal. Raises SetupError."""
    settings = read_settings(secrets=orders.secrets, **orders.settings)
    configure_logging(settings.log_format)
    address = msgspec.convert(orders.database, Address) if orders.database else read_application_address(settings)
    with Runner(loop_factory=uvloop.new_event_loop) as runner:
        if orders.listener is None:
            if settings.gotenberg_url is None:
                settings = settings.model_copy(update={"office_processes": 1})
            runner.run(_work_alone(settings, address, lambda _: on_ready(), calls_loopback=orders.calls_loopback))
            return
        with socket.socket(fileno=orders.listener) as listener:
            listener.set_inheritable(False)
            runner.run(_work(settings, address, listener, orders, on_ready))


def sweep_storage(settings: Settings, *, dry_run: bool) -> SweepReport:
    """Delete unused files, or only count them. Raises SetupError."""
    take_data_folder(settings.data_dir)
    with database_addresses(settings) as (_, application):
        return run(_sweep_storage(settings, application, dry_run=dry_run))


async def _sweep_storage(settings: Settings, address: Address, *, dry_run: bool) -> SweepReport:
    await require_schemas(settings, address)
    async with _open_services(settings, address, lend_renderer(settings)) as services:
        try:
            return await services.sweeper.sweep(clock.now(), dry_run=dry_run)
        except Unavailable as error:
            raise SetupError(f"The sweep was not finished: {error.detail}") from error


def _listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the port; call it before anything slow."""
    try:
        address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        with ExitStack() as closing:
            listener = closing.enter_context(socket.socket(address[0], socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address[4])
            listener.listen(2048)
            closing.pop_all()
    except (OSError, UnicodeError) as error:  # UnicodeError: a host name that cannot be encoded
        reason = getattr(error, "strerror", None) or error
        raise SetupError(
            f"Port {settings.port} on {settings.host} cannot be used ({reason}). Stop the program that uses it, "
            "or choose another: `--port` or MEETDECK_PORT (0: any free one), with make `PORT=`."
        ) from error
    return listener


async def _serve(start: ServingOptions) -> None:
    """Serve in this process, which is the only one."""
    settings = start.settings
    lent, calls_loopback = lend_renderer(settings), may_call_loopback(demo_data=start.demo_data)
    async with (
        _open_services(settings, start.database, lent, calls_loopback=calls_loopback) as services,
        _work_regularly(services),
        measuring(services.database),
    ):
        running = await _load_demo_data(services, start)

        async def report() -> None:
            start.on_ready(running)

        server = Server(_build_app(services), report, drain=_make_drain(services), protocol=_bound(settings))
        await server.serve([start.listener])


def _bound(settings: Settings) -> type[BoundedProtocol]:
    """Return the protocol of connections with limits and the trusted proxies."""
    return BoundedProtocol.behind(Proxies(settings.trusted_proxies).trusts)


async def _supervise(start: ServingOptions, several: SeveralProcesses) -> None:
    """Do the one-time work, and let workers serve."""
    running = ServingReport(start.settings.base_url, None, None)
    if start.demo_data:
        async with _open_services(start.settings, start.database, lend_no_renderer()) as services:
            running = await _load_demo_data(services, start)
    share(start.listener)
    await _make_supervisor(start, several).run(lambda: start.on_ready(running))


def _make_supervisor(start: ServingOptions, several: SeveralProcesses) -> Supervisor:
    """Return the supervisor of the serving processes and of the background work."""
    settings, (forks, numbers) = start.settings, several
    orders = Orders(
        listener=None,
        settings=settings.model_dump(mode="json", include={"host", "port", "workers"}) | {"only": [Area.WORKER]},
        database=asdict(start.database) if settings.database_url is None else None,
        metrics_dir=str(numbers),
        calls_loopback=may_call_loopback(demo_data=start.demo_data),
        stop_seconds=STOP_SECONDS + settings.seconds_to_drain,
    )
    listener, reloadable = start.listener.fileno(), ReloadableSettings(settings)
    serving = {"only": sorted(_serving(settings).only)}
    counts = ConnectionCounts.create(numbers)
    size = settings.workers

    def make_orders(number: int, place: int) -> Orders:
        own = msgspec.structs.replace(orders, number=number, place=place, secrets=reloadable.secrets)
        if place == size:
            return own
        return msgspec.structs.replace(own, listener=listener, settings=orders.settings | serving)

    def forget(number: int) -> None:
        forget_process(numbers, number)
        counts.forget(number)

    later = int(settings.has_background_process)
    return Supervisor(size, forks, make_orders, forget, later=later, settings=reloadable)


def _serving(settings: Settings) -> Settings:
    """Return the settings of a process that serves."""
    only = settings.only - {Area.WORKER} if settings.has_background_process else settings.only
    return settings.model_copy(update={"only": only})


def _make_drain(services: Services) -> Drain:
    return Drain(services.settings.seconds_to_drain, services.readiness.end)


async def _work(
    settings: Settings, address: Address, listener: socket.socket, orders: Orders, on_ready: Callable[[], None]
) -> None:
    await require_schemas(settings, address)

    async def report() -> None:
        on_ready()

    lent = lend_renderer(settings, place=orders.place)
    async with _open_services(settings, address, lent, calls_loopback=orders.calls_loopback) as services:
        app = _build_app(services)
        async with _work_regularly(services), measuring(services.database):
            counts = ConnectionCounts(Path(orders.metrics_dir))
            shared = SharedListener(listener, counts, orders.number)
            drain, protocol = _make_drain(services), _bound(settings)
            await WorkerServer(app, report, shared, drain=drain, protocol=protocol).serve([])


async def _work_alone(
    settings: Settings, address: Address, on_ready: Callable[[Services], None], *, calls_loopback: bool = False
) -> None:
    await require_schemas(settings, address)
    ending = asyncio.Event()
    with handling(dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), ending.set)):
        async with (
            _open_services(settings, address, lend_renderer(settings), calls_loopback=calls_loopback) as services,
            _work_regularly(services),
            measuring(services.database),
        ):
            on_ready(services)
            await ending.wait()


@asynccontextmanager
async def _open_services(
    settings: Settings,
    address: Address,
    lent: AbstractAsyncContextManager[Renderer],
    *,
    calls_loopback: bool = False,
) -> AsyncGenerator[Services]:
    hand_over_soon()
    storage = await open_storage(settings)
    async with (
        open_database(settings, address) as database,
        lent as renderer,
        aclosing(
            Services.open(settings, database, storage, renderer, clock.now, calls_loopback=calls_loopback)
        ) as services,
    ):
        yield services


def may_call_loopback(*, demo_data: bool) -> bool:
    """Return whether webhooks may call this machine: with demo data, unless outgoing calls are limited."""
    return demo_data and not limits_outgoing_calls()


def _build_app(services: Services) -> ASGIApp:
    with no_garbage_collection():
        app = build_app(services)
    collect_rarely()  # scanning the objects of the start-up took 75 ms of every caller's time
    return app


async def _load_demo_data(services: Services, start: ServingOptions) -> ServingReport:
    """Load the demo data that `serve` was asked to load, and return its report. Raises SetupError."""
    base_url = services.settings.base_url
    if not start.demo_data:
        return ServingReport(base_url, None, None)
    from meetdeck.demo.living import load_demo_meetings  # noqa: PLC0415 - Pillow and the demo firms take 6 MB
    from meetdeck.demo.seed import load_demo_data  # noqa: PLC0415

    try:
        with within(LONG_DEADLINE):
            credentials = await load_demo_data(services)
            if start.demo_meetings:
                await load_demo_meetings(services)
            return ServingReport(base_url, credentials, await _issue_token(services, credentials))
    except MeetdeckError as error:
        raise SetupError(f"The demo data cannot be loaded: {error.detail}") from error


@asynccontextmanager
async def _work_regularly(services: Services) -> AsyncGenerator[None]:
    does_work = Area.WORKER in services.settings.only
    short = (
        *(services.backlog, services.backup_numbers, *(cell.workers for cell in services.cells), services.template_use),
        services.outside_calendars,
        RecentRequestWriting(services.database, services.recent),
        *((services.clock_watch,) if services.settings.environment == "test" else ()),
        *((cell.jobs for cell in services.cells) if does_work else ()),
        *((services.replies,) if does_work and services.replies is not None else ()),
    )
    hourly = [
        work
        for database, cell in zip(services.database.cells, services.cells, strict=True)
        for work in (
            services.sweeper.of(database),
            cell.retention,
            cell.audit_retention,
            services.console_sessions.of(database),
            cell.event_retention,
            cell.recent_retention,
        )
    ]
    tasks: list[asyncio.Task[NoReturn]] = []
    with record(Recording(span=services.tracing.root if services.tracing else None)):
        tasks += [asyncio.create_task(work.run(clock.now)) for work in short]
        with within(WORK_DEADLINE):
            tasks += [asyncio.create_task(cell.routing.run(clock.now)) for cell in services.cells if does_work]
        with within(LONG_DEADLINE):
            tasks += [asyncio.create_task(work.run(clock.now)) for work in hourly if does_work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _issue_token(services: Services, credentials: Credentials) -> str | None:
    """Return a token of the first demo tenant, or None if another issuer issues them."""
    client = credentials.tenants[0].clients[0]
    issuer = services.issuer
    return await issuer.issue(client.client_id, client.client_secret, services.clock()) if issuer else None
