"""Calendars' addresses, in v3 only. All need the elevated role."""

from functools import partial
from typing import Annotated
from uuid import UUID

from litestar import Controller, Response, delete, get, patch, post
from litestar.params import PathParameter

from meetdeck.booking import examples
from meetdeck.connections.calendars import store
from meetdeck.connections.calendars.schemas import Calendar, CalendarContent, CalendarsQuery, CreateCalendar
from meetdeck.connections.calendars.service import calendars as service
from meetdeck.connections.calendars.service.calendars import KIND
from meetdeck.connections.calendars.service.reading import CalendarReader, find_zone
from meetdeck.events.webhooks.service.webhooks import SecretKeeper
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import Call, CurrentCall, Service, audits, observes
from meetdeck.platform.http.lists import ANSWERS_TOTAL, answer_part
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.outgoing import OutgoingClient
from meetdeck.platform.settings.outgoing_hosts import find_outgoing_hosts
from meetdeck.platform.values.patching import JsonPatch

_AREA = f"booking/config/{KIND}"

CalendarId = Annotated[UUID, PathParameter(description="The calendar's `id`.")]

_NEW_CALENDAR = {
    "employeeId": examples.EMPLOYEE,
    "kind": "Ics",
    "address": "https://calendar.example.com/anna.ics",
}
_OTHER_ADDRESS = [{"op": "replace", "path": "/address", "value": "https://calendar.example.com/anna-2.ics"}]


class Calendars(Controller):
    """Calendars of employees and rooms that other systems keep: their times block bookings."""

    path = f"/config/{KIND}"
    tags = ("Calendars",)
    opt = audits(KIND) | observes("lastReadAt", "staleSeconds", "status", "problem", "leftOut")

    @get(summary="List calendars", **accepts(query=CalendarsQuery), **ANSWERS_TOTAL)
    async def list_calendars(self, call: CurrentCall, params: Query[CalendarsQuery]) -> Response[list[Calendar]]:
        """Return the calendars, the oldest first. All operations here need the elevated role."""
        async with call.transaction() as connection:
            items, total = await store.list_calendars(connection, params, call.now)
        return answer_part(call, items, total if params.limit is not None else None)

    @get("/{calendar_id:uuid}", summary="Read a calendar")
    async def get_calendar(self, call: CurrentCall, calendar_id: CalendarId) -> Response[Calendar]:
        """Return a calendar; `status` shows whether it can be read, and `problem` why not."""
        async with call.reading() as connection:
            return call.answer(await service.get_calendar(connection, calendar_id, call.now))

    @post(status_code=201, summary="Add a calendar", **accepts(body=CreateCalendar, example=_NEW_CALENDAR))
    async def create_calendar(
        self, call: CurrentCall, payload: Body[CreateCalendar], outgoing: Service[OutgoingClient]
    ) -> Response[Calendar]:
        """Add a calendar of an employee or a room; it is read at once in the background, and every 15 minutes.

        Only times are kept of it, no titles, places or attendees.
        """
        service.check_new(payload)
        async with call.reading() as connection:
            hosts, zone = await find_outgoing_hosts(connection), await find_zone(connection, payload.employee_id)
        await service.require_allowed(outgoing, payload.address, hosts)
        upload = await service.read_upload(payload, zone, call.now)
        return await call.create(
            payload,
            _AREA,
            lambda connection: service.create_calendar(connection, payload, upload, _keeper(call), call.now),
        )

    @patch("/{calendar_id:uuid}", summary="Change a calendar", **accepts(patch=CalendarContent, example=_OTHER_ADDRESS))
    async def update_calendar(
        self, call: CurrentCall, calendar_id: CalendarId, payload: Body[JsonPatch], outgoing: Service[OutgoingClient]
    ) -> Response[Calendar]:
        """Change where a calendar is read by JSON Patch; with another server, send the password again."""
        async with call.reading() as connection:
            before = await service.get_calendar(connection, calendar_id, call.now)
            hosts, zone = await find_outgoing_hosts(connection), await find_zone(connection, before.employee_id)
        content = service.patch_calendar(before, payload)
        await service.require_allowed(outgoing, content.address, hosts)
        upload = await service.read_upload(content, zone, call.now)

        async def change(connection: Connection, calendar: Calendar) -> Calendar:
            content = service.patch_calendar(calendar, payload)
            return await service.update_calendar(connection, calendar, content, upload, _keeper(call), call.now)

        return await call.change(partial(service.get_calendar, now=call.now), calendar_id, change)

    @delete("/{calendar_id:uuid}", summary="Delete a calendar")
    async def delete_calendar(self, call: CurrentCall, calendar_id: CalendarId) -> None:
        """Delete a calendar, with all times that were read from it."""
        await call.delete(partial(service.get_calendar, now=call.now), calendar_id, service.delete_calendar)

    @post("/{calendar_id:uuid}/read", status_code=200, summary="Read a calendar at once")
    async def read_calendar(
        self, call: CurrentCall, calendar_id: CalendarId, calendar_reader: Service[CalendarReader]
    ) -> Calendar:
        """Read a calendar at once, and return it as it is then, also when reading failed (`status: Failing`)."""
        async with call.reading() as connection:
            await service.get_calendar(connection, calendar_id, call.now)
        await calendar_reader.run(call.principal.tenant_id, calendar_id, call.now)
        async with call.reading() as connection:
            return await service.get_calendar(connection, calendar_id, call.now)


def _keeper(call: Call) -> SecretKeeper:
    return SecretKeeper(call.encryption, call.principal.tenant_id)
