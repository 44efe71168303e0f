"""The door to the calendars of others, for searches and reservations: whoever reads them stands behind it."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from uuid import UUID


class OutsideCalendars(ABC):
    """The calendars of others, of which a search knows only the times that were read."""

    @abstractmethod
    def note_search(self, tenant_id: UUID, employee_ids: Iterable[UUID]) -> None:
        """Note in memory who was searched for, so that their calendars are read first."""
