"""Mark what `{{push}}` moves: the shapes below the one in whose alternative text it stands."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.directives.shapes import drop_unless
from meetdeck.present.deck.compile.directives.shaping import give_transform
from meetdeck.present.deck.compile.marking.pushes import PushedElement, PushPlan
from meetdeck.present.deck.findings import Place
from meetdeck.present.deck.fitting.floors import Bounds, read_bounds
from meetdeck.present.deck.fitting.pushing import PushedShape
from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU, read_length
from meetdeck.present.deck.opc.xml import MC, A, Element, P
from meetdeck.present.deck.presentation.geometry import Frame, drawn_size, find_placeholder, shape_id
from meetdeck.present.deck.program.scope import Scope

_SHAPES: Final = (P + "sp", P + "pic", P + "graphicFrame", P + "grpSp", P + "cxnSp")
_ALTERNATIVES: Final = (MC + "AlternateContent", MC + "Choice", MC + "Fallback")
_GLUED: Final = (A + "stCxn", A + "endCxn")
_STAYING: Final = frozenset({"dt", "ftr", "sldNum"})
_TOLERANCE: Final = 1.0


class _Stays(NamedTuple):
    """The condition of a shape that only the slides before the last one of a table leave out."""

    def holds(self, scope: Scope) -> bool:  # noqa: ARG002 - see `Condition`
        """Return that it stays."""
        return True


def mark_pushing(pushers: Mapping[Element, Place], context: PartContext) -> None:
    """Mark the shapes below some shapes of a slide to be moved, before anything changes their places."""
    tree = next((tree for one in pushers for tree in one.iterancestors(P + "spTree")), None)
    if tree is None:
        return
    edges = {one: bounds for one in pushers if (bounds := _read_edges(one, context)) is not None}
    plan = PushPlan(edges, pushers, [], [], {})
    context.plan_pushing(plan)
    siblings = (shape for one in edges for shape in _list_siblings(one))
    shapes = dict.fromkeys([*_list_shapes(tree), *siblings])
    glued = {shape: ids for shape in shapes if shape.tag == P + "cxnSp" and (ids := _list_glued(shape))}
    for shape in shapes:
        if shape not in glued:
            _add_pushed(shape, plan, context)
    pushed = {shape_id(inner) for one in plan.pushed for inner in one.shape.iter(*_SHAPES)}
    for shape, ids in glued.items():
        if pushed.issuperset(ids):
            _add_pushed(shape, plan, context)
        if not pushed.isdisjoint(ids):
            plan.glued.append(shape)
    for one in plan.pushed:
        context.markers.wrap(one.shape, lambda body, slot=one.slot: PushedShape(slot, body))
    for pusher in edges:
        if _may_continue(pusher):
            below = [one.shape for one in plan.list_below(pusher) if not one.carriers]
            left_out = (drop_unless(_Stays(), shape, context) for shape in dict.fromkeys([*below, *plan.glued]))
            plan.left_out[pusher] = frozenset(left_out)


def _add_pushed(shape: Element, plan: PushPlan, context: PartContext) -> None:
    """Add a shape to the plan if it lies wholly below a pusher and does not stay."""
    placeholder, bounds = find_placeholder(shape), read_bounds(shape, context.part.name, context.package)
    if bounds is None or (placeholder is not None and placeholder.get("type") in _STAYING):
        return
    above = tuple(one for one, edge in plan.pushers.items() if _is_below(shape, bounds, one, edge))
    if above and (shape.tag == P + "graphicFrame" or give_transform(shape, context) is not None):
        slot, carriers = f"push-{len(plan.pushed)}", plan.carriers(shape)
        plan.pushed.append(PushedElement(shape, slot, bounds, _read_scale(shape), above, carriers))


def _read_edges(shape: Element, context: PartContext) -> Bounds | None:
    bounds = read_bounds(shape, context.part.name, context.package)
    rows = sum(read_length(row.get("h")) for row in shape.iter(A + "tr")) if shape.tag == P + "graphicFrame" else 0
    return bounds._replace(bottom=max(bounds.bottom, bounds.top + rows)) if bounds is not None else None


def _is_below(shape: Element, bounds: Bounds, pusher: Element, edges: Bounds) -> bool:
    is_around = shape is pusher or shape in pusher.iterancestors() or pusher in shape.iterancestors()
    return not is_around and bounds.top >= edges.bottom - _TOLERANCE


def _list_shapes(container: Element) -> Iterator[Element]:
    """Yield the shapes of a slide or group, each form of one with alternatives."""
    for child in container.iterchildren(*_SHAPES, *_ALTERNATIVES):
        if child.tag in _ALTERNATIVES:
            yield from _list_shapes(child)
        else:
            yield child


def _list_siblings(pusher: Element) -> Iterator[Element]:
    group = next(pusher.iterancestors(P + "grpSp"), None)
    yield from _list_shapes(group) if group is not None else ()


def _list_glued(connector: Element) -> list[str]:
    """Return the ids of the shapes that a connector is glued to."""
    return [one.get("id", "") or "" for one in connector.iter(*_GLUED)]


def _read_scale(shape: Element) -> float:
    """Return the points of a unit of a shape's place."""
    unit = Frame(shape, 0, 0, 1, 1)
    return drawn_size(shape, unit)[1] * POINTS_PER_EMU


def _may_continue(pusher: Element) -> bool:
    texts = (carrier.text or "" for carrier in pusher.iter(A + "t"))
    said = (properties.get("descr") or "" for properties in pusher.iter("{*}cNvPr"))
    return any("continue" in text for text in (*texts, *said))
