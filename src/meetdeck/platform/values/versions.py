"""The two versions of the contracts. V3 is backward compatible with V2: what v2 accepts, v3 accepts too.

A member only in v3 is marked `SinceV3`: v2 neither reads nor answers it.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta
from msgspec.structs import fields, replace

from meetdeck.platform.values import options_of

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


class Version(StrEnum):
    """The path segment after `/api/`."""

    V2 = "v2"
    V3 = "v3"


def read_in_version(version: Version, kind: type[T], read: Callable[[type[Any]], Any]) -> T:
    """Return a body or query that `read` reads as `kind`; in v2, members only in v3 are ignored, and UNSET."""
    if version is Version.V3:
        return cast("T", read(kind))
    if not (unread := _list_since_v3(kind)):
        return _leave_nested(cast("T", read(kind)))
    found = read(_without_since_v3(kind))
    read_members = {name: getattr(found, name) for name in found.__struct_fields__}
    return _leave_nested(kind(**read_members, **dict.fromkeys(unread, UNSET)))


def list_read_members(kind: type[msgspec.Struct], version: Version) -> list[str]:
    """Return the names of a Struct's members that a version reads, as callers write them."""
    unread = _list_since_v3(kind) if version is Version.V2 else ()
    return [field.encode_name for field in fields(kind) if field.name not in unread]


def show_in_version(version: Version, resource: S) -> S:
    """Return a resource as a version answers it, including the items of its lists."""
    if version is Version.V3:
        return resource
    shown: dict[str, Any] = dict.fromkeys(_list_since_v3(type(resource)), UNSET)
    return _leave_nested(replace(resource, **shown) if shown else resource)


def _leave_nested(found: T) -> T:
    """Return a Struct whose lists of Structs lack the members only in v3; anything else unchanged."""
    if not isinstance(found, msgspec.Struct):
        return found
    nested: dict[str, Any] = {}
    for name in _list_nested(type(found)):
        items = getattr(found, name)
        nested[name] = [show_in_version(Version.V2, item) for item in items] if items else items
    return replace(found, **nested) if nested else found


@cache
def _list_since_v3(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - any annotation
    """Return the names of a Struct's members that are only in v3; none of anything else."""
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return ()
    return tuple(field.name for field in fields(kind) if _is_since_v3(field.type))


@cache
def _list_nested(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the names of a Struct's members that are lists of Structs which v2 shows in part."""
    return tuple(
        field.name
        for field in fields(kind)
        for option in options_of(field.type)
        if get_origin(option) is list and any(map(_list_since_v3, options_of(get_args(option)[0])))
    )


def _is_since_v3(annotation: Any) -> bool:  # noqa: ANN401 - any annotation
    if get_origin(annotation) is not Annotated:
        return False
    inside, *marks = get_args(annotation)
    schemas = (mark.extra_json_schema for mark in marks if isinstance(mark, Meta))
    return any(schema is not None and schema.get("x-since") == "v3" for schema in schemas) or _is_since_v3(inside)


@cache
def _without_since_v3(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """Return a Struct without the members that only v3 has."""
    left_out = _list_since_v3(kind)
    kept: list[tuple[str, Any, Any]] = []
    for field in fields(kind):
        described: dict[str, Any] = {"default": field.default, "default_factory": field.default_factory}
        if field.name not in left_out:
            kept.append((field.name, field.type, msgspec.field(name=field.encode_name, **described)))
    return msgspec.defstruct(kind.__name__, kept, frozen=True, kw_only=True)
