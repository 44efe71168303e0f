"""Worker processes, forked by a process that has loaded the code and does nothing else: they share its memory (0231).

The fork server gets a line of `Orders` for each worker through a socket, with the worker's end of a socket of its own
and, if it is to serve, the listening one; it answers with a `Change`. A worker writes one line into its socket, a
`Report`, and then a byte each second while its event loop turns (0235). Each end of a socket is closed when its process
ends, even if that is killed. The formats must survive an upgrade: an older supervisor starts workers of a newer
version.
"""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple, NoReturn

import msgspec
import structlog
from prometheus_client import Counter

from meetdeck.platform.process.heartbeat import wait_until_silent

_START_SECONDS: Final = 120.0
_STATUS_SECONDS: Final = 1.0
STOP_SECONDS: Final = 25.0  # beside the drain; requests get ten of them
_LONGEST_ORDERS: Final = 1 << 16
FORKS: Final = sys.platform == "linux"  # elsewhere the system's libraries may not survive it: each worker is loaded
_GONE: Final = "The process that starts workers has ended; its log lines say more."
_OWN_NAME: Final = Path("/proc/self/comm")

_HANGS: Final = Counter("meetdeck_worker_hangs", "Worker processes that hung, and were killed and replaced.")

log = structlog.stdlib.get_logger()


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """The orders to a worker: its number among the living workers, its place, and what it shares with the others."""

    listener: int | None
    """The file descriptor of the listening socket; None: it runs background work."""
    settings: dict[str, Any]
    """Settings of the command line; the environment has the others."""
    secrets: dict[str, Any] | None = None
    """The secrets that files and commands hold; None: the worker reads them itself."""
    metrics_dir: str
    database: dict[str, Any] | None = None
    """The address of the embedded database, if that is used."""
    number: int = 0
    """It distinguishes the files of numbers: an old worker and its replacement have different ones."""
    place: int = 0
    calls_loopback: bool = False
    """True if webhooks and other outgoing calls may call this machine, as with the demo data."""
    stop_seconds: float = STOP_SECONDS
    """The time that it may take to stop after SIGTERM."""


class Report(msgspec.Struct, frozen=True):
    """The report of a worker: empty if it serves, otherwise a line for the operator that says why it cannot."""

    failed: str | None = None


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """The fork server's answer: a worker was started or has ended, or could not be started."""

    pid: int = 0
    status: int | None = None
    """The exit status, as `subprocess` returns it: negative if a signal ended the process."""
    failed: str | None = None


class WorkerError(Exception):
    """A worker did not start; its text is a line for the operator."""


class ForkServerGoneError(WorkerError):
    """The fork server has ended: another one can start the worker."""


class Work(NamedTuple):
    """The work of workers: `prepare` is called before each is forked, `run` in it, with a socket to the supervisor."""

    prepare: Callable[[Orders], None]
    run: Callable[[Orders, socket.socket], None]


class _Started(NamedTuple):
    pid: int
    status: "asyncio.Future[int | None]"


# ------------------------------------------------------------------------------------------- in the supervisor


@dataclass(eq=False)
class Worker:
    """A worker process."""

    number: int
    pid: int
    stop_seconds: float
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    status: "asyncio.Future[int | None]"
    started_at: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self._report = asyncio.get_running_loop().create_future()
        self._following = asyncio.create_task(self._follow())
        self._beats = 0

    async def _follow(self) -> int | None:
        """Read its report, then wait until it has ended; return its status, None if nobody knows."""
        self._report.set_result(await self.reader.readline())
        while await self.reader.read(4096):
            self._beats += 1
        self.writer.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_STATUS_SECONDS):
                return await self.status
        return None

    async def wait(self) -> int | None:
        """Wait until it has ended; return its status, None if its fork server ended before it."""
        return await asyncio.shield(self._following)

    async def wait_until_ready(self) -> None:
        """Wait until it serves. Raises WorkerError."""
        try:
            async with asyncio.timeout(_START_SECONDS):
                line = await asyncio.shield(self._report)
            report = msgspec.json.decode(line or b"{}", type=Report)
        except TimeoutError:
            raise WorkerError(f"A worker did not start within {_START_SECONDS:.0f} seconds.") from None
        if report.failed is not None:
            raise WorkerError(report.failed)
        if not line:
            status = await self.wait()
            raise WorkerError(f"A worker ended while it started ({explain(status)}); its log lines say more.")

    async def kill_if_it_hangs(self) -> None:
        """Kill it once its event loop stands still; return when it has ended."""
        silent = asyncio.create_task(wait_until_silent(lambda: self._beats, self.pid))
        await asyncio.wait([silent, self._following], return_when=asyncio.FIRST_COMPLETED)
        if silent.done():
            _HANGS.inc()
            log.error("a worker hangs and is killed", pid=self.pid)
            self.send(signal.SIGKILL)
        silent.cancel()

    def send(self, number: signal.Signals) -> None:
        """Send a signal, if it is still alive."""
        if not self.reader.at_eof():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def end(self, number: signal.Signals, seconds: float) -> None:
        """End it by a signal, or by force if it takes longer."""
        self.send(number)
        try:
            async with asyncio.timeout(seconds):
                await self.wait()
        except TimeoutError:
            log.warning("a worker does not end and is killed", pid=self.pid)
            self.send(signal.SIGKILL)
            await self.wait()

    @property
    def seconds(self) -> float:
        """Return how long it has been alive."""
        return time.monotonic() - self.started_at


class ForkServer:
    """A fork server, as its supervisor sees it."""

    def __init__(self, pid: int, control: socket.socket) -> None:
        self._pid = pid
        self._control = control
        self._turn = asyncio.Lock()
        self._answers: asyncio.Queue[_Started | WorkerError] = asyncio.Queue()
        self._statuses: dict[int, asyncio.Future[int | None]] = {}
        self._listening: asyncio.Task[None] | None = None

    @classmethod
    def fork(cls, work: Work) -> "ForkServer":
        """Fork one off this process, which has loaded the code, and has no threads and nothing open yet."""
        control, theirs = socket.socketpair()
        if FORKS:
            gc.freeze()  # before the fork: the collector writes into each object that it looks at; little is garbage
            pid = os.fork()
            if pid == 0:
                control.close()
                serve_forks(theirs, work)
            theirs.close()
            return cls(pid, control)
        return cls._start(control, theirs)

    @classmethod
    def start(cls) -> "ForkServer":
        """Start one that loads the code as it is installed now."""
        return cls._start(*socket.socketpair())

    @classmethod
    def _start(cls, control: socket.socket, theirs: socket.socket) -> "ForkServer":
        with theirs:
            theirs.set_inheritable(True)
            command = [sys.executable, "-P", "-m", "meetdeck.worker", str(theirs.fileno())]
            return cls(os.posix_spawn(sys.executable, command, os.environ), control)

    async def launch(self, orders: Orders) -> Worker:
        """Start a worker and give it its orders. Raises WorkerError."""
        async with self._turn:
            if self._listening is None:
                self._listening = asyncio.create_task(self._listen())
            own, theirs = socket.socketpair()
            with theirs:
                passed = [theirs.fileno(), *([orders.listener] if orders.listener is not None else [])]
                try:
                    socket.send_fds(self._control, [msgspec.json.encode(orders) + b"\n"], passed)
                except OSError as error:
                    own.close()
                    raise ForkServerGoneError(_GONE) from error
            answer = await self._answers.get()
            if isinstance(answer, WorkerError):
                own.close()
                raise answer
            reader, writer = await asyncio.open_unix_connection(sock=own)
            return Worker(orders.number, answer.pid, orders.stop_seconds, reader, writer, answer.status)

    async def close(self) -> None:
        """End it; its workers live on."""
        self._control.close()
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])
        threading.Thread(target=os.waitpid, args=(self._pid, 0), daemon=True).start()

    async def _listen(self) -> None:
        """Pass on what it answers."""
        reader, writer = await asyncio.open_unix_connection(sock=self._control.dup())
        try:
            while line := await reader.readline():
                change = msgspec.json.decode(line, type=Change)
                if change.failed is not None:
                    self._answers.put_nowait(WorkerError(f"A worker cannot be started: {change.failed}."))
                elif change.status is not None:
                    self._statuses.pop(change.pid).set_result(change.status)
                else:
                    status = self._statuses[change.pid] = asyncio.get_running_loop().create_future()
                    self._answers.put_nowait(_Started(change.pid, status))
        finally:
            writer.close()
            self._answers.put_nowait(ForkServerGoneError(_GONE))


def explain(status: int | None) -> str:
    """Return how a process has ended, for the log."""
    if status is None:
        return "for an unknown reason"
    return f"status {status}" if status >= 0 else signal.Signals(-status).name


# ------------------------------------------------------------------------------------------- in the fork server


def serve_forks(control: socket.socket, work: Work) -> NoReturn:
    """Fork a worker for each line of orders, until the supervisor is gone; never return, and close nothing."""
    with contextlib.suppress(PermissionError):
        os.setsid()  # a terminal's Ctrl-C is for the supervisor, which stops them in order
    _take_name("meetdeck-forks")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, partial(_report_ended, control))
    _let_go_of_standard_streams()
    gc.freeze()
    while found := _receive(control):
        orders, sockets = found
        work.prepare(orders)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])  # until it is known as started
        try:
            pid = os.fork() if FORKS else 0
        except OSError as error:
            _tell(control, Change(failed=error.strerror))
        else:
            if pid == 0:
                _become_worker(work, orders, sockets, control)
            _tell(control, Change(pid))
        for one in sockets:
            os.close(one)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
    os._exit(0)


def _receive(control: socket.socket) -> tuple[Orders, list[int]] | None:
    """Return the next orders and the file descriptors with them, None if the supervisor is gone."""
    line, descriptors = b"", list[int]()
    while not line.endswith(b"\n"):
        part, found, _, _ = socket.recv_fds(control, _LONGEST_ORDERS, 2)
        if not part:
            return None
        line, descriptors = line + part, descriptors + found
    return msgspec.json.decode(line, type=Orders), descriptors


def _become_worker(work: Work, orders: Orders, descriptors: list[int], control: socket.socket) -> NoReturn:
    """Do the work of a worker, and end without closing what belongs to the process that it was forked from."""
    status = 1
    try:
        if not FORKS:
            _tell(control, Change(os.getpid()))
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        with contextlib.suppress(PermissionError):
            os.setsid()
        _take_name("meetdeck-worker" if orders.listener is None else "meetdeck-server")
        listener = descriptors[1] if orders.listener is not None else None
        work.run(msgspec.structs.replace(orders, listener=listener), socket.socket(fileno=descriptors[0]))
        status = 0
    except SystemExit as error:
        status = error.code if isinstance(error.code, int) else 1
    except BaseException:  # noqa: BLE001 - what the interpreter does in the end
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _report_ended(control: socket.socket, number: int, frame: FrameType | None) -> None:
    """Send the supervisor a `Change` for each worker that has ended."""
    del number, frame
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            _tell(control, Change(pid, os.waitstatus_to_exitcode(status)))


def _tell(control: socket.socket, change: Change) -> None:
    with contextlib.suppress(OSError):  # the supervisor is gone, and this process soon is, too
        control.sendall(msgspec.json.encode(change) + b"\n")


def _let_go_of_standard_streams() -> None:
    """Read nothing from standard input, and write to standard error alone."""
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a file descriptor is wanted
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)


def _take_name(name: str) -> None:
    """Set the name by which `ps -o comm` and `top` list this process, where there is one."""
    with contextlib.suppress(OSError):
        _OWN_NAME.write_text(name, encoding="ascii")
