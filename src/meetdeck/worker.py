"""A worker process: `python -m meetdeck.worker`, started only by the supervisor."""

import os
import shutil
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import BinaryIO

import msgspec

from meetdeck.platform.errors import SetupError
from meetdeck.platform.process import no_garbage_collection
from meetdeck.platform.process.priority import give_way
from meetdeck.platform.process.shared_numbers import count_in
from meetdeck.platform.process.signals import die_by_signals
from meetdeck.supervisor import Orders, Report


def main() -> None:
    """Serve, or run background work, as ordered: until a signal, or until the supervisor is gone."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)  # libraries that are being loaded cannot handle an exception
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until there is something to stop
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        die_by_signals()


def _run() -> None:
    line, answers = _take_pipes()
    orders = msgspec.json.decode(line.readline(), type=Orders)
    threading.Thread(target=_end_with_supervisor, args=(line, orders), daemon=True).start()
    count_in(Path(orders.metrics_dir), orders.number)
    try:
        _serve(orders, answers)
    except SetupError as error:
        _report(answers, Report(" ".join(str(error).split())))
        sys.exit(1)


def _serve(orders: Orders, answers: BinaryIO) -> None:
    with no_garbage_collection():
        from meetdeck.serving import serve_as_worker  # noqa: PLC0415 - its metrics are made when files have a number

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _interrupt)  # so that an interrupted start-up cleans up after itself

    def report() -> None:
        _report(answers, Report())
        if orders.listener is None:
            give_way()  # not earlier: on busy processors it would hardly start

    serve_as_worker(orders, on_ready=report)


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return the supervisor's pipes and replace standard input and output; child processes do not inherit the pipes."""
    line, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a file descriptor is wanted
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return line, answers


def _report(answers: BinaryIO, report: Report) -> None:
    try:
        answers.write(msgspec.json.encode(report) + b"\n")
        answers.close()
    except BrokenPipeError:  # the supervisor is gone, and this process soon is, too
        return


def _end_with_supervisor(line: BinaryIO, orders: Orders) -> None:
    """Wait until the supervisor is gone, even if killed; then stop as by SIGTERM, or by force if that takes long."""
    line.read()
    os.kill(os.getpid(), signal.SIGTERM)
    shutil.rmtree(orders.metrics_dir, ignore_errors=True)
    time.sleep(orders.stop_seconds)
    os._exit(1)


def _interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
