"""Compile one part: which of its bytes depend on the data or on the deck, and which never change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from meetdeck.present.deck.document import ACCEPTED_TYPES, PRESENTATION_TYPE
from meetdeck.present.deck.fill import AttributeHole, Place, Program, Range, Slot
from meetdeck.present.deck.findings import Finding, warning
from meetdeck.present.deck.links import (
    compile_address,
    mark_links,
    mark_zooms,
    moved_target,
    relationships_part,
    tagged_address,
    write_relationship,
    written_target,
)
from meetdeck.present.deck.marks import Marks
from meetdeck.present.deck.markup import P14, Element, P, local_name, query, remove
from meetdeck.present.deck.naming import split_part_name
from meetdeck.present.deck.package import Package, is_xml
from meetdeck.present.deck.packed import pack
from meetdeck.present.deck.paragraphs import paragraph_text, place_holes, tagged_paragraphs
from meetdeck.present.deck.plan import (
    ORPHAN,
    SLIDE_ID_SLOT,
    PartPlan,
    address_slot,
    creation_id_slot,
    part_slot,
    slide_slot,
)
from meetdeck.present.deck.presentation import (
    SLIDE_RELATIONSHIPS_SLOT,
    mark_presentation,
    mark_show_properties,
)
from meetdeck.present.deck.properties import mark_counts
from meetdeck.present.deck.relationships import NOT_CARRIED_OVER, SLIDE, Relationship
from meetdeck.present.deck.syntax import Problem, Tag, scan

_PRESENTATIONML: Final = "application/vnd.openxmlformats-officedocument.presentationml."
_VIEW_PROPERTIES: Final = _PRESENTATIONML + "viewProps+xml"
_SHOW_PROPERTIES: Final = _PRESENTATIONML + "presProps+xml"
_MODERN_COMMENTS: Final = "application/vnd.ms-powerpoint.comments+xml"
_EXTENDED_PROPERTIES: Final = "application/vnd.openxmlformats-officedocument.extended-properties+xml"
_CHART: Final = "application/vnd.openxmlformats-officedocument.drawingml.chart+xml"
_CHART_VALUES: Final = query("//*[local-name()='v'][contains(., '{{')]")
# Nobody reads more, and a hostile file could make millions.
_MOST_FINDINGS: Final = 1_000
_SHAPES: Final = ("{*}sp", "{*}graphicFrame", "{*}pic", "{*}cxnSp")


@dataclass(slots=True)
class Owner:
    """The slide that owns the part: its name and index, and its parts by name with their numbers, the slide 0."""

    slide: str
    index: int
    parts: Mapping[str, int]


@dataclass(slots=True)
class _Work:
    """One part under compilation."""

    name: str
    content_type: str
    owner: Owner | None
    marks: Marks
    addresses: list[tuple[str, Program]]
    creation_id: int | None = None
    identity_only: bool = True


class PartCompiler:
    """Compiles the parts of one template; what it notices goes to the package's findings, tags in order to `tags`."""

    def __init__(self, package: Package, slide_index: Mapping[str, int], slide_ids: Sequence[int]) -> None:
        self.tags: dict[str, None] = {}
        self._package = package
        self._slide_index = slide_index
        self._zoom_slots = {str(slide_id): slide_slot(index) for index, slide_id in enumerate(slide_ids)}

    def compile(self, name: str, owner: Owner | None = None, root: Element | None = None) -> PartPlan | None:
        """Return a part's plan; None, with findings, when it cannot be read. `root` saves parsing it again."""
        work = _Work(name, self._package.content_type(name), owner, Marks(), [])
        link_slots: dict[str, str] = {}
        relationships = self._compile_relationships(work, link_slots)
        if is_xml(work.content_type):
            root = self._package.parse(name) if root is None else root
            if root is None:
                return None
            self._mark(work, root, link_slots)
        elif self._package.read(name) is None:
            return None
        program = work.marks.cut(root) if work.marks and root is not None else ()
        packed_relationships = None
        if len(relationships) == 1 and isinstance(relationships[0], bytes):
            packed_relationships = pack(relationships[0])
        return PartPlan(
            name=split_part_name(name),
            override_type=self._override_type(work),
            packed=self._package.packed(name) if work.identity_only or not program else None,
            program=program,
            relationships=packed_relationships,
            relationships_program=relationships,
            addresses=tuple(work.addresses),
            creation_id=work.creation_id,
        )

    def _override_type(self, work: _Work) -> str:
        if work.content_type in ACCEPTED_TYPES:
            return PRESENTATION_TYPE
        return "" if self._package.is_default(work.name) else work.content_type

    def link_target(self, relationship: Relationship) -> int | None:
        """Return the index of the slide that a relationship leads to, `ORPHAN` for one outside of the slide list."""
        if relationship.external or relationship.target.startswith("#"):
            return None
        index = self._slide_index.get(relationship.part or "")
        return ORPHAN if index is None and relationship.type == SLIDE else index

    def _compile_relationships(self, work: _Work, link_slots: dict[str, str]) -> Program:
        relationships = [r for r in self._package.relationships(work.name) if r.type not in NOT_CARRIED_OVER]
        lists_slides = work.content_type in ACCEPTED_TYPES
        if lists_slides or work.content_type == _VIEW_PROPERTIES:
            relationships = [r for r in relationships if self.link_target(r) is None]
        programs = [self._compile_relationship(work, r, link_slots) for r in relationships]
        if lists_slides:
            programs.append((Slot(SLIDE_RELATIONSHIPS_SLOT),))
        return relationships_part(programs) if programs else ()

    def _compile_relationship(self, work: _Work, relationship: Relationship, link_slots: dict[str, str]) -> Program:
        slide = self.link_target(relationship)
        owner = work.owner
        if owner and slide == owner.index:
            return write_relationship(relationship, moved_target(relationship, part_slot(0)))
        if slide is not None:
            slot = link_slots[relationship.id] = slide_slot(slide)
            return (Range(slot, write_relationship(relationship, moved_target(relationship, slot))),)
        if owner and relationship.part and relationship.part in owner.parts:
            slot = part_slot(owner.parts[relationship.part])
            return write_relationship(relationship, moved_target(relationship, slot))
        address = tagged_address(relationship) if owner else None
        if address is not None and owner:
            return self._compile_address(work, owner, relationship, address, link_slots)
        return write_relationship(relationship, written_target(relationship))

    def _compile_address(
        self, work: _Work, owner: Owner, relationship: Relationship, address: str, link_slots: dict[str, str]
    ) -> Program:
        program, tags = compile_address(address, lambda place, problem: self._report(owner.slide, place, problem))
        if not tags:
            return write_relationship(relationship, written_target(relationship))
        self.tags.update(dict.fromkeys(tag.name for tag in tags))
        slot = link_slots[relationship.id] = address_slot(relationship.id)
        work.addresses.append((slot, program))
        return (Range(slot, write_relationship(relationship, (Slot(slot),))),)

    def _mark(self, work: _Work, root: Element, link_slots: Mapping[str, str]) -> None:
        mark_links(root, link_slots, work.marks)
        if work.owner is None:
            self._mark_fixed(work, root)
            work.identity_only = not work.marks
            return
        mark_zooms(root, self._zoom_slots, work.marks)
        self._mark_text(work, work.owner, root)
        work.identity_only = not work.marks
        self._mark_identity(work, work.owner, root)

    def _mark_fixed(self, work: _Work, root: Element) -> None:
        if work.content_type in ACCEPTED_TYPES:
            mark_presentation(root, work.marks)
        elif work.content_type == _EXTENDED_PROPERTIES:
            mark_counts(root, work.marks)
        elif work.content_type == _SHOW_PROPERTIES:
            mark_show_properties(root, work.marks)
        elif work.content_type == _VIEW_PROPERTIES:
            self._strip_view_properties(work, root)
        for paragraph in tagged_paragraphs(root):
            tags = [found.what.source for found in scan(paragraph_text(paragraph)) if isinstance(found.what, Tag)]
            if tags:
                message = f"{tags[0]} stands on a layout or master, where tags stay as they are; move it to the slides."
                shape = shape_name(paragraph)
                self._package.findings.append(
                    warning("tag-on-layout", message, part=work.name, shape=shape, tag=tags[0])
                )

    def _strip_view_properties(self, work: _Work, root: Element) -> None:
        """Forget which slides the author had open: their relationships would lead nowhere."""
        for slides in list(root.iter(P + "sldLst")):
            remove(slides)
            work.marks.changed()

    def _mark_text(self, work: _Work, owner: Owner, root: Element) -> None:
        kind = _part_kind(work.content_type)
        for paragraph, number in _numbered(tagged_paragraphs(root)):
            place = Place(shape_name(paragraph), number, kind)
            tags = place_holes(paragraph, place, work.marks, lambda at, problem: self._report(owner.slide, at, problem))
            self.tags.update(dict.fromkeys(tag.name for tag in tags))
        for element in root.iter("{*}cNvPr"):
            if "{{" in f"{element.get('descr')}{element.get('title')}":
                self._mark_description(work, owner, element)
        if work.content_type == _CHART and _CHART_VALUES(root):
            message = "A tag stands in the chart's data, where this version leaves it as it is."
            self._package.findings.append(warning("tag-in-chart-data", message, owner.slide, part=work.name))

    def _mark_description(self, work: _Work, owner: Owner, element: Element) -> None:
        place = Place(element.get("name", "") or "", 0, "alternative text")
        for attribute in ("descr", "title"):
            text = element.get(attribute, "") or ""
            pieces: list[str] = []
            position = 0
            for start, end, what in scan(text):
                if isinstance(what, Problem):
                    self._report(owner.slide, place, what)
                    continue
                pieces.append(text[position:start])
                position = end
                if isinstance(what, Tag):
                    self.tags[what.name] = None
                    pieces.append(work.marks.hole(AttributeHole(what, place)))
            text = "".join((*pieces, text[position:]))
            if attribute in element.attrib:
                element.set(attribute, text)

    def _mark_identity(self, work: _Work, owner: Owner, root: Element) -> None:
        """Give each copy its own creation id, and point the copy's comments at the copy."""
        number = owner.parts[work.name]
        for element in root.iter(P14 + "creationId"):
            value = element.get("val", "") or ""
            if value.isascii() and value.isdigit() and len(value) <= len(str(2**32)):
                work.creation_id = int(value)
                element.set("val", work.marks.hole(Slot(creation_id_slot(number))))
        if work.content_type == _MODERN_COMMENTS:
            for element in (e for e in root.iter() if local_name(e) == "sldMk"):
                element.set("sldId", work.marks.hole(Slot(SLIDE_ID_SLOT)))

    def _report(self, slide: str, place: Place, problem: Problem) -> None:
        if len(self._package.findings) >= _MOST_FINDINGS:
            return
        details: dict[str, str | int] = {"shape": place.shape, "paragraph": place.paragraph, "part": place.part}
        details |= {"tag": problem.source} | ({"suggestion": problem.suggestion} if problem.suggestion else {})
        self._package.findings.append(Finding(problem.severity, problem.code, problem.message, slide, details))


def shape_name(element: Element) -> str:
    """Return the name of the nearest shape around an element, empty outside of shapes."""
    for shape in element.iterancestors(*_SHAPES):
        for properties in shape.iterchildren("{*}nvSpPr", "{*}nvGraphicFramePr", "{*}nvPicPr", "{*}nvCxnSpPr"):
            for child in properties.iterchildren():
                return child.get("name", "") or ""
    return ""


def _numbered(paragraphs: Iterable[Element]) -> Iterator[tuple[Element, int]]:
    """Yield paragraphs, given in document order, with their number in their text body or cell, from 1."""
    body: Element | None = None
    numbers: dict[Element, int] = {}
    for paragraph in paragraphs:
        parent = paragraph.getparent()
        if parent is not None and parent is not body:
            body = parent
            numbers = {sibling: number for number, sibling in enumerate(parent.iterchildren(paragraph.tag), start=1)}
        yield paragraph, numbers[paragraph]


def _part_kind(content_type: str) -> str:
    """Return what people call the part: slide, notes, chart, diagram."""
    name = content_type.rpartition(".")[2].removesuffix("+xml")
    return {"notesSlide": "notes", "diagramData": "diagram", "drawing": "diagram"}.get(name, name)
