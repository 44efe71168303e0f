"""The page of connections, and the pages of the firm's connection: its state, its mailboxes and its form."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.connections import rows
from meetdeck.pages.console.connections.saving import change, find_tag
from meetdeck.pages.console.connections.subjects import (
    CALDAV,
    CALDAV_CONNECTION,
    CONNECTION,
    MICROSOFT,
    find_subject,
)
from meetdeck.pages.console.forms import Faults, Record, Subject, forms, to_members
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ChangeNotice,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    Difference,
    needs_recent_sign_in,
    read_number,
    read_search,
    read_zone,
)
from meetdeck.pages.texts import mark

_HERE: Final = "connections"
_NO_FAULTS: Final = Faults({}, [])
_DONE: Final = {
    "made": mark("The connection is made. Its mailboxes are read now."),
    "changed": mark("The connection is saved. Its mailboxes are read now."),
    "read": mark("The calendars that were due are read."),
    "deleted": mark("The connection is deleted, with the times that were read by it."),
    "calendar-made": mark("The calendar is added. It is read now."),
    "calendar-changed": mark("The calendar is saved."),
    "calendar-deleted": mark("The calendar is deleted, with its times."),
}


class Connections(ConsoleController):
    """The pages on which an administrator sees and changes where people and busy times come from."""

    path = "/console/connections"
    opt = needs_recent_sign_in("POST")

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the firm's connections, the calendars of single people and rooms, and the directory."""
        calendars = await rows.list_calendars(page, read_number(page.request.query_params.get("page")))
        return page.show(
            "connections.html",
            connections=await rows.list_connections(page),
            calendars=calendars.items,
            number=calendars.number,
            pages=calendars.pages,
            paging={},
            directory=await rows.show_directory(page),
            done=find_done(page),
        )

    @get("/new", opt=needs_recent_sign_in("GET"))
    async def show_new(self, page: CurrentPage) -> Response[bytes]:
        """Show the form of a new connection; the address may name its kind."""
        subject = find_subject(_find_kind(page))
        return await _show_form(page, subject, forms.write_values(subject, subject.defaults))

    @post("/new", status_code=HTTPStatus.SEE_OTHER)
    async def create(self, form: CurrentForm) -> Response[bytes]:
        """Make a connection, and show its page; its secret is never shown again."""
        kind = _find_kind(form.page)
        subject = find_subject(kind)
        values, faults = forms.read_values(subject, form)
        if not faults.summary:
            given = {name: value for name, value in values.items() if value is not None}
            body = to_members(given) | {"kind": kind}
            try:
                made = (await form.page.api.send("POST", subject.path, body)).read(rows.Connection)
            except ApiRefusal as refused:
                faults = forms.find_faults(subject, refused, form.page.texts)
            else:
                return form.page.lead_to(f"{_HERE}/{made.id}?done=made")
        return await _show_form(form.page, subject, forms.keep_values(subject, form), faults=faults)

    @get("/{key:uuid}")
    async def show_one(self, page: CurrentPage, key: FromPath[UUID]) -> Response[bytes]:
        """Show the state of a connection, and its mailboxes, fifty on a page."""
        query = page.request.query_params
        status, wanted = query.get("status", ""), read_search(query.get("q"))
        status = status if status in rows.STATUSES else ""
        opened = await page.api.get(f"{CONNECTION.path}/{key}", rows.Connection)
        found = await rows.list_mailboxes(page, opened, status, wanted, read_number(query.get("page")))
        return page.show(
            "connection.html",
            one=await rows.show_connection(page, opened, await read_zone(page.api)),
            rows=found.items,
            total=found.total,
            number=found.number,
            pages=found.pages,
            status=status,
            wanted=wanted,
            paging={"status": status, "q": wanted},
            done=find_done(page),
        )

    @post("/{key:uuid}/read", status_code=HTTPStatus.SEE_OTHER, opt=needs_recent_sign_in())
    async def read(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Read the calendars that are due, and show the connection."""
        await form.page.api.send("POST", f"{CONNECTION.path}/{key}/read", {})
        return form.page.lead_to(f"{_HERE}/{key}?done=read")

    @get("/{key:uuid}/change", opt=needs_recent_sign_in("GET"))
    async def show_change(self, page: CurrentPage, key: FromPath[UUID]) -> Response[bytes]:
        """Show the form of a connection, without its secret."""
        opened = await forms.open_resource(page.api, CONNECTION, str(key))
        subject = find_subject(opened.resource["kind"])
        return await _show_form(page, subject, forms.write_values(subject, opened.resource), opened)

    @post("/{key:uuid}/change", status_code=HTTPStatus.SEE_OTHER)
    async def change(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Save a connection unless somebody else has changed it meanwhile (412); an empty secret stays as it is."""
        page = form.page
        opened = await forms.open_resource(page.api, CONNECTION, str(key))
        subject = find_subject(opened.resource["kind"])
        done = await change(form, subject, opened)
        if done.is_saved:
            return page.lead_to(f"{_HERE}/{key}?done=changed")
        return await _show_form(page, subject, forms.keep_values(subject, form), opened, done.faults, done.differences)

    @post("/{key:uuid}/delete", status_code=HTTPStatus.OK)
    async def delete(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Delete a connection; a question comes first."""
        page, translate = form.page, form.page.texts.translate
        opened = await forms.open_resource(page.api, CONNECTION, str(key))
        if not form.get("sure"):
            title = translate("Delete {name}?", name=opened.resource["name"])
            lead = translate("Times read from it are deleted as well, so people can be booked at them again.")
            return page.show_confirmation(title, lead, translate("Delete"), keep=f"{_HERE}/{key}")
        await page.api.send("DELETE", f"{CONNECTION.path}/{key}")
        return page.lead_to(f"{_HERE}?done=deleted")


def find_done(page: ConsolePage) -> ChangeNotice | None:
    """Return the bar that says what was done."""
    text = _DONE.get(page.request.query_params.get("done", ""))
    return ChangeNotice(page.texts.translate(text)) if text else None


def _find_kind(page: ConsolePage) -> str:
    """Return the kind of a new connection."""
    return CALDAV if page.request.query_params.get("kind") == CALDAV else MICROSOFT


async def _show_form(
    page: ConsolePage,
    subject: Subject,
    values: dict[str, list[str]],
    opened: Record | None = None,
    faults: Faults = _NO_FAULTS,
    differences: Sequence[Difference] = (),
) -> Response[bytes]:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK
    return page.show(
        "connection-form.html",
        HTTPStatus.PRECONDITION_FAILED if differences else status,
        fields=await forms.show_fields(page, subject, values, faults),
        is_caldav=subject is CALDAV_CONNECTION,
        opened=opened.resource if opened is not None else None,
        tag=find_tag(subject, opened.resource) if opened is not None else "",
        differences=differences,
        errors=faults.summary,
    )
