"""Names that nothing reads: of a query's parameters, and of a body's members at any depth.

The rules: docs/api/index.md#unknown-names.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any, cast

import msgspec

from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values.annotations import Shape, members_of
from meetdeck.platform.values.query_params import plain_name
from meetdeck.platform.values.versions import Version, list_read_members

_MOST_SHOWN = 20
_LONGEST_SHOWN = 60


def find_unknown_parameters(names: Iterable[str], kind: type[msgspec.Struct] | None, version: Version) -> list[Fault]:
    """Return a fault for each parameter that is not a member of a query's Struct in a version; None: it has none."""
    known = _list_parameters(kind, version) if kind is not None else frozenset[str]()
    unknown = [name for name in names if name not in known and plain_name(name) not in known]
    return [_make_fault("/query", name, known) for name in unknown[:_MOST_SHOWN]]


def find_unknown_members(value: object, kind: Any) -> list[Fault]:  # noqa: ANN401 - any annotation
    """Return a fault for each member of a body that its kind does not have; free objects have all."""
    return list(islice(_find_members(value, Shape.of(kind), ""), _MOST_SHOWN))


@cache
def _list_parameters(kind: type[msgspec.Struct], version: Version) -> frozenset[str]:
    return frozenset(list_read_members(kind, version))


def _find_members(value: object, shape: Shape, pointer: str) -> Iterator[Fault]:
    if isinstance(value, list) and shape.item is not None:
        for place, each in enumerate(cast("list[object]", value)):
            yield from _find_members(each, shape.item, f"{pointer}/{place}")
    if not isinstance(value, dict) or not shape.structs:
        return
    known: Mapping[str, Any] = {name: each for one in shape.structs for name, each in members_of(one).items()}
    for name, member in cast("dict[str, object]", value).items():
        if name in known:
            yield from _find_members(member, known[name].shape, f"{pointer}/{name}")
        else:
            yield _make_fault(pointer, name, known)


def _make_fault(where: str, name: str, known: Collection[str]) -> Fault:
    shown = name[:_LONGEST_SHOWN]
    folded = {each.casefold(): each for each in known}
    near = get_close_matches(shown.casefold(), folded, n=1)
    at = f"{where}/{shown.replace('~', '~0').replace('/', '~1')}"
    if near:
        return Fault(at, phrase("Unknown. Did you mean {name}?", name=folded[near[0]]))
    return Fault(at, "Unknown. Leave it out.")
