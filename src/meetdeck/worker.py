"""A worker process, and a fork server that loads the code itself: `python -m meetdeck.worker`, by the supervisor."""

import asyncio
import contextlib
import gc
import os
import shutil
import signal
import socket
import sys
import threading
import time
from pathlib import Path
from types import FrameType

import msgspec

from meetdeck.forking import Orders, Report, Work, serve_forks
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import no_garbage_collection
from meetdeck.platform.process.heartbeat import beat
from meetdeck.platform.process.priority import give_way
from meetdeck.platform.process.shared_numbers import count_in
from meetdeck.platform.process.signals import die_by_signals
from meetdeck.platform.settings import read_settings

with no_garbage_collection():
    from meetdeck.app import make_routes_for
    from meetdeck.serving import serve_as_worker


def prepare_worker(orders: Orders) -> None:
    """Make the routes before a worker is forked, unless they are made, as where `fork_workers` forked this process."""
    if orders.listener is not None:
        with contextlib.suppress(SetupError), no_garbage_collection():  # the worker reports what is wrong
            make_routes_for(read_settings(secrets=orders.secrets, **orders.settings))
        gc.freeze()


def run_worker(orders: Orders, supervisor: socket.socket) -> None:
    """Serve, or run background work, as ordered: until a signal, or until the supervisor is gone."""
    threading.Thread(target=_end_with_supervisor, args=(supervisor, orders), daemon=True).start()
    try:
        count_in(Path(orders.metrics_dir), orders.number)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _interrupt)  # so that an interrupted start-up cleans up after itself
        _serve(orders, supervisor)
    except SetupError as error:
        _report(supervisor, Report(" ".join(str(error).split())))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        die_by_signals()


def _serve(orders: Orders, supervisor: socket.socket) -> None:
    tasks: list[asyncio.Task[None]] = []

    def report() -> None:
        _report(supervisor, Report())
        tasks.append(asyncio.create_task(beat(supervisor)))
        if orders.listener is None:
            give_way()  # not earlier: on busy processors it would hardly start

    serve_as_worker(orders, on_ready=report)


def _report(supervisor: socket.socket, report: Report) -> None:
    try:
        supervisor.sendall(msgspec.json.encode(report) + b"\n")
    except OSError:  # the supervisor is gone, and this process soon is, too
        return


def _end_with_supervisor(supervisor: socket.socket, orders: Orders) -> None:
    """Wait until the supervisor is gone, even if killed; then stop as by SIGTERM, or by force if that takes long."""
    with contextlib.suppress(ConnectionResetError):  # it was killed before it read the last beat
        supervisor.recv(1)
    os.kill(os.getpid(), signal.SIGTERM)
    shutil.rmtree(orders.metrics_dir, ignore_errors=True)
    time.sleep(orders.stop_seconds)
    os._exit(1)


def _interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


WORK = Work(prepare_worker, run_worker)

if __name__ == "__main__":
    serve_forks(socket.socket(fileno=int(sys.argv[1])), WORK)
