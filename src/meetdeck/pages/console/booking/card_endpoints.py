"""The card of a half hour that was clicked in the calendar: booking there at once, or the rule against it."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

from litestar import Response, get, post

from meetdeck.pages.console.booking.details import Details, book, find_errors
from meetdeck.pages.console.booking.half_hour import find_time, read_half_hour
from meetdeck.pages.console.booking.holds import hold, read_token
from meetdeck.pages.console.booking.search_form import Firm, Search, SearchForm, make_search, read_firm
from meetdeck.pages.console.booking.times import Time
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    find_address,
    find_own,
    keep_id,
)
from meetdeck.platform.errors import NotFound
from meetdeck.platform.identity import Access


class _ChosenTime(NamedTuple):
    """A time of an advisor, and the search that has it."""

    firm: Firm
    search: Search
    time: Time


class TimeCard(ConsoleController):
    """A half hour of an advisor as a part of the calendar; without scripts the pages of booking do the same."""

    path = "/console/calendar/time"

    @get()
    async def show_card(self, page: CurrentPage) -> Response[bytes]:
        """Show a time: free, with the form that books it, or the rule that removes it."""
        query = page.request.query_params
        chosen = await _read_chosen(page, SearchForm.read(lambda name: query.get(name, "").strip()))
        return await _show_card(page, chosen, Details(), read_token(lambda _: ""))

    @post(status_code=HTTPStatus.CREATED)
    async def book_there(self, form: CurrentForm) -> Response[bytes]:
        """Book the time, and answer the address of the meeting (201); with `check`, show the card as it then is."""
        page, details, token = form.page, Details.read(form.sent), read_token(form.get)
        chosen = await _read_chosen(page, SearchForm.read(form.get))
        if form.get("check"):
            return await _show_card(page, chosen, details, token)
        errors = details.find_errors(page)
        if not errors:
            try:
                held = await hold(page, chosen.search, chosen.time, token)
                meeting_id = await book(page, chosen.search, held, details)
            except ApiRefusal as refused:
                errors = find_errors(refused)
            else:
                address = find_address(page.settings, f"calendar/meetings/{meeting_id}")
                return Response(b"", status_code=HTTPStatus.CREATED, headers={"Location": address})
        return await _show_card(page, chosen, details, token, errors)


async def _read_chosen(page: ConsolePage, wanted: SearchForm) -> _ChosenTime:
    """Return the requested time; raise NotFound for none, and for nobody's."""
    firm = await read_firm(page, wanted._replace(employee=keep_id(wanted.employee)))
    search = make_search(wanted, firm, page.now)
    if search.at is None or not firm.meant:
        raise NotFound("There is no such time.")
    return _ChosenTime(firm, search, find_time(search, firm.meant[0].id, search.at.astimezone(firm.zone)))


async def _show_card(
    page: ConsolePage, chosen: _ChosenTime, details: Details, token: str, errors: Sequence[tuple[str, str]] = ()
) -> Response[bytes]:
    firm, search, time = chosen
    own = await find_own(page)
    found = await read_half_hour(page, search, time, token)
    return page.show(
        "calendar-time.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK,
        found=found,
        at=time.starts_at,
        advisor=firm.meant[0],
        topics=firm.topic_choices,
        topic=search.wanted.topic,
        ways=[one for one in firm.ways if one.value in found.ways],
        way=search.wanted.type,
        details=details,
        token=token,
        errors=errors,
        adds_absences=page.may(Access.MANAGER) or (own is not None and own.id == time.employee_id),
    )
