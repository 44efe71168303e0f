"""The addresses of manage links, which show, move, change and cancel a booked meeting. Only POST acts."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.booking.scheduling.errors import SeriesConflict
from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.html import lead_to
from meetdeck.pages.portal.endpoints import (
    SEE_OTHER,
    PageController,
    describe_hold_limit,
    lead_to_meeting,
    refuse_hold,
)
from meetdeck.pages.portal.requests import CurrentForm, CurrentPage, Page, SentForm
from meetdeck.pages.portal.schemas import FormValues, Hold, Ticket, Visit
from meetdeck.pages.portal.service.calendar_links import list_calendars
from meetdeck.pages.portal.service.details import list_fields
from meetdeck.pages.portal.service.hold_limits import HoldRefused
from meetdeck.pages.portal.service.holds import ChosenTime, MeetingChoice
from meetdeck.pages.portal.service.managing import ManagedMeeting, changes_email, find_email, read_typed_of
from meetdeck.pages.portal.service.offers import MeetingOption, label_meeting_type
from meetdeck.pages.portal.steps import CarriedSteps, Offer, show_times
from meetdeck.pages.portal.views import describe_hold, list_errors, show_people, show_replaced, show_time, show_zone
from meetdeck.platform.errors import Conflict, Invalid, NotFound
from meetdeck.platform.http.answers import CALENDAR, answer_file

_DONE = ("booked", "moved", "changed")


class ManagePages(PageController):
    """The pages of a meeting that was booked in a portal, for people with its link."""

    path = "/p/{address:str}/m/{token:str}"

    @get()
    async def show_meeting(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the meeting, and the possible actions; after booking, that it is booked."""
        done = next((name for name in _DONE if page.request.query_params.get(name)), "")
        managed = await _find(page, token)
        tells_mail = done == "booked" and await page.portals.sends_mail(page.visit)
        values = {
            "done": done,
            "calendars": list_calendars(managed),
            "mailed_to": find_email(managed.meeting) if tells_mail else "",
        }
        return _show(page, token, managed, "manage.html", values)

    @get("/meeting.ics")
    async def send_calendar(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Answer the meeting's calendar file."""
        if not page.visit.portal.ical_enabled:
            raise NotFound("This portal has no calendar files.")
        calendar = await page.portals.managing.write_calendar(page.visit, token)
        return answer_file(calendar, media_type=f"{CALENDAR}; method=PUBLISH; charset=utf-8", file_name="meeting.ics")

    @get("/cancel")
    async def show_cancelling(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the question whether to cancel the meeting."""
        return _show(page, token, await _find(page, token), "cancel.html")

    @post("/cancel", status_code=HTTPStatus.OK)
    async def cancel(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Cancel the meeting, and show that it is cancelled."""
        page = form.page
        cancelled = await page.portals.managing.cancel(page.visit, token, series=bool(form.get("series")))
        return _show(page, token, cancelled, "cancelled.html")

    @get("/details")
    async def show_form(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the form with which the meeting was booked."""
        managed = await _find(page, token)
        fields = list_fields(page.visit, read_typed_of(page.visit, managed.meeting))
        return _show(page, token, managed, "change.html", {"fields": fields})

    @post("/details", status_code=SEE_OTHER)
    async def change(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Change the typed values, and show the meeting."""
        page, visit = form.page, form.page.visit
        fields = list_fields(visit, form.typed, is_checked=True)
        managed = await _find(page, token)
        if errors := list_errors(fields):
            values = {"fields": fields, "errors": errors}
            return _show(page, token, managed, "change.html", values, status=HTTPStatus.BAD_REQUEST)
        if changes_email(visit, managed.meeting, form.typed):
            await page.count_address_change(managed.meeting.id)
            await page.count_mail()
        by_mail = await page.portals.sends_mail(visit)
        old_email = await page.portals.managing.change(visit, token, form.typed, is_confirmed_by_mail=by_mail)
        if old_email is not None:
            return _show(page, token, managed, "address-asked.html", {"old_email": old_email, "typed": form.typed})
        return lead_to_meeting(visit, f"../{token}", "changed")

    @get("/move")
    async def show_times_to_move(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the times to which the meeting can move."""
        return await _show_other_times(page, token)

    @post("/times", status_code=SEE_OTHER)
    async def choose_again(self, form: CurrentForm) -> Response[bytes]:
        """Give the held time back, and redirect to the times to which the meeting can move."""
        await form.give_back()
        return lead_to(f"move{form.page.visit.choices.write(others=())}")

    @post("/stop", status_code=SEE_OTHER)
    async def stop(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Give the held time back, and redirect to the meeting, which is unchanged."""
        await form.give_back()
        return lead_to(f"../{token}{form.page.visit.choices.write(others=())}")

    @get(["/hold", "/keep", "/times", "/stop"], status_code=SEE_OTHER)
    async def begin_anew(self) -> Response[bytes]:
        """Redirect to the times from the address of a step to which only a form leads."""
        return Response(b"", status_code=SEE_OTHER, headers={"Location": "move"})

    @post("/hold", status_code=HTTPStatus.OK)
    async def hold(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Hold another time for the meeting, and ask whether to move it there."""
        page, visit, managed = form.page, form.page.visit, await _find(form.page, token)
        chosen, given = ChosenTime.read(form.get("time")), form.ticket
        if chosen is None or given is None:
            return await _show_other_times(page, token, _describe_taken(visit))
        meeting = managed.meeting
        ticket = Ticket(portal_id=visit.portal.id, token=given.token, meeting_id=meeting.id)
        topic = await page.portals.managing.find_topic(visit, managed)
        wanted = MeetingChoice(topic, _find_way(visit, managed), meeting)
        await page.count_hold()
        try:
            held = await page.portals.holding.hold(page.visitor, ticket, wanted, chosen)
        except HoldRefused as refused:
            problem = describe_hold_limit(visit, refused)
            return refuse_hold(refused, await _show_other_times(page, token, problem, ticket))
        except (Conflict, Invalid):
            return await _show_other_times(page, token, _describe_taken(visit), ticket)
        return _show_held(page, token, managed, held)

    @post("/keep", status_code=HTTPStatus.OK)
    async def keep(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Hold the other time for another five minutes."""
        page, visit, managed = form.page, form.page.visit, await _find(form.page, token)
        held = _find_hold(form, managed)
        if held is None:
            return await _show_other_times(page, token, _describe_taken(visit))
        await page.count_hold()
        try:
            held = await page.portals.holding.keep(page.visitor, held, managed.meeting)
        except HoldRefused as refused:
            problem = describe_hold_limit(visit, refused)
            return refuse_hold(refused, await _show_other_times(page, token, problem, held))
        except (Conflict, Invalid):
            await form.give_back()
            return await _show_other_times(page, token, _describe_taken(visit), held)
        return _show_held(page, token, managed, held)

    @post("/move", status_code=SEE_OTHER)
    async def move(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Move the meeting to the held time, and show it."""
        page, visit, managed = form.page, form.page.visit, await _find(form.page, token)
        held = _find_hold(form, managed)
        if held is None:
            return await _show_other_times(page, token, _describe_taken(visit))
        try:
            await _count_mail_of_move(page, managed)
            await page.portals.managing.move(visit, token, held, series=bool(form.get("series")))
        except SeriesConflict:
            await form.give_back()
            return await _show_other_times(page, token, _describe_conflict(visit), held)
        except (Conflict, Invalid):
            await form.give_back()
            return await _show_other_times(page, token, _describe_taken(visit), held)
        return lead_to_meeting(visit, f"../{token}", "moved")


async def _find(page: Page, token: str) -> ManagedMeeting:
    """Return the meeting of a link. Raises LinkUnknown, ManageLinkExpired."""
    return await page.portals.managing.get(page.visit, token)


async def _count_mail_of_move(page: Page, managed: ManagedMeeting) -> None:
    """Count the mail that a move sends, unless the customer has confirmed the address. Raises MailsLimited."""
    attendee = next(iter(managed.meeting.external_attendees or []), None)
    if attendee is None:
        return
    confirmations = page.portals.confirmations
    if not await confirmations.is_confirmed(page.visit, managed.meeting.id, attendee.email):
        await page.count_mail()


def _find_hold(form: SentForm, managed: ManagedMeeting) -> Hold | None:
    """Return the time that is held for this meeting."""
    held = form.hold
    return held if held is not None and held.meeting_id == managed.meeting.id else None


def _find_way(visit: Visit, managed: ManagedMeeting) -> MeetingOption:
    """Return the type and place of a meeting, which stay the same at another time."""
    meeting_type = managed.meeting.type
    place = managed.location if meeting_type is MeetingType.PHYSICAL else ""
    return MeetingOption(meeting_type, label_meeting_type(visit, meeting_type), place, managed.place)


async def _show_other_times(page: Page, token: str, problem: str = "", ticket: Ticket | None = None) -> Response[bytes]:
    managed = await _find(page, token)
    way = _find_way(page.visit, managed)
    offer = Offer(await page.portals.managing.find_topic(page.visit, managed), way, [], [way])
    kept = None
    if problem:
        kept_ticket = (ticket or page.portals.make_ticket(page.visit)).as_ticket()
        kept = CarriedSteps(typed=FormValues(), person=None, ticket=kept_ticket, problem=problem)
    return await show_times(page, offer, kept, moving=managed, action=f"/m/{token}")


def _show_held(page: Page, token: str, managed: ManagedMeeting, held: Hold) -> Response[bytes]:
    values = describe_hold(page.visit, held) | {
        "sealed_hold": page.portals.seals.seal(held, page.visit.now),
        "replaced": show_replaced(page.visit, managed.companions, held.companions),
    }
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
    """Answer a page about a meeting."""
    visit, meeting = page.visit, managed.meeting
    shown: dict[str, Any] = {"zone_name": show_zone(visit, meeting.start_date), **values}
    return page.show(
        name,
        status,
        managed=managed,
        token=token,
        time_shown=show_time(visit, meeting.start_date, meeting.end_date),
        people_met=show_people(visit, managed.advisor, managed.companions),
        later=[
            (page.portals.managing.make_link(visit, one.id), show_time(visit, one.start_date, one.end_date))
            for one in managed.later
        ],
        way_shown=label_meeting_type(visit, meeting.type),
        **shown,
    )


def _describe_conflict(visit: Visit) -> str:
    return visit.texts.translate("Not all meetings of the series can be moved that far. None of them is moved.")


def _describe_taken(visit: Visit) -> str:
    return visit.texts.translate("That time is no longer free. Your meeting does not change until you move it.")
