"""The fake's clock, which tests move."""

import time
from datetime import UTC, datetime, timedelta


class Clock:
    """The machine's time plus `offset`; a stopped clock moves only by a request."""

    def __init__(self, stopped_at: datetime | None = None) -> None:
        self.offset = timedelta()
        self.stopped_at = stopped_at

    def now(self) -> datetime:
        """Return the time in UTC."""
        if self.stopped_at is not None:
            return self.stopped_at
        return datetime.fromtimestamp(time.time(), UTC) + self.offset

    def move(self, by: timedelta) -> None:
        """Move on, or back."""
        if self.stopped_at is not None:
            self.stopped_at += by
        else:
            self.offset += by

    def stop_at(self, moment: datetime | None) -> None:
        """Stop at a moment; None: run again from the machine's time."""
        self.stopped_at = moment
        self.offset = timedelta()
