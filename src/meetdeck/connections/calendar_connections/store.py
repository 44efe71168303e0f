"""The SQL of calendar connections and their mailboxes."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID, uuid4

import msgspec

from meetdeck.connections.calendar_connections.schemas import (
    CalendarConnection,
    ConnectionContent,
    ConnectionKind,
    ConnectionStatus,
    Mailbox,
    MailboxesQuery,
)
from meetdeck.connections.schedules import Schedule
from meetdeck.platform.database import Columns, Connection, load_queries

_CONNECTIONS: Final = Columns(CalendarConnection)
_MAILBOXES: Final = Columns(Mailbox)
queries = load_queries(__file__)


class Secret(NamedTuple):
    """The encrypted credentials of an application: a secret, or a private key with its certificate."""

    sealed: bytes
    is_certificate: bool


class StoredAccount(msgspec.Struct, frozen=True, kw_only=True):
    """The account by which a connection signs in, with its encrypted credentials."""

    kind: ConnectionKind = ConnectionKind.MICROSOFT365
    directory_id: str | None = None
    client_id: str | None = None
    user_name: str | None = None
    secret_encrypted: bytes
    is_certificate: bool = False
    address: str
    login_address: str | None = None
    group_id: str | None = None
    tentative_blocks: bool
    members_at: datetime | None


class MatchedMailbox(msgspec.Struct, frozen=True, kw_only=True):
    """A mailbox of an employee or a room."""

    mailbox_id: UUID
    email: str
    employee_id: UUID | None
    room_id: UUID | None
    near_at: datetime | None
    far_at: datetime | None
    sought_at: datetime | None
    tried_at: datetime | None
    problem: str | None
    homes: list[str] = []
    time_zone: str | None = None
    near_tag: str | None = None
    far_tag: str | None = None

    @property
    def resource_id(self) -> UUID | None:
        """Return the employee or room."""
        return self.employee_id or self.room_id


class KeptTime(NamedTuple):
    """A time that an earlier reading stored."""

    status: str
    starts_at: datetime
    ends_at: datetime


async def list_connections(
    connection: Connection, now: datetime, connection_id: UUID | None = None
) -> list[CalendarConnection]:
    """Return the tenant's connections, the oldest first; or only the one with an id."""
    rows = queries.list_connections(connection, connection_id=connection_id, now=now)
    return [_CONNECTIONS.read(row) async for row in rows]


async def lock_connection(connection: Connection, connection_id: UUID) -> None:
    """Lock a connection until the transaction ends."""
    await queries.lock_connection(connection, connection_id=connection_id)


async def count_connections(connection: Connection) -> int:
    """Return how many connections the tenant has."""
    return await queries.count_connections(connection)


async def add_connection(
    connection: Connection, connection_id: UUID, kind: str, content: ConnectionContent, secret: Secret, now: datetime
) -> None:
    """Insert a connection."""
    await queries.add_connection(
        connection,
        connection_id=connection_id,
        kind=kind,
        secret=secret.sealed,
        is_certificate=secret.is_certificate,
        now=now,
        **_list_plain(content),
    )


async def update_connection(
    connection: Connection, connection_id: UUID, content: ConnectionContent, secret: Secret | None
) -> None:
    """Update a connection; without a secret the stored one stays."""
    await queries.update_connection(
        connection,
        connection_id=connection_id,
        secret=secret.sealed if secret else None,
        is_certificate=secret.is_certificate if secret else None,
        **_list_plain(content),
    )


async def set_writes(connection: Connection, connection_id: UUID, writes: str, now: datetime) -> None:
    """Set which events a connection writes from now on."""
    await queries.set_writes(connection, connection_id=connection_id, writes=writes, now=now)


async def delete_connection(connection: Connection, connection_id: UUID) -> None:
    """Delete a connection with its mailboxes and the times that were read from them."""
    await queries.delete_connection(connection, connection_id=connection_id)


async def find_account(connection: Connection, connection_id: UUID) -> StoredAccount | None:
    """Return the account with which a connection signs in."""
    row = await queries.find_account(connection, connection_id=connection_id)
    return msgspec.convert(dict(row), StoredAccount) if row else None


async def record_members(
    connection: Connection,
    connection_id: UUID,
    homes: Mapping[str, Sequence[str]],
    now: datetime,
    *,
    is_too_wide: bool,
) -> None:
    """Replace a connection's mailboxes by these addresses with their homes; match them to employees and rooms."""
    by_email = {email.lower(): paths for email, paths in homes.items()}
    each = sorted(by_email)
    await queries.record_members(
        connection,
        connection_id=connection_id,
        emails=each,
        ids=[uuid4() for _ in each],
        homes=[msgspec.json.encode(by_email[email]).decode() for email in each],
        now=now,
        is_too_wide=is_too_wide,
    )


async def record_problem(connection: Connection, connection_id: UUID, problem: str | None, now: datetime) -> None:
    """Record why nothing could be read; None means that reading works."""
    await queries.record_problem(connection, connection_id=connection_id, problem=problem, now=now)


async def lock_reported_status(connection: Connection, connection_id: UUID) -> ConnectionStatus | None:
    """Lock a connection, and return the status that its last event reported; None if the connection is gone."""
    status = await queries.lock_reported_status(connection, connection_id=connection_id)
    return ConnectionStatus(status) if status is not None else None


async def record_reported_status(connection: Connection, connection_id: UUID, status: ConnectionStatus) -> None:
    """Record the status that an event reports."""
    await queries.record_reported_status(connection, connection_id=connection_id, status=status.value)


async def list_mailboxes(
    connection: Connection, connection_id: UUID, wanted: MailboxesQuery
) -> tuple[list[Mailbox], int]:
    """Return a page of the wanted mailboxes by address, and how many there are in all."""
    rows = queries.list_mailboxes(
        connection,
        connection_id=connection_id,
        status=wanted.status and wanted.status.value,
        search=wanted.search,
        most=wanted.limit,
        skipped=wanted.offset,
    )
    found = [dict(row) async for row in rows]
    totals = [row.pop("total") for row in found]
    return [_MAILBOXES.read(row) for row in found if row["email"] is not None], totals[0]


async def list_matched(
    connection: Connection, connection_id: UUID, employee_ids: Sequence[UUID] | None
) -> list[MatchedMailbox]:
    """Return the mailboxes of employees and rooms, or only those of some employees."""
    rows = queries.list_matched(connection, connection_id=connection_id, employee_ids=employee_ids)
    return [msgspec.convert(dict(row), MatchedMailbox) async for row in rows]


async def list_of_resources(connection: Connection, resource_ids: Sequence[UUID]) -> list[tuple[UUID, MatchedMailbox]]:
    """Return the mailboxes of some employees and rooms, each with its connection."""
    rows = queries.list_of_resources(connection, resource_ids=resource_ids)
    return [(row["connection_id"], msgspec.convert(dict(row), MatchedMailbox)) async for row in rows]


async def lock_mailboxes(connection: Connection, mailbox_ids: Sequence[UUID]) -> dict[UUID, UUID | None]:
    """Lock mailboxes, and return the employee or room of each that still exists."""
    rows = queries.lock_mailboxes(connection, mailbox_ids=mailbox_ids)
    return {row["mailbox_id"]: row["resource_id"] async for row in rows}


async def list_kept_times(connection: Connection, mailbox_ids: Sequence[UUID]) -> dict[UUID, set[KeptTime]]:
    """Return the times that earlier readings of mailboxes stored."""
    kept: dict[UUID, set[KeptTime]] = {id_: set() for id_ in mailbox_ids}
    async for row in queries.list_kept_times(connection, mailbox_ids=[*mailbox_ids]):
        kept[row["calendar_id"]].add(KeptTime(row["status"], row["starts_at"], row["ends_at"]))
    return kept


async def record_reading(
    connection: Connection, horizon: str, schedules: Mapping[UUID, Schedule], now: datetime
) -> None:
    """Record that mailboxes were read for a horizon: their tags or problems."""
    ids = sorted(schedules)
    problems, tags = [schedules[id_].problem for id_ in ids], [schedules[id_].tag for id_ in ids]
    await queries.record_reading(connection, horizon=horizon, ids=ids, problems=problems, tags=tags, now=now)


async def list_emails(connection: Connection) -> list[str]:
    """Return the e-mail addresses of employees and rooms, in lower case."""
    return [row["email"] async for row in queries.list_emails(connection)]


async def list_ids(connection: Connection) -> list[UUID]:
    """Return the ids of the tenant's connections."""
    return [row["connection_id"] async for row in queries.list_ids(connection)]


async def list_connected_tenants(connection: Connection) -> list[UUID]:
    """Return the tenants that have a connection; called without a tenant."""
    return [row["tenant_id"] async for row in queries.list_connected_tenants(connection)]


async def record_sought(
    connection: Connection, employee_ids: Sequence[UUID], now: datetime, *, again_after: timedelta, recently: timedelta
) -> list[UUID]:
    """Record searches for employees, each at most once in `again_after`.

    Return the connections of those that were not searched for `recently`.
    """
    rows = queries.record_sought(
        connection, employee_ids=employee_ids, now=now, again_before=now - again_after, recently_before=now - recently
    )
    return [row["connection_id"] async for row in rows]


async def find_outsider(connection: Connection, connection_id: UUID) -> str | None:
    """Return the address of an employee outside the group, to test that it is denied."""
    return await queries.find_outsider(connection, connection_id=connection_id)


def _list_plain(content: ConnectionContent) -> dict[str, object]:
    """Return the members that are stored as columns."""
    names = (
        "name",
        "directory_id",
        "client_id",
        "address",
        "login_address",
        "group_id",
        "user_name",
        "tentative_blocks",
        "stale_after",
    )
    return {"when_stale": content.when_stale.value, **{name: getattr(content, name) for name in names}}
