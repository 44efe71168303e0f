"""Running a program to measure its output, as bytes and as elements."""

from collections import defaultdict
from typing import NamedTuple

from msgspec.structs import replace

from meetdeck.present.deck.opc.xml import Element, parse
from meetdeck.present.deck.program.continuing import ITEMS
from meetdeck.present.deck.program.media import NewRelationships
from meetdeck.present.deck.program.scope import Program, Scope, render
from meetdeck.present.deck.program.slide_parts import SlidePart, Story, StoryItems, Tally


def join_static(body: Program) -> bytes:
    """Return a program's output that does not depend on the data."""
    return b"".join([node for node in body if isinstance(node, bytes)])


def write_whole(
    body: Program, tally: Tally, scope: Scope, dropped: frozenset[str], part: SlidePart | None = None
) -> bytes:
    """Return a whole story, however many slides it takes; its findings are left to these slides.

    `part` is the part of it that is written, if not all of it.
    """
    whole = replace(
        scope,
        findings=[],
        dropped=dropped,
        slots=defaultdict(bytes),
        deck_slots=defaultdict(bytes),
        relationships=NewRelationships(),
        animations=None,
        slide_part=part or SlidePart(tally=tally),
        grown={},
    )
    return render(body, whole)


class WrittenFrame(NamedTuple):
    """The written units of a story on a slide around its items: the first `head` of them stand before the items."""

    text: bytes
    head: int


def write_frame(
    body: Program, ends: tuple[bytes, ...], scope: Scope, dropped: frozenset[str], part: SlidePart
) -> WrittenFrame:
    """Return a story without its items, as a part has it whose slides before and behind are those of `part`."""
    tally = Tally(ends, is_frame=True)
    written = write_whole(body, tally, scope, dropped, replace(part, tally=tally))
    before, _, after = written.partition(ITEMS)
    return WrittenFrame(before + after, tally.count(before))


def make_frame_part(story: Story, *, continued: bool, more: bool) -> SlidePart:
    """Return a part with all items of a story, whose sums are as long as any."""
    return SlidePart(2 if continued else 1, 1 + continued + more, story=StoryItems(story, before=None))


def parse_inside(opening: bytes, written: bytes) -> Element:
    """Return the one element in written XML."""
    (element,) = parse(opening + written + b"</w>").iterchildren()
    return element
