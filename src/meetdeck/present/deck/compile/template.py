"""Compile a template: once per file, used for many decks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from meetdeck.present.deck.compile.accessibility import review_accessibility
from meetdeck.present.deck.compile.context import TemplateContext
from meetdeck.present.deck.compile.marking.slide_lists import slide_list_writer
from meetdeck.present.deck.compile.marking.surroundings import Surroundings
from meetdeck.present.deck.compile.overview import (
    find_tags_slide,
    list_sections,
    list_slides,
    read_descriptions,
    report_descriptions,
    report_names,
    report_torn,
)
from meetdeck.present.deck.compile.part_graph import PartGraph
from meetdeck.present.deck.compile.parts.compiler import PartCompiler
from meetdeck.present.deck.compile.review import review
from meetdeck.present.deck.compile.sections import compile_section
from meetdeck.present.deck.compile.slides import compile_slides
from meetdeck.present.deck.compile.titles import compile_titles
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.fields.tags import TemplateFields
from meetdeck.present.deck.fields.uses import Usage, Use, join_usages
from meetdeck.present.deck.findings import Finding, has_errors
from meetdeck.present.deck.fitting.boxes import TextBoxes
from meetdeck.present.deck.fitting.estimates import Estimates
from meetdeck.present.deck.fitting.inheritance import Inheritance
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.directives import PICTURES
from meetdeck.present.deck.language.paths import DECK_LISTS
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.packed import ZipEntry, pack
from meetdeck.present.deck.opc.part_names import highest_numbers
from meetdeck.present.deck.opc.relationships import Relationship, highest_id
from meetdeck.present.deck.presentation.document import Document, get_document
from meetdeck.present.deck.presentation.lists import read_first_page, read_sections, read_shows, read_slide_size
from meetdeck.present.deck.presentation.names import position_alias
from meetdeck.present.deck.presentation.slides import Slide, StandIn, read_slides
from meetdeck.present.deck.program.images.pictures import CONTENT_TYPES
from meetdeck.present.deck.program.relationships import relationships_part, write_relationship, written_target
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.slide_lists import SectionPlan
from meetdeck.present.deck.program.slots import section_slot, slide_slot
from meetdeck.present.deck.program.template import DeckPlan, PartPlan, Template
from meetdeck.present.deck.program.typefaces import Typefaces

_NO_STAND_INS: Final[Mapping[str, StandIn]] = MappingProxyType({})
_RELATIONSHIPS_TYPE: Final = "application/vnd.openxmlformats-package.relationships+xml"


def compile_template(
    data: bytes,
    limits: Limits = DEFAULT_LIMITS,
    *,
    installed_fonts: Collection[str] | None = None,
    typefaces: Typefaces | None = None,
    stand_ins: Mapping[str, StandIn] = _NO_STAND_INS,
) -> Template:
    """Return the compiled template of a .pptx, .potx or .ppsx.

    With `installed_fonts`, the font families of the machine that draws pages, the template's looks are reviewed, too;
    with `typefaces`, its fonts, whether they can draw all characters. `stand_ins` are what slides of other templates,
    already inserted into this one, keep of the slides that they replace, by part.

    Raises `TemplateError` with all findings, at least one of them an Error; Warnings and Infos are in
    `Template.findings`.
    """
    findings: list[Finding] = []
    package = read_package(data, findings, limits)
    document = get_document(package)
    every_slide = read_slides(package, document, stand_ins)
    if installed_fonts is not None:
        # Before the slides are marked.
        review(package, document.root, every_slide, installed_fonts, typefaces)
        review_accessibility(package, every_slide, read_slide_size(document.root))
    template = _compile(package, document, every_slide)
    if has_errors(findings):
        raise TemplateError(findings)
    return template


def _compile(package: Package, document: Document, every_slide: Sequence[Slide]) -> Template:
    findings, presentation = package.findings, document.root
    report_names(every_slide, findings)
    tags_slide = find_tags_slide(every_slide)
    slides = [slide for slide in every_slide if slide is not tags_slide]
    index_by_id = {slide.entry.slide_id: i for i, slide in enumerate(slides) if slide.entry.slide_id}
    sections = read_sections(presentation, index_by_id)
    zoom_slots = {str(slide_id): slide_slot(index) for slide_id, index in index_by_id.items()}
    zoom_slots |= {section.id.upper(): section_slot(section.id) for section in sections}
    slide_size = read_slide_size(presentation)
    inheritance = Inheritance(package)
    context = TemplateContext(
        package,
        PartGraph(package, slides),
        inheritance,
        TextBoxes(inheritance, slide_size),
        Estimates(),
        zoom_slots,
        slide_size,
        _slide_index(slides),
        Surroundings(package, inheritance),
    )
    plan, usage = _plan(context, document, slides, sections)
    descriptions = tuple(read_descriptions(tags_slide.root)) if tags_slide else ()
    fields = TemplateFields(usage.uses, usage.levels, descriptions)
    report_torn(fields, findings)
    if tags_slide:
        report_descriptions(fields, findings)
    return Template(
        slides=list_slides(slides, plan),
        slide_size=slide_size,
        sections=list_sections(slides, plan.sections),
        fields=fields,
        findings=tuple(findings),
        cost_bytes=package.file_bytes + _cost(plan),
        plan=plan,
    )


def _plan(
    template: TemplateContext, document: Document, slides: Sequence[Slide], sections: Sequence[SectionPlan]
) -> tuple[DeckPlan, Usage]:
    """Return the plan and its uses of the data.

    Slides come first: marking the fixed parts clears the slide lists.
    """
    package, graph, parts = template.package, template.graph, PartCompiler(template)
    carried = graph.carried()
    fixed = graph.reachable(r.part for r in carried if r.part)
    index_by_relationship = {slide.entry.relationship_id: i for i, slide in enumerate(slides)}
    shows = read_shows(document.root, index_by_relationship)
    compiled = compile_slides(slides, template, parts, frozenset(fixed), sections)
    roots = {document.part: document.root}
    found = (parts.compile_fixed(name, roots.get(name)) for name in fixed)
    fixed_parts = [part for part in found if part]
    titled = [compile_section(section, document.part, template, compiled.plans) for section in sections]
    usage = join_usages((compiled.usage, *(part.usage for part in fixed_parts), *(used for _, used in titled)))
    plan = DeckPlan(
        limits=package.limits,
        default_types=_default_types(package, usage.uses),
        package_relationships=_package_relationships(carried),
        fixed=tuple(part.plan for part in fixed_parts),
        shared=compiled.shared,
        slides=compiled.plans
        if DECK_LISTS.isdisjoint(usage.names)
        else compile_titles(slides, compiled.plans, template),
        slide_index=dict(template.slide_index),
        sections=tuple(section for section, _ in titled),
        shows=shows,
        list_writer=slide_list_writer(document.root),
        highest_numbers=highest_numbers(package.names),
        highest_relationship=highest_id(package.relationships(document.part)),
        creation_ids=frozenset(p.creation_id for s in compiled.plans for p in s.parts if p.creation_id is not None),
        used_names=usage.names,
        first_page=read_first_page(document.root),
    )
    return plan, usage


def _slide_index(slides: Sequence[Slide]) -> dict[str, int]:
    """Return the index of each slide by its name and by `Slide N`, which no other slide can be called."""
    index = {position_alias(slide.position): i for i, slide in enumerate(slides)}
    return index | {slide.name: i for i, slide in enumerate(slides)}


def _default_types(package: Package, uses: Iterable[Use]) -> bytes:
    types = {"rels": _RELATIONSHIPS_TYPE, "xml": "application/xml"} | package.default_types
    if any(isinstance(use.expression, Directive) and use.expression.kind in PICTURES for use in uses):
        types = CONTENT_TYPES | types
    return "".join(
        f'<Default Extension="{escape_attribute(extension)}" ContentType="{escape_attribute(kind)}"/>'
        for extension, kind in types.items()
        if extension
    ).encode()


def _package_relationships(relationships: Iterable[Relationship]) -> ZipEntry:
    program = relationships_part(write_relationship(r, written_target(r)) for r in relationships)
    return pack(b"".join(piece for piece in program if isinstance(piece, bytes)))


def _cost(plan: DeckPlan) -> int:
    """Return roughly how many bytes the plan keeps in memory beside the file itself."""
    slide_parts = (part for slide in plan.slides for part in slide.parts)
    return sum(_part_cost(part) for part in (*plan.fixed, *plan.shared.values(), *slide_parts))


def _part_cost(part: PartPlan) -> int:
    return _program_cost(part.program) + _program_cost(part.relationships_program)


def _program_cost(program: Program) -> int:
    # A tag's node with its place takes about half a kilobyte, its steps in a language as much; one with a workbook the
    # workbook's size.
    return sum(len(piece) if isinstance(piece, bytes) else getattr(piece, "size", 1_024) for piece in program)


def validate_template(
    data: bytes,
    limits: Limits = DEFAULT_LIMITS,
    *,
    installed_fonts: Collection[str] | None = None,
    typefaces: Typefaces | None = None,
) -> list[Finding]:
    """Return all findings of a file, Errors first; without an Error, decks can be built from it."""
    try:
        findings = compile_template(data, limits, installed_fonts=installed_fonts, typefaces=typefaces).findings
    except TemplateError as refusal:
        findings = refusal.findings
    order = {"Error": 0, "Warning": 1, "Info": 2}
    return sorted(findings, key=lambda finding: order[finding.type])
