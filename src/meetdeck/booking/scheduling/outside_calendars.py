"""The interface to the calendars of other systems, for searches and reservations."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from meetdeck.platform.database import Connection


class WantedTime(NamedTuple):
    """A time that is to be taken, with the employees and rooms that may be needed for it."""

    resource_ids: Sequence[UUID]
    starts_at: datetime


class OutsideCalendars(ABC):
    """The calendars of other systems. A search knows only the times that were read from them."""

    @abstractmethod
    def record_search(self, tenant_id: UUID, employee_ids: Iterable[UUID]) -> None:
        """Record in memory the employees of a search, so that their calendars are read first."""

    @abstractmethod
    async def read_again(
        self, tenant_id: UUID, find_wanted: Callable[[Connection], Awaitable[WantedTime | None]]
    ) -> bool | None:
        """Read the calendars of a wanted time again unless they were read just now, with a deadline.

        Return whether they are known now; None if none of the people has one. The times are in the database then, so
        that taking a busy time is refused. Call it outside of transactions; `find_wanted` is called in one, unless the
        firm has no connection. Raises what that raises.
        """
