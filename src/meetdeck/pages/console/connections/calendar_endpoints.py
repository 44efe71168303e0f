"""The pages of the calendar of one person or room: added by its address or a file, changed, read and deleted."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.connections import rows
from meetdeck.pages.console.connections.endpoints import find_done
from meetdeck.pages.console.connections.saving import change, find_tag
from meetdeck.pages.console.connections.subjects import CALENDAR, KEPT_CALENDAR
from meetdeck.pages.console.forms import Faults, Record, Subject, forms, to_members
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    Difference,
    Picker,
    SentForm,
    needs_recent_sign_in,
    pick,
    show_value,
)

_HERE: Final = "connections/calendars"
_MOST_BYTES: Final = 1_300_000
"""The API accepts a file of 1 MB, and says so."""
_OWNERS: Final = "people-and-rooms"
_WHOSE: Final = "whose"
_FILE: Final = "file"
_NO_FAULTS: Final = Faults({}, [])


class Calendars(ConsoleController):
    """The calendars of single people and rooms."""

    path = "/console/connections/calendars"
    opt = needs_recent_sign_in("POST")
    request_max_body_size = _MOST_BYTES

    @get("/new")
    async def show_new(self, page: CurrentPage) -> Response[bytes]:
        """Show the form of a new calendar; the address may name whose it is."""
        whose = await show_value(page, _OWNERS, _WHOSE, page.request.query_params.get(_WHOSE, ""))
        return await _show_form(page, forms.write_values(CALENDAR, CALENDAR.defaults), whose=whose)

    @post("/new", status_code=HTTPStatus.SEE_OTHER)
    async def create(self, form: CurrentForm) -> Response[bytes]:
        """Add a calendar."""
        page, translate = form.page, form.page.texts.translate
        values, faults = forms.read_values(CALENDAR, form)
        whose = await pick(page, _OWNERS, _WHOSE, form.get)
        kind, _, owner = whose.value.partition(".")
        if not owner:
            faults.by_field[_WHOSE] = whose.error or translate("Choose whose calendar it is.")
        if not faults.summary:
            member = {"employee": "employeeId", "room": "roomId"}[kind]
            given = {name: value for name, value in values.items() if value is not None}
            try:
                body = {**to_members(given), member: owner, **await _read_upload(form)}
                await page.api.send("POST", CALENDAR.path, body)
            except ApiRefusal as refused:
                faults = _find_faults(page, CALENDAR, refused)
            else:
                return page.lead_to("connections?done=calendar-made")
        return await _show_form(page, forms.keep_values(CALENDAR, form), faults=faults, whose=whose)

    @get("/{key:uuid}")
    async def show_one(self, page: CurrentPage, key: FromPath[UUID]) -> Response[bytes]:
        """Show the state of a calendar and its form."""
        opened = await forms.open_resource(page.api, KEPT_CALENDAR, str(key))
        return await _show_form(page, forms.write_values(KEPT_CALENDAR, opened.resource), opened)

    @post("/{key:uuid}", status_code=HTTPStatus.SEE_OTHER)
    async def change(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Save a calendar unless somebody else has changed it meanwhile (412); an empty password stays as it is."""
        page = form.page
        opened = await forms.open_resource(page.api, KEPT_CALENDAR, str(key))
        done = await change(form, KEPT_CALENDAR, opened, read_more=_read_upload, find_faults=_find_faults)
        if done.is_saved:
            return page.lead_to(f"{_HERE}/{key}?done=calendar-changed")
        return await _show_form(page, forms.keep_values(KEPT_CALENDAR, form), opened, done.faults, done.differences)

    @post("/{key:uuid}/read", status_code=HTTPStatus.SEE_OTHER, opt=needs_recent_sign_in())
    async def read(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Read a calendar, and show how it went."""
        await form.page.api.send("POST", f"{CALENDAR.path}/{key}/read")
        return form.page.lead_to(f"{_HERE}/{key}")

    @post("/{key:uuid}/delete", status_code=HTTPStatus.OK)
    async def delete(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Delete a calendar; a question comes first."""
        page, translate = form.page, form.page.texts.translate
        shown = await _show_state(page, key)
        if not form.get("sure"):
            name = shown.owner.name if shown.owner else shown.source
            title = translate("Delete the calendar of {name}?", name=name)
            lead = translate("Times read from it are deleted as well, so people can be booked at them again.")
            return page.show_confirmation(title, lead, translate("Delete"), keep=f"{_HERE}/{key}")
        await page.api.send("DELETE", f"{CALENDAR.path}/{key}")
        return page.lead_to("connections?done=calendar-deleted")


async def _read_upload(form: SentForm) -> Mapping[str, Any]:
    """Return the uploaded file as the API's member, nothing without one. Raises ApiRefusal for one that is not text."""
    files = form.list_files(_FILE)
    if not files:
        return {}
    try:
        return {_FILE: (await files[0].read()).decode()}
    except UnicodeDecodeError:
        raise ApiRefusal(
            HTTPStatus.BAD_REQUEST, "", form.page.texts.translate("Choose a calendar file (.ics).")
        ) from None


def _find_faults(page: ConsolePage, subject: Subject, refused: ApiRefusal) -> Faults:
    """Return what the API refuses, beside the fields."""
    faults = forms.find_faults(subject, refused, page.texts)
    told = next((fault.detail for fault in refused.faults if fault.pointer == f"/{_FILE}"), None)
    if told is not None:
        faults.by_field[_FILE] = told
        faults.others.remove(told)
    return faults


async def _show_state(page: ConsolePage, key: UUID) -> rows.ShownCalendar:
    """Return a calendar with its state. Raises ApiRefusal."""
    (shown,) = await rows.show_calendars(page, [await page.api.get(f"{CALENDAR.path}/{key}", rows.Calendar)])
    return shown


async def _show_form(
    page: ConsolePage,
    values: dict[str, list[str]],
    opened: Record | None = None,
    faults: Faults = _NO_FAULTS,
    differences: Sequence[Difference] = (),
    whose: Picker | None = None,
) -> Response[bytes]:
    subject = KEPT_CALENDAR if opened is not None else CALENDAR
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK
    return page.show(
        "connection-calendar.html",
        HTTPStatus.PRECONDITION_FAILED if differences else status,
        fields=await forms.show_fields(page, subject, values, faults),
        one=await _show_state(page, UUID(opened.resource["id"])) if opened is not None else None,
        tag=find_tag(subject, opened.resource) if opened is not None else "",
        whose=whose,
        wrong=faults.by_field,
        differences=differences,
        errors=faults.summary,
        done=find_done(page),
    )
