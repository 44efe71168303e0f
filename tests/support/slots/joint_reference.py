"""The search for joint meetings once more, by trying all choices of people."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import combinations
from uuid import UUID

from msgspec.structs import replace

from meetdeck.booking.slots.model import Candidate, MeetingType
from support.slots.reference import Item, Reference, date_of, day_of, draw_lot, place_of


class JointReference(Reference):
    """A search whose query also asks for people of groups."""

    def list_offering(
        self, searched: Sequence[Candidate], meeting_type: MeetingType, start: datetime, end: datetime
    ) -> list[Candidate]:
        """Return those who are offered at a place where the groups can join them."""
        found = [self.list_joint(searched, meeting_type, place, start, end) for place in self.list_places(meeting_type)]
        return [each for each in searched if any(each in there for there in found)]

    def list_joint(
        self,
        searched: Sequence[Candidate],
        meeting_type: MeetingType,
        place: str | None,
        start: datetime,
        end: datetime,
    ) -> list[Candidate]:
        """Return those who are offered at a place, physically, and can be joined by the groups."""
        here = self.at(place)
        offering = [each for each in searched if here.offers(each, meeting_type, start, end)]
        if self.query.require_all and self.query.named:
            if frozenset(each.employee_id for each in offering) != self.query.named:
                return []
            return offering if any(self.list_companies(None, meeting_type, place, start, end)) else []
        return [
            each for each in offering if any(self.list_companies(each.employee_id, meeting_type, place, start, end))
        ]

    def list_places(self, meeting_type: MeetingType) -> list[str | None]:
        if meeting_type is not MeetingType.PHYSICAL:
            return [self.query.meeting_location]
        if self.query.meeting_location is not None:
            return [self.query.meeting_location]
        return [*sorted({place_of(hours.location) for each in self.candidates for hours in each.intervals})]

    def at(self, place: str | None) -> Reference:
        """Return the search at one place."""
        query = replace(self.query, meeting_location=place)
        return Reference(query, self.organization, self.candidates, self.rooms, self.busy, self.entries)

    def list_companies(
        self, advisor: UUID | None, meeting_type: MeetingType, place: str | None, start: datetime, end: datetime
    ) -> Iterator[tuple[UUID, ...]]:
        """Yield the ways in which the groups can send different people, the best first: one after another in order."""
        query = self.query
        without: set[UUID | None] = {advisor, *(query.named if query.require_all else ())}
        roomless = replace(query, require_room=False, room_ids=None, room_required_locations=frozenset(), also=())
        there = place if meeting_type is MeetingType.PHYSICAL else None
        search = Reference(
            replace(roomless, meeting_location=there),
            self.organization,
            self.candidates,
            self.rooms,
            self.busy,
            self.entries,
        )
        own_day = day_of(self.organization.zone, date_of(self.organization.zone, start))
        ranked = [
            sorted(
                (
                    each
                    for each in group.people
                    if each.employee_id not in without and search.offers(each, meeting_type, start, end)
                ),
                key=lambda each: (
                    -each.priority,
                    self.sum_up(each.resource_key, *own_day),
                    draw_lot(each.employee_id, start),
                ),
            )
            for group in query.also
        ]
        yield from list_choices(ranked, [group.count for group in query.also])

    def find_company(self, slot: Item, place: str | None) -> tuple[tuple[UUID, ...], int]:
        """Return who comes along to a slot, and in how many ways people can be chosen."""
        start, end, meeting_type, employee_id = slot
        advisor = None if self.query.require_all and self.query.named else employee_id
        choices = list(self.list_companies(advisor, meeting_type, place, start, end))
        return choices[0], len(choices)

    def list_joint_places(self, slot: Item) -> list[str | None]:
        """Return the places at which a slot of a joint meeting can be."""
        start, end, meeting_type, employee_id = slot
        together = self.query.require_all and self.query.named
        searched = [each for each in self.candidates if not together or each.employee_id in self.query.named]
        offering = self.list_offering(searched, meeting_type, start, end)
        ways = searched if together else [each for each in offering if each.employee_id == employee_id]
        first = max(ways, key=lambda each: each.priority)
        return [
            place
            for place in self.list_places(meeting_type)
            if (found := self.list_joint(searched, meeting_type, place, start, end)) and (together or first in found)
        ]


def list_choices(ranked: Sequence[Sequence[Candidate]], counts: Sequence[int]) -> Iterator[tuple[UUID, ...]]:
    """Yield the ways to take so many different people of each list, those who come first in their lists first."""
    if not counts:
        yield ()
        return
    for some in combinations([each.employee_id for each in ranked[0]], counts[0]):
        left = [[each for each in others if each.employee_id not in some] for others in ranked[1:]]
        yield from (some + rest for rest in list_choices(left, counts[1:]))
