"""The addresses at which a customer books: from the topic to the confirmed meeting."""

from datetime import timedelta
from http import HTTPStatus
from typing import Final
from urllib.parse import quote

from litestar import Controller, Response, get, post
from litestar.exceptions import HTTPException

from meetdeck.pages.files import answer_kept
from meetdeck.pages.portal.answers import answer_defect, answer_framework_refusal, answer_refusal
from meetdeck.pages.portal.journey import Form, Portals
from meetdeck.pages.portal.schemas import Hold, Person, Visit
from meetdeck.pages.portal.service.details import list_fields, needs_person, read_typed
from meetdeck.pages.portal.service.holds import ChosenTime, Wanted, hold_time, keep_time
from meetdeck.pages.portal.service.sign_ins import RETURN_PATH
from meetdeck.pages.portal.steps import Kept, Page, find_offer, show_check, show_details, show_first_step, show_times
from meetdeck.pages.portal.theme import get_theme
from meetdeck.pages.portal.views import list_errors
from meetdeck.platform.errors import Conflict, Invalid, MeetdeckError, NotFound
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.services import Service
from meetdeck.platform.openid import ProviderUnavailable, SignInCancelled

MOST_FORM_BYTES: Final = 4 * 1024 * 1024
"""Two hundred answers of the greatest length, and the rest."""

SEE_OTHER: Final = int(HTTPStatus.SEE_OTHER)
_QUICKEST: Final = timedelta(seconds=1)
"""Nobody reads a form, types into it and sends it faster; programs do."""

PAGE_REFUSALS = {MeetdeckError: answer_refusal, HTTPException: answer_framework_refusal, Exception: answer_defect}


class PortalPages(Controller):
    """The way to a meeting. Nothing is stored before a time is held, and no cookie is set."""

    path = "/p/{address:str}"
    include_in_schema = False
    exception_handlers = PAGE_REFUSALS  # pyright: ignore[reportAssignmentType] - Litestar's is wider
    request_max_body_size = MOST_FORM_BYTES

    @get()
    async def show_portal(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Show the first step that leaves a choice."""
        return await show_first_step(Page(request, portals, await portals.visit(request, address)))

    @get("/{name:str}")
    async def send_theme(
        self, request: AnyRequest, portals: Service[Portals], address: str, name: str
    ) -> Response[bytes]:
        """Answer the portal's own style sheet."""
        visit = await portals.visit(request, address)
        theme = get_theme(visit.portal)
        if name != theme.name:
            raise NotFound("There is no such page.")
        return answer_kept(request, theme)

    @get(["/times", "/hold", "/keep", "/details", "/check", "/book", "/sign-in"], status_code=SEE_OTHER)
    async def begin_anew(self, address: str) -> Response[bytes]:
        """Lead to the first step from the address of one that only a form leads to."""
        return Response(b"", status_code=SEE_OTHER, headers={"Location": f"../{quote(address, safe='')}"})

    @post("/times", status_code=HTTPStatus.OK)
    async def show_other_times(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Show free times to somebody who has typed something already."""
        visit, form = await portals.visit_by_form(request, address)
        return await _show_times_again(Page(request, portals, visit), form)

    @post("/hold", status_code=HTTPStatus.OK)
    async def hold(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Hold the time of a button, and show the form."""
        visit, form = await portals.visit_by_form(request, address)
        page = Page(request, portals, visit)
        chosen, ticket = ChosenTime.read(form.get("time")), portals.find_ticket(visit, form)
        if chosen is None or ticket is None:
            return await _show_times_again(page, form, _say_too_old(visit))
        offer = await find_offer(page)
        if isinstance(offer, Response):
            return offer
        topic_id = offer.topic.id if offer.topic is not None else None
        portals.count_hold(request, visit)
        try:
            held = await hold_time(portals.database, visit, ticket, Wanted(topic_id, offer.way), chosen)
        except (Conflict, Invalid):
            return await _show_times_again(page, form, _say_taken(visit))
        typed = read_typed(form.values)
        return await show_details(page, held, portals.find_person(visit, form), typed if _has_typed(form) else None)

    @post("/keep", status_code=HTTPStatus.OK)
    async def keep(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Hold a time for another five minutes, and show the same page again."""
        visit, form = await portals.visit_by_form(request, address)
        page, held = Page(request, portals, visit), portals.find_hold(visit, form)
        if held is None:
            return await _show_times_again(page, form, _say_too_old(visit))
        try:
            held = await keep_time(portals.database, visit, held)
        except (Conflict, Invalid):
            return await _show_times_again(page, form, _say_ended(visit))
        person, typed = portals.find_person(visit, form), read_typed(form.values)
        is_check = form.get("page") == "check"
        return show_check(page, held, person, typed) if is_check else await show_details(page, held, person, typed)

    @post("/details", status_code=HTTPStatus.OK)
    async def show_form(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Show the form again, as it was filled in."""
        visit, form = await portals.visit_by_form(request, address)
        page, held = Page(request, portals, visit), portals.find_hold(visit, form)
        if held is None:
            return await _show_times_again(page, form, _say_too_old(visit))
        return await show_details(page, held, portals.find_person(visit, form), read_typed(form.values))

    @post("/check", status_code=HTTPStatus.OK)
    async def check(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Check the form, and show all of it before it is booked."""
        visit, form = await portals.visit_by_form(request, address)
        page, held = Page(request, portals, visit), portals.find_hold(visit, form)
        if held is None:
            return await _show_times_again(page, form, _say_too_old(visit))
        person, typed = portals.find_person(visit, form), read_typed(form.values)
        if _is_by_program(visit, form, held):
            problem = visit.texts.say("That was very quick. Look at what you typed, and go on again.")
            return await show_details(page, held, person, typed, problem=problem)
        if held.expires_at <= visit.now:
            return await _show_times_again(page, form, _say_ended(visit))
        if _misses_person(visit, person) or list_errors(list_fields(visit, typed, is_checked=True)):
            return await show_details(page, held, person, typed, is_checked=True)
        return show_check(page, held, person, typed)

    @post("/sign-in", status_code=SEE_OTHER)
    async def sign_in(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Lead to the provider at which the portal's customers sign in."""
        visit, form = await portals.visit_by_form(request, address)
        held = portals.find_hold(visit, form)
        if held is None or needs_person(visit):
            return await _show_times_again(Page(request, portals, visit), form, _say_too_old(visit))
        provider = await portals.sign_ins.begin(visit, held)
        return Response(b"", status_code=SEE_OTHER, headers={"Location": provider})

    @post("/book", status_code=SEE_OTHER)
    async def book(self, request: AnyRequest, portals: Service[Portals], address: str) -> Response[bytes]:
        """Book the held time, and lead to the meeting's own page."""
        visit, form = await portals.visit_by_form(request, address)
        page, held = Page(request, portals, visit), portals.find_hold(visit, form)
        if held is None:
            return await _show_times_again(page, form, _say_too_old(visit))
        person, typed = portals.find_person(visit, form), read_typed(form.values)
        if _misses_person(visit, person) or list_errors(list_fields(visit, typed, is_checked=True)):
            return await show_details(page, held, person, typed, is_checked=True)
        try:
            meeting_id = await portals.bookings.book(visit, held, person, typed)
        except (Conflict, NotFound):
            return await _show_times_again(page, form, _say_ended(visit))
        token = portals.managing.make_link(visit, meeting_id)
        query = visit.choices.write(topic_id=None, meeting_type=None, place="", advisor_id=None, day=None, others=())
        location = f"m/{token}{query}{'&' if len(query) > 1 else ''}booked=1"
        return Response(b"", status_code=SEE_OTHER, headers={"Location": location})


class SignedInPages(Controller):
    """The address to which providers send customers back."""

    path = RETURN_PATH
    include_in_schema = False
    exception_handlers = PAGE_REFUSALS  # pyright: ignore[reportAssignmentType] - Litestar's is wider

    @get()
    async def receive(self, request: AnyRequest, portals: Service[Portals]) -> Response[bytes]:
        """Show the form to the customer who has signed in, or why that did not work; the time is still held."""
        returned = await portals.sign_ins.finish(dict(request.query_params.items()), portals.now())
        visit = await portals.visit_again(request, returned.luggage.address, returned.luggage.choices)
        problem = "" if returned.error is None else _say_not_signed_in(visit, returned.error)
        return await show_details(
            Page(request, portals, visit), returned.luggage.hold, returned.person, problem=problem
        )


def _misses_person(visit: Visit, person: Person | None) -> bool:
    return person is None and not needs_person(visit)


def _say_not_signed_in(visit: Visit, error: Exception) -> str:
    if isinstance(error, SignInCancelled):
        return visit.texts.say("You did not sign in. Your time is still held, and you can try again.")
    if isinstance(error, ProviderUnavailable):
        return visit.texts.say("Signing in is not possible just now. Try again in a moment.")
    return visit.texts.say("Signing in did not work. Try again.")


def _is_by_program(visit: Visit, form: Form, held: Hold) -> bool:
    """Return whether a form was filled in by a program: its trap, which nobody sees, or within no time."""
    return bool(form.get("website")) or ("website" in form.values and visit.now - held.held_at < _QUICKEST)


async def _show_times_again(page: Page, form: Form, problem: str = "") -> Response[bytes]:
    """Answer the free times, with everything typed kept, and why the visitor is back."""
    visit, portals = page.visit, page.portals
    offer = await find_offer(page)
    if isinstance(offer, Response):
        return offer
    ticket = portals.find_ticket(visit, form) or portals.find_hold(visit, form) or portals.make_ticket(visit)
    person, typed = portals.find_person(visit, form), read_typed(form.values)
    return await show_times(page, offer, Kept(typed=typed, person=person, ticket=ticket.as_ticket(), problem=problem))


def _has_typed(form: Form) -> bool:
    return any(name in {"name", "email"} or name.startswith("answer-") for name in form.values)


def _say_taken(visit: Visit) -> str:
    return visit.texts.say("Somebody else has taken that time. Choose another; everything you typed is kept.")


def _say_ended(visit: Visit) -> str:
    return visit.texts.say("Your time is not held any more. Choose one again; everything you typed is kept.")


def _say_too_old(visit: Visit) -> str:
    return visit.texts.say("This page was open for too long. Choose a time again; everything you typed is kept.")
