"""The addresses of manage links: a booked meeting is shown, moved, changed and cancelled. Only POST acts."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from litestar import Controller, Response, get, post

from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.portal.endpoints import MOST_FORM_BYTES, PAGE_REFUSALS, SEE_OTHER
from meetdeck.pages.portal.journey import Form, Portals
from meetdeck.pages.portal.schemas import Hold, Ticket, Visit
from meetdeck.pages.portal.service.details import list_fields, read_typed
from meetdeck.pages.portal.service.holds import ChosenTime, Wanted, hold_time, keep_time
from meetdeck.pages.portal.service.managing import ManagedMeeting, read_typed_of
from meetdeck.pages.portal.service.offers import Way, label_meeting_type
from meetdeck.pages.portal.steps import Kept, Offer, Page, show_times
from meetdeck.pages.portal.views import describe_hold, list_errors, show_time, show_zone
from meetdeck.platform.errors import Conflict, Invalid, NotFound
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.responses import CALENDAR, answer_file
from meetdeck.platform.http.services import Service


class ManagePages(Controller):
    """The pages of a meeting that was booked in a portal, for whoever has its link."""

    path = "/p/{address:str}/m/{token:str}"
    include_in_schema = False
    exception_handlers = PAGE_REFUSALS  # pyright: ignore[reportAssignmentType] - Litestar's is wider
    request_max_body_size = MOST_FORM_BYTES

    @get()
    async def show_meeting(
        self, request: AnyRequest, portals: Service[Portals], address: str, token: str
    ) -> Response[bytes]:
        """Show the meeting, and what can be done with it; after booking, that it is booked."""
        visit = await portals.visit(request, address)
        managed = await portals.managing.get(visit, token)
        done = next((name for name in ("booked", "moved", "changed") if request.query_params.get(name)), "")
        return _show(Page(request, portals, visit), token, managed, "manage.html", {"done": done})

    @get("/meeting.ics")
    async def send_calendar(
        self, request: AnyRequest, portals: Service[Portals], address: str, token: str
    ) -> Response[bytes]:
        """Answer the meeting's calendar file."""
        visit = await portals.visit(request, address)
        if not visit.portal.ical_enabled:
            raise NotFound("This portal has no calendar files.")
        calendar = await portals.managing.write_calendar(visit, token)
        return answer_file(calendar, media_type=f"{CALENDAR}; method=PUBLISH; charset=utf-8", file_name="meeting.ics")

    @get("/cancel")
    async def ask_to_cancel(
        self, request: AnyRequest, portals: Service[Portals], address: str, token: str
    ) -> Response[bytes]:
        """Ask whether the meeting is to be cancelled."""
        visit = await portals.visit(request, address)
        return _show(Page(request, portals, visit), token, await portals.managing.get(visit, token), "cancel.html")

    @post("/cancel", status_code=HTTPStatus.OK)
    async def cancel(self, request: AnyRequest, portals: Service[Portals], address: str, token: str) -> Response[bytes]:
        """Cancel the meeting, and show that it is cancelled."""
        visit, _ = await portals.visit_by_form(request, address)
        managed = await portals.managing.cancel(visit, token)
        return _show(Page(request, portals, visit), token, managed, "cancelled.html")

    @get("/details")
    async def show_form(
        self, request: AnyRequest, portals: Service[Portals], address: str, token: str
    ) -> Response[bytes]:
        """Show the form that the meeting was booked with."""
        visit = await portals.visit(request, address)
        managed = await portals.managing.get(visit, token)
        fields = list_fields(visit, read_typed_of(visit, managed.meeting))
        return _show(Page(request, portals, visit), token, managed, "change.html", {"fields": fields})

    @post("/details", status_code=SEE_OTHER)
    async def change(self, request: AnyRequest, portals: Service[Portals], address: str, token: str) -> Response[bytes]:
        """Change what was typed, and show the meeting."""
        visit, form = await portals.visit_by_form(request, address)
        typed = read_typed(form.values)
        fields = list_fields(visit, typed, is_checked=True)
        if errors := list_errors(fields):
            managed = await portals.managing.get(visit, token)
            status = HTTPStatus.BAD_REQUEST
            values = {"fields": fields, "errors": errors}
            return _show(Page(request, portals, visit), token, managed, "change.html", values, status=status)
        await portals.managing.change(visit, token, typed)
        return _lead_to_meeting(visit, token, "changed")

    @get("/move")
    async def show_times_to_move(
        self, request: AnyRequest, portals: Service[Portals], address: str, token: str
    ) -> Response[bytes]:
        """Show the times to which the meeting can move."""
        visit = await portals.visit(request, address)
        return await _show_other_times(Page(request, portals, visit), token)

    @post("/hold", status_code=HTTPStatus.OK)
    async def hold(self, request: AnyRequest, portals: Service[Portals], address: str, token: str) -> Response[bytes]:
        """Hold another time for the meeting, and ask whether it is to move there."""
        visit, form = await portals.visit_by_form(request, address)
        page, managed = Page(request, portals, visit), await portals.managing.get(visit, token)
        chosen, ticket = ChosenTime.read(form.get("time")), portals.find_ticket(visit, form)
        if chosen is None or ticket is None:
            return await _show_other_times(page, token, _say_not_held(visit))
        meeting = managed.meeting
        ticket = Ticket(portal_id=visit.portal.id, token=ticket.token, meeting_id=meeting.id)
        way = _find_way(visit, managed)
        portals.count_hold(request, visit)
        try:
            held = await hold_time(portals.database, visit, ticket, Wanted(meeting.topic_id, way, meeting), chosen)
        except (Conflict, Invalid):
            return await _show_other_times(page, token, _say_not_held(visit), ticket)
        return _show_held(page, token, managed, held)

    @post("/keep", status_code=HTTPStatus.OK)
    async def keep(self, request: AnyRequest, portals: Service[Portals], address: str, token: str) -> Response[bytes]:
        """Hold the other time for another five minutes."""
        visit, form = await portals.visit_by_form(request, address)
        page, managed = Page(request, portals, visit), await portals.managing.get(visit, token)
        held = _find_hold(portals, visit, form, managed)
        if held is None:
            return await _show_other_times(page, token, _say_not_held(visit))
        try:
            return _show_held(page, token, managed, await keep_time(portals.database, visit, held))
        except (Conflict, Invalid):
            return await _show_other_times(page, token, _say_not_held(visit), held)

    @post("/move", status_code=SEE_OTHER)
    async def move(self, request: AnyRequest, portals: Service[Portals], address: str, token: str) -> Response[bytes]:
        """Move the meeting to the held time, and show it."""
        visit, form = await portals.visit_by_form(request, address)
        page, managed = Page(request, portals, visit), await portals.managing.get(visit, token)
        held = _find_hold(portals, visit, form, managed)
        if held is None:
            return await _show_other_times(page, token, _say_not_held(visit))
        try:
            await portals.managing.move(visit, token, held)
        except (Conflict, Invalid):
            return await _show_other_times(page, token, _say_not_held(visit), held)
        return _lead_to_meeting(visit, token, "moved")


def _find_hold(portals: Portals, visit: Visit, form: Form, managed: ManagedMeeting) -> Hold | None:
    """Return the time that is held for this very meeting."""
    held = portals.find_hold(visit, form)
    return held if held is not None and held.meeting_id == managed.meeting.id else None


def _find_way(visit: Visit, managed: ManagedMeeting) -> Way:
    meeting_type = managed.meeting.type
    place = managed.location if meeting_type is MeetingType.PHYSICAL else ""
    return Way(meeting_type, label_meeting_type(visit, meeting_type), place, managed.place)


async def _show_other_times(page: Page, token: str, problem: str = "", ticket: Ticket | None = None) -> Response[bytes]:
    managed = await page.portals.managing.get(page.visit, token)
    way = _find_way(page.visit, managed)
    offer = Offer(await page.portals.managing.find_topic(page.visit, managed), way, [], [way])
    kept = None
    if problem:
        kept_ticket = (ticket or page.portals.make_ticket(page.visit)).as_ticket()
        kept = Kept(typed=read_typed({}), person=None, ticket=kept_ticket, problem=problem)
    return await show_times(page, offer, kept, moving=managed, action=f"/m/{token}")


def _show_held(page: Page, token: str, managed: ManagedMeeting, held: Hold) -> Response[bytes]:
    values = describe_hold(page.visit, held) | {"sealed_hold": page.portals.seals.seal(held, page.visit.now)}
    return _show(page, token, managed, "moving.html", values)


def _show(
    page: Page,
    token: str,
    managed: ManagedMeeting,
    name: str,
    values: Mapping[str, Any] = MappingProxyType({}),
    *,
    status: int = HTTPStatus.OK,
) -> Response[bytes]:
    visit = page.visit
    meeting = managed.meeting
    return page.show(
        name,
        status,
        managed=managed,
        token=token,
        time_shown=show_time(visit, meeting.start_date, meeting.end_date),
        way_shown=label_meeting_type(visit, meeting.type),
        zone_name=show_zone(visit),
        **values,
    )


def _lead_to_meeting(visit: Visit, token: str, done: str) -> Response[bytes]:
    query = visit.choices.write(topic_id=None, meeting_type=None, place="", advisor_id=None, day=None, others=())
    location = f"../{token}{query}{'&' if len(query) > 1 else ''}{done}=1"
    return Response(b"", status_code=SEE_OTHER, headers={"Location": location})


def _say_not_held(visit: Visit) -> str:
    return visit.texts.say("That time is not free any more. Your meeting stays where it is until you move it.")
