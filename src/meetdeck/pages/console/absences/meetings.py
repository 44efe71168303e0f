"""The meetings during absences, and the employees who could take them instead."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.absences.rows import show_time
from meetdeck.pages.console.kit import ConsolePage, name_employees, name_topics, read_zone

MOST_PEOPLE: Final = 30
MOST_TIMES: Final = 60
"""The number of times of employees that are examined: each is a search."""


class Span(NamedTuple):
    """A period in which an employee is away."""

    employee_id: UUID
    begin: datetime
    end: datetime


class AffectedMeetings(NamedTuple):
    """The meetings in some periods, and whether there were more periods than examined."""

    meetings: "list[ShownMeeting]"
    is_cut: bool


class ShownMeeting(NamedTuple):
    """A meeting and its planned advisor; `given_to` is empty if it stays."""

    id: UUID
    when: str
    title: str
    advisor: str
    given_to: str
    reason: str


class _Meeting(msgspec.Struct, frozen=True, rename="camel"):
    id: UUID
    start_date: datetime
    end_date: datetime
    title: str
    topic_id: UUID | None
    customer_id: str


class _Reassignment(msgspec.Struct, frozen=True, rename="camel"):
    meeting_id: UUID
    employee_id: UUID | None
    reason: str


async def find_meetings(page: ConsolePage, spans: Iterable[Span], absent: Sequence[UUID]) -> AffectedMeetings:
    """Return the meetings in some periods, with the result of giving them away; `absent` employees get none."""
    looked_at, is_cut = _limit_spans(page, spans)
    topics, zone = await name_topics(page.api), await read_zone(page.api)
    told: list[tuple[Span, _Meeting, _Reassignment]] = []
    for span in looked_at:
        meetings = {one.id: one for one in await _list_meetings(page, span)}
        given = await _reassign(page, span, dry_run=True) if meetings else []
        told += [(span, meetings[one.meeting_id], one) for one in given if one.meeting_id in meetings]
    people = (each for span, _, one in told for each in (span.employee_id, one.employee_id))
    names = await name_employees(page.api, people)
    shown: dict[UUID, ShownMeeting] = {}
    for span, meeting, one in told:
        is_open = one.employee_id is not None and one.employee_id in absent
        given_to = names.get(one.employee_id, "") if one.employee_id is not None else ""
        shown[meeting.id] = ShownMeeting(
            meeting.id,
            show_time(page.texts, meeting.start_date, meeting.end_date, zone, page.now),
            _name(meeting, topics.get(meeting.topic_id, "") if meeting.topic_id else ""),
            names.get(span.employee_id, ""),
            page.texts.translate("Somebody else") if is_open else given_to,
            page.texts.translate("Found when the absence is added.") if is_open else one.reason,
        )
    return AffectedMeetings([*shown.values()], is_cut)


async def reassign_meetings(page: ConsolePage, spans: Iterable[Span]) -> list[UUID]:
    """Give the meetings in some periods to others; return the ids of those that were given."""
    looked_at, _ = _limit_spans(page, spans)
    given: dict[UUID, None] = {}
    for span in looked_at:
        if await _list_meetings(page, span):
            told = await _reassign(page, span, dry_run=False)
            given |= {one.meeting_id: None for one in told if one.employee_id is not None}
    return [*given]


def _limit_spans(page: ConsolePage, spans: Iterable[Span]) -> tuple[list[Span], bool]:
    """Return the future periods that are examined, and whether there are more."""
    coming = [one for one in spans if one.end > page.now]
    people = [*dict.fromkeys(one.employee_id for one in coming)][:MOST_PEOPLE]
    kept = [one for one in coming if one.employee_id in people][:MOST_TIMES]
    return kept, len(kept) < len(coming)


async def _list_meetings(page: ConsolePage, span: Span) -> list[_Meeting]:
    return await page.api.get(
        "booking/meetings",
        list[_Meeting],
        employeeId=str(span.employee_id),
        startDate=max(span.begin, page.now).isoformat(),
        endDate=span.end.isoformat(),
    )


async def _reassign(page: ConsolePage, span: Span, *, dry_run: bool) -> list[_Reassignment]:
    body = {"employeeId": span.employee_id, "from": span.begin, "to": span.end, "dryRun": dry_run}
    return (await page.api.send("POST", "booking/meetings/reassign", body)).read(list[_Reassignment])


def _name(meeting: _Meeting, topic: str) -> str:
    return ", ".join(part for part in (topic or meeting.title, meeting.customer_id) if part)
