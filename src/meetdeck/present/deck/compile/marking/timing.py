"""Animations and connectors of shapes that the data may leave out.

PowerPoint repairs files with references to missing shapes.
"""

from collections.abc import Mapping
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.opc.xml import A, Element, P, local_name
from meetdeck.present.deck.program.nodes import AnyTarget, Droppable

# The slots of the shapes whose dropping removes one target of an animation; empty for a target that is never dropped.
_Targets = list[frozenset[str]]

_CONDITIONS: Final = tuple(P + name for name in ("stCondLst", "endCondLst", "nextCondLst", "prevCondLst"))
_CONTAINERS: Final = frozenset({"par", "seq", "excl"})


def mark_shape_references(root: Element, slots: Mapping[str, frozenset[str]], markers: Markers) -> None:
    """Mark animations, builds and connections to be dropped with their target shapes; `slots` by a shape's id."""
    if not slots:
        return
    for connection in list(root.iter(A + "stCxn", A + "endCxn")):
        _wrap_any(connection, slots.get(connection.get("id", "") or "", frozenset()), markers)
    for timing in root.iter(P + "timing"):
        for builds in timing.findall(P + "bldLst"):
            _wrap_all(builds, [_mark_build(build, slots, markers) for build in list(builds.iterchildren())], markers)
        targets = [target for nodes in timing.findall(P + "tnLst") for target in _mark_nodes(nodes, slots, markers)]
        _wrap_all(timing, targets, markers)


def _mark_build(build: Element, slots: Mapping[str, frozenset[str]], markers: Markers) -> frozenset[str]:
    target = slots.get(build.get("spid", "") or "", frozenset())
    _wrap_any(build, target, markers)
    return target


def _mark_nodes(nodes: Element, slots: Mapping[str, frozenset[str]], markers: Markers) -> _Targets:
    """Mark the time nodes below an element, innermost first, and return their targets."""
    found: _Targets = []
    for node in list(nodes.iterchildren()):
        targets = _targets_of(node, slots, markers)
        _wrap_all(node, targets, markers)
        found += targets
    return found


def _targets_of(node: Element, slots: Mapping[str, frozenset[str]], markers: Markers) -> _Targets:
    if local_name(node) not in _CONTAINERS:
        return [slots.get(target.get("spid", "") or "", frozenset()) for target in node.iter(P + "spTgt")] or [
            frozenset()
        ]
    _wrap_any(node, _triggers(node, slots), markers)
    children = [nodes for name in ("childTnLst", "subTnLst") for nodes in node.findall(f"{P}cTn/{P}{name}")]
    return [target for nodes in children for target in _mark_nodes(nodes, slots, markers)] or [frozenset()]


def _triggers(node: Element, slots: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the shapes that a sequence waits for; without them it never begins."""
    common = node.find(P + "cTn")
    conditions = [
        condition
        for parent in (node, common)
        if parent is not None
        for name in _CONDITIONS
        for condition in parent.findall(name)
    ]
    spids = [target.get("spid", "") or "" for condition in conditions for target in condition.iter(P + "spTgt")]
    return frozenset(slot for spid in spids for slot in slots.get(spid, ()))


def _wrap_any(element: Element, slots: frozenset[str], markers: Markers) -> None:
    """Drop the element when any of the shapes is dropped."""
    for slot in sorted(slots):
        markers.wrap(element, lambda body, slot=slot: Droppable(slot, body))


def _wrap_all(element: Element, targets: _Targets, markers: Markers) -> None:
    """Drop the element when all its target shapes are dropped."""
    if targets and all(targets):
        markers.wrap(element, lambda body: AnyTarget(tuple(targets), body))
