"""The parts of generated code: a call, the answers' base, files, and the base of the API's parts."""

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import httpx

T = TypeVar("T")


class Answer:
    """The base of all models: an answer keeps the entity tag that it came with."""

    __slots__ = ("_etag",)
    _etag: str | None

    @property
    def etag(self) -> str | None:
        """Return the version of the resource, for `if_match`; None for items of a list."""
        return getattr(self, "_etag", None)


def remember(answer: T, response: httpx.Response) -> T:
    """Return an answer that keeps its entity tag."""
    if isinstance(answer, Answer):
        answer._etag = response.headers.get("ETag")  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    return answer


class Download:
    """A file: a deck, a PDF, a picture."""

    def __init__(self, response: httpx.Response) -> None:
        self.content = response.content
        self.media_type = response.headers.get("Content-Type", "")
        self.headers = response.headers

    def save(self, path: str | Path) -> Path:
        """Write the file; return its path."""
        path = Path(path)
        path.write_bytes(self.content)
        return path


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """A request, and the function that reads its answer."""

    request: dict[str, Any]
    parse: Callable[[httpx.Response], T]
    idempotency_key: str | None = None
    if_match: str | Answer | None = None

    def change(self, **changes: object) -> "Call[T]":
        """Return the call with another request."""
        return replace(self, request=self.request | changes)


class Caller(Protocol):
    """Carries out calls."""

    def call(self, call: Call[T]) -> T:
        """Return the result of a call."""
        ...

    def iterate(self, call: Call[Any]) -> Iterator[Any]:
        """Yield the items of all pages."""
        ...


class AsyncCaller(Protocol):
    """Carries out calls, awaited."""

    async def call(self, call: Call[T]) -> T:
        """Return the result of a call."""
        ...

    def iterate(self, call: Call[Any]) -> AsyncIterator[Any]:
        """Yield the items of all pages."""
        ...


class Resource:
    """A part of the API."""

    def __init__(self, client: Caller) -> None:
        self._client = client


class AsyncResource:
    """A part of the API, awaited."""

    def __init__(self, client: AsyncCaller) -> None:
        self._client = client
