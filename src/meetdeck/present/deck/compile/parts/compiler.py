"""Compiling one part: its bytes are divided into those that never change, and nodes that depend on data or deck.

Each part takes the same steps: it is read with its relationships; what depends on data or deck is marked (`own_parts`,
`fixed_parts`), then the ids that differ in each copy; the tree is cut at the markers; the plan is made.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.compile.charts.workbook import compile_tagged_workbook
from meetdeck.present.deck.compile.content_types import CORE_PROPERTIES, WORKBOOK
from meetdeck.present.deck.compile.context import ChartFilling, PartContext, TemplateContext
from meetdeck.present.deck.compile.part_graph import Owner, Part
from meetdeck.present.deck.compile.parts.fixed_parts import mark_fixed_part
from meetdeck.present.deck.compile.parts.identity import mark_identity
from meetdeck.present.deck.compile.parts.known_parts import is_known, remember
from meetdeck.present.deck.compile.parts.own_parts import mark_own_part
from meetdeck.present.deck.compile.parts.relationships import compile_relationships
from meetdeck.present.deck.compile.text.proofing import mark_document_language
from meetdeck.present.deck.fields.uses import Usage
from meetdeck.present.deck.language.constructs import BlockEnd, Directive
from meetdeck.present.deck.opc.package import is_office_xml
from meetdeck.present.deck.opc.packed import ZipEntry, pack
from meetdeck.present.deck.opc.part_names import split_part_name
from meetdeck.present.deck.opc.relationships import highest_id
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.presentation.document import ACCEPTED_TYPES, PRESENTATION_TYPE
from meetdeck.present.deck.program.conditions import ShapeRule
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.template import PartPlan

_NO_GUARD: Final = frozenset[str]()


class CompiledPart(Struct, frozen=True):
    """A compiled part, its uses of the data, and its facts that other parts of its slide need.

    `directives` repeat the slide or leave it out, `chapter_ends` end its chapters; a story that `continues` runs on to
    further slides. `charts` are the directives for the chart parts that it refers to, and `workbooks` the programs of
    those that its chart fills, None for a dropped one; both by part name.
    """

    plan: PartPlan
    usage: Usage
    directives: tuple[Directive, ...] = ()
    chapter_ends: tuple[BlockEnd, ...] = ()
    continues: bool = False
    charts: Mapping[str, ChartFilling] = {}
    workbooks: Mapping[str, Program | None] = {}


class _CutPart(Struct, frozen=True):
    """A part cut into its program, which is empty when all of its bytes stay.

    The first copy of a part that `is_original` uses the template's bytes: only its ids depend on data or deck.
    """

    part: Part
    program: Program
    is_original: bool
    rules: tuple[ShapeRule, ...] = ()
    creation_id: int | None = None


class PartCompiler:
    """Compiles the parts of one template; findings are added to the package's.

    Each method returns None, with findings, for a part that cannot be read. `root` saves parsing a part again.
    """

    def __init__(self, template: TemplateContext) -> None:
        self._template = template
        self._package = template.package
        self._packed: dict[bytes, ZipEntry] = {}

    def compile_own(
        self,
        name: str,
        owner: Owner,
        filling: ChartFilling | None,
        root: Element | None = None,
        guard: frozenset[str] = _NO_GUARD,
    ) -> CompiledPart | None:
        """Return a slide's own part; `filling` is the directive for the chart that it is, `guard` see `PartPlan`."""
        part = self._template.graph.read_part(name, owner)
        context = PartContext(self._template, part, owner.slide)
        if root is None and not is_office_xml(part.content_type):
            return self._compile_binary(context, owner, guard)
        root = self._package.parse(name) if root is None else root
        if root is None:
            return None
        workbook = mark_own_part(root, context, owner, filling)
        is_original = not context.markers
        creation_id = mark_identity(root, context, owner)
        program = context.markers.cut(root) if context.markers else ()
        if workbook and workbook.program is None:
            part = part.without(workbook.relationship_id)
        cut = _CutPart(part, program, is_original, context.list_shape_rules(), creation_id)
        return CompiledPart(
            self._plan(cut, owner, guard),
            context.usage(),
            context.list_directives(),
            context.list_chapter_ends(),
            bool(context.list_continuing()),
            context.list_charts(),
            {workbook.part: workbook.program} if workbook else {},
        )

    def compile_fixed(self, name: str, root: Element | None = None) -> CompiledPart | None:
        """Return a part that slides share."""
        part = self._template.graph.read_part(name)
        context = PartContext(self._template, part, "")
        if root is None and not is_office_xml(part.content_type):
            return self._compile_binary(context)
        if root is None and is_known(name, part.content_type, self._package):
            return CompiledPart(self._plan(_CutPart(part, (), is_original=True)), Usage())
        root = self._package.parse(name) if root is None else root
        if root is None:
            return None
        mark_fixed_part(root, context)
        remember(root, context)
        is_original = not context.markers
        if part.content_type == CORE_PROPERTIES:
            mark_document_language(root, context.markers)
        program = context.markers.cut(root) if context.markers else ()
        return CompiledPart(self._plan(_CutPart(part, program, is_original)), context.usage())

    def plan_workbook(self, name: str, owner: Owner, program: Program, guard: frozenset[str]) -> CompiledPart:
        """Return a workbook that its chart has filled; `guard` see `PartPlan`."""
        part = self._template.graph.read_part(name, owner)
        return CompiledPart(self._plan(_CutPart(part, program, is_original=False), owner, guard), Usage())

    def _compile_binary(
        self, context: PartContext, owner: Owner | None = None, guard: frozenset[str] = _NO_GUARD
    ) -> CompiledPart | None:
        """Return a part that is not Office XML: a slide's workbook may have tags, anything else is copied."""
        part = context.part
        data = self._package.read(part.name)
        if data is None:
            return None
        is_workbook = owner is not None and part.content_type == WORKBOOK
        program = compile_tagged_workbook(data, context) if is_workbook else None
        cut = _CutPart(part, program or (), is_original=program is None)
        return CompiledPart(self._plan(cut, owner, guard), context.usage())

    def _plan(self, cut: _CutPart, owner: Owner | None = None, guard: frozenset[str] = _NO_GUARD) -> PartPlan:
        part, program = cut.part, cut.program
        relationships = compile_relationships(part, owner, cut.rules, self._template.graph)
        fixed = relationships[0] if len(relationships) == 1 and isinstance(relationships[0], bytes) else None
        return PartPlan(
            name=split_part_name(part.name),
            override_type=self._override_type(part),
            packed=self._package.packed(part.name) if cut.is_original or not program else None,
            program=program,
            relationships=self._pack_once(fixed) if fixed else None,
            relationships_program=relationships,
            highest_relationship=highest_id(part.relationships),
            creation_id=cut.creation_id,
            shape_rules=cut.rules,
            guard=guard,
            number=owner.parts[part.name] if owner else 0,
        )

    def _override_type(self, part: Part) -> str:
        if part.content_type in ACCEPTED_TYPES:
            return PRESENTATION_TYPE
        return "" if self._package.is_default(part.name) else part.content_type

    def _pack_once(self, relationships: bytes) -> ZipEntry:
        """Pack a relationships part, once for all slides that share its bytes."""
        packed = self._packed.get(relationships)
        if packed is None:
            packed = self._packed[relationships] = pack(relationships)
        return packed
