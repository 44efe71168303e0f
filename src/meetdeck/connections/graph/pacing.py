"""Learns how many concurrent requests a service allows an application; pure.

Microsoft documents four for each application, and used to document four for each mailbox. So a firm starts with four,
tries one more from time to time, and remembers where it was refused: each refusal costs a pause.
"""

from datetime import datetime, timedelta
from typing import Final

_FIRST: Final = 4
_MOST: Final = 16
_PAUSE: Final = timedelta(seconds=1)  # when a refusal names no pause
_LONGEST_PAUSE: Final = timedelta(minutes=5)
_TRY_AFTER: Final = timedelta(minutes=2)
_LONGEST_TRY_AFTER: Final = timedelta(hours=4)


class Pace:
    """The allowed concurrent requests of one application: at most `width`, none before `resumes_at`."""

    def __init__(self, now: datetime) -> None:
        self.width = _FIRST
        self.resumes_at = now
        self._known_good = _FIRST
        self._tries_at = now + _TRY_AFTER
        self._try_after = _TRY_AFTER
        self._halved_at = now
        self._successes = 0
        self._refusals = 0

    def count_free(self, running: int, now: datetime, *, keeps_one: bool = False) -> int:
        """Return how many requests may start now; `keeps_one` leaves one place free for a customer who reserves."""
        if now < self.resumes_at:
            return 0
        kept = 1 if keeps_one and self.width > 1 else 0
        return max(0, self.width - kept - running)

    def succeed(self, now: datetime) -> None:
        """Count a success: the width grows to its last good value at once, beyond it by one now and then."""
        self._successes += 1
        self._refusals = 0
        if self.width < self._known_good:
            self.width += 1
        elif self._successes >= self.width and self.width < _MOST and now >= self._tries_at:
            self._known_good = self.width
            self.width += 1
            self._successes = 0

    def be_refused(self, began_at: datetime, now: datetime, retry_after: timedelta | None) -> None:
        """Count a refusal (429) of a request started at a time: pause, and halve the width once for concurrent ones."""
        self._refusals += 1
        pause = (
            retry_after if retry_after is not None else min(_PAUSE * 2 ** min(self._refusals - 1, 10), _LONGEST_PAUSE)
        )
        self.resumes_at = max(self.resumes_at, now + pause)
        if began_at < self._halved_at:
            return
        self._known_good = max(1, min(self._known_good, self.width - 1))
        self.width = max(1, self.width // 2)
        self._tries_at, self._try_after = now + self._try_after, min(2 * self._try_after, _LONGEST_TRY_AFTER)
        self._halved_at, self._successes = now, 0
