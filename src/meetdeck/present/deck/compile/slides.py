"""Compile the slides: their own parts, the shared parts, and their names."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from meetdeck.present.deck.compile.chapters import SlideMarks, find_chapters
from meetdeck.present.deck.compile.context import ChartFilling, TemplateContext
from meetdeck.present.deck.compile.directives.image import replaced_relationships
from meetdeck.present.deck.compile.marking.continuing import find_continuing
from meetdeck.present.deck.compile.part_graph import Owner, PartGraph
from meetdeck.present.deck.compile.parts.compiler import CompiledPart, PartCompiler
from meetdeck.present.deck.compile.parts.identity import read_creation_id
from meetdeck.present.deck.compile.parts.relationships import find_guards
from meetdeck.present.deck.fields.uses import Usage, Use, join_usages, list_uses
from meetdeck.present.deck.findings import Place, warning
from meetdeck.present.deck.language.constructs import BlockEnd, Directive
from meetdeck.present.deck.language.paths import DECK_LISTS
from meetdeck.present.deck.language.shared_slides import ShapeReference, SlideReference
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import NOTES_SLIDE
from meetdeck.present.deck.presentation.slides import Slide
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.slide_lists import SectionPlan
from meetdeck.present.deck.program.slots import ORPHAN
from meetdeck.present.deck.program.template import PartPlan, SlidePlan

_Guards = dict[str, frozenset[str]]


class CompiledSlides(NamedTuple):
    """The slides of a template, the shared parts that not every deck needs, and the uses of all of them."""

    plans: tuple[SlidePlan, ...]
    shared: Mapping[str, PartPlan]
    usage: Usage


def compile_slides(
    slides: Sequence[Slide],
    template: TemplateContext,
    parts: PartCompiler,
    fixed: Collection[str],
    sections: Iterable[SectionPlan],
) -> CompiledSlides:
    """Return the slides' plans; `fixed` are the parts in every deck. Unreadable parts are missing, with findings."""
    compiled = [_compile_slide(index, slide, template, parts, fixed) for index, slide in enumerate(slides)]
    marks = [marks for _, _, marks in compiled]
    plans = [plan for plan, _, _ in compiled]
    if any(one.begins or one.ends or one.repeats for one in marks):
        chapters = find_chapters(marks, sections, template.package.findings)
        plans = [replace(plan, chapters=around) for plan, around in zip(plans, chapters, strict=True)]
    shared: dict[str, PartPlan] = {}
    usages: list[Usage] = []
    for plan, (_, usage, _) in zip(plans, compiled, strict=True):
        usages.append(_repeat_uses(usage, plan))
        for name in plan.shared:
            if name not in shared and (part := parts.compile_fixed(name)):
                shared[name] = part.plan
                usages.append(part.usage)
    return CompiledSlides(tuple(plans), shared, join_usages(usages))


def _compile_slide(
    index: int, slide: Slide, template: TemplateContext, parts: PartCompiler, fixed: Collection[str]
) -> tuple[SlidePlan, Usage, SlideMarks]:
    package, graph = template.package, template.graph
    replaced = _find_replaced(slide, package)
    own = graph.list_own_parts(slide, replaced, fixed)
    owner = Owner(slide.name, slide.entry.slide_id, index, _find_creation_id(slide, package), own, replaced)
    compiled, guards = _compile_own_parts(slide, owner, graph, parts)
    said = _read_directives(slide, compiled, package)
    marks = SlideMarks(
        slide.name,
        tuple(mark for mark in said.chapter_marks if isinstance(mark, Directive)),
        tuple(mark for mark in said.chapter_marks if isinstance(mark, BlockEnd)),
        sum(directive.type.repeats for directive in said.directives),
    )
    usage = join_usages(part.usage for part in compiled)
    plan = SlidePlan(
        name=slide.name,
        hidden=slide.hidden,
        has_notes=any(r.type == NOTES_SLIDE for r in package.relationships(slide.part)),
        slide_id=slide.entry.slide_id,
        relationship_id=slide.entry.relationship_id,
        target_folder=slide.target_folder,
        parts=tuple(part.plan for part in compiled),
        shared=_guard_shared(guards, owner, graph, fixed),
        directives=said.directives,
        links=_list_links(owner, graph, package),
        continuing=find_continuing(compiled[0].plan.program) if compiled and compiled[0].continues else None,
        reference=said.reference,
        shapes=said.shapes,
        chapter_marks=said.chapter_marks if said.reference else (),
        lists_deck=not DECK_LISTS.isdisjoint(usage.names),
    )
    return plan, join_usages((_use_around(slide), usage)) if slide.stand_in else usage, marks


def _find_replaced(slide: Slide, package: Package) -> frozenset[str]:
    may_be_replaced = slide.part in package.tagged and package.may_hold(slide.part, b"blip")
    return replaced_relationships(slide.root) if may_be_replaced else frozenset()


def _find_creation_id(slide: Slide, package: Package) -> str | None:
    return read_creation_id(slide.root) if package.may_hold(slide.part, b"creationId") else None


class _SlideDirectives(NamedTuple):
    """The directives in a slide's title and notes about the whole slide."""

    directives: tuple[Directive, ...]
    chapter_marks: tuple[Directive | BlockEnd, ...]
    reference: SlideReference | None
    shapes: tuple[ShapeReference, ...]


def _read_directives(slide: Slide, compiled: Iterable[CompiledPart], package: Package) -> _SlideDirectives:
    """Return the directives of a slide; one from another template also has those of the slide that it replaces."""
    parts = tuple(compiled)
    found = [directive for part in parts for directive in part.directives]
    references = [directive for directive in found if directive.slide]
    for second in references[1:]:
        message = (
            f"{second.source} is on a slide that already has {references[0].source}: a slide can refer to only one "
            "other."
        )
        package.findings.append(warning("missing-target", message, slide.name, tag=second.source))
    shapes = tuple(dict.fromkeys(one.shape for one in found if one.shape))
    directives = tuple(one for one in found if not one.slide and not one.shape and one.kind != "chapter")
    begins = (directive for directive in found if directive.kind == "chapter")
    chapter_marks = (*begins, *(end for part in parts for end in part.chapter_ends))
    if slide.stand_in:
        # Its own chapters consist of slides that are not here.
        directives, chapter_marks = (*slide.stand_in.directives, *directives), slide.stand_in.chapter_marks
    return _SlideDirectives(directives, chapter_marks, references[0].slide if references else None, shapes)


def _use_around(slide: Slide) -> Usage:
    """Return the usage of the directives of the slide that a slide replaces."""
    marks = (*slide.stand_in.directives, *slide.stand_in.chapter_marks) if slide.stand_in else ()
    place = Place("", 0, "slide")
    directives = (Use(mark, place, slide.name) for mark in marks if isinstance(mark, Directive))
    uses = tuple(use for directive in directives for use in list_uses(directive))
    return Usage(uses, names=frozenset(segment for use in uses for segment in use.expression.path))


def _compile_own_parts(
    slide: Slide, owner: Owner, graph: PartGraph, parts: PartCompiler
) -> tuple[list[CompiledPart], _Guards]:
    """Return a slide's own parts, and the shapes that each part below them depends on.

    The slide comes first, since it says which charts are filled; then each chart fills its workbook.
    """
    compiled: list[CompiledPart] = []
    charts: dict[str, ChartFilling] = {}
    workbooks: dict[str, Program | None] = {}
    guards: _Guards = {}
    for name in owner.parts:
        guard = guards.get(name, frozenset())
        if name not in workbooks:
            root = slide.root if name == slide.part else None
            part = parts.compile_own(name, owner, charts.get(name), root, guard)
        else:
            program = workbooks[name]
            part = parts.plan_workbook(name, owner, program, guard) if program is not None else None
        if part is None:
            continue
        compiled.append(part)
        charts |= part.charts
        workbooks |= part.workbooks
        _add_guards(guards, name, part.plan, owner, graph)
    return compiled, guards


def _add_guards(guards: _Guards, name: str, plan: PartPlan, owner: Owner, graph: PartGraph) -> None:
    """Add, for each part that a part refers to, the shapes that need it, on every path to it."""
    for relationship, target in graph.targets(name):
        if owner.keeps(name, relationship):
            guard = plan.guard | find_guards(relationship.id, plan.shape_rules) if plan.shape_rules else plan.guard
            guards[target] = guards[target] & guard if target in guards else guard


def _guard_shared(guards: _Guards, owner: Owner, graph: PartGraph, fixed: Collection[str]) -> _Guards:
    """Return the shared parts of the slide that are not in every deck, with their guards."""
    shared: _Guards = {}
    for start, guard in guards.items():
        if start in owner.parts or start in fixed:
            continue
        for part in graph.reachable([start]):
            if part not in fixed and part not in owner.parts:
                shared[part] = shared.get(part, guard) & guard
    return shared


def _list_links(owner: Owner, graph: PartGraph, package: Package) -> tuple[int, ...]:
    """Return the indices of the other slides that a slide's own parts lead to."""
    targets = {graph.slide_of(relationship) for name in owner.parts for relationship in package.relationships(name)}
    return tuple(sorted(index for index in targets if index is not None and index not in {owner.slide_index, ORPHAN}))


def _repeat_uses(usage: Usage, plan: SlidePlan) -> Usage:
    """Return a slide's usage with the items that the slide repeats for around its tags.

    Each directive that repeats it is nested inside of the ones before it.
    """
    repeats = [chapter.directive for chapter in plan.chapters]
    repeats += [directive for directive in plan.directives if directive.type.repeats]
    if not repeats:
        return usage
    around = tuple(directive.item_name for directive in repeats)
    depths = {directive.source: depth for depth, directive in enumerate(repeats)}
    uses = [structs.replace(use, blocks=around[: depths.get(use.expression.source)] + use.blocks) for use in usage.uses]
    return usage._replace(uses=tuple(uses))
