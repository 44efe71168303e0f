"""What PostgreSQL, asyncpg and our deadline raise when the database cannot be used."""

from asyncpg import exceptions


class SilenceError(ConnectionError):
    """The database did not answer before the deadline."""


# The server is not there, is going, or does not let us in.
UNREACHABLE = (
    ConnectionError,
    exceptions.PostgresConnectionError,
    exceptions.AdminShutdownError,
    exceptions.CrashShutdownError,
    exceptions.CannotConnectNowError,
    exceptions.TooManyConnectionsError,
    exceptions.InvalidAuthorizationSpecificationError,
    exceptions.InvalidCatalogNameError,
    exceptions.ObjectNotInPrerequisiteStateError,
    exceptions.InterfaceError,
    exceptions.InternalClientError,
)

# The server is there, and has no room: disk, memory, locks; or it may not write, as one that follows another.
FULL = (
    exceptions.InsufficientResourcesError,
    exceptions.PostgresIOError,
    exceptions.ReadOnlySQLTransactionError,
)
