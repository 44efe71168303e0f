"""Time slots' addresses (contract section 4: Time slots)."""

from functools import partial

from litestar import Controller, Response, delete, get, patch, post
from litestar.exceptions import MethodNotAllowedException
from litestar.response import Stream

from meetdeck.booking import examples
from meetdeck.booking.addresses import TimeSlotId
from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars
from meetdeck.booking.scheduling.time_slots.schemas import (
    AddedTimeSlot,
    CalendarEntryContent,
    CreateCalendarEntries,
    DeleteTimeSlotQuery,
    EntriesPreview,
    ListedTimeSlot,
    ReservedTimeSlot,
    ReserveTimeSlot,
    TimeSlotsQuery,
)
from meetdeck.booking.scheduling.time_slots.service import calendar_entries, listed_slots, reservations
from meetdeck.booking.scheduling.time_slots.store.listed_slots import write_slots
from meetdeck.platform.changes import KeptAnswer
from meetdeck.platform.database import Connection
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import CurrentCall, Service, answers
from meetdeck.platform.http.lists import answer_list, answer_page
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values import Version
from meetdeck.platform.values.patching import JsonPatch


class TimeSlots(Controller):
    """Free time: searching it, and holding some of it."""

    path = "/time-slots"
    tags = ("Time slots",)

    @get(summary="List time slots", **accepts(query=TimeSlotsQuery), **answers(stream_of=ListedTimeSlot))
    async def list_time_slots(
        self, call: CurrentCall, params: Query[TimeSlotsQuery], request: AnyRequest
    ) -> Response[bytes] | Stream:
        """Return the time slots that overlap a period, by start: reserved and booked ones, unless `status` is given.

        Those of an employee include meetings in which the employee only takes part. Busy, ExtraOpen and
        WorkingFromElsewhere are listed when `status` includes them.
        """
        page = params.page
        async with call.transaction() as connection:
            slot_filter = await listed_slots.read_filter(connection, params, call.now)
        write = partial(write_slots, slot_filter=slot_filter, page=page, now=call.now)
        if page is None:
            return await answer_list(call, write)
        begin, end = slot_filter.between
        pinned = {} if params.is_whole_series else {"startDate": begin.isoformat(), "endDate": end.isoformat()}
        return await answer_page(call, request, page, write, pinned=pinned)

    @get("/{time_slot_id:uuid}", summary="Read a time slot")
    async def get_time_slot(self, call: CurrentCall, time_slot_id: TimeSlotId) -> Response[ListedTimeSlot]:
        """Return the current state of a time slot, to which the Location of a reservation or a calendar entry leads."""
        async with call.reading() as connection:
            return call.answer(await listed_slots.get_slot(connection, time_slot_id, call.now))

    @post(
        "/reserve",
        status_code=201,
        summary="Reserve a time slot",
        **accepts(body=ReserveTimeSlot, example=examples.RESERVATION),
    )
    async def reserve_time_slot(
        self, call: CurrentCall, payload: Body[ReserveTimeSlot], outside_calendars: Service[OutsideCalendars]
    ) -> Response[ReservedTimeSlot]:
        """Reserve a time slot for five minutes; an earlier reservation of the same token is released.

        A connected calendar that was not read in the last minute is read again before.
        """
        tenant_id = call.principal.tenant_id
        is_verified = await outside_calendars.read_again(
            tenant_id, lambda connection: reservations.find_wanted(connection, payload, call.now)
        )

        async def reserve_at_once(connection: Connection, kept: KeptAnswer | None) -> ReservedTimeSlot | None:
            return await reservations.reserve_at_once(connection, tenant_id, payload, call.now, kept)

        return await call.create(
            payload,
            "booking/time-slots",
            lambda connection: reservations.reserve(connection, payload, call.now, is_verified=is_verified),
            at_once=None if is_verified is False else reserve_at_once,
        )

    @delete("/{time_slot_id:uuid}", summary="Give back a reservation", **accepts(query=DeleteTimeSlotQuery))
    async def delete_time_slot(
        self, call: CurrentCall, time_slot_id: TimeSlotId, params: Query[DeleteTimeSlotQuery]
    ) -> None:
        """End a reservation whose `token` you have: its time is free at once. An ended one stays unchanged.

        In v3, without a `token`, delete a calendar entry, or all of its series. A meeting's time slot is freed by
        cancelling the meeting.
        """
        if params.token is not None:
            read = partial(reservations.get_reservation, token=params.token, now=call.now)
            await call.delete(read, time_slot_id, partial(reservations.end_reservation, now=call.now))
            return
        if call.version is Version.V2:  # it never deleted anything else
            raise MethodNotAllowedException(headers={"Allow": "GET"})
        await call.delete(
            partial(calendar_entries.get_entry, now=call.now),
            time_slot_id,
            partial(calendar_entries.delete_entry, now=call.now, series=params.series),
        )


class CalendarEntries(Controller):
    """Time slots that are not meetings; only v3 can change them."""

    path = "/time-slots"
    tags = ("Time slots",)

    @post(
        status_code=201,
        summary="Add a calendar entry",
        **accepts(body=CreateCalendarEntries, example=examples.BUSY_TIME),
    )
    async def create_time_slot(
        self, call: CurrentCall, payload: Body[CreateCalendarEntries]
    ) -> Response[AddedTimeSlot]:
        """Add busy time of an employee or a room, more hours of an employee, or hours at another place.

        For several employees, or with a `recurrence`, a series of such entries is added, and the first is answered with
        its `seriesId` and all `timeSlots`.

        Entries may overlap each other, and existing meetings stay. Busy blocks later bookings, unless they set
        `ignoreTimeSlotConflicts`.
        """
        return await call.create(
            payload, "booking/time-slots", lambda connection: calendar_entries.add_entry(connection, payload, call.now)
        )

    @post(
        "/preview",
        status_code=200,
        summary="Preview calendar entries",
        **accepts(body=CreateCalendarEntries, example=examples.BUSY_TIME),
    )
    async def preview_time_slots(self, call: CurrentCall, payload: Body[CreateCalendarEntries]) -> EntriesPreview:
        """Return the times and employees of the entries that adding this body would add; nothing is added."""
        async with call.transaction() as connection:
            return await calendar_entries.preview_entries(connection, payload, call.now)

    @patch(
        "/{time_slot_id:uuid}",
        summary="Change a calendar entry",
        **accepts(patch=CalendarEntryContent, example=examples.LONGER_BUSY_TIME),
    )
    async def update_time_slot(
        self, call: CurrentCall, time_slot_id: TimeSlotId, payload: Body[JsonPatch]
    ) -> Response[ListedTimeSlot]:
        """Change `startDate`, `endDate` or `status` of a calendar entry by JSON Patch.

        A reserved or booked time slot changes with its reservation or meeting.
        """

        async def change(connection: Connection, current: ListedTimeSlot) -> ListedTimeSlot:
            return await calendar_entries.change_entry(connection, current, payload, call.now)

        return await call.change(partial(calendar_entries.get_entry, now=call.now), time_slot_id, change)
