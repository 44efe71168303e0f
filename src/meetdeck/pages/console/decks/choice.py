"""The chosen slides of a deck, and their order. Pure."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from meetdeck.pages.console.slide_templates.listing import Slide


class SlideChoice(NamedTuple):
    """Slides in the order of the deck, and the names of the chosen ones."""

    slides: tuple[Slide, ...]
    chosen: frozenset[str]

    @property
    def sections(self) -> list[str]:
        """Return the names of the sections, in their order."""
        return list(dict.fromkeys(slide.section for slide in self.slides if slide.section))

    def act(self, action: str) -> "SlideChoice":
        """Return the choice after a button: `all`, `none`, `all:Section`, `none:Section`, `up:Slide`, `down:Slide`."""
        verb, _, name = action.partition(":")
        if verb in {"all", "none"}:
            meant = {slide.name for slide in self.slides if not name or slide.section == name}
            return self._replace(chosen=self.chosen | meant if verb == "all" else self.chosen - meant)
        if verb in {"up", "down"}:
            return self._replace(slides=_move(self.slides, name, -1 if verb == "up" else 1))
        return self


def _move(slides: tuple[Slide, ...], name: str, by: int) -> tuple[Slide, ...]:
    order = list(slides)
    place = next((place for place, slide in enumerate(order) if slide.name == name), None)
    if place is not None and 0 <= place + by < len(order):
        order.insert(place + by, order.pop(place))
    return tuple(order)


def read_choice(slides: Sequence[Slide], order: Sequence[str], chosen: Collection[str] | None) -> SlideChoice:
    """Return the choice that was sent: slides that it does not name come last; None chosen: all of them."""
    places = {name: place for place, name in enumerate(order)}
    in_order = sorted(slides, key=lambda slide: places.get(slide.name, len(places) + slide.index))
    names = frozenset(slide.name for slide in slides)
    return SlideChoice(tuple(in_order), names if chosen is None else names & frozenset(chosen))
