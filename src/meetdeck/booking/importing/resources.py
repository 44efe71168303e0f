"""What each kind is, to an import: how a row of it is recognized, what is there already, and how it is written."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar, cast
from uuid import UUID

import msgspec

from meetdeck.booking.importing.kinds import BODIES, Kind
from meetdeck.booking.importing.lookup import NameIndex
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.texts import read_texts
from meetdeck.platform.db import Connection
from meetdeck.platform.serialization import encode_wire, read_builtins

S = TypeVar("S", bound=msgspec.Struct)


class Change(NamedTuple, Generic[S]):
    """What a row makes of a thing: bodies, before and after; the first is None for a new one."""

    id: UUID
    row: Row
    before: S | None
    after: S


class Refusal(NamedTuple):
    """What is wrong with a row, at a pointer into its body."""

    row: Row
    pointer: str
    detail: str


class Resource(ABC, Generic[S]):
    """One kind; `S` is the body of its POST, which is also what rows are compared by."""

    kind: Kind
    key_pointer: ClassVar[str] = "/name"
    missing_key: ClassVar[str] = ""
    """What to say of a row that can be recognized by nothing; empty when it then is a new one."""
    is_key_unique: ClassVar[bool] = False
    once: ClassVar[str] = "Leave one out."

    def key_of(self, members: Mapping[str, object]) -> str:
        """Return by what a row without an id is recognized."""
        return text_of(members, "name")

    def names_of(self, members: Mapping[str, object]) -> list[str]:
        """Return what other rows may call it; the first is its title."""
        name = text_of(members, "name")
        return [name] if name else []

    @abstractmethod
    async def load(self, connection: Connection, register: NameIndex, *, for_update: bool) -> None:
        """Note everything that is there in the register; `for_update`, it stays as it is until the transaction ends."""

    @abstractmethod
    async def find_current(self, connection: Connection, ids: Sequence[UUID]) -> Mapping[UUID, S]:
        """Return those that are there, as bodies."""

    def write_body(self, current: S) -> dict[str, object]:
        """Return a body as JSON has it."""
        return msgspec.to_builtins(current, enc_hook=encode_wire)

    def read(self, body: Mapping[str, object]) -> S:
        """Return what a body says. Raises Invalid with a fault for each thing that is wrong."""
        return self.check(cast("S", read_builtins(body, BODIES[self.kind])))

    def check(self, content: S) -> S:
        """Return a body as it will be stored. Raises Invalid with a fault for each thing that is wrong."""
        return read_texts(content)

    def is_same(self, before: S, after: S) -> bool:
        """Return whether a body says nothing new."""
        return before == after

    @abstractmethod
    async def save(self, connection: Connection, changes: Sequence[Change[S]]) -> Iterable[Refusal]:
        """Write the changes; return what turns out to be wrong only now."""


def text_of(members: Mapping[str, object], name: str) -> str:
    """Return a member's text without the spaces around it; empty when there is none."""
    value = members.get(name)
    return value.strip() if isinstance(value, str) else ""
