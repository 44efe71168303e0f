"""The only place that reads the clock; everything else takes the time as an argument."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

Clock = Callable[[], datetime]


def now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the one place


class MovedClocks:
    """The lead of the clocks of firms: tests of the test environment move them; in production there are none."""

    def __init__(self) -> None:
        self._ahead: dict[UUID, timedelta] = {}

    def list_firms(self) -> list[UUID]:
        """Return the firms whose clocks are ahead."""
        return [*self._ahead]

    def read(self, tenant_id: UUID, now: datetime) -> datetime:
        """Return the firm's time at a moment of the installation's."""
        return now + self._ahead[tenant_id] if tenant_id in self._ahead else now

    def to_real(self, tenant_id: UUID, moment: datetime) -> datetime:
        """Return the installation's time at a moment of the firm's: outside, other clocks are compared with it."""
        return moment - self._ahead[tenant_id] if tenant_id in self._ahead else moment

    def set_all(self, ahead: Mapping[UUID, timedelta]) -> None:
        """Replace what is known of all firms."""
        self._ahead = dict(ahead)
