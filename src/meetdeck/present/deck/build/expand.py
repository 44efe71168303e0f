"""Expanding: the slides of a deck, repeated and left out as their directives say."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from meetdeck.present.deck.errors import Absence
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.language.values import ABSENT, is_list, is_object, is_true
from meetdeck.present.deck.program.conditions import Shown
from meetdeck.present.deck.program.nodes import items_of
from meetdeck.present.deck.program.scope import Scope, bad_data, data_path, report_missing, resolve
from meetdeck.present.deck.program.template import SlidePlan

_PLACE: Final = Place("", 0, "slide")


class DeckSlide(NamedTuple):
    """One slide of the deck: the template's slide and its scope.

    `dropped` are the shapes that its data drops.
    """

    slide_index: int
    scope: Scope
    dropped: frozenset[str]


def expand(slide_index: int, slide: SlidePlan, scope: Scope) -> Iterator[DeckSlide]:
    """Yield the deck's slides for one requested slide: one, none, or one for each item."""
    repeats = [directive for directive in slide.directives if directive.kind == "each"]
    conditions = [directive for directive in slide.directives if directive.kind != "each"]
    for each in _repeat(scope, repeats):
        if all(Shown(condition).holds(each) for condition in conditions):
            yield DeckSlide(slide_index, each, _drop_shapes(slide, each))


def explain_absence(slide: SlidePlan, scope: Scope) -> Absence:
    """Return the reason why `expand` yields nothing for a requested slide."""
    scope = replace(scope, findings=[])
    repeats = [directive for directive in slide.directives if directive.kind == "each"]
    items = list(_repeat(scope, repeats))
    if not items:
        blamed, why = repeats, "has no items to repeat the slide for"
    else:
        blamed = [one for one in slide.directives if one.kind != "each" and not any(Shown(one).holds(i) for i in items)]
        # Each item may be left out by another one.
        blamed = blamed or [one for one in slide.directives if one.kind != "each"]
        why = "leaves it out"
    sources = " or ".join(dict.fromkeys(directive.source for directive in blamed))
    path = data_path(blamed[0], items[0] if items else scope)
    return Absence(scope.position, path, f"On slide {slide.name!r}, {sources} {why}")


def _drop_shapes(slide: SlidePlan, scope: Scope) -> frozenset[str]:
    """Return the shapes that the data drops; the condition of a shape inside a dropped one is not evaluated."""
    dropped: set[str] = set()
    for part in slide.parts:
        for rule in part.shape_rules:
            if not rule.within.isdisjoint(dropped) or not rule.condition.holds(scope):
                dropped.add(rule.slot)
    return frozenset(dropped)


def _repeat(scope: Scope, directives: Sequence[Directive]) -> Iterator[Scope]:
    if not directives:
        yield scope
        return
    first, *others = directives
    value = resolve(first, scope)
    if value is ABSENT or value is None:
        report_missing(first, _PLACE, scope, "the slide is left out")
    elif is_true(value) and not is_list(value) and not is_object(value):
        raise bad_data(first, _PLACE, scope, "it is no list; a slide repeats for each item of a list.")
    for item in items_of(first, value, scope):
        yield from _repeat(scope.within(item), others)
