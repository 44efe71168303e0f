"""Turn a row into a body: resolve its references, identify the resource, validate the result."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeVar, cast
from uuid import UUID, uuid4

import msgspec

from meetdeck.booking.importing.kinds import MAY_REPEAT, REFERENCES, Named, alias_of
from meetdeck.booking.importing.lookup import NameIndex, TimeZones, UnknownReferenceError, read_id
from meetdeck.booking.importing.resources import Resource
from meetdeck.booking.importing.rows import DEFAULT, FileProblems, Row
from meetdeck.booking.kinds import Kind
from meetdeck.platform.errors import Invalid

S = TypeVar("S", bound=msgspec.Struct)
Registers = Mapping[Named, NameIndex | TimeZones]


class IdentifiedRow(NamedTuple):
    """A row with the id of its resource, a new id when it does not exist yet."""

    id: UUID
    row: Row


class _Location(NamedTuple):
    file: str
    line: int


class Intake(Generic[S]):
    """Reads rows of one kind. A row with problems is reported, and read as None."""

    def __init__(self, resource: Resource[S], registers: Registers, problems: FileProblems) -> None:
        self._resource = resource
        self._registers = registers
        self._problems = problems
        references = REFERENCES[resource.kind]
        self._references: list[tuple[list[str], Named]] = [(path.split("."), references[path]) for path in references]
        self._seen: dict[UUID, _Location] = {}

    def resolve_all(self, rows: Iterable[Row]) -> None:
        """Replace the references of rows, which may be names, by ids."""
        for row in rows:
            for path, named in self._references:
                for holder, member, pointer in _find_holders(row.members, path, ""):
                    holder[member] = self._resolve_value(row, named, holder[member], pointer)

    def identify_all(self, rows: Iterable[Row]) -> list[IdentifiedRow]:
        """Return the rows with the ids of their resources, which can be referred to from now on."""
        return [one for one in map(self._identify, rows) if one is not None]

    def _identify(self, row: Row) -> IdentifiedRow | None:
        """Return the row with the id of its resource; reports a second row for the same one, or warns of it."""
        is_all_said = isinstance(row.members.get("id"), UUID)
        resource_id = self._find_id(row)
        if resource_id is None:
            return None
        first = self._seen.get(resource_id)
        if first is not None:
            where = f"line {first.line}" if first.file == row.file else f"{first.file}:{first.line}"
            said = f"The same {self._resource.kind.value} as in {where}."
            if is_all_said:
                self._problems.warn(row.file, row.line, "", f"{said} Repeated rows count once.")
            else:
                self._problems.add(row, "", f"{said} {self._resource.once}")
            return None
        self._seen[resource_id] = _Location(row.file, row.line)
        self._add_to_index(resource_id, row)
        return IdentifiedRow(resource_id, row)

    def complete(self, found: IdentifiedRow, current: S | None) -> S | None:
        """Merge the row into the current body; a new one gets defaults."""
        body = merge(self._resource.write_body(current) if current is not None else {}, found.row.members)
        if self._resource.kind is not Kind.EMPLOYEE_SCHEDULE:
            body["id"] = str(found.id)
        try:
            return self._resource.read(body)
        except Invalid as error:
            for fault in error.faults:
                self._problems.add(found.row, fault.pointer, fault.detail)
            return None

    def _find_id(self, row: Row) -> UUID | None:
        register = self._register
        given = row.members.pop("id", DEFAULT)
        if isinstance(given, UUID):  # see `Resource.find_ids`
            return given
        if self._resource.kind is Kind.EMPLOYEE_SCHEDULE:  # identified by its employee, a resolved reference
            employee_id = row.members.get("employeeId", DEFAULT)
            if employee_id is DEFAULT or employee_id is None:
                self._problems.add(row, "/employeeId", "employeeId is required.")
            return employee_id if isinstance(employee_id, UUID) else None
        key = self._resource.key_of(row.members)
        try:
            known = register.find_by_key(key)
        except UnknownReferenceError as error:
            if given is DEFAULT or given is None:
                self._problems.add(row, self._resource.key_pointer, str(error))
                return None
            known = None
        if given is DEFAULT or given is None:
            if not key and self._resource.missing_key:
                self._problems.add(row, self._resource.key_pointer, self._resource.missing_key)
                return None
            return known or uuid4()
        found = read_id(given) if isinstance(given, str) else None
        if found is None:
            self._problems.add(row, "/id", f"'{given}' is not a UUID; leave it out for something new.")
        elif self._resource.is_key_unique and known not in {None, found}:
            self._problems.add(row, self._resource.key_pointer, "Another one already has this name.")
        return found

    def _add_to_index(self, resource_id: UUID, row: Row) -> None:
        """Add it to the index, so that other rows can refer to it."""
        names = self._resource.names_of(row.members)
        if names and self._resource.kind is not Kind.EMPLOYEE_SCHEDULE:
            key = self._resource.key_of(row.members)
            self._register.add(resource_id, names[0], key=key, names=names)

    @property
    def _register(self) -> NameIndex:
        return cast("NameIndex", self._registers[self._resource.kind])

    def _resolve_value(self, row: Row, named: Named, value: object, pointer: str) -> object:
        if not isinstance(value, list):
            return self._resolve_one(row, named, value, pointer)
        items = cast("list[object]", value)
        found = [self._resolve_one(row, named, each, f"{pointer}/{place}") for place, each in enumerate(items)]
        is_all_ids = pointer not in MAY_REPEAT and all(isinstance(each, UUID) for each in found)
        return list(dict.fromkeys(cast("list[UUID]", found))) if is_all_ids else found

    def _resolve_one(self, row: Row, named: Named, value: object, pointer: str) -> object:
        if isinstance(value, dict):  # an object, as groups show their references
            shown = cast("dict[str, object]", value)
            value = shown.get("id") or shown.get("name")
        return self._resolve_text(row, named, value, pointer) if isinstance(value, str) else value

    def _resolve_text(self, row: Row, named: Named, value: str, pointer: str) -> object:
        names = self._registers[named]
        if named is Kind.LOCATION and isinstance(names, NameIndex):
            return names.find_title(value)
        if named == "time zone" and not value.strip():
            return None
        try:
            return names.find(value)
        except UnknownReferenceError as error:
            self._problems.add(row, pointer, str(error))
            return None if named == "time zone" else uuid4()  # already reported: no second problem for it


def merge(current: Mapping[str, object], given: Mapping[str, object]) -> dict[str, object]:
    """Merge `given` into the current body, member by member, nested ones too."""
    inside = {
        member: _overlay(current.get(member), cast("dict[str, object]", value))
        for member, value in given.items()
        if isinstance(value, dict)
    }
    return _overlay(current, {**given, **inside})


def _overlay(current: object, given: Mapping[str, object]) -> dict[str, object]:
    """Return an object overlaid by other members; those that are DEFAULT are removed."""
    members: dict[str, object] = {}
    if isinstance(current, Mapping):
        members.update(cast("Mapping[str, object]", current))
    return {member: value for member, value in (members | dict(given)).items() if value is not DEFAULT}


def _find_holders(
    members: dict[str, object], path: list[str], pointer: str
) -> Iterator[tuple[dict[str, object], str, str]]:
    """Yield each object that holds a member, with the member's name and pointer; one for each item of lists.

    A member under its alias, `customerTypes`, is renamed to its own name.
    """
    name, *rest = path
    if not rest and alias_of(name) in members:
        members.setdefault(name, members.pop(alias_of(name)))
    if members.get(name, DEFAULT) is DEFAULT:
        return
    at = f"{pointer}/{name}"
    if not rest:
        yield members, name, at
        return
    inside = members[name]
    if isinstance(inside, dict):
        yield from _find_holders(cast("dict[str, object]", inside), rest, at)
    elif isinstance(inside, list):
        for place, item in enumerate(cast("list[object]", inside)):
            if isinstance(item, dict):
                yield from _find_holders(cast("dict[str, object]", item), rest, f"{at}/{place}")
