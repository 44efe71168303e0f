"""What Meetdeck uses of asyncpg, which ships no types."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import IO, Any, Self

from .connection import LoggedQuery
from .exceptions import (
    CharacterNotInRepertoireError as CharacterNotInRepertoireError,
    DeadlockDetectedError as DeadlockDetectedError,
    ExclusionViolationError as ExclusionViolationError,
    ForeignKeyViolationError as ForeignKeyViolationError,
    InsufficientPrivilegeError as InsufficientPrivilegeError,
    InterfaceError as InterfaceError,
    InternalClientError as InternalClientError,
    PostgresError as PostgresError,
    SerializationError as SerializationError,
    UniqueViolationError as UniqueViolationError,
    UntranslatableCharacterError as UntranslatableCharacterError,
)

class Record(Mapping[str, Any]): ...

class Transaction:
    async def __aenter__(self) -> None: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class Connection:
    async def execute(self, query: str, *args: object, timeout: float | None = None) -> str: ...
    async def executemany(self, command: str, args: Iterable[Sequence[object]]) -> None: ...
    async def fetch(self, query: str, *args: object) -> list[Record]: ...
    async def fetchrow(self, query: str, *args: object) -> Record | None: ...
    async def fetchval(self, query: str, *args: object) -> Any: ...
    async def copy_from_query(
        self, query: str, *args: object, output: Callable[[bytes], Awaitable[None]], format: str = ...
    ) -> str: ...
    async def copy_to_table(
        self, table_name: str, *, source: IO[bytes], columns: Sequence[str], format: str = ...
    ) -> str: ...
    async def copy_records_to_table(
        self, table_name: str, *, records: Iterable[Sequence[object]], columns: Sequence[str]
    ) -> str: ...
    def cursor(self, query: str, *args: object, prefetch: int | None = None) -> AsyncIterator[Record]: ...
    def transaction(self, *, isolation: str | None = None, readonly: bool = False) -> Transaction: ...
    async def set_type_codec(
        self,
        typename: str,
        *,
        schema: str = "public",
        encoder: Callable[[Any], object],
        decoder: Callable[[Any], object],
        format: str = "text",
    ) -> None: ...
    def query_logger(self, callback: Callable[[LoggedQuery], None]) -> AbstractContextManager[None]: ...
    async def close(self, *, timeout: float | None = None) -> None: ...

class _Acquire:
    async def __aenter__(self) -> Connection: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

class Pool:
    def acquire(self, *, timeout: float | None = None) -> _Acquire: ...
    async def close(self) -> None: ...
    def get_size(self) -> int: ...
    def get_idle_size(self) -> int: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

async def connect(
    dsn: str | None = None,
    *,
    host: str | None = None,
    port: int | None = None,
    user: str | None = None,
    password: str | None = None,
    database: str | None = None,
    timeout: float = 60,
    server_settings: Mapping[str, str] | None = None,
) -> Connection: ...
async def create_pool(
    dsn: str | None = None,
    *,
    min_size: int = 10,
    max_size: int = 10,
    init: Callable[[Connection], Awaitable[None]] | None = None,
    server_settings: Mapping[str, str] | None = None,
    **connect_kwargs: object,
) -> Pool: ...
