"""Functions in threads beside the event loop: short ones in common threads, long ones in turns, with a budget.

Threads share one interpreter, so only a few are worth having: more would slow the event loop down, and not do more
(docs/decisions/0157).
"""

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from math import inf
from time import perf_counter, thread_time
from typing import Final, ParamSpec, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

from prometheus_client import Counter, Gauge, Histogram

from meetdeck.platform.errors import Invalid, TooManyRequests, Unavailable
from meetdeck.platform.process.turns import Line, Turns

P = ParamSpec("P")
T = TypeVar("T")

Check = Callable[[], None]
"""Called repeatedly by long work in its thread; raises when the work is to be abandoned."""

_MOST_THREADS: Final = 4
_SWITCH_SECONDS: Final = 0.0002
_WAITING: Final = Gauge(
    "meetdeck_threads_waiting", "Pieces of work that wait for a thread.", ["work"], multiprocess_mode="livesum"
)
_RUNNING: Final = Gauge(
    "meetdeck_threads_running", "Pieces of work that run in a thread.", ["work"], multiprocess_mode="livesum"
)
_WAITED: Final = Histogram(
    "meetdeck_thread_wait_seconds",
    "Time until work had a thread.",
    ["work"],
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30),
)
_PROCESSOR: Final = Histogram(
    "meetdeck_thread_processor_seconds",
    "Processor time that a piece of work took.",
    ["work"],
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10),
)
_REFUSED: Final = Counter("meetdeck_threads_refused", "Pieces of work that were refused or given up.", ["work", "code"])


class TooCostly(Invalid):
    """A request took more processor time than allowed."""

    code = "too_costly"


class _CallerGone(Exception):  # noqa: N818 - nobody waits for the work any more
    """The caller left."""


class Threads:
    """Threads of one kind of work, which tenants take in turns; each piece has a budget of processor time.

    A process has few of them. One tenant may take all: while it does, there is one more for another (`Turns`). With
    `in_halves` it takes at most half, so that its long pieces leave more to others. `noun` names the work to callers,
    and `advice` tells them what to do when a piece takes more than `seconds` by the `clock` of its thread; `passing` is
    the elapsed time.
    """

    def __init__(  # noqa: PLR0913 - what may be chosen about threads, by name
        self,
        noun: str,
        *,
        seconds: float = inf,
        advice: str = "",
        waiting: int = 256,
        size: int | None = None,
        in_halves: bool = False,
        executor: Executor | None = None,
        clock: Callable[[], float] = thread_time,
        passing: Callable[[], float] = perf_counter,
    ) -> None:
        self._noun = noun
        self._seconds = seconds
        self._advice = advice
        self._most_waiting = waiting
        self._in_halves = in_halves
        self._size = size or min(_MOST_THREADS, max(2, len(os.sched_getaffinity(0))))
        self._executor = executor or ThreadPoolExecutor(self._size + 1, noun)
        self._clock = clock
        self._passing = passing
        self._turns = WeakKeyDictionary[asyncio.AbstractEventLoop, Turns]()

    async def run(self, tenant_id: UUID | None, function: Callable[[Check], T]) -> T:
        """Return the result of a function that runs in a thread when it is the tenant's turn, or raise its error.

        The function calls its argument as often as it can: that raises TooCostly once the budget is spent, and ends the
        work of a caller who left. Raises Busy or ShareFull when too many wait.
        """
        loop, turns = asyncio.get_running_loop(), self._get_turns()
        begun = loop.time()
        with _WAITING.labels(self._noun).track_inprogress():
            try:
                await turns.begin(tenant_id)
            except (Unavailable, TooManyRequests) as error:
                _REFUSED.labels(self._noun, error.code).inc()
                raise
        _WAITED.labels(self._noun).observe(loop.time() - begun)
        _RUNNING.labels(self._noun).inc()
        begun, done, context = loop.time(), loop.create_future(), copy_context()

        def finish(result: T | None, error: BaseException | None) -> None:
            _RUNNING.labels(self._noun).dec()
            turns.end(tenant_id, loop.time() - begun)
            if done.cancelled():
                return
            if error is not None:
                done.set_exception(error)
            else:
                done.set_result(result)

        def work() -> None:
            outcome = context.run(self._try, function, done.cancelled)
            with suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(finish, *outcome)

        self._executor.submit(work)
        return await done

    def _try(
        self, function: Callable[[Check], T], is_abandoned: Callable[[], bool]
    ) -> tuple[T | None, BaseException | None]:
        """Return a function's result, or the error that it raised."""
        begun = self._clock()
        ends, earliest = begun + self._seconds, self._passing() + self._seconds

        def check() -> None:
            # Nobody uses more processor time than elapses, and reading the elapsed time costs a twentieth.
            if self._passing() >= earliest and self._clock() > ends:
                _REFUSED.labels(self._noun, TooCostly.code).inc()
                raise TooCostly(
                    f"This takes more than {self._seconds:g} seconds of processor time, the limit of one request. "
                    f"{self._advice}"
                )
            if is_abandoned():
                raise _CallerGone

        try:
            return _call(function, check), None
        except BaseException as error:  # noqa: BLE001 - it is raised where the work is waited for
            return None, error
        finally:
            _PROCESSOR.labels(self._noun).observe(self._clock() - begun)

    def _get_turns(self) -> Turns:
        loop = asyncio.get_running_loop()
        if loop not in self._turns:
            line = Line(self._noun, "for a thread")
            most = max(1, self._size // 2) if self._in_halves else self._size
            self._turns[loop] = Turns(self._size, self._most_waiting, line, most_of_tenant=most)
        return self._turns[loop]


def hand_over_soon() -> None:
    """Set the interval after which threads hand the interpreter over to 0.2 ms: the event loop waits for each."""
    sys.setswitchinterval(_SWITCH_SECONDS)  # noqa: TID251 - here is the one place


async def run_in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a short function that runs in one of the common threads, or raise its error.

    Work that may take long, or belongs to one tenant, has `Threads` of its own.
    """
    return await asyncio.to_thread(_call, function, *args, **kwargs)  # noqa: TID251 - the one place


def _call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return a function's result. A StopIteration comes out as RuntimeError: no Future takes one."""
    try:
        return function(*args, **kwargs)
    except StopIteration as error:
        raise RuntimeError("StopIteration left a function that ran in a thread") from error
