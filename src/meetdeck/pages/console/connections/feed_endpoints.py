"""The page of an employee's calendar for other programs: its address is made, shown once, and ended."""

from datetime import datetime
from http import HTTPStatus
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    IdAndName,
    needs_recent_sign_in,
    read_zone,
    show_short_moment,
)

_WHOLE: Final = "?details=true"


class _Feed(msgspec.Struct, frozen=True, rename="camel"):
    """A feed; its address is only in the answer that made it."""

    created_at: datetime
    address: str = ""


class CalendarFeeds(ConsoleController):
    """The page on which an administrator gives an employee's calendar an address."""

    path = "/console/connections/feeds/{employee_id:uuid}"
    opt = needs_recent_sign_in("POST")

    @get()
    async def show(self, page: CurrentPage, employee_id: FromPath[UUID]) -> Response[bytes]:
        """Show whether there is an address, and the buttons that make and end it."""
        employee = await _read_employee(page, employee_id)
        feed = await _find_feed(page, employee_id)
        made = show_short_moment(page, feed.created_at, await read_zone(page.api)) if feed is not None else ""
        return page.show("connection-feed.html", employee=employee, made=made)

    @post(status_code=HTTPStatus.CREATED)
    async def make(self, form: CurrentForm, employee_id: FromPath[UUID]) -> Response[bytes]:
        """Make an address, and show it once; if there is one, a question comes first, because it ends."""
        page, translate = form.page, form.page.texts.translate
        employee = await _read_employee(page, employee_id)
        if not form.get("sure") and await _find_feed(page, employee_id) is not None:
            title = translate("Create a new address for {name}?", name=employee.name)
            lead = translate("Calendars that subscribe to the current address will no longer be updated.")
            return page.show_confirmation(
                title, lead, translate("Create a new address"), keep=f"connections/feeds/{employee_id}"
            )
        made = (await page.api.send("POST", _name(employee_id))).read(_Feed)
        return page.show(
            "secret.html",
            HTTPStatus.CREATED,
            title=translate("The calendar of {name} has an address", name=employee.name),
            lead=translate("Copy it now: it is not shown again."),
            values=[
                (translate("Address, busy times alone"), made.address),
                (translate("Address, with titles, customers and places"), f"{made.address}{_WHOLE}"),
            ],
            next=f"settings/employees/{employee_id}",
        )

    @post("/end", status_code=HTTPStatus.OK)
    async def end(self, form: CurrentForm, employee_id: FromPath[UUID]) -> Response[bytes]:
        """End the address; a question comes first."""
        page, translate = form.page, form.page.texts.translate
        employee = await _read_employee(page, employee_id)
        if not form.get("sure"):
            title = translate("End the address of {name}?", name=employee.name)
            lead = translate("Calendars that subscribe to the current address will no longer be updated.")
            return page.show_confirmation(title, lead, translate("End it"), keep=f"connections/feeds/{employee_id}")
        await page.api.send("DELETE", _name(employee_id))
        return page.lead_to(f"settings/employees/{employee_id}")


def _name(employee_id: UUID) -> str:
    return f"booking/config/employees/{employee_id}/calendar-feed"


async def _read_employee(page: ConsolePage, employee_id: UUID) -> IdAndName:
    return await page.api.get(f"booking/employees/{employee_id}", IdAndName)


async def _find_feed(page: ConsolePage, employee_id: UUID) -> _Feed | None:
    """Return an employee's feed, None if there is none."""
    try:
        return await page.api.get(_name(employee_id), _Feed)
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        return None
