"""The pages of working hours: all employees' weeks, and the form of one."""

from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.forms import Field, FieldMistake, forms, load_choices
from meetdeck.pages.console.hours.week import Day, copy_monday, find_row, make_workdays, read_week, write_week
from meetdeck.pages.console.kit import (
    Api,
    ApiRefusal,
    ChangeNotice,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    Undo,
    UndoRefused,
    read_change_notice,
    read_number,
    read_part,
    read_search,
    take_back,
)
from meetdeck.pages.texts import mark

_SCHEDULES: Final = "booking/config/employee-schedules"
_KIND: Final = "hours"
_PAGE_SIZE: Final = 50
_MOST_A_DAY: Final = Field(
    "maxMeetingTimePerDay",
    mark("Most time in meetings a day"),
    "length",
    mark("Leave empty to use the organization's limit."),
    empty=None,
    unit="hours",
)


class _Person(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    title: str = ""


class _Schedule(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    employee_id: UUID
    is_only_explicitly_available: bool
    can_be_booked: bool
    workdays: list[dict[str, Any]]
    max_meeting_time_per_day: str | None


class _WeekForm(msgspec.Struct, frozen=True):
    """The values of a week's form beside its rows."""

    can_be_booked: bool
    is_only_explicit: bool
    most_a_day: dict[str, list[str]]
    tag: str


class Hours(ConsoleController):
    """The working hours of employees."""

    path = "/console/hours"

    @get()
    async def show_all(self, page: CurrentPage) -> Response[bytes]:
        """Show the weeks of all employees in short, fifty on a page."""
        return await _show_all(page)

    @get("/{employee_id:uuid}")
    async def show_one(self, page: CurrentPage, employee_id: FromPath[UUID]) -> Response[bytes]:
        """Show the form of an employee's week."""
        schedule, tag = await _find(page, employee_id)
        if schedule is None:
            typed = _WeekForm(can_be_booked=True, is_only_explicit=False, most_a_day={}, tag="")
            return await _show(page, employee_id, write_week([]), typed)
        return await _show(page, employee_id, write_week(schedule.workdays), _describe(schedule, tag))

    @post("/{employee_id:uuid}", status_code=HTTPStatus.SEE_OTHER)
    async def save(self, form: CurrentForm, employee_id: FromPath[UUID]) -> Response[bytes]:
        """Save a week, and redirect to the list; or show it with Monday's hours on the other workdays."""
        page, days = form.page, read_week(form.list_all)
        typed = _WeekForm(
            can_be_booked=bool(form.get("canBeBooked")),
            is_only_explicit=bool(form.get("isOnlyExplicitlyAvailable")),
            most_a_day={name: form.list_all(name) for name in (_MOST_A_DAY.name, _MOST_A_DAY.unit_name)},
            tag=form.get("tag"),
        )
        if form.get("copy"):
            return await _show(page, employee_id, copy_monday(days), typed)
        try:
            values = {
                "canBeBooked": typed.can_be_booked,
                "isOnlyExplicitlyAvailable": typed.is_only_explicit,
                "maxMeetingTimePerDay": _MOST_A_DAY.read(form.list_all),
                "workdays": make_workdays(days),
            }
            change = await _save(page, employee_id, typed.tag, values)
        except FieldMistake as mistyped:
            return await _show(page, employee_id, days, typed, [(mistyped.field.member, mistyped.explain(page.texts))])
        except ApiRefusal as refused:
            return await _show_refusal(page, employee_id, days, typed, refused)
        person = await page.api.get(f"booking/employees/{employee_id}", _Person)
        if change is not None:
            was, tag = change
            await page.sessions.keep_undo(page.session, Undo(_KIND, str(was.id), person.name, tag, _read_values(was)))
        return page.lead_to(f"hours?saved={quote(person.name)}")

    @post("/undo", status_code=HTTPStatus.SEE_OTHER)
    async def undo(self, form: CurrentForm) -> Response[bytes]:
        """Undo the last change of a week, unless somebody has changed it since (409)."""
        page = form.page
        try:
            undone = await take_back(page, _KIND, partial(_put_back, page.api))
        except UndoRefused as stays:
            return await _show_all(page, str(stays))
        return page.lead_to("hours?undone=1" if undone is not None else "hours")


async def _show_all(page: ConsolePage, refusal: str = "") -> Response[bytes]:
    """Show a page of the weeks; with the reason if the last change is not undone (409)."""
    query = page.request.query_params
    wanted, number = read_search(query.get("q")), read_number(query.get("page"))
    part = await read_part(page.api, "booking/employees", _Person, number, _PAGE_SIZE, search=wanted or None)
    schedules = await _list_schedules(page, [one.id for one in part.items])
    return page.show(
        "hours.html",
        HTTPStatus.CONFLICT if refusal else HTTPStatus.OK,
        rows=[(one, write_week(schedules[one.id].workdays) if one.id in schedules else None) for one in part.items],
        wanted=wanted,
        number=part.number,
        pages=part.pages,
        done=await _read_notice(page) if not refusal else None,
        errors=[("", refusal)] if refusal else [],
    )


async def _read_notice(page: ConsolePage) -> ChangeNotice | None:
    """Return the notice of the change that led to the list."""
    name = page.request.query_params.get("saved", "")
    return await read_change_notice(
        page, "hours/undo", _KIND, name, page.texts.translate("The hours of {name} are saved.", name=name)
    )


async def _list_schedules(page: ConsolePage, employee_ids: list[UUID]) -> dict[UUID, _Schedule]:
    """Return the schedules of some employees."""
    if not employee_ids:
        return {}
    answer = await page.api.send("GET", _SCHEDULES, query={"employeeIds": [str(one) for one in employee_ids]})
    return {one.employee_id: one for one in answer.read(list[_Schedule])}


async def _find(page: ConsolePage, employee_id: UUID) -> tuple[_Schedule | None, str]:
    """Return an employee's schedule with its entity tag; None if there is none yet."""
    known = (await _list_schedules(page, [employee_id])).get(employee_id)
    if known is None:
        return None, ""
    answer = await page.api.send("GET", f"{_SCHEDULES}/{known.id}")
    return answer.read(_Schedule), answer.tag


async def _save(page: ConsolePage, employee_id: UUID, tag: str, values: dict[str, Any]) -> tuple[_Schedule, str] | None:
    """Save a week unless it was changed since the form was opened; return the previous one and its new entity tag.

    None if there was none before, or nothing has changed. Raises ApiRefusal.
    """
    schedule, _ = await _find(page, employee_id)
    if schedule is None:
        await page.api.send("POST", _SCHEDULES, {"employeeId": employee_id, **values})
        return None
    answer = await page.api.patch(f"{_SCHEDULES}/{schedule.id}", values, tag or '"none"')
    return (schedule, answer.tag) if answer.tag != tag else None


async def _put_back(api: Api, undo: Undo) -> None:
    """Restore a week to its state before a change. Raises ApiRefusal."""
    await api.patch(f"{_SCHEDULES}/{undo.key}", undo.resource, undo.tag)


def _read_values(schedule: _Schedule) -> dict[str, Any]:
    """Return the members of a week that its form sets."""
    return {
        "canBeBooked": schedule.can_be_booked,
        "isOnlyExplicitlyAvailable": schedule.is_only_explicitly_available,
        "maxMeetingTimePerDay": schedule.max_meeting_time_per_day,
        "workdays": schedule.workdays,
    }


async def _show_refusal(
    page: ConsolePage, employee_id: UUID, days: list[Day], typed: _WeekForm, refused: ApiRefusal
) -> Response[bytes]:
    """Answer the form as it was sent, with the API's errors, or what somebody else has saved meanwhile (412)."""
    if refused.status == HTTPStatus.PRECONDITION_FAILED:
        schedule, tag = await _find(page, employee_id)
        theirs = write_week(schedule.workdays) if schedule is not None else []
        return await _show(page, employee_id, days, msgspec.structs.replace(typed, tag=tag), theirs=theirs, status=412)
    if refused.status not in {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.FORBIDDEN}:
        raise refused
    errors = [(find_row(days, fault.pointer), fault.detail) for fault in refused.faults] or [("", refused.detail)]
    return await _show(page, employee_id, days, typed, errors)


async def _show(
    page: ConsolePage,
    employee_id: UUID,
    days: list[Day],
    typed: _WeekForm,
    errors: list[tuple[str, str]] | None = None,
    **more: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    choices = await load_choices(page.api, page.texts, ("locations", "meeting-types"))
    values = {
        "person": await page.api.get(f"booking/employees/{employee_id}", _Person),
        "days": days,
        "typed": typed,
        "most_a_day": forms.show_field(_MOST_A_DAY, typed.most_a_day, errors or []),
        "locations": choices["locations"],
        "ways": choices["meeting-types"],
        "errors": errors or [],
        "theirs": None,
    }
    status = more.pop("status", HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK)
    return page.show("hours-form.html", status, **{**values, **more})


def _describe(schedule: _Schedule, tag: str) -> _WeekForm:
    return _WeekForm(
        can_be_booked=schedule.can_be_booked,
        is_only_explicit=schedule.is_only_explicitly_available,
        most_a_day=_MOST_A_DAY.write_all(schedule.max_meeting_time_per_day),
        tag=tag,
    )
