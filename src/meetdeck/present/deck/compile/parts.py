"""Compiling one part: its bytes are divided into those that never change, and nodes that depend on data or deck."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from meetdeck.present.deck.compile.animations import find_animated, mark_animations
from meetdeck.present.deck.compile.charts.chart import mark_chart, workbook_id
from meetdeck.present.deck.compile.charts.workbook import compile_tagged_workbook
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.alternative_texts import (
    mark_alternative_texts,
    mark_shared_alternative_texts,
)
from meetdeck.present.deck.compile.directives.slides import take_notes_directives, take_slide_names
from meetdeck.present.deck.compile.fitting import mark_fitting
from meetdeck.present.deck.compile.identity import mark_comments, mark_slide_reference
from meetdeck.present.deck.compile.links import find_zooms, mark_links, mark_tagged_links, mark_zooms, tagged_address
from meetdeck.present.deck.compile.owner import Owner
from meetdeck.present.deck.compile.proofing import mark_document_language
from meetdeck.present.deck.compile.properties import mark_counts
from meetdeck.present.deck.compile.slide_lists import mark_presentation, mark_show_properties
from meetdeck.present.deck.compile.text.stories import mark_plain, mark_stories, note_foreign, shape_name
from meetdeck.present.deck.compile.timing import mark_shape_references
from meetdeck.present.deck.fields.uses import Level, Use
from meetdeck.present.deck.findings import Place, info
from meetdeck.present.deck.fitting.inheritance import Inheritance
from meetdeck.present.deck.language.syntax import holds_tags
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.opc.package import Package, is_office_xml
from meetdeck.present.deck.opc.packed import Packed, pack
from meetdeck.present.deck.opc.part_names import split_part_name
from meetdeck.present.deck.opc.relationships import NOT_CARRIED_OVER, SLIDE, Relationship, highest_id
from meetdeck.present.deck.opc.xml import P14, Element, P, query, remove
from meetdeck.present.deck.presentation.document import ACCEPTED_TYPES, PRESENTATION_TYPE
from meetdeck.present.deck.program.conditions import ShapeRule
from meetdeck.present.deck.program.nodes import Droppable, Slot
from meetdeck.present.deck.program.relationships import (
    moved_target,
    relationships_part,
    write_relationship,
    written_target,
)
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.slide_lists import SectionPlan
from meetdeck.present.deck.program.slots import (
    ORPHAN,
    SLIDE_RELATIONSHIPS_SLOT,
    creation_id_slot,
    part_slot,
    slide_slot,
)
from meetdeck.present.deck.program.template import PartPlan, SlideSize

_PRESENTATIONML: Final = "application/vnd.openxmlformats-officedocument.presentationml."
_SLIDE_TYPE: Final = _PRESENTATIONML + "slide+xml"
_SHARED_LOOKS: Final = frozenset({_PRESENTATIONML + "slideLayout+xml", _PRESENTATIONML + "slideMaster+xml"})
_NOTES_TYPE: Final = _PRESENTATIONML + "notesSlide+xml"
_VIEW_PROPERTIES: Final = _PRESENTATIONML + "viewProps+xml"
_SHOW_PROPERTIES: Final = _PRESENTATIONML + "presProps+xml"
_MODERN_COMMENTS: Final = "application/vnd.ms-powerpoint.comments+xml"
_EXTENDED_PROPERTIES: Final = "application/vnd.openxmlformats-officedocument.extended-properties+xml"
_CORE_PROPERTIES: Final = "application/vnd.openxmlformats-package.core-properties+xml"
_WORKBOOK: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
# What other programs keep in the file and alone understand, with braces that may be no tags of ours.
_FOREIGN_DATA: Final = frozenset({"application/xml", _PRESENTATIONML + "tags+xml"})
_KINDS: Final = {
    "main": "presentation",
    "notesSlide": "notes",
    "diagramData": "diagram",
    "drawing": "diagram",
    "slideLayout": "layout",
    "slideMaster": "master",
    "notesMaster": "notes master",
    "handoutMaster": "handout master",
    "core-properties": "document properties",
    "custom-properties": "document properties",
    "extended-properties": "document properties",
}
# Text without format: names in a chart's data, legacy comments, document properties, what stands for a formula.
_PLAIN_TEXTS: Final = query(
    "//text()[contains(., '{{') or contains(., '[tag:')]/parent::*[not(self::a:t/parent::*/parent::a:p) and not(*)]"
)
# Names of slides, shapes and custom shows; what a hyperlink says when the mouse is over it.
_TEXT_ATTRIBUTES: Final = ("name", "tooltip")
# Looked for by name: searching all attributes of a part takes twenty times as long.
_NAMED: Final = tuple(
    "{*}" + name for name in ("cNvPr", "cSld", "custShow", "hlinkClick", "hlinkHover", "hlinkMouseOver")
)


@dataclass(slots=True)
class _Work:
    """One part under compilation."""

    name: str
    content_type: str
    owner: Owner | None
    context: PartContext
    relationships: tuple[Relationship, ...]
    creation_id: int | None = None
    identity_only: bool = True


class PartCompiler:
    """Compiles the parts of one template.

    What it notices goes to the package's findings, tags in order to `uses`, what blocks repeat to `levels`. Links lead
    to slides by part name (`slide_index`), zooms to slots by slide or section id.
    """

    def __init__(
        self,
        package: Package,
        slide_index: Mapping[str, int],
        zoom_slots: Mapping[str, str],
        slide_size: SlideSize,
    ) -> None:
        self.uses: list[Use] = []
        self.levels: dict[str, Level] = {}
        self.used_names: set[str] = set()
        self.package = package
        self._slide_index = slide_index
        self._zoom_slots = zoom_slots
        self._slide_size = slide_size
        self._inheritance = Inheritance(package)
        self._packed: dict[bytes, Packed] = {}

    def compile(self, name: str, owner: Owner | None = None, root: Element | None = None) -> PartPlan | None:
        """Return a part's plan; None, with findings, when it cannot be read. `root` saves parsing it again."""
        work = self._begin(name, owner)
        if owner and name in owner.workbooks:
            work.identity_only = False
            program = owner.workbooks[name]
        elif root is not None or is_office_xml(work.content_type):
            program = self._compile_xml(work, root)
        else:
            program = self._compile_binary(work)
        if program is None:
            return None
        self.uses += work.context.uses
        self.levels |= work.context.levels
        self.used_names |= work.context.used_names
        relationships = self._write_relationships(work)
        fixed = relationships[0] if len(relationships) == 1 and isinstance(relationships[0], bytes) else None
        return PartPlan(
            name=split_part_name(name),
            override_type=self._override_type(work),
            packed=self.package.packed(name) if work.identity_only or not program else None,
            program=program,
            relationships=self._pack_once(fixed) if fixed else None,
            relationships_program=relationships,
            highest_relationship=highest_id(work.relationships),
            creation_id=work.creation_id,
            shape_rules=tuple(work.context.shape_rules),
            guard=owner.guards.get(name, frozenset()) if owner else frozenset(),
        )

    def _pack_once(self, relationships: bytes) -> Packed:
        """Pack a relationships part; most slides have the same."""
        packed = self._packed.get(relationships)
        if packed is None:
            packed = self._packed[relationships] = pack(relationships)
        return packed

    def compile_section(self, part: str, section: SectionPlan) -> SectionPlan:
        """Return a section with its name made ready to be filled."""
        context = PartContext(self.package, part, "section name", "")
        text = mark_plain(section.name, Place("", 0, context.kind), context)
        self.uses += context.uses
        self.used_names |= context.used_names
        return section._replace(title=context.markers.cut_bytes(escape_attribute(text).encode()))

    def _compile_xml(self, work: _Work, root: Element | None) -> Program | None:
        """Return the program of a part, empty when all of its bytes stay; None when it cannot be read."""
        root = self.package.parse(work.name) if root is None else root
        if root is None:
            return None
        self._mark(work, root)
        return work.context.markers.cut(root) if work.context.markers else ()

    def _compile_binary(self, work: _Work) -> Program | None:
        data = self.package.read(work.name)
        if data is None:
            return None
        program = compile_tagged_workbook(data, work.context) if work.owner and work.content_type == _WORKBOOK else None
        work.identity_only = program is None
        return program or ()

    def _begin(self, name: str, owner: Owner | None) -> _Work:
        content_type = self.package.content_type(name)
        context = PartContext(self.package, name, _part_kind(content_type), owner.slide if owner else "")
        relationships = [r for r in self.package.relationships(name) if r.type not in NOT_CARRIED_OVER]
        if content_type in ACCEPTED_TYPES or content_type == _VIEW_PROPERTIES:
            relationships = [r for r in relationships if self.link_target(r) is None]
        if owner and owner.parts.get(name) == 0:
            relationships = [r for r in relationships if r.id not in owner.replaced]
        return _Work(name, content_type, owner, context, tuple(relationships))

    def _override_type(self, work: _Work) -> str:
        if work.content_type in ACCEPTED_TYPES:
            return PRESENTATION_TYPE
        return "" if self.package.is_default(work.name) else work.content_type

    def link_target(self, relationship: Relationship) -> int | None:
        """Return the index of the slide that a relationship leads to, `ORPHAN` for one outside of the slide list."""
        if relationship.external or relationship.target.startswith("#"):
            return None
        index = self._slide_index.get(relationship.part or "")
        return ORPHAN if index is None and relationship.type == SLIDE else index

    def _write_relationships(self, work: _Work) -> Program:
        programs = [self._write_relationship(work, relationship) for relationship in work.relationships]
        if work.content_type in ACCEPTED_TYPES:
            programs.append((Slot(SLIDE_RELATIONSHIPS_SLOT),))
        return relationships_part(programs) if programs else ()

    def _write_relationship(self, work: _Work, relationship: Relationship) -> Program:
        slide = self.link_target(relationship)
        owner = work.owner
        if owner and slide == owner.index:
            return write_relationship(relationship, moved_target(relationship, part_slot(0)))
        if slide is not None:
            slot = slide_slot(slide)
            return (Droppable(slot, write_relationship(relationship, moved_target(relationship, slot))),)
        if tagged_address(relationship) is not None:
            # Each place that uses it makes one of its own, filled in.
            return ()
        if owner and relationship.part and relationship.part in owner.parts:
            slot = part_slot(owner.parts[relationship.part])
            program = write_relationship(relationship, moved_target(relationship, slot))
        else:
            program = write_relationship(relationship, written_target(relationship))
        for slot in sorted(guards_of(relationship.id, work.context.shape_rules)):
            program = (Droppable(slot, program),)
        return program

    def _mark(self, work: _Work, root: Element) -> None:
        context, owner = work.context, work.owner
        targets = ((relationship.id, self.link_target(relationship)) for relationship in work.relationships)
        link_slots = {identifier: slide_slot(slide) for identifier, slide in targets if slide is not None}
        if owner:
            link_slots = {
                identifier: slot for identifier, slot in link_slots.items() if slot != slide_slot(owner.index)
            }
        mark_links(root, link_slots, context.markers)
        mark_tagged_links(root, work.relationships, context)
        if owner is None:
            self._mark_fixed(work, root)
            work.identity_only = not context.markers
            if work.content_type == _CORE_PROPERTIES:
                mark_document_language(root, context.markers)
            return
        mark_zooms(root, self._zoom_slots, context.markers)
        self._mark_owned(work, owner, root)
        work.identity_only = not context.markers
        self._mark_identity(work, owner, root)

    def _mark_owned(self, work: _Work, owner: Owner, root: Element) -> None:
        context, animated = work.context, None
        if work.content_type == _NOTES_TYPE:
            take_notes_directives(root, context)
            if work.name in self.package.tagged:
                take_slide_names(root, context)
        if work.name in self.package.tagged:
            mark_alternative_texts(root, context)
            animated = find_animated(root, context)
        if work.name in owner.charts:
            self._mark_chart(work, owner, root)
        self._mark_text(work, root)
        if work.content_type == _SLIDE_TYPE:
            self._mark_fitting(work, root)
        mark_shape_references(root, context.shape_rules, context.markers)
        if animated:
            mark_animations(root, animated, context)
        owner.directives += context.slide_directives
        by_id = {relationship.id: relationship.part or "" for relationship in work.relationships}
        owner.charts |= {by_id.get(identifier, ""): about for identifier, about in context.charts.items()}

    def _mark_text(self, work: _Work, root: Element) -> None:
        context = work.context
        if work.owner and work.name in self.package.foreign:
            note_foreign(root, context)
        if work.name not in self.package.tagged or work.content_type in _FOREIGN_DATA:
            return
        if mark_stories(root, context) == self.package.tagged[work.name]:
            # All that there is: the usual case. Searching for more takes longer than the rest.
            return
        for element in _PLAIN_TEXTS(root):
            place = Place(shape_name(element), 0, context.kind)
            element.text = mark_plain(element.text or "", place, context)
        # Last, since names tell where a tag stands.
        for element in root.iter(*_NAMED):
            for attribute in _TEXT_ATTRIBUTES:
                text = element.get(attribute, "") or ""
                if holds_tags(text):
                    place = Place(shape_name(element), 0, context.kind)
                    element.set(attribute, mark_plain(text, place, context))

    def _mark_fixed(self, work: _Work, root: Element) -> None:
        """Mark a part that all slides share: tags in it are filled once, with the data of the deck's first slide."""
        markers = work.context.markers
        if work.content_type in ACCEPTED_TYPES:
            mark_presentation(root, markers)
        elif work.content_type == _EXTENDED_PROPERTIES:
            mark_counts(root, markers)
        elif work.content_type == _SHOW_PROPERTIES:
            mark_show_properties(root, markers)
        elif work.content_type == _VIEW_PROPERTIES:
            self._strip_view_properties(work, root)
        if work.name in self.package.tagged:
            mark_shared_alternative_texts(root, work.context)
        self._mark_text(work, root)
        if work.content_type in _SHARED_LOOKS:
            self._mark_fitting(work, root)
        for use in work.context.uses:
            message = (
                f"{use.expression.source} stands on the {work.context.kind}, which all slides share: it is filled "
                "once, with the data of the deck's first slide."
            )
            details = {"part": work.name, "shape": use.place.shape, "tag": use.expression.source}
            self.package.findings.append(info("tag-on-layout", message, **details))

    def _mark_fitting(self, work: _Work, root: Element) -> None:
        mark_fitting(root, work.context, self._inheritance, self._slide_size)

    def _strip_view_properties(self, work: _Work, root: Element) -> None:
        """Remove the slides that the author had open: their relationships would lead nowhere."""
        for slides in list(root.iter(P + "sldLst")):
            remove(slides)
            work.context.markers.changed()

    def _mark_chart(self, work: _Work, owner: Owner, root: Element) -> None:
        directive, place = owner.charts[work.name]
        identifier = workbook_id(root)
        part = next((r.part for r in work.relationships if r.id == identifier), None)
        program = mark_chart(root, directive, place, work.context, self.package.read(part) if part else None)
        if part:
            owner.workbooks[part] = program
            if program is None:
                work.relationships = tuple(r for r in work.relationships if r.id != identifier)

    def _mark_identity(self, work: _Work, owner: Owner, root: Element) -> None:
        """Mark the creation id and the comments, which are each copy's own."""
        number, markers = owner.parts[work.name], work.context.markers
        for element in root.iter(P14 + "creationId"):
            value = element.get("val", "") or ""
            if value.isascii() and value.isdigit() and len(value) <= len(str(2**32)):
                work.creation_id = int(value)
                owner.creation_id = value if number == 0 else owner.creation_id
                element.set("val", markers.node(Slot(creation_id_slot(number))))
        for zoom in find_zooms(root, owner.slide_id):
            mark_slide_reference(zoom, owner, markers)
        if work.content_type == _MODERN_COMMENTS:
            mark_comments(root, owner, markers)


def guards_of(relationship_id: str, rules: Iterable[ShapeRule]) -> frozenset[str]:
    """Return the slots of the shapes without which a relationship is not needed."""
    return frozenset(rule.slot for rule in rules if relationship_id in rule.relationships)


def _part_kind(content_type: str) -> str:
    """Return what people call the part: slide, notes, chart, layout."""
    name = content_type.rpartition(".")[2].removesuffix("+xml")
    return _KINDS.get(name, name)
