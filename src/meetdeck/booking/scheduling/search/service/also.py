"""The people of the service groups who come along to a joint meeting (docs/api/joint-meetings.md)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from asyncpg import Record
from msgspec.structs import replace

from meetdeck.booking.asked_groups import too_many
from meetdeck.booking.defaults import MOST_ALSO
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import ReferenceNotFound
from meetdeck.booking.scheduling.rules import OrganizationRules
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.booking.scheduling.search.service.candidates import (
    is_limited,
    list_advisors,
    list_companions,
    list_places,
    make_candidate,
)
from meetdeck.booking.scheduling.search.service.terms import Memberships, Ranks, rank_levels
from meetdeck.booking.slots.model import AlsoGroup, Candidate, to_place
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

_PRESENT: Final = 1_000_000  # above any rank from `advisorPriority`


async def read_groups(
    connection: Connection,
    params: AvailableQuery,
    of_topic: Sequence[UUID],
    rules: OrganizationRules,
    memberships: Memberships,
) -> tuple[AlsoGroup, ...]:
    """Return the groups that a search and its topic ask for, with their people, in one query.

    If a meeting is to be moved, the people who come along to it are preferred in their groups. The memberships are
    those of all employees. Raises ReferenceNotFound, InvalidInput.
    """
    if not params.also_service_groups and not of_topic:
        return ()
    needed = (memberships.find_group(str(one)) for one in of_topic)
    wanted = Counter(_find_groups(params, memberships)) | Counter(one for one in needed if one is not None)
    if wanted.total() > MOST_ALSO:
        raise too_many("/query/alsoServiceGroups")
    among = {person for number in wanted for person in memberships.list_people(number)}
    anybody = AvailableQuery(require_employee_participation=False, customer_type_id=params.any_customer_type_id)
    rows = {row["employee_id"]: row for row in await list_advisors(connection, anybody, sorted(among))}
    ranks = rank_levels(rules.advisor_priority)
    came = await list_companions(connection, params.existing_meeting_id)
    present = {(memberships.find_group(str(group_id)), one) for group_id, one in came}
    return tuple(
        AlsoGroup(
            memberships.get_group(number).name,
            count,
            tuple(
                _prefer(person) if (number, one) in present else person
                for one in memberships.list_people(number)
                if one in rows
                for person in [_make_person(rows[one], number, ranks, params, rules, memberships)]
            ),
        )
        for number, count in wanted.items()
    )


def _prefer(person: Candidate) -> Candidate:
    return replace(person, priority=_PRESENT)


def _find_groups(params: AvailableQuery, memberships: Memberships) -> Iterator[int]:
    """Yield the number of each requested group. Raises ReferenceNotFound."""
    found = {named: memberships.find_group(named) for named in params.also_service_groups}
    faults = tuple(
        Fault("/query/alsoServiceGroups", phrase("There is no {kind} {id}.", kind=Kind.SERVICE_GROUP, id=named))
        for named, number in found.items()
        if number is None
    )
    if faults:
        raise ReferenceNotFound(" ".join(fault.detail for fault in faults), faults=faults)
    return (number for named in params.also_service_groups if (number := found[named]) is not None)


def _make_person(
    row: Record,
    number: int,
    ranks: Ranks,
    params: AvailableQuery,
    rules: OrganizationRules,
    memberships: Memberships,
) -> Candidate:
    """Return an employee whom a group offers, on its terms, with the rank by `advisorPriority`."""
    terms = memberships.find_terms(number, row["employee_id"])
    place = to_place(params.customer_location or "")
    is_local = bool(place) and place in map(to_place, list_places(row))
    priority = max(
        ranks.find_group_rank(memberships.get_group(number)),
        ranks.explicit if row["employee_id"] in params.explicit_employee_ids else 0,
        ranks.local if is_local else 0,
    )
    limited = is_limited(params, rules)
    return make_candidate(row, replace(terms, priority=priority), rules, memberships, limited=limited)
