"""The body of a PATCH."""

import json
from typing import Any, cast

import msgspec

from meetdeck.platform.errors import Fault
from meetdeck.platform.values.patching.operations import OPERATIONS, JsonPatch, PatchOperation
from meetdeck.platform.values.patching.pointers import Json, describe, escape, shorten
from meetdeck.platform.values.serialization import InvalidInput, read_builtins, read_json, refuse

MOST_OPERATIONS = 1_000
_MOST_BYTES = 4_000_000  # reading takes time, and no resource is as large

_ANY = cast("type[Json]", Any)
_KINDS = {str(kind.__struct_config__.tag): kind for kind in OPERATIONS}
_EXAMPLE = '[{"op": "replace", "path": "/title", "value": "Review"}]'


def read_patch(content: bytes) -> JsonPatch:
    """Return the operations of a body; pointers begin with `/operations/N`. Raises InvalidInput with all faults.

    Members that RFC 6902 does not define for an operation are ignored.
    """
    if len(content) > _MOST_BYTES:
        raise InvalidInput(f"A patch has at most {_MOST_BYTES:,} bytes, this one has {len(content):,}.")
    plain = read_json(content, _ANY)
    if not isinstance(plain, list):
        raise InvalidInput(_describe_patch(plain))
    if len(plain) > MOST_OPERATIONS:
        raise InvalidInput(f"A patch has at most {MOST_OPERATIONS:,} operations, this one has {len(plain):,}.")
    operations: JsonPatch = []
    faults: list[Fault] = []
    for index, item in enumerate(plain):
        try:
            operations.append(_read_operation(item, f"/operations/{index}"))
        except InvalidInput as error:
            faults += error.faults
    refuse(faults or _find_repeated(content))
    return operations


def _read_operation(item: Json, at: str) -> PatchOperation:
    op = item.get("op") if isinstance(item, dict) else None
    if not isinstance(item, dict):
        refuse([Fault(at, f"An operation is an object, this is {describe(item)}.")])
    if not isinstance(op, str) or op not in _KINDS:
        fault = "op is required" if op is None else f"op cannot be {describe(op)}"
        refuse([Fault(f"{at}/op", f"{fault}: it is one of {', '.join(_KINDS)}.")])
    return read_builtins(item, _KINDS[str(op)], pointer=at)


def _find_repeated(content: bytes) -> list[Fault]:
    """Return faults for members that an operation has twice: a JSON parser returns the last (RFC 6902, A.13)."""
    faults: list[Fault] = []
    try:
        for index, raw in enumerate(msgspec.json.decode(content, type=list[msgspec.Raw])):
            pairs = cast("list[tuple[str, object]]", json.loads(bytes(raw), object_pairs_hook=list, parse_int=str))
            names = [name for name, _ in pairs]
            twice = [name for name in ("op", "path", "from", "value") if names.count(name) > 1]
            faults += [Fault(f"/operations/{index}/{name}", f"{name} appears more than once.") for name in twice]
    except RecursionError:
        raise InvalidInput("The body is nested too deeply.") from None
    return faults


def _describe_patch(plain: Json) -> str:
    if isinstance(plain, dict) and "op" in plain:
        return f"A JSON Patch is an array, even with one operation: {_EXAMPLE}."
    example = _EXAMPLE
    if isinstance(plain, dict) and plain:
        path = json.dumps(f"/{shorten(escape(next(iter(plain))))}", ensure_ascii=False)
        example = f'[{{"op": "replace", "path": {path}, "value": …}}]'
    return f"The body is {describe(plain)}; send a JSON Patch, an array of operations: {example}."
