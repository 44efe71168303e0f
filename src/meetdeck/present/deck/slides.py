"""Compile the slides: what each owns, what it shares, and what it is called."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from meetdeck.present.deck.document import Document
from meetdeck.present.deck.findings import error, info
from meetdeck.present.deck.images.compile import replaced_relationships
from meetdeck.present.deck.language.syntax import Directive
from meetdeck.present.deck.markup import Element, P
from meetdeck.present.deck.naming import own_name, unique_names
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import NOT_CARRIED_OVER, NOTES_SLIDE, OWNED, SHARED, Relationship
from meetdeck.present.deck.parts import Owner, PartCompiler, guards_of
from meetdeck.present.deck.plan import PartPlan, SlidePlan
from meetdeck.present.deck.presentation import read_slide_entries
from meetdeck.present.deck.slidelists import SlideEntry

_HIDDEN: Final = frozenset({"0", "false"})


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide as it lies in the template.

    `own_name` is what the author calls it, perhaps nothing; `name` is unique; `position` counts from 1, as the slide
    panel does.
    """

    entry: SlideEntry
    part: str
    root: Element
    target_folder: str
    own_name: str
    name: str
    position: int

    @property
    def hidden(self) -> bool:
        """Whether a slide show passes over it."""
        return self.root.get("show") in _HIDDEN


def read_slides(package: Package, document: Document) -> list[Slide]:
    """Find and parse the slides in order; those that cannot be read become findings and are left out."""
    relationships = {relationship.id: relationship for relationship in package.relationships(document.part)}
    readable: list[tuple[SlideEntry, Relationship, str, Element]] = []
    parts: set[str] = set()
    for entry in read_slide_entries(document.root):
        relationship = relationships.get(entry.relationship_id)
        if relationship is None or relationship.part is None or relationship.part in parts:
            message = f"The slide list names {entry.relationship_id!r}, which leads to no slide of its own."
            package.findings.append(error("missing-slide", message, part=document.part))
            continue
        parts.add(relationship.part)
        root = _parse_slide(package, relationship.part)
        if root is not None:
            readable.append((entry, relationship, relationship.part, root))
    own_names = [own_name(root) for _, _, _, root in readable]
    names = unique_names(own_names)
    return [
        Slide(entry, part, root, _folder(relationship.target), own_names[i], names[i], position=i + 1)
        for i, (entry, relationship, part, root) in enumerate(readable)
    ]


def _parse_slide(package: Package, part: str) -> Element | None:
    root = package.parse(part)
    if root is not None and root.tag != P + "sld":
        package.findings.append(error("broken-xml", f"The part {part!r} should be a slide and is not.", part=part))
        return None
    return root


def _folder(target: str) -> str:
    folder, slash, _ = target.rpartition("/")
    return folder + slash


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
        """Note which shapes the parts below depend on, when there is no other way to them."""
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
        """Note for what the slide's tags are looked up in: the items that the slide repeats for."""
        around = tuple(directive.name for directive in directives if directive.kind == "each")
        uses = self._parts.uses
        if around:
            uses[first_use:] = [
                use if any(use.what is each for each in directives) else use._replace(blocks=around + use.blocks)
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
