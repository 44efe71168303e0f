"""SIGINT and SIGTERM: open resources are closed in order, whenever they arrive."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Final, Self, TypeVar

T = TypeVar("T")

_ENDING: Final = (signal.SIGINT, signal.SIGTERM)


class Runner:
    """asyncio's, except that SIGINT and SIGTERM cancel the running task, and raise KeyboardInterrupt when it has ended.

    A handler that raised at once would do so between any two steps: in the middle of closing a pool, say, which then
    stays half closed.
    """

    def __init__(self, loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None) -> None:
        self._runner = asyncio.Runner(loop_factory=loop_factory)
        self._task: asyncio.Task[Any] | None = None
        self._is_interrupted = False

    def __enter__(self) -> Self:
        self._runner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._recording_signals():  # they change nothing any more
            self._runner.close()

    def run(self, coro: Coroutine[Any, Any, T]) -> T:
        """Return the coroutine's result. Raises KeyboardInterrupt after a signal."""

        async def main() -> T:
            self._task = asyncio.current_task()
            if self._is_interrupted:  # before this first step
                coro.close()
                raise asyncio.CancelledError
            try:
                return await coro
            finally:
                self._task = None

        with self._recording_signals():
            try:
                result = self._runner.run(main())
            except asyncio.CancelledError as error:
                if self._is_interrupted:
                    raise KeyboardInterrupt from error
                raise
        if self._is_interrupted:
            raise KeyboardInterrupt
        return result

    @contextmanager
    def _recording_signals(self) -> Generator[None]:
        before = {number: signal.getsignal(number) for number in _ENDING}
        caught = [number for number, handler in before.items() if handler != signal.SIG_IGN]
        for number in caught:
            signal.signal(number, self._record_interrupt)
        try:
            yield
        finally:
            for number in caught:
                signal.signal(number, before[number])

    def _record_interrupt(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        self._is_interrupted = True
        if self._task is not None:
            self._runner.get_loop().call_soon_threadsafe(self._task.cancel)


def run(coro: Coroutine[Any, Any, T]) -> T:
    """Return the coroutine's result, as `asyncio.run` does, and end by signals as `Runner` does."""
    with Runner() as runner:
        return runner.run(coro)


@contextmanager
def handling(handlers: Mapping[signal.Signals, Callable[[], None]]) -> Generator[None]:
    """Install handlers of signals in the running loop, and restore the earlier ones when the block ends."""
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in handlers}
    for number, handler in handlers.items():
        loop.add_signal_handler(number, handler)
    try:
        yield
    finally:
        for number, earlier in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, earlier)


def die_by_signals() -> None:
    """Restore the system's handling of SIGINT and SIGTERM, which ends the process at once and prints nothing."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
