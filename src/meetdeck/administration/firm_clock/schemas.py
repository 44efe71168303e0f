"""The body that moves a firm's clock, and the answer."""

from datetime import datetime, timedelta
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from meetdeck.platform.values import Duration, Moment

FARTHEST: Final = timedelta(days=366)
"""The farthest that a firm's clock is ahead."""


class MoveClock(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly one of the three."""

    advance: Annotated[Duration | None, Meta(description="The time by which to move it.")] = None
    now: Annotated[Moment | None, Meta(description="The time to move it to.")] = None
    reset: Annotated[bool, Meta(description="`true`: back to the real time.")] = False


class FirmClock(msgspec.Struct, frozen=True, kw_only=True):
    """The firm's time."""

    now: datetime
    """The firm's time at the answer."""
    offset: Duration
    """The time by which it is ahead of real time."""
