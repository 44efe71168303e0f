"""Two revisions of a template, slide by slide."""

import asyncio
from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from meetdeck.pages.console.kit import Api
from meetdeck.pages.console.slide_templates.listing import DRAWN_WIDTH, Slide, find_picture, list_slides

_AT_ONCE: Final = 4
Change = Literal["same", "changed", "added", "removed", "unknown"]


class ComparedRevisions(NamedTuple):
    """Two revisions of a template, and the width of the shown pictures, in pixels."""

    name: str
    older: int
    newer: int
    width: int


class Pair(NamedTuple):
    """A slide at both revisions, None where it is missing; `unknown`: not compared, or not drawable."""

    name: str
    older: Slide | None
    newer: Slide | None
    change: Change


async def list_pairs(api: Api, compared: ComparedRevisions) -> list[Pair]:
    """Return the slides of two revisions, paired by name; those in both are not compared yet."""
    name, older, newer, width = compared
    befores, afters = await asyncio.gather(
        list_slides(api, name, width=width, revision=older), list_slides(api, name, width=width, revision=newer)
    )
    return pair_slides(befores, afters)


def pair_slides(befores: Sequence[Slide], afters: Sequence[Slide]) -> list[Pair]:
    """Return slides paired by name, in the order of the newer revision; removed ones at their old places."""
    old, new = ({slide.name: slide for slide in slides} for slides in (befores, afters))
    pairs = [
        Pair(slide.name, old.get(slide.name), slide, "unknown" if slide.name in old else "added") for slide in afters
    ]
    for place, slide in enumerate(befores):
        if slide.name not in new:
            pairs.insert(min(place, len(pairs)), Pair(slide.name, slide, None, "removed"))
    return pairs


async def find_changes(api: Api, compared: ComparedRevisions, pairs: Sequence[Pair]) -> list[Pair]:
    """Return the pairs of slides, each marked as changed if its picture differs."""
    limit = asyncio.Semaphore(_AT_ONCE)

    async def compare(pair: Pair) -> Pair:
        if pair.older is None or pair.newer is None:
            return pair
        async with limit:
            before, after = [
                await find_picture(api, compared.name, pair.name, width=DRAWN_WIDTH, revision=revision)
                for revision in (compared.older, compared.newer)
            ]
        if before is None or after is None:
            return pair
        return pair._replace(change="same" if before == after else "changed")

    return list(await asyncio.gather(*map(compare, pairs)))
