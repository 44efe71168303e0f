"""The latest answered requests of this process, kept until a background task writes them."""

from collections import deque
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

MOST_KEPT: Final = 500


class AnsweredRequest(NamedTuple):
    """An answered request of a firm, as the server saw it."""

    tenant_id: UUID
    key_digest: bytes
    answered_at: datetime
    method: str
    path: str
    status: int
    ms: float
    request_id: str
    faults: list[str]
    """The pointers of a refusal's errors."""


class RecentRequests:
    """Keeps the latest requests in memory; of too many, the oldest are dropped."""

    def __init__(self) -> None:
        self._kept: deque[AnsweredRequest] = deque(maxlen=MOST_KEPT)

    def add(self, request: AnsweredRequest) -> None:
        """Keep a request."""
        self._kept.append(request)

    def take(self) -> list[AnsweredRequest]:
        """Return the kept requests, the oldest first, and keep them no longer."""
        taken = list(self._kept)
        self._kept.clear()
        return taken
