"""Values that bring runs and paragraphs of their own: `{{text | markdown}}` and `{{url | link:"Read more"}}`."""

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.text.bullets import inherited_bullets
from meetdeck.present.deck.compile.text.formats import read_paragraph_format, read_run_format
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.syntax import Tag
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.scope import Node
from meetdeck.present.deck.program.text.rich import LinkNode, MarkdownNode, ParagraphsNode


def make_rich_node(
    tag: Tag, place: Place, run: Element, paragraph: Element, context: PartContext, *, stands_alone: bool
) -> Node:
    """Return the node for a tag whose last filter is `link` or `markdown`, to be put between runs.

    `run` is the run or field that holds the tag. One that `stands_alone` is put in the place of its whole paragraph.
    """
    last = tag.filters[-1]
    value = tag._replace(filters=tag.filters[:-1])
    run_format = read_run_format(run, paragraph, context.markers)
    if last.name == "link":
        return LinkNode(value, place, last.argument, run_format)
    if not stands_alone:
        return MarkdownNode(value, place, run_format)
    paragraph_format = read_paragraph_format(paragraph, context.markers, inherited_bullets(paragraph, context))
    markers = context.markers.cut_bytes((paragraph.text or "").encode())
    start = tuple(node for node in markers if not isinstance(node, bytes))
    return ParagraphsNode(value, place, run_format, paragraph_format, start)
