"""Animations and connectors of shapes that the data may leave out: PowerPoint repairs what names a missing shape."""

from collections.abc import Mapping, Sequence
from typing import Final

from meetdeck.present.deck.compile.markers import Marks
from meetdeck.present.deck.opc.xml import A, Element, P, local_name
from meetdeck.present.deck.program.conditions import ShapeRule
from meetdeck.present.deck.program.nodes import Range, WhileAnyIsLeft

# The names of the shapes (slots) with which one target of an animation goes; empty for a target that always stays.
_Targets = list[frozenset[str]]

_CONDITIONS: Final = tuple(P + name for name in ("stCondLst", "endCondLst", "nextCondLst", "prevCondLst"))
_CONTAINERS: Final = frozenset({"par", "seq", "excl"})


def mark_shape_references(root: Element, rules: Sequence[ShapeRule], marks: Marks) -> None:
    """Make animations, builds and connections go with the shapes that they are about."""
    slots: dict[str, frozenset[str]] = {}
    for rule in rules:
        for identifier in rule.ids:
            slots[identifier] = slots.get(identifier, frozenset()) | {rule.slot}
    if not slots:
        return
    for connection in list(root.iter(A + "stCxn", A + "endCxn")):
        _wrap_any(connection, slots.get(connection.get("id", "") or "", frozenset()), marks)
    for timing in root.iter(P + "timing"):
        for builds in timing.findall(P + "bldLst"):
            _wrap_all(builds, [_mark_build(build, slots, marks) for build in list(builds.iterchildren())], marks)
        targets = [target for nodes in timing.findall(P + "tnLst") for target in _mark_nodes(nodes, slots, marks)]
        _wrap_all(timing, targets, marks)


def _mark_build(build: Element, slots: Mapping[str, frozenset[str]], marks: Marks) -> frozenset[str]:
    target = slots.get(build.get("spid", "") or "", frozenset())
    _wrap_any(build, target, marks)
    return target


def _mark_nodes(nodes: Element, slots: Mapping[str, frozenset[str]], marks: Marks) -> _Targets:
    """Mark the time nodes below an element, innermost first, and return what they are about."""
    found: _Targets = []
    for node in list(nodes.iterchildren()):
        targets = _targets_of(node, slots, marks)
        _wrap_all(node, targets, marks)
        found += targets
    return found


def _targets_of(node: Element, slots: Mapping[str, frozenset[str]], marks: Marks) -> _Targets:
    if local_name(node) not in _CONTAINERS:
        return [slots.get(target.get("spid", "") or "", frozenset()) for target in node.iter(P + "spTgt")] or [
            frozenset()
        ]
    _wrap_any(node, _triggers(node, slots), marks)
    children = [nodes for name in ("childTnLst", "subTnLst") for nodes in node.findall(f"{P}cTn/{P}{name}")]
    return [target for nodes in children for target in _mark_nodes(nodes, slots, marks)] or [frozenset()]


def _triggers(node: Element, slots: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Return the shapes that a sequence waits for: without them it never begins."""
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


def _wrap_any(element: Element, slots: frozenset[str], marks: Marks) -> None:
    """Let an element go with any of the shapes."""
    for slot in sorted(slots):
        marks.wrap(element, lambda body, slot=slot: Range(slot, body))


def _wrap_all(element: Element, targets: _Targets, marks: Marks) -> None:
    """Let an element go when all that it is about has gone."""
    if targets and all(targets):
        marks.wrap(element, lambda body: WhileAnyIsLeft(tuple(targets), body))
