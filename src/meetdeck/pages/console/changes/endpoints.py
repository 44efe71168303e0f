"""The actions on a change whose messages wait: undo it, send them now, add a line to them."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from litestar import Response, get, post

from meetdeck.pages.console.changes.undoing import ChangedMeetings, read_fields, write_fields
from meetdeck.pages.console.kit import ApiRefusal, ConsoleController, ConsolePage, CurrentForm, CurrentPage

_LATE: Final = frozenset({HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND})


class MeetingChanges(ConsoleController):
    """The last changes that the signed-in person made to one or several meetings."""

    path = "/console/calendar/changes"

    @post("/undo", status_code=HTTPStatus.SEE_OTHER)
    async def undo(self, form: CurrentForm) -> Response[bytes]:
        """Take the changes back, and list those that cannot be."""
        changed = read_fields(form.values, form.page.now)
        late = [one for one in changed.ids if not await _send(form.page, f"{one}/undo")]
        return _lead_back(form.page, changed, "late" if late or not changed.ids else "undone")

    @post("/tell", status_code=HTTPStatus.SEE_OTHER)
    async def send_messages(self, form: CurrentForm) -> Response[bytes]:
        """Send the messages that wait at once."""
        changed = read_fields(form.values, form.page.now)
        for one in changed.ids:
            await _send(form.page, f"{one}/notice", {"now": True})
        return _lead_back(form.page, changed, "told")

    @get("/line")
    async def show_line(self, page: CurrentPage) -> Response[bytes]:
        """Show the form for a line to the messages."""
        return _show_form(page, read_fields(page.request.query_params, page.now))

    @post("/line", status_code=HTTPStatus.SEE_OTHER)
    async def add_line(self, form: CurrentForm) -> Response[bytes]:
        """Add a line to the messages that wait; they still wait."""
        page, changed, line = form.page, read_fields(form.values, form.page.now), " ".join(form.get("line").split())
        if not line:
            return _show_form(page, changed, errors=[("line", page.texts.translate("Write a line."))])
        try:
            sent = [await _send(page, f"{one}/notice", {"line": line}) for one in changed.ids]
        except ApiRefusal as refused:
            if refused.status != HTTPStatus.BAD_REQUEST:
                raise
            faults = [("line", one.detail) for one in refused.faults] or [("line", refused.detail)]
            return _show_form(page, changed, line, faults)
        return _lead_back(page, changed, "lined" if any(sent) else "late")


async def _send(page: ConsolePage, path: str, body: object = None) -> bool:
    """Call the API about a meeting; return whether it was not too late. Raises ApiRefusal."""
    try:
        await page.api.send("POST", f"booking/meetings/{path}", body)
    except ApiRefusal as refused:
        if refused.status not in _LATE:
            raise
        return False
    return True


def _show_form(
    page: ConsolePage, changed: ChangedMeetings, line: str = "", errors: list[tuple[str, str]] | None = None
) -> Response[bytes]:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK
    values: dict[str, Any] = {"fields": write_fields(changed), "back": changed.back, "line": line}
    return page.show("change-line.html", status, errors=errors or [], **values)


def _lead_back(page: ConsolePage, changed: ChangedMeetings, told: str) -> Response[bytes]:
    fields = write_fields(changed)
    query = {told: fields["meetings"] or "1", "at": fields["at"]}
    if told == "lined":
        query["back"] = changed.back
    return page.lead_to(f"{changed.back.partition('?')[0]}?{urlencode(query)}")
