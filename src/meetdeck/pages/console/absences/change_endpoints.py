"""The page that changes a stored absence: its kind, its first and last day, its hours."""

from datetime import datetime
from http import HTTPStatus
from typing import NamedTuple
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.absences.form import CHANGED_ABSENCE, make_body, write_texts
from meetdeck.pages.console.absences.rows import Entry, Row, describe
from meetdeck.pages.console.absences.scope import find_scope
from meetdeck.pages.console.forms import Faults, forms
from meetdeck.pages.console.kit import ApiRefusal, ConsoleController, ConsolePage, CurrentForm, CurrentPage, read_zone


class _OpenedEntry(NamedTuple):
    """An entry that the person may handle, its entity tag, and its row in the list."""

    entry: Entry
    tag: str
    row: Row


class AbsenceChanges(ConsoleController):
    """A calendar entry; one of a series is changed alone."""

    path = "/console/absences/{entry_id:uuid}/change"

    @get()
    async def show_form(self, page: CurrentPage, entry_id: FromPath[UUID]) -> Response[bytes]:
        """Show the form with the stored values."""
        opened = await _open(page, entry_id)
        typed = write_texts(opened.entry.status, *await _find_span(page, opened.entry))
        return await _show(page, opened, typed, Faults({}, []))

    @post(status_code=HTTPStatus.SEE_OTHER)
    async def save(self, form: CurrentForm, entry_id: FromPath[UUID]) -> Response[bytes]:
        """Save the typed values; redirect to the meetings in the new time, or to the list."""
        page, opened = form.page, await _open(form.page, entry_id)
        values, faults = forms.read_values(CHANGED_ABSENCE, form)
        if opened.tag != form.get("tag"):
            told = page.texts.translate("Someone else changed this in the meantime. Review it, then save.")
            faults.others.append(told)
        if not faults.summary:
            try:
                await page.api.patch(f"booking/time-slots/{entry_id}", make_body(values), opened.tag)
            except ApiRefusal as refused:
                faults = forms.find_faults(CHANGED_ABSENCE, refused, page.texts)
        if faults.summary:
            return await _show(page, opened, forms.keep_values(CHANGED_ABSENCE, form), faults)
        is_away = values["status"] == "Busy" and opened.entry.employee_id is not None
        return page.lead_to(f"absences/{entry_id}/meetings?saved=1" if is_away else "absences?saved=1")


async def _open(page: ConsolePage, entry_id: UUID) -> _OpenedEntry:
    """Return an entry; raise RoleMissing if it is another person's."""
    answer = await page.api.send("GET", f"booking/time-slots/{entry_id}")
    entry = answer.read(Entry)
    (await find_scope(page)).require_all([entry])
    (row,) = await describe(page, [entry])
    return _OpenedEntry(entry, answer.tag, row)


async def _find_span(page: ConsolePage, entry: Entry) -> tuple[datetime, datetime]:
    zone = await read_zone(page.api)
    return entry.start_date.astimezone(zone), entry.end_date.astimezone(zone)


async def _show(
    page: ConsolePage, opened: _OpenedEntry, typed: dict[str, list[str]], faults: Faults
) -> Response[bytes]:
    return page.show(
        "absence-change.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK,
        row=opened.row,
        tag=opened.tag,
        fields=await forms.show_fields(page, CHANGED_ABSENCE, typed, faults),
        errors=faults.summary,
    )
