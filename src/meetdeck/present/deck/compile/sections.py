"""Names of sections, which may hold tags."""

from meetdeck.present.deck.compile.context import PartContext, TemplateContext
from meetdeck.present.deck.compile.part_graph import Part
from meetdeck.present.deck.compile.text.stories import mark_plain
from meetdeck.present.deck.fields.uses import Usage
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.program.slide_lists import SectionPlan


def compile_section(section: SectionPlan, presentation: str, template: TemplateContext) -> tuple[SectionPlan, Usage]:
    """Return a section with its name made ready to be filled, and its uses; `presentation` is the part it stands in."""
    context = PartContext(template, Part(presentation, "", "section name"), "")
    text = mark_plain(section.name, Place("", 0, context.part.kind), context)
    return section._replace(title=context.markers.cut_bytes(escape_attribute(text).encode())), context.usage()
