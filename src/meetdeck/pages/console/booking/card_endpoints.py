"""The card of a half hour that was clicked in the calendar: booking there at once, or the rule against it."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import NamedTuple

from litestar import Response, get, post

from meetdeck.pages.console.booking import series
from meetdeck.pages.console.booking.details import Details, book, compose, find_errors
from meetdeck.pages.console.booking.half_hour import find_time, read_half_hour
from meetdeck.pages.console.booking.holds import Hold, hold, read_token
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
        """Book the time, and answer the address of the meeting (201); with `check`, show the card as it then is.

        A series is shown before it is booked.
        """
        page, details, token = form.page, Details.read(form.sent), read_token(form.get)
        chosen = await _read_chosen(page, SearchForm.read(form.get))
        if form.get("check"):
            return await _show_card(page, chosen, details, token)
        errors = [*details.find_errors(page), *series.find_errors(details, page.texts)]
        if errors or form.get("step") == "change":
            return await _show_card(page, chosen, details, token, errors)
        rule = series.write_rule(details, chosen.time.starts_at.date())
        try:
            held = await hold(page, chosen.search, chosen.time, token)
            if rule is not None and form.get("step") != "book":
                return await _show_series(page, chosen, held, details, rule)
            repeated = {"recurrence": rule, "skipConflicts": bool(form.get("skip"))} if rule is not None else {}
            meeting_id = await book(page, chosen.search, held, details, repeated)
        except ApiRefusal as refused:
            return await _show_card(page, chosen, details, token, find_errors(refused))
        address = find_address(page.settings, f"calendar/meetings/{meeting_id}")
        return Response(b"", status_code=HTTPStatus.CREATED, headers={"Location": address})


async def _read_chosen(page: ConsolePage, wanted: SearchForm) -> _ChosenTime:
    """Return the requested time; raise NotFound if the time or its employee is missing."""
    firm = await read_firm(page, wanted._replace(employee=keep_id(wanted.employee)))
    search = make_search(wanted, firm, page.now)
    if search.at is None or not firm.meant:
        raise NotFound("This time does not exist.")
    return _ChosenTime(firm, search, find_time(search, firm.meant[0].id, search.at.astimezone(firm.zone)))


async def _show_series(
    page: ConsolePage, chosen: _ChosenTime, held: Hold, details: Details, rule: str
) -> Response[bytes]:
    """Answer the meetings that a series would book, before it is booked. Raises ApiRefusal."""
    firm, search, time = chosen
    shown = await series.preview(page, compose(search, held, details) | {"recurrence": rule}, firm.zone)
    clicked = {"employee": str(time.employee_id), "at": f"{time.starts_at:%Y-%m-%dT%H:%M}"}
    sent = {**clicked, "topic": search.wanted.topic, "type": search.wanted.type, "token": held.token}
    return page.show(
        "calendar-series.html",
        shown=shown,
        repeats=page.texts.translate(series.REPEATS[details.repeats]),
        name=details.name,
        sent=[*sent.items(), *details.list_inputs()],
    )


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
        can_overrule=search.can_overrule,
        ways=[one for one in firm.ways if one.value in found.ways],
        way=search.wanted.type,
        details=details,
        repeats=[(name, page.texts.translate(text)) for name, text in series.REPEATS.items()],
        token=token,
        errors=errors,
        adds_absences=page.may(Access.MANAGER) or (own is not None and own.id == time.employee_id),
    )
