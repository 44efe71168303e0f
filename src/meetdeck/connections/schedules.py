"""The busy times of one mailbox, as read from any calendar service."""

from typing import NamedTuple

from meetdeck.connections.icalendar import BusyTime


class Schedule(NamedTuple):
    """The result for a mailbox: its times, or the problem that made them unavailable."""

    times: list[BusyTime]
    problem: str | None = None
    """A code, the service's own or ours; None: the times are known."""
    tag: str | None = None
    """A tag of what was read, by which the next reading knows whether it is as it was; None: it cannot know."""
    is_unchanged: bool = False
    """Whether the times are those that were read before, and not told again."""
