"""Several worker processes: started, watched, replaced when they die, and one after the other on request (0077).

A worker serves, or it only runs background work. A fork server starts it (`forking.py`).
"""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

import structlog
from prometheus_client import Counter

from meetdeck.forking import ForkServer, ForkServerGoneError, Orders, Worker, WorkerError, explain
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.shared_numbers import OWN_NUMBER
from meetdeck.platform.process.signals import handling
from meetdeck.platform.process.terminal import Terminal
from meetdeck.platform.process.threads import run_in_thread

_T = TypeVar("_T")

_LEAVE_SECONDS: Final = 100.0  # LAST_REQUEST_SECONDS of platform/http/server/uvicorn_server.py, and the time to stop
_FIRST_PAUSE_SECONDS: Final = 1.0
_LONGEST_PAUSE_SECONDS: Final = 10.0
_SOUND_SECONDS: Final = 60.0  # a process that lives as long has started successfully

_DEATHS: Final = Counter("meetdeck_worker_deaths", "Worker processes that died, and were replaced.")

log = structlog.stdlib.get_logger()


class SeveralProcesses(NamedTuple):
    """The fork server that starts them, and the folder in which they count."""

    forks: ForkServer
    numbers: Path


class Renewable(Protocol):
    """The settings of new workers."""

    def reload(self) -> bool:
        """Read them anew; return False if they are wrong, and the old ones stay."""
        ...

    def revert(self) -> None:
        """Return to those before the last reload."""
        ...


class Supervisor:
    """Keeps `size` workers, which `forks` starts.

    `give_orders` returns the orders for a number and place, `forget` gets numbers that ended. `later`: how many more
    are started once these serve; nobody waits for them. `settings` are read anew before all workers are replaced.
    """

    def __init__(
        self,
        size: int,
        forks: ForkServer,
        give_orders: Callable[[int, int], Orders],
        forget: Callable[[int], None],
        *,
        later: int = 0,
        settings: Renewable | None = None,
    ) -> None:
        self._forks = forks
        self._give_orders = give_orders
        self._forget = forget
        self._settings = settings
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
        launching = self._start_task(self._launch(place))
        worker = await asyncio.shield(launching)  # a process that we started must be known to us
        try:
            await worker.wait_until_ready()
        except WorkerError:
            worker.send(signal.SIGKILL)
            await worker.wait()
            raise
        self._places[place] = worker
        self._start_task(worker.kill_if_it_hangs())

    def _start_task(self, work: Coroutine[Any, Any, _T]) -> "asyncio.Task[_T]":
        """Return a new task, which the end waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _launch(self, place: int) -> Worker:
        number = next(number for number in count() if number not in self._numbers)
        self._numbers.add(number)
        worker = await self._start(self._give_orders(number, place))
        self._alive.add(worker)
        self._start_task(self._watch(worker))
        return worker

    async def _start(self, orders: Orders) -> Worker:
        """Return a new worker, by another fork server if the last one has ended. Raises WorkerError."""
        forks = self._forks
        try:
            return await forks.launch(orders)
        except ForkServerGoneError:
            if self._forks is forks:
                self._forks = ForkServer.start()
                await forks.close()
            return await self._forks.launch(orders)

    async def _watch(self, worker: Worker) -> None:
        await worker.wait()
        self._alive.remove(worker)
        self._numbers.remove(worker.number)
        self._forget(worker.number)

    async def _keep(self, place: int) -> None:
        """Replace the worker of a place whenever it dies: at once, then after growing pauses."""
        pause_seconds = 0.0
        while True:
            worker = self._places[place]
            status = await worker.wait() if worker is not None else 0
            async with self._turns[place]:
                if self._places[place] is not worker:
                    continue  # it has been replaced already
                if worker is not None:
                    _DEATHS.inc()
                    log.error("a worker has died and is replaced", pid=worker.pid, reason=explain(status))
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
            if self._settings is not None and not await run_in_thread(self._settings.reload):
                continue
            log.info("workers are replaced")
            unused, self._forks = self._forks, ForkServer.start()  # it loads the code that is installed now
            for place in range(len(self._places)):
                if not await self._replace(place):
                    unused, self._forks = self._forks, unused
                    if self._settings is not None:
                        self._settings.revert()
                    break
            else:
                log.info("all workers are new")
            await unused.close()

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
        await self._forks.close()
