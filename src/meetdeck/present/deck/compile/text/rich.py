"""Values that bring runs and paragraphs of their own: `{{text | markdown}}`, `{{url | link:"Read more"}}`, `goto`."""

from difflib import get_close_matches
from typing import Final

from msgspec import structs

from meetdeck.present.deck.compile.content_types import LAYOUTS_AND_MASTERS, SLIDE
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.text.bullets import inherited_bullets
from meetdeck.present.deck.compile.text.formats import read_paragraph_format, read_run_format, slide_link
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import Tag, TagFinding
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.scope import Node
from meetdeck.present.deck.program.text.rich import LinkNode, MarkdownNode, ParagraphsNode, SlideLinkNode

_LINKING: Final = LAYOUTS_AND_MASTERS | {SLIDE}


def links_to_slides(context: PartContext) -> bool:
    """Return whether the texts of a part may link to slides: not those of notes, charts and diagrams."""
    return context.part.content_type in _LINKING


def _find_target(tag: Tag, place: Place, context: PartContext) -> int | None:
    """Return the index of the slide that a `goto` names, None when it names none; report an unknown name."""
    name = tag.filters[-1].argument
    if not name:
        return None
    names = context.template.slide_index
    if name not in names:
        nearest = get_close_matches(name, names, 1, cutoff=0.5)
        hint = f"Did you mean {nearest[0]!r}?" if nearest else "`meetdeck template check` lists the slides' names."
        message = f"{tag.source} leads to a slide {name!r}, which the template does not have. {hint}"
        suggestion = tag.source.replace(name, nearest[0]) if nearest else ""
        context.report(place, TagFinding("Error", "unknown-slide", message, tag.source, suggestion))
    return names.get(name)


def make_rich_node(
    tag: Tag, place: Place, run: Element, paragraph: Element, context: PartContext, *, stands_alone: bool
) -> Node:
    """Return the node for a tag whose last filter is `link`, `goto` or `markdown`, to be put between runs.

    `run` is the run or field that holds the tag. A tag that `stands_alone` replaces its whole paragraph.
    """
    last = tag.filters[-1]
    value = structs.replace(tag, filters=tag.filters[:-1])
    run_format = read_run_format(run, paragraph, context.markers)
    if last.name == "link":
        return LinkNode(value, place, last.argument, run_format)
    if last.name == "goto":
        jump = structs.replace(run_format, new_link=slide_link(run_format.prefix, paragraph))
        return SlideLinkNode(value, place, _find_target(tag, place, context), jump)
    if not stands_alone:
        return MarkdownNode(value, place, run_format)
    paragraph_format = read_paragraph_format(paragraph, context.markers, inherited_bullets(paragraph, context))
    markers = context.markers.cut_bytes((paragraph.text or "").encode())
    start = tuple(node for node in markers if not isinstance(node, bytes))
    return ParagraphsNode(value, place, run_format, paragraph_format, start)
