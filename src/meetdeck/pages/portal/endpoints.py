"""The addresses at which customers book, from the topic to the confirmed meeting."""

from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final
from urllib.parse import quote
from uuid import UUID

from litestar import Controller, Response, get, post
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import RenewalsUsedUp
from meetdeck.booking.scheduling.unconfirmed_bookings.schemas import HELD_FOR
from meetdeck.pages.files import answer_kept, answer_picture
from meetdeck.pages.forms import MOST_FORM_BYTES
from meetdeck.pages.html import lead_to
from meetdeck.pages.portal.answers import answer_defect, answer_framework_refusal, answer_refusal
from meetdeck.pages.portal.journey import Portals
from meetdeck.pages.portal.requests import PAGE_DEPENDENCIES, CurrentForm, CurrentPage, Page, SentForm, find_portal
from meetdeck.pages.portal.schemas import Choices, Hold, Visit
from meetdeck.pages.portal.service.details import list_fields, needs_person
from meetdeck.pages.portal.service.hold_limits import AddressHoldLimit, HoldRefused
from meetdeck.pages.portal.service.holds import ChosenTime, MeetingChoice
from meetdeck.pages.portal.service.sign_ins import RETURN_PATH
from meetdeck.pages.portal.steps import (
    CarriedSteps,
    find_offer,
    show_check,
    show_details,
    show_first_step,
    show_sent,
    show_times,
)
from meetdeck.pages.portal.theme import get_theme
from meetdeck.pages.portal.views import list_errors
from meetdeck.platform.errors import Conflict, Invalid, MeetdeckError, NotFound
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.identity import ProviderUnavailable, SignInCancelled

SEE_OTHER: Final = int(HTTPStatus.SEE_OTHER)
_PAGE_REFUSALS = {MeetdeckError: answer_refusal, HTTPException: answer_framework_refusal, Exception: answer_defect}

_QUICKEST: Final = timedelta(seconds=1)
"""The shortest time in which a person can fill in a form; programs are faster."""


class PageController(Controller):
    """Pages of a portal: handlers get the page or the form, and refusals are pages, too."""

    include_in_schema = False
    dependencies = PAGE_DEPENDENCIES
    exception_handlers = _PAGE_REFUSALS  # pyright: ignore[reportAssignmentType] - Litestar's is wider
    request_max_body_size = MOST_FORM_BYTES


class PortalPages(PageController):
    """The steps to a meeting. Nothing is stored before a time is held, and no cookie is set."""

    path = "/p/{address:str}"

    @get()
    async def show_portal(self, page: CurrentPage) -> Response[bytes]:
        """Show the first step that offers a choice."""
        return await show_first_step(page)

    @get("/advisors/{employee_id:uuid}/{picture_id:uuid}")
    async def send_picture(
        self, page: CurrentPage, employee_id: FromPath[UUID], picture_id: FromPath[UUID]
    ) -> Response[bytes]:
        """Answer the picture of an advisor; another picture has another address."""
        picture = await page.portals.find_picture(page.visit, employee_id, picture_id)
        if picture is None:
            raise NotFound("This page does not exist.")
        return answer_picture(picture)

    @get("/{name:str}")
    async def send_theme(self, page: CurrentPage, name: FromPath[str]) -> Response[bytes]:
        """Answer the portal's own style sheet."""
        theme = get_theme(page.visit.portal)
        if name != theme.name:
            raise NotFound("This page does not exist.")
        return answer_kept(page.request, theme)

    @get(["/m", "/w", "/o"])
    async def refuse_cut_link(self, page: CurrentPage) -> Response[bytes]:  # noqa: ARG002 - the refusal has its head
        """Raise NotFound: a mail program has cut off the end of a link."""
        raise NotFound("This page does not exist.")

    @get(
        ["/times", "/hold", "/keep", "/details", "/check", "/book", "/confirmed", "/sign-in", "/stop"],
        status_code=SEE_OTHER,
    )
    async def begin_anew(self, address: FromPath[str]) -> Response[bytes]:
        """Redirect to the first step from an address to which only a form leads."""
        return lead_to(f"../{quote(address, safe='')}")

    @post("/times", status_code=HTTPStatus.OK)
    async def show_other_times(self, form: CurrentForm) -> Response[bytes]:
        """Show free times to a visitor who has already typed something; a held time is given back."""
        return await _show_times_again(form)

    @post("/stop", status_code=HTTPStatus.OK)
    async def stop(self, form: CurrentForm) -> Response[bytes]:
        """Give the held time back, and show that nothing was booked."""
        await form.give_back()
        return form.page.show("stopped.html")

    @post("/hold", status_code=HTTPStatus.OK)
    async def hold(self, form: CurrentForm) -> Response[bytes]:
        """Hold the time of a button, and show the form."""
        page, visit = form.page, form.page.visit
        chosen, ticket = ChosenTime.read(form.get("time")), form.ticket
        if chosen is None or ticket is None:
            return await _show_times_again(form, _describe_old_page(visit))
        offer = await find_offer(page)
        if isinstance(offer, Response):
            return offer
        await page.count_hold()
        try:
            held = await page.portals.holding.hold(page.visitor, ticket, MeetingChoice(offer.topic, offer.way), chosen)
        except HoldRefused as refused:
            return refuse_hold(refused, await _show_times_again(form, describe_hold_limit(visit, refused)))
        except (Conflict, Invalid):
            return await _show_times_again(form, _describe_taken(visit))
        if not form.has_typed:
            return await show_details(page, held, form.person)
        # A visitor who comes back with everything filled in may continue at once.
        return await show_details(page, replace(held, held_at=held.held_at - _QUICKEST), form.person, form.typed)

    @post("/keep", status_code=HTTPStatus.OK)
    async def keep(self, form: CurrentForm) -> Response[bytes]:
        """Hold a time for another five minutes, and show the same page again."""
        page, held = form.page, form.hold
        if held is None:
            return await _show_times_again(form, _describe_old_page(page.visit))
        await page.count_hold()
        try:
            held = await page.portals.holding.keep(page.visitor, held)
        except HoldRefused as refused:
            return refuse_hold(refused, await _show_times_again(form, describe_hold_limit(page.visit, refused)))
        except (Conflict, Invalid):
            return await _show_times_again(form, _describe_ended_hold(page.visit))
        if form.get("page") == "check":
            return show_check(page, held, form.person, form.typed)
        if form.get("page") == "sent":
            return show_sent(page, held, form.typed)
        return await show_details(page, held, form.person, form.typed)

    @post("/confirmed", status_code=HTTPStatus.OK)
    async def go_on(self, form: CurrentForm) -> Response[bytes]:
        """Redirect to the meeting if the address is confirmed; otherwise show again that a mail was sent."""
        page, held = form.page, form.hold
        if held is None:
            return await _show_times_again(form, _describe_old_page(page.visit))
        if booked := await _find_booked(page, held):
            return booked
        if held.expires_at <= page.visit.now:
            return await _show_times_again(form, _describe_ended_hold(page.visit))
        return show_sent(page, held, form.typed, problem=_describe_unconfirmed(page.visit))

    @post("/details", status_code=HTTPStatus.OK)
    async def show_form(self, form: CurrentForm) -> Response[bytes]:
        """Show the form again, with its values."""
        held = form.hold
        if held is None:
            return await _show_times_again(form, _describe_old_page(form.page.visit))
        return await show_details(form.page, held, form.person, form.typed)

    @post("/check", status_code=HTTPStatus.OK)
    async def check(self, form: CurrentForm) -> Response[bytes]:
        """Check the form, and show all of it before the booking."""
        page, visit, held = form.page, form.page.visit, form.hold
        if held is None:
            return await _show_times_again(form, _describe_old_page(visit))
        if is_by_program(form, held.held_at):
            return await show_details(page, held, form.person, form.typed, problem=describe_too_quick(visit))
        if held.expires_at <= visit.now:
            return await _show_times_again(form, _describe_ended_hold(visit))
        if not _is_complete(form):
            return await show_details(page, held, form.person, form.typed, is_checked=True)
        return show_check(page, held, form.person, form.typed)

    @post("/sign-in", status_code=SEE_OTHER)
    async def sign_in(self, form: CurrentForm) -> Response[bytes]:
        """Redirect to the provider with which the portal's customers sign in."""
        visit, held = form.page.visit, form.hold
        if held is None or needs_person(visit):
            return await _show_times_again(form, _describe_old_page(visit))
        return lead_to(await form.page.portals.sign_ins.begin(visit, held))

    @post("/book", status_code=SEE_OTHER)
    async def book(self, form: CurrentForm) -> Response[bytes]:
        """Book the held time, and redirect to the meeting's own page."""
        page, visit, held = form.page, form.page.visit, form.hold
        if held is None:
            return await _show_times_again(form, _describe_old_page(visit))
        if not _is_complete(form):
            return await show_details(page, held, form.person, form.typed, is_checked=True)
        await page.count_mail()
        if await page.confirms_email():
            return await _request_confirmation(form, held)
        try:
            meeting_id = await page.portals.bookings.book(visit, held, form.person, form.typed)
        except (Conflict, NotFound):
            return await _show_times_again(form, _describe_ended_hold(visit))
        return lead_to_meeting(visit, f"m/{page.portals.managing.make_link(visit, meeting_id)}", "booked")


class SignedInPages(PageController):
    """The address to which providers send customers back."""

    path = RETURN_PATH

    @get()
    async def receive(self, request: AnyRequest, portals: Service[Portals]) -> Response[bytes]:
        """Show the form to the customer who has signed in, or why that failed; the time is still held."""
        returned = await portals.sign_ins.finish(dict(request.query_params.items()), portals.clock())
        luggage = returned.luggage
        portal = await find_portal(request, portals, luggage.address)
        page = await Page.open(request, portals, portal, Choices.read(luggage.choices))
        problem = "" if returned.error is None else _describe_failed_sign_in(page.visit, returned.error)
        return await show_details(page, luggage.hold, returned.person, problem=problem)


def lead_to_meeting(visit: Visit, address: str, done: str) -> Response[bytes]:
    """Redirect to a meeting's own page, which says what was done."""
    query = visit.choices.write(topic_id=None, meeting_type=None, place="", advisor_id=None, day=None, others=())
    return lead_to(f"{address}{query}{'&' if len(query) > 1 else ''}{done}=1")


def _is_complete(form: SentForm) -> bool:
    """Return whether the customer is known, and all typed values are valid."""
    visit = form.page.visit
    is_known = form.person is not None or needs_person(visit)
    return is_known and not list_errors(list_fields(visit, form.typed, is_checked=True))


def is_by_program(form: SentForm, shown_at: datetime) -> bool:
    """Return whether a program filled in a form: its invisible trap, or too quickly."""
    is_quick = form.page.visit.now - shown_at < _QUICKEST
    return bool(form.get("website")) or ("website" in form.values and is_quick)


async def _request_confirmation(form: SentForm, held: Hold) -> Response[bytes]:
    """Hold the time long enough for a mail, send it, and show what to do; once it is booked, show the meeting."""
    page = form.page
    if booked := await _find_booked(page, held):
        return booked
    try:
        held = await page.portals.holding.keep(page.visitor, held, lifetime=HELD_FOR)
    except RenewalsUsedUp:
        if held.expires_at <= page.visit.now:
            return await _show_times_again(form, _describe_ended_hold(page.visit))
    except HoldRefused as refused:
        return refuse_hold(refused, await _show_times_again(form, describe_hold_limit(page.visit, refused)))
    except (Conflict, Invalid):
        return await _show_times_again(form, _describe_ended_hold(page.visit))
    await page.portals.confirmations.request(page.visit, held, form.typed)
    return show_sent(page, held, form.typed)


async def _find_booked(page: Page, held: Hold) -> Response[bytes] | None:
    """Return the redirect to the meeting that was booked in a held time, None if there is none yet."""
    meeting_id = await page.portals.confirmations.find_booked(page.visit, held)
    if meeting_id is None:
        return None
    return lead_to_meeting(page.visit, f"m/{page.portals.managing.make_link(page.visit, meeting_id)}", "booked")


async def _show_times_again(form: SentForm, problem: str = "") -> Response[bytes]:
    """Answer the free times, with all typed values, and why the visitor is back, whose hold has ended."""
    page = form.page
    await form.give_back()
    offer = await find_offer(page)
    if isinstance(offer, Response):
        return offer
    ticket = form.ticket or form.hold or page.portals.make_ticket(page.visit)
    kept = CarriedSteps(typed=form.typed, person=form.person, ticket=ticket.as_ticket(), problem=problem)
    return await show_times(page, offer, kept)


def _describe_failed_sign_in(visit: Visit, error: Exception) -> str:
    if isinstance(error, SignInCancelled):
        return visit.texts.translate("You did not sign in. Your time is still held, and you can try again.")
    if isinstance(error, ProviderUnavailable):
        return visit.texts.translate("Signing in is not possible at the moment. Try again in a moment.")
    return visit.texts.translate("Signing in did not work. Try again.")


def refuse_hold(refused: HoldRefused, answer: Response[bytes]) -> Response[bytes]:
    """Return a page that says why no time is held as 429, with the seconds until a retry is worthwhile."""
    answer.status_code = HTTPStatus.TOO_MANY_REQUESTS
    answer.headers["Retry-After"] = str(refused.retry_after_seconds)
    return answer


def describe_hold_limit(visit: Visit, refused: HoldRefused) -> str:
    """Return the text for a visitor who cannot hold a time, because visitors hold the maximum."""
    if isinstance(refused, AddressHoldLimit):
        return visit.texts.translate(
            "No more times can be held from your network right now. Finish one of the bookings that you have started,"
            " or try again in a few minutes; everything you typed is kept."
        )
    return visit.texts.translate(
        "Others are booking many of the times of that day right now. Choose a time on another day, or try again in a"
        " few minutes; everything you typed is kept."
    )


def describe_too_quick(visit: Visit) -> str:
    """Return the text for a visitor who filled in a form as quickly as a program."""
    return visit.texts.translate("That was very quick. Check what you typed, and continue.")


def _describe_taken(visit: Visit) -> str:
    return visit.texts.translate("Someone else has taken that time. Choose another; your entries are kept.")


def _describe_unconfirmed(visit: Visit) -> str:
    return visit.texts.translate("The address is not confirmed yet. Open the e-mail, and press the button on its page.")


def _describe_ended_hold(visit: Visit) -> str:
    return visit.texts.translate("Your time is no longer held. Choose one again; your entries are kept.")


def _describe_old_page(visit: Visit) -> str:
    return visit.texts.translate("This page was open for too long. Choose a time again; everything you typed is kept.")
