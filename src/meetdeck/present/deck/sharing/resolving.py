"""Finds the slide that a reference leads to, through slides that are references themselves."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple

from meetdeck.present.deck.language.shared_slides import SlideReference
from meetdeck.present.deck.program.template import Template

# Longer chains of references are hard to follow even for their authors.
DEEPEST: Final = 8
_MOST_SUGGESTIONS: Final = 3


class TemplateFile(NamedTuple):
    """A template's file, and the template that it was compiled to."""

    content: bytes
    template: Template


class FoundSlide(NamedTuple):
    """A slide of a template, by its index there."""

    template: str
    slide_index: int


class UnresolvedReference(NamedTuple):
    """The reason why a reference leads nowhere; `code` is that of the finding."""

    code: str
    reason: str


def resolve(reference: SlideReference, templates: Mapping[str, TemplateFile]) -> FoundSlide | UnresolvedReference:
    """Return the slide that a reference leads to."""
    passed: list[SlideReference] = []
    current = reference
    while len(passed) < DEEPEST:
        passed.append(current)
        file = templates.get(current.template)
        if file is None:
            near = suggest(current.template, list(templates))
            return UnresolvedReference("shared-slide-missing", f"there is no template {current.template!r}{near}")
        index = file.template.plan.slide_index.get(current.slide)
        if index is None:
            near = suggest(current.slide, [slide.name for slide in file.template.slides])
            return UnresolvedReference(
                "shared-slide-missing", f"the template {current.template!r} has no slide {current.slide!r}{near}"
            )
        following = file.template.plan.slides[index].reference
        if following is None:
            return FoundSlide(current.template, index)
        current = following
        if any((one.slide, one.template) == (current.slide, current.template) for one in passed):
            way = " → ".join(f"{one.slide!r} of {one.template!r}" for one in (*passed, current))
            return UnresolvedReference("shared-slide-circle", f"the slides refer to each other in a circle: {way}")
    return UnresolvedReference("shared-slide-circle", f"more than {DEEPEST} slides refer to one another in a row")


def suggest(name: str, existing: list[str]) -> str:
    """Return a question about the names that a wrong one may mean, empty without any."""
    near = get_close_matches(name, existing, _MOST_SUGGESTIONS, cutoff=0.5)
    return f"; did you mean {' or '.join(repr(one) for one in near)}" if near else ""
