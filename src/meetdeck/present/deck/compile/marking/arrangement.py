"""Mark what depends on growing shapes: their height, surrounding groups, connectors, and shapes they may cover."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import structs

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.marking.pushed import list_carriers, read_pushing
from meetdeck.present.deck.compile.marking.pushes import PushPlan
from meetdeck.present.deck.compile.marking.surroundings import PlacedShape, is_seen, shape_name
from meetdeck.present.deck.fitting.arrangement import (
    Arrangement,
    End,
    GluedConnector,
    GrowingGroup,
    GrowingShape,
)
from meetdeck.present.deck.fitting.floors import Bounds, bounds_of, read_bounds
from meetdeck.present.deck.fitting.own_height import OwnHeight
from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU
from meetdeck.present.deck.language.constructs import TagFinding
from meetdeck.present.deck.opc.xml import (
    MC,
    A,
    Element,
    P,
    append_text,
    find_child,
    insert_before,
    list_around,
    remove,
    serialize_inside,
)
from meetdeck.present.deck.presentation.geometry import (
    Frame,
    drawn_place,
    drawn_size,
    read_frame,
    read_own_frame,
    shape_id,
)
from meetdeck.present.deck.program.replaceable import Replaceable
from meetdeck.present.deck.program.scope import NO_PLACE, Program

_TREE: Final = (P + "cSld", P + "spTree")
_SHAPES: Final = (P + "sp", P + "pic", P + "graphicFrame", P + "grpSp", P + "cxnSp")
_AROUND_SHAPES: Final = (P + "grpSp", MC + "AlternateContent", MC + "Choice", MC + "Fallback")
_TRUE: Final = frozenset({"1", "true"})


class _Grower(NamedTuple):
    """A shape that may grow, its edges as drawn, and the size of one of its units in points."""

    shape: Element
    bounds: Bounds
    scale: float


class _Height(NamedTuple):
    """The element whose height is replaced: a shape's `a:xfrm`, or the `p:spPr` of one that inherits it."""

    holder: Element
    own: OwnHeight


class GrowingShapes:
    """The shapes of a part that may grow; their geometry is marked once all of them are known and read."""

    def __init__(self, root: Element, context: PartContext) -> None:
        self._root = root
        self._tree: Element | None = None
        self._context = context
        self._growers: list[_Grower] = []
        self._heights: list[_Height] = []

    def add_text(self, shape: Element, frame: Frame | None) -> OwnHeight | None:
        """Add a shape that grows with its text, and return a writer of its height; None if it cannot be written."""
        properties, bounds = find_child(shape, P + "spPr"), bounds_of(shape, frame) if frame is not None else None
        if frame is None or bounds is None or properties is None:
            return None
        transform = find_child(properties, A + "xfrm")
        turn = _number(frame.element.get("rot")) % 21_600_000
        if turn and (transform is None or self._context.repeats(shape)):
            return None
        scale = drawn_size(shape, frame)[1] * POINTS_PER_EMU / frame.height
        inherited = (b"", b"") if transform is not None else _whole_frame(frame, properties)
        key = shape_id(shape)
        own = OwnHeight(key, f"height-{key}", frame.height, scale, inherited, turn, frame.x, frame.y)
        self._heights.append(_Height(properties if transform is None else transform, own))
        if not turn:
            self._growers.append(_Grower(shape, bounds, scale))
        return own

    def add_table(self, frame: Element, height: float) -> str:
        """Add a table with the heights of its rows in the template, and return its key."""
        bounds = read_bounds(frame, self._context.part.name, self._context.package)
        if bounds is not None:
            bounds = bounds._replace(bottom=max(bounds.bottom, bounds.top + height))
            self._growers.append(_Grower(frame, bounds, POINTS_PER_EMU))
        return shape_id(frame)

    def mark(self) -> None:
        """Mark the heights, then what depends on them around each repeated shape and around all shapes."""
        cards = self._context.list_repeated()
        self._tree = find_child(self._root, *_TREE) if self._growers or self._heights or cards else None
        if self._tree is None:
            self._report_idle(())
            return
        inside: dict[Element, list[_Grower]] = {}
        for grower in self._growers:
            inside.setdefault(self._container(grower.shape), []).append(grower)
        for card in cards:
            if (bounds := read_bounds(card, self._context.part.name, self._context.package)) and (
                frame := read_own_frame(card)
            ):
                scale = drawn_size(card, frame)[1] * POINTS_PER_EMU / frame.height
                inside.setdefault(self._tree, []).append(_Grower(card, bounds, scale))
        self._report_idle(grower.shape for growers in inside.values() for grower in growers)
        # Read first, since marks are not numbers.
        made = [(container, self._read(container, growers)) for container, growers in inside.items()]
        for height in self._heights:
            self._mark_height(height)
        for container, (arrangement, groups, connectors) in made:
            covers = any(one.neighbors for one in arrangement.growing)
            if not (groups or connectors or covers or arrangement.pushing):
                continue
            for group, element in zip(arrangement.groups, groups, strict=True):
                self._mark_group(group, element)
            for connector, element in zip(arrangement.connectors, connectors, strict=True):
                self._replace(element, connector.slot)
            self._wrap(container, arrangement)

    def _report_idle(self, growing: Iterable[Element]) -> None:
        """Report the pushers that never grow."""
        plan, shapes = self._context.pushes, set(growing)
        for shape in plan.pushers if plan else ():
            if shape not in shapes:
                message = (
                    "{{push}} moves what is below a table or a text box that grow with the data (Resize shape to fit "
                    "text), or a repeated shape: put it into the alternative text of one."
                )
                finding = TagFinding("Warning", "missing-target", message, "{{push}}")
                self._context.report(plan.places[shape] if plan else NO_PLACE, finding)

    def _container(self, shape: Element) -> Element:
        """Return the repeated shape around a shape, or the shape itself when it repeats, else the tree."""
        around = (shape, *shape.iterancestors(*_SHAPES)) if self._context.list_repeated() else ()
        cards = (one for one in around if self._context.repeats(one))
        return next(cards, self._tree if self._tree is not None else shape)

    def _read(self, container: Element, growers: list[_Grower]) -> tuple[Arrangement, list[Element], list[Element]]:
        plan = self._context.pushes if container is self._tree else None
        groups, connectors = _list_groups(container, growers), self._list_connectors(container, growers, plan)
        others = self._list_others(growers) if container is self._tree and self._context.slide else []
        slots = self._context.slots_by_shape()
        growing = tuple(self._read_grower(one, others, connectors, slots) for one in growers)
        arrangement = Arrangement(
            self._context.part.kind,
            growing,
            tuple(_read_group(group, growers, groups, plan) for group in groups),
            tuple(glued for _, glued in connectors),
            read_pushing(plan, growing, others, self._context) if plan else None,
            (),
        )
        return arrangement, groups, [connector for connector, _ in connectors]

    def _list_connectors(
        self, container: Element, growers: Iterable[_Grower], plan: PushPlan | None
    ) -> list[tuple[Element, GluedConnector]]:
        return list(_read_connectors(container, growers, plan)) if self._context.may_hold(b"cxnSp") else []

    def _list_others(self, growers: list[_Grower]) -> list[PlacedShape]:
        around = {group for one in growers for group in list_around(one.shape, P + "grpSp")}
        tree, part = self._tree, self._context.part.name
        return self._context.template.surroundings.list_shapes(tree, part, around) if tree is not None else []

    def _read_grower(
        self,
        one: _Grower,
        others: Iterable[PlacedShape],
        connectors: Iterable[tuple[Element, GluedConnector]],
        slots: Mapping[str, frozenset[str]],
    ) -> GrowingShape:
        key = shape_id(one.shape)
        glued = {connector for connector, form in connectors if any(end and end.key == key for end in form.ends)}
        form = GrowingShape(key, shape_name(one.shape), one.bounds, one.scale, ())
        is_card = self._context.repeats(one.shape)
        order = next((other.order for other in others if other.shape is one.shape), 0)
        neighbors = tuple(
            other.as_neighbor(slots)
            for other in others
            if other.shape is not one.shape
            and other.shape not in glued
            and form.may_cover(other.bounds, is_behind=other.order < order, is_card=is_card)
            and is_seen(other.shape)
        )
        return structs.replace(form, neighbors=neighbors)

    def _mark_height(self, height: _Height) -> None:
        own, holder, markers = height.own, height.holder, self._context.markers
        if own.inherited[0]:
            holder.text = markers.node(Replaceable(own.slot, b"")) + (holder.text or "")
            return
        extent = find_child(holder, A + "ext")
        if extent is not None:
            extent.set("cy", markers.node(Replaceable(own.slot, b"%d" % own.own)))
        offset = find_child(holder, A + "off") if own.turn else None
        if offset is not None:
            for name, length in (("x", own.x), ("y", own.y)):
                offset.set(name, markers.node(Replaceable(f"{own.slot}-{name}", b"%d" % length)))

    def _mark_group(self, group: GrowingGroup, element: Element) -> None:
        for slot, name, height in zip(group.slots, ("ext", "chExt"), (group.height, group.inner), strict=True):
            extent = element.find(f"{P}grpSpPr/{A}xfrm/{A}{name}")
            if extent is not None:
                extent.set("cy", self._context.markers.node(Replaceable(slot, b"%d" % height)))

    def _replace(self, connector: Element, slot: str) -> None:
        transform = connector.find(f"{P}spPr/{A}xfrm")
        if transform is not None:
            own = serialize_inside(transform, connector)
            insert_before(transform, self._context.markers.node(Replaceable(slot, own)))
            remove(transform)

    def _wrap(self, container: Element, form: Arrangement) -> None:
        def make(body: Program) -> Arrangement:
            return structs.replace(form, body=body)

        if container is not self._tree:
            self._context.markers.wrap(container, make)
            return
        # Outside of all marks around single shapes.
        opening, closing = self._context.markers.range(make)
        first = find_child(container, P + "grpSpPr")
        if first is None:
            container.text = opening + (container.text or "")
        else:
            first.tail = opening + (first.tail or "")
        append_text(container, closing)


def _list_groups(container: Element, growers: Iterable[_Grower]) -> list[Element]:
    """Return the groups of known size around growing shapes inside a container, innermost first."""
    groups: dict[Element, int] = {}
    for grower in growers:
        if grower.shape is container:
            continue
        for group in list_around(grower.shape, P + "grpSp"):
            transform = group.find(f"{P}grpSpPr/{A}xfrm")
            if transform is None or read_frame(transform) is None or _length(transform, "chExt") <= 0:
                break
            groups[group] = len(list(group.iterancestors()))
            if group is container:
                break
    return sorted(groups, key=lambda group: -groups[group])


def _read_group(
    group: Element, growers: Iterable[_Grower], groups: Iterable[Element], plan: PushPlan | None
) -> GrowingGroup:
    transform = group.find(f"{P}grpSpPr/{A}xfrm")
    frame = read_frame(transform) if transform is not None else None
    moving = {*(one.shape for one in growers), *groups, *(one.shape for one in (plan.pushed if plan else ()))}
    members: list[tuple[str, float]] = []
    bottoms: list[float] = []
    for child in group.iterchildren(*_SHAPES):
        own = child.find(f"{P}spPr/{A}xfrm") if child.tag != P + "grpSp" else child.find(f"{P}grpSpPr/{A}xfrm")
        if own is None:
            continue
        edge = _length(own, "off", "y") + _length(own, "ext")
        if child in moving:
            members.append((shape_id(child), edge))
        else:
            bottoms.append(edge)
    height = frame.height if frame is not None else 0
    inner = _length(transform, "chExt") if transform is not None else height
    lowest = max(bottoms, default=-math.inf)
    scale = drawn_size(group, frame)[1] * POINTS_PER_EMU / height if frame is not None else POINTS_PER_EMU
    return GrowingGroup(shape_id(group), height, inner, tuple(members), lowest, scale)


def _read_connectors(
    container: Element, growers: Iterable[_Grower], plan: PushPlan | None
) -> Iterator[tuple[Element, GluedConnector]]:
    """Yield the connectors of a container that are glued to a growing or a pushed shape."""
    drawn = list(_list_connectors(container))
    by_id = {shape_id(one.shape): one for one in growers} if drawn else {}
    carriers = list_carriers(plan) if plan and drawn else {}
    for connector in drawn:
        glued = [connector.find(f"{P}nvCxnSpPr/{P}cNvCxnSpPr/{A}{name}") for name in ("stCxn", "endCxn")]
        keys = [one.get("id", "") or "" if one is not None else "" for one in glued]
        transform = connector.find(f"{P}spPr/{A}xfrm")
        if transform is None or not any(key in by_id or key in carriers for key in keys):
            continue
        frame = _read_lengths(transform)
        place = drawn_place(connector, frame)
        if place is None:
            continue
        form = _read_connector(connector, transform, frame)
        heights = [place[1] * POINTS_PER_EMU + (y - frame.y) * form.scale for _, y in form.list_points({})]
        start, end = (
            _read_end(key, height, by_id.get(key), carriers.get(key, ()))
            for key, height in zip(keys, heights, strict=True)
        )
        yield connector, structs.replace(form, ends=(start, end), carriers=plan.carriers(connector) if plan else ())


def _read_end(key: str, height: float, grower: _Grower | None, carriers: tuple[str, ...]) -> End | None:
    share = _share(grower.bounds, height) if grower else 0
    return End(key, share, carriers) if grower or carriers else None


def _read_lengths(transform: Element) -> Frame:
    """Return the frame of an `a:xfrm`; a length that is missing is 0."""
    return Frame(
        transform,
        _length(transform, "off", "x"),
        _length(transform, "off", "y"),
        _length(transform, "ext", "cx"),
        _length(transform, "ext"),
    )


def _read_connector(connector: Element, transform: Element, frame: Frame) -> GluedConnector:
    """Return the form of a connector, without the shapes that it is glued to."""
    return GluedConnector(
        slot=f"connector-{shape_id(connector)}",
        prefix=f"{transform.prefix}:" if transform.prefix else "",
        left=frame.x,
        top=frame.y,
        width=frame.width,
        height=frame.height,
        turn=_number(transform.get("rot")),
        flips=(transform.get("flipH") in _TRUE, transform.get("flipV") in _TRUE),
        ends=(None, None),
        scale=drawn_size(connector, frame._replace(width=1, height=1))[1] * POINTS_PER_EMU,
    )


def _list_connectors(container: Element) -> Iterator[Element]:
    """Yield the connectors among and inside of the shapes of a container."""
    for child in container.iterchildren(P + "cxnSp", *_AROUND_SHAPES):
        if child.tag in _AROUND_SHAPES:
            yield from _list_connectors(child)
        else:
            yield child


def _share(bounds: Bounds, height: float) -> float:
    """Return the position of a height within a shape, as a share of the shape's height."""
    return min(max((height - bounds.top) / max(bounds.bottom - bounds.top, 1), 0), 1)


def _whole_frame(frame: Frame, properties: Element) -> tuple[bytes, bytes]:
    """Return an `a:xfrm` with a frame that the shape inherits, split before and after the height."""
    prefix = (
        f"{bound}:"
        if (bound := next((p for p, uri in properties.nsmap.items() if f"{{{uri}}}" == A and p), ""))
        else ""
    )
    place = f'<{prefix}xfrm><{prefix}off x="{frame.x}" y="{frame.y}"/><{prefix}ext cx="{frame.width}" cy="'
    return place.encode(), f'"/></{prefix}xfrm>'.encode()


def _length(transform: Element, name: str, attribute: str = "cy") -> int:
    element = transform.find(A + name)
    return _number(element.get(attribute)) if element is not None else 0


def _number(text: str | None) -> int:
    digits = (text or "").removeprefix("-")
    return int(text or "") if digits.isascii() and digits.isdigit() and len(digits) <= 12 else 0  # noqa: PLR2004 - as any length
