"""Names of sections, which may hold tags."""

from collections.abc import Sequence

from msgspec import structs

from meetdeck.present.deck.compile.context import PartContext, TemplateContext
from meetdeck.present.deck.compile.part_graph import Part
from meetdeck.present.deck.compile.text.stories import mark_plain
from meetdeck.present.deck.fields.uses import Usage
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.program.slide_lists import SectionPlan
from meetdeck.present.deck.program.template import ChapterPlan, SlidePlan


def compile_section(
    section: SectionPlan, presentation: str, template: TemplateContext, slides: Sequence[SlidePlan]
) -> tuple[SectionPlan, Usage]:
    """Return a section with its name compiled, and its uses of the data; `presentation` is its part.

    A section whose name has tags repeats with the chapters around all of its slides.
    """
    context = PartContext(template, Part(presentation, "", "section name"), "")
    text = mark_plain(section.name, Place("", 0, context.part.kind), context)
    title = context.markers.cut_bytes(escape_attribute(text).encode())
    usage = context.usage()
    if not usage.uses:
        return section._replace(title=title), usage
    chapters = _chapters_around([slides[index] for index in section.slides])
    around = tuple(chapter.directive.item_name for chapter in chapters)
    uses = tuple(structs.replace(use, blocks=around + use.blocks) for use in usage.uses)
    return section._replace(title=title, depth=len(chapters)), usage._replace(uses=uses)


def _chapters_around(slides: Sequence[SlidePlan]) -> list[ChapterPlan]:
    """Return the chapters that contain all of some slides, outermost first."""
    first = slides[0].chapters if slides else ()
    return [chapter for chapter in first if all(chapter in slide.chapters for slide in slides)]
