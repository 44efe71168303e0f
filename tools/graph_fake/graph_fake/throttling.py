"""Limits of one application, as Exchange has them: requests at once and requests in a time."""

import math
from collections import defaultdict, deque
from typing import Literal

import msgspec

from graph_fake.problems import GraphProblem


class Limits(msgspec.Struct, rename="camel", kw_only=True):
    """The limits of an application; the fewer requests `by`, the stricter the reading of Microsoft's text."""

    most_at_once: int = 4
    by: Literal["application", "mailbox"] = "application"
    """Of the application, or of the application with each mailbox: Microsoft's pages have said both."""
    most_requests: int = 10_000
    window_seconds: float = 600
    retry_after_seconds: int = 1
    tells_retry_after: bool = True


class Throttle:
    """Counts what each application does; `limits` may be changed at any time."""

    def __init__(self) -> None:
        self.limits = Limits()
        self.most_seen_at_once = 0
        self.refused = 0
        self._running: defaultdict[str, int] = defaultdict(int)
        self._recent: defaultdict[str, deque[float]] = defaultdict(deque)

    def enter(self, application: str, mailbox: str, seconds: float) -> str:
        """Count a request that begins and return the key to leave by. Raises GraphProblem, with 429."""
        key = application if self.limits.by == "application" else f"{application}/{mailbox}"
        recent = self._recent[key]
        while recent and recent[0] <= seconds - self.limits.window_seconds:
            recent.popleft()
        if self._running[key] >= self.limits.most_at_once:
            raise self._refuse("MailboxConcurrency", self.limits.retry_after_seconds)
        if len(recent) >= self.limits.most_requests:
            raise self._refuse("RequestRate", math.ceil(recent[0] + self.limits.window_seconds - seconds))
        recent.append(seconds)
        self._running[key] += 1
        self.most_seen_at_once = max(self.most_seen_at_once, self._running[key])
        return key

    def leave(self, key: str) -> None:
        """Count a request that ends."""
        self._running[key] -= 1

    def _refuse(self, limit: str, seconds: int) -> GraphProblem:
        self.refused += 1
        headers = {"Retry-After": str(seconds)} if self.limits.tells_retry_after else {}
        return GraphProblem(429, "ApplicationThrottled", f"Application is over its {limit} limit.", headers)
