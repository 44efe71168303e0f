"""The operations of JSON Patch (RFC 6902), on any JSON document."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, cast, get_args

import msgspec

from meetdeck.platform.errors import Fault
from meetdeck.platform.values.patching.errors import InvalidPatch, PatchTestFailed
from meetdeck.platform.values.patching.pointers import (
    Json,
    NothingThereError,
    PointerError,
    Target,
    describe,
    locate,
    shorten,
)

_MOST_WRITTEN = 500_000  # values and characters that one patch may put into a document
_DEEPEST = 100

Pointer = Annotated[str, msgspec.Meta(description="A JSON Pointer (RFC 6901).", examples=["/title", "/labels/-"])]


class TooLargeError(ValueError):
    """A patch writes more, or nests deeper, than a resource can need."""


class Draft:
    """A document while operations are applied to it, and the remaining budget of copies."""

    def __init__(self, document: Json) -> None:
        self.root = cast("dict[str, Json]", msgspec.to_builtins({"": document}))  # it copies: the caller's stays
        self._left = _MOST_WRITTEN

    def locate(self, pointer: str) -> Target:
        """Return the place of a pointer. Raises PointerError."""
        return locate(self.root, pointer)

    def copy_for(self, pointer: str, value: Json) -> Json:
        """Return a copy to insert, so that no two places, nor place and patch, share a value.

        Copying an array into itself doubles it each time, and moving a value into another makes it deeper: both are
        limited. Raises TooLargeError.
        """
        return self._copy(value, _DEEPEST - pointer.count("/"))

    def _copy(self, value: Json, levels: int) -> Json:
        self._left -= 1
        if isinstance(value, str):
            self._left -= len(value)
        elif isinstance(value, dict):
            self._left -= sum(map(len, value))
        if self._left < 0:
            raise TooLargeError(f"A patch writes at most {_MOST_WRITTEN:,} values and characters.")
        if levels < 0:
            raise TooLargeError(f"The document would be more than {_DEEPEST} levels deep.")
        if isinstance(value, dict):
            return {name: self._copy(member, levels - 1) for name, member in value.items()}
        if isinstance(value, list):
            return [self._copy(item, levels - 1) for item in value]
        return value


@contextmanager
def _blame(pointer: str) -> Generator[None]:
    """Raise errors of the block as faults of this member of the patch."""
    try:
        yield
    except (PointerError, TooLargeError) as error:
        raise InvalidPatch(f"{pointer}: {error}", faults=(Fault(pointer, str(error)),)) from None


class AddOperation(msgspec.Struct, frozen=True, tag_field="op", tag="add"):
    """Sets a member, or inserts an item before the existing one; `-` is after the last item."""

    path: Pointer
    value: Any

    def apply(self, draft: Draft, at: str) -> None:
        """Apply it; `at` points to the operation. Raises InvalidPatch."""
        with _blame(f"{at}/value"):
            value = draft.copy_for(self.path, self.value)
        with _blame(f"{at}/path"):
            draft.locate(self.path).add(value)


class RemoveOperation(msgspec.Struct, frozen=True, tag_field="op", tag="remove"):
    """Removes a member or an item."""

    path: Pointer

    def apply(self, draft: Draft, at: str) -> None:
        """Apply it; `at` points to the operation. Raises InvalidPatch."""
        with _blame(f"{at}/path"):
            if not self.path:
                raise PointerError("A patch cannot remove the whole document.")
            draft.locate(self.path).remove()


class ReplaceOperation(msgspec.Struct, frozen=True, tag_field="op", tag="replace"):
    """Replaces an existing value; `add` is for a missing one."""

    path: Pointer
    value: Any

    def apply(self, draft: Draft, at: str) -> None:
        """Apply it; `at` points to the operation. Raises InvalidPatch."""
        with _blame(f"{at}/value"):
            value = draft.copy_for(self.path, self.value)
        with _blame(f"{at}/path"):
            draft.locate(self.path).replace(value)


class MoveOperation(msgspec.Struct, frozen=True, tag_field="op", tag="move"):
    """Removes the value at `from` and adds it at `path`."""

    path: Pointer
    from_: Pointer = msgspec.field(name="from")

    def apply(self, draft: Draft, at: str) -> None:
        """Apply it; `at` points to the operation. Raises InvalidPatch."""
        with _blame(f"{at}/path"):
            if self.path.startswith(f"{self.from_}/"):
                raise PointerError(f"{shorten(self.from_) or 'The document'} cannot be moved into itself.")
        with _blame(f"{at}/from"):
            source = draft.locate(self.from_)
            value = draft.copy_for(self.path, source.get())  # no copy is needed, but its limits are
            source.remove()
        with _blame(f"{at}/path"):
            draft.locate(self.path).add(value)


class CopyOperation(msgspec.Struct, frozen=True, tag_field="op", tag="copy"):
    """Adds the value at `from` at `path`, too."""

    path: Pointer
    from_: Pointer = msgspec.field(name="from")

    def apply(self, draft: Draft, at: str) -> None:
        """Apply it; `at` points to the operation. Raises InvalidPatch."""
        with _blame(f"{at}/from"):
            value = draft.copy_for(self.path, draft.locate(self.from_).get())
        with _blame(f"{at}/path"):
            draft.locate(self.path).add(value)


class TestOperation(msgspec.Struct, frozen=True, tag_field="op", tag="test"):
    """Refuses the whole patch unless the value is as given."""

    path: Pointer
    value: Any

    def apply(self, draft: Draft, at: str) -> None:
        """Compare; `at` points to the operation. Raises PatchTestFailed; InvalidPatch if `path` is not a pointer."""
        with _blame(f"{at}/path"):
            try:
                found = draft.locate(self.path).get()
            except NothingThereError as error:
                raise _fail_test(f"{at}/path", str(error)) from None
        if not equal(found, self.value):
            where = shorten(self.path) or "the root"
            raise _fail_test(f"{at}/value", f"Expected {describe(self.value)} at {where}, found {describe(found)}.")


def _fail_test(pointer: str, reason: str) -> PatchTestFailed:
    detail = f"{pointer}: {reason} Nothing was changed. Read the resource again."
    return PatchTestFailed(detail, faults=(Fault(pointer, reason),))


PatchOperation = AddOperation | RemoveOperation | ReplaceOperation | MoveOperation | CopyOperation | TestOperation
JsonPatch = list[PatchOperation]
"""The body of a PATCH: a handler's parameter `payload: Body[JsonPatch]`."""

OPERATIONS: tuple[type[PatchOperation], ...] = get_args(PatchOperation)


Rewrite = Callable[[Json, PatchOperation], Sequence[PatchOperation]]
"""Returns the operations to apply to a document instead of one, for members with a special meaning."""


def apply_operations(document: Json, operations: Sequence[PatchOperation], rewrite: Rewrite | None = None) -> Json:
    """Return a copy of a document with the operations applied. Raises InvalidPatch, PatchTestFailed."""
    draft = Draft(document)
    for index, operation in enumerate(operations):
        for each in rewrite(draft.root[""], operation) if rewrite else (operation,):
            each.apply(draft, f"/operations/{index}")
    return draft.root[""]


def equal(one: Json, other: Json) -> bool:
    """Return whether values are equal by RFC 6902, section 4.6: numbers by their value, and true is not a number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(member, other[name]) for name, member in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other
