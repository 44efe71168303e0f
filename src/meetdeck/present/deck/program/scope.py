"""Fill a compiled part: run its program with one entry's data. This is the hot path; it never touches XML."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol, Self

from msgspec import Struct

from meetdeck.present.deck.errors import BadData
from meetdeck.present.deck.findings import Finding, Place, warning
from meetdeck.present.deck.language.filters import FilterCall, apply_filters
from meetdeck.present.deck.language.numbers import UnknownLocale
from meetdeck.present.deck.language.syntax import Tag
from meetdeck.present.deck.language.values import ABSENT, Unwritable, find_value, holds, is_list, is_object, write_plain
from meetdeck.present.deck.program.animations.playing import Playing
from meetdeck.present.deck.program.media import DeckMedia, NewRelationships
from meetdeck.present.deck.program.typefaces import Typefaces

DEFAULT_LOCALE: Final = "en"


class Item(Struct, frozen=True):
    """The item that a block is at: `path` leads to it from the entry's data; it is item `at`, from 0, `of` so many.

    A block over something that is no list has one item, at -1.
    """

    value: object
    path: str
    at: int
    of: int


@dataclass(slots=True)
class Scope:
    """What a part is filled with.

    `position` is the entry's in the request; `language` the one that filled text says it is in, see `text.language`.
    With `typefaces` text is held against its room.
    `items` are those of the blocks around, innermost first. `slots` are bytes by name that only this slide's copy knows
    (file names, ids), `deck_slots` those that the whole deck shares (slide lists, counts); `dropped` names the ranges
    to leave out. `relationships` collects the part's new ones,
    `playing` what is known of its animations.
    """

    data: Mapping[str, object]
    slide: str
    position: int
    findings: list[Finding]
    media: DeckMedia
    locale: str = DEFAULT_LOCALE
    language: str = ""
    typefaces: Typefaces | None = None
    slots: dict[str, bytes] = field(default_factory=dict[str, bytes])
    deck_slots: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    dropped: frozenset[str] = frozenset()
    items: tuple[Item, ...] = ()
    playing: Playing | None = None
    relationships: NewRelationships = field(default_factory=NewRelationships)

    def within(self, item: Item) -> Self:
        """Return a scope of the same deck in which names mean an item's members first."""
        return replace(self, items=(item, *self.items))


class Node(Protocol):
    """A hole or range of a program."""

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the bytes that stand here."""
        ...


Program = tuple[bytes | Node, ...]


def render(program: Program, scope: Scope) -> bytes:
    """Return the part's bytes. Raises `BadData` for a value that cannot be written."""
    out: list[bytes] = []
    run(program, out, scope)
    return b"".join(out)


def run(program: Program, out: list[bytes], scope: Scope) -> None:
    """Append a program's bytes."""
    for piece in program:
        if isinstance(piece, bytes):
            out.append(piece)
        else:
            piece.write(out, scope)


class Named(Protocol):
    """A tag, block or directive: `source` as written, and the path to its value."""

    @property
    def source(self) -> str: ...  # noqa: D102 - see above
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def path(self) -> tuple[str, ...]: ...  # noqa: D102


def resolve(what: Named, scope: Scope) -> object:
    """Return the value that a tag means, `ABSENT` when there is none: from the nearest block whose item knows it."""
    name, path = what.name, what.path
    if not scope.items:
        return find_value(scope.data, name, path) if path and path[0][0] != "@" else ABSENT
    if not path:
        return scope.items[0].value
    if path[0][0] == "@":
        return next((_item_member(item, name) for item in scope.items if item.at >= 0), ABSENT)
    for item in scope.items:
        value = item.value
        if is_object(value) and name in value:
            # The usual case without a detour.
            return value[name]
        if holds(value, name, path):
            return find_value(value, name, path)
    return find_value(scope.data, name, path)


def _item_member(item: Item, name: str) -> object:
    match name:
        case "@index":
            return item.at
        case "@number":
            return item.at + 1
        case "@first":
            return item.at == 0
        case _:
            return item.at == item.of - 1


def data_path(what: Named, scope: Scope) -> str:
    """Return where in the entry's data a tag looks, like `holdings.2.name`; the nearest item when nobody knows it."""
    name, path = what.name, what.path
    if not scope.items or (holds(scope.data, name, path) and not any(holds(i.value, name, path) for i in scope.items)):
        return name
    item = next((item for item in scope.items if path and holds(item.value, name, path)), scope.items[0])
    return f"{item.path}.{name}" if path else item.path


def resolve_text(tag: Tag, place: Place, scope: Scope) -> str:
    """Return the text for a tag; empty, with a finding, when the data has none. Raises `BadData` for no text at all."""
    value = resolve(tag, scope)
    if isinstance(value, str) and not tag.filters:
        return value
    return _as_text(tag, tag.filters, place, scope, value)


def _as_text(tag: Tag, filters: tuple[FilterCall, ...], place: Place, scope: Scope, value: object) -> str:
    if value is ABSENT:
        value = None
    try:
        if filters:
            value = apply_filters(value, filters, scope.locale)
        if value is None:
            note_missing(tag, place, scope, "the text stays empty")
            return ""
        return write_plain(value)
    except UnknownLocale as problem:
        raise _bad_locale(tag, place, scope, str(problem)) from problem
    except Unwritable as problem:
        raise bad_data(tag, place, scope, str(problem)) from problem


def _bad_locale(what: Named, place: Place, scope: Scope, reason: str) -> BadData:
    """Return the refusal of a language: the data's `$locale`, else the deck's, which is not the data's fault either."""
    return BadData(
        slide=scope.slide,
        shape=place.shape,
        tag=what.source,
        path="$locale",
        reason=reason,
        position_in_request=scope.position,
    )


def bad_data(what: Named, place: Place, scope: Scope, reason: str, below: str = "") -> BadData:
    """Return the refusal of a value; `below` is the path from it to the member that is wrong."""
    path = data_path(what, scope)
    return BadData(
        slide=scope.slide,
        shape=place.shape,
        tag=what.source,
        path=f"{path}.{below}" if below else path,
        reason=reason,
        position_in_request=scope.position,
    )


class Ignored(NamedTuple):
    """A member of a value that nothing reads: `path` leads to it from the value, `reason` is a whole sentence."""

    path: str
    reason: str


def find_unknown(value: Mapping[str, object], known: Collection[str], reason: str, path: str = "") -> Iterator[Ignored]:
    """Yield an object's members that are none of the known ones."""
    return (Ignored(f"{path}{name}", reason) for name in value if name not in known)


def note_ignored(what: Named, place: Place, scope: Scope, ignored: Ignored) -> None:
    """Add the finding that part of the data is not understood."""
    path = f"{data_path(what, scope)}.{ignored.path}"
    scope.findings.append(
        warning(
            "ignored-data",
            f"{what.source} does not understand {path!r} and passes over it. {ignored.reason}",
            scope.slide,
            tag=what.source,
            path=path,
            shape=place.shape,
            paragraph=place.paragraph,
            part=place.part,
            position=scope.position,
        )
    )


def note_missing(what: Named, place: Place, scope: Scope, effect: str) -> None:
    """Add the finding that the data has no value; `effect` says what becomes of it."""
    scope.findings.append(
        warning(
            "missing-value",
            f"The data has no value for {what.source}{_say_crossing(what, scope)}; {effect}.",
            scope.slide,
            tag=what.source,
            path=data_path(what, scope),
            shape=place.shape,
            paragraph=place.paragraph,
            part=place.part,
            position=scope.position,
        )
    )


def _say_crossing(what: Named, scope: Scope) -> str:
    """Return that a path goes through a list, where it does: nobody collects the members of all items."""
    for end in range(1, len(what.path)):
        name = ".".join(what.path[:end])
        sources = (*(item.value for item in scope.items), scope.data)
        if not what.path[end].isdigit() and any(is_list(find_value(data, name, what.path[:end])) for data in sources):
            return f" ({name!r} is a list: names do not go through its items, blocks and slides repeat for {name!r})"
    return ""
