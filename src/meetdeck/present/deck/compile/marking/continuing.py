"""Mark the table or text of a slide that continues on further slides (`continue`), and number the slide's title."""

from collections.abc import Iterator

from msgspec.structs import replace

from meetdeck.present.deck.compile.content_types import SLIDE
from meetdeck.present.deck.compile.context import ContinuationRequest, PartContext
from meetdeck.present.deck.compile.directives.slides import is_title
from meetdeck.present.deck.fitting.nodes import MeasuredText
from meetdeck.present.deck.fitting.styles import read_number
from meetdeck.present.deck.fitting.table_nodes import MeasuredTable
from meetdeck.present.deck.language.constructs import TagFinding
from meetdeck.present.deck.opc.xml import A, Element, P
from meetdeck.present.deck.program.continuing import ContinuingStory, FirstNumber, LastRow, PartNumber
from meetdeck.present.deck.program.nodes import Droppable
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.tables.nodes import FilledTable


def mark_continuing(root: Element, context: PartContext) -> Element | None:
    """Return the text body or table that continues, and mark the title of its slide to be numbered.

    Any other request to continue is reported.
    """
    found: ContinuationRequest | None = None
    for continuing in context.list_continuing():
        if found is not None:
            _refuse(
                continuing,
                f"{found.construct.source} already does: only one table or list on a slide can continue",
                context,
            )
        elif why := _find_obstacle(continuing, context):
            _refuse(continuing, why, context)
        else:
            found = continuing
    if found is None:
        return None
    if found.construct.continuation and found.construct.continuation.numbered:
        _number_title(root, found, context)
    if found.story is not None:
        _mark_attributes(found.story, context)
    return found.story


def refuse_unmeasured(context: PartContext) -> None:
    """Report that a table or text cannot continue, because its available room is unknown."""
    for continuing in context.list_continuing()[:1]:
        _refuse(continuing, "how much fits is not known for turned or stacked text, nor inside a group", context)


def _refuse(continuing: ContinuationRequest, why: str, context: PartContext) -> None:
    message = f"{continuing.construct.source} cannot continue on further slides: {why}."
    context.report(continuing.place, TagFinding("Error", "cannot-continue", message, continuing.construct.source))


def _find_obstacle(continuing: ContinuationRequest, context: PartContext) -> str:
    if context.part.content_type != SLIDE:
        return "it is not in a text or table on a slide"
    story = continuing.story
    if story is None:
        return "it repeats words, or is inside another block; let it repeat rows or paragraphs, outside all others"
    if story.tag != A + "tbl" and _parent_tag(story) != P + "sp":
        return "it repeats paragraphs in a cell; let it repeat rows, or move it into a text box"
    return ""


def _mark_attributes(story: Element, context: PartContext) -> None:
    """Mark what differs between the slides: where numbering begins, and whether the last row is a total."""
    for bullet in story.iter(A + "buAutoNum"):
        own = read_number(bullet.get("startAt")) or 1
        bullet.set("startAt", context.markers.attribute(FirstNumber(round(own), "startAt" in bullet.attrib)))
    properties = story.find(A + "tblPr")
    if properties is not None and "lastRow" in properties.attrib:
        own = properties.get("lastRow", "") or ""
        properties.set("lastRow", context.markers.attribute(LastRow(own)))


def _parent_tag(element: Element) -> str:
    parent = element.getparent()
    return parent.tag if parent is not None else ""


def _number_title(root: Element, continuing: ContinuationRequest, context: PartContext) -> None:
    title = next((shape for shape in root.iter(P + "sp") if is_title(shape)), None)
    carriers = [] if title is None else title.findall(f"{P}txBody/{A}p/{A}r/{A}t")
    if carriers:
        carriers[-1].text = (carriers[-1].text or "") + context.markers.node(PartNumber())
        return
    message = f"{continuing.construct.source} numbers the slide's title, but the slide has none: add one."
    context.report(continuing.place, TagFinding("Warning", "missing-target", message, continuing.construct.source))


def find_continuing(program: Program) -> ContinuingStory | None:
    """Return the continuing table or text in a slide's program."""
    return next(_walk(program, frozenset()), None)


def _walk(program: Program, within: frozenset[str]) -> Iterator[ContinuingStory]:
    for node in program:
        if isinstance(node, MeasuredText | MeasuredTable) and node.continues:
            yield ContinuingStory(node, node.body, within, node.pushed.slots if node.pushed else frozenset())
        elif isinstance(node, FilledTable):
            yield from (replace(found, program=(node,)) for found in _walk(node.body, within))
        elif isinstance(body := getattr(node, "body", None), tuple):
            yield from _walk(body, within | {node.name} if isinstance(node, Droppable) else within)  # pyright: ignore[reportUnknownArgumentType] - a node's body is a program
