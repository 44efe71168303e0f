"""Shapes of other templates: each stands in the place of a rectangle, at most as large, with its text scaled."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.directives.reading import split_alternative_text
from meetdeck.present.deck.compile.directives.shared_shape import can_stand_in
from meetdeck.present.deck.language.constructs import Directive
from meetdeck.present.deck.language.shared_slides import ShapeReference
from meetdeck.present.deck.opc.relationships import highest_id
from meetdeck.present.deck.opc.xml import A, Element, P, R, find_child, local_name, parse, remove
from meetdeck.present.deck.presentation.geometry import Frame, find_frame, read_frame, read_own_frame
from meetdeck.present.deck.sharing.grafting import Grafts, Source
from meetdeck.present.deck.sharing.resolving import DEEPEST, UnresolvedReference, suggest
from meetdeck.present.deck.sharing.scaling import scale_contents
from meetdeck.present.deck.sharing.target import Target

_SHAPES: Final = (P + "sp", P + "pic", P + "grpSp", P + "graphicFrame", P + "cxnSp")
_PROPERTIES: Final = frozenset({"spPr", "grpSpPr"})
_CONNECTED: Final = (A + "stCxn", A + "endCxn")
_MOST_DIGITS: Final = 9


class FoundShape(NamedTuple):
    """A shape of another template, and the slide's part there."""

    element: Element
    part: str


class SharedShapes:
    """Puts shapes of other templates into the slides of one; `open_source` returns a template by its name.

    `report` is called with each reference that leads nowhere.
    """

    def __init__(
        self,
        target: Target,
        grafts: Grafts,
        open_source: Callable[[str], Source | None],
        report: Callable[[ShapeReference, UnresolvedReference], None],
    ) -> None:
        self._target, self._grafts = target, grafts
        self._open, self._report = open_source, report

    def insert(self, part: str) -> None:
        """Replace the shapes of a slide that refer to others, and those in these."""
        root = parse(self._target.read(part))
        passed: dict[Element, tuple[ShapeReference, ...]] = {}
        given_up: set[Element] = set()
        while found := next((one for one in _list_references(root) if one[0] not in given_up), None):
            shape, reference, rest = found
            around = next((passed[one] for one in (shape, *shape.iterancestors()) if one in passed), ())
            copied = self._find(reference, around)
            if isinstance(copied, UnresolvedReference):
                self._report(reference, copied)
                given_up.add(shape)
                continue
            source, other = copied
            new = self._copy(source, other, shape, part, rest)
            passed[new] = (*around, reference)
        self._target.rewrite(part, root)

    def _find(
        self, reference: ShapeReference, around: tuple[ShapeReference, ...]
    ) -> tuple[Source, FoundShape] | UnresolvedReference:
        if reference in around or len(around) >= DEEPEST:
            way = " → ".join(map(str, (*around, reference)))
            return UnresolvedReference("shared-shape-circle", f"shapes refer to each other in a circle: {way}")
        source = self._open(reference.template)
        if source is None:
            return UnresolvedReference("shared-shape-missing", f"there is no template {reference.template!r}")
        shapes = {name: found for found in reversed(list(_list_shapes(source))) if (name := _name(found.element))}
        found = shapes.get(reference.shape)
        if found is None:
            near = suggest(reference.shape, list(shapes))
            reason = f"the template {reference.template!r} has no shape {reference.shape!r}{near}"
            return UnresolvedReference("shared-shape-missing", reason)
        return source, found

    def _copy(self, source: Source, found: FoundShape, place: Element, part: str, rest: str) -> Element:
        """Return a copy of a shape that stands in the place of another, whose remaining directives it takes over."""
        frame, room = find_frame(found.element, found.part, source.package), read_own_frame(place)
        frame = read_own_frame(found.element) or _read_graphic_frame(found.element) or frame
        copy = deepcopy(found.element)
        copy.tail = None
        for holder in copy.iter(P + "nvPr"):
            for placeholder in holder.findall(P + "ph"):
                holder.remove(placeholder)
        if frame is not None and room is not None:
            factor = min(1.0, room.width / frame.width, room.height / frame.height)
            _place(copy, frame, room, factor)
            if factor < 1:
                scale_contents(copy, factor)
        self._relate(copy, source, found.part, part)
        _renumber(copy, place)
        _take_over(copy, rest)
        parent = place.getparent()
        if parent is not None:
            parent.insert(parent.index(place), copy)
            remove(place)
        return copy

    def _relate(self, copy: Element, source: Source, origin: str, part: str) -> None:
        """Copy what a shape refers to, under ids that are free in the slide."""
        known = {one.id: one for one in source.package.relationships(origin)}
        related = list(self._target.list_related(part))
        ids: dict[str, str] = {}
        for element in copy.iter():
            for attribute, identifier in element.attrib.items():
                if not attribute.startswith(R) or identifier not in known:
                    continue
                if identifier not in ids:
                    new = f"rId{highest_id(related) + 1}"
                    copied = self._grafts.copy_relationship(source, known[identifier], part, new)
                    related += [copied] if copied else []
                    ids[identifier] = new
                element.set(attribute, ids[identifier])
        if ids:
            self._target.relate(part, related)


def _list_references(root: Element) -> Iterator[tuple[Element, ShapeReference, str]]:
    """Yield the shapes that refer to another one, with their alternative texts without that."""
    for properties in list(root.iter(P + "cNvPr")):
        text = properties.get("descr", "") or ""
        if "{{" not in text:
            continue
        _, directives = split_alternative_text(text)
        directive = next((one for one in directives if one.shape), None)
        shape = next(properties.iterancestors(*_SHAPES), None)
        if directive and directive.shape and shape is not None and can_stand_in(shape):
            yield shape, directive.shape, _without(text, directive)


def _without(text: str, directive: Directive) -> str:
    """Return an alternative text without a directive."""
    start = next(
        (
            at
            for at in range(len(text))
            if text.startswith("{{", at)
            for piece in (text[at : text.find("}}", at) + 2],)
            if any(one.shape == directive.shape for one in split_alternative_text(piece)[1])
        ),
        0,
    )
    return (text[:start] + text[text.find("}}", start) + 2 :]).strip()


def _list_shapes(source: Source) -> Iterator[FoundShape]:
    for slide in source.template.plan.slides:
        part = slide.parts[0].full_name
        root = source.package.peek(part)
        for shape in root.iter(*_SHAPES) if root is not None else ():
            yield FoundShape(shape, part)


def _name(shape: Element) -> str:
    properties = find_child(next(iter(shape.iterchildren()), shape), P + "cNvPr")
    return (properties.get("name", "") or "") if properties is not None else ""


def _read_graphic_frame(shape: Element) -> Frame | None:
    transform = shape.find(P + "xfrm")
    return read_frame(transform) if transform is not None else None


def _place(copy: Element, frame: Frame, room: Frame, factor: float) -> None:
    """Move and scale a shape into the middle of its room."""
    width, height = round(frame.width * factor), round(frame.height * factor)
    x, y = room.x + (room.width - width) // 2, room.y + (room.height - height) // 2
    transform = copy.find(P + "xfrm")
    if transform is None:
        properties = next((one for one in copy.iterchildren() if local_name(one) in _PROPERTIES), None)
        if properties is None:
            return
        transform = properties.find(A + "xfrm")
        if transform is None:
            transform = deepcopy(frame.element)
            properties.insert(0, transform)
    for child in transform.iterchildren(A + "off"):
        child.set("x", str(x))
        child.set("y", str(y))
    for child in transform.iterchildren(A + "ext"):
        child.set("cx", str(width))
        child.set("cy", str(height))


def _renumber(copy: Element, place: Element) -> None:
    """Give a copy the id of the shape that it replaces, and what is in it free ones."""
    root = list(place.iterancestors())[-1]
    used = [_read_id(one) for one in root.iter("{*}cNvPr")]
    highest, own = max(used, default=0), next(iter(place.iter(P + "cNvPr")), None)
    ids: Mapping[str, str] = {}
    for number, properties in enumerate(copy.iter("{*}cNvPr")):
        new = (own.get("id", "") or "") if own is not None and not number else str(highest + number)
        ids = {**ids, properties.get("id", "") or "": new}
        properties.set("id", new)
    for end in copy.iter(*_CONNECTED):
        end.set("id", ids.get(end.get("id", "") or "", "0"))


def _read_id(properties: Element) -> int:
    text = properties.get("id", "") or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else 0


def _take_over(copy: Element, rest: str) -> None:
    """Put the directives of the replaced shape before the copy's alternative text."""
    properties = next(iter(copy.iter(P + "cNvPr")), None)
    if properties is not None and rest:
        own = properties.get("descr", "") or ""
        properties.set("descr", f"{rest} {own}".strip())
