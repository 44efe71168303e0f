"""The relations of a template's parts: those that belong to a slide, and those reached without passing one."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from meetdeck.present.deck.compile.content_types import VIEW_PROPERTIES, part_kind
from meetdeck.present.deck.findings import info
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.relationships import NOT_CARRIED_OVER, OWNED, SHARED, SLIDE, Relationship
from meetdeck.present.deck.presentation.document import ACCEPTED_TYPES
from meetdeck.present.deck.presentation.slides import Slide
from meetdeck.present.deck.program.slots import ORPHAN


class Part(Struct, frozen=True):
    """A part that is compiled. `kind` is its everyday name, `relationships` are those copied into decks."""

    name: str
    content_type: str
    kind: str
    relationships: tuple[Relationship, ...] = ()

    def target(self, relationship_id: str) -> str | None:
        """Return the part that a relationship leads to."""
        return next((r.part for r in self.relationships if r.id == relationship_id), None)

    def without(self, relationship_id: str) -> "Part":
        """Return the part without a relationship."""
        return replace(self, relationships=tuple(r for r in self.relationships if r.id != relationship_id))


class Owner(NamedTuple):
    """The slide that owns parts: `parts` are numbered by name, the slide 0.

    `slide_id` is p:sldId/@id, `slide_index` the slide's place in the template, `creation_id` its own as written.
    `replaced` are the ids of the slide's relationships to pictures that the data replaces.
    """

    slide: str
    slide_id: int
    slide_index: int
    creation_id: str | None
    parts: Mapping[str, int]
    replaced: frozenset[str]

    def keeps(self, part: str, relationship: Relationship) -> bool:
        """Return whether one of its parts still needs a relationship when the data has replaced the pictures."""
        return self.parts.get(part) != 0 or relationship.id not in self.replaced


class PartGraph:
    """The relationships of one template, in which slides are the borders."""

    def __init__(self, package: Package, slides: Iterable[Slide]) -> None:
        self._package = package
        self._slides = {slide.part: index for index, slide in enumerate(slides)}
        self._targets: dict[str, tuple[tuple[Relationship, str], ...]] = {}

    def slide_of(self, relationship: Relationship) -> int | None:
        """Return the index of the slide that a relationship leads to, `ORPHAN` for one outside of the slide list."""
        if relationship.external or relationship.target.startswith("#"):
            return None
        index = self._slides.get(relationship.part or "")
        return ORPHAN if index is None and relationship.type == SLIDE else index

    def read_part(self, name: str, owner: Owner | None = None) -> Part:
        """Return a part with the relationships copied into decks."""
        content_type = self._package.content_type(name)
        relationships = [r for r in self._package.relationships(name) if r.type not in NOT_CARRIED_OVER]
        if content_type in ACCEPTED_TYPES or content_type == VIEW_PROPERTIES:
            relationships = [r for r in relationships if self.slide_of(r) is None]
        if owner:
            relationships = [r for r in relationships if owner.keeps(name, r)]
        return Part(name, content_type, part_kind(content_type), tuple(relationships))

    def carried(self) -> list[Relationship]:
        """Return the package's own relationships copied into decks."""
        own = self._package.relationships("")
        return [r for r in own if r.type not in NOT_CARRIED_OVER and self.slide_of(r) is None]

    def targets(self, part: str) -> tuple[tuple[Relationship, str], ...]:
        """Return a part's relationships to other parts, with these parts, except to slides."""
        if part not in self._targets:
            self._targets[part] = tuple(self._find_targets(part))
        return self._targets[part]

    def _find_targets(self, part: str) -> Iterator[tuple[Relationship, str]]:
        for relationship in self._package.relationships(part):
            if relationship.part is not None and self.slide_of(relationship) is None:
                yield relationship, relationship.part

    def reachable(self, starts: Iterable[str]) -> list[str]:
        """Return the parts reached from `starts` without passing a slide, in order of discovery."""
        queue = list(dict.fromkeys(starts))
        reached = set(queue)
        for name in queue:
            for relationship, target in self.targets(name):
                if target not in reached and relationship.type not in NOT_CARRIED_OVER:
                    reached.add(target)
                    queue.append(target)
        return queue

    def list_own_parts(self, slide: Slide, replaced: frozenset[str], fixed: Collection[str]) -> dict[str, int]:
        """Return a slide's own parts, numbered from the slide; a relationship of unknown type becomes a finding.

        `replaced` are the ids of its relationships to pictures that the data replaces, `fixed` the parts in every deck.
        """
        own = {slide.part: 0}
        queue = [slide.part]
        for part in queue:
            for relationship, target in self.targets(part):
                is_replaced = part == slide.part and relationship.id in replaced
                if target not in own and not is_replaced and self._is_owned(relationship, target, slide, fixed):
                    own[target] = len(own)
                    queue.append(target)
        return own

    def _is_owned(self, relationship: Relationship, target: str, slide: Slide, fixed: Collection[str]) -> bool:
        if relationship.type in OWNED:
            return True
        if relationship.type in SHARED or target in fixed:
            return False
        message = f"The slide uses {target!r} in an unknown way ({relationship.type}); each copy gets its own."
        self._package.findings.append(info("unknown-relationship", message, slide.name, part=target))
        return True
