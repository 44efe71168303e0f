"""Callers at a steady pace, who do not wait for each other: the time of each request, its duration, and the status."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

import httpx

from meetdeck.demo.firm import NORDLYS
from support.installation import Installation
from support.servers import HOUR, book, call

_BEGIN = datetime(2031, 3, 4, tzinfo=UTC)
_ADVISORS = [str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors]
_SEARCH = {"requireEmployeeParticipation": "false", "lookForwardTime": "7.00:00:00"}
KINDS = ("book", "search", "read", "ready")
_ANSWERED = {200, 201}


@dataclass(frozen=True)
class Answer:
    """The answer to a request; the status is 0 when the connection broke."""

    kind: str
    asked_at: float
    seconds: float
    status: int
    code: str | None = None

    @property
    def answered_at(self) -> float:
        return self.asked_at + self.seconds


@dataclass
class Callers:
    """Book, search and request readiness, in turn."""

    http: httpx.AsyncClient
    kinds: Sequence[str]
    answers: list[Answer] = field(default_factory=list[Answer])
    _running: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _booked: int = 0

    @classmethod
    @asynccontextmanager
    async def run(
        cls, installation: Installation, address: str, *kinds: str, a_second: float = 20
    ) -> AsyncGenerator["Callers"]:
        """Call during the block; when it ends, wait for the outstanding answers.

        `kinds`: some of those below.
        """
        async with (
            call(installation, address) as known,
            httpx.AsyncClient(
                base_url=known.base_url, headers=known.headers, timeout=120, limits=httpx.Limits(max_connections=None)
            ) as http,
        ):
            callers = cls(http, kinds or KINDS)
            calling = asyncio.create_task(callers._call(1 / a_second))
            try:
                yield callers
            finally:
                calling.cancel()
                await asyncio.gather(*callers._running)

    async def _call(self, pause: float) -> None:
        requests: dict[str, Callable[[], Awaitable[httpx.Response]]] = {
            "book": self._book,
            "search": lambda: self.http.get("time-slots/available", params=_SEARCH),
            "read": lambda: self.http.get("employees"),
            "ready": lambda: self.http.get(self.http.base_url.copy_with(path="/health/ready")),
        }
        while True:
            for kind in self.kinds:
                task = asyncio.create_task(self._measure(kind, requests[kind]))
                self._running.add(task)
                task.add_done_callback(self._running.discard)
                await asyncio.sleep(pause)

    def _book(self) -> Awaitable[httpx.Response]:
        self._booked += 1
        hours, advisor = divmod(self._booked, len(_ADVISORS))
        return book(self.http, _BEGIN + hours * HOUR, employeeId=_ADVISORS[advisor])

    async def _measure(self, kind: str, request: Callable[[], Awaitable[httpx.Response]]) -> None:
        begun = time.monotonic()
        try:
            answer = await request()
        except httpx.TransportError:
            self.answers.append(Answer(kind, begun, time.monotonic() - begun, 0))
            return
        seconds = time.monotonic() - begun
        code = None if answer.is_success else answer.json().get("code")
        self.answers.append(Answer(kind, begun, seconds, answer.status_code, code))

    def asked(self, since: float, until: float, *kinds: str) -> list[Answer]:
        """Return the answers to the requests of a period."""
        return [one for one in self.answers if since <= one.asked_at < until and (not kinds or one.kind in kinds)]

    def count(self, since: float, until: float, *kinds: str) -> Counter[int]:
        """Return the number of those answers by status."""
        return Counter(one.status for one in self.asked(since, until, *kinds))

    def longest(self, since: float, until: float, *kinds: str) -> float:
        """Return the longest time that one of them took."""
        return max((one.seconds for one in self.asked(since, until, *kinds)), default=0.0)

    def find_recovery(self, since: float, *kinds: str) -> float:
        """Return after how many seconds the last refused request was sent, after which all were served."""
        refused = [one.asked_at for one in self.answers if one.kind in kinds and one.status not in _ANSWERED]
        return max((asked_at - since for asked_at in refused if asked_at >= since), default=0.0)
