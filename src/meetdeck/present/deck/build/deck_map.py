"""The map of a deck: its slides with their titles and pages, and the copy that a link leads to.

Slides are repeated, dropped, ordered and named before the first is written, so pages and links are known without
building twice. Where a template lists slides, titles are filled once more as plain text; meanwhile the lists are empty,
so a title that lists titles ends.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from html import unescape
from itertools import chain, groupby
from typing import Final, TypeVar

from msgspec.structs import replace

from meetdeck.present.deck.build.expand import DeckSlide, divide
from meetdeck.present.deck.build.slide_copies import SlideCopy, name_copies
from meetdeck.present.deck.language.values import escape_attribute, is_list, is_object
from meetdeck.present.deck.opc.part_names import PartNames
from meetdeck.present.deck.program.names import Item
from meetdeck.present.deck.program.scope import Scope, render
from meetdeck.present.deck.program.slide_lists import SectionedSlide, section_runs
from meetdeck.present.deck.program.slots import slide_slot
from meetdeck.present.deck.program.template import DeckPlan

_NOTHING: Final[tuple[object, ...]] = ()
_Key = TypeVar("_Key")


class SlideEntry(dict[str, object]):
    """An entry of `@slides`, `@sections` or `@chapters`; `place` is the place of its slide in the deck, from 0."""

    def __init__(self, place: int, members: Mapping[str, object]) -> None:
        super().__init__(members)
        self.place = place


class DeckMap:
    """The slides of a deck, in order, as its own texts and links refer to them; computed on first use."""

    def __init__(self, plan: DeckPlan, copies: Sequence[SlideCopy]) -> None:
        self._plan = plan
        self._copies = copies
        # Names are looked up inside of blocks, whose items are those of the scope at that moment.
        self._items = [copy.scope.items for copy in copies]
        self.pages = plan.first_page + len(copies) - 1
        self._is_listing = False

    def link_slots(self, copy: SlideCopy) -> tuple[dict[str, bytes], set[str]]:
        """Return the slots of links from a copy to slides of its own chapters, and those dropped with their targets."""
        slots: dict[str, bytes] = {}
        dropped: set[str] = set()
        chapters = copy.plan.chapters
        for index in copy.plan.links:
            others = self._plan.slides[index].chapters
            depth = sum(one in others for one in chapters)
            target = self._first.get((index, copy.passes[:depth]))
            if target is None:
                dropped.add(slide_slot(index))
            else:
                slots[slide_slot(index)] = escape_attribute(target.files[0]).encode()
        return slots, dropped

    def find_slide(self, index: int | None, scope: Scope) -> str | None:
        """Return the part of the slide that an item links to; None when the deck has no such slide.

        It is the first slide made for the item, from the template's slide `index` or from any. Outer items count when
        the inner ones have no slide. Outside of lists it is the first copy of the slide.
        """
        for item in scope.items:
            if isinstance(item.value, SlideEntry) and index is None:
                return self._part(item.value.place)
            place = self._made_for(item, index)
            if place is not None:
                return self._part(place)
        if index is None:
            return None
        places = self._by_slide.get(index, ())
        free = [place for place in places if not self._items[place]]
        return self._part(free[0]) if free else self._part(places[0]) if places and not scope.items else None

    def list_slides(self, name: str, scope: Scope) -> Sequence[object]:
        """Return the entries of `@slides`, `@sections` or `@chapters`, for visible slides only.

        `@slides` leaves out the slide itself and continuation slides. A title has no list of titles.
        """
        if self._is_listing:
            return _NOTHING
        if name == "@sections":
            return self._sections
        if name == "@chapters":
            return self._chapters
        own = scope.place - scope.slide_part.number + 1
        return [entry for place, entry in enumerate(self._entries) if place != own and place in self._shown]

    def _part(self, place: int) -> str:
        copy = self._copies[place]
        return copy.plan.parts[0].name.folder + copy.files[0]

    def _made_for(self, item: Item, index: int | None) -> int | None:
        """Return the place of the first slide made for an item: for the same object, or for its place and value."""
        same = self._by_item.get(id(item.value), ()) if is_object(item.value) or is_list(item.value) else ()
        equal = (place for place in self._by_path.get(item.path, ()) if self._has(place, item))
        return next((place for place in chain(same, equal) if index in {None, self._copies[place].slide_index}), None)

    def _has(self, place: int, item: Item) -> bool:
        return any(one.path == item.path and one.value == item.value for one in self._items[place])

    @cached_property
    def _first(self) -> dict[tuple[int, tuple[int, ...]], SlideCopy]:
        """The first copy of each slide for the items of the chapters around it, and of the outer ones of these."""
        first: dict[tuple[int, tuple[int, ...]], SlideCopy] = {}
        for copy in self._copies:
            for depth in range(len(copy.passes) + 1):
                first.setdefault((copy.slide_index, copy.passes[:depth]), copy)
        return first

    @cached_property
    def _by_slide(self) -> dict[int, list[int]]:
        return _grouped((copy.slide_index, place) for place, copy in enumerate(self._copies))

    @cached_property
    def _by_item(self) -> dict[int, list[int]]:
        return _grouped((id(item.value), place) for place, items in enumerate(self._items) for item in items)

    @cached_property
    def _by_path(self) -> dict[str, list[int]]:
        return _grouped((item.path, place) for place, items in enumerate(self._items) for item in items)

    @cached_property
    def _shown(self) -> frozenset[int]:
        """The indexes of the listed slides."""
        numbered = enumerate(self._copies)
        return frozenset(
            place for place, copy in numbered if not copy.plan.hidden and copy.scope.slide_part.number == 1
        )

    @cached_property
    def _runs(self) -> list[tuple[str, list[int]]]:
        """The deck's sections: their rendered names, and the indexes of their slides."""
        slides = sectioned_slides(self._plan, self._copies)
        runs: list[tuple[str, list[int]]] = []
        start = 0
        for section, members in section_runs(slides) if self._plan.sections else ():
            name = unescape(render(section.title, self._scope_of(start)).decode())
            runs.append((name, list(range(start, start + len(members)))))
            start += len(members)
        return runs

    @cached_property
    def _entries(self) -> list[SlideEntry]:
        """The entries of all slides, hidden ones too."""
        sections = {place: (name, place == places[0]) for name, places in self._runs for place in places}
        entries: list[SlideEntry] = []
        before: frozenset[int] = frozenset()
        self._is_listing = True
        for place, copy in enumerate(self._copies):
            section, starts_section = sections.get(place, ("", False))
            members = {
                "title": self._title(place),
                "page": self._plan.first_page + place,
                "name": copy.plan.name,
                "section": section,
                "startsSection": starts_section,
                "startsChapter": not before.issuperset(copy.passes),
                "level": len(copy.passes),
            }
            entries.append(SlideEntry(place, members))
            before = frozenset(copy.passes)
        self._is_listing = False
        return entries

    @cached_property
    def _sections(self) -> list[SlideEntry]:
        named = [(name, [place for place in places if place in self._shown]) for name, places in self._runs]
        return [self._group(places, {"name": name}) for name, places in named if places]

    @cached_property
    def _chapters(self) -> list[SlideEntry]:
        return self._list_chapters([place for place in range(len(self._copies)) if place in self._shown], 0)

    def _list_chapters(self, places: Iterable[int], depth: int) -> list[SlideEntry]:
        """Return the chapters at a depth that contain some slides, each with its inner chapters."""
        inside = [place for place in places if len(self._copies[place].passes) > depth]
        groups = [list(members) for _, members in groupby(inside, lambda place: self._copies[place].passes[depth])]
        return [self._group(members, {"chapters": self._list_chapters(members, depth + 1)}) for members in groups]

    def _group(self, places: Sequence[int], members: Mapping[str, object]) -> SlideEntry:
        first = self._entries[places[0]]
        slides = [self._entries[place] for place in places]
        return SlideEntry(first.place, {**first, **members, "slides": slides})

    def _title(self, place: int) -> str:
        slide = self._copies[place].plan
        return " ".join(render(slide.title, self._scope_of(place)).decode().split()) or slide.name

    def _scope_of(self, place: int) -> Scope:
        """Return a slide's scope without its findings: everything rendered here is rendered again where it belongs."""
        return replace(self._copies[place].scope, findings=[], items=self._items[place])


def lay_out(plan: DeckPlan, copies: Sequence[SlideCopy]) -> DeckMap:
    """Return the map of a deck, and set it and the position on each slide."""
    view = DeckMap(plan, copies)
    for place, copy in enumerate(copies):
        copy.scope.deck, copy.scope.place, copy.scope.page = view, place, plan.first_page + place
    return view


def continue_contents(plan: DeckPlan, entries: list[DeckSlide]) -> list[DeckSlide]:
    """Return the slides with continuation slides of the contents added; their number follows from all other slides."""
    goes_on = [slide.lists_deck and slide.continuing is not None for slide in plan.slides]
    if not any(goes_on) or not any(goes_on[entry.slide_index] for entry in entries):
        return entries
    lay_out(plan, name_copies(plan, entries, PartNames(plan.highest_numbers)))
    return [
        part
        for entry in entries
        for part in (divide(entry, plan.slides[entry.slide_index]) if goes_on[entry.slide_index] else [entry])
    ]


def sectioned_slides(plan: DeckPlan, copies: Iterable[SlideCopy]) -> list[SectionedSlide]:
    """Return the slides with their sections."""
    section_of = {index: section for section in plan.sections for index in section.slides}
    return [
        SectionedSlide(copy.entry.slide_id, section_of.get(copy.slide_index), copy.scope, copy.passes)
        for copy in copies
    ]


def _grouped(pairs: Iterable[tuple[_Key, int]]) -> dict[_Key, list[int]]:
    groups: dict[_Key, list[int]] = {}
    for key, place in pairs:
        groups.setdefault(key, []).append(place)
    return groups
