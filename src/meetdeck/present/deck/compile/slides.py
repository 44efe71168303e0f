"""Compile the slides: what each owns, what it shares, and what it is called."""

from collections.abc import Iterable

from meetdeck.present.deck.compile.directives.image import replaced_relationships
from meetdeck.present.deck.compile.owner import Owner
from meetdeck.present.deck.compile.parts import PartCompiler, guards_of
from meetdeck.present.deck.findings import info
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import NOT_CARRIED_OVER, NOTES_SLIDE, OWNED, SHARED, Relationship
from meetdeck.present.deck.presentation.slides import Slide
from meetdeck.present.deck.program.template import PartPlan, SlidePlan


class SlideCompiler:
    """Compiles the slides of one template; `shared` collects parts that slides share and not every deck needs."""

    def __init__(self, package: Package, parts: PartCompiler, fixed: Iterable[str]) -> None:
        self.shared: dict[str, PartPlan] = {}
        self._package = package
        self._parts = parts
        self._fixed = frozenset(fixed)

    def compile(self, index: int, slide: Slide) -> SlidePlan:
        """Return a slide's plan. Parts that cannot be read are missing from it, with findings."""
        is_tagged = slide.part in self._package.tagged
        replaced = replaced_relationships(slide.root) if is_tagged else frozenset[str]()
        own = self._list_own_parts(slide, replaced)
        owner = Owner(slide.name, slide.entry.slide_id, index, own, replaced)
        first_use = len(self._parts.uses)
        plans: list[PartPlan | None] = []
        for part in own:
            plan = self._parts.compile(part, owner, slide.root if part == slide.part else None)
            plans.append(plan)
            self._guard_targets(part, plan, owner)
        self._note_items(first_use, owner.directives)
        return SlidePlan(
            name=slide.name,
            hidden=slide.hidden,
            has_notes=any(r.type == NOTES_SLIDE for r in self._package.relationships(slide.part)),
            slide_id=slide.entry.slide_id,
            relationship_id=slide.entry.relationship_id,
            target_folder=slide.target_folder,
            parts=tuple(plan for plan in plans if plan),
            shared=self._compile_shared(owner),
            directives=tuple(owner.directives),
        )

    def _list_own_parts(self, slide: Slide, replaced: frozenset[str]) -> dict[str, int]:
        """Follow the relationships: return the slide's own parts, numbered from the slide."""
        own = {slide.part: 0}
        queue = [slide.part]
        for part in queue:
            for relationship in self._package.relationships(part):
                target = relationship.part
                is_replaced = part == slide.part and relationship.id in replaced
                if target is None or target in own or is_replaced or self._parts.link_target(relationship) is not None:
                    continue
                if self._is_owned(relationship, target, slide.name):
                    own[target] = len(own)
                    queue.append(target)
        return own

    def _guard_targets(self, part: str, plan: PartPlan | None, owner: Owner) -> None:
        """Add for each part below the shapes without which it is not needed, when there is no other way to it."""
        if plan is None:
            return
        for relationship in self._package.relationships(part):
            target = relationship.part
            if target is None or self._parts.link_target(relationship) is not None:
                continue
            guard = plan.guard | guards_of(relationship.id, plan.shape_rules)
            if part == next(iter(owner.parts)) and relationship.id in owner.replaced:
                continue
            owner.guards[target] = owner.guards[target] & guard if target in owner.guards else guard

    def _compile_shared(self, owner: Owner) -> dict[str, frozenset[str]]:
        """Return the parts that the slide shares with others and that are not in every deck, with what guards them."""
        shared: dict[str, frozenset[str]] = {}
        starts = [part for part in owner.guards if part not in owner.parts and part not in self._fixed]
        for start in starts:
            for part in reachable(self._package, self._parts, [start]):
                if part not in self._fixed and part not in owner.parts:
                    shared[part] = shared.get(part, owner.guards[start]) & owner.guards[start]
        for part in shared:
            if part not in self.shared and (plan := self._parts.compile(part)):
                self.shared[part] = plan
        return shared

    def _note_items(self, first_use: int, directives: Iterable[Directive]) -> None:
        """Add the items that the slide repeats for to the uses of its tags."""
        around = tuple(directive.name for directive in directives if directive.kind == "each")
        uses = self._parts.uses
        if around:
            uses[first_use:] = [
                use if any(use.expression is each for each in directives) else use._replace(blocks=around + use.blocks)
                for use in uses[first_use:]
            ]

    def _is_owned(self, relationship: Relationship, target: str, slide: str) -> bool:
        if relationship.type in OWNED:
            return True
        if relationship.type in SHARED or target in self._fixed:
            return False
        message = f"The slide uses {target!r} in an unknown way ({relationship.type}); each copy gets its own."
        self._package.findings.append(info("unknown-relationship", message, slide, part=target))
        return True


def reachable(package: Package, parts: PartCompiler, starts: Iterable[str]) -> list[str]:
    """Return the parts that are reached from `starts` without passing a slide, in order of discovery."""
    queue = list(dict.fromkeys(starts))
    reached = set(queue)
    for name in queue:
        for relationship in package.relationships(name):
            target = relationship.part
            if target is None or target in reached or relationship.type in NOT_CARRIED_OVER:
                continue
            if parts.link_target(relationship) is None:
                reached.add(target)
                queue.append(target)
    return queue
