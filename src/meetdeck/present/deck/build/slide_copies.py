"""The slides of a deck as copies of the template's: part names, slide ids, relationship ids and creation ids."""

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.build.expand import DeckSlide
from meetdeck.present.deck.opc.part_names import PartNames
from meetdeck.present.deck.program.scope import Scope
from meetdeck.present.deck.program.slide_lists import SlideListEntry, new_slide_ids
from meetdeck.present.deck.program.slots import SLIDE_ID_SLOT, creation_id_slot
from meetdeck.present.deck.program.template import DeckPlan, PartPlan, SlidePlan

# Knuth's multiplicative step spreads the copies' creation ids over 32 bits.
_CREATION_ID_STEP: Final = 0x9E3779B1
_CREATION_ID_MASK: Final = 0xFFFFFFFF


class SlideCopy(Struct, frozen=True):
    """A slide of the deck.

    `slide_index` is the template slide's, from 0; `scope` is what it is rendered in; `passes` are the items of the
    surrounding chapters, see `DeckSlide`; `files` are the file names of the plan's parts, empty for unneeded ones;
    `identity` holds the slots for slide id and creation ids. The first copy keeps all of the template's.
    """

    plan: SlidePlan
    slide_index: int
    scope: Scope
    dropped: frozenset[str]
    passes: tuple[int, ...]
    files: tuple[str, ...]
    entry: SlideListEntry
    identity: Mapping[str, bytes]
    is_first: bool


def name_copies(plan: DeckPlan, entries: Iterable[DeckSlide], names: PartNames) -> list[SlideCopy]:
    """Return the copies with names and ids that are unique in the deck."""
    take_slide_id = new_slide_ids(slide.slide_id for slide in plan.slides)
    take_creation_id = _new_creation_ids(plan.creation_ids)
    relationship_numbers = count(plan.highest_relationship + 1)
    seen: set[int] = set()
    copies: list[SlideCopy] = []
    for index, scope, dropped, passes in entries:
        slide = plan.slides[index]
        is_first = index not in seen
        seen.add(index)
        slide_id = slide.slide_id if is_first and slide.slide_id else take_slide_id()
        relationship_id = slide.relationship_id if is_first else f"rId{next(relationship_numbers)}"
        copies.append(
            SlideCopy(
                plan=slide,
                slide_index=index,
                scope=scope,
                dropped=dropped,
                passes=passes,
                files=tuple([names.claim(part.name) if _is_needed(part, dropped) else "" for part in slide.parts]),
                entry=SlideListEntry(slide_id, relationship_id),
                identity=_identity(slide, slide_id, None if is_first else take_creation_id),
                is_first=is_first,
            )
        )
    return copies


def _is_needed(part: PartPlan, dropped: frozenset[str]) -> bool:
    return not dropped or part.guard.isdisjoint(dropped)


def _identity(slide: SlidePlan, slide_id: int, take_creation_id: Callable[[int], int] | None) -> dict[str, bytes]:
    slots = {SLIDE_ID_SLOT: str(slide_id).encode()}
    for part in slide.parts:
        if part.creation_id is not None:
            value = take_creation_id(part.creation_id) if take_creation_id else part.creation_id
            slots[creation_id_slot(part.number)] = str(value).encode()
    return slots


def _new_creation_ids(taken: Iterable[int]) -> Callable[[int], int]:
    """Return a function that derives p14:creationId values from the original's, the same for the same deck."""
    used = {0, *taken}

    def take(original: int) -> int:
        value = original
        while value in used:
            value = (value + _CREATION_ID_STEP) & _CREATION_ID_MASK
        used.add(value)
        return value

    return take
