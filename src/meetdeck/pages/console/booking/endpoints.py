"""The pages on which staff book for a customer."""

from http import HTTPStatus
from typing import Any, Final

from litestar import Response, get, post

from meetdeck.pages.console.api import Refused
from meetdeck.pages.console.booking.clicked import judge_clicked
from meetdeck.pages.console.booking.details import Details, book, find_errors
from meetdeck.pages.console.booking.holds import Hold, hold, read_token
from meetdeck.pages.console.booking.times import Time, find_times
from meetdeck.pages.console.booking.wanted import SPANS, Firm, Search, Wanted, make_search, read_firm
from meetdeck.pages.console.controller import ConsoleController
from meetdeck.pages.console.requests import ConsolePage, CurrentForm, CurrentPage, SentForm

_TAKEN: Final = {"time_slot_taken", "time_busy", "reservation_gone", "not_bookable", "invalid_time", "no_room_free"}
"""The codes of refusals that another time helps against."""


class Booking(ConsoleController):
    """Booking for a customer: a search, a held time, the customer's details."""

    path = "/console/book"

    @get()
    async def show_search(self, page: CurrentPage) -> Response[bytes]:
        """Show the form of a search, and the free times once it was sent."""
        query = page.request.query_params
        wanted = Wanted.read(lambda name: query.get(name, "").strip())
        return await _show_times(page, wanted, is_asked=any(wanted))

    @post("/times", status_code=HTTPStatus.OK)
    async def show_other_times(self, form: CurrentForm) -> Response[bytes]:
        """Show the free times to somebody who has typed the customer's details already; they are kept."""
        return await _show_times(form.page, Wanted.read(form.get), form=form)

    @post("/hold", status_code=HTTPStatus.OK)
    async def hold_time(self, form: CurrentForm) -> Response[bytes]:
        """Hold the chosen time and ask for the customer's details; where it is taken, show others (409)."""
        time = Time.read(form.get("time"))
        if time is None:
            return await _show_times(form.page, Wanted.read(form.get), form=form)
        try:
            held = await hold(form.page, time, read_token(form.get))
        except Refused as refused:
            return await _show_refusal(form, refused)
        firm, search = await _read(form)
        return _show_details(form, firm, search, held, [])

    @post(status_code=HTTPStatus.SEE_OTHER)
    async def book_time(self, form: CurrentForm) -> Response[bytes]:
        """Book the held time, and lead to the meeting."""
        page, details = form.page, Details.read(form.get)
        held = Hold.read(form.get)
        if held is None:
            return await _show_times(page, Wanted.read(form.get), form=form)
        firm, search = await _read(form)
        if errors := details.find_errors(page):
            return _show_details(form, firm, search, held, errors)
        try:
            meeting_id = await book(page, search, held, details)
        except Refused as refused:
            if refused.code in _TAKEN:
                return await _show_refusal(form, refused)
            return _show_details(form, firm, search, held, find_errors(refused))
        return page.lead_to(f"calendar/meetings/{meeting_id}?booked=1")


async def _read(form: SentForm) -> tuple[Firm, Search]:
    firm = await read_firm(form.page)
    return firm, make_search(Wanted.read(form.get), firm, form.page.now)


async def _show_refusal(form: SentForm, refused: Refused) -> Response[bytes]:
    """Answer other times, with what was typed, when the chosen one is not to be had."""
    page = form.page
    if refused.code not in {*_TAKEN, "renewals_used_up"}:
        raise refused
    if refused.code == "time_slot_taken":
        text = page.texts.say("Somebody else has just taken this time. Choose another: what you typed is kept.")
    else:
        text = refused.detail
    return await _show_times(page, Wanted.read(form.get), form=form, errors=[("", text)], status=HTTPStatus.CONFLICT)


async def _show_times(
    page: ConsolePage,
    wanted: Wanted,
    *,
    is_asked: bool = True,
    form: SentForm | None = None,
    errors: list[tuple[str, str]] | None = None,
    status: int = HTTPStatus.OK,
) -> Response[bytes]:
    """Answer the search, with the times that it finds; a `form` has what was typed of the customer."""
    firm = await read_firm(page)
    search = make_search(wanted, firm, page.now)
    token = read_token(form.get) if form is not None else ""
    kept = [("token", token), *Details.read(form.get).list_inputs()] if form is not None else []
    found, clicked, errors = None, None, [*(errors or [])]
    if search.is_for_nobody:
        errors.append(("employee", page.texts.say("No employee is called that. Type a part of a name.")))
    elif is_asked:
        try:
            found = await find_times(page, firm, search, token)
            clicked = await judge_clicked(page, firm, search)
        except Refused as refused:
            errors += find_errors(refused)
    if errors and status == HTTPStatus.OK:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    values: dict[str, Any] = {"found": found, "clicked": clicked, "kept": kept, "spans": SPANS}
    return page.show("book.html", status, firm=firm, search=search, wanted=search.wanted, errors=errors, **values)


def _show_details(
    form: SentForm, firm: Firm, search: Search, held: Hold, errors: list[tuple[str, str]]
) -> Response[bytes]:
    """Answer the form of the customer's details, beside the time that is held."""
    page, time = form.page, held.time
    day = page.texts.show_day(time.starts_at.astimezone(firm.zone).date(), page.now.astimezone(firm.zone).date())
    return page.show(
        "book-details.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK,
        errors=errors,
        firm=firm,
        search=search,
        wanted=search.wanted,
        held=held,
        seconds=held.count_seconds(page.now),
        until=page.texts.show_clock(held.until, firm.zone),
        when=f"{day}, {page.texts.show_span(time.starts_at, time.ends_at, firm.zone)}",
        advisor=firm.name_employee(time.employee_id),
        details=Details.read(form.get),
    )
