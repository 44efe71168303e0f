"""The designs of slides from other templates: a layout of the deck's by its name, or their own, copied along."""

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from meetdeck.present.deck.language.shared_slides import Theme
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.packed import pack, unpack
from meetdeck.present.deck.opc.relationships import SLIDE_LAYOUT, SLIDE_MASTER, THEME, Relationship
from meetdeck.present.deck.opc.xml import Element, P, R, parse, query, remove, serialize
from meetdeck.present.deck.sharing.scaling import Scaling, scale_slide
from meetdeck.present.deck.sharing.target import Target, append, relation

# PowerPoint's prefix of a layout that it pasted beside one of the same name.
_PASTED: Final = re.compile(r"^\d+_")
_FIRST_DESIGN_ID: Final = 2**31
_DESIGN_IDS: Final = query("p:sldMasterIdLst/p:sldMasterId | p:sldLayoutIdLst/p:sldLayoutId")
_LAYOUT_IDS: Final = query("p:sldLayoutIdLst/p:sldLayoutId")

# Copies a part's relationship, and returns it as the copy has it; None for one that is not copied.
Copy = Callable[[str, Relationship, str], Relationship | None]


class _Layout(NamedTuple):
    part: str
    master: str


class _BroughtMaster(NamedTuple):
    """A copied master: `layouts` are those of its layouts that are needed, by their name in their file.

    One of slides of another size has a `scaling`.
    """

    source: Package
    part: str
    copy: Copy
    layouts: dict[str, str]
    scaling: Scaling | None


class Designs:
    """The layouts and masters of a template, and those copied along with slides of others."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._own: dict[str, list[_Layout]] = {}
        self._brought: dict[tuple[str, str], tuple[str, _BroughtMaster]] = {}
        package = target.package
        for master in target.related(target.document.part, SLIDE_MASTER):
            for layout in target.related(master, SLIDE_LAYOUT):
                self._own.setdefault(layout_name(package, layout), []).append(_Layout(layout, master))

    def find(self, source: Package, layout: str, theme: Theme, instead_of: str | None) -> str | None:
        """Return the template's own layout for a slide with `layout`; None when that is to be copied along.

        `instead_of` is the slide that it replaces: of several layouts with the name, one of its master counts.
        """
        alike = self._own.get(layout_name(source, layout), [])
        if theme == "keep":
            return next((one.part for one in alike if self._is_same(one, source, layout)), None)
        masters = [
            master
            for used in (self._target.related(instead_of, SLIDE_LAYOUT) if instead_of else ())
            for master in self._target.related(used, SLIDE_MASTER)
        ]
        chosen = [one.part for one in alike if one.master in masters] or [one.part for one in alike]
        return chosen[0] if chosen else None

    def bring(self, name: str, source: Package, layout: str, copy: Copy, scaling: Scaling | None) -> str:
        """Return a layout of the template `name`, copied along with its master and theme, scaled if need be."""
        master = next((r.part for r in source.relationships(layout) if r.type == SLIDE_MASTER and r.part), None)
        key = (name, master or "")
        if key not in self._brought:
            claimed = self._target.claim(master) if master else ""
            self._brought[key] = (claimed, _BroughtMaster(source, master or "", copy, {}, scaling))
        claimed, brought = self._brought[key]
        if layout not in brought.layouts:
            part = brought.layouts[layout] = self._target.claim(layout)
            packed = source.packed(layout)
            if brought.scaling:
                root = parse(unpack(packed))
                scale_slide(root, brought.scaling)
                packed = pack(serialize(root))
            self._target.put(part, packed, source.content_type(layout))
            relationships: list[Relationship] = []
            for one in source.relationships(layout):
                if one.type == SLIDE_MASTER:
                    relationships.append(relation(one.id, one.type, part, claimed))
                elif copied := copy(layout, one, part):
                    relationships.append(copied)
            self._target.relate(part, relationships)
        return brought.layouts[layout]

    def finish(self) -> None:
        """Write the copied masters, each with the layouts that are needed, and list them."""
        new_id = self._new_ids()
        for claimed, brought in self._brought.values():
            if claimed:
                self._write_master(claimed, brought, new_id)

    def _write_master(self, claimed: str, brought: _BroughtMaster, new_id: Iterator[int]) -> None:
        source, target = brought.source, self._target
        root = parse(unpack(source.packed(brought.part)))
        if brought.scaling:
            scale_slide(root, brought.scaling)
        _list_master(target.document.root, next(new_id), target.relate_presentation(SLIDE_MASTER, claimed))
        relationships: list[Relationship] = []
        for one in source.relationships(brought.part):
            if one.type == SLIDE_LAYOUT:
                if one.part in brought.layouts:
                    relationships.append(relation(one.id, one.type, claimed, brought.layouts[one.part]))
            elif copied := brought.copy(brought.part, one, claimed):
                relationships.append(copied)
        kept = {one.id for one in relationships}
        for entry in _LAYOUT_IDS(root):
            if entry.get(R + "id", "") in kept:
                entry.set("id", str(next(new_id)))
            else:
                remove(entry)
        target.put(claimed, source.packed(brought.part), source.content_type(brought.part))
        target.rewrite(claimed, root)
        target.relate(claimed, relationships)

    def _new_ids(self) -> Iterator[int]:
        """Yield free ids of masters and layouts, which share one range (ECMA-376 part 1, 19.7.13)."""
        masters = self._target.related(self._target.document.part, SLIDE_MASTER)
        roots = [self._target.document.root, *map(self._target.package.peek, masters)]
        used = {entry.get("id", "") for root in roots if root is not None for entry in _DESIGN_IDS(root)}
        number = max((int(one) for one in used if one and one.isascii() and one.isdigit()), default=0)
        number = max(number, _FIRST_DESIGN_ID - 1)
        while True:
            number += 1
            yield number

    def _is_same(self, own: _Layout, source: Package, layout: str) -> bool:
        """Return whether a layout of the template is the same as another's, with master and theme."""
        return _print_of(self._target.package, own.part) == _print_of(source, layout)


def layout_name(package: Package, layout: str) -> str:
    """Return the name by which layouts are matched, in small letters, without PowerPoint's prefix."""
    root = package.peek(layout)
    content = root.find(P + "cSld") if root is not None else None
    name = content.get("name", "") if content is not None else ""
    return _PASTED.sub("", " ".join((name or "").split())).casefold()


def _print_of(package: Package, layout: str) -> list[tuple[int, int]]:
    """Return checksums and sizes of a layout, its master and its theme."""
    parts = [layout]
    for kind in (SLIDE_MASTER, THEME):
        parts += [r.part for r in package.relationships(parts[-1]) if r.type == kind and r.part][:1]
    return [(packed.crc, packed.size) for packed in map(package.packed, parts)]


def _list_master(presentation: Element, number: int, relationship_id: str) -> None:
    """Add a master to the presentation's list."""
    namespaces = f'xmlns:p="{P[1:-1]}" xmlns:r="{R[1:-1]}"'
    masters = presentation.find(P + "sldMasterIdLst")
    if masters is None:
        masters = parse(f"<p:sldMasterIdLst {namespaces}/>".encode())
        presentation.insert(0, masters)
    append(masters, f'<p:sldMasterId {namespaces} id="{number}" r:id="{relationship_id}"/>')
