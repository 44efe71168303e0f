"""Parts of the API that will go: declared where they are written, and found in what a request uses.

The rules: docs/api/versions.md#deprecated.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, cast, get_args, get_origin

import msgspec

from meetdeck.platform.values.annotations import Shape, members_of
from meetdeck.platform.values.query_params import plain_name

SHORTEST_NOTICE: Final = timedelta(days=365)
_MARK: Final = "x-deprecated"


class Deprecation(NamedTuple):
    """Since when a part of the API is deprecated, what to use instead, and the day from which it may be gone."""

    since: date
    instead: str
    gone: date | None = None


def deprecated(since: str, instead: str, gone: str | None = None) -> Deprecation:
    """Return the deprecation of an operation: `@get(…, **documents(deprecated=deprecated("2027-02-01", "…")))`.

    Dates are written as YYYY-MM-DD. Raises ValueError for a notice that is too short.
    """
    made = Deprecation(date.fromisoformat(since), instead, date.fromisoformat(gone) if gone else None)
    if made.gone is not None and made.gone - made.since < SHORTEST_NOTICE:
        raise ValueError(f"Give callers {SHORTEST_NOTICE.days} days: {made.since + SHORTEST_NOTICE} is the first day")
    return made


def deprecated_member(since: str, instead: str, gone: str | None = None) -> msgspec.Meta:
    """Return the mark of a member or parameter, which stands in the `Annotated[…]` of its type."""
    return msgspec.Meta(extra_json_schema={"deprecated": True, _MARK: deprecated(since, instead, gone)})


def describe_deprecation(deprecation: Deprecation) -> str:
    """Return the sentences for the documents."""
    gone = f" It may be removed from {deprecation.gone} on." if deprecation.gone is not None else ""
    return f"Deprecated since {deprecation.since}: {deprecation.instead}{gone}"


def take_deprecation(schema: dict[str, Any]) -> Deprecation | None:
    """Remove the mark from a member's schema, and return the deprecation."""
    mark = schema.pop(_MARK, None)
    return Deprecation(*mark) if mark is not None else None  # msgspec has made a tuple of it


@cache
def list_deprecated(struct: type[msgspec.Struct]) -> Mapping[str, Deprecation]:
    """Return a Struct's deprecated members, by the names that callers write."""
    found = {field.encode_name: _find_mark(field.type) for field in msgspec.structs.fields(struct)}
    return {name: one for name, one in found.items() if one is not None}


def find_deprecated_parameters(names: Iterable[str], kind: type[msgspec.Struct]) -> list[Deprecation]:
    """Return the deprecations of the parameters of a query's Struct that are among the names."""
    deprecated_names = list_deprecated(kind)
    return [deprecated_names[name] for name in map(plain_name, names) if name in deprecated_names]


def find_deprecated(value: object, kind: Any) -> Iterator[Deprecation]:  # noqa: ANN401 - any annotation
    """Yield the deprecation of each member that a body has, at any depth."""
    yield from _find_in(value, Shape.of(kind))


@cache
def has_deprecated(kind: Any) -> bool:  # noqa: ANN401 - any annotation
    """Return whether a kind of body has deprecated members, at any depth."""
    waiting, seen = [Shape.of(kind)], set[type[msgspec.Struct]]()
    while waiting:
        shape = waiting.pop()
        waiting += [shape.item] if shape.item is not None else []
        for struct in set(shape.structs) - seen:
            if list_deprecated(struct):
                return True
            seen.add(struct)
            waiting += [member.shape for member in members_of(struct).values()]
    return False


def _find_in(value: object, shape: Shape) -> Iterator[Deprecation]:
    if isinstance(value, list) and shape.item is not None:
        for each in cast("list[object]", value):
            yield from _find_in(each, shape.item)
    if isinstance(value, dict):
        body = cast("dict[str, object]", value)
        for struct in shape.structs:
            yield from (one for name, one in list_deprecated(struct).items() if name in body)
            for name, member in members_of(struct).items():
                yield from _find_in(body.get(name), member.shape)


def _find_mark(annotation: Any) -> Deprecation | None:  # noqa: ANN401 - any annotation
    if get_origin(annotation) is not Annotated:
        return None
    inside, *marks = get_args(annotation)
    schemas = (mark.extra_json_schema for mark in marks if isinstance(mark, msgspec.Meta))
    return next((schema[_MARK] for schema in schemas if schema and _MARK in schema), None) or _find_mark(inside)
