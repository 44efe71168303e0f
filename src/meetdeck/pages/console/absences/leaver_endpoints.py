"""The page that shows and reassigns the meetings of an employee who has left."""

from datetime import timedelta
from http import HTTPStatus
from typing import Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.absences.meetings import Span, find_meetings, reassign_meetings
from meetdeck.pages.console.changes.undoing import ChangedMeetings, UndoableNotice, make_notice, read_undoable_notice
from meetdeck.pages.console.kit import ConsoleController, ConsolePage, CurrentForm, CurrentPage

_AHEAD: Final = timedelta(days=366)


class _Employee(msgspec.Struct, frozen=True):
    id: UUID
    name: str


class Leavers(ConsoleController):
    """The meetings of employees who have left."""

    path = "/console/absences/leavers/{employee_id:uuid}"

    @get()
    async def show_left_meetings(self, page: CurrentPage, employee_id: FromPath[UUID]) -> Response[bytes]:
        """Show the meetings to come, and the employees who could take them."""
        return await _show(page, employee_id, await read_undoable_notice(page))

    @post(status_code=HTTPStatus.OK)
    async def reassign_left_meetings(self, form: CurrentForm, employee_id: FromPath[UUID]) -> Response[bytes]:
        """Give the meetings to others, and show those that stay."""
        page = form.page
        given = await reassign_meetings(page, [_span(page, employee_id)])
        done = page.texts.translate_plural(
            "{number} meeting is reassigned.", "{number} meetings are reassigned.", len(given)
        )
        told = UndoableNotice(done)
        if given:
            told = await make_notice(page, done, ChangedMeetings(given, page.now, f"absences/leavers/{employee_id}"))
        return await _show(page, employee_id, told)


def _span(page: ConsolePage, employee_id: UUID) -> Span:
    return Span(employee_id, page.now, page.now + _AHEAD)


async def _show(page: ConsolePage, employee_id: UUID, changed: UndoableNotice | None) -> Response[bytes]:
    employee = await page.api.get(f"booking/employees/{employee_id}", _Employee)
    found = await find_meetings(page, [_span(page, employee_id)], ())
    return page.show("leaver-meetings.html", employee=employee, found=found, changed=changed)
