"""Inserting a slide of one template into another, with everything that it needs."""

from typing import Final

from msgspec.structs import replace

from meetdeck.present.deck.language.shared_slides import SlideReference
from meetdeck.present.deck.limits import Limits
from meetdeck.present.deck.opc.package import Package, read_package
from meetdeck.present.deck.opc.packed import ZipEntry, pack, unpack
from meetdeck.present.deck.opc.relationships import (
    NOT_CARRIED_OVER,
    NOTES_MASTER,
    SHARED,
    SLIDE,
    SLIDE_LAYOUT,
    SLIDE_MASTER,
    THEME,
    Relationship,
)
from meetdeck.present.deck.opc.xml import MC, A, Element, parse, remove, serialize
from meetdeck.present.deck.presentation.document import get_document
from meetdeck.present.deck.presentation.lists import read_slide_size
from meetdeck.present.deck.sharing.designs import Copy, Designs
from meetdeck.present.deck.sharing.extras import list_notes_master
from meetdeck.present.deck.sharing.resolving import TemplateFile
from meetdeck.present.deck.sharing.scaling import Scaling, find_scaling, scale_chart, scale_slide
from meetdeck.present.deck.sharing.target import Target, relation

# Readers of the deck must not see what authors wrote to each other about a slide for forty templates.
_COMMENTS: Final = frozenset({"comments", "authors", "commentAuthors"})
# A target that is not a part: references to it are removed, like those to a slide that is not in a deck.
_NOWHERE: Final = "NULL"
_ZOOMS: Final = ("{*}sldZmObj", "{*}sectionZmObj", "{*}summaryZmObj")
_LINKS: Final = (A + "hlinkClick", A + "hlinkHover", A + "hlinkMouseOver")
_WITH_LETTERS: Final = frozenset(
    f"application/vnd.openxmlformats-officedocument.drawingml.{name}+xml" for name in ("chart", "diagramData")
)
_SHOW: Final = "ppaction://customshow"


class Source:
    """A template whose slides are inserted into another: its package, and the parts of it that were copied already."""

    def __init__(self, name: str, file: TemplateFile, limits: Limits) -> None:
        self.name = name
        self.template = file.template
        self.package: Package = read_package(file.content, [], limits)
        self.document = get_document(self.package)
        self.slide_size = read_slide_size(self.document.root)
        # By their names in the source: the parts that all slides share, and the copied slides.
        self.copied: dict[str, str] = {}
        # Of the slide that is being copied, None for one that is as large as the target's.
        self.scaling: Scaling | None = None
        self.slides: dict[str, str] = {}

    def slide_part(self, index: int) -> str:
        """Return the part of a slide, by its index in the compiled template."""
        return self.template.plan.slides[index].parts[0].full_name


class Grafts:
    """Copies slides of other templates into one; all are named first, since they may link to each other."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._designs = Designs(target)
        # The bytes of copied parts, in which fonts are looked for.
        self.texts: list[bytes] = []
        self._notes_master: str | None = None

    def graft(self, source: Source, slide: str, part: str, reference: SlideReference, *, replaces: bool) -> bool:
        """Insert a slide at a part name; return whether its layout was copied along.

        With `replaces`, a slide of the template has that name, and is replaced.
        """
        package, target = source.package, self._target
        layout = next((r.part for r in package.relationships(slide) if r.type == SLIDE_LAYOUT and r.part), "")
        own = self._designs.find(package, layout, reference.theme, part if replaces else None)
        source.scaling = self._find_scaling(source) if reference.scale else None
        chosen = own or self._designs.bring(source.name, package, layout, self._copier(source), source.scaling)
        # Each copy of a slide has charts and notes of its own.
        memo = {slide: part}
        relationships: list[Relationship] = []
        for one in package.relationships(slide):
            if one.type == SLIDE_LAYOUT:
                relationships.append(relation(one.id, one.type, part, chosen))
            elif copied := self._copy(source, one, part, memo):
                relationships.append(copied)
        written = _without_references(package.packed(slide))
        if source.scaling:
            root = parse(unpack(written))
            scale_slide(root, source.scaling)
            written = pack(serialize(root))
        target.put(part, written, package.content_type(slide))
        target.relate(part, relationships)
        self.texts.append(unpack(package.packed(slide)))
        if own is None:
            self.texts += self._read_design(package, layout)
        return own is None

    def _find_scaling(self, source: Source) -> Scaling | None:
        """Return the scaling of a source's slides, None for those of the same size."""
        size = read_slide_size(self._target.document.root)
        return find_scaling(source.slide_size, size) if source.slide_size != size else None

    def copy_relationship(self, source: Source, one: Relationship, into: str, identifier: str) -> Relationship | None:
        """Return a relationship of a copied shape under a new id, with its target copied; None for one left out."""
        copied = self._copy(source, one, into, {})
        return replace(copied, id=identifier) if copied else None

    def finish(self) -> None:
        """Write the parts that depend on all inserted slides."""
        self._designs.finish()

    def copy_part(self, source: Source, part: str) -> str:
        """Return the copy of a part that slides share."""
        return self._copy_part(source, part, source.copied)

    def _copier(self, source: Source) -> Copy:
        def copy(_: str, one: Relationship, into: str) -> Relationship | None:
            return self._copy(source, one, into, source.copied)

        return copy

    def _copy(self, source: Source, one: Relationship, into: str, memo: dict[str, str]) -> Relationship | None:
        """Return a relationship as the copy has it, with its target copied; None for one that is left out."""
        if one.type in NOT_CARRIED_OVER or one.kind in _COMMENTS:
            return None
        if one.external or one.target.startswith("#"):
            return one
        if one.type == SLIDE or one.part in source.slides:
            slide = memo.get(one.part or "") or source.slides.get(one.part or "")
            return relation(one.id, one.type, into, slide) if slide else replace(one, target=_NOWHERE, part=None)
        if one.part is None:
            return one
        if one.type == NOTES_MASTER:
            return relation(one.id, one.type, into, self._find_notes_master(source, one.part))
        shared = source.copied if one.type in SHARED else memo
        return relation(one.id, one.type, into, self._copy_part(source, one.part, shared))

    def _copy_part(self, source: Source, part: str, memo: dict[str, str]) -> str:
        if part in memo:
            return memo[part]
        package, target = source.package, self._target
        packed, relationships = package.packed(part), package.relationships(part)
        alike = None if relationships or memo is not source.copied else target.find_alike(packed, part)
        name = memo[part] = alike or target.claim(part)
        if alike is None:
            kind = package.content_type(part)
            if source.scaling and kind in _WITH_LETTERS:
                packed = pack(scale_chart(unpack(packed), source.scaling.factor))
            target.put(name, packed, kind)
            copied = [found for one in relationships if (found := self._copy(source, one, name, memo))]
            if copied:
                target.relate(name, copied)
        return name

    def _find_notes_master(self, source: Source, part: str) -> str:
        """Return the deck's notes master: the template's, else the first copied one."""
        if self._notes_master is None:
            own = self._target.related(self._target.document.part, NOTES_MASTER)
            self._notes_master = own[0] if own else self._bring_notes_master(source, part)
        return self._notes_master

    def _bring_notes_master(self, source: Source, part: str) -> str:
        copied = self.copy_part(source, part)
        list_notes_master(self._target.document.root, self._target.relate_presentation(NOTES_MASTER, copied))
        return copied

    @staticmethod
    def _read_design(package: Package, layout: str) -> list[bytes]:
        """Return the bytes of a layout, its master and theme."""
        parts = [layout]
        for kind in (SLIDE_MASTER, THEME):
            parts += [r.part for r in package.relationships(parts[-1]) if r.type == kind and r.part][:1]
        return [unpack(package.packed(one)) for one in parts]


def _without_references(packed: ZipEntry) -> ZipEntry:
    """Return a slide without the names of slides and shows of its own template: zooms become their pictures."""
    content = unpack(packed)
    if b"ZmObj" not in content and _SHOW.encode() not in content:
        return packed
    root = parse(content)
    for link in list(root.iter(*_LINKS)):
        if (link.get("action", "") or "").startswith(_SHOW):
            remove(link)
    for choice in list(root.iter(MC + "AlternateContent")):
        if next(choice.iter(*_ZOOMS), None) is not None:
            _keep_fallback(choice)
    return pack(serialize(root))


def _keep_fallback(choice: Element) -> None:
    """Replace an element of alternatives by its fallback."""
    parent, fallback = choice.getparent(), choice.find(MC + "Fallback")
    if parent is not None:
        for child in list(fallback.iterchildren()) if fallback is not None else []:
            parent.insert(parent.index(choice), child)
        remove(choice)
