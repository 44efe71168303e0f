"""The pages on which staff book for a customer."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final, NamedTuple, Self

from litestar import Response, get, post

from meetdeck.pages.console.booking import series
from meetdeck.pages.console.booking.clicked_time import check_clicked_time
from meetdeck.pages.console.booking.details import Details, book, compose, find_errors
from meetdeck.pages.console.booking.from_wish import read_wish
from meetdeck.pages.console.booking.holds import Hold, hold, read_token
from meetdeck.pages.console.booking.no_times import explain_no_times
from meetdeck.pages.console.booking.questions import list_questions, list_rooms
from meetdeck.pages.console.booking.search_form import (
    SPANS,
    Firm,
    Search,
    SearchForm,
    make_search,
    read_employees,
    read_firm,
)
from meetdeck.pages.console.booking.times import Time, find_times, name_place
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    SentForm,
    read_zone,
)
from meetdeck.pages.texts import begin_line

_TAKEN: Final = {
    "invalid_time",
    "no_room_free",
    "not_bookable",
    "renewals_used_up",
    "reservation_gone",
    "time_busy",
    "time_slot_taken",
}
"""The codes of refusals after which another time may help."""


class _CarriedForm(NamedTuple):
    """The values that pages pass on beside the search: the hold's token, and the customer's details."""

    token: str = ""
    details: Details = Details()

    @classmethod
    def read(cls, form: SentForm) -> Self:
        """Return the values in a form."""
        return cls(read_token(form.get), Details.read(form.sent))

    def list_inputs(self) -> list[tuple[str, str]]:
        """Return the values as inputs of a form; none before a form was sent."""
        return [("token", self.token), *self.details.list_inputs()] if self.token else []


class Booking(ConsoleController):
    """Booking for a customer: a search, a held time, the customer's details."""

    path = "/console/book"

    @get()
    async def show_search(self, page: CurrentPage) -> Response[bytes]:
        """Show the form of a search and, once it was sent, the free times."""
        query = page.request.query_params
        wanted = SearchForm.read(lambda name: query.get(name, "").strip())
        return await _show_times(page, wanted, _CarriedForm(), is_asked=any(wanted))

    @post("/times", status_code=HTTPStatus.OK)
    async def show_other_times(self, form: CurrentForm) -> Response[bytes]:
        """Show the free times to a user who has already typed the customer's details, which are kept."""
        return await _show_times(form.page, SearchForm.read(form.get), _CarriedForm.read(form))

    @post("/wish", status_code=HTTPStatus.OK)
    async def book_for_wish(self, form: CurrentForm) -> Response[bytes]:
        """Show the time offered to a waiting-list entry, with the customer's details; otherwise a search for it."""
        page = form.page
        wished = await read_wish(page, form.get("wish"), await read_zone(page.api))
        if wished.offer is None:
            return await _show_times(page, wished.wanted, _CarriedForm(read_token(form.get), wished.details))
        firm = await read_firm(page, wished.wanted)
        return await _show_details(page, firm, make_search(wished.wanted, firm, page.now), wished.offer, wished.details)

    @post("/hold", status_code=HTTPStatus.OK)
    async def hold_time(self, form: CurrentForm) -> Response[bytes]:
        """Hold the chosen time and ask for the customer's details; if it is taken, show others (409).

        With `?all-the-same`, Busy time is taken, too.
        """
        page, time = form.page, Time.read(form.get("time"))
        if time is None:
            return await _show_times(page, SearchForm.read(form.get), _CarriedForm.read(form))
        firm = await read_firm(page, SearchForm.read(form.get))
        search, over_busy = _read_search(form, firm), "all-the-same" in page.request.query_params
        try:
            held = await hold(page, search, time, read_token(form.get), over_busy=over_busy)
        except ApiRefusal as refused:
            return await _show_refusal(form, refused)
        return await _show_details(page, firm, search, held, Details.read(form.sent))

    @post(status_code=HTTPStatus.SEE_OTHER)
    async def book_time(self, form: CurrentForm) -> Response[bytes]:
        """Book the held time, and redirect to the meeting."""
        page, details, held = form.page, Details.read(form.sent), Hold.read(form.get)
        if held is None:
            return await _show_times(page, SearchForm.read(form.get), _CarriedForm.read(form))
        firm = await read_firm(page, SearchForm.read(form.get))
        search = _read_search(form, firm)
        errors = [*details.find_errors(page), *series.find_errors(details, page.texts)]
        if errors or form.get("step") == "change":
            return await _show_details(page, firm, search, held, details, errors)
        rule = series.write_rule(details, held.time.starts_at.astimezone(firm.zone).date())
        try:
            if rule is not None and form.get("step") != "book":
                return await _show_series(page, firm, search, held, details, rule)
            repeated = {"recurrence": rule, "skipConflicts": bool(form.get("skip"))} if rule is not None else {}
            meeting_id = await book(page, search, held, details, repeated)
        except ApiRefusal as refused:
            if refused.code in _TAKEN:
                return await _show_refusal(form, refused)
            return await _show_details(page, firm, search, held, details, find_errors(refused))
        return page.lead_to(f"calendar/meetings/{meeting_id}?booked=1")


async def _show_series(
    page: ConsolePage, firm: Firm, search: Search, held: Hold, details: Details, rule: str
) -> Response[bytes]:
    """Answer the meetings that a series would book, before it is booked. Raises ApiRefusal."""
    body = compose(search, held, details) | {"recurrence": rule}
    shown = await series.preview(page, body, firm.zone)
    return page.show(
        "book-series.html",
        shown=shown,
        repeats=page.texts.translate(series.REPEATS[details.repeats]),
        name=details.name,
        sent=[*search.wanted._asdict().items(), *held.list_inputs(), *details.list_inputs()],
    )


def _read_search(form: SentForm, firm: Firm) -> Search:
    return make_search(SearchForm.read(form.get), firm, form.page.now)


async def _show_refusal(form: SentForm, refused: ApiRefusal) -> Response[bytes]:
    """Answer other times, with the typed values, if the chosen one is not available."""
    page = form.page
    if refused.code not in _TAKEN:
        raise refused
    text = refused.detail
    if refused.code == "time_slot_taken":
        text = page.texts.translate("Someone else has just taken this time. Choose another: your entries are kept.")
    return await _show_times(page, SearchForm.read(form.get), _CarriedForm.read(form), refused=text)


async def _show_times(
    page: ConsolePage, wanted: SearchForm, kept: _CarriedForm, *, is_asked: bool = True, refused: str = ""
) -> Response[bytes]:
    """Answer the search with its times, and why the chosen time is `refused`."""
    firm = await read_firm(page, wanted)
    search = make_search(wanted, firm, page.now)
    found, clicked, nothing, errors = None, None, None, [("", refused)] if refused else []
    if search.is_for_nobody:
        errors.append(("employee", page.texts.translate("No employee has that name. Type part of a name.")))
    elif is_asked:
        try:
            found = await find_times(page, firm, search, kept.token)
            clicked = await check_clicked_time(page, firm, search)
            nothing = None if found.best else await explain_no_times(page, firm, search)
        except ApiRefusal as fault:
            errors += find_errors(fault)
    wrong = HTTPStatus.CONFLICT if refused else HTTPStatus.UNPROCESSABLE_ENTITY
    return page.show(
        "book.html",
        wrong if errors else HTTPStatus.OK,
        firm=firm,
        search=search,
        advisor=search.show_employee(firm),
        wanted=search.wanted,
        kept=kept.list_inputs(),
        spans=SPANS,
        today=page.now.astimezone(firm.zone).date(),
        found=found,
        clicked=clicked,
        nothing=nothing,
        errors=errors,
    )


async def _show_details(
    page: ConsolePage,
    firm: Firm,
    search: Search,
    held: Hold,
    details: Details,
    errors: Sequence[tuple[str, str]] = (),
) -> Response[bytes]:
    """Answer the form of the customer's details, beside the held time."""
    time = held.time
    employee = (await read_employees(page.api, [time.employee_id])).get(time.employee_id)
    begin, end = time.starts_at.astimezone(firm.zone), time.ends_at.astimezone(firm.zone)
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
        when=begin_line(page.texts.show_long_span(begin, end, page.now.astimezone(firm.zone).date())),
        advisor=employee.name if employee is not None else "",
        place=name_place(page.texts, search, employee),
        details=details,
        repeats=[(name, page.texts.translate(text)) for name, text in series.REPEATS.items()],
        questions=await list_questions(page, search),
        rooms=await list_rooms(page, employee, search, held),
    )
