"""Tables and texts that continue on further slides: nodes that write the part of one slide.

The number of slides is known before any is written, since other parts of the deck count them and refer to them. So the
table or text is written once as a whole to be measured, and each slide then writes its own items.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockStart
from meetdeck.present.deck.language.expressions.field_uses import list_names
from meetdeck.present.deck.language.paths import SLIDE_MEMBERS, STORY_FLAGS
from meetdeck.present.deck.language.values import ABSENT, escape_attribute, is_list
from meetdeck.present.deck.program.names import Item
from meetdeck.present.deck.program.nodes import Block, RtlTextValue, TextValue, items_of, list_together
from meetdeck.present.deck.program.paint import Paint, TextPaint
from meetdeck.present.deck.program.pushing import is_pushing
from meetdeck.present.deck.program.scope import Expression, Node, Program, Scope, render, report_missing, resolve, run
from meetdeck.present.deck.program.slide_parts import UNCUT, CountedItem, SlidePart, Tally, WrittenItem
from meetdeck.present.deck.program.text.language import IfLanguageIsSet, LanguageAttribute

# "2 of 3" by language; others write "2/3".
_OF: Final[Mapping[str, str]] = MappingProxyType(
    {"da": "af", "de": "von", "en": "of", "es": "de", "fr": "sur", "is": "af", "it": "di", "nb": "av", "nl": "van"}
    | {"nn": "av", "no": "av", "pl": "z", "pt": "de", "sv": "av"}
)

# The place of the items where only what stands around them is written; no data can write it.
ITEMS: Final = b"<?items?>"
# PowerPoint counts no further.
_LAST_NUMBER: Final = 32_767


class Story(Protocol):
    """A table or text that continues."""

    def divide(self, program: Program, scope: Scope, dropped: frozenset[str]) -> Sequence[SlidePart]:
        """Return the parts for one slide each, at least one; `program` writes it. Raises `BadData` as writing does.

        `dropped` are the shapes that the slide drops.
        """
        ...


class ContinuingStory(Struct, frozen=True):
    """The table or text of a slide that continues, written by `program`.

    When one of the shapes `within` is dropped, so is it. `pushed` are the shapes that only its last slide has, unless
    the data names them otherwise.
    """

    story: Story
    program: Program
    within: frozenset[str]
    pushed: frozenset[str] = frozenset()

    def divide(self, scope: Scope, dropped: frozenset[str]) -> Sequence[SlidePart]:
        """Return the parts for one slide each, at least one. Raises `BadData` as writing it does."""
        return self.story.divide(self.program, scope, dropped)

    def find_pushed(self, scope: Scope) -> frozenset[str]:
        """Return the slots of the shapes that only the last slide has."""
        return self.pushed if self.pushed and is_pushing(scope) else frozenset()


class ContinuingBlock(Struct, frozen=True):
    """A block that writes the items of the slide's part; one that `is_portable` writes the same on any slide.

    Items that `may_tear` have one list of their own, whose items a slide may show some of.
    """

    start: BlockStart
    place: Place
    body: Program
    is_portable: bool
    may_tear: bool = False

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body once for each item of the part."""
        part = scope.slide_part
        if part.tally is not None and part.tally.is_frame:
            out.append(ITEMS)
        elif not part.written or None in part.written:
            self._write_items(part, out, scope)
        else:
            for one in part.written:
                _copy(one, out, scope)

    def _write_items(self, part: SlidePart, out: list[bytes], scope: Scope) -> None:
        body, tally, outer = self.body, part.tally, scope.items
        picked: Sequence[Item] = part.items
        if not picked:
            value = resolve(self.start, scope)
            if value is ABSENT:
                report_missing(self.start, self.place, scope, "the block is left out")
            if value is True:
                run(self.body, out, scope)
                return
            picked = part.pick(items_of(self.start, value, scope))
        if tally is not None:
            tally.is_fixed = not needs_any(self.start, SLIDE_MEMBERS)
        if tally is not None and self._count_together(picked, tally, out, scope):
            return
        written: Sequence[WrittenItem | None] = part.written or [None] * len(picked)
        for at, (item, known) in enumerate(zip(picked, written, strict=True), part.start):
            scope.calculation.step()
            scope.items = (item, *outer)
            scope.cut = part.cuts.get(at, UNCUT) if self.may_tear else None
            if known is not None:
                _copy(known, out, scope)
            elif tally is None:
                run(body, out, scope)
            else:
                out.append(self._count(item, body, tally, scope))
        scope.items, scope.cut = outer, None

    def _count_together(self, items: Sequence[Item], tally: Tally, out: list[bytes], scope: Scope) -> bool:
        """Append all items, counted and stored; False, appending nothing, when they are to be written one by one."""
        together = list_together(self.body, [item.value for item in items], scope) if self.is_portable else None
        if together is None:
            return False
        texts = [b"".join(pieces) for pieces in together]
        # Values have no units of their own.
        units = tally.count(texts[0])
        tally.items += [CountedItem(item, units) for item in items]
        tally.written += [WrittenItem(text, ()) for text in texts]
        out += texts
        return True

    def _count(self, item: Item, body: Program, tally: Tally, scope: Scope) -> bytes:
        """Return an item, counted and stored."""
        found = len(scope.findings)
        text = render(body, scope)
        tally.items.append(tally.add_up(item, text))
        if self.is_portable:
            tally.written.append(WrittenItem(text, tuple(scope.findings[found:])))
        return text


def _copy(one: WrittenItem | None, out: list[bytes], scope: Scope) -> None:
    if one is not None:
        out.append(one.text)
        scope.findings += one.findings


class InnerItems(Struct, frozen=True):
    """The one list of a continuing block's items that repeats units: when an item is torn, a slide shows a part of it.

    Its own items may be torn, too, unless they are the `innermost`. Any other value than a list is written as by a
    block.
    """

    block: Block
    innermost: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the items of the slide's part."""
        value, cut, tally = resolve(self.block.start, scope, self.block.place), scope.cut, scope.slide_part.tally
        if not is_list(value) or cut is None:
            self.block.write(out, scope)
            return
        outer, body = scope.items, self.block.body
        head, counted = tally.count(b"".join(out)) if tally else 0, list[CountedItem]()
        for at, item in enumerate(items_of(self.block.start, value, scope)[cut.start : cut.end], cut.start):
            scope.calculation.step()
            scope.items = (item, *outer)
            scope.cut = cut if self.innermost else cut.inner.get(at, UNCUT)
            if tally is None:
                run(body, out, scope)
            else:
                text = render(body, scope)
                counted.append(tally.add_up(item, text))
                out.append(text)
        scope.items, scope.cut = outer, cut
        if tally is not None:
            tally.inner = head, counted


class AfterInnerItems(Struct, frozen=True):
    """The units of an item after its inner items, which are on the slide with the last of these."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append them, unless the item has more on the next slide."""
        if scope.cut is None or not scope.cut.more:
            run(self.body, out, scope)


def is_portable(program: Program, *, in_groups: bool = False) -> bool:
    """Return whether a program writes the same on any slide: no links, pictures or ids, which belong to one.

    In groups, `@more` and `@continued` are about the group: they are false for all that are not torn.
    """
    needed = SLIDE_MEMBERS - STORY_FLAGS if in_groups else SLIDE_MEMBERS
    return all(_is_portable(node, needed) for node in program)


def _is_portable(node: bytes | Node, needed: frozenset[str]) -> bool:
    body: Program = ()
    expression: Expression | None = None
    match node:
        case bytes() | LanguageAttribute() | IfLanguageIsSet():
            return True
        case TextValue(tag=tag) | RtlTextValue(tag=tag):
            expression = tag
        case Paint(directive=expression, body=body) | TextPaint(directive=expression, body=body):
            pass
        case Block(start=expression, body=body) | InnerItems(block=Block(start=expression, body=body)):
            pass
        case AfterInnerItems(body=body):
            pass
        case _:
            return False
    return not (expression and needs_any(expression, needed)) and all(_is_portable(one, needed) for one in body)


def needs_any(expression: Expression, names: frozenset[str]) -> bool:
    """Return whether a value is about one of some names, and not only about the data."""
    used = (expression.name,) if expression.computed is None else list_names(expression.computed)
    return not names.isdisjoint(used)


class OnEachSlide(Struct, frozen=True):
    """The units after the items that are about the slide's part, such as the sum that is carried forward."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append them."""
        begin, tally = len(out), scope.slide_part.tally
        run(self.body, out, scope)
        if tally:
            tally.foot = tally.count(b"".join(out[begin:]))


class AfterItems(Struct, frozen=True):
    """The rows or paragraphs after the items, which are only on the last slide."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append them."""
        part = scope.slide_part
        if part.is_last:
            begin = len(out)
            run(self.body, out, scope)
            if part.tally:
                part.tally.after = part.tally.count(b"".join(out[begin:]))


class PartNumber(Struct, frozen=True):
    """The numbers after a title: ` (2 of 3)`; nothing on the only slide."""

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the numbers, in the deck's language."""
        part = scope.slide_part
        if part.of > 1:
            word = _OF.get(scope.locale.partition("-")[0].partition("_")[0].lower())
            numbers = f"{part.number} {word} {part.of}" if word else f"{part.number}/{part.of}"
            out.append(f" ({numbers})".encode())


class FirstNumber(Struct, frozen=True):
    """The number at which PowerPoint's numbering of a list begins: it continues from slide to slide."""

    own: int
    is_said: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute with a space before it, where it is needed."""
        number = min(self.own + scope.slide_part.start, _LAST_NUMBER)
        if self.is_said or number > 1:
            out.append(b' startAt="%d"' % number)


class LastRow(Struct, frozen=True):
    """The attribute that makes a table's last row look like a total (`own`), only on the last slide."""

    own: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute with a space before it, on the last slide."""
        if scope.slide_part.is_last:
            out.append(f' lastRow="{escape_attribute(self.own)}"'.encode())
