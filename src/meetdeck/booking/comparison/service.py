"""Comparing a list of known slots with the slots that the search finds; the reasons are those of `explanations`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import asdict

from meetdeck.booking.comparison.additions import Additions
from meetdeck.booking.comparison.known_slots import KnownList
from meetdeck.booking.comparison.outcome import Comparison, Mismatch, MissingSlot
from meetdeck.booking.comparison.search_query import complete_query, load_names, read_query
from meetdeck.booking.importing.directory import EmployeeResource
from meetdeck.booking.importing.lookup import NameIndex, UnknownReferenceError
from meetdeck.booking.importing.rows import FileProblem
from meetdeck.booking.scheduling.explanations.schemas import ExplainedStart, ExplainQuery, Reason
from meetdeck.booking.scheduling.explanations.service.exclusions import join_names
from meetdeck.booking.scheduling.explanations.service.explanations import (
    ExplanationInput,
    explain_slots,
    read_explanation_facts,
)
from meetdeck.booking.scheduling.rules import get_rules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.reading import read_search_input
from meetdeck.booking.scheduling.search.service.searching import SearchInput, find_slots, require_answerable
from meetdeck.booking.slots.explain import Chosen
from meetdeck.booking.slots.model import MeetingType, Slot
from meetdeck.booking.slots.offers import find_wanted_types
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import require_tenant
from meetdeck.platform.process.progress import ProgressReport
from meetdeck.platform.values import Moment


class SearchOptions(msgspec.Struct, frozen=True):
    """The options of the search to compare with: now, its time, and its query; None: those of the file."""

    now: datetime
    named: Moment | None = None
    query: str | None = None


class _ComparedSlots(NamedTuple):
    """The known slots of existing employees, each once, and those of unknown employees."""

    slots: frozenset[Slot]
    of_unknown: list[MissingSlot]
    warnings: list[FileProblem]

    def list_times(self) -> list[tuple[datetime, datetime]]:
        """Return the begin and end of all slots."""
        mine = [(each.starts_at, each.ends_at) for each in self.slots]
        return mine + [(each.start_date, each.end_date) for each in self.of_unknown]


class _Search(msgspec.Struct, frozen=True):
    """The search of a comparison, and its input; the transaction that read it can end."""

    params: AvailableQuery
    found: SearchInput
    listed: _ComparedSlots
    names: NameIndex
    warnings: list[FileProblem]


async def compare_slots(
    database: Database,
    tenant_id: UUID,
    known: KnownList,
    options: SearchOptions,
    progress: ProgressReport,
    *,
    most: int,
) -> Comparison:
    """Return how a list of known slots differs from the slots that the search finds.

    The number of statements grows with the employees whose slots are missing, never with the slots. Raises SetupError
    for an unreadable query, TenantNotFound, ReferenceNotFound, InvalidTime, and SearchTooLarge for more than `most`
    slots.
    """
    async with database.transaction(tenant_id) as connection:
        await require_tenant(connection, tenant_id)
        search = await _read_search(connection, known, options)
    listed, found = search.listed, search.found
    offered = require_answerable(find_slots(found), found, most)
    additions = Additions(listed.slots, found.organization.zone, search.names.name_of)
    chosen: dict[tuple[datetime, MeetingType], UUID] = {}
    in_both: set[Slot] = set()
    for slot in offered:
        if found.query.best:
            chosen[slot.starts_at, slot.meeting_type] = slot.employee_id
        if slot in listed.slots:
            in_both.add(slot)
        else:
            additions.add(slot)
    missing = sorted(listed.slots - in_both, key=lambda each: (each.starts_at, each.employee_id))
    async with database.transaction(tenant_id) as connection:
        cases = await _read_cases(connection, search, missing)
    return Comparison(
        at=found.query.now,
        start_date=found.query.starts_at,
        end_date=found.query.ends_at,
        time_zone=found.organization.zone.key,
        known=len(listed.slots) + len(listed.of_unknown),
        offered=len(offered),
        in_both=len(in_both),
        missing=[*listed.of_unknown, *_explain_all(search, missing, cases, chosen, progress)],
        added=list(additions.list_groups()),
        warnings=search.warnings,
    )


async def _read_search(connection: Connection, known: KnownList, options: SearchOptions) -> _Search:
    zone = (await get_rules(connection)).zone
    named_moment = options.named or known.at
    now = named_moment.to_utc(zone) if named_moment is not None else options.now
    params, warnings = await read_query(
        connection, known.name, options.query if options.query is not None else known.query
    )
    names = await load_names(connection, EmployeeResource())
    listed = _identify(known, names, zone)
    times = listed.list_times()
    params = complete_query(params, times, now if named_moment is not None else None, zone)
    past = sum(begin < now for begin, _ in times)
    if past and named_moment is None:
        detail = f"{past:,} slots begin before now: give the time at which the list was made with --at."
        warnings.append(FileProblem(known.name, 1, "", detail))
    found = await read_search_input(connection, params, now)
    return _Search(params, found, listed, names, [*known.warnings, *warnings, *listed.warnings])


def _identify(known: KnownList, names: NameIndex, zone: ZoneInfo) -> _ComparedSlots:
    """Return the slots with their employees, and times without an offset in the organization's zone."""
    slots: set[Slot] = set()
    of_unknown: list[MissingSlot] = []
    employees: dict[str, UUID | str] = {}
    for _, slot in known.slots:
        text = slot.employee_id
        if text not in employees:
            employees[text] = _find_employee(names, text)
        found = employees[text]
        begin, end = slot.start_date.to_utc(zone), slot.end_date.to_utc(zone)
        if isinstance(found, UUID):
            slots.add(Slot(begin, end, slot.meeting_type, found))
        else:
            rule = Mismatch.UNKNOWN_EMPLOYEE
            of_unknown.append(MissingSlot(None, text, begin, end, slot.meeting_type, rule, found))
    repeated = len(known.slots) - len(slots) - len(of_unknown)
    detail = f"{repeated:,} slots are in the list more than once, and count once."
    return _ComparedSlots(frozenset(slots), of_unknown, [FileProblem(known.name, 1, "", detail)] if repeated else [])


def _find_employee(names: NameIndex, text: str) -> UUID | str:
    """Return the employee's id, or a sentence that says why there is none."""
    try:
        return names.find(text)
    except UnknownReferenceError as error:
        return str(error)


async def _read_cases(connection: Connection, search: _Search, missing: Sequence[Slot]) -> dict[UUID, ExplanationInput]:
    """Return the input of explanations, for each employee of a missing slot."""
    zone, now = search.found.organization.zone, search.found.query.now
    return {
        slot.employee_id: await read_explanation_facts(
            connection,
            ExplainQuery(**asdict(search.params), employee_id=slot.employee_id, day=_find_local_date(slot, zone)),
            search.found,
            now,
        )
        for slot in {each.employee_id: each for each in missing}.values()
    }


def _explain_all(
    search: _Search,
    missing: Sequence[Slot],
    cases: Mapping[UUID, ExplanationInput],
    chosen: Chosen,
    progress: ProgressReport,
) -> Iterator[MissingSlot]:
    """Yield the missing slots with their reasons: those of each employee are explained together."""
    slots_by_employee: defaultdict[UUID, list[Slot]] = defaultdict(list)
    for slot in missing:
        slots_by_employee[slot.employee_id].append(slot)
    progress.begin("explaining slots", len(missing))
    for employee_id, slots in slots_by_employee.items():
        case = cases[employee_id]
        explained = explain_slots(case, {(each.starts_at, each.meeting_type) for each in slots}, chosen)
        starts = {(each.start_date, each.meeting_type): each for each in explained}
        for slot in slots:
            rule, detail = _find_reason(
                search.found, case.reasons, slot, starts.get((slot.starts_at, slot.meeting_type))
            )
            yield MissingSlot(
                employee_id,
                search.names.name_of(employee_id),
                slot.starts_at,
                slot.ends_at,
                slot.meeting_type,
                rule,
                detail,
            )
        progress.advance(len(slots))


def _find_reason(
    found: SearchInput, reasons: Sequence[Reason], slot: Slot, start: ExplainedStart | None
) -> tuple[str, str]:
    """Return the rule that removes a slot, and its sentence."""
    if slot.ends_at - slot.starts_at != found.query.duration:
        length, expected = (
            each // timedelta(minutes=1) for each in (slot.ends_at - slot.starts_at, found.query.duration)
        )
        return Mismatch.LENGTH, f"It lasts {length} minutes, and this search finds slots of {expected} minutes."
    if reasons:
        return reasons[0].rule, " ".join(each.detail for each in reasons)
    if start is not None:
        detail = "The search leaves this time to another advisor."
        return (start.rule, start.detail) if start.rule is not None else (Mismatch.NOT_CHOSEN, detail)
    wanted_types = find_wanted_types(found.query)
    if slot.meeting_type not in wanted_types:
        return Mismatch.MEETING_TYPE, f"This search finds only {join_names(wanted_types)} meetings."
    return Mismatch.HALF_HOUR, "Slots begin at :00 and :30 of the advisor's clock."


def _find_local_date(slot: Slot, zone: ZoneInfo) -> date:
    return slot.starts_at.astimezone(zone).date()
