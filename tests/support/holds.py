"""A simple model of occupied time: a list of holds, each with the half hours of its people and rooms."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Literal

import msgspec

HALF_HOUR = timedelta(minutes=30)
LIFETIME = timedelta(minutes=5)

Span = tuple[datetime, datetime]
Cell = tuple[str, datetime]
"""A person or a room, and when one of its half hours begins."""


class Hold(msgspec.Struct, kw_only=True):
    """A time slot that is or was reserved for a token, or a meeting's."""

    id: str
    span: Span
    employee: str | None
    room: str | None
    token: str | None = None
    made_at: datetime | None = None
    expires_at: datetime | None = None
    renewals: int = 0
    moves: str | None = None
    """The meeting that a reservation is for."""
    meeting: str | None = None
    """The meeting that has this slot."""
    additional: tuple[str, ...] = ()
    type: str = "Online"
    is_room_given: bool = False
    is_released: bool = False
    cells: frozenset[Cell] = frozenset()
    """The cells that it holds: all that it wants, except those held by the meeting that it is for."""

    @property
    def resources(self) -> set[str]:
        return {one for one in (self.employee, self.room, *self.additional) if one is not None}

    @property
    def wanted(self) -> frozenset[Cell]:
        return list_cells(self.resources, self.span)

    def status(self, now: datetime) -> Literal["Reserved", "Expired", "Booked", "Released"]:
        if self.is_released:
            return "Released"
        if self.expires_at is None:
            return "Booked"
        return "Reserved" if now < self.expires_at else "Expired"

    def leave_out_the_advisor(self) -> None:
        """Remove the advisor from the additional employees."""
        self.additional = tuple(one for one in self.additional if one != self.employee)

    def is_live(self, now: datetime) -> bool:
        return self.status(now) in {"Reserved", "Booked"}


class Holds:
    """All holds, and the ids of the deleted ones."""

    def __init__(self) -> None:
        self.all: list[Hold] = []
        self.deleted: list[str] = []
        self.cancelled: list[str] = []
        """Meetings."""
        self.busy: dict[str, frozenset[Cell]] = {}
        """Busy times by their ids. They occupy nothing."""

    def list_meetings(self) -> list[Hold]:
        return [one for one in self.all if one.meeting is not None and not one.is_released]

    def list_reservations(self) -> list[Hold]:
        """Return the live and the expired reservations."""
        return [one for one in self.all if one.token is not None]

    def find_of_token(self, token: str) -> Hold | None:
        return next((one for one in self.all if one.token == token), None)

    def find_of_meeting(self, meeting: str | None) -> Hold | None:
        return next((one for one in self.list_meetings() if one.meeting == meeting), None)

    def list_taken(self, now: datetime, *, ignored: Iterable[Hold | None] = ()) -> dict[Cell, str]:
        """Return the occupied cells with their slots, except those of some slots."""
        others = [one for one in self.all if one.is_live(now) and all(one is not each for each in ignored)]
        return {cell: one.id for one in others for cell in one.cells}

    def is_free(self, cells: Collection[Cell], now: datetime, *, ignored: Iterable[Hold | None] = ()) -> bool:
        return self.list_taken(now, ignored=ignored).keys().isdisjoint(cells)

    def choose_room(
        self, rooms: Iterable[str], span: Span, now: datetime, ignored: Iterable[Hold | None]
    ) -> str | None:
        """Return the first room that is free and not busy."""
        taken = self.list_taken(now, ignored=ignored).keys() | self.list_busy()
        return next((room for room in rooms if taken.isdisjoint(list_cells({room}, span))), None)

    def list_busy(self) -> frozenset[Cell]:
        """Return the half hours at which a person or a room is busy."""
        return frozenset[Cell]().union(*self.busy.values())

    def is_busy(self, cells: frozenset[Cell], kept: Iterable[Hold | None] = ()) -> bool:
        """Return whether something is busy then that these holds do not have already."""
        had = frozenset[Cell]().union(*(one.cells for one in kept if one is not None))
        return not self.list_busy().isdisjoint(cells - had)

    def add(self, hold: Hold) -> None:
        """Add a hold with all that it wants, except what the meeting that it is for holds."""
        moved = self.find_of_meeting(hold.moves)
        hold.cells = hold.wanted - (moved.cells if moved is not None else frozenset())
        self.all.append(hold)

    def delete(self, hold: Hold) -> None:
        self.all = [one for one in self.all if one is not hold]
        self.deleted.append(hold.id)

    def transfer_released_time(self, meeting: str, given_back: frozenset[Cell], now: datetime) -> None:
        """Transfer the released time to reservations for moving the meeting, the first one first."""
        waiting = [one for one in self.list_reservations() if one.moves == meeting and one.is_live(now)]
        for one in sorted(waiting, key=lambda one: one.made_at or now):
            one.cells |= (one.wanted & given_back) - self.list_taken(now).keys()


def list_cells(resources: Iterable[str], span: Span) -> frozenset[Cell]:
    count = (span[1] - span[0]) // HALF_HOUR
    return frozenset((resource, span[0] + number * HALF_HOUR) for resource in resources for number in range(count))
