"""The order of animations of a block of several paragraphs: item by item, each in its author's order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, takewhile
from operator import itemgetter
from typing import NamedTuple

from meetdeck.present.deck.program.animations.state import AnimatedElements


class WrittenParagraph(NamedTuple):
    """A paragraph of the deck: the template's `origin`, and the numbers of the items around it, outermost first."""

    origin: int
    items: tuple[int, ...]


class Entry(NamedTuple):
    """A time node of a run, by its `number`, for one group of its targets, with the number of groups before it."""

    number: int
    members: AnimatedElements
    before: int


def find_turns(
    written: Iterable[WrittenParagraph], chains: Sequence[tuple[int, ...]]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield the `turns` of each paragraph; `chains` are the blocks around those of the template, outermost first."""
    chain: tuple[int, ...] = ()
    items: tuple[int, ...] = ()
    counts: list[int] = []
    for paragraph in written:
        blocks = chains[paragraph.origin] if 0 <= paragraph.origin < len(chains) else ()
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(chain, blocks, strict=False)))
        counts = [*counts[:common], *[0] * (len(blocks) - common)]
        if common and any(one != other for one, other in zip(items, paragraph.items, strict=False)):
            # It does not matter which of several common blocks advances: the paragraphs are in this order.
            counts[common - 1] += 1
        chain, items = blocks, paragraph.items
        yield tuple(zip(blocks, counts, strict=True))


def order_by_item(entries: Sequence[Entry], depth: int = 0) -> Iterator[Entry]:
    """Yield a run's entries, given node by node, item by item; inner blocks within the item around."""
    placed = [(_find_turn(entry.members, depth), entry) for entry in entries]
    for block, together in groupby(placed, lambda pair: pair[0][0]):
        if block < 0:
            yield from (entry for _, entry in together)
            continue
        in_turn = sorted(together, key=itemgetter(0))
        for _, of_item in groupby(in_turn, itemgetter(0)):
            yield from order_by_item([entry for _, entry in of_item], depth + 1)


def _find_turn(members: AnimatedElements, depth: int) -> tuple[int, int]:
    """Return the block at a depth and its item that contains all elements; a negative block when there is none."""
    found = {element.turns[depth] if depth < len(element.turns) else (-1, 0) for element in members}
    return found.pop() if len(found) == 1 else (-1, 0)
