"""Chapters: the slides from `{{chapter:goals}}` to `{{/goals}}`, which repeat together for each item of a list.

A chapter without an end reaches to the end of its section, or to the end of the chapter around it if that is nearer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from meetdeck.present.deck.findings import Finding, error
from meetdeck.present.deck.language.constructs import BlockEnd, Directive
from meetdeck.present.deck.program.slide_lists import SectionPlan
from meetdeck.present.deck.program.template import ChapterPlan

# Nobody nests chapters deeper.
_DEEPEST: Final = 20
_ANY: Final = frozenset({"", "chapter"})


class SlideMarks(NamedTuple):
    """The marks of chapters on one slide: the chapters that begin there, and the ends that it has.

    `repeats` is the number of lists that the slide repeats for beside its chapters.
    """

    slide: str
    begins: tuple[Directive, ...] = ()
    ends: tuple[BlockEnd, ...] = ()
    repeats: int = 0


@dataclass(slots=True, eq=False)
class _Chapter:
    """A chapter whose extent is being found; `last` is -1 until it is known."""

    directive: Directive
    slide: str
    first: int
    last: int = -1


def find_chapters(
    marks: Sequence[SlideMarks], sections: Iterable[SectionPlan], findings: list[Finding]
) -> list[tuple[ChapterPlan, ...]]:
    """Return the chapters around each slide, outermost first. Mistakes in them become findings."""
    section_ends = {index: max(section.slides) for section in sections for index in section.slides}
    chapters = _match(marks, findings)
    _end_with_sections(chapters, section_ends, findings)
    plans = [
        ChapterPlan(chapter.directive, chapter.first, chapter.last, number) for number, chapter in enumerate(chapters)
    ]
    around = [tuple(plan for plan in plans if plan.first <= index <= plan.last) for index in range(len(marks))]
    for slide, own in zip(marks, around, strict=True):
        if len(own) + slide.repeats > _DEEPEST:
            message = f"The slide repeats for more than {_DEEPEST} lists inside one another."
            findings.append(error("nested-too-deep", message, slide.slide))
    return around


def _match(marks: Sequence[SlideMarks], findings: list[Finding]) -> list[_Chapter]:
    """Return the chapters in the order of their starts, with the ends that the author set.

    The end of a chapter also ends the inner ones that have no end of their own.
    """
    chapters: list[_Chapter] = []
    opened: list[_Chapter] = []
    cut: list[_Chapter] = []
    for index, slide in enumerate(marks):
        begun = [_Chapter(directive, slide.slide, index) for directive in slide.begins]
        chapters += begun
        opened += begun
        for end in slide.ends:
            ended = next((one for one in reversed(opened) if end.name in {*_ANY, one.directive.name}), None)
            if ended is None:
                findings.append(_refuse_end(end, slide.slide, cut))
                continue
            inside = opened[opened.index(ended) :]
            cut += inside[1:]
            for chapter in inside:
                chapter.last = index
                opened.remove(chapter)
    return chapters


def _refuse_end(end: BlockEnd, slide: str, cut: Sequence[_Chapter]) -> Finding:
    """Return the finding about an end without a start; `cut` are the chapters that another chapter's end has ended."""
    crossed = next((one for one in cut if one.directive.name == end.name), None)
    if crossed is not None:
        message = (
            f"{end.source} ends the chapter {crossed.directive.source} after the end of the chapter around it. End "
            "inner chapters first, or on the same slide."
        )
        return error("crossed-chapters", message, slide, tag=end.source)
    name = "goals" if end.name in _ANY else end.name
    message = f"{end.source} ends a chapter that no slide before it began; write {{{{chapter:{name}}}}} on its first."
    return error("unopened-chapter", message, slide, tag=end.source)


def _end_with_sections(chapters: Iterable[_Chapter], section_ends: Mapping[int, int], findings: list[Finding]) -> None:
    """End the chapters that have no end of their own with their section, or with the surrounding chapter."""
    around: list[_Chapter] = []
    for chapter in chapters:
        around = [one for one in around if one.last >= chapter.first]
        if chapter.last < 0:
            ends = [one.last for one in around]
            ends += [section_ends[chapter.first]] if chapter.first in section_ends else []
            if not ends:
                findings.append(_refuse_start(chapter))
            chapter.last = min(ends, default=chapter.first)
        crossed = next((one for one in around if chapter.last > one.last), None)
        if crossed is not None:
            message = (
                f"The chapter {chapter.directive.source} begins inside of {crossed.directive.source} and continues "
                f"after its end. End it there, or let {crossed.directive.source} go on."
            )
            findings.append(error("crossed-chapters", message, chapter.slide, tag=chapter.directive.source))
        around.append(chapter)


def _refuse_start(chapter: _Chapter) -> Finding:
    end = f"{{{{/{chapter.directive.name}}}}}"
    message = (
        f"The chapter {chapter.directive.source} is not ended, and its slide is in no section. Write {end} into the "
        "alternative text of the title of its last slide, or make its slides a section."
    )
    source = chapter.directive.source
    return error("unclosed-chapter", message, chapter.slide, tag=source, suggestion=end)
