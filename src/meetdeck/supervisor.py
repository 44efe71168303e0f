"""Several worker processes: started, watched, replaced when they die, and one after the other on request (0077).

A worker is `python -m meetdeck.worker`: it serves, or it only runs background work. Its standard input has one line,
its `Orders`, and ends when the supervisor does; its standard output has one line, a `Report`. Both formats must survive
an upgrade: an older supervisor starts workers of a newer version.
"""

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, Final

import msgspec
import structlog
from prometheus_client import Counter

from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.shared_numbers import OWN_NUMBER
from meetdeck.platform.process.signals import handling
from meetdeck.platform.process.terminal import Terminal

_START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 25.0  # beside the drain; requests get ten of them
_LEAVE_SECONDS: Final = 100.0  # LAST_REQUEST_SECONDS of platform/http/server/uvicorn_server.py, and the time to stop
_FIRST_PAUSE_SECONDS: Final = 1.0
_LONGEST_PAUSE_SECONDS: Final = 10.0
_SOUND_SECONDS: Final = 60.0  # a process that lives as long has started successfully

_DEATHS: Final = Counter("meetdeck_worker_deaths", "Worker processes that died, and were replaced.")

log = structlog.stdlib.get_logger()


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """The orders to a worker: its number among the living workers, its place, and what it shares with the others."""

    listener: int | None
    """The file descriptor of the listening socket; None: it runs background work."""
    settings: dict[str, Any]
    """Settings of the command line; the environment has the others."""
    metrics_dir: str
    database: dict[str, Any] | None = None
    """The address of the embedded database, if that is used."""
    number: int = 0
    """It distinguishes the files of numbers: an old worker and its replacement have different ones."""
    place: int = 0
    calls_loopback: bool = False
    """Whether webhooks and other outgoing calls may call this machine, as with the demo data."""
    stop_seconds: float = STOP_SECONDS
    """How long it may take to stop after SIGTERM."""


class Report(msgspec.Struct, frozen=True):
    """The report of a worker: empty if it serves, otherwise a line for the operator that says why it cannot."""

    failed: str | None = None


class WorkerError(Exception):
    """A worker did not start; its text is a line for the operator."""


@dataclass(eq=False)
class Worker:
    """A worker process."""

    number: int
    process: asyncio.subprocess.Process
    stop_seconds: float = STOP_SECONDS
    started_at: float = field(default_factory=time.monotonic)

    @classmethod
    async def launch(cls, orders: Orders) -> "Worker":
        """Start a process and give it its orders."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "meetdeck.worker", "serving" if orders.listener else "background"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            pass_fds=[orders.listener] if orders.listener is not None else [],
            start_new_session=True,  # a terminal's Ctrl-C is for the supervisor, which stops them in order
        )
        assert process.stdin is not None  # noqa: S101 - for the type
        process.stdin.write(msgspec.json.encode(orders) + b"\n")
        return cls(orders.number, process, orders.stop_seconds)

    async def wait_until_ready(self) -> None:
        """Wait until it serves. Raises WorkerError."""
        assert self.process.stdout is not None  # noqa: S101 - for the type
        try:
            async with asyncio.timeout(_START_SECONDS):
                line = await self.process.stdout.readline()
            report = msgspec.json.decode(line or b"{}", type=Report)
        except TimeoutError:
            raise WorkerError(f"A worker did not start within {_START_SECONDS:.0f} seconds.") from None
        if report.failed is not None:
            raise WorkerError(report.failed)
        if not line:
            status = await self.process.wait()
            raise WorkerError(f"A worker ended while it started ({_explain(status)}); its log lines say more.")

    def send(self, number: signal.Signals) -> None:
        """Send a signal, if it is still alive."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    async def end(self, number: signal.Signals, seconds: float) -> None:
        """End it by a signal, or by force if it takes longer."""
        self.send(number)
        try:
            async with asyncio.timeout(seconds):
                await self.process.wait()
        except TimeoutError:
            log.warning("a worker does not end and is killed", pid=self.process.pid)
            self.send(signal.SIGKILL)
            await self.process.wait()

    @property
    def seconds(self) -> float:
        """Return how long it has been alive."""
        return time.monotonic() - self.started_at


class Supervisor:
    """Keeps `size` workers; `give_orders` returns the orders for a number and place, `forget` gets numbers that ended.

    `later`: how many more are started once these serve; nobody waits for them.
    """

    def __init__(
        self,
        size: int,
        give_orders: Callable[[int, int], Orders],
        forget: Callable[[int], None],
        *,
        later: int = 0,
    ) -> None:
        self._give_orders = give_orders
        self._forget = forget
        self._alive: set[Worker] = set()
        self._numbers = {OWN_NUMBER}
        self._size = size
        self._places: list[Worker | None] = [None] * (size + later)
        self._turns = [asyncio.Lock() for _ in self._places]
        self._ending = asyncio.Event()
        self._ending_signal = signal.SIGTERM
        self._renewing = asyncio.Event()
        self._terminal = Terminal()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, on_ready: Callable[[], None]) -> None:
        """Keep the workers until SIGINT or SIGTERM; call `on_ready` once all of them serve.

        Raises SetupError if one of them cannot start at first. SIGHUP replaces them, one after the other.
        """
        with self._signals():
            try:
                await self._until_ended(self._start_all(on_ready))
            finally:
                await self._end_all()

    @contextlib.asynccontextmanager
    async def keeping(self) -> AsyncGenerator[None]:
        """Keep the workers that are started later during the block, which handles signals itself."""
        keeping = asyncio.create_task(self._keep_all())
        try:
            yield
        finally:
            keeping.cancel()
            await asyncio.wait([keeping])
            await self._end_all()

    # ---------------------------------------------------------------------------------------------------- keeping

    async def _start_all(self, on_ready: Callable[[], None]) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                for place in range(self._size):
                    group.create_task(self._fill(place))
        except* WorkerError as failed:
            raise SetupError(str(failed.exceptions[0])) from None
        on_ready()
        await self._keep_all()

    async def _keep_all(self) -> None:
        async with asyncio.TaskGroup() as group:
            for place in range(len(self._places)):
                group.create_task(self._keep(place))
            group.create_task(self._renew())

    async def _fill(self, place: int) -> None:
        """Put a new worker into a place, once it serves. Raises WorkerError."""
        launching = asyncio.create_task(self._launch(place))
        self._tasks.add(launching)
        launching.add_done_callback(self._tasks.discard)
        worker = await asyncio.shield(launching)  # a process that we started must be known to us
        try:
            await worker.wait_until_ready()
        except WorkerError:
            worker.send(signal.SIGKILL)
            await worker.process.wait()
            raise
        self._places[place] = worker

    async def _launch(self, place: int) -> Worker:
        number = next(number for number in count() if number not in self._numbers)
        self._numbers.add(number)
        worker = await Worker.launch(self._give_orders(number, place))
        self._alive.add(worker)
        watching = asyncio.create_task(self._watch(worker))
        self._tasks.add(watching)
        watching.add_done_callback(self._tasks.discard)
        return worker

    async def _watch(self, worker: Worker) -> None:
        await worker.process.wait()
        self._alive.remove(worker)
        self._numbers.remove(worker.number)
        self._forget(worker.number)

    async def _keep(self, place: int) -> None:
        """Replace the worker of a place whenever it dies: at once, then after growing pauses."""
        pause_seconds = 0.0
        while True:
            worker = self._places[place]
            status = await worker.process.wait() if worker is not None else 0
            async with self._turns[place]:
                if self._places[place] is not worker:
                    continue  # it has been replaced already
                if worker is not None:
                    _DEATHS.inc()
                    log.error("a worker has died and is replaced", pid=worker.process.pid, reason=_explain(status))
                    pause_seconds = 0.0 if worker.seconds > _SOUND_SECONDS else pause_seconds
                await asyncio.sleep(pause_seconds)
                pause_seconds = min(max(pause_seconds * 2, _FIRST_PAUSE_SECONDS), _LONGEST_PAUSE_SECONDS)
                self._places[place] = None
                try:
                    await self._fill(place)
                except WorkerError as error:
                    log.error("a worker cannot be started", error=str(error), next_try_in_seconds=pause_seconds)  # noqa: TRY400 - the message says it all

    async def _renew(self) -> None:
        """Replace all workers after each SIGHUP."""
        while True:
            await self._renewing.wait()
            self._renewing.clear()
            log.info("workers are replaced")
            for place in range(len(self._places)):
                if not await self._replace(place):
                    break
            else:
                log.info("all workers are new")

    async def _replace(self, place: int) -> bool:
        """Replace a worker by a new one, which serves before the old one stops; return False if it does not start."""
        async with self._turns[place]:
            old = self._places[place]
            try:
                await self._fill(place)
            except WorkerError as error:
                log.error("a new worker cannot be started: the old ones go on", error=str(error))  # noqa: TRY400 - the message says it all
                return False
        if old is not None:
            await old.end(signal.SIGHUP, _LEAVE_SECONDS)
        return True

    # ----------------------------------------------------------------------------------------------------- ending

    @contextlib.contextmanager
    def _signals(self) -> Generator[None]:
        ends = {number: partial(self._request_end, number) for number in (signal.SIGINT, signal.SIGTERM)}
        with handling(ends | {signal.SIGHUP: self._hang_up}):
            yield

    def _request_end(self, number: signal.Signals) -> None:
        if self._ending.is_set():  # somebody is in a hurry
            for worker in self._alive:
                worker.send(signal.SIGINT)
        else:
            self._ending_signal = number  # after SIGTERM they continue to serve for a while
        self._ending.set()

    def _hang_up(self) -> None:
        if self._terminal.is_gone():
            self._request_end(signal.SIGINT)
        else:
            self._renewing.set()

    async def _until_ended(self, work: Coroutine[Any, Any, None]) -> None:
        """Do the work until asked to stop. Raises its error."""
        working, asked = asyncio.create_task(work), asyncio.create_task(self._ending.wait())
        try:
            await asyncio.wait([working, asked], return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
        finally:
            working.cancel()
            asked.cancel()
            await asyncio.wait([working, asked])

    async def _end_all(self) -> None:
        while tasks := [*self._tasks]:  # a process that is being started is known when its task is done
            await asyncio.gather(*(worker.end(self._ending_signal, worker.stop_seconds) for worker in self._alive))
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)


def _explain(status: int) -> str:
    return f"status {status}" if status >= 0 else signal.Signals(-status).name
