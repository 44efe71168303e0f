"""Calendar connections' addresses, in v3 only. All need the elevated role."""

from functools import partial
from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, delete, get, patch, post
from litestar.params import PathParameter

from meetdeck.connections.calendar_connections import store
from meetdeck.connections.calendar_connections.schemas import (
    CalendarConnection,
    ConnectionContent,
    CreateConnection,
    Mailbox,
    MailboxesQuery,
    ReadConnection,
)
from meetdeck.connections.calendar_connections.service import connections as service
from meetdeck.connections.calendar_connections.service.connections import KIND
from meetdeck.connections.calendar_connections.service.reading import ConnectionReader
from meetdeck.events.webhooks.service.webhooks import SecretKeeper
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import Call, CurrentCall, Service, audits, observes
from meetdeck.platform.http.lists import ANSWERS_TOTAL, answer_part
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts
from meetdeck.platform.values.patching import JsonPatch

_AREA = f"booking/config/{KIND}"

ConnectionId = Annotated[UUID, PathParameter(description="The connection's `id`.")]

_NEW_CONNECTION = {
    "name": "Microsoft 365",
    "kind": "Microsoft365",
    "directoryId": "7a1b8c8e-0d3c-4c0a-9f55-3f6f0f3f8f11",
    "clientId": "0b0b2f2e-6f0e-4b8e-8a25-5c1d2f5b7a90",
    "clientSecret": "the application's secret",
    "groupId": "2f1d7f4c-9f50-4c13-9d0b-1d6f1f0a6c55",
}
_FREE_WHEN_TENTATIVE = [{"op": "replace", "path": "/tentativeBlocks", "value": False}]


class CalendarConnections(Controller):
    """Connections to the calendars of a whole firm: the times of its employees and rooms block bookings."""

    path = f"/config/{KIND}"
    tags = ("Calendars",)
    opt = audits(KIND) | observes(
        "status", "problem", "mailboxes", "matched", "oldestSeconds", "lastRoundAt", "unwritten", "writeProblem"
    )

    @get(summary="List calendar connections")
    async def list_calendar_connections(self, call: CurrentCall) -> list[CalendarConnection]:
        """Return the connections, the oldest first. All operations here need the elevated role."""
        async with call.transaction() as connection:
            return await store.list_connections(connection, call.now)

    @get("/{connection_id:uuid}", summary="Read a calendar connection")
    async def get_calendar_connection(
        self, call: CurrentCall, connection_id: ConnectionId
    ) -> Response[CalendarConnection]:
        """Return a connection; `status` shows whether the calendars are read, and `problem` why not."""
        async with call.reading() as connection:
            return call.answer(await service.get_connection(connection, connection_id, call.now))

    @post(
        status_code=201, summary="Add a calendar connection", **accepts(body=CreateConnection, example=_NEW_CONNECTION)
    )
    async def create_calendar_connection(
        self, call: CurrentCall, payload: Body[CreateConnection], outgoing: Service[OutgoingClient]
    ) -> Response[CalendarConnection]:
        """Add a connection; its mailboxes are matched to employees and rooms by e-mail, and read in turns."""
        content = service.complete_new(payload)
        async with call.reading() as connection:
            hosts = await find_outgoing_hosts(connection)
        await service.require_allowed(outgoing, content, hosts)
        return await call.create(
            payload, _AREA, lambda connection: service.create_connection(connection, content, _keeper(call), call.now)
        )

    @patch(
        "/{connection_id:uuid}",
        summary="Change a calendar connection",
        **accepts(patch=ConnectionContent, example=_FREE_WHEN_TENTATIVE),
    )
    async def update_calendar_connection(
        self,
        call: CurrentCall,
        connection_id: ConnectionId,
        payload: Body[JsonPatch],
        outgoing: Service[OutgoingClient],
    ) -> Response[CalendarConnection]:
        """Change a connection by JSON Patch; with another address, send the certificate, secret or password again."""
        async with call.reading() as connection:
            before = await service.get_connection(connection, connection_id, call.now)
            hosts = await find_outgoing_hosts(connection)
        await service.require_allowed(outgoing, service.patch_connection(before, payload), hosts)

        async def change(connection: Connection, before: CalendarConnection) -> CalendarConnection:
            content = service.patch_connection(before, payload)
            return await service.update_connection(connection, before, content, _keeper(call), call.now)

        return await call.change(partial(service.get_connection, now=call.now), connection_id, change)

    @delete("/{connection_id:uuid}", summary="Delete a calendar connection")
    async def delete_calendar_connection(self, call: CurrentCall, connection_id: ConnectionId) -> None:
        """Delete a connection, with all times that were read by it."""
        await call.delete(partial(service.get_connection, now=call.now), connection_id, service.delete_connection)

    @get(
        "/{connection_id:uuid}/mailboxes",
        summary="List a connection's mailboxes",
        **accepts(query=MailboxesQuery),
        **ANSWERS_TOTAL,
    )
    async def list_calendar_mailboxes(
        self, call: CurrentCall, connection_id: ConnectionId, params: Query[MailboxesQuery]
    ) -> Response[list[Mailbox]]:
        """Return the mailboxes by address, with the employee or room of each."""
        async with call.transaction() as connection:
            await service.get_connection(connection, connection_id, call.now)
            items, total = await store.list_mailboxes(connection, connection_id, params)
        return answer_part(call, items, total if params.limit is not None else None)

    @post(
        "/{connection_id:uuid}/read",
        status_code=200,
        summary="Read calendars at once",
        **accepts(body=ReadConnection, example={"employeeIds": []}),
    )
    async def read_calendar_connection(
        self,
        call: CurrentCall,
        connection_id: ConnectionId,
        payload: Body[ReadConnection],
        connection_reader: Service[ConnectionReader],
    ) -> CalendarConnection:
        """Read the mailboxes of employees at once, or all that are due; return the connection also when that failed."""
        async with call.reading() as connection:
            await service.get_connection(connection, connection_id, call.now)
        await connection_reader.read_now(call.principal.tenant_id, connection_id, payload.employee_ids)
        async with call.reading() as connection:
            return await service.get_connection(connection, connection_id, call.now)


def _keeper(call: Call) -> SecretKeeper:
    return SecretKeeper(call.encryption, call.principal.tenant_id)
