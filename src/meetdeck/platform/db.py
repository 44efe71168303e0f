"""The database: one pool, and transactions that belong to one tenant."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import cache
from types import TracebackType
from typing import Any, NotRequired, Self, TypedDict, TypeVar, cast
from uuid import UUID

import asyncpg
import msgspec
import structlog
from asyncpg import Record, exceptions

from meetdeck.platform.columns import Columns
from meetdeck.platform.errors import Conflict, Invalid, SetupError, Unavailable
from meetdeck.platform.isolation import IsolationError, require_isolation
from meetdeck.platform.queries import Connection, Queries, load_queries

__all__ = [
    "Address",
    "Columns",
    "Connection",
    "Database",
    "DatabaseUnavailable",
    "Queries",
    "load_queries",
    "savepoint",
]

T = TypeVar("T")

log = structlog.stdlib.get_logger()

# Two transactions that got in each other's way; running one of them again is the cure.
_WORTH_ANOTHER_TRY = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
_TRIES = 4
# U+0000 in a text, and in a `jsonb`: wherever a caller hid it, this is where it shows.
_UNSTORABLE = (asyncpg.CharacterNotInRepertoireError, asyncpg.UntranslatableCharacterError)


# The server is not there, is going, or does not let us in.
_UNREACHABLE = (
    OSError,
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
_FULL = (
    exceptions.InsufficientResourcesError,
    exceptions.PostgresIOError,
    exceptions.ReadOnlySQLTransactionError,
)

# More rows than fit into the memory that they may take: a file of 0.3 MB on the database's disk, deleted at once.
_WRITE_SOMETHING = "select count(*) from generate_series(1, 20000)"
_MAY_NOT_WRITE = "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool"


class DatabaseUnavailable(Unavailable):
    """The database does not answer; nothing was changed unless the answer to a commit was lost."""

    code = "database_unavailable"

    def __init__(self, detail: str = "The database does not answer just now. Try again in a moment.") -> None:
        super().__init__(detail, retry_after_seconds=5)


class DatabaseFull(DatabaseUnavailable):
    """The database has no room to write, or may not write; nothing was changed."""

    code = "database_full"

    def __init__(self) -> None:
        super().__init__("The database cannot write just now, and nothing was changed. Try again in a while.")


class UnstorableText(Invalid):
    """A text with U+0000, the one character that PostgreSQL cannot store."""

    code = "unstorable_text"

    def __init__(self) -> None:
        super().__init__("A text contains the character U+0000, which cannot be stored. Leave it out.")


class ChangedMeanwhile(Conflict):
    """A row that the request names or deletes was deleted, or came into use, during the request."""

    code = "changed_meanwhile"

    def __init__(self) -> None:
        super().__init__("Somebody else changed what this request is about at the same moment. Read it and try again.")


class ConnectArguments(TypedDict):
    """The keyword arguments of `asyncpg.connect` and `asyncpg.create_pool`."""

    host: str
    port: int
    user: str
    password: str
    database: str
    ssl: NotRequired[str]


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database, and our role there. `host` may be a socket's folder; `repr` has no password.

    `sslmode`: one of libpq's names; None is `prefer`.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str
    sslmode: str | None = None

    def __str__(self) -> str:
        """Return the database's name as an operator would write it."""
        return f"{self.database} on {self.host}"

    @property
    def arguments(self) -> ConnectArguments:
        """Return the arguments for asyncpg."""
        arguments = ConnectArguments(
            host=self.host, port=self.port, user=self.user, password=self.password, database=self.database
        )
        if self.sslmode is not None:
            arguments["ssl"] = self.sslmode
        return arguments

    async def connect(self) -> asyncpg.Connection:
        """Return an open connection. Raises SetupError when the server cannot be reached or refuses us."""
        try:
            return await asyncpg.connect(**self.arguments)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise SetupError(f"The database {self} cannot be used: {error}") from error


class Database:
    """The pool of the application's role, which sees one tenant a transaction.

    Each new connection's isolation is checked. In test, `owner_may_serve` (isolation.py).
    """

    def __init__(self, address: Address, *, connections: int = 10, owner_may_serve: bool = False) -> None:
        self._address = address
        self._connections = connections
        self._owner_may_serve = owner_may_serve
        self._pool: asyncpg.Pool | None = None
        self.refused_writes = 0
        """How often there was no room for what was to be written."""

    async def __aenter__(self) -> Self:
        try:
            self._pool = await asyncpg.create_pool(
                **self._address.arguments,
                min_size=1,
                max_size=self._connections,
                init=self._prepare,
                reset=_keep_session,
                server_settings={"application_name": "meetdeck", "timezone": "UTC"},
            )
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise SetupError(f"The database {self._address} cannot be used: {error}") from error
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            await self._pool.close()

    async def _prepare(self, connection: Connection) -> None:
        await require_isolation(connection, owner_may_serve=self._owner_may_serve)
        await _speak_json(connection)

    @property
    def pool(self) -> asyncpg.Pool:
        """Return the open pool."""
        if self._pool is None:
            raise RuntimeError("The database is not open: use `async with database`.")
        return self._pool

    @asynccontextmanager
    async def transaction(self, tenant_id: UUID, *, planned_anew: bool = False) -> AsyncGenerator[Connection]:
        """Open the request's one transaction: it sees and changes rows of this tenant only. Raises UnstorableText.

        `planned_anew`: its statements are planned for the tables' present contents, and not for those at the time that
        this connection first ran them. Lists need it (docs/decisions/0036); it costs a fraction of a millisecond.
        """
        plans = ", set_config('plan_cache_mode', 'force_custom_plan', true)" if planned_anew else ""
        async with self._connection() as connection, _ending(connection, "rollback", "commit"):
            # In one round trip; a UUID has no quotes. Who goes away while it begins is rolled back, too.
            await connection.execute(f"begin; select set_config('meetdeck.tenant', '{tenant_id}', true){plans}")
            yield connection

    @asynccontextmanager
    async def reading(self, tenant_id: UUID) -> AsyncGenerator[Connection]:
        """Yield what reads single resources of a tenant: each SELECT is a transaction of its own, in one round trip.

        It can do nothing else: `fetch`, `fetchrow` and `fetchval` of a `Connection` are there (docs/decisions/0087).
        """
        async with self._connection() as connection:
            yield cast("Connection", _Reading(connection, tenant_id))

    async def run(self, tenant_id: UUID, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run `work` in one transaction, from its start again when it deadlocked with another."""
        for _ in range(_TRIES - 1):
            try:
                async with self.transaction(tenant_id) as connection:
                    return await work(connection)
            except _WORTH_ANOTHER_TRY:
                continue
        async with self.transaction(tenant_id) as connection:
            return await work(connection)

    @asynccontextmanager
    async def outside_tenants(self) -> AsyncGenerator[Connection]:
        """Yield a connection that sees no tenant's rows: for authentication and health."""
        async with self._connection() as connection:
            yield connection

    async def require_writable(self) -> None:
        """Raise DatabaseFull unless the database has room on its disk and may write, DatabaseUnavailable without one.

        Nothing is kept, and nothing is written to the write-ahead log.
        """
        async with self._connection() as connection:
            if await connection.fetchval(_MAY_NOT_WRITE):
                raise DatabaseFull
            async with connection.transaction():
                await connection.execute("set local work_mem = '64kB'")
                await connection.execute(_WRITE_SOMETHING)

    @asynccontextmanager
    async def _connection(self) -> AsyncGenerator[Connection]:
        try:
            async with self.pool.acquire() as connection:
                yield connection
        except _UNSTORABLE:
            raise UnstorableText from None
        except asyncpg.ForeignKeyViolationError as error:
            log.info("changed meanwhile", constraint=error.constraint_name)
            raise ChangedMeanwhile from error
        except IsolationError as error:  # since we started, or elsewhere since the address leads elsewhere
            log.critical("database refused", error=str(error))
            raise DatabaseUnavailable from error
        except _UNREACHABLE as error:
            log.warning("database unavailable", error=repr(error))
            raise DatabaseUnavailable from error
        except _FULL as error:
            self.refused_writes += 1
            log.warning("database cannot write", error=str(error))
            raise DatabaseFull from error


@asynccontextmanager
async def savepoint(connection: Connection) -> AsyncGenerator[None]:
    """Roll back the block when it fails; the transaction goes on."""
    await connection.execute("savepoint attempt")
    # Released in both cases: of many attempts, none is inside those before.
    async with _ending(connection, "rollback to attempt; release attempt", "release attempt"):
        yield


@asynccontextmanager
async def _ending(connection: Connection, undo: str, keep: str) -> AsyncGenerator[None]:
    try:
        yield
    except BaseException:
        await connection.execute(undo)
        raise
    await connection.execute(keep)


@cache
def _read_in_tenant(sql: str, parameters: int) -> str:
    """Return a SELECT that sets the tenant, its last parameter, for itself.

    The subquery depends on the row that setting it gives, so that no table is read before; were one, its policy would
    show no row.
    """
    return (  # of our own SQL and a number
        f"select found.* from set_config('meetdeck.tenant', ${parameters + 1}, true) as tenant (id), lateral ("  # noqa: S608
        f"select * from ({sql.strip().removesuffix(';')}\n) as wanted where tenant.id is not null offset 0) as found"
    )


class _Reading:
    """Reads on a connection, outside of transactions, in one tenant."""

    def __init__(self, connection: Connection, tenant_id: UUID) -> None:
        self._connection = connection
        self._tenant = str(tenant_id)

    async def fetch(self, sql: str, *values: object) -> list[Record]:
        return await self._connection.fetch(_read_in_tenant(sql, len(values)), *values, self._tenant)

    async def fetchrow(self, sql: str, *values: object) -> Record | None:
        return await self._connection.fetchrow(_read_in_tenant(sql, len(values)), *values, self._tenant)

    async def fetchval(self, sql: str, *values: object) -> Any:  # noqa: ANN401 - any column
        return await self._connection.fetchval(_read_in_tenant(sql, len(values)), *values, self._tenant)


async def _keep_session(_: Connection) -> None:
    """Skip the statement that resets a session: everything that we set ends with its transaction, the tenant too."""


async def _speak_json(connection: Connection) -> None:
    """Set the connection's codec of `jsonb` to Python values."""
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        encoder=_encode_jsonb,
        decoder=_decode_jsonb,
        format="binary",
    )


def _encode_jsonb(value: object) -> bytes:
    # The version byte of jsonb's binary form
    return b"\x01" + msgspec.json.encode(value, enc_hook=_encode_for_postgres)


def _encode_for_postgres(value: object) -> object:
    """Return one of our own lengths or times as PostgreSQL reads it."""
    if isinstance(value, timedelta):
        return timedelta(days=value.days, seconds=value.seconds, microseconds=value.microseconds)
    if isinstance(value, time | datetime):
        return value.isoformat()
    raise NotImplementedError(f"{type(value)} has no form in PostgreSQL")


def _decode_jsonb(raw: bytes) -> object:
    return msgspec.json.decode(raw[1:])
