"""Neighbouring values of a program, which are looked up, escaped and encoded together: most time of a deck goes there.

Nearly all values are found in objects and lists of JSON, and are texts without line breaks that some font can draw.
Where one is not, all of them are written one by one, which also reports.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, groupby, starmap
from operator import itemgetter
from typing import Any, Final, NamedTuple, cast

from meetdeck.present.deck.language.filters import FilterCall, apply_filters, filter_all
from meetdeck.present.deck.language.numbers import UnknownLocale
from meetdeck.present.deck.language.paths import SLIDE_MEMBERS
from meetdeck.present.deck.language.values import Unwritable, escape_text, legal, write_plain
from meetdeck.present.deck.program.names import find_name
from meetdeck.present.deck.program.nodes import TextValue
from meetdeck.present.deck.program.paint import TextPaint
from meetdeck.present.deck.program.scope import Node, Program, Scope
from meetdeck.present.deck.program.text.direction import among_ltr

# Of fewer values, or two from different places, looking them up one by one is faster.
_FEWEST: Final = 2
_FEWEST_APART: Final = 3
_OBJECT: Final[type] = dict
# The item itself, and what is known of it by its place in the list.
_OF_ITEMS: Final[Mapping[str, Callable[[Sequence[object]], Iterable[object]]]] = {
    "": list,
    "@index": lambda items: range(len(items)),
    "@number": lambda items: range(1, len(items) + 1),
}


class _Pick(NamedTuple):
    """Members of one object, or items of one list: `steps` lead to it, each by the kind of container and its key.

    `take` returns them, or of `is_one` the only one.
    """

    steps: tuple[tuple[type, str | int], ...]
    kind: type
    take: "itemgetter[Any]"
    is_one: bool


class _Value(NamedTuple):
    """A value, whichever tags write it; one that decides the color of a run has its `paint`."""

    name: str
    path: tuple[str, ...]
    filters: tuple[FilterCall, ...] = ()
    is_among_ltr: bool = False
    paint: TextPaint | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The nodes of a program from one value to another, `nodes`, with only bytes between the values.

    `values` are theirs, each once, from `first_color` on those of colors. `layout` takes the pieces to write from the
    `constants` and the written values. `names` are those of paths: data with such a key has a flat form. `picks` find
    the values, in their order, in the innermost item.
    """

    nodes: Program
    values: tuple[_Value, ...]
    constants: list[bytes]
    layout: Callable[[list[bytes]], Iterable[bytes]]
    names: frozenset[str]
    picks: tuple[_Pick, ...]
    filtered: tuple[int, ...]
    first_color: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the constants and values in turn."""
        try:
            written = self._write_values(scope)
        except (Unwritable, UnknownLocale):
            written = None
        if written is not None:
            out += self.layout(self.constants + written)
            return
        for node in self.nodes:
            if isinstance(node, bytes):
                out.append(node)
            else:
                node.write(out, scope)

    def list_items(
        self, scope: Scope, items: Sequence[object], *, may_miss: bool = False
    ) -> list[Iterable[bytes]] | None:
        """Return the constants and values for each of a list's items; None if one needs its node.

        If values `may_miss`, null leaves its text empty.
        """
        try:
            columns = self._pick_all(items)
            if columns is None:
                return None
            for at in self.filtered:
                columns[at] = filter_all(columns[at], self.values[at].filters, scope.locale)
            found = list(chain.from_iterable(columns[: self.first_color]))
            if may_miss:
                found = ["" if one is None else one for one in found]
            written = self._encode(found, len(items), scope)
            if written is None:
                return None
            for value, column in zip(self.values[self.first_color :], columns[self.first_color :], strict=True):
                written += value.paint.write_all(column) if value.paint else ()
        except (Unwritable, UnknownLocale):
            return None
        layout, constants, count = self.layout, self.constants, len(items)
        columns = [written[start : start + count] for start in range(0, len(written), count)]
        return [layout([*constants, *row]) for row in zip(*columns, strict=True)]

    def _write_values(self, scope: Scope) -> list[bytes] | None:
        """Return the written values; None when one of them is missing or needs its own node.

        Raises `Unwritable` and `UnknownLocale`.
        """
        found = self._pick(scope.items[0].value if scope.items else scope.data)
        if found is None:
            found = [find_name(one.name, one.path, scope.items, scope.data) for one in self.values]
        for at in self.filtered:
            found[at] = apply_filters(found[at], self.values[at].filters, scope.locale)
        return self._encode(found, 1, scope)

    def _encode(self, found: list[object], times: int, scope: Scope) -> list[bytes] | None:
        """Return the XML of values, each found so many `times`; None when one of them is missing or needs its own node.

        Raises `Unwritable`.
        """
        texts = cast("list[str]", found)
        try:
            together = "".join(texts)
        except TypeError:
            texts = [one if isinstance(one, str) else write_plain(one) for one in found]
            together = "".join(texts)
        if not together.isascii():
            others = [at for at, text in enumerate(texts) if not text.isascii()]
            if scope.typefaces is not None and scope.typefaces.undrawable("".join([texts[at] for at in others])):
                return None
            for at in others:
                if self.values[at // times].is_among_ltr:
                    texts[at] = among_ltr(texts[at])
        if not together.isprintable():
            texts = list(map(legal, texts))
        written = escape_text("\n".join(texts)).encode().split(b"\n")
        return written if len(written) == len(texts) else None

    def _pick_all(self, items: Sequence[object]) -> list[Iterable[object]] | None:
        """Return the values of each item by value, None when an item has not all of them."""
        if not self.picks:
            return self._read_all(items)
        first = self.picks[0]
        if len(self.picks) > 1 or first.steps or self.names:
            rows = [self._pick(item) for item in items]
            return None if None in rows else list(zip(*cast("list[list[object]]", rows), strict=True))
        if set(map(type, items)) != {first.kind}:
            return None
        try:
            found = list(map(first.take, cast("Sequence[Any]", items)))
        except LookupError:
            return None
        return [found] if first.is_one else list(zip(*found, strict=True))

    def _read_all(self, items: Sequence[object]) -> list[Iterable[object]] | None:
        """Return the values of each item by value, if they are the items themselves and their numbers, else None."""
        names = [value.path[0] if value.path else "" for value in self.values]
        if not all(name in _OF_ITEMS for name in names):
            return None
        return [_OF_ITEMS[name](items) for name in names]

    def _pick(self, source: Any) -> list[object] | None:  # noqa: ANN401 - a value of JSON, whose type is asked first
        """Return the values of an object, None when it does not have all of them."""
        if type(source) is not _OBJECT or not self.picks or not source.keys().isdisjoint(self.names):
            return None
        found: list[object] = []
        try:
            for steps, kind, take, is_one in self.picks:
                value = source
                for container, key in steps:
                    if type(value) is not container:
                        return None
                    value = value[key]
                if type(value) is not kind:
                    return None
                if is_one:
                    found.append(take(value))
                else:
                    found += take(value)
        except LookupError:
            return None
        return found


def is_batched(node: bytes | Node) -> bool:
    """Return whether a node writes a value that can be written with others."""
    return isinstance(node, TextValue) and node.tag.computed is None and node.tag.name not in SLIDE_MEMBERS


def is_batched_color(node: bytes | Node) -> bool:
    """Return whether a node writes the color of a run that can be written with those of other items."""
    return (
        isinstance(node, TextPaint)
        and node.directive.computed is None
        and node.directive.name not in SLIDE_MEMBERS
        and all(isinstance(one, bytes) for one in node.body)
    )


def has_values(nodes: Program) -> bool:
    """Return whether a program writes any value, see `is_batched`."""
    return any(isinstance(node, TextValue) for node in nodes)


def are_worth_it(nodes: Program) -> bool:
    """Return whether bytes and values, see `is_batched`, are written faster together."""
    values = [_read_value(node) for node in nodes if isinstance(node, TextValue)]
    together = len(set(map(_group_key, values))) == 1 and all(map(_is_member, values))
    return len(values) >= (_FEWEST if together else _FEWEST_APART)


def batch(nodes: Program) -> Texts:
    """Return the node that writes the same as bytes and values, see `is_batched`, in as many pieces."""
    wanted = [_read_value(node) for node in nodes if isinstance(node, TextValue | TextPaint)]
    sources = groupby(sorted(set(wanted), key=_group_key), _group_key)
    groups = {key: sorted(group, key=_is_color) for key, group in sources}
    values = [value for group in groups.values() for value in group]
    is_simple = all(map(_is_member, values))
    constants = [node for node in nodes if isinstance(node, bytes)]
    places = {value: len(constants) + at for at, value in enumerate(values)}
    next_constant, next_value = count(), iter(wanted)
    order = [next(next_constant) if isinstance(node, bytes) else places[next(next_value)] for node in nodes]
    return Texts(
        nodes,
        tuple(values),
        constants,
        itemgetter(*order) if len(order) > 1 else tuple,
        frozenset(value.name for value in values if len(value.path) > 1),
        tuple(starmap(_make_pick, groups.items())) if is_simple else (),
        tuple(at for at, value in enumerate(values) if value.filters),
        next((at for at, value in enumerate(values) if value.paint), len(values)),
    )


def batch_items(nodes: Program) -> Texts | None:
    """Return the node that writes the same for all items of a list; None if it has more than values and their colors.

    Colors are written with the others if all values are members of the item itself.
    """
    is_simple = all(isinstance(node, bytes) or is_batched(node) or is_batched_color(node) for node in nodes)
    if not is_simple or not has_values(nodes):
        return None
    texts = batch(nodes)
    return texts if texts.first_color == len(texts.values) or len(texts.picks) == 1 else None


def _read_value(node: TextValue | TextPaint) -> _Value:
    if isinstance(node, TextPaint):
        return _Value(node.directive.name, node.directive.path, paint=node)
    return _Value(node.tag.name, node.tag.path, node.tag.filters, node.is_among_ltr)


def _is_color(value: _Value) -> bool:
    return value.paint is not None


def _is_member(value: _Value) -> bool:
    """Return whether a value is found in an object, and is not about the current item."""
    return bool(value.path) and value.path[0][0] != "@"


def _group_key(value: _Value) -> tuple[tuple[str, ...], bool]:
    """Return the path to the container of a value, and whether it is an item of a list."""
    return value.path[:-1], bool(value.path) and _is_index(value.path[-1])


def _make_pick(key: tuple[tuple[str, ...], bool], values: list[_Value]) -> _Pick:
    steps = tuple(_step(segment) for segment in key[0])
    keys = [_step(value.path[-1])[1] for value in values]
    return _Pick(steps, list if key[1] else dict, itemgetter(*keys), len(keys) == 1)


def _is_index(segment: str) -> bool:
    return segment.isascii() and segment.isdigit()


def _step(segment: str) -> tuple[type, str | int]:
    return (list, int(segment)) if _is_index(segment) else (dict, segment)
