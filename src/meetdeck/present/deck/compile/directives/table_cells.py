"""The cells of a table whose rows come from the data: each is a program that is filled with the cell's value."""

from copy import deepcopy
from typing import Final, NamedTuple

from msgspec import structs

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.text.cell_paragraphs import keep_format
from meetdeck.present.deck.compile.text.proofing import mark_language
from meetdeck.present.deck.compile.text.stories import mark_stories
from meetdeck.present.deck.fields.uses import Use
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.language.constructs import BlockStart, Directive, Tag
from meetdeck.present.deck.opc.xml import A, Element, parse, remove, serialize_inside
from meetdeck.present.deck.presentation.geometry import read_cell_size
from meetdeck.present.deck.presentation.paragraphs import ParagraphText, paragraph_text, tagged_paragraphs
from meetdeck.present.deck.program.nodes import TextValue
from meetdeck.present.deck.program.tables.nodes import CellTemplate

_EMPTY_BODY: Final = f'<a:txBody xmlns:a="{A[1:-1]}"><a:bodyPr/><a:lstStyle/><a:p/></a:txBody>'.encode()
_EMPTY_RUN: Final = f'<a:r xmlns:a="{A[1:-1]}"><a:t/></a:r>'.encode()

# Their output must be of one kind.
_CHOOSY_FILTERS: Final = frozenset({"number", "percent", "currency", "date", "link"})


class CellCompiler(NamedTuple):
    """Compiles the cells of one table, which is in `frame`."""

    frame: Element
    table: Element
    directive: Directive
    place: Place
    context: PartContext

    def compile(self, cell: Element, column: int, *, in_header: bool) -> CellTemplate:
        """Return a cell's template: without merges and ids, with its tags, or else with its value as its text."""
        found = [
            found.construct for tagged in tagged_paragraphs(cell) for found in ParagraphText(tagged.element).scan()
        ]
        if found:
            self._mark_tags(cell, column, in_header=in_header)
        has_tags = any(map(_shows_text, found))
        text = "" if has_tags else "\n".join(map(paragraph_text, cell.iter(A + "p")))
        if not has_tags:
            self._put_value(cell)
        prefix = f"{self.table.prefix}:" if self.table.prefix else ""
        inside = b"".join(serialize_inside(child, self.table) for child in cell.iterchildren())
        program = self.context.markers.cut_bytes(f"<{prefix}tc>".encode() + inside + f"</{prefix}tc>".encode())
        return CellTemplate(program, has_tags, text)

    def _mark_tags(self, cell: Element, column: int, *, in_header: bool) -> None:
        """Mark the tags while the cell is detached, so that no block inside the cell repeats rows."""
        size = read_cell_size(cell)
        cell.tail = None
        self.frame.insert(0, cell)
        inside = self.context.with_own_uses(size)
        mark_stories(cell, inside)
        self.frame.remove(cell)
        for use in inside.usage().uses:
            if named := _name_column(use, column):
                blocks = named.blocks if in_header else (self.directive.name, *named.blocks)
                self.context.add_use(structs.replace(named, blocks=blocks))

    def _put_value(self, cell: Element) -> None:
        """Replace the cell's text by a tag for the item, in the format of its first run."""
        body = cell.find(A + "txBody")
        if body is None or body.find(A + "p") is None:
            cell.insert(0, parse(_EMPTY_BODY))
        paragraphs = list(cell.iter(A + "p"))
        paragraph = next((p for p in paragraphs if p.find(A + "r") is not None), paragraphs[0])
        run = paragraph.find(A + "r")
        if run is None:
            run = _add_run(paragraph)
        for other in paragraphs:
            if other is not paragraph:
                remove(other)
        for child in list(paragraph.iterchildren()):
            if child is not run and child.tag not in {A + "pPr", A + "endParaRPr"}:
                remove(child)
        keep_format(paragraph)
        carrier = run.find(A + "t")
        if carrier is not None:
            markers = self.context.markers
            item = Tag(self.directive.source, ".", ())
            carrier.text = markers.node(TextValue(item, self.place))
            mark_language(run, markers)


def _shows_text(construct: object) -> bool:
    """Return whether a construct replaces the cell's value: a picture does, a color does not."""
    return isinstance(construct, Tag | BlockStart) or (isinstance(construct, Directive) and construct.type.fills)


def _name_column(use: Use, column: int) -> Use | None:
    """Return a use, named by its column when it is the cell itself and not every value fits."""
    construct = use.expression
    if construct.path:
        return use
    is_choosy = isinstance(construct, Directive) or (
        isinstance(construct, Tag) and any(call.name in _CHOOSY_FILTERS for call in construct.filters)
    )
    if not is_choosy or use.blocks:
        return None
    return structs.replace(use, expression=structs.replace(construct, name=str(column), path=(str(column),)))


def _add_run(paragraph: Element) -> Element:
    """Add a run in the format that PowerPoint would give to text typed into the empty paragraph."""
    run = parse(_EMPTY_RUN)
    ending = paragraph.find(A + "endParaRPr")
    if ending is not None:
        properties = deepcopy(ending)
        properties.tag = A + "rPr"
        run.insert(0, properties)
    first = 0 if paragraph.find(A + "pPr") is None else 1
    paragraph.insert(first, run)
    return run
