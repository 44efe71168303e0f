"""Messages that could not be delivered yet."""

from datetime import datetime

import msgspec


class UndeliveredMessages(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Messages, reminders and notices that wait for a retry after a failed attempt, without their recipients."""

    waiting: int
    """The number of them."""
    perhaps_sent: int
    """The number of those that may have arrived: the server did not acknowledge them, and they are sent again."""
    since: datetime | None
    """When the oldest message or notice became due; null if none wait, or only reminders."""
    reason: str | None
    """The reason of the one with the most attempts; null if none wait."""
