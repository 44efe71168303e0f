"""The pages of the calendar: a week, and a meeting."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.calendar.customer import read_customer
from meetdeck.pages.console.calendar.desk import describe, describe_glance
from meetdeck.pages.console.calendar.explained_times import ExplainedSearch, explain
from meetdeck.pages.console.calendar.grid import list_events, read_drag, read_span
from meetdeck.pages.console.calendar.meeting import (
    MeetingForm,
    MeetingInZone,
    Places,
    list_changes,
    list_differences,
    merge,
    open_meeting,
    pick_places,
    read_first,
    write_typed,
)
from meetdeck.pages.console.calendar.moving import (
    describe_question,
    describe_replaced,
    find_next_times,
    find_replaced,
    read_move,
)
from meetdeck.pages.console.calendar.series import list_changed, write_query
from meetdeck.pages.console.calendar.shown_calendar import find_first, open_calendar, read_asked_day
from meetdeck.pages.console.calendar.views import describe_view
from meetdeck.pages.console.changes.undoing import read_undoable_notice
from meetdeck.pages.console.forms import Choice, load_choices
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    keep_id,
    name_topics,
    pick,
    read_number,
    read_zone,
    show_value,
    write_address,
)
from meetdeck.pages.telling import write_plainly
from meetdeck.platform.errors import NotFound
from meetdeck.platform.values import write_json

_REFUSED: Final = {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.PRECONDITION_FAILED}
_WAYS: Final = "meeting-types"
_FIELDS: Final = {"startDate": "begin", "endDate": "end", "employeeId": "employee", "roomId": "room"}


class Calendar(ConsoleController):
    """Weeks and meetings."""

    path = "/console/calendar"

    @get()
    async def show_week(self, page: CurrentPage) -> Response[bytes]:
        """Show a week of an advisor: the reader's own, unless another advisor or a room is chosen."""
        query = page.request.query_params
        whose = await pick(page, "calendars", "whose", query.get)
        if "whose.text" in query and whose.value:
            return page.lead_to(write_address("calendar", query, whose))
        number = read_number(query.get("page"))
        shown = await open_calendar(page, whose.value, number) or await open_calendar(page, await find_first(page))
        zone = await read_zone(page.api)
        return page.show(
            "calendar.html",
            **await describe_view(page, shown, zone),
            whose=whose if whose.error or shown is None else whose._replace(value=shown.key, text=shown.name),
            errors=[("whose", whose.error)] if whose.error else [],
            changed=await read_undoable_notice(page),
        )

    @get("/events.json")
    async def send_events(self, page: CurrentPage) -> Response[bytes]:
        """Answer the entries of the calendar's grid between two local times, as JSON."""
        zone = await read_zone(page.api)
        query = page.request.query_params
        shown = await open_calendar(page, query.get("whose", ""), read_number(query.get("page")))
        span = read_span(page, zone)
        if shown is None or span is None:
            raise NotFound("There is no such calendar.")
        return _send_json(await list_events(page, shown, span, query.get("topic", "")))

    @get("/why")
    async def explain_day(self, page: CurrentPage) -> Response[bytes]:
        """Show the times that a search offers on an advisor's day, and the rules that remove the others.

        A firm without employees is led to the calendar, which says so.
        """
        query = page.request.query_params
        advisor = await pick(page, "employees", "employee", query.get)
        if "employee.text" in query and advisor.value:
            return page.lead_to(write_address("calendar/why", query, advisor))
        kind, _, first = ("employee", "", advisor.value) if advisor.value else (await find_first(page)).partition(".")
        if kind != "employee":
            return page.lead_to("calendar")
        topics, ways = await name_topics(page.api), await load_choices(page.api, page.texts, [_WAYS])
        values: dict[str, Any] = {"topics": topics, "ways": ways[_WAYS]}
        values["wanted"] = wanted = await _read_wanted(page, UUID(first), topics, ways[_WAYS])
        if advisor.error:
            return page.show("why.html", **values, advisor=advisor, errors=[("employee", advisor.error)])
        values["advisor"] = await show_value(page, "employees", "employee", first)
        try:
            return page.show("why.html", **values, stretches=await explain(page, wanted))
        except ApiRefusal as refused:
            if refused.status not in _REFUSED:
                raise
            return page.show("why.html", HTTPStatus.UNPROCESSABLE_ENTITY, **values, errors=[("", refused.detail)])

    @get("/customer")
    async def show_customer(self, page: CurrentPage) -> Response[bytes]:
        """Show all meetings of a customer (`?id=`), including past ones."""
        customer = await read_customer(page, page.request.query_params.get("id", ""))
        if not (customer.coming or customer.before):
            raise NotFound("No meeting is this customer's.")
        return page.show("customer.html", customer=customer)

    @get("/meetings/{meeting_id:uuid}")
    async def show_meeting(self, page: CurrentPage, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Show a meeting with its history and forms."""
        opened = await open_meeting(page, meeting_id)
        return await _show_meeting(page, opened, write_typed(opened))

    @get("/meetings/{meeting_id:uuid}/glance")
    async def glance(self, page: CurrentPage, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Show the most important of a meeting: a part of the calendar, which asks for it where somebody points."""
        return page.show("calendar-glance.html", **await describe_glance(page, await open_meeting(page, meeting_id)))

    @post("/meetings/{meeting_id:uuid}/move", status_code=HTTPStatus.SEE_OTHER)
    async def move(self, form: CurrentForm, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Move a meeting to another time, advisor or room; a conflict is explained beside the form."""
        page, first = form.page, read_first(form)
        places = await pick_places(page, form.values.get)
        typed = read_move(form, first, places)
        opened = await open_meeting(page, meeting_id)
        if places.faults:
            return await _show_meeting(page, opened, typed, places.faults, places=places)
        if opened.tag != form.get("tag"):
            return await _show_stale(page, opened, first, typed)
        try:
            changes = list_changes(opened.zone, first, typed)
        except ValueError:
            errors = [("day", page.texts.translate("Choose a day, and when the meeting begins and ends."))]
            return await _show_meeting(page, opened, typed, errors)
        replaced = None if form.get("others") else await find_replaced(page, opened, changes)
        instead = describe_question(page, replaced) if replaced is not None else ""
        if instead and instead != form.get("sure"):
            return await _show_meeting(page, opened, typed, [("", instead)], HTTPStatus.CONFLICT)
        ids = await list_changed(form, opened)
        try:
            if changes:
                await page.api.patch(
                    f"booking/meetings/{meeting_id}", changes, form.get("tag"), query=write_query(form)
                )
        except ApiRefusal as refused:
            return await _show_refusal(page, opened, typed, refused)
        moved = ",".join(map(str, ids))
        return page.lead_to(f"calendar/meetings/{meeting_id}?moved={moved}&at={int(page.now.timestamp())}")

    @post("/meetings/{meeting_id:uuid}/drag", status_code=HTTPStatus.OK)
    async def drag(self, form: CurrentForm, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Move a meeting to where it was dragged, and answer `{}`, or why that is not possible (409).

        A move after which others of a service group come instead has `canAgree`: sent again as `sure`, it is made.
        """
        page = form.page
        opened = await open_meeting(page, meeting_id)
        try:
            changes = read_drag(form, opened)
            if replaced := await find_replaced(page, opened, changes):
                told = describe_replaced(page, replaced)
                if told != form.get("sure"):
                    return _send_json({"detail": told, "canAgree": True}, HTTPStatus.CONFLICT)
            await page.api.patch(f"booking/meetings/{meeting_id}", changes, opened.tag)
        except ValueError:
            return _send_json({"detail": page.texts.translate("That is not a valid time.")}, HTTPStatus.CONFLICT)
        except ApiRefusal as refused:
            detail = " ".join(write_plainly(fault.detail) for fault in refused.faults) or write_plainly(refused.detail)
            return _send_json({"detail": detail}, HTTPStatus.CONFLICT)
        return _send_json({})

    @post("/meetings/{meeting_id:uuid}/attendance", status_code=HTTPStatus.SEE_OTHER)
    async def record_attendance(self, form: CurrentForm, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Store whether the customer came; nobody gets a message about it."""
        page = form.page
        opened = await open_meeting(page, meeting_id)
        changes = {"attendance": form.get("attendance") or None}
        try:
            await page.api.patch(f"booking/meetings/{meeting_id}", changes, opened.tag)
        except ApiRefusal as refused:
            return await _show_refusal(page, opened, write_typed(opened), refused)
        return page.lead_to(f"calendar/meetings/{keep_id(form.get('shown')) or meeting_id}?noted=1")

    @post("/meetings/{meeting_id:uuid}/cancel", status_code=HTTPStatus.SEE_OTHER)
    async def cancel(self, form: CurrentForm, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Cancel a meeting; all attendees are notified."""
        page = form.page
        opened = await open_meeting(page, meeting_id)
        ids = await list_changed(form, opened)
        headers = {"If-Match": form.get("tag")}
        try:
            await page.api.send("DELETE", f"booking/meetings/{meeting_id}", query=write_query(form), headers=headers)
        except ApiRefusal as refused:
            return await _show_refusal(page, opened, write_typed(opened), refused)
        day = opened.meeting.start_date.astimezone(opened.zone).date()
        done = f"cancelled={','.join(map(str, ids))}&at={int(page.now.timestamp())}"
        return page.lead_to(f"calendar?whose=employee.{opened.meeting.employee_id}&day={day}&{done}")

    @post("/meetings/{meeting_id:uuid}/undo", status_code=HTTPStatus.SEE_OTHER)
    async def undo(self, form: CurrentForm, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Undo the last change of a meeting, and show it; if it is too late, show the calendar."""
        page = form.page
        try:
            await page.api.send("POST", f"booking/meetings/{meeting_id}/undo")
        except ApiRefusal as refused:
            if refused.status != HTTPStatus.CONFLICT:
                raise
            return page.lead_to("calendar?late=1")
        return page.lead_to(f"calendar/meetings/{meeting_id}?undone=1")


def _send_json(value: object, status: int = HTTPStatus.OK) -> Response[bytes]:
    headers = {"Cache-Control": "no-store"}
    return Response(write_json(value), media_type="application/json", status_code=status, headers=headers)


async def _read_wanted(
    page: ConsolePage, employee_id: UUID, topics: Mapping[UUID, str], ways: Sequence[Choice]
) -> ExplainedSearch:
    """Return the requested search without unknown values; by default today, any topic, online."""
    query = page.request.query_params
    today = page.now.astimezone(await read_zone(page.api)).date()
    topic, way = query.get("topic", ""), query.get("type", "")
    return ExplainedSearch(
        employee_id,
        read_asked_day(query.get("day", ""), today),
        topic if topic in map(str, topics) else "",
        way if way in {one.value for one in ways} else ways[1].value,
    )


async def _show_refusal(
    page: ConsolePage, opened: MeetingInZone, typed: MeetingForm, refused: ApiRefusal
) -> Response[bytes]:
    """Answer the form as it was sent, with the API's reason."""
    if refused.status not in _REFUSED:
        raise refused
    if refused.status == HTTPStatus.PRECONDITION_FAILED:
        return await _show_stale(page, await open_meeting(page, opened.meeting.id), write_typed(opened), typed)
    errors = [(_FIELDS.get(fault.pointer.strip("/").split("/")[0], ""), fault.detail) for fault in refused.faults]
    return await _show_meeting(page, opened, typed, errors or [("", refused.detail)], HTTPStatus.CONFLICT)


async def _show_stale(
    page: ConsolePage, opened: MeetingInZone, first: MeetingForm, typed: MeetingForm
) -> Response[bytes]:
    """Answer a meeting that somebody else has changed: the typed values beside what they have saved (412)."""
    status = HTTPStatus.PRECONDITION_FAILED
    return await _show_meeting(page, opened, merge(first, typed, write_typed(opened)), status=status)


async def _show_meeting(
    page: ConsolePage,
    opened: MeetingInZone,
    typed: MeetingForm,
    errors: list[tuple[str, str]] | None = None,
    status: int | None = None,
    places: Places | None = None,
) -> Response[bytes]:
    values: dict[str, Any] = await describe(page, opened)
    can_move = opened.meeting.cancelled_at is None and not values["is_over"]
    values["next_times"] = await find_next_times(page, opened) if can_move else []
    is_stale = status == HTTPStatus.PRECONDITION_FAILED
    values["differences"] = await list_differences(page, typed, write_typed(opened)) if is_stale else []
    values["places"] = places or await pick_places(page, typed._asdict().get)
    status = status or (HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK)
    told: dict[str, Any] = {
        name: name in page.request.query_params for name in ("booked", "noted", "prepared", "unprepared")
    }
    told["changed"] = await read_undoable_notice(page, opened.meeting.id)
    return page.show("meeting.html", status, typed=typed, errors=errors or [], **told, **values)
