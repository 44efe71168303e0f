"""Chooses people of service groups for a meeting that is booked or moved, by the rules of the search.

The rules: docs/api/joint-meetings.md.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.scheduling.errors import NotOffered, ServiceGroupTaken, TimeSlotTaken
from meetdeck.booking.scheduling.explanations.schemas import ExplainQuery
from meetdeck.booking.scheduling.explanations.service.explanations import (
    explain_day,
    find_refusal,
    read_explanation_input,
)
from meetdeck.booking.scheduling.meetings.schemas.meetings import Companions, MeetingContent
from meetdeck.booking.scheduling.meetings.service.companions import Team
from meetdeck.booking.scheduling.meetings.service.customer_bookings import TAKEN, is_taken
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.recalling import recall_for_one
from meetdeck.booking.scheduling.search.service.searching import SearchInput
from meetdeck.booking.scheduling.time_slots.service.offers import (
    CountedTime,
    Offers,
    TakenMeanwhile,
    bring_named,
    count_as_booked,
    describe_slot,
    find_all_companies,
    keep_people,
    split_groups,
)
from meetdeck.booking.scheduling.time_slots.store import time_slots
from meetdeck.booking.slots.explain import explain_starts, find_date
from meetdeck.booking.slots.model import AlsoGroup
from meetdeck.booking.slots.rules import Rule
from meetdeck.platform.database import Connection, savepoint
from meetdeck.platform.phrases import phrase

_MOST_TRIES: Final = 100  # each time, somebody else had taken one of the people

Booked = TypeVar("Booked")


class JointMeeting(msgspec.Struct, frozen=True):
    """A meeting that is to be booked or moved, for which people of service groups are searched."""

    content: MeetingContent
    times: tuple[datetime, datetime]
    team: Team
    token: UUID | None = None
    """The token whose reservation counts as free."""
    meeting_id: UUID | None = None
    """The meeting whose time counts as free."""
    tenant_id: UUID | None = None
    """The tenant whose remembered calendars the search may use; None: it reads everything."""


class Choice(msgspec.Struct, frozen=True):
    """The chosen people of groups, and the search that offered them; None if they were not searched for."""

    companions: Companions
    offers: Offers | None = None

    async def require_free(
        self, connection: Connection, resource_ids: Sequence[UUID], released: Sequence[UUID]
    ) -> None:
        """Lock the meeting's people and room; raise TakenMeanwhile if the search offers the people no longer."""
        if self.offers is None:
            return
        await time_slots.lock_resources(connection, resource_ids, released=released)
        await self.offers.require_offered(connection, self.offers.employee_ids[0])


async def book_joint(
    connection: Connection,
    meeting: JointMeeting,
    now: datetime,
    book: Callable[[Choice], Awaitable[Booked]],
) -> Booked:
    """Call `book` with the people whom the search chooses, again with others if they were taken; return its result.

    `book` calls `require_free`, and then takes their time. Raises ServiceGroupTaken, NotOffered, TimeSlotTaken.
    """
    for _ in range(_MOST_TRIES):
        choice = await find_choice(connection, meeting, now)
        try:
            async with savepoint(connection):  # a rollback releases its locks
                return await book(choice)
        except TakenMeanwhile:
            continue
    raise TimeSlotTaken("Other bookings keep taking the time of these people. Try again.")


async def find_choice(
    connection: Connection, meeting: JointMeeting, now: datetime, promised: Sequence[CountedTime] = ()
) -> Choice:
    """Return the people of groups for a meeting: those who are known if possible, else those whom the search chooses.

    The references of the meeting exist. Locks nothing; `promised` times count as booked. Raises ServiceGroupTaken,
    NotOffered, TimeSlotTaken.
    """
    params = _make_query(meeting)
    advisor_id = meeting.content.employee_id
    recalled = await recall_for_one(connection, meeting.tenant_id, params, now)
    found = _leave_out(split_groups(count_as_booked(recalled.found, promised)), meeting.team, advisor_id)
    companies = find_all_companies(found)
    if not companies:
        raise await _refuse(connection, meeting, params, found, now)
    wanted = meeting.team.wanted
    named = {one for each in wanted for one in each.instead}
    kept = bring_named(found, named, [place for place, each in enumerate(wanted) if each.instead])
    kept = keep_people(kept, [() if each.person is None else (each.person,) for each in wanted])
    if kept is not found:
        companies = find_all_companies(kept)
    people = companies[advisor_id]
    companions = Companions([each.group_id for each in wanted], people)
    return Choice(companions, Offers(params, kept, now, [advisor_id], {advisor_id: people}, recalled.since))


def _make_query(meeting: JointMeeting) -> AvailableQuery:
    content = meeting.content
    return AvailableQuery(
        require_employee_participation=False,
        explicit_employee_ids=[content.employee_id],
        customer_type_id=content.customer_type_id,
        meeting_types=[content.meeting_type],
        also_service_groups=[str(each.group_id) for each in meeting.team.wanted],
        attendees=content.attendees,
        token=meeting.token,
        existing_meeting_id=meeting.meeting_id,
        **describe_slot(*meeting.times),
    )


def _leave_out(found: SearchInput, team: Team, advisor_id: UUID) -> SearchInput:
    """Return the search without employees who already take part or are taken out; its rooms seat the former."""
    others = {*team.others, *team.without}
    also = tuple(
        AlsoGroup(
            group.name, 1, tuple(one for one in group.people if one.employee_id not in others - {*wanted.instead})
        )
        for group, wanted in zip(found.query.also, team.wanted, strict=True)
    )
    named = [{one.employee_id for one in group.people} & {*team.others} for group in also]
    coming = min(len(set[UUID]().union(*named)), sum(map(bool, named)))
    beside = len({*team.others} - {advisor_id}) - coming
    return replace(found, query=replace(found.query, also=also, attendees=found.query.attendees + beside))


async def _refuse(
    connection: Connection, meeting: JointMeeting, params: AvailableQuery, found: SearchInput, now: datetime
) -> ServiceGroupTaken | NotOffered | TimeSlotTaken:
    """Return the error that names the groups without people, or the rule that does not offer the advisor."""
    advisor_id, starts_at = meeting.content.employee_id, meeting.times[0]
    verdicts = ()
    if found.candidates:
        verdicts = explain_starts(
            found.query,
            found.organization,
            found.candidates,
            found.rooms,
            found.calendars,
            employee_id=advisor_id,
            starts=[starts_at],
        )
    if any(each.rule is Rule.ALSO for each in verdicts):
        short = dict.fromkeys(name for each in verdicts for name in each.short)
        return ServiceGroupTaken(list(short))
    alone = replace(found, query=found.query.with_people(()))
    if is_taken(alone, *meeting.times):
        return TimeSlotTaken(phrase(TAKEN))
    query = ExplainQuery(
        employee_id=advisor_id,
        day=find_date(found.organization, starts_at),
        **{name: getattr(params, name) for name in AvailableQuery.__struct_fields__},
    )
    rule, detail = find_refusal(explain_day(await read_explanation_input(connection, query, now)), starts_at)
    return NotOffered(rule, detail, together=True)
