"""The door to the calendars of others, for searches and reservations: whoever reads them stands behind it."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.platform.database import Connection


class WantedTime(NamedTuple):
    """A time that somebody wants to take, and the employees and rooms of whom it is taken, or may be."""

    resource_ids: Sequence[UUID]
    starts_at: datetime


class OutsideCalendars(ABC):
    """The calendars of others, of which a search knows only the times that were read."""

    @abstractmethod
    def record_search(self, tenant_id: UUID, employee_ids: Iterable[UUID]) -> None:
        """Record in memory the employees of a search, so that their calendars are read first."""

    @abstractmethod
    async def read_again(
        self, tenant_id: UUID, find_wanted: Callable[[Connection], Awaitable[WantedTime | None]]
    ) -> bool | None:
        """Read the calendars of a wanted time again unless they were read just now, with a deadline.

        Returns whether they are known now, None if nobody there has one. What was read is in the database then: who
        takes the time is refused where it is busy. Call it outside of transactions; `find_wanted` is called in one,
        unless the firm has no connection. Raises what that raises.
        """
