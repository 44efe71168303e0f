"""The heartbeat of a worker's event loop: a worker that hangs is noticed, and one that is busy is not."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_BEAT_SECONDS: Final = 1.0
_PATIENCE_SECONDS: Final = 20.0
"""The time that the loop may take for one step."""
_COMPUTING_SECONDS: Final = 1.0
"""The time that it must have computed by then, if it waited for a processor in between."""
_LONGEST_SECONDS: Final = 60.0
"""The time that it may take, however busy the processors are."""


async def beat(supervisor: socket.socket) -> None:
    """Send a byte each second, until it is cancelled or nobody reads."""
    with suppress(ConnectionError):
        while True:
            with suppress(BlockingIOError):  # the reader is late
                supervisor.send(b".", socket.MSG_DONTWAIT)
            await asyncio.sleep(_BEAT_SECONDS)


async def wait_until_silent(count_beats: Callable[[], int], pid: int) -> None:
    """Return once the number of a process's beats has not grown for too long.

    Seconds are counted here, one by one: while this process stands still too (the machine sleeps, a container is
    paused), none passes. Nor does one while a debugger holds the other.
    """
    heard, silent, before = count_beats(), 0.0, measure_use(pid)
    while True:
        await asyncio.sleep(_BEAT_SECONDS)
        if count_beats() != heard:
            heard, silent, before = count_beats(), 0.0, measure_use(pid)
        elif heard and not _is_debugged(pid):  # a worker of an older version does not beat
            silent += _BEAT_SECONDS
            if silent >= _PATIENCE_SECONDS and hangs(silent, before, measure_use(pid)):
                return


class ProcessorUse(NamedTuple):
    """The times for which the main thread of a process has computed, and waited for a processor."""

    computed: float = 0.0
    waited: float = 0.0


def measure_use(pid: int) -> ProcessorUse:
    """Return the use so far; of nothing where the system does not say."""
    try:
        computed, waited = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[:2]
    except (OSError, ValueError):
        return ProcessorUse()
    return ProcessorUse(int(computed) / 1e9, int(waited) / 1e9)


def hangs(silent: float, before: ProcessorUse, now: ProcessorUse) -> bool:
    """Return whether a silent process is to blame, and not the others that take its processors."""
    could_run = silent - (now.waited - before.waited)
    return (
        could_run >= _PATIENCE_SECONDS
        or now.computed - before.computed >= _COMPUTING_SECONDS
        or silent >= _LONGEST_SECONDS
    )


def _is_debugged(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return "\nTracerPid:\t" in status and "\nTracerPid:\t0\n" not in status
