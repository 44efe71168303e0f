"""Read what is pushed on a slide, once it is known which shapes grow."""

from collections.abc import Iterable, Mapping, Sequence

from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.marking.pushes import PushedElement, PushPlan
from meetdeck.present.deck.compile.marking.surroundings import PlacedShape, is_seen, shape_name
from meetdeck.present.deck.fitting.arrangement import GrowingShape
from meetdeck.present.deck.fitting.neighbors import Neighbor
from meetdeck.present.deck.fitting.pushing import Pushed, Pusher, Pushing
from meetdeck.present.deck.fitting.styles import POINTS_PER_EMU
from meetdeck.present.deck.opc.xml import Element, P
from meetdeck.present.deck.presentation.geometry import shape_id

_SHAPES = tuple(P + name for name in ("sp", "pic", "graphicFrame", "grpSp", "cxnSp"))


def list_carriers(plan: PushPlan) -> dict[str, tuple[str, ...]]:
    """Return the slots of the pushed shapes that a shape is, or is in, by its id."""
    inside = (shape for one in plan.pushed for shape in one.shape.iter(*_SHAPES))
    return {shape_id(shape): plan.carriers(shape) for shape in inside}


def read_pushing(
    plan: PushPlan, growing: Iterable[GrowingShape], others: Sequence[PlacedShape], context: PartContext
) -> Pushing | None:
    """Return what the growing ones of the pushers push; None when none of them grows."""
    edges, slots = {one.key: one.bounds for one in growing}, context.slots_by_shape()
    pushers = sorted((one for one in plan.pushers if shape_id(one) in edges), key=lambda one: plan.pushers[one].top)
    numbers = {one: number for number, one in enumerate(pushers)}
    pushed = [
        _read_pushed(one, numbers, _list_neighbors(one, others, slots), slots, context)
        for one in plan.pushed
        if any(above in numbers for above in one.above)
    ]
    if not pushed:
        return None
    return Pushing(
        tuple(
            Pusher(key, edges[key].top, edges[key].bottom, slots.get(key, frozenset()), plan.carriers(one))
            for one in pushers
            for key in (shape_id(one),)
        ),
        tuple(sorted(pushed, key=lambda one: max(one.above))),
        list_carriers(plan),
        context.template.slide_size.height * POINTS_PER_EMU,
    )


def _read_pushed(
    one: PushedElement,
    numbers: Mapping[Element, int],
    neighbors: tuple[Neighbor, ...],
    slots: Mapping[str, frozenset[str]],
    context: PartContext,
) -> Pushed:
    key = shape_id(one.shape)
    return Pushed(
        key,
        shape_name(one.shape),
        one.slot,
        one.bounds,
        one.scale,
        tuple(numbers[above] for above in one.above if above in numbers),
        one.carriers,
        slots.get(key, frozenset()),
        context.repeats(one.shape),
        neighbors,
    )


def _list_neighbors(
    one: PushedElement, others: Iterable[PlacedShape], slots: Mapping[str, frozenset[str]]
) -> tuple[Neighbor, ...]:
    """Return the shapes over which it may be moved."""
    around = {one.shape, *one.shape.iter(*_SHAPES), *one.shape.iterancestors()}
    return tuple(
        other.as_neighbor(slots)
        for other in others
        if other.shape not in around
        and min(other.bounds.right, one.bounds.right) - max(other.bounds.left, one.bounds.left) > 1
        and is_seen(other.shape)
    )
