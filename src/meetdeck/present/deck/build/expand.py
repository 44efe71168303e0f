"""Expanding: the requested slides as a tree of groups, then as the deck's slides in a row, each with its scope.

Slides repeat with their chapters, then for their own directives, and are left out as their directives say. A table or
list that continues adds further slides.

Conditions are evaluated before anything is written, because a dropped shape leaves traces in other parts that make
PowerPoint repair the file: animations, connectors, relationships, chart parts, content types. Compiling records all of
these for each shape, so a deck needs no second pass.
"""

from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import Final, NamedTuple

from msgspec.structs import replace

from meetdeck.present.deck.errors import Absence, DeckTooLarge
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.values import ABSENT, is_list, is_object, is_true
from meetdeck.present.deck.program.conditions import VisibleIf
from meetdeck.present.deck.program.names import Item
from meetdeck.present.deck.program.nodes import items_of
from meetdeck.present.deck.program.scope import (
    Scope,
    bad_data,
    data_path,
    report_missing,
    resolve,
)
from meetdeck.present.deck.program.template import ChapterPlan, SlidePlan

_PLACE: Final = Place("", 0, "slide")
# The limit of a file: each slide is at least two parts. Nested lists would exceed it quickly.
_MOST_SLIDES: Final = 32_767


class RequestedSlide(NamedTuple):
    """A requested slide: its index in the template, its plan, and its scope outside of all lists."""

    slide_index: int
    slide: SlidePlan
    scope: Scope


class DeckSlide(NamedTuple):
    """A slide of the deck: the template's slide and its scope.

    `dropped` are the shapes that its data drops. `passes` are the numbers of the items that it repeats for, one for
    each chapter around it, outermost first: the slides of one item share them.
    """

    slide_index: int
    scope: Scope
    dropped: frozenset[str]
    passes: tuple[int, ...] = ()


class _Group(NamedTuple):
    """Neighbouring slides of one chapter, requested with the same data: they repeat together."""

    chapter: ChapterPlan
    members: Sequence["_Group | RequestedSlide"]
    scope: Scope


def expand(requested: Sequence[RequestedSlide]) -> list[DeckSlide]:
    """Return the deck's slides: each requested slide as often as its chapters, directives and data require.

    Raises `BadData` for a value that is not a list, `DeckTooLarge` for more slides than a file may hold.
    """
    return list(_Expansion().of_all(_arrange(requested), (), ()))


def _arrange(requested: Sequence[RequestedSlide], depth: int = 0) -> list[_Group | RequestedSlide]:
    """Return the tree of the slides: groups by the chapters around them, from the one at a depth inwards."""
    arranged: list[_Group | RequestedSlide] = []
    for key, members in groupby(requested, lambda one: _group_key(one, depth)):
        slides = list(members)
        if key is None:
            arranged += slides
        else:
            arranged.append(_Group(key[0], _arrange(slides, depth + 1), slides[0].scope))
    return arranged


def _group_key(one: RequestedSlide, depth: int) -> tuple[ChapterPlan, object] | None:
    chapters = one.slide.chapters
    return (chapters[depth], one.scope.data) if len(chapters) > depth else None


class _Expansion:
    """A walk through a tree of groups, which counts the items on the way."""

    def __init__(self) -> None:
        self._met = 0
        self._passes = count()

    def of_all(
        self, members: Sequence[_Group | RequestedSlide], items: tuple[Item, ...], passes: tuple[int, ...]
    ) -> Iterator[DeckSlide]:
        """Yield the slides of some members in order; `items` are those of the surrounding chapters, innermost first."""
        for member in members:
            yield from (
                self._of_group(member, items, passes)
                if isinstance(member, _Group)
                else self._of_slide(member, items, passes)
            )

    def _of_group(self, group: _Group, items: tuple[Item, ...], passes: tuple[int, ...]) -> Iterator[DeckSlide]:
        scope = replace(group.scope, items=items)
        for item in self._items(group.chapter.directive, scope, "the slides of its chapter are left out"):
            yield from self.of_all(group.members, (item, *items), (*passes, next(self._passes)))

    def _of_slide(
        self, requested: RequestedSlide, items: tuple[Item, ...], passes: tuple[int, ...]
    ) -> Iterator[DeckSlide]:
        index, slide, scope = requested
        around = replace(scope, items=items) if items else scope
        conditions = [directive for directive in slide.directives if not directive.type.repeats]
        for each in self.repeat(around, _repeats_of(slide)) if slide.directives else (around,):
            if not conditions or all(VisibleIf(condition).holds(each) for condition in conditions):
                entry = DeckSlide(index, each, _drop_shapes(slide, each), passes)
                # As nearly all slides, which need no more steps.
                yield from (entry,) if slide.continuing is None else self._continue(entry, slide)

    def _continue(self, entry: DeckSlide, slide: SlidePlan) -> Iterator[DeckSlide]:
        """Yield a slide, then its continuation slides. Contents continue only when all slides are known."""
        for number, part in enumerate([entry] if slide.lists_deck else divide(entry, slide)):
            if number:
                self._count(f"Slide {slide.name!r}, which continues,")
            yield part

    def repeat(self, scope: Scope, directives: Sequence[Directive]) -> Iterator[Scope]:
        """Yield the scopes for each item of the first directive's list, and within each for the next one's."""
        if not directives:
            yield scope
            return
        first, *others = directives
        for item in self._items(first, scope, "the slide is left out"):
            scope.calculation.step()
            yield from self.repeat(scope.within(item), others)

    def _items(self, directive: Directive, scope: Scope, effect: str) -> Iterator[Item]:
        """Yield the items that a directive repeats for; `effect` describes what happens without a value."""
        value = resolve(directive, scope)
        if value is ABSENT or value is None:
            report_missing(directive, _PLACE, scope, effect)
        elif is_true(value) and not is_list(value) and not is_object(value):
            raise bad_data(directive, _PLACE, scope, "it is not a list; a slide repeats for each item of a list.")
        for item in items_of(directive, value, scope):
            self._count(directive.source)
            yield item

    def _count(self, cause: str) -> None:
        self._met += 1
        if self._met > _MOST_SLIDES:
            raise DeckTooLarge(
                f"{cause} and the lists around it have more than {_MOST_SLIDES:,} items, which are more slides than "
                "a file can hold; send fewer."
            )


def divide(entry: DeckSlide, slide: SlidePlan) -> Iterator[DeckSlide]:
    """Yield a slide, then the slides on which its table or list continues."""
    continuing = slide.continuing
    if continuing is None or not continuing.within.isdisjoint(entry.dropped):
        yield entry
        return
    pushed = continuing.find_pushed(entry.scope)
    for part in continuing.divide(entry.scope, entry.dropped):
        if part.of == 1:
            # A scope has many members, and this one is not shared.
            entry.scope.slide_part = part
            yield entry
        else:
            dropped = entry.dropped if part.is_last else entry.dropped | pushed
            yield entry._replace(scope=replace(entry.scope, slide_part=part), dropped=dropped)


def explain_absence(requested: RequestedSlide) -> Absence:
    """Return the reason why `expand` yields nothing for a requested slide."""
    slide = requested.slide
    scope = replace(requested.scope, findings=[])
    repeats = [*(chapter.directive for chapter in slide.chapters), *_repeats_of(slide)]
    conditions = [directive for directive in slide.directives if not directive.type.repeats]
    items = list(_Expansion().repeat(scope, repeats))
    if not items:
        blamed, why = repeats, "has no items to repeat the slide for"
    else:
        blamed = [one for one in conditions if not any(VisibleIf(one).holds(item) for item in items)]
        # Each item may be left out by a different directive.
        blamed = blamed or conditions
        why = "leaves it out"
    sources = " or ".join(dict.fromkeys(directive.source for directive in blamed))
    path = data_path(blamed[0], items[0] if items else scope)
    return Absence(scope.position, path, f"On slide {slide.name!r}, {sources} {why}")


def _repeats_of(slide: SlidePlan) -> list[Directive]:
    return [directive for directive in slide.directives if directive.type.repeats]


def _drop_shapes(slide: SlidePlan, scope: Scope) -> frozenset[str]:
    """Return the shapes that the data drops; the condition of a shape inside a dropped one is not evaluated."""
    dropped: set[str] = set()
    for part in slide.parts:
        for rule in part.shape_rules:
            if not rule.within.isdisjoint(dropped) or not rule.condition.holds(scope):
                dropped.add(rule.slot)
    return frozenset(dropped)
