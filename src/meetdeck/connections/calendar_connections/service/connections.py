"""Creates, changes and deletes calendar connections."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, TypeVar
from uuid import UUID, uuid4

from msgspec import structs

from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.errors import (
    CalendarConnectionNotFound,
    InvalidCalendarConnection,
    TooManyCalendarConnections,
)
from meetdeck.connections.calendar_connections.schemas import (
    LONGEST_STALE_AFTER,
    SHORTEST_STALE_AFTER,
    CalendarConnection,
    ConnectionContent,
    ConnectionKind,
    CreateConnection,
    Writes,
)
from meetdeck.connections.calendar_connections.service.reading import QUEUE
from meetdeck.connections.graph.assertions import read_credential
from meetdeck.connections.graph.client import DEFAULT_ADDRESS, DEFAULT_LOGIN_ADDRESS
from meetdeck.events.webhooks.service.webhooks import SecretKeeper
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.outgoing import OutgoingClient, OutgoingRefused
from meetdeck.platform.values import Duration, refuse
from meetdeck.platform.values.patching import JsonPatch, apply_patch
from meetdeck.platform.work import cancel, enqueue

C = TypeVar("C", bound=ConnectionContent)

KIND: Final = "calendar-connections"
"""The kind of these resources in the audit log, and the last step of their address."""
MOST_CONNECTIONS: Final = 10
_PROVE: Final = "The application authenticates by certificate or clientSecret: send one of them."
_MEMBERS: Final[Mapping[ConnectionKind, Mapping[str, bool]]] = {
    ConnectionKind.MICROSOFT365: {
        "directory_id": True,
        "client_id": True,
        "group_id": True,
        "certificate": False,
        "client_secret": False,
        "address": False,
        "login_address": False,
    },
    ConnectionKind.CALDAV: {"address": True, "user_name": True, "password": False},
}
"""The members of each kind that others lack, and whether they are required."""
_NAMES: Final = {field.name: field.encode_name for field in structs.fields(ConnectionContent)}
_READ_ONLY: Final = (
    "id",
    "kind",
    "status",
    "problem",
    "mailboxes",
    "matched",
    "oldestSeconds",
    "lastRoundAt",
    "unwritten",
    "writeProblem",
)


async def get_connection(
    connection: Connection, connection_id: UUID, now: datetime, *, for_update: bool = False
) -> CalendarConnection:
    """Return a connection, locked when `for_update`. Raises CalendarConnectionNotFound."""
    if for_update:
        await store.lock_connection(connection, connection_id)
    found = await store.list_connections(connection, now, connection_id)
    if not found:
        raise CalendarConnectionNotFound(connection_id)
    return found[0]


async def require_allowed(client: OutgoingClient, content: ConnectionContent, hosts: Sequence[str] | None) -> None:
    """Raise InvalidCalendarConnection if an address may not be called.

    Resolves host names: call it outside transactions.
    """
    for member, address in (("address", content.address), ("loginAddress", content.login_address)):
        if address is None:
            continue
        try:
            await client.require_allowed(address, hosts)
        except OutgoingRefused as error:
            raise InvalidCalendarConnection(member, str(error)) from None


def complete_new(body: CreateConnection) -> CreateConnection:
    """Return a body with the default addresses of its kind.

    Raises InvalidInput or InvalidCalendarConnection if there is no credential, more than one, or an unreadable one.
    """
    content = complete(body.kind, body)
    if body.kind is ConnectionKind.CALDAV and body.password is None:
        refuse([Fault("/password", "Send the account's password.")])
    if body.kind is ConnectionKind.MICROSOFT365 and body.certificate is None and body.client_secret is None:
        refuse([Fault("/certificate", _PROVE)])
    return content


async def create_connection(
    connection: Connection, body: CreateConnection, keeper: SecretKeeper, now: datetime
) -> CalendarConnection:
    """Insert a connection and enqueue its first reading. Raises TooManyCalendarConnections."""
    if await store.count_connections(connection) >= MOST_CONNECTIONS:
        raise TooManyCalendarConnections(MOST_CONNECTIONS)
    connection_id, secret = uuid4(), _seal(body, keeper)
    if secret is None:
        raise InvalidCalendarConnection("certificate", "It is missing.")
    await store.add_connection(connection, connection_id, body.kind.value, body, secret, now)
    await store.set_writes(connection, connection_id, body.writes.value, now)
    await enqueue(connection, QUEUE, connection_id, due_at=now)
    return await get_connection(connection, connection_id, now)


def patch_connection(before: CalendarConnection, patch: JsonPatch) -> ConnectionContent:
    """Return the result of a JSON Patch.

    Raises InvalidPatch, PatchTestFailed, InvalidInput; InvalidCalendarConnection for another address without a secret.
    """
    content = complete(before.kind, apply_patch(before, patch, ConnectionContent, read_only=_READ_ONLY))
    is_elsewhere = (content.address, content.login_address) != (before.address, before.login_address)
    if is_elsewhere and _find_proof(content) is None:
        if before.kind is ConnectionKind.CALDAV:
            raise InvalidCalendarConnection("password", "With another address, send the password again.")
        raise InvalidCalendarConnection("clientSecret", "With another address, send the certificate or secret again.")
    return content


async def update_connection(
    connection: Connection, before: CalendarConnection, content: ConnectionContent, keeper: SecretKeeper, now: datetime
) -> CalendarConnection:
    """Update a connection that the caller has locked, and enqueue a reading."""
    await store.update_connection(connection, before.id, content, _seal(content, keeper))
    await store.set_writes(connection, before.id, content.writes.value, now)
    await enqueue(connection, QUEUE, before.id, due_at=now)
    return await get_connection(connection, before.id, now)


async def delete_connection(connection: Connection, before: CalendarConnection) -> None:
    """Delete a connection that the caller has locked, with the times that were read through it."""
    await cancel(connection, QUEUE, before.id)
    await store.delete_connection(connection, before.id)


def complete(kind: ConnectionKind, content: C) -> C:
    """Return a content with the default addresses of its kind.

    Raises InvalidInput for missing members or members of another kind, InvalidCalendarConnection for an unreadable
    certificate.
    """
    own, given = _MEMBERS[kind], {name: getattr(content, name) is not None for name in _NAMES}
    needed = [name for name, is_needed in own.items() if is_needed and not given[name]]
    foreign = [name for other in _MEMBERS.values() for name in other if name not in own and given[name]]
    refuse(
        [
            *(Fault(f"/{_NAMES[name]}", f"A connection of the kind {kind.value} requires it.") for name in needed),
            *(
                Fault(f"/{_NAMES[name]}", f"A connection of the kind {kind.value} does not have it. Leave it out.")
                for name in foreign
            ),
        ]
    )
    if kind is ConnectionKind.CALDAV and content.writes is not Writes.NONE:
        refuse([Fault("/writes", "Write None: CalDAV calendars are read only.")])
    if content.certificate is not None and content.client_secret is not None:
        refuse([Fault("/certificate", _PROVE)])
    _check_content(content)
    if kind is ConnectionKind.CALDAV:
        return content
    return structs.replace(
        content,
        address=content.address or DEFAULT_ADDRESS,
        login_address=content.login_address or DEFAULT_LOGIN_ADDRESS,
    )


def _check_content(content: ConnectionContent) -> None:
    if not SHORTEST_STALE_AFTER <= content.stale_after <= LONGEST_STALE_AFTER:
        shortest, longest = Duration.of(SHORTEST_STALE_AFTER), Duration.of(LONGEST_STALE_AFTER)
        refuse([Fault("/staleAfter", f"Write a duration from {shortest} to {longest}.")])
    if content.certificate is not None:
        try:
            read_credential(content.certificate)
        except ValueError as error:
            raise InvalidCalendarConnection("certificate", str(error)) from None


def _seal(content: ConnectionContent, keeper: SecretKeeper) -> store.Secret | None:
    """Return the credential in the body, encrypted."""
    if (proof := _find_proof(content)) is None:
        return None
    return store.Secret(keeper.encryption.encrypt(keeper.tenant_id, proof), content.certificate is not None)


def _find_proof(content: ConnectionContent) -> str | None:
    return content.certificate or content.client_secret or content.password
