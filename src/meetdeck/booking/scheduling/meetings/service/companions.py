"""The people of service groups who come along to a meeting: those who are known, and those still to be found.

The rules: docs/api/joint-meetings.md.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.asked_groups import find_groups, list_asked
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import ReferenceNotFound
from meetdeck.booking.scheduling.meetings.schemas.meetings import ChangedMeeting, Companions, Meeting, NewMeeting
from meetdeck.booking.scheduling.meetings.store import companions as store
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

_POINTER: Final = "/alsoServiceGroups"
NOBODY: Final = Companions()
Content = TypeVar("Content", NewMeeting, ChangedMeeting)


class RequestedCompanion(msgspec.Struct, frozen=True):
    """A person whom a service group provides for a meeting."""

    group_id: UUID
    person: UUID | None = None
    """The preferred person; None: nobody is chosen yet."""
    is_held: bool = False
    """True if a reservation holds the person's time."""
    instead: tuple[UUID, ...] = ()
    """Employees whom the booking or change names; one who is in the group comes for it."""


class Team(msgspec.Struct, frozen=True):
    """The people of a meeting besides its advisor: named employees, and people of service groups."""

    others: Sequence[UUID] = ()
    wanted: Sequence[RequestedCompanion] = ()
    without: frozenset[UUID] = frozenset()
    """People whom the change takes out of the meeting: they do not come for a group."""

    @property
    def known(self) -> Companions:
        """Return the people of groups who are known."""
        found = [(each.group_id, each.person) for each in self.wanted if each.person is not None]
        return Companions([group_id for group_id, _ in found], [person for _, person in found])

    @property
    def is_known(self) -> bool:
        """Return whether each group's person is known."""
        return all(each.person is not None for each in self.wanted)

    @property
    def is_held(self) -> bool:
        """Return whether a reservation holds the time of each group's person."""
        return all(each.is_held for each in self.wanted)


def add_people(content: Content, team: Team, companions: Companions) -> Content:
    """Return a meeting's content with people of groups among its additional employees."""
    return replace(
        content,
        additional_employees=list(dict.fromkeys([*team.others, *companions.people])),
        also_service_groups=[str(each) for each in companions.groups],
    )


async def plan_new(connection: Connection, body: NewMeeting) -> Team:
    """Return the people of a new meeting: the reservation's for the groups that it holds. Raises ReferenceNotFound."""
    named = await list_asked(connection, body.topic_id, body.also_service_groups, _POINTER)
    if body.time_slot_id is None and not named:
        return Team(body.additional_employees)
    groups = await _find_groups(connection, named)
    held, loose = await _read_held(connection, body.time_slot_id)
    others = [one for one in body.additional_employees if one not in held.people]
    wanted = [_request_companion(group_id, person, others) for group_id, person in _pair(groups, held)]
    return Team([*others, *loose], wanted)


def _request_companion(group_id: UUID, held: UUID | None, named: Sequence[UUID]) -> RequestedCompanion:
    """Return one person of a group: the one who is held for it, else a named employee who is in the group."""
    return RequestedCompanion(group_id, held, held is not None, () if held else tuple(named))


async def plan_changed(connection: Connection, before: Meeting, content: ChangedMeeting) -> Team:
    """Return the people of a changed meeting: the reservation's, else those who came along so far and still take part.

    Raises ReferenceNotFound.
    """
    is_held = content.time_slot_id != before.time_slot_id
    topic_id = content.topic_id if content.topic_id != before.topic_id else None
    asked = await list_asked(connection, topic_id, content.also_service_groups, _POINTER)
    if not (is_held or asked or before.also_service_groups):
        return Team(content.additional_employees)
    present = before.companions
    existing = await find_groups(connection, [str(each) for each in present.groups])
    gone = {group_id for group_id in present.groups if group_id not in existing}
    groups = await _find_groups(connection, [each for each in asked if each not in map(str, gone)])
    held, loose = await _read_held(connection, content.time_slot_id if is_held else None)
    stays = [
        pair for pair in zip(*present, strict=True) if pair[1] in content.additional_employees and pair[0] not in gone
    ]
    came = [one for group_id, one in zip(*present, strict=True) if group_id not in gone]
    others = [one for one in content.additional_employees if one not in came and one not in held.people]
    added = tuple(one for one in others if one not in before.people)
    wanted: list[RequestedCompanion] = []
    for group_id, holder in _pair(groups, held):
        person = holder or _take(stays, group_id)
        wanted.append(RequestedCompanion(group_id, person, holder is not None, added if person is None else ()))
    left = {*came, before.employee_id} - {*content.additional_employees, content.employee_id}
    return Team([*others, *loose], wanted, frozenset(left))


def _take(pairs: list[tuple[UUID, UUID]], group_id: UUID) -> UUID | None:
    """Remove the first person of a group from the pairs, and return the person; None if there is none."""
    for place, (group, person) in enumerate(pairs):
        if group == group_id:
            del pairs[place]
            return person
    return None


def _pair(groups: Sequence[UUID], held: Companions) -> Iterator[tuple[UUID, UUID | None]]:
    """Yield each requested or held group, once for each person, with the person who is held for it, if any.

    The people of one group stay together, as in a search.
    """
    left = list(zip(*held, strict=True))
    needed = Counter(groups) | Counter(held.groups)
    for group_id in dict.fromkeys([*groups, *held.groups]):
        for _ in range(needed[group_id]):
            yield group_id, _take(left, group_id)


async def _find_groups(connection: Connection, named: Sequence[str]) -> list[UUID]:
    """Return the service groups of some ids or names. Raises ReferenceNotFound."""
    found = await find_groups(connection, named)
    faults = tuple(
        Fault(_POINTER, phrase("There is no {kind} {id}.", kind=Kind.SERVICE_GROUP, id=written))
        for written in dict.fromkeys(written for written, group_id in zip(named, found, strict=True) if not group_id)
    )
    if faults:
        raise ReferenceNotFound(" ".join(fault.detail for fault in faults), faults=faults)
    return [group_id for group_id in found if group_id is not None]


async def _read_held(connection: Connection, time_slot_id: UUID | None) -> tuple[Companions, Sequence[UUID]]:
    """Return the people of groups whom a reservation holds, and its other additional employees.

    The others belong to no group, or to one that was deleted or renamed since.
    """
    held = await store.find_held(connection, time_slot_id) if time_slot_id is not None else None
    if held is None:
        return NOBODY, ()
    found = await find_groups(connection, held.named)
    groups = [group_id for group_id in dict.fromkeys(found) for _ in range(found.count(group_id))]
    if None in groups:
        return NOBODY, held.people
    places = len(groups)
    known = Companions([group_id for group_id in groups if group_id is not None], held.people[:places])
    return known, held.people[places:]
