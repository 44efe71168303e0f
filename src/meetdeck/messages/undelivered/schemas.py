"""Messages that could not be delivered yet."""

from datetime import datetime

import msgspec


class UndeliveredMessages(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Messages, reminders and notices that were tried and wait for their next try; nobody is named."""

    waiting: int
    """The number of them."""
    perhaps_sent: int
    """The number of those that perhaps were sent: the server did not acknowledge them, and they are sent again."""
    since: datetime | None
    """The time at which the oldest message or notice became due; null where none or reminders alone wait."""
    reason: str | None
    """The reason of the one that was tried most often; null where none waits."""
