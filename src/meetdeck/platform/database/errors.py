"""Errors of PostgreSQL, asyncpg and our deadline when the database is unusable, and the errors that callers get."""

from collections.abc import Iterable
from typing import Final

from asyncpg import exceptions

from meetdeck.platform.errors import Conflict, SetupError, Unavailable


class SilenceError(ConnectionError):
    """The database did not answer before the deadline."""


# The server is missing, shutting down, ends what we do, or does not let us in.
UNREACHABLE = (
    ConnectionError,
    exceptions.PostgresConnectionError,
    exceptions.OperatorInterventionError,
    exceptions.IdleInTransactionSessionTimeoutError,
    exceptions.TooManyConnectionsError,
    exceptions.InvalidAuthorizationSpecificationError,
    exceptions.InvalidCatalogNameError,
    exceptions.ObjectNotInPrerequisiteStateError,
    exceptions.InterfaceError,
    exceptions.InternalClientError,
)

# The server has no room: disk, memory, locks; or it may not write, as a standby.
FULL = (
    exceptions.InsufficientResourcesError,
    exceptions.PostgresIOError,
    exceptions.ReadOnlySQLTransactionError,
)


_LONGEST_WAIT_SECONDS: Final = 5


class Outage:
    """The time since when a database has answered nobody."""

    def __init__(self) -> None:
        self._began_at: float | None = None

    def end(self) -> None:
        """Record an answer of the database."""
        self._began_at = None

    def record_failure(self, now: float) -> int:
        """Return after how many seconds a caller who was refused now should try again.

        That is half the time of the outage so far, one second to five: another server that takes over is found at
        once, and a database that stays away is left alone.
        """
        if self._began_at is None:
            self._began_at = now
        return min(max(1, round((now - self._began_at) / 2)), _LONGEST_WAIT_SECONDS)


class DatabaseUnavailable(Unavailable):
    """The database does not answer; nothing was changed, unless the answer to a commit was lost."""

    code = "database_unavailable"

    def __init__(
        self,
        detail: str = "The database does not answer at the moment. Try again shortly.",
        *,
        retry_after_seconds: int = _LONGEST_WAIT_SECONDS,
    ) -> None:
        super().__init__(detail, retry_after_seconds=retry_after_seconds)


class DatabaseSilent(DatabaseUnavailable):
    """The database, or the way to it, did not answer before the deadline; a commit may still have been done."""


class CallerLeft(DatabaseUnavailable):
    """The caller left while the request waited for its turn; the request ends."""


class DatabaseFull(DatabaseUnavailable):
    """The database has no room to write, or may not write; nothing was changed."""

    code = "database_full"

    def __init__(self) -> None:
        super().__init__("The database cannot write at the moment, and nothing was changed. Try again later.")


class TenantElsewhere(DatabaseUnavailable):
    """The tenant does not live in this cell; nothing was changed. The directory knows where it lives."""


class TenantMoving(DatabaseUnavailable):
    """The tenant is being moved to another cell; nothing was changed."""

    code = "tenant_moving"

    def __init__(self) -> None:
        super().__init__("The firm is being moved to another database, and nothing was changed. Try again in a moment.")


MOVED: Final = {"MDC01": TenantElsewhere, "MDC02": TenantMoving}
"""The errors of `enter_cell`, by the SQLSTATE that it raises."""


class UnknownCellError(SetupError):
    """The settings name no such cell."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(f"There is no cell '{name}': there is {', '.join(known)}. MEETDECK_CELLS names them.")


class ChangedMeanwhile(Conflict):
    """A row that the request names or deletes was deleted, or came into use, during the request."""

    code = "changed_meanwhile"

    def __init__(self) -> None:
        super().__init__("Someone else changed the same data at the same time. Read it and try again.")
