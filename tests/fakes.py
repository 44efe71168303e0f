"""Stand-ins for what a test must hold in its hand: the clock."""

from datetime import datetime, timedelta


class HandClock:
    """A clock that stands still until it is moved."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **units: float) -> None:
        """Move on: `advance(minutes=5)`."""
        self.moment += timedelta(**units)
