"""The fields of a template: the tree of values that its tags, blocks and directives need from the data.

A name inside a list belongs to the list's items. Names are also looked up outside of it, so a name that is also used
outside is a field in both places, and a dotted name whose object is used outside, like `{{customer.name}}`, is a field
only there.

A block around words whose names are all used outside may be a condition or a list; both are written alike. It is a list
if its name is a plural, or if it is inside a list whose item has one of its names. This affects the example and the
schema only: any value fills a block.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec import structs

from meetdeck.present.deck.fields.groups import leave_groups
from meetdeck.present.deck.fields.uses import WHOLE_ADDRESS, Level, Use, lift_own_list
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.language.directives import DirectiveType
from meetdeck.present.deck.language.field_types import (
    ADDRESS,
    CONDITION,
    LIST,
    OBJECT,
    TEXT,
    FieldType,
)
from meetdeck.present.deck.language.filters import TYPE_BY_FILTER
from meetdeck.present.deck.language.paths import DECK_LISTS, ENTRY_MEMBERS, STORY_LISTS, STORY_MEMBERS

# A longer number is the name of a member.
_LONGEST_EXAMPLE: Final = 99
_PLURAL: Final = re.compile(r"(?!(?:is|has)(?:[A-Z_ -])).+(?<![sui])s")

Blocks = tuple[str, ...]


@dataclass(slots=True)
class Field:
    """A value of the data: `name` leads to it, like `holdings[].name` or `goals.0.name`.

    `members` are an object's; `item` stands for every item of a list, `numbered` for those that the template uses by
    number. `uses` are the places where it is used, the first of them the template's use number `first_use`. `outer` is
    the name of the value shown for items without one of their own, empty without such a value.
    """

    name: str
    type: FieldType | None = None
    members: dict[str, "Field"] = field(default_factory=dict[str, "Field"])
    item: "Field | None" = None
    uses: list[Use] = field(default_factory=list[Use])
    first_use: int = 0
    numbered: dict[int, "Field"] = field(default_factory=dict[int, "Field"])
    outer: str = ""

    @property
    def is_text(self) -> bool:
        """Return whether a tag shows the value itself, even if other uses require another type."""
        return any(
            use.type is None and isinstance(use.expression, Tag) and _shows_text(use.expression) for use in self.uses
        )

    @property
    def is_torn(self) -> bool:
        """Return whether the value is used as a text in one place and for its members, items or rows in another."""
        if self.type is None or not self.type.noun or not self.is_text:
            return False
        return not any(directive.fills and not directive.field.noun for directive in self.directives)

    def narrow_type(self, new: FieldType) -> None:
        """Set the type to a use's, if that is more specific."""
        if self.type is None or new.rank < self.type.rank:
            self.type = new

    def member(self, name: str) -> "Field":
        """Return a member, added if it is new; a number is an item of a list."""
        if name.isascii() and name.isdigit() and len(name) <= len(str(_LONGEST_EXAMPLE)):
            self.narrow_type(LIST)
            return self.numbered.setdefault(int(name), Field(f"{self.name}.{name}"))
        self.narrow_type(OBJECT)
        return self.members.setdefault(name, Field(f"{self.name}.{name}" if self.name else name))

    def each(self) -> "Field":
        """Return the field of every item, added if it is new."""
        self.narrow_type(LIST)
        if self.item is None:
            self.item = Field(f"{self.name}[]")
        return self.item

    def at(self, path: Iterable[str]) -> "Field":
        """Return the field at a path below this one."""
        found = self
        for segment in path:
            found = found.member(segment)
        return found

    @property
    def directives(self) -> list[DirectiveType]:
        """The kinds of directives that use the value."""
        return [use.expression.type for use in self.uses if isinstance(use.expression, Directive)]

    def walk(self) -> "Iterator[Field]":
        """Yield the used fields below this one."""
        for below in (*self.members.values(), *self.numbered.values(), *([self.item] if self.item else [])):
            if below.uses:
                yield below
            yield from below.walk()


def infer_fields(uses: Sequence[Use], levels: Mapping[str, Level]) -> Field:
    """Return the root of the fields for all uses; `levels` are the names that blocks repeat for."""
    return _Inference(uses, levels).infer()


class _Inference:
    def __init__(self, uses: Sequence[Use], levels: Mapping[str, Level]) -> None:
        # `{{#@first}}` is about the position of an item, and repeats nothing.
        self._levels = {name: level for name, level in levels.items() if name[:1] != "@"}
        self._uses = [own for use in uses if (own := _read_use(use)) is not None]
        self._root = Field("", OBJECT)
        self._begun = _find_begun(self._uses) if "column" in levels.values() else None
        # Blocks over texts: `{{.}}` shows their items, so that other names inside are looked up further out.
        self._over_texts = {self._home(use.blocks) for use in self._uses if use.blocks and _shows_item(use)}
        # The first segments of the names that are used directly inside these blocks.
        self._known: defaultdict[Blocks, set[str]] = defaultdict(set)
        # Those of them that may have members: a text says nothing about what `{{name.first}}` means further inside.
        self._known_whole: defaultdict[Blocks, set[str]] = defaultdict(set)
        for use in self._uses:
            if _first(use) not in {"", "@"}:
                around = self._home(use.blocks[: self._deepest(use)])
                self._known[around].add(_first(use))
                if len(use.expression.path) > 1 or not isinstance(use.expression, Tag) or use.type is LIST:
                    self._known_whole[around].add(_first(use))
        # Rows and paragraphs repeat for names of their own, even when all of these are used outside too.
        self._shadowing: frozenset[Blocks] = frozenset()
        satisfied = {self._home(use.blocks) for use in self._uses if self._is_own(use)}
        inside = {self._home(use.blocks) for use in self._uses if use.blocks}
        repeating = {blocks for blocks in inside if self._levels.get(blocks[-1], "text") != "text"}
        # `{{#phone}}Call {{phone}}{{/phone}}` uses nothing but itself: a condition.
        named = (use for use in self._uses if use.blocks and use.expression.name != use.blocks[-1])
        of_others = {self._home(use.blocks) for use in named}
        self._shadowing = frozenset((repeating & of_others) - satisfied)
        # Names with members anywhere, by the surrounding blocks: a block over one opens an object.
        self._objects = {
            (self._home(use.blocks[: self._level_of(use)]), ".".join(use.expression.path[:end]))
            for use in self._uses
            for end in range(1, len(use.expression.path))
            if not use.expression.path[end].isdigit()
        }
        self._lists = self._find_lists()

    def _home(self, blocks: Blocks) -> Blocks:
        """Return the surrounding blocks where the last of these begins, which may be in another row for columns."""
        if self._begun is None or not blocks or blocks in self._begun:
            return blocks
        homes = ((*self._home(blocks[:end]), blocks[-1]) for end in range(len(blocks) - 1, -1, -1))
        return next((home for home in homes if home in self._begun), blocks)

    def infer(self) -> Field:
        for number, use in enumerate(self._uses):
            if _first(use) == "@":
                continue
            level = self._level_of(use)
            found = self._item_of(use.blocks[:level]).at(use.expression.path)
            if self._outer_level_of(use) < level and use.expression.name not in use.blocks:
                found.outer = use.expression.name
            found.first_use = found.first_use if found.uses else number
            found.uses.append(use)
            found.narrow_type(self._type_of(use))
        return self._root

    def _find_lists(self) -> set[Blocks]:
        """Return the blocks that repeat: those with names of their item's own, and those that repeat rows."""
        lists: set[Blocks] = set()
        for use in self._uses:
            if self._is_own(use):
                lists.add(self._home(use.blocks))
            repeats_rows = isinstance(use.expression, BlockStart) and self._levels.get(use.expression.name) == "row"
            repeats_slides = isinstance(use.expression, Directive) and use.expression.type.repeats
            if repeats_rows or repeats_slides or use.type is LIST:
                lists.add((*use.blocks, use.expression.name))
        self._add_lists_of_words(lists)
        return lists

    def _add_lists_of_words(self, lists: set[Blocks]) -> None:
        """Add the blocks around words whose names are all used outside as well, but rather belong to items.

        They may be conditions: `{{name}}{{#premium}}, our {{name}}{{/premium}}`. A plural is a list, and so is a block
        inside a list, where the surrounding item has one of its names itself or nothing but the block.
        """
        spoken: defaultdict[Blocks, list[str]] = defaultdict(list)
        for use in self._uses:
            if not isinstance(use.expression, BlockStart) and use.expression.name not in use.blocks:
                spoken[self._home(use.blocks)].append(use.expression.name)
        plain = {blocks: {name for name in names if _is_plain(name)} for blocks, names in spoken.items()}
        of_data = [blocks for blocks, names in plain.items() if names and blocks and blocks[-1][:1] != "@"]
        for blocks in sorted(of_data, key=len):
            around = [self._home(blocks[:end]) for end in range(1, len(blocks))]
            has_names_of_items = any(one in lists and plain.get(one, set()) & plain[blocks] for one in around)
            is_all_of_item = bool(around) and around[-1] in lists and not spoken.get(around[-1])
            if has_names_of_items or is_all_of_item or _is_plural(blocks[-1]):
                lists.add(blocks)

    def _is_own(self, use: Use) -> bool:
        """Return whether only the item of the surrounding block can have the value of a use."""
        return bool(use.blocks) and (_first(use) in {"", "@"} or self._outer_level_of(use) == len(use.blocks))

    def _level_of(self, use: Use) -> int:
        """Return how many of the surrounding blocks lead to a use's value: for a plain name up to a list's."""
        level = self._outer_level_of(use)
        if len(use.expression.path) != 1 or self._names_condition_around(use):
            return level
        lists = (end for end in range(self._deepest(use), level, -1) if self._home(use.blocks[:end]) in self._lists)
        return next(lists, level)

    def _names_condition_around(self, use: Use) -> bool:
        """Return whether a name is that of a surrounding conditional block: both use the same value."""
        ends = range(1, len(use.blocks) + 1)
        return any(
            use.blocks[end - 1] == use.expression.name and self._home(use.blocks[:end]) not in self._lists
            for end in ends
        )

    def _outer_level_of(self, use: Use) -> int:
        """Return how many surrounding blocks a name may be looked up through: none when it is used outside of them."""
        if self._home(use.blocks) in self._shadowing and len(use.expression.path) == 1:
            return len(use.blocks)
        known = self._known if len(use.expression.path) == 1 else self._known_whole
        deepest = self._deepest(use)
        for level in range(deepest):
            if _first(use) in known[self._home(use.blocks[:level])]:
                return level
        return deepest

    def _deepest(self, use: Use) -> int:
        """Return the number of surrounding blocks, down to the innermost whose item may have members."""
        if _first(use) in {"", "@"}:
            return len(use.blocks)
        ends = range(len(use.blocks), 0, -1)
        return next((end for end in ends if self._home(use.blocks[:end]) not in self._over_texts), 0)

    def _item_of(self, blocks: Blocks) -> Field:
        """Return the field whose members are the names directly inside these blocks; a condition has no item."""
        blocks = self._home(blocks)
        if not blocks:
            return self._root
        around = self._item_of(blocks[:-1])
        if blocks not in self._lists:
            return around
        path = () if blocks[-1] == "." else tuple(blocks[-1].split("."))
        block = Use(Tag("", blocks[-1], path), self._uses[0].place, "", blocks[:-1])
        inside = self._item_of(blocks[: self._level_of(block)]).at(path)
        return inside if (blocks[:-1], blocks[-1]) in self._objects else inside.each()

    def _type_of(self, use: Use) -> FieldType:
        expression = use.expression
        if use.type is not None:
            return use.type
        if isinstance(expression, Directive):
            return expression.type.field
        if isinstance(expression, BlockStart):
            is_object = (self._home(use.blocks), expression.name) in self._objects
            is_list = (*use.blocks, expression.name) in self._lists and not expression.inverted and not is_object
            return LIST if is_list else CONDITION
        if use.place.part == WHOLE_ADDRESS:
            return ADDRESS
        return next((TYPE_BY_FILTER[call.name] for call in expression.filters if call.name in TYPE_BY_FILTER), TEXT)


def _find_begun(uses: Iterable[Use]) -> frozenset[Blocks]:
    """Return the blocks that begin somewhere, with the surrounding ones there."""
    begins = (use for use in uses if not isinstance(use.expression, Tag) or use.type is LIST)
    return frozenset((*use.blocks, use.expression.name) for use in begins)


def _read_use(use: Use) -> Use | None:
    """Return a use of the data, with the lists of the data around it; None for a use of anything else."""
    if use.expression.name in STORY_MEMBERS or not STORY_LISTS.isdisjoint(use.blocks):
        return None
    own = leave_groups(lift_own_list(use))
    return _without_deck(own) if own is not None else None


def _without_deck(use: Use) -> Use | None:
    """Return a use without the surrounding blocks that have no item in the data; None for a use of the deck's lists."""
    blocks = tuple(filter(None, use.blocks))
    deck = next((number for number, name in enumerate(blocks) if name in DECK_LISTS), None)
    if deck is None:
        return structs.replace(use, blocks=blocks)
    if _first(use) in {"", *ENTRY_MEMBERS}:
        return None
    inside = (name for name in blocks[deck:] if name not in DECK_LISTS and name not in ENTRY_MEMBERS)
    return structs.replace(use, blocks=(*blocks[:deck], *inside))


def _shows_item(use: Use) -> bool:
    """Return whether a tag shows the item of the surrounding block as a text, or an expression computes with it."""
    expression = use.expression
    if not isinstance(expression, Tag) or expression.path:
        return False
    return use.type is not LIST and all(call.name != "join" for call in expression.filters)


def _shows_text(tag: Tag) -> bool:
    """Return whether a tag outside of lists of texts shows one text: `join` takes a list, `.` is any value."""
    return bool(tag.path) and all(call.name != "join" for call in tag.filters)


def _is_plain(name: str) -> bool:
    """Return whether a name is looked up in the surrounding items: it is one word and no `@number`."""
    return name[:1] != "@" and "." not in name


def _is_plural(name: str) -> bool:
    """Return whether a block's name is probably a plural: `funds`, but not `status`, `hasFunds`, `is_vips`."""
    return _PLURAL.fullmatch(name.rpartition(".")[2]) is not None


def _first(use: Use) -> str:
    """Return a name's first segment; empty for the item itself, `@` for `@index` and the like."""
    path = use.expression.path
    if not path:
        return ""
    return "@" if path[0].startswith("@") else path[0]
