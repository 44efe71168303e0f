"""The two clients: one blocks, one awaits. Each carries out the steps that `_exchange` decides."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from types import TracebackType
from typing import Any, Self, TypedDict, TypeVar, Unpack
from uuid import UUID

import httpx

from meetdeck_client._calls import Call
from meetdeck_client._exchange import Attempt, Exchange, Pause, Retries, Step, Steps, Tokens
from meetdeck_client._generated.resources import AsyncResources, Resources
from meetdeck_client._generated.version import VERSION
from meetdeck_client._holds import AsyncHold, Hold, make_reservation
from meetdeck_client._pages import find_next, read_items
from meetdeck_client.models import AvailableSlot, SlotToReserve

T = TypeVar("T")

_TIMEOUT = httpx.Timeout(120, connect=10)


class Options(TypedDict, total=False):
    """The options of both clients, by name; none of them sends anything yet."""

    key: str
    """The firm's subscription key."""
    token: str | Callable[[], str]
    """An access token, or a function that returns one."""
    client_id: str
    """Instead of a token: whose credentials fetch one, which is renewed before it ends."""
    client_secret: str
    token_url: str
    """The address of tokens at your identity provider; default: the installation's own issuer."""
    scope: str
    """The scope of the tokens, if the identity provider wants one."""
    retries: Retries
    """The number of times that requests are sent again."""
    on_attempt: Callable[[Attempt], None]
    """Called after each try of a request."""


def _make_exchange(base_url: str, options: Options) -> Exchange:
    base = base_url.rstrip("/").removesuffix("/api/v3")
    token, client_id = options.get("token"), options.get("client_id", "")
    if token is None and not client_id:
        msg = "Give a token, or client_id and client_secret."
        raise ValueError(msg)
    url = options.get("token_url", f"{base}/oauth/token")
    tokens = Tokens(token, client_id, options.get("client_secret", ""), url, options.get("scope"))
    retries, on_attempt = options.get("retries", Retries()), options.get("on_attempt")
    return Exchange(base, options.get("key", ""), tokens, retries, on_attempt, f"meetdeck-client-python/{VERSION}")


class Meetdeck(Resources):
    """A client of one firm at one installation. It may be used by several threads, and as a context manager."""

    def __init__(self, base_url: str, *, http_client: httpx.Client | None = None, **options: Unpack[Options]) -> None:
        """Keep what each call needs.

        Args:
            base_url: The installation's address.
            http_client: Your own httpx client, with its proxies, certificates and timeouts. You close it.
            options: Credentials and more: see `Options`.
        """
        self._exchange = _make_exchange(base_url, options)
        self._http = http_client or httpx.Client(timeout=_TIMEOUT)
        self._owns_http = http_client is None
        super().__init__(self)

    def call(self, call: Call[T]) -> T:
        """Return the result of a call. Raises Problem or ConnectionFailed."""
        return self._run(self._exchange.carry_out(call))

    def iterate(self, call: Call[Any]) -> Iterator[Any]:
        """Yield the items of a list, page after page."""
        page: Call[Any] | None = call
        while page is not None:
            response = self._run(self._exchange.send(page))
            yield from read_items(page.parse(response))
            page = find_next(page, response)

    def hold(self, slot: AvailableSlot | SlotToReserve, *, topic_id: UUID | None = None) -> Hold:
        """Hold a time: `with client.hold(slot) as hold`. It is renewed, and given back at the end unless it was booked.

        Args:
            slot: A time that the search found, or what is to be reserved.
            topic_id: The meeting's topic, for a time that a search found: its specialists and seats are held, too.
        """
        return Hold(self, make_reservation(slot, topic_id))

    def close(self) -> None:
        """Close the connections, unless the httpx client is yours."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                step = steps.send(self._take(step))
        except StopIteration as ended:
            return ended.value

    def _take(self, step: Step) -> httpx.Response | httpx.TransportError | None:
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        request = self._http.build_request(**step)
        request.read()  # forms with files, which are sent again
        try:
            return self._http.send(request)
        except httpx.TransportError as error:
            return error


class AsyncMeetdeck(AsyncResources):
    """A client of one firm at one installation, awaited; also as `async with`."""

    def __init__(
        self, base_url: str, *, http_client: httpx.AsyncClient | None = None, **options: Unpack[Options]
    ) -> None:
        """Keep what each call needs.

        Args:
            base_url: The installation's address.
            http_client: Your own httpx client, with its proxies, certificates and timeouts. You close it.
            options: Credentials and more: see `Options`.
        """
        self._exchange = _make_exchange(base_url, options)
        self._http = http_client or httpx.AsyncClient(timeout=_TIMEOUT)
        self._owns_http = http_client is None
        super().__init__(self)

    async def call(self, call: Call[T]) -> T:
        """Return the result of a call. Raises Problem or ConnectionFailed."""
        return await self._run(self._exchange.carry_out(call))

    async def iterate(self, call: Call[Any]) -> AsyncIterator[Any]:
        """Yield the items of a list, page after page."""
        page: Call[Any] | None = call
        while page is not None:
            response = await self._run(self._exchange.send(page))
            for item in read_items(page.parse(response)):
                yield item
            page = find_next(page, response)

    def hold(self, slot: AvailableSlot | SlotToReserve, *, topic_id: UUID | None = None) -> AsyncHold:
        """Hold a time: `async with client.hold(slot) as hold`, as `Meetdeck.hold` does."""
        return AsyncHold(self, make_reservation(slot, topic_id))

    async def close(self) -> None:
        """Close the connections, unless the httpx client is yours."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _run(self, steps: Steps[T]) -> T:
        try:
            step = next(steps)
            while True:
                step = steps.send(await self._take(step))
        except StopIteration as ended:
            return ended.value

    async def _take(self, step: Step) -> httpx.Response | httpx.TransportError | None:
        if isinstance(step, Pause):
            await asyncio.sleep(step.seconds)
            return None
        request = self._http.build_request(**step)
        request.read()
        try:
            return await self._http.send(request)
        except httpx.TransportError as error:
            return error
