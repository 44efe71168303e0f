"""A call as a series of steps: token, tries, pauses, pages. It knows no network; the clients carry the steps out.

A step is a request, which is answered with its response or with the error of its connection, or a pause.
"""

import logging
import random
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from meetdeck_client._calls import Answer, Call
from meetdeck_client._generated.codes import BY_CODE
from meetdeck_client._problems import ConnectionFailed, make_problem, read_retry_after

T = TypeVar("T")


class Pause(NamedTuple):
    """A step that waits."""

    seconds: float


Step: TypeAlias = dict[str, Any] | Pause
"""The arguments of httpx's `build_request`, or a pause."""
Steps: TypeAlias = Generator[Step, "httpx.Response | httpx.TransportError | None", T]

_UNAUTHORIZED: Final = 401
_NOT_FOUND: Final = 404
_NO_CONTENT: Final = 204
_LOGGER = logging.getLogger("meetdeck_client")
_REFUSED = (429, 503)
_LOST = (502, 504)
"""A proxy's answer in place of the service's."""
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_ONCE = ("/undo", "/notice", "/replay", "/test", "/reassign")
"""The ends of addresses whose POST takes no `Idempotency-Key` and must not be carried out twice."""


@dataclass(frozen=True, slots=True)
class Retries:
    """The number of times that a request is sent again, and the pauses in seconds."""

    most: int = 5
    first_pause: float = 0.25
    longest_pause: float = 8
    longest_wait: float = 60
    """A `Retry-After` beyond this is raised as the error that it is."""

    def pause(self, tries: int, retry_after: float | None) -> float | None:
        """Return the pause after so many tries; None: give up. Random, so that callers do not come back together."""
        if tries > self.most or (retry_after or 0) > self.longest_wait:
            return None
        longest = min(self.longest_pause, self.first_pause * 2 ** (tries - 1))
        share = random.random()  # noqa: S311 - no secret
        return longest * (1 + share) / 2 if retry_after is None else retry_after + share * self.first_pause


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt of a request, for `on_attempt`."""

    number: int
    method: str
    url: str
    seconds: float
    status: int | None
    """None: no answer arrived."""
    request_id: str | None
    replayed: bool
    """True if the service had carried out the request before, and repeated its answer."""
    error: httpx.TransportError | None
    pause: float | None
    """The seconds until the next try; None: this was the last."""


@dataclass(slots=True)
class Tokens:
    """The access token: given, asked for by a function, or fetched with a client's credentials and renewed in time."""

    given: str | Callable[[], str] | None = None
    client_id: str = ""
    client_secret: str = ""
    url: str = ""
    scope: str | None = None
    _token: str = ""
    _until: float = 0

    def get(self, exchange: "Exchange") -> Steps[str]:
        """Return the token, a new one if the old one ends within a minute."""
        if self.given is not None:
            return self.given if isinstance(self.given, str) else self.given()
        if time.monotonic() > self._until:
            form = {"client_id": self.client_id, "client_secret": self.client_secret}
            form |= {"grant_type": "client_credentials"} | ({"scope": self.scope} if self.scope else {})
            response = yield from exchange.attempt({"method": "post", "url": self.url, "data": form}, repeatable=True)
            answer = response.json()
            lifetime = float(answer.get("expires_in", 300))
            self._token = answer["access_token"]
            self._until = time.monotonic() + max(lifetime - 60, lifetime / 2)
        return self._token

    def forget(self) -> bool:
        """Drop a token that was refused; return whether another can be had."""
        had, self._until = self._until > 0, 0
        return callable(self.given) or (self.given is None and had)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The settings that all calls of a client share."""

    base_url: str
    key: str
    tokens: Tokens
    retries: Retries
    on_attempt: Callable[[Attempt], None] | None
    user_agent: str = field(default="meetdeck-client-python")

    def carry_out(self, call: Call[T]) -> Steps[T]:
        """Return the result of a call. Raises Problem or ConnectionFailed."""
        return call.parse((yield from self.send(call)))

    def send(self, call: Call[T]) -> Steps[httpx.Response]:
        """Return the answer to a call, with a new token if the old one is refused."""
        method = call.request["method"].upper()
        headers = dict(call.request.get("headers") or {}) | {"User-Agent": self.user_agent}
        if self.key:
            headers["Ocp-Apim-Subscription-Key"] = self.key
        if method == "POST":
            headers["Idempotency-Key"] = call.idempotency_key or str(uuid4())
        tag = call.if_match.etag if isinstance(call.if_match, Answer) else call.if_match
        if tag is not None:
            headers["If-Match"] = tag
        address = str(call.request["url"])
        repeatable = method != "PATCH" and tag is None and not urlsplit(address).path.endswith(_ONCE)
        request = call.request | {"url": self._absolute(address), "headers": headers}
        headers["Authorization"] = f"Bearer {(yield from self.tokens.get(self))}"
        response = yield from self.attempt(request, repeatable=repeatable, raising=False)
        if response.status_code == _UNAUTHORIZED and self.tokens.forget():
            headers["Authorization"] = f"Bearer {(yield from self.tokens.get(self))}"
            response = yield from self.attempt(request, repeatable=repeatable, raising=False)
        return _check(response)

    def attempt(self, request: dict[str, Any], *, repeatable: bool, raising: bool = True) -> Steps[httpx.Response]:
        """Send a request until it is answered. Raises ConnectionFailed, and Problem if `raising`."""
        tries, lost = 0, False
        while True:
            tries += 1
            began = time.monotonic()
            answer = yield request
            again = _may_repeat(answer, repeatable=repeatable)
            retry_after = read_retry_after(answer) if isinstance(answer, httpx.Response) else None
            pause = self.retries.pause(tries, retry_after) if again else None
            self._tell(request, tries, time.monotonic() - began, answer, pause)
            if pause is None:
                break
            lost = lost or not (isinstance(answer, httpx.Response) and answer.status_code in _REFUSED)
            yield Pause(pause)
        if not isinstance(answer, httpx.Response):
            told = f"{request['method'].upper()} {request['url']} was not answered in {tries} attempts: {answer!r}"
            raise ConnectionFailed(told) from answer
        if lost and request["method"] == "delete" and answer.status_code == _NOT_FOUND:
            return httpx.Response(_NO_CONTENT, request=answer.request)  # the lost answer said that it is gone
        return _check(answer) if raising else answer

    def _absolute(self, url: str) -> str:
        """Return an address below the base: of a link, too, since the service may know itself by another name."""
        parts = urlsplit(url)
        return f"{self.base_url}{parts.path}" + (f"?{parts.query}" if parts.query else "")

    def _tell(
        self,
        request: dict[str, Any],
        tries: int,
        seconds: float,
        answer: httpx.Response | httpx.TransportError | None,
        pause: float | None,
    ) -> None:
        response = answer if isinstance(answer, httpx.Response) else None
        told = Attempt(
            tries,
            request["method"].upper(),
            request["url"],
            seconds,
            response.status_code if response is not None else None,
            response.headers.get("X-Request-Id") if response is not None else None,
            response is not None and response.headers.get("Idempotency-Replayed") == "true",
            answer if isinstance(answer, httpx.TransportError) else None,
            pause,
        )
        _LOGGER.log(logging.DEBUG if pause is None else logging.INFO, "%s", told)
        if self.on_attempt is not None:
            self.on_attempt(told)


def _may_repeat(answer: httpx.Response | httpx.TransportError | None, *, repeatable: bool) -> bool:
    if isinstance(answer, httpx.Response):
        return answer.status_code in _REFUSED or (repeatable and answer.status_code in _LOST)
    return repeatable or isinstance(answer, _NEVER_SENT)


def _check(response: httpx.Response) -> httpx.Response:
    if response.is_success:
        return response
    raise make_problem(response, BY_CODE)
