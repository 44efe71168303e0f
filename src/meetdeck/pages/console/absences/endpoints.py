"""The pages of absences: the future ones, the form for new ones, and the meetings during them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.absences.form import ABSENCE, OWN_ABSENCE, fill_in, find_faults, make_body
from meetdeck.pages.console.absences.meetings import AffectedMeetings, Span, find_meetings, reassign_meetings
from meetdeck.pages.console.absences.rows import Entry, describe, describe_rule, show_time
from meetdeck.pages.console.absences.scope import AbsenceScope, find_scope
from meetdeck.pages.console.changes.undoing import (
    ChangedMeetings,
    UndoableNotice,
    make_notice,
    read_undoable_notice,
)
from meetdeck.pages.console.forms import Faults, Subject, forms, load_choices
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    Picker,
    SentForm,
    keep_id,
    name_employees,
    pick,
    read_day,
    read_zone,
    show_value,
    write_address,
)
from meetdeck.platform.values import write_json

_PAGE_SIZE: Final = 50
_AHEAD: Final = timedelta(days=366)
_KINDS: Final = ("Busy", "ExtraOpen", "WorkingFromElsewhere")
_MOST_NAMED: Final = 20
_MOST_TIMES: Final = 12
_DIGITS: Final = 4
_OF_A_STEP: Final = frozenset({"step", "look", "key", "meetings", "skip"})


class _Time(msgspec.Struct, frozen=True, rename="camel"):
    start_date: datetime
    end_date: datetime


class _Preview(msgspec.Struct, frozen=True, rename="camel"):
    count: int
    employee_ids: list[UUID]
    times: list[_Time]


class _AddedEntries(msgspec.Struct, frozen=True):
    """The first entry that was added, and the times of its series that were left out."""

    id: UUID
    skipped: list[_Time] = []


class _ListQuery(NamedTuple):
    """The query of the list."""

    location: str
    kind: str
    after: str
    """The place in the list at which the page begins, as the API names it, with its dates."""


class Absences(ConsoleController):
    """Absences, extra hours and days at another place."""

    path = "/console/absences"

    @get()
    async def show_list(self, page: CurrentPage) -> Response[bytes]:
        """Show future entries by their start, fifty on a page."""
        query, scope = page.request.query_params, await find_scope(page)
        who = await _pick_employee(page, scope)
        if scope.is_everybodys and "employee.text" in query and not who.error:
            return page.lead_to(write_address("absences", query, who))
        return await _show_list(
            page,
            scope,
            who,
            told=next((name for name in ("added", "saved", "restored") if name in query), ""),
            skipped=_read_count(query.get("skipped", "")),
        )

    @get("/new")
    async def show_new(self, page: CurrentPage) -> Response[bytes]:
        """Show the form, from today on, unless the address names an employee, a day or a time."""
        query = page.request.query_params
        day = read_day(query.get("day", "")) or page.now.astimezone(await read_zone(page.api)).date()
        return await _show_form(
            page, fill_in(day, keep_id(query.get("employee", "")), query.get("from", "")), Faults({}, [])
        )

    @post("/new", status_code=HTTPStatus.SEE_OTHER)
    async def add(self, form: CurrentForm) -> Response[bytes]:
        """Show what would be added, and add it once that was seen."""
        page, scope = form.page, await find_scope(form.page)
        subject = _find_subject(scope)
        values, faults = forms.read_values(subject, form)
        values = scope.narrow(values)
        if form.get("look") or form.get("step") == "change":
            return await _show_form(page, forms.keep_values(subject, form), Faults({}, []), form)
        if not faults.summary:
            faults = find_faults(values, page.texts)
        if not faults.summary:
            try:
                return await _add(form, make_body(values))
            except ApiRefusal as refused:
                faults = forms.find_faults(subject, refused, page.texts)
        return await _show_form(page, forms.keep_values(subject, form), faults, form)

    @get("/{entry_id:uuid}/meetings")
    async def show_meetings(self, page: CurrentPage, entry_id: FromPath[UUID]) -> Response[bytes]:
        """Show the meetings during an absence or its series, and the employees who could take them."""
        return await _show_meetings(page, entry_id)

    @post("/{entry_id:uuid}/meetings", status_code=HTTPStatus.OK)
    async def reassign_meetings_of_entry(self, form: CurrentForm, entry_id: FromPath[UUID]) -> Response[bytes]:
        """Give the meetings to others, and show those that stay."""
        entries = await _list_series(form.page, entry_id)
        (await find_scope(form.page)).require_all(entries)
        return await _show_meetings(form.page, entry_id, await reassign_meetings(form.page, _list_spans(entries)))

    @post("/{entry_id:uuid}/remove", status_code=HTTPStatus.OK)
    async def remove(self, form: CurrentForm, entry_id: FromPath[UUID]) -> Response[bytes]:
        """Remove an entry or its whole series, and show the list, which offers to undo it."""
        page, is_series, scope = form.page, bool(form.get("series")), await find_scope(form.page)
        entries = await _list_series(page, entry_id) if is_series else [await _open(page, entry_id)]
        scope.require_all(entries)
        await page.api.send("DELETE", f"booking/time-slots/{entry_id}", query={"series": is_series})
        undo = write_json(_write_again(entries, is_series=is_series)).decode()
        who = await show_value(page, "employees", "employee", "")
        return await _show_list(page, scope, who, told="removed", undo=undo, count=len(entries))

    @post("/restore", status_code=HTTPStatus.SEE_OTHER)
    async def restore(self, form: CurrentForm) -> Response[bytes]:
        """Add the absence again that was just removed."""
        body = form.get("resource").encode()
        (await find_scope(form.page)).require_body(body)
        await form.page.api.send("POST", "booking/time-slots", body)
        return form.page.lead_to("absences?restored=1")


async def _add(form: SentForm, body: dict[str, Any]) -> Response[bytes]:
    """Add entries, and redirect to their meetings or the list; show a preview first. Raises ApiRefusal."""
    page = form.page
    if form.get("step") != "add":
        return await _show_check(form, body)
    if form.get("skip"):
        body |= {"skipConflicts": True}
    once = {"Idempotency-Key": form.get("key")} if form.get("key").isascii() and form.get("key") else {}
    made = (await page.api.send("POST", "booking/time-slots", body, headers=once)).read(_AddedEntries)
    if made.skipped:
        return page.lead_to(f"absences?added=1&skipped={len(made.skipped)}")
    if form.get("meetings"):
        return page.lead_to(f"absences/{made.id}/meetings?added=1")
    return page.lead_to("absences?added=1")


async def _show_check(form: SentForm, body: dict[str, Any]) -> Response[bytes]:
    page = form.page
    preview = (await page.api.send("POST", "booking/time-slots/preview", body)).read(_Preview)
    spans = [Span(who, one.start_date, one.end_date) for one in preview.times for who in preview.employee_ids]
    found = AffectedMeetings([], is_cut=False)
    if body["status"] == "Busy":
        found = await find_meetings(page, spans, preview.employee_ids)
    zone, named = await read_zone(page.api), preview.employee_ids[:_MOST_NAMED]
    names = await name_employees(page.api, named)
    kinds = {one.value: one.label for one in (await load_choices(page.api, page.texts, ["entries"]))["entries"]}
    return page.show(
        "absence-check.html",
        kind=kinds[body["status"]],
        repeats=describe_rule(page.texts, body.get("recurrence")),
        preview=preview,
        people=[names.get(one, "") for one in named],
        times=[
            show_time(page.texts, one.start_date, one.end_date, zone, page.now) for one in preview.times[:_MOST_TIMES]
        ],
        found=found,
        key=uuid4(),
        sent=[(name, value) for name, value in form.sent if name not in _OF_A_STEP],
    )


async def _show_meetings(page: ConsolePage, entry_id: UUID, given: list[UUID] | None = None) -> Response[bytes]:
    entries, scope = await _list_series(page, entry_id), await find_scope(page)
    scope.require_all(entries)
    spans = _list_spans(entries)
    (row,) = await describe(page, entries[:1])
    return page.show(
        "absence-meetings.html",
        row=row,
        people=len({one.employee_id for one in spans}),
        found=await find_meetings(page, spans, ()),
        changed=await _describe_given(page, entry_id, given),
        entry_id=entry_id,
        is_added="added" in page.request.query_params,
        is_changed="saved" in page.request.query_params,
    )


async def _describe_given(page: ConsolePage, entry_id: UUID, given: list[UUID] | None) -> UndoableNotice | None:
    """Return the notice about meetings that were just given away, or about later actions on them."""
    if given is None:
        return await read_undoable_notice(page)
    done = page.texts.translate_plural(
        "{number} meeting is reassigned.", "{number} meetings are reassigned.", len(given)
    )
    if not given:
        return UndoableNotice(done)
    return await make_notice(page, done, ChangedMeetings(given, page.now, f"absences/{entry_id}/meetings"))


async def _pick_employee(page: ConsolePage, scope: AbsenceScope) -> Picker:
    """Return the field that selects whose absences are listed."""
    if scope.is_everybodys:
        return await pick(page, "employees", "employee", page.request.query_params.get)
    return await show_value(page, "employees", "employee", str(scope.own.id) if scope.own is not None else "")


def _find_subject(scope: AbsenceScope) -> Subject:
    return ABSENCE if scope.is_everybodys else OWN_ABSENCE


async def _show_list(page: ConsolePage, scope: AbsenceScope, who: Picker, **told: Any) -> Response[bytes]:  # noqa: ANN401 - a template's
    wanted = _read_wanted(page.request.query_params)
    own = str(scope.own.id) if scope.own is not None else ""
    is_nobody = bool(who.error) or not (scope.is_everybodys or own)
    listed = who.value if scope.is_everybodys else own
    entries, next_page = ([], "") if is_nobody else await _list_entries(page, wanted, listed or None)
    kept = {"employee": who.value, "location": wanted.location, "kind": wanted.kind}
    return page.show(
        "absences.html",
        rows=await describe(page, entries),
        who=who,
        wanted=wanted,
        is_narrowed=any(kept.values()) if scope.is_everybodys else bool(wanted.kind),
        scope=scope,
        kept={name: value for name, value in kept.items() if value},
        next_page=next_page,
        choices=await load_choices(page.api, page.texts, ("entries", "locations")),
        errors=[("employee", who.error)] if who.error else [],
        **{"told": "", "undo": "", "count": 0, "skipped": 0, **told},
    )


def _read_count(text: str) -> int:
    """Return a short number of an address; 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else 0


def _read_wanted(query: Mapping[str, str]) -> _ListQuery:
    location, kind, after = (query.get(name, "").strip() for name in ("location", "kind", "after"))
    return _ListQuery(location, kind if kind in _KINDS else "", after)


async def _list_entries(page: ConsolePage, wanted: _ListQuery, employee_id: str | None) -> tuple[list[Entry], str]:
    """Return a page of future entries, and where the next one begins."""
    dates = {"startDate": page.now.isoformat(), "endDate": (page.now + _AHEAD).isoformat()}
    if wanted.after:
        dates = {name: values[-1] for name, values in parse_qs(wanted.after).items()}
    answer = await page.api.send(
        "GET",
        "booking/time-slots",
        query={
            **dates,
            "status": [wanted.kind] if wanted.kind else _KINDS,
            "source": "api",
            "employeeId": employee_id,
            "location": wanted.location or None,
            "pageSize": _PAGE_SIZE,
        },
    )
    return answer.read(list[Entry]), _read_next(answer.headers.get("link", ""))


def _read_next(link: str) -> str:
    """Return the parameters for the next page in its link: its place and its dates."""
    query = parse_qs(urlsplit(link.partition("<")[2].partition(">")[0]).query)
    return "&".join(f"{name}={query[name][-1]}" for name in ("after", "startDate", "endDate") if name in query)


async def _open(page: ConsolePage, entry_id: UUID) -> Entry:
    return await page.api.get(f"booking/time-slots/{entry_id}", Entry)


async def _list_series(page: ConsolePage, entry_id: UUID) -> list[Entry]:
    """Return an entry together with those of its series, by their start."""
    entry = await _open(page, entry_id)
    if entry.series_id is None:
        return [entry]
    query = {"seriesId": str(entry.series_id), "status": _KINDS}
    return (await page.api.send("GET", "booking/time-slots", query=query)).read(list[Entry])


def _list_spans(entries: list[Entry]) -> list[Span]:
    return [
        Span(one.employee_id, one.start_date, one.end_date)
        for one in entries
        if one.employee_id is not None and one.status == "Busy"
    ]


def _write_again(entries: list[Entry], *, is_series: bool) -> dict[str, Any]:
    """Return a body that adds the same entries again."""
    first = entries[0]
    people = [*dict.fromkeys(str(one.employee_id) for one in entries if one.employee_id is not None)]
    body: dict[str, Any] = {"status": first.status, "startDate": first.start_date, "endDate": first.end_date}
    if first.room_id is not None:
        body["roomId"] = first.room_id
    elif is_series and first.series_id is not None:
        body["employeeIds"] = people
    else:
        body["employeeId"] = people[0]
    return body | ({"recurrence": first.recurrence} if is_series and first.recurrence else {})


async def _show_form(
    page: ConsolePage, values: dict[str, list[str]], faults: Faults, form: SentForm | None = None
) -> Response[bytes]:
    scope = await find_scope(page)
    fields = await forms.show_fields(page, _find_subject(scope), values, faults, form)
    owners = len(ABSENCE.fields) - len(OWN_ABSENCE.fields) if scope.is_everybodys else 0
    return page.show(
        "absence.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK,
        owners=fields[:owners],
        fields=fields[owners:],
        errors=faults.summary,
    )
