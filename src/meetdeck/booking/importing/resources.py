"""The interface of a kind to an import: identifying its rows, loading existing ones, writing changes."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar, cast
from uuid import UUID

import msgspec

from meetdeck.booking.importing.kinds import BODIES
from meetdeck.booking.importing.lookup import NameIndex
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.kinds import Kind
from meetdeck.platform.database import Connection
from meetdeck.platform.values import encode_wire, read_builtins

S = TypeVar("S", bound=msgspec.Struct)


class Change(NamedTuple, Generic[S]):
    """A resource's body before and after its row; before is None for a new one."""

    id: UUID
    row: Row
    before: S | None
    after: S


class RowProblem(NamedTuple):
    """A problem of a row, at a pointer into its body."""

    row: Row
    pointer: str
    detail: str


class Resource(ABC, Generic[S]):
    """A kind; rows are compared as `S`, the body of its POST."""

    kind: Kind
    key_pointer: ClassVar[str] = "/name"
    missing_key: ClassVar[str] = ""
    """The problem of a row without an identity; empty if it then is a new one."""
    is_key_unique: ClassVar[bool] = False
    once: ClassVar[str] = "Leave one out."
    """The treatment of a second row for the same resource."""

    def key_of(self, members: Mapping[str, object]) -> str:
        """Return the key that identifies a row without an id."""
        return text_of(members, "name")

    def names_of(self, members: Mapping[str, object]) -> list[str]:
        """Return the names by which other rows may refer to it; the first is its title."""
        name = text_of(members, "name")
        return [name] if name else []

    @abstractmethod
    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Load all resources of the kind into the index; `for_update`, locked."""

    async def find_ids(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Write ids, as UUIDs, into complete rows without one: of an equal resource, else new ones."""

    @abstractmethod
    async def find_current(self, connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, S]:
        """Return the existing resources among some ids, as bodies."""

    def write_body(self, current: S) -> dict[str, object]:
        """Return a body as JSON values."""
        return msgspec.to_builtins(current, enc_hook=encode_wire)

    def read(self, body: Mapping[str, object]) -> S:
        """Return a body read from JSON values. Raises Invalid with all faults."""
        return self.check(cast("S", read_builtins(body, BODIES[self.kind])))

    def check(self, content: S) -> S:
        """Return a body as it will be stored. Raises Invalid with all faults."""
        return content

    def is_same(self, before: S, after: S) -> bool:
        """Return whether a body changes nothing."""
        return before == after

    @abstractmethod
    async def save(self, connection: Connection, changes: Sequence[Change[S]]) -> Iterable[RowProblem]:
        """Write the changes; return problems that are found only when writing."""


def text_of(members: Mapping[str, object], name: str) -> str:
    """Return a member's trimmed text; empty when there is none."""
    value = members.get(name)
    return value.strip() if isinstance(value, str) else ""
