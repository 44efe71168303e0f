"""Callers who each book once a second at most, and repeat what was not acknowledged, as the client libraries do."""

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

from benchmarks.callers import Answer, Caller

from meetdeck.demo.firm import NORDLYS
from support.servers import HOUR, write_span

BOOKING: Final = "/api/v3/booking"
_BEGIN: Final = datetime(2031, 3, 4, tzinfo=UTC)
_ADVISORS: Final = [str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors]
_SEARCH: Final = {"requireEmployeeParticipation": "false", "lookForwardTime": "7.00:00:00"}
_SEARCHES_A_SECOND: Final = 2
_MAIL_EVERY: Final = 10
"""The interval of bookings with a guest, who gets an invitation by mail."""
_RETRY_AFTER: Final = re.compile(rb"\r\nretry-after: *(\d+)", re.IGNORECASE)
_IDLE_SECONDS: Final = 5.0
_BROKEN_SECONDS: Final = 1.0
_GIVEN_UP_SECONDS: Final = 180.0
BROKEN: Final = 0
"""The status of a request whose connection broke."""


@dataclass
class Booking:
    """A booking that a caller wants: repeated with the same `Idempotency-Key` until it is acknowledged."""

    number: int
    asked_at: float
    acknowledged_at: float | None = None
    meeting_id: str | None = None

    @property
    def customer(self) -> str:
        return f"load-{self.number}"

    @property
    def guest(self) -> str | None:
        """Return the address of its guest, if it has one."""
        return None if self.number % _MAIL_EVERY else f"guest-{self.number}@example.com"

    def write(self) -> dict[str, Any]:
        """Return the request's body: each booking takes an hour of its own."""
        hours, advisor = divmod(self.number, len(_ADVISORS))
        body = {"customerId": self.customer, "type": "Online", "employeeId": _ADVISORS[advisor]}
        guests = [{"name": "Guest", "email": self.guest}] if self.guest else []
        return body | write_span(_BEGIN + hours * HOUR) | {"externalAttendees": guests}


@dataclass(frozen=True)
class Refusal:
    """An answer other than success."""

    kind: str
    at: float
    status: int
    body: bytes
    retry_after: int | None


@dataclass
class Callers:
    """Callers, one for each booking a second: whoever was not answered asks for no other one. Searches go on."""

    address: str
    headers: Mapping[str, str]
    a_second: float
    bookings: list[Booking] = field(default_factory=list[Booking])
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    searched: Counter[int] = field(default_factory=Counter[int])
    """The answers to searches by status."""
    longest_seconds: float = 0
    _idle: list[tuple[float, Caller]] = field(default_factory=list[tuple[float, Caller]])
    """Connections, and when each was last used."""
    _running: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _next_number: int = 0

    @asynccontextmanager
    async def busy(self) -> AsyncGenerator[None]:
        """Call during the block; afterwards wait until every booking is acknowledged or given up."""
        self.bookings, self.refusals, self.searched, self.longest_seconds = [], [], Counter(), 0
        calling = [asyncio.create_task(self._book_often(number)) for number in range(max(1, round(self.a_second)))]
        calling.append(asyncio.create_task(self._begin_searches()))
        try:
            yield
        finally:
            for task in calling:
                task.cancel()
            await asyncio.gather(*calling, return_exceptions=True)
            await asyncio.gather(*self._running)

    async def _book_often(self, number: int) -> None:
        """Book once a second, one booking after the other; `number` of the callers spreads them over the second."""
        due_at = time.monotonic() + number / self.a_second
        while True:
            await asyncio.sleep(max(0, due_at - time.monotonic()))
            booking = Booking(self._next_number, time.monotonic())
            self._next_number += 1
            self.bookings.append(booking)
            await self._begin(self._book(booking))
            due_at = max(due_at + 1, time.monotonic())

    async def _begin_searches(self) -> None:
        while True:
            self._begin(self._search())
            await asyncio.sleep(1 / _SEARCHES_A_SECOND)

    def _begin(self, work: Coroutine[Any, Any, None]) -> "asyncio.Future[None]":
        """Return a future of the work, which goes on when that is cancelled."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return asyncio.shield(task)

    async def _book(self, booking: Booking) -> None:
        key = {"Idempotency-Key": str(uuid4())}
        while time.monotonic() < booking.asked_at + _GIVEN_UP_SECONDS:
            answer = await self.ask("book", "POST", f"{BOOKING}/meetings", booking.write(), key)
            if answer.status in {200, 201}:
                booking.acknowledged_at, booking.meeting_id = time.monotonic(), answer.read()["id"]
                return
            if answer.status not in {BROKEN, 503}:
                return
            seconds = read_retry_after(answer)
            await asyncio.sleep((seconds if seconds is not None else _BROKEN_SECONDS) * random.uniform(1, 1.5))  # noqa: S311

    async def _search(self) -> None:
        answer = await self.ask("search", "GET", f"{BOOKING}/time-slots/available?{urlencode(_SEARCH)}")
        self.searched[answer.status] += 1

    async def ask(
        self, kind: str, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Return the answer, of status 0 when the connection broke; note what is not a success."""
        caller, begun = self._take_caller(), time.monotonic()
        try:
            answer = await caller.request(method, path, body, headers)
            self._idle.append((time.monotonic(), caller))
        except (OSError, EOFError) as error:
            answer = Answer(BROKEN, repr(error).encode())
        self.longest_seconds = max(self.longest_seconds, time.monotonic() - begun)
        if answer.status not in {200, 201, 204}:
            refusal = Refusal(kind, time.monotonic(), answer.status, answer.body[:300], read_retry_after(answer))
            self.refusals.append(refusal)
        return answer

    def _take_caller(self) -> Caller:
        """Return the connection that was used last, as clients do, or a new one: a proxy closes those that idle."""
        while self._idle:
            used_at, caller = self._idle.pop()
            if used_at > time.monotonic() - _IDLE_SECONDS:
                return caller
            caller.close()
        return Caller(self.address, self.headers)

    def find_outage(self, since: float) -> tuple[float, float]:
        """Return when the longest time without an acknowledged booking began and ended, at or after `since`."""
        known = (booking.acknowledged_at for booking in self.bookings)
        moments = sorted(at for at in known if at is not None)
        before = max((at for at in moments if at < since), default=since)
        later = [before, *(at for at in moments if at >= since)]
        return max(pairwise(later), key=lambda gap: gap[1] - gap[0])

    def find_longest_gap(self, since: float) -> float:
        """Return the longest time without an acknowledged booking after a moment."""
        begin, end = self.find_outage(since)
        return end - begin

    def count_acknowledged(self, since: float, until: float) -> int:
        """Return how many bookings were acknowledged in a time."""
        return sum(
            booking.acknowledged_at is not None and since <= booking.acknowledged_at < until
            for booking in self.bookings
        )

    async def wait_until_served(self, seconds: float, a_second: float) -> None:
        """Return when a quarter as many bookings a second as that were acknowledged for some seconds."""
        async with asyncio.timeout(_GIVEN_UP_SECONDS):
            while True:
                await asyncio.sleep(seconds)
                now = time.monotonic()
                if self.count_acknowledged(now - seconds, now) > a_second * seconds / 4:
                    return

    def close(self) -> None:
        """Disconnect."""
        for _, caller in self._idle:
            caller.close()


def read_retry_after(answer: Answer) -> int | None:
    """Return the seconds of `Retry-After`."""
    found = _RETRY_AFTER.search(answer.head)
    return int(found[1]) if found else None


class FeedReader:
    """Follows the feed by its cursor, and asks again when it is refused."""

    def __init__(self, address: str, headers: Mapping[str, str]) -> None:
        self._caller = Caller(address, headers)
        self.event_ids: Counter[str] = Counter()
        self.created: set[str] = set()
        """The meetings whose `meeting.created` came."""
        self.refused: Counter[int] = Counter()
        """The number of refusals by status."""

    @classmethod
    @asynccontextmanager
    async def run(cls, address: str, headers: Mapping[str, str]) -> AsyncGenerator["FeedReader"]:
        """Follow it from its end on, during the block."""
        reader = cls(address, headers)
        after = (await reader._caller.require(200, "GET", "/api/v3/events?after=latest")).read()["next"]
        following = asyncio.create_task(reader._follow(after))
        try:
            yield reader
        finally:
            following.cancel()
            with suppress(asyncio.CancelledError):
                await following

    async def _follow(self, after: str) -> None:
        while True:
            query = urlencode({"after": after, "wait": 2, "limit": 1000})
            try:
                answer = await self._caller.request("GET", f"/api/v3/events?{query}")
            except (OSError, EOFError):
                answer = Answer(BROKEN, b"")
            if answer.status != 200:
                self.refused[answer.status] += 1
                await asyncio.sleep(read_retry_after(answer) or _BROKEN_SECONDS)
                continue
            page = answer.read()
            after = page["next"]
            for event in page["items"]:
                self.event_ids[event["id"]] += 1
                if event["type"] == "meeting.created":
                    self.created.add(event["data"]["id"])
