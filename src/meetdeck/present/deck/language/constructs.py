"""The constructs of the language, as `scan` finds them: tags, blocks, directives, escapes, comments, findings."""

from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from meetdeck.present.deck.findings import Severity
from meetdeck.present.deck.language.directives import DIRECTIVES, DirectiveType
from meetdeck.present.deck.language.expressions.grouping import makes_groups
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode
from meetdeck.present.deck.language.filters import FilterCall
from meetdeck.present.deck.language.paths import GROUPED
from meetdeck.present.deck.language.shared_slides import ShapeReference, SlideReference


class Tag(Struct, frozen=True, cache_hash=True):
    """A tag: `source` as the author wrote it, tidied; `name` the dotted path, `path` its segments.

    In blocks, `.` is the item itself (its path is empty), `@index`, `@number`, `@first` and `@last` are about it.
    `@part` and `@parts` count the slides of a `Continuation`. For an expression, `computed` is the node, `name` the
    first name in it, and the path is empty.
    """

    source: str
    name: str
    path: tuple[str, ...]
    filters: tuple[FilterCall, ...] = ()
    computed: ExpressionNode | None = None


@lru_cache(maxsize=1_024)
def plain_tag(name: str) -> Tag:
    """Return the tag of a plain path: names of letters, digits and underscores, joined by dots."""
    return Tag(f"{{{{{name}}}}}", name, tuple(name.split(".")))


class Continuation(Struct, frozen=True):
    """`continue`: items without room on a slide move to further slides, `numbered` in their titles."""

    numbered: bool


class BlockStart(Struct, frozen=True):
    """`{{#rows}}`: its body repeats for each item; `{{^rows}}` (inverted): its body is written when there is none.

    For `computed` see `Tag`; `is_condition` when it is a condition whatever the data is, as in `{{#value > 100}}`. One
    of `columns` repeats columns of the surrounding table.
    """

    source: str
    name: str
    path: tuple[str, ...]
    inverted: bool
    computed: ExpressionNode | None = None
    is_condition: bool = False
    continuation: Continuation | None = None
    columns: bool = False

    @property
    def item_name(self) -> str:
        """The name of the list or object whose members the names inside are; empty for conditions.

        That of groups is followed by `GROUPED`.
        """
        return "" if self.inverted or self.is_condition else _name_items(self.name, self.computed)


class BlockEnd(Struct, frozen=True):
    """`{{/rows}}`; a bare `{{/}}` ends the innermost block."""

    source: str
    name: str


class Directive(Struct, frozen=True):
    """A directive of an alternative text for its shape: `{{image:logo fit=cover}}`. For `computed` see `Tag`.

    `slide` or `shape` is what it refers to in another template. A chart's may ask for `totals`; `literal` is the same
    directive when the data has that word in its name.
    """

    kind: str
    source: str
    name: str
    path: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    computed: ExpressionNode | None = None
    continuation: Continuation | None = None
    slide: SlideReference | None = None
    shape: ShapeReference | None = None
    totals: bool = False
    literal: "Directive | None" = None

    @property
    def type(self) -> DirectiveType:
        """The row of this kind of directive."""
        return DIRECTIVES[self.kind]

    @property
    def item_name(self) -> str:
        """The name of the list that it repeats for, see `BlockStart`."""
        return _name_items(self.name, self.computed)


def _name_items(name: str, computed: ExpressionNode | None) -> str:
    return f"{name}{GROUPED}" if computed is not None and makes_groups(computed) else name


class Escape(Struct, frozen=True):
    r"""The backslash of `\{{`, which is removed; the braces stay."""


class Comment(Struct, frozen=True):
    """A comment for authors, `{{! … }}`, which is removed from decks."""


class TagFinding(Struct, frozen=True):
    """Text that is not a tag and was probably meant as one; it stays unchanged."""

    severity: Severity
    code: str
    message: str
    source: str
    suggestion: str = ""


class FoundConstruct(NamedTuple):
    """A part of the language at `[start, end)` of the text."""

    start: int
    end: int
    construct: Tag | BlockStart | BlockEnd | Directive | Escape | Comment | TagFinding
