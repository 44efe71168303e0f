"""Running the checks of loaded resources; the first fault names table, row and member."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from meetdeck.administration.archives.reading import BrokenArchive, shorten
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import MeetdeckError

R = TypeVar("R")

_LONGEST_DETAIL: Final = 300
_UNREADABLE: Final = (ValueError, TypeError, LookupError, ArithmeticError)  # msgspec's errors name only the first fault


@dataclass(frozen=True, slots=True)
class Check(Generic[R]):
    """The check of a table's resources: `read` returns some by id, or all; `require` raises for an invalid one."""

    table: str
    read: Callable[[Connection, Sequence[UUID] | None], Awaitable[Iterable[R]]]
    require: Callable[[Connection, R], Awaitable[object]]
    key: str = "id"
    """The member that identifies the resource."""
    column: str = ""
    """The column of that member, unless it has the usual name: `portal_id`."""


async def require_sound(connection: Connection, checks: Sequence[Check[Any]]) -> None:
    """Raise BrokenArchive for the first resource that the API would refuse. The checks' changes are rolled back."""
    await connection.execute("savepoint unchecked")
    for check in checks:
        await _run(connection, check)
    await connection.execute("rollback to savepoint unchecked")


async def _run(connection: Connection, check: Check[Any]) -> None:
    for resource in await _read(connection, check):
        try:
            await check.require(connection, resource)
        except MeetdeckError as error:
            raise describe_fault(check.table, getattr(resource, check.key), error) from None
        except _UNREADABLE as error:
            raise BrokenArchive(f"{check.table} {getattr(resource, check.key)}: {shorten(str(error))}") from None


async def _read(connection: Connection, check: Check[Any]) -> Iterable[Any]:
    """Return all resources; if one cannot be read, find it. Raises BrokenArchive."""
    try:
        return await check.read(connection, None)
    except _UNREADABLE as error:
        column = check.column or f"{check.table}_id"
        rows = await connection.fetch(f'select "{column}" as id from "{check.table}"')  # noqa: S608 - of our own list
        for row in rows:
            await _read_one(connection, check, row["id"])
        raise BrokenArchive(f"{check.table} has a row that cannot be read: {shorten(str(error))}") from None


async def _read_one(connection: Connection, check: Check[Any], resource_id: UUID) -> None:
    try:
        await check.read(connection, [resource_id])
    except _UNREADABLE as error:
        message, _, path = str(error).partition(" - at `$.")
        member = path.rstrip("`") or "a member"
        raise BrokenArchive(f"{check.table} {resource_id}, {member}: {shorten(message)}") from None


def describe_fault(table: str, key: object, error: MeetdeckError) -> BrokenArchive:
    """Return the API's message about a resource, with its table, row and member."""
    fault = error.faults[0] if error.faults else None
    member = fault.pointer.strip("/") if fault is not None else ""
    detail = (fault.detail if fault is not None else error.detail)[:_LONGEST_DETAIL].rstrip(".")
    return BrokenArchive(f"{table} {key}{f', {member}' if member else ''}: {shorten(detail, _LONGEST_DETAIL)}")
