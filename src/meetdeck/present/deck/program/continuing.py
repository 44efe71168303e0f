"""Tables and texts that go on to further slides: nodes that write the part of one slide.

How many slides there are is known before any is written, since other parts of the deck count them and refer to them.
So the table or text is written once as a whole to be measured, and each slide then writes its own items.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from msgspec import Struct

from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import BlockStart
from meetdeck.present.deck.language.values import ABSENT, escape_attribute
from meetdeck.present.deck.program.nodes import items_of
from meetdeck.present.deck.program.scope import Program, Scope, report_missing, resolve, run
from meetdeck.present.deck.program.slide_parts import SlidePart

# "2 of 3" by language; others write "2/3".
_OF: Final[Mapping[str, str]] = MappingProxyType(
    {"da": "af", "de": "von", "en": "of", "es": "de", "fr": "sur", "is": "af", "it": "di", "nb": "av", "nl": "van"}
    | {"nn": "av", "no": "av", "pl": "z", "pt": "de", "sv": "av"}
)

# PowerPoint counts no further.
_LAST_NUMBER: Final = 32_767


class Story(Protocol):
    """A table or text that goes on."""

    def divide(self, program: Program, scope: Scope) -> Sequence[SlidePart]:
        """Return the parts for one slide each, at least one; `program` writes it. Raises `BadData` as writing does."""
        ...


class ContinuingStory(Struct, frozen=True):
    """The table or text of a slide that goes on, as `program` writes it.

    When one of the shapes `within` is dropped, so is it.
    """

    story: Story
    program: Program
    within: frozenset[str]

    def divide(self, scope: Scope) -> Sequence[SlidePart]:
        """Return the parts for one slide each, at least one. Raises `BadData` as writing it does."""
        return self.story.divide(self.program, scope)


class ContinuingBlock(Struct, frozen=True):
    """A block that writes the items of the slide's part."""

    start: BlockStart
    place: Place
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body once for each item of the part."""
        value, part, outer = resolve(self.start, scope), scope.slide_part, scope.items
        if value is ABSENT:
            report_missing(self.start, self.place, scope, "the block is left out")
            return
        if value is True:
            run(self.body, out, scope)
            return
        for item in part.pick(items_of(self.start, value, scope)):
            scope.items, begin = (item, *outer), len(out)
            run(self.body, out, scope)
            if part.tally:
                part.tally.items.append(part.tally.count(out[begin:]))
        scope.items = outer


class AfterItems(Struct, frozen=True):
    """The rows or paragraphs behind the items: on the last slide alone."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append them."""
        part = scope.slide_part
        if part.is_last:
            begin = len(out)
            run(self.body, out, scope)
            if part.tally:
                part.tally.after = part.tally.count(out[begin:])


class PartNumber(Struct, frozen=True):
    """The numbers behind a title: ` (2 of 3)`; nothing on the only slide."""

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the numbers, in the deck's language."""
        part = scope.slide_part
        if part.of > 1:
            word = _OF.get(scope.locale.partition("-")[0].partition("_")[0].lower())
            numbers = f"{part.number} {word} {part.of}" if word else f"{part.number}/{part.of}"
            out.append(f" ({numbers})".encode())


class FirstNumber(Struct, frozen=True):
    """The number at which PowerPoint's numbering of a list begins: it goes on from slide to slide."""

    own: int
    is_said: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute with a space before it, where it is needed."""
        number = min(self.own + scope.slide_part.start, _LAST_NUMBER)
        if self.is_said or number > 1:
            out.append(b' startAt="%d"' % number)


class LastRow(Struct, frozen=True):
    """Whether the last row of a table looks like a total (`own`): on the last slide alone, where the total stands."""

    own: str

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the attribute with a space before it, on the last slide."""
        if scope.slide_part.is_last:
            out.append(f' lastRow="{escape_attribute(self.own)}"'.encode())
