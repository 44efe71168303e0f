"""Connections to PostgreSQL: where to, how they are opened, and how texts of `jsonb` become Python values."""

import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, Final, NotRequired, TypedDict
from uuid import uuid4

import asyncpg
import msgspec
import structlog

from meetdeck.platform.errors import SetupError, tell_reason
from meetdeck.platform.isolation import require_isolation
from meetdeck.platform.queries import Connection

log = structlog.stdlib.get_logger()

# A connection whose other end is gone is found after 25 s, idle or not; a system that lacks an option keeps its own.
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 25_000}

_STATEMENTS: Final = 100  # asyncpg's own number of statements that a connection keeps prepared

# Whether PostgreSQL knows a statement of ours by the name that we gave it, and is not who answered our connecting.
_IS_NAME_PASSED_ON: Final = (
    "select pg_backend_pid() <> $1 and exists (select from pg_prepared_statements where name = $2)"
)


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
        """Return an open connection. Raises SetupError when the server cannot be reached or refuses us.

        It prepares no statements by name, so that any pooler may stand between; who asks often takes a pool.
        """
        try:
            return await asyncpg.connect(**self.arguments, statement_cache_size=0)
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise SetupError(f"The database {self} cannot be used: {tell_reason(error)}") from error


async def open_pool(
    address: Address,
    *,
    connections: int,
    owner_may_serve: bool,
    at_once: int = 1,
    command_seconds: float | None = None,
    check: Callable[[Connection], Awaitable[None]] | None = None,
) -> asyncpg.Pool:
    """Return a pool of connections that are isolated by tenant, and read and write `jsonb`.

    `at_once`: how many are opened now. `check` is asked about each connection, too. Raises what asyncpg raises.
    """

    async def prepare(connection: Connection) -> None:
        try:
            _keep_alive(connection)
            await require_isolation(connection, owner_may_serve=owner_may_serve)
            if check is not None:
                await check(connection)
            await speak_json(connection)
        except BaseException:
            connection.terminate()  # asyncpg would say goodbye, and wait for a server that may be silent
            raise

    return await asyncpg.create_pool(
        **address.arguments,
        min_size=at_once,
        max_size=connections,
        connect=_Connector().connect,
        init=prepare,
        reset=_keep_session,
        command_timeout=command_seconds,
        server_settings={"application_name": "meetdeck", "timezone": "UTC"},
    )


class _Connector:
    """Opens a pool's connections, which keep statements prepared unless a pooler in between does not.

    A pooler in transaction mode (PgBouncer) gives each transaction another of its connections to PostgreSQL. From 1.21
    on PgBouncer prepares there what is missing; an older one, or one told not to, passes our names on, to where they
    mean nothing or another's statement.
    """

    def __init__(self) -> None:
        self._statements = _STATEMENTS

    async def connect(self, *args: Any, **kwargs: Any) -> Connection:  # noqa: ANN401 - asyncpg's, passed on
        """Return an open connection. Each is asked anew: an address may lead elsewhere tomorrow."""
        connection = await asyncpg.connect(*args, **kwargs, statement_cache_size=self._statements)
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
        return await asyncpg.connect(*args, **kwargs, statement_cache_size=statements)


async def _is_name_passed_on(connection: Connection) -> bool:
    """Return whether a pooler hands the names of prepared statements to PostgreSQL as they are."""
    name = f"meetdeck_{uuid4().hex}"  # another's is never met, whichever connection a pooler takes
    async with connection.transaction():
        statement = await connection.prepare(_IS_NAME_PASSED_ON, name=name)
        # Who answered our connecting named a process: a pooler, a number of its own.
        passed_on: bool = await statement.fetchval(connection.get_server_pid(), name)
        if passed_on:
            await connection.execute(f"deallocate {name}")  # where it is: it would be kept for nobody
    return passed_on


def _keep_alive(connection: Connection) -> None:
    """Let the system find out when the other end of a connection is gone."""
    untyped: Any = connection
    opened = untyped._transport.get_extra_info("socket")  # noqa: SLF001 - asyncpg has no option for it
    if opened is None or opened.family == socket.AF_UNIX:
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEPALIVE.items():
        if (option := getattr(socket, name, None)) is not None:
            opened.setsockopt(socket.IPPROTO_TCP, option, value)


async def _keep_session(_: Connection) -> None:
    """Skip the statement that resets a session: everything that we set ends with its transaction, the tenant too."""


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
