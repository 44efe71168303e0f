"""JSON Patch on a resource: its read-only members, and validation of the result (docs/api/changes.md#json-patch)."""

from collections.abc import Collection, Sequence
from typing import TypeVar, cast

import msgspec

from meetdeck.platform.errors import Fault
from meetdeck.platform.values.patching.errors import InvalidPatch
from meetdeck.platform.values.patching.operations import (
    AddOperation,
    MoveOperation,
    PatchOperation,
    ReplaceOperation,
    Rewrite,
    TestOperation,
    apply_operations,
    equal,
)
from meetdeck.platform.values.patching.pointers import Json, parse_pointer
from meetdeck.platform.values.serialization import InvalidInput, encode_wire, read_builtins, refuse

T = TypeVar("T")


def apply_patch(
    resource: msgspec.Struct,
    operations: Sequence[PatchOperation],
    kind: type[T],
    *,
    read_only: Collection[str] = (),
    rewrite: Rewrite | None = None,
) -> T:
    """Return a patched resource, read as `kind` and validated like the body of a new one.

    Paths are those of the resource as answered; `read_only` names members, as written there, that must not change.
    Members that `kind` lacks are ignored. `rewrite` may replace an operation by others. Pointers in faults lead to the
    operation that wrote the place, if known, else into the result. Raises InvalidPatch, InvalidInput, PatchTestFailed.
    """
    before = cast("Json", msgspec.to_builtins(resource, enc_hook=encode_wire))
    after = apply_operations(before, operations, rewrite)
    if isinstance(before, dict) and isinstance(after, dict):
        _refuse_changes([name for name in read_only if _differ(name, before, after)], operations)
    try:
        return read_builtins(after, kind)
    except InvalidInput as error:
        refuse([Fault(_find_cause(fault.pointer, operations), fault.detail) for fault in error.faults])
        raise


def _differ(name: str, before: dict[str, Json], after: dict[str, Json]) -> bool:
    return (name in before) != (name in after) or not equal(before.get(name), after.get(name))


def _refuse_changes(names: list[str], operations: Sequence[PatchOperation]) -> None:
    if names:
        faults = tuple(Fault(_find_cause(f"/{name}", operations), f"{name} cannot be changed.") for name in names)
        raise InvalidPatch(" ".join(f"{fault.pointer}: {fault.detail}" for fault in faults), faults=faults)


def _find_cause(pointer: str, operations: Sequence[PatchOperation]) -> str:
    """Return a pointer to the operation that wrote the place last; else the pointer into the result, unchanged.

    When several wrote items, it is not known: items move.
    """
    found = [
        (index, member, place)
        for index, operation in enumerate(operations)
        for member, place in _list_written(operation)
        if _may_overlap(place, pointer)
    ]
    of_items = any(_is_item(token) for _, _, place in found for token in place.split("/"))
    if not found or (of_items and len({index for index, _, _ in found}) > 1):
        return pointer
    index, member, place = found[-1]
    if isinstance(operations[index], AddOperation | ReplaceOperation) and place.count("/") <= pointer.count("/"):
        inside = pointer.split("/")[place.count("/") + 1 :]
        return "/".join((f"/operations/{index}/value", *inside))
    return f"/operations/{index}/{member}"


def _list_written(operation: PatchOperation) -> list[tuple[str, str]]:
    """Return (the member that names it, the place) for each place that an operation changes."""
    if isinstance(operation, TestOperation):
        return []
    moved = [("from", operation.from_)] if isinstance(operation, MoveOperation) else []
    return [*moved, ("path", operation.path)]


def _may_overlap(one: str, other: str) -> bool:
    """Return whether one place may be inside the other: items move, so any item may have been any other."""
    pairs = zip(parse_pointer(one), parse_pointer(other), strict=False)
    return all(ours == theirs or (_is_item(ours) and _is_item(theirs)) for ours, theirs in pairs)


def _is_item(name: str) -> bool:
    return name == "-" or name.isdigit()
