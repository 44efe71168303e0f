"""The busy times of one mailbox, as read from any calendar service."""

from typing import NamedTuple

from meetdeck.connections.icalendar import BusyTime


class Schedule(NamedTuple):
    """The result for a mailbox: its times, or the problem that made them unavailable."""

    times: list[BusyTime]
    problem: str | None = None
    """A code, the service's own or ours; None: the times are known."""
    tag: str | None = None
    """A tag by which the next reading detects that nothing changed; None if there is none."""
    is_unchanged: bool = False
    """True if the times are unchanged, and therefore not repeated here."""
