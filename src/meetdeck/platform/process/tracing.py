"""Measurements of time: spans of a trace and phases of `Server-Timing`, measured in the same places.

While nothing is recorded it costs one look at a variable: `measured` then returns the very awaitable that it is given.
`telemetry.py` sends spans away; nothing here knows of it.
"""

from collections.abc import Awaitable, Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from time import perf_counter
from types import TracebackType
from typing import NamedTuple, Protocol, Self, TypeVar

T = TypeVar("T")


class WorkKind(NamedTuple):
    """A kind of work: its phase of `Server-Timing`, and the attributes of all its spans."""

    phase: str | None = None
    calls_out: bool = False
    """True if another program does the work, such as the database."""
    attributes: Mapping[str, str] = {}


class Span(Protocol):
    """A part of a trace that has begun."""

    @property
    def traceparent(self) -> str:
        """Return the header with which another program continues the trace (W3C Trace Context)."""
        ...

    @property
    def root(self) -> "Span":
        """Return the start of separate traces: no part of a request."""
        ...

    def begin(self, name: str, kind: WorkKind, facts: Mapping[str, str | int]) -> "Span":
        """Begin a part of this one."""
        ...

    def end(self, error: BaseException | None) -> None:
        """End it; with the error that ended it."""
        ...


@dataclass(frozen=True, slots=True)
class Recording:
    """The current recording: the seconds of each phase, and the span that the next one is a part of."""

    phases: dict[str, float] | None = None
    span: Span | None = None


_recording: ContextVar[Recording | None] = ContextVar("recording", default=None)


class _Measurement:
    """Records the block as a span, and its seconds as a part of its phase."""

    def __init__(self, recording: Recording, name: str, kind: WorkKind, facts: Mapping[str, str | int]) -> None:
        self._recording = recording
        self._kind = kind
        self._begun = perf_counter()
        self._span = recording.span.begin(name, kind, facts) if recording.span is not None else None

    def __enter__(self) -> Self:
        if self._span is not None:
            _recording.set(replace(self._recording, span=self._span))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._kind.phase is not None and (phases := self._recording.phases) is not None:
            phases[self._kind.phase] = phases.get(self._kind.phase, 0.0) + perf_counter() - self._begun
        if self._span is not None:
            self._span.end(error)
            _recording.set(self._recording)  # not by a token: a generator may be closed in another context


class _NoSpan:
    def __enter__(self) -> None:
        """Record nothing."""

    def __exit__(self, *_: object) -> None:
        """Record nothing."""


_NOTHING = _NoSpan()


def measure(name: str, kind: WorkKind, **facts: str | int) -> _Measurement | _NoSpan:
    """Return the context of a measured block, if anything is recorded. `facts` contain no personal data."""
    recording = _recording.get()
    return _NOTHING if recording is None else _Measurement(recording, name, kind, facts)


def measured(work: Awaitable[T], name: str, kind: WorkKind) -> Awaitable[T]:
    """Return the work, measured if anything is recorded."""
    recording = _recording.get()
    return work if recording is None else _measure(work, recording, name, kind)


async def _measure(work: Awaitable[T], recording: Recording, name: str, kind: WorkKind) -> T:
    with _Measurement(recording, name, kind, {}):
        return await work


@contextmanager
def record(recording: Recording) -> Generator[None]:
    """Record the block, and the tasks that it starts."""
    before = _recording.get()
    _recording.set(recording)
    try:
        yield
    finally:
        _recording.set(before)


def leave_request() -> None:
    """Begin separate traces for the following work, apart from the request that asked for it."""
    recording = _recording.get()
    if recording is not None:
        _recording.set(Recording(span=recording.span.root) if recording.span is not None else None)


def get_traceparent() -> str | None:
    """Return the header for a call to another program; None without a trace."""
    recording = _recording.get()
    return recording.span.traceparent if recording is not None and recording.span is not None else None
