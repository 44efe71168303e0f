"""Whose calendar is shown: an advisor's, a team's, a room's, or a location's."""

from typing import Literal, NamedTuple
from uuid import UUID

from meetdeck.pages.console.api import Api
from meetdeck.pages.console.firm import Named
from meetdeck.pages.console.requests import ConsolePage

MOST_SHOWN = 20
"""Columns of a calendar: more people are on further pages."""

Kind = Literal["employee", "room"]


class Resource(NamedTuple):
    """An advisor or a room: a column of the calendar."""

    kind: Kind
    id: UUID
    name: str

    @property
    def key(self) -> str:
        """Return what addresses call it."""
        return f"{self.kind}.{self.id}"

    @property
    def query(self) -> dict[str, str]:
        """Return the parameter by which the API narrows its lists to it."""
        return {f"{self.kind}Id": str(self.id)}


class Shown(NamedTuple):
    """Whose calendar it is: what addresses call it, its name, and its columns; `more` are not shown."""

    key: str
    name: str
    resources: tuple[Resource, ...]
    more: int = 0

    @property
    def single(self) -> Resource | None:
        """Return the one column, None for several."""
        return next((one for one in self.resources if one.key == self.key), None)


class Employee(Named, frozen=True, rename="camel"):
    """An employee, and where they usually are."""

    location: str | None = None


class Room(Named, frozen=True, rename="camel"):
    """A room, and where it is."""

    location: str | None = None


class Group(Named, frozen=True, rename="camel"):
    """A competence group: a team, with the groups below it."""

    employee_ids: tuple[UUID, ...] = ()
    child_group_ids: tuple[UUID, ...] = ()


class Firm(NamedTuple):
    """Everybody and everything that has a calendar."""

    employees: list[Employee]
    rooms: list[Room]
    groups: list[Group]

    @property
    def locations(self) -> list[str]:
        """Return the names of the locations of somebody or something, in order."""
        return sorted({one.location for one in (*self.employees, *self.rooms) if one.location})


async def load_firm(api: Api) -> Firm:
    """Return the firm's employees, rooms and teams."""
    return Firm(
        await api.get("booking/employees", list[Employee]),
        await api.get("booking/rooms", list[Room]),
        await api.get("booking/config/competence-groups", list[Group]),
    )


def choose(page: ConsolePage, firm: Firm, asked: str) -> Shown | None:
    """Return whose calendar an address asks for: else the person's own, else the first advisor's, None for nobody's."""
    kind, _, key = asked.partition(".")
    if kind == "location" and key in firm.locations:
        people = [_column("employee", one) for one in firm.employees if one.location == key]
        rooms = [_column("room", one) for one in firm.rooms if one.location == key]
        return _cut(asked, key, [*people, *rooms])
    group = next((one for one in firm.groups if kind == "team" and str(one.id) == key), None)
    if group is not None:
        inside = _list_members(firm, group)
        return _cut(asked, group.name, [_column("employee", one) for one in firm.employees if one.id in inside])
    columns = [_column("employee", one) for one in firm.employees] + [_column("room", one) for one in firm.rooms]
    known = {each.key: each for each in columns}
    own = next((one.id for one in firm.employees if page.session.email and one.email == page.session.email), None)
    found = known.get(asked) or known.get(f"employee.{own}") or next(iter(known.values()), None)
    return Shown(found.key, found.name, (found,)) if found is not None else None


def _list_members(firm: Firm, group: Group) -> set[UUID]:
    """Return the members of a group and of all groups below it."""
    groups = {one.id: one for one in firm.groups}
    queue, members, seen = [group.id], set[UUID](), set[UUID]()
    for group_id in queue:
        if group_id in groups and group_id not in seen:
            seen.add(group_id)
            members.update(groups[group_id].employee_ids)
            queue += groups[group_id].child_group_ids
    return members


def _column(kind: Kind, one: Named) -> Resource:
    return Resource(kind, one.id, one.name)


def _cut(key: str, name: str, resources: list[Resource]) -> Shown:
    return Shown(key, name, tuple(resources[:MOST_SHOWN]), max(0, len(resources) - MOST_SHOWN))
