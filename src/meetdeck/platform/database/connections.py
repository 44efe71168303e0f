"""Connections to PostgreSQL: their addresses, how they are opened, and the codec of `jsonb`."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, Final, NamedTuple, NotRequired, TypedDict
from uuid import uuid4

import asyncpg
import msgspec
import structlog
from asyncpg import exceptions

from meetdeck.platform.database.connection_pool import ConnectionPool
from meetdeck.platform.database.isolation import require_isolation
from meetdeck.platform.database.queries import Connection
from meetdeck.platform.errors import SetupError, describe_error

log = structlog.stdlib.get_logger()

# A connection whose other end is gone is found after 25 s, idle or not; a system that lacks an option keeps its own.
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 25_000}

NO_CONNECTION: Final = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server is not of the requested kind
    RuntimeError,  # the loop's: the server closed it between two steps
)
"""The errors of a connection that could not be opened."""

_PATIENCE_SECONDS: Final = 10.0
_QUICK_SECONDS: Final = 1.0
"""The time that one of several servers may take before the next one is tried."""

_PAUSE_SECONDS: Final = 0.5
"""The pause after an attempt that all of several servers have refused: each costs a handshake."""

_STATEMENTS: Final = 100  # asyncpg's own number of statements that a connection keeps prepared

# True when PostgreSQL knows our statement by its name although another process answered our connection.
_IS_NAME_PASSED_ON: Final = (
    "select pg_backend_pid() <> $1 and exists (select from pg_prepared_statements where name = $2)"
)


class ConnectArguments(TypedDict):
    """The keyword arguments of `asyncpg.connect`."""

    host: str
    port: int
    user: str
    password: str
    database: str
    ssl: NotRequired[str]
    target_session_attrs: NotRequired[str]


class DatabaseServer(NamedTuple):
    """A server of a database; `host` may be a socket's folder."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a database, and our role there. `host` may be a socket's folder; `repr` has no password.

    `sslmode`: one of libpq's names; None is `prefer`. `others`: servers that are tried as well, as after a failover;
    `session` (libpq's `target_session_attrs`): which of them is acceptable; None is any.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str
    sslmode: str | None = None
    others: tuple[DatabaseServer, ...] = ()
    session: str | None = None

    def __str__(self) -> str:
        """Return the database's name as an operator would write it."""
        return f"{self.database} on {' or '.join(server.host for server in self.servers)}"

    @property
    def servers(self) -> list[DatabaseServer]:
        """Return the servers, in the order in which they are tried."""
        return [DatabaseServer(self.host, self.port), *self.others]

    @property
    def arguments(self) -> ConnectArguments:
        """Return the arguments for asyncpg, with the first server."""
        arguments = ConnectArguments(
            host=self.host, port=self.port, user=self.user, password=self.password, database=self.database
        )
        if self.sslmode is not None:
            arguments["ssl"] = self.sslmode
        if self.session is not None:
            arguments["target_session_attrs"] = self.session
        return arguments

    async def connect(self) -> asyncpg.Connection:
        """Return an open connection. Raises SetupError when the server cannot be reached or refuses us.

        It prepares no statements by name, so that any pooler may be between; for frequent queries use a pool.
        """
        try:
            return await Dialer(self).connect(statement_cache_size=0)
        except NO_CONNECTION as error:
            raise SetupError(f"The database {self} cannot be used: {describe_error(error)}") from error


class Dialer:
    """Opens connections to the first acceptable server of an address that answers; the last one is tried first.

    A silent server must not take all the time that a caller waits: of several servers, each gets a second, and ten
    afterwards. While none is acceptable, as before a promotion, one attempt at a time, and two a second, are enough:
    all others are refused without asking.
    """

    def __init__(self, address: Address) -> None:
        self._arguments = address.arguments
        self._servers = address.servers
        self._refusal = ""
        """The reason why the last attempt failed, empty when it succeeded."""
        self._refused_until = 0.0
        self._is_asking_again = False

    async def connect(self, **options: Any) -> Connection:  # noqa: ANN401 - asyncpg's, passed on
        """Return an open connection. Raises what asyncpg raises, and TimeoutError with a message."""
        if len(self._servers) == 1:
            return await self._try(self._servers[0], _PATIENCE_SECONDS, options)
        if not self._refusal:
            return await self._find(options)
        if self._is_asking_again or asyncio.get_running_loop().time() < self._refused_until:
            raise exceptions.PostgresConnectionError(self._refusal)
        self._is_asking_again = True
        try:
            return await self._find(options)
        finally:
            self._is_asking_again = False

    async def _find(self, options: dict[str, Any]) -> Connection:
        """Return an open connection to the first acceptable server."""
        reasons: dict[DatabaseServer, Exception] = {}
        for seconds in (_QUICK_SECONDS, _PATIENCE_SECONDS):
            for server in self._servers:
                try:
                    connection = await self._try(server, seconds, options)
                except NO_CONNECTION as error:
                    reasons[server] = error
                    continue
                except asyncio.CancelledError:  # the caller's time is over: the next one's begins with another server
                    self._servers = [*(other for other in self._servers if other != server), server]
                    raise
                self._servers = [server, *(other for other in self._servers if other != server)]
                self._refusal = ""
                return connection
            if not any(isinstance(error, TimeoutError) for error in reasons.values()):
                break
        self._refusal = "; ".join(f"{server.host}: {describe_error(error)}" for server, error in reasons.items())
        self._refused_until = asyncio.get_running_loop().time() + _PAUSE_SECONDS
        raise exceptions.PostgresConnectionError(self._refusal)

    async def _try(self, server: DatabaseServer, seconds: float, options: dict[str, Any]) -> Connection:
        try:
            arguments: dict[str, Any] = self._arguments | server._asdict() | {"timeout": seconds} | options
            return await asyncpg.connect(**arguments)
        except TimeoutError as error:
            raise TimeoutError(f"no answer within {seconds:.0f} second{'' if seconds == 1 else 's'}") from error


async def open_pool(
    address: Address,
    *,
    connections: int,
    owner_may_serve: bool,
    at_once: int = 1,
    command_seconds: float | None = None,
    check: Callable[[Connection], Awaitable[None]] | None = None,
) -> ConnectionPool:
    """Return a pool of connections that are isolated by tenant, and read and write `jsonb`.

    `at_once`: how many are opened now. `check` is called with each connection. Raises what asyncpg raises.
    """
    dial = _Connector(Dialer(address)).connect
    options = {"application_name": "meetdeck", "timezone": "UTC"}

    async def connect() -> Connection:
        connection = await dial(command_timeout=command_seconds, server_settings=options)
        try:
            _keep_alive(connection)
            await require_isolation(connection, owner_may_serve=owner_may_serve)
            if check is not None:
                await check(connection)
            await speak_json(connection)
        except BaseException:
            connection.terminate()  # asyncpg would send its farewell and wait for a server that may be silent
            raise
        return connection

    pool = ConnectionPool(connect, least=at_once, most=connections)
    await pool.open()
    return pool


class _Connector:
    """Opens a pool's connections, which keep statements prepared unless a pooler in between does not.

    A pooler in transaction mode (PgBouncer) gives each transaction another of its connections to PostgreSQL. From 1.21
    on PgBouncer prepares missing statements there; an older one, or one configured not to, passes our names on, where
    they mean nothing or another's statement.
    """

    def __init__(self, dialer: Dialer) -> None:
        self._dialer = dialer
        self._statements = _STATEMENTS

    async def connect(self, **options: Any) -> Connection:  # noqa: ANN401 - asyncpg's, passed on
        """Return an open connection. Each is checked: an address may lead elsewhere tomorrow."""
        connection = await self._dialer.connect(**options, statement_cache_size=self._statements)
        try:
            statements = 0 if await _is_name_passed_on(connection) else _STATEMENTS
        except BaseException:
            connection.terminate()
            raise
        if statements == self._statements:
            return connection
        await connection.close()
        log.info("way to the database changed", prepared_statements="kept" if statements else "not kept by the pooler")
        self._statements = statements
        return await self._dialer.connect(**options, statement_cache_size=statements)


async def _is_name_passed_on(connection: Connection) -> bool:
    """Return whether a pooler passes the names of prepared statements to PostgreSQL unchanged."""
    name = f"meetdeck_{uuid4().hex}"  # no other process's statement is used, whichever connection a pooler takes
    async with connection.transaction():
        statement = await connection.prepare(_IS_NAME_PASSED_ON, name=name)
        # The answer to our connection named a process: a pooler invents a number.
        passed_on: bool = await statement.fetchval(connection.get_server_pid(), name)
        if passed_on:
            await connection.execute(f"deallocate {name}")  # where it is: no later call would use it
    return passed_on


def _keep_alive(connection: Connection) -> None:
    """Enable TCP keep-alive, so that the system notices a dead peer."""
    untyped: Any = connection
    opened = untyped._transport.get_extra_info("socket")  # noqa: SLF001 - asyncpg has no option for it
    if opened is None or opened.family == socket.AF_UNIX:
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if (option := getattr(socket, name, None)) is not None:
            opened.setsockopt(socket.IPPROTO_TCP, option, value)


async def speak_json(connection: Connection) -> None:
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
