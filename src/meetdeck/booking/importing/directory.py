"""The import's reading and writing of locations, customer types, topics, rooms and employees."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast
from uuid import UUID

import msgspec
from msgspec import UnsetType
from msgspec.structs import asdict, replace

from meetdeck.booking.directory import resource_keys
from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.employees.schemas import Employee, EmployeeContent
from meetdeck.booking.directory.locations import store as locations
from meetdeck.booking.directory.locations.schemas import Location, SaveLocation
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.directory.meeting_topics.schemas import SaveTopic, Topic
from meetdeck.booking.directory.meeting_topics.service import find_topic_faults
from meetdeck.booking.directory.resources import Resource as PlainKind
from meetdeck.booking.directory.rooms import store as rooms
from meetdeck.booking.directory.rooms.schemas import Room, SaveRoom
from meetdeck.booking.importing.kinds import BODIES
from meetdeck.booking.importing.lookup import NameIndex
from meetdeck.booking.importing.resources import Change, Resource, RowProblem, S, text_of
from meetdeck.booking.kinds import Kind
from meetdeck.booking.localization.languages import Languages, lock_languages
from meetdeck.booking.localization.texts import list_pairs, resolve_texts
from meetdeck.platform.database import Connection, Table
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import copy_members, refuse

R = TypeVar("R", bound=msgspec.Struct)


class DirectoryResource(Resource[S], Generic[S, R]):
    """A kind of the directory, whose resource `R` is its body with an id."""

    table: Table[R]

    def __init__(self) -> None:
        self._current: dict[UUID, R] = {}

    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Load all resources into the index; `for_update`, locked."""
        if for_update:
            await self.table.lock_all(connection)
        for one in await self.table.list(connection):
            members = asdict(one)
            self._current[members["id"]] = one
            names = self.names_of(members)
            register.add(members["id"], names[0], key=self.key_of(members), names=names)

    async def find_current(self, connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, S]:
        """Return the existing resources among some ids, as bodies."""
        del connection
        return {one: self._to_body(self._current[one]) for one in ids if one in self._current}

    async def save(self, connection: Connection, changes: Sequence[Change[S]]) -> Iterable[RowProblem]:
        """Write the changes: one statement for all new ones, one for all others."""
        new = [change for change in changes if change.before is None]
        taken = await self.find_taken(connection, [change.id for change in new])
        await self.add(connection, [self._to_resource(change) for change in new if change.id not in taken])
        await self.update(connection, [self._to_resource(change) for change in changes if change.before is not None])
        return [
            RowProblem(change.row, "/id", "The id is taken by something else.") for change in new if change.id in taken
        ]

    async def find_taken(self, connection: Connection, new_ids: Sequence[UUID]) -> set[UUID]:
        """Return which ids of new resources exist already."""
        del connection, new_ids
        return set()

    async def add(self, connection: Connection, new: Sequence[R]) -> None:
        """Insert new resources."""
        await self.table.add(connection, new)

    async def update(self, connection: Connection, changed: Sequence[R]) -> None:
        """Update existing resources."""
        await self.table.update(connection, changed)

    def _to_body(self, one: R) -> S:
        # The kind determines S, and only at run time.
        return copy_members(BODIES[self.kind], one)  # pyright: ignore[reportReturnType]

    def _to_resource(self, change: Change[S]) -> R:
        return copy_members(self.table.columns.kind, change.after, id=change.id)


class TranslatedResource(DirectoryResource[S, R]):
    """A kind with texts in several languages; its bodies hold those of other languages than the main one."""

    def __init__(self) -> None:
        super().__init__()
        self.languages = Languages()

    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Load all resources into the index, and the organization's languages."""
        self.languages = await lock_languages(connection)
        await super().load(connection, register, for_update=for_update)

    def check(self, content: S) -> S:
        """Return a resource as it will be stored. Raises InvalidInput."""
        faults = self.find_faults(content)
        read = resolve_texts(content, None, self.languages, faults)
        refuse(faults)
        return replace(
            read,
            **{
                name: {tag: text for tag, text in texts.items() if text is not None}
                for name, texts in _list_texts(read)
            },
        )

    def find_faults(self, content: S) -> list[Fault]:
        """Return the faults of a row, except those of its texts."""
        del content
        return []

    def _to_body(self, one: R) -> S:
        body = super()._to_body(one)
        main = self.languages.main
        return replace(
            body, **{name: {tag: texts[tag] for tag in texts if tag != main} for name, texts in _list_texts(body)}
        )

    def _to_resource(self, change: Change[S]) -> R:
        before = dict(_list_texts(change.before)) if change.before is not None else {}
        changed = {name: dict.fromkeys(before.get(name, ())) | texts for name, texts in _list_texts(change.after)}
        return super()._to_resource(change._replace(after=replace(change.after, **changed)))


def _list_texts(body: msgspec.Struct) -> list[tuple[str, dict[str, str | None]]]:
    """Return the `localized…` members of a body with their texts by language."""
    pairs = list_pairs(type(body))
    return [(pair.localized, getattr(body, pair.localized) or {}) for pair in pairs]


class LocationResource(TranslatedResource[SaveLocation, Location]):
    """Locations; renaming one renames it in employees, rooms and workdays."""

    kind = Kind.LOCATION
    table = locations.table
    key_pointer = "/location"
    is_key_unique = True

    def key_of(self, members: Mapping[str, object]) -> str:
        """Return the location's name."""
        return text_of(members, "location")

    def names_of(self, members: Mapping[str, object]) -> list[str]:
        """Return the location's name."""
        name = text_of(members, "location")
        return [name] if name else []

    async def add(self, connection: Connection, new: Sequence[Location]) -> None:
        """Insert new resources."""
        for one in new:
            await locations.add_location(connection, one)

    async def update(self, connection: Connection, changed: Sequence[Location]) -> None:
        """Update existing resources."""
        for one in changed:
            await locations.update_location(connection, one, earlier=self._current[one.id].location)


class PlainResource(DirectoryResource[Any, Any]):
    """A plain kind of the directory."""

    def __init__(self, plain: PlainKind[Any, Any]) -> None:
        super().__init__()
        self.kind = plain.kind
        self.table = plain.table


class TopicResource(TranslatedResource[SaveTopic, Topic]):
    """Topics, which form a tree."""

    kind = Kind.TOPIC
    table = meeting_topics.table

    def check(self, content: SaveTopic) -> SaveTopic:
        """Return a topic as it will be stored. Raises InvalidInput."""
        return super().check(replace(content, meeting_types=list(dict.fromkeys(content.meeting_types))))

    def read(self, body: Mapping[str, object]) -> SaveTopic:
        """Return a topic read from JSON values, its groups as ids. Raises InvalidInput."""
        asked = body.get("alsoServiceGroups")
        if isinstance(asked, list):
            body = {**body, "alsoServiceGroups": list(map(str, cast("list[object]", asked)))}
        return super().read(body)

    def _to_body(self, one: Topic) -> SaveTopic:
        body = super()._to_body(one)
        return replace(body, also_service_groups=list(map(str, body.also_service_groups or [])))

    def find_faults(self, content: SaveTopic) -> list[Fault]:
        """Return the faults of its own members."""
        return find_topic_faults(content)

    async def save(self, connection: Connection, changes: Sequence[Change[SaveTopic]]) -> Iterable[RowProblem]:
        """Write the changes, unless topics would be below themselves, or two share a `unique_topic_id`."""
        final = {one.id: (one.parent_id, one.unique_topic_id) for one in self._current.values()}
        final |= {change.id: (change.after.parent_id, change.after.unique_topic_id) for change in changes}
        circling = _find_circles({topic_id: parent_id for topic_id, (parent_id, _) in final.items()})
        numbers = Counter(unique_topic_id for _, unique_topic_id in final.values() if unique_topic_id)
        refusals = [
            RowProblem(change.row, "/parentId", "It would be below itself.")
            for change in changes
            if change.id in circling
        ]
        refusals += [
            RowProblem(change.row, "/uniqueTopicId", "Another topic has it.")
            for change in changes
            if numbers[change.after.unique_topic_id or ""] > 1
        ]
        if refusals:
            return refusals
        # An id may move to another topic: remove it from its former topic first.
        given_away = [
            replace(self._current[change.id], unique_topic_id="")
            for change in changes
            if change.before is not None and change.before.unique_topic_id != change.after.unique_topic_id
        ]
        await self.update(connection, given_away)
        return await super().save(connection, changes)


def _find_circles(parents: Mapping[UUID, UUID | UnsetType | None]) -> set[UUID]:
    """Return the topics that are below themselves."""
    circling: set[UUID] = set()
    judged: set[UUID] = set()
    for topic_id in parents:
        above: list[UUID] = []
        places: dict[UUID, int] = {}
        found: UUID | UnsetType | None = topic_id
        while isinstance(found, UUID) and found not in judged and found not in places:
            places[found] = len(above)
            above.append(found)
            found = parents.get(found)
        if isinstance(found, UUID) and found in places:
            circling |= set(above[places[found] :])
        judged |= places.keys()
    return circling


class BookableResource(DirectoryResource[S, R]):
    """Rooms or employees, whose ids are keys of occupancy."""

    async def find_taken(self, connection: Connection, new_ids: Sequence[UUID]) -> set[UUID]:
        """Return the ids that already belong to a room or an employee, and claim the others."""
        return set(await resource_keys.claim(connection, new_ids))


class RoomResource(BookableResource[SaveRoom, Room]):
    """Rooms, identified by name and location."""

    kind = Kind.ROOM
    table = rooms.table

    def key_of(self, members: Mapping[str, object]) -> str:
        """Return name and location."""
        name = text_of(members, "name")
        return f"{name}\n{text_of(members, 'location')}" if name else ""


class EmployeeResource(BookableResource[EmployeeContent, Employee]):
    """Employees, identified by their e-mail addresses."""

    kind = Kind.EMPLOYEE
    table = employees.table
    key_pointer = "/email"
    missing_key: ClassVar[str] = "Give an e-mail address or an id, so that the next import recognizes the employee."

    def key_of(self, members: Mapping[str, object]) -> str:
        """Return the e-mail address."""
        return text_of(members, "email")

    def names_of(self, members: Mapping[str, object]) -> list[str]:
        """Return name and e-mail address."""
        return [name for name in (text_of(members, "name"), text_of(members, "email")) if name]

    def _to_resource(self, change: Change[EmployeeContent]) -> Employee:
        current = self._current.get(change.id)
        return copy_members(
            Employee, change.after, id=change.id, picture_content_id=current.picture_content_id if current else None
        )
