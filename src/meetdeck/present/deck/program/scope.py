"""Scopes, and rendering a program in one: runs for each part of each deck, and never uses XML."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol, Self

from msgspec import Struct, field
from msgspec.structs import replace

from meetdeck.present.deck.errors import BadData
from meetdeck.present.deck.findings import Finding, Place, warning
from meetdeck.present.deck.language.constructs import Tag
from meetdeck.present.deck.language.expressions.lists import join_place, places_of
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode, UnfitError, find_missing, first_path
from meetdeck.present.deck.language.filters import FilterCall, apply_filters
from meetdeck.present.deck.language.numbers import UnknownLocale
from meetdeck.present.deck.language.paths import PART_MEMBERS, SLIDE_MEMBERS, STORY_FLAGS
from meetdeck.present.deck.language.values import ABSENT, Unwritable, find_value, is_list, write_plain
from meetdeck.present.deck.program.animations.state import AnimationState
from meetdeck.present.deck.program.growth import GrownShape
from meetdeck.present.deck.program.media import DeckMedia, NewRelationships
from meetdeck.present.deck.program.names import Calculation, Item, ScopeNames, find_alike, find_name, locate_name
from meetdeck.present.deck.program.slide_parts import WHOLE, Cut, SlidePart
from meetdeck.present.deck.program.tables.colors import Rgba
from meetdeck.present.deck.program.typefaces import Typefaces

DEFAULT_LOCALE: Final = "en"
_NO_SLOTS: Final[Mapping[str, bytes]] = MappingProxyType({})
NO_PLACE: Final = Place("", 0, "slide")


class DeckView(Protocol):
    """The deck as its own texts and links see it; `pages` is the number of its last slide."""

    pages: int

    def list_slides(self, name: str, scope: "Scope") -> Sequence[object]:
        """Return the value of `@slides`, `@sections` or `@chapters`."""
        ...

    def find_slide(self, index: int | None, scope: "Scope") -> str | None:
        """Return the part of the slide to link to: made for an item, from the template's slide `index` or any."""
        ...


class WaitingPicture(Protocol):
    """A picture that fills a cell, once the cell's size is known."""

    def draw(self, scope: "Scope", size: tuple[int, int] | None, color: Rgba | None) -> bytes:
        """Return the fill of a cell of this size in EMU, else of the author's; the table's color is behind it."""
        ...


class Scope(Struct):
    """The scope in which a part is rendered.

    `position` is the entry's in the request; `language` that of filled text, see `text.language`. With `typefaces`,
    text is measured against its box. `items` are those of the surrounding blocks, innermost first. `slots` are bytes by
    name for this copy of the slide only (file names, ids), `deck_slots` those of the whole deck (slide lists, counts);
    `dropped` names the droppable parts to leave out. `used_names` are the segments of all names that the template uses.
    `calculation` is shared by the deck's expressions, `relationships` collects the part's new ones, `animations` is the
    state of its animations. `place` is the slide's in the deck, from 0, and -1 in parts that slides share; `page` the
    number that it shows. Both are known once the slides are known, with `deck`. `slide_part` is the part of a
    continuing table or list that this slide shows, `cut` that of the current group in it. `columns` are the items of
    the repeated columns of the current table, by block; `cell_pictures` wait for the sizes of its cells. `grown` are
    the shapes that differ from the template's, by their ids there.
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
    deck_slots: Mapping[str, bytes] = _NO_SLOTS
    dropped: frozenset[str] = frozenset()
    used_names: frozenset[str] = frozenset()
    items: tuple[Item, ...] = ()
    calculation: Calculation = field(default_factory=Calculation)
    animations: AnimationState | None = None
    relationships: NewRelationships = field(default_factory=NewRelationships)
    deck: DeckView | None = None
    place: int = -1
    page: int = 0
    slide_part: SlidePart = WHOLE
    cut: Cut | None = None
    columns: tuple[Sequence[object], ...] = ()
    cell_pictures: list[WaitingPicture] | None = None
    grown: dict[str, GrownShape] = field(default_factory=dict[str, GrownShape])

    def within(self, item: Item) -> Self:
        """Return a scope of the same deck in which names are looked up in an item's members first."""
        return replace(self, items=(item, *self.items))


class Node(Protocol):
    """A node of a program."""

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the node's bytes."""
        ...


Program = tuple[bytes | Node, ...]


class Steps(NamedTuple):
    """A program in another form: the bytes before each node, and what writes it, then the last bytes."""

    nodes: tuple[tuple[tuple[bytes, ...], Callable[[list[bytes], Scope], None]], ...]
    ending: tuple[bytes, ...]


class ItemsNode(Protocol):
    """A node that writes the items of a list together."""

    def list_items(
        self, scope: Scope, items: Sequence[object], *, may_miss: bool = False
    ) -> list[Iterable[bytes]] | None:
        """Return the bytes of each item; None when they are to be written one by one."""
        ...


class RepeatedProgram(tuple[bytes | Node, ...]):  # noqa: SLOT001 - a tuple's subclass has none that are not empty
    """A program that may know steps which write the same, by language; see `cutting`."""

    known_steps: Mapping[str, Steps | None] = MappingProxyType({})

    def steps_in(self, language: str) -> Steps | None:
        """Return the steps for texts in a language, None to run the nodes themselves."""
        raise NotImplementedError

    def items_in(self, language: str) -> ItemsNode | None:
        """Return the node that writes the program for all items of a list, None when there is none."""
        raise NotImplementedError


def render(program: Program, scope: Scope) -> bytes:
    """Return the part's bytes. Raises `BadData` for a value that cannot be written."""
    out: list[bytes] = []
    run(program, out, scope)
    return b"".join(out)


def run(program: Program, out: list[bytes], scope: Scope) -> None:
    """Append a program's bytes."""
    if isinstance(program, RepeatedProgram):
        steps = program.known_steps.get(scope.language) or program.steps_in(scope.language)
        if steps is not None:
            nodes, ending = steps
            for before, write in nodes:
                out += before
                write(out, scope)
            out += ending
            return
    for node in program:
        if isinstance(node, bytes):
            out.append(node)
        else:
            node.write(out, scope)


class Expression(Protocol):
    """A tag, block or directive: its `source` as written, and the path to its value, or how to compute it."""

    @property
    def source(self) -> str: ...  # noqa: D102 - see above
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def path(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def computed(self) -> ExpressionNode | None: ...  # noqa: D102


def resolve(expression: Expression, scope: Scope, place: Place = NO_PLACE) -> object:
    """Return the value of a tag, `ABSENT` when there is none: from the innermost block whose item has it.

    Raises `BadData` for a value that does not fit its expression, with its `place`.
    """
    name, path, items = expression.name, expression.path, scope.items
    if path and path[0][0] != "@":
        if not items:
            return find_value(scope.data, name, path)
        return find_name(name, path, items, scope.data)
    if expression.computed is None:
        return _slide_member(scope, name) if name in SLIDE_MEMBERS else find_name(name, path, items, scope.data)
    try:
        return expression.computed.evaluate(_names(scope))
    except UnknownLocale as problem:
        raise _bad_locale(expression, place, scope, str(problem)) from problem
    except UnfitError as problem:
        raise _refuse(expression, place, scope, str(problem), problem.place) from problem


def _names(scope: Scope) -> ScopeNames:
    return ScopeNames(scope.data, scope.items, scope.locale, scope.calculation, partial(_slide_member, scope))


def _blame(expression: Expression, scope: Scope) -> tuple[str, tuple[str, ...]]:
    """Return the name whose value is at fault: in an expression the first that is missing, else the first of all."""
    if expression.computed is None:
        return expression.name, expression.path
    path = find_missing(expression.computed, _names(scope)) or first_path(expression.computed)
    return (path.name, path.path) if path else ("", ("",))


def _slide_member(scope: Scope, name: str) -> object:
    """Return a fact about the slide or its deck, such as `@page`; `ABSENT` if it is not known yet."""
    if name in PART_MEMBERS:
        if scope.cut is not None and name in STORY_FLAGS:
            return scope.cut.more if name == "@more" else scope.cut.continued
        return scope.slide_part.find(name)
    if scope.deck is None:
        return ABSENT
    if name == "@page":
        return scope.page if scope.place >= 0 else ABSENT
    return scope.deck.pages if name == "@pages" else scope.deck.list_slides(name, scope)


def data_path(expression: Expression, scope: Scope) -> str:
    """Return a tag's path in the entry's data, like `holdings.2.name`; an unknown name is in the innermost item."""
    name, path = _blame(expression, scope)
    return locate_name(name, path, scope.items, scope.data)


def resolve_text(tag: Tag, place: Place, scope: Scope) -> str:
    """Return the text for a tag; empty, and reported, without a value.

    Raises `BadData` for a value that is not text.
    """
    path, items = tag.path, scope.items
    # The usual cases first: this is the innermost loop of filling.
    if path and path[0][0] != "@":
        value = find_value(items[0].value if items else scope.data, tag.name, path)
        if items and value is ABSENT:
            value = find_name(tag.name, path, items, scope.data)
    else:
        value = resolve(tag, scope, place)
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
            report_missing(tag, place, scope, "the text stays empty")
            return ""
        return value if isinstance(value, str) else write_plain(value)
    except UnknownLocale as problem:
        raise _bad_locale(tag, place, scope, str(problem)) from problem
    except Unwritable as problem:
        raise bad_data(tag, place, scope, str(problem)) from problem


def _bad_locale(expression: Expression, place: Place, scope: Scope, reason: str) -> BadData:
    """Return the `BadData` for an unknown language: the data's `$locale`, else the deck's own, which has no path."""
    return _refuse(expression, place, scope, reason, "$locale")


def bad_data(expression: Expression, place: Place, scope: Scope, reason: str, below: str = "") -> BadData:
    """Return the `BadData` for a value; `below` is the path from it to the wrong member."""
    path = data_path(expression, scope)
    return _refuse(
        expression, place, scope, reason, f"{path}.{_below_list(expression, scope, below)}" if below else path
    )


def _below_list(expression: Expression, scope: Scope, below: str) -> str:
    """Return the path below a value in the data, where an expression may have picked and sorted its items."""
    index, _, rest = below.partition(".")
    items = resolve(expression, scope) if expression.computed is not None and index.isdigit() else None
    return join_place(places_of(items)[int(index)], rest) if is_list(items) else below


def _refuse(expression: Expression, place: Place, scope: Scope, reason: str, path: str) -> BadData:
    return BadData(
        slide=scope.slide,
        shape=place.shape,
        tag=expression.source,
        path=path,
        reason=reason,
        position_in_request=scope.position,
    )


class IgnoredMember(NamedTuple):
    """A member of a value that nothing reads: `path` leads to it from the value, `reason` is a whole sentence."""

    path: str
    reason: str


def find_unknown(
    value: Mapping[str, object], known: Collection[str], reason: str, path: str = ""
) -> Iterator[IgnoredMember]:
    """Yield an object's members other than the known ones."""
    return (IgnoredMember(f"{path}{name}", reason) for name in value if name not in known)


def report_value(code: str, message: str, expression: Expression, place: Place, scope: Scope, path: str) -> None:
    """Report a Warning about the value at a path, which an expression uses."""
    scope.findings.append(
        warning(
            code,
            message,
            scope.slide,
            tag=expression.source,
            path=path,
            shape=place.shape,
            paragraph=place.paragraph,
            part=place.part,
            position=scope.position,
        )
    )


def report_ignored(expression: Expression, place: Place, scope: Scope, ignored: IgnoredMember) -> None:
    """Report the members of a value that nothing reads."""
    path = f"{data_path(expression, scope)}.{ignored.path}"
    message = f"{expression.source} does not understand {path!r} and ignores it. {ignored.reason}"
    report_value("ignored-data", message, expression, place, scope, path)


def report_missing(expression: Expression, place: Place, scope: Scope, effect: str) -> None:
    """Report that the data has no value; `effect` is what the deck shows instead."""
    name, path = _blame(expression, scope)
    alike = find_alike(path, scope.items, scope.data)
    suggestion = expression.source.replace(name, alike, 1) if alike else ""
    advice = f"; did you mean {suggestion}?" if suggestion else "."
    message = f"The data has no value for {expression.source}{_describe_crossing(path, scope)}; {effect}{advice}"
    report_value("missing-value", message, expression, place, scope, locate_name(name, path, scope.items, scope.data))


def _describe_crossing(path: tuple[str, ...], scope: Scope) -> str:
    """Return a hint when a path leads through a list: members of items are not collected into one list."""
    sources = (*(item.value for item in scope.items), scope.data)
    for end in range(1, len(path)):
        if path[end].isdigit():
            continue
        name = ".".join(path[:end])
        if any(is_list(find_value(data, name, path[:end])) for data in sources):
            return f" ({name!r} is a list: names do not go through its items, blocks and slides repeat for {name!r})"
    return ""
