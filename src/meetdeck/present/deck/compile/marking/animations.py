"""Compile animations that move paragraphs, series or categories one by one, when the data decides how many there are.

The key of a shape's paragraphs is its id, that of a chart's elements the id and what is moved at once. `find_animated`
runs before the text is marked, `mark_animations` after it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, groupby, pairwise
from typing import Final

from meetdeck.present.deck.compile.charts.chart import read_source
from meetdeck.present.deck.compile.context import PartContext
from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, Tag
from meetdeck.present.deck.opc.xml import A, Element, P, R, local_name
from meetdeck.present.deck.presentation.paragraphs import ParagraphText, paragraph_text
from meetdeck.present.deck.program.animations.nodes import (
    AnimatedBody,
    AnimatedChart,
    Build,
    BuildList,
    ChartIndex,
    Children,
    Delay,
    Move,
    NodeId,
    NodeReference,
    ParagraphEdge,
    ParagraphStart,
    Run,
    Step,
    Target,
    Timeline,
    TimeNode,
)
from meetdeck.present.deck.program.animations.state import ChartStep
from meetdeck.present.deck.program.scope import Program

_TARGET: Final = P + "spTgt"
_CHART: Final = f"{P}graphicEl/{A}chart"
_CHART_STEPS: Final = frozenset({"series", "category", "ptInSeries", "ptInCategory"})
_CONTAINERS: Final = frozenset({"par", "seq", "excl"})
_CHILDREN: Final = ("childTnLst", "subTnLst")
# More digits than any slide has paragraphs or milliseconds.
_LONGEST: Final = 9


@dataclass(slots=True)
class _Body:
    """A text body that is animated by paragraph: `lengths` in characters as a:charRg counts them.

    `chains` are the blocks around each paragraph, outermost first.
    """

    lengths: list[int]
    repeating: frozenset[int]
    chains: tuple[tuple[int, ...], ...]


@dataclass(slots=True)
class AnimatedShapes:
    """The elements of a slide that are animated one by one and decided by the data."""

    bodies: dict[str, _Body] = field(default_factory=dict[str, _Body])
    charts: dict[str, AnimatedChart] = field(default_factory=dict[str, AnimatedChart])

    def __bool__(self) -> bool:
        return bool(self.bodies or self.charts)


def find_animated(root: Element, context: PartContext) -> AnimatedShapes:
    """Return the animated text bodies and charts, if any, and mark the paragraphs that are counted."""
    animated = AnimatedShapes()
    for timing in root.iter(P + "timing"):
        targets = [target for target in timing.iter(_TARGET) if next(target.iterchildren(), None) is not None]
        texts = {target.get("spid", "") or "" for target in targets if target.find(P + "txEl") is not None}
        ranges = {target.get("spid", "") or "" for target in targets if target.find(f"{P}txEl/{P}charRg") is not None}
        for shape in root.iter(P + "sp") if texts else ():
            spid = _shape_id(shape)
            body = shape.find(P + "txBody")
            # The fallback for other programs has the same id, after the shape itself.
            if spid not in texts or spid in animated.bodies or body is None:
                continue
            if found := _read_body(body, is_by_character=spid in ranges):
                animated.bodies[spid] = found
                _mark_paragraphs(body, spid, found.chains, context.markers)
        steps = {(target.get("spid", "") or "", chart.get("bldStep", "")) for target, chart in _chart_targets(targets)}
        for frame in root.iter(P + "graphicFrame") if steps else ():
            animated.charts |= _read_chart(
                frame, [kind or "" for spid, kind in steps if spid == _shape_id(frame)], context
            )
    return animated


def _mark_paragraphs(body: Element, spid: str, chains: tuple[tuple[int, ...], ...], markers: Markers) -> None:
    # Marked first, so that later steps that read the whole text do not see the counting.
    markers.wrap(body, lambda inside: AnimatedBody(spid, chains, inside))
    for number, paragraph in enumerate(body.findall(A + "p")):
        paragraph.text = markers.node(ParagraphStart(number)) + (paragraph.text or "")


def _shape_id(shape: Element) -> str:
    properties = next(shape.iter("{*}cNvPr"), None)
    return (properties.get("id", "") or "") if properties is not None else ""


def _chart_targets(targets: Iterable[Element]) -> Iterator[tuple[Element, Element]]:
    for target in targets:
        chart = target.find(_CHART)
        if chart is not None:
            yield target, chart


def _read_body(body: Element, *, is_by_character: bool) -> _Body | None:
    """Return a body whose paragraphs depend on the data, or, if animated by character, its text."""
    repeating: set[int] = set()
    lengths: list[int] = []
    chains: list[tuple[int, ...]] = []
    open_blocks: list[int] = []
    blocks, has_tags = count(), False
    for number, paragraph in enumerate(body.findall(A + "p")):
        lengths.append(len(paragraph_text(paragraph)) + 1)
        found = [one.construct for one in ParagraphText(paragraph).scan()]
        has_tags = has_tags or bool(found)
        if open_blocks or any(map(_repeats, found)):
            repeating.add(number)
        around = list(open_blocks)
        for construct in found:
            if isinstance(construct, BlockStart):
                open_blocks.append(next(blocks))
                around.append(open_blocks[-1])
            elif isinstance(construct, BlockEnd) and open_blocks:
                open_blocks.pop()
        chains.append(tuple(around))
    if not repeating and not (has_tags and is_by_character):
        return None
    return _Body(lengths, frozenset(repeating), tuple(chains))


def _repeats(construct: object) -> bool:
    is_markdown = isinstance(construct, Tag) and bool(construct.filters) and construct.filters[-1].name == "markdown"
    return is_markdown or isinstance(construct, BlockStart)


def _read_chart(frame: Element, kinds: Iterable[str], context: PartContext) -> dict[str, AnimatedChart]:
    """Return the chart in a frame by key, if the data fills it."""
    spid = _shape_id(frame)
    identifiers = (reference.get(R + "id", "") or "" for reference in frame.iter("{*}chart"))
    filled = next(((one, filling) for one in identifiers if (filling := context.find_chart(one))), None)
    part = context.part.target(filled[0]) if filled else None
    root = context.package.peek(part) if part else None
    read = read_source(root, filled[1]) if filled and root is not None else None
    if read is None:
        return {}
    rules = context.slots_by_shape().get(spid, frozenset())
    return {
        f"{spid}/{kind}": AnimatedChart(read.source, ChartStep(kind, read.series, read.points), rules)
        for kind in kinds
        if kind in _CHART_STEPS
    }


def mark_animations(root: Element, animated: AnimatedShapes, markers: Markers) -> None:
    """Mark the animations of a slide whose elements come from the data."""
    for timing in root.iter(P + "timing"):
        next_id = max((_number(node.get("id")) or 0 for node in timing.iter(P + "cTn")), default=0) + 1
        writer = _Marker(animated, markers)
        for nodes in timing.findall(P + "tnLst"):
            _mark_ids(nodes, markers)
            writer.mark_children(nodes, repeats=False)
        for builds in timing.findall(P + "bldLst"):
            _mark_builds(builds, animated, markers)
        markers.wrap(timing, lambda inside, next_id=next_id: Timeline(animated.charts, next_id, inside))


def _mark_ids(nodes: Element, markers: Markers) -> None:
    for common in nodes.iter(P + "cTn"):
        if (number := _number(common.get("id"))) is not None:
            common.set("id", markers.node(NodeId(number)))
    for reference in nodes.iter(P + "tn"):
        if (number := _number(reference.get("val"))) is not None:
            reference.set("val", markers.node(NodeReference(number)))


def _mark_builds(builds: Element, animated: AnimatedShapes, markers: Markers) -> None:
    spids = {*animated.bodies, *(key.partition("/")[0] for key in animated.charts)}
    for build in list(builds.iterchildren()):
        spid = build.get("spid", "") or ""
        markers.wrap(build, lambda inside, spid=spid if spid in spids else "": Build(spid, inside))
    markers.wrap(builds, BuildList)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= _LONGEST else None


class _Marker:
    """Marks the time nodes of one slide."""

    def __init__(self, animated: AnimatedShapes, markers: Markers) -> None:
        self._animated = animated
        self._markers = markers

    def mark_children(self, nodes: Element, *, repeats: bool, follows: bool = False) -> Callable[[Program], Children]:
        """Mark the time nodes in a list, and return a function that makes a node of the list.

        `repeats` says whether they may be written more than once.
        """
        children = list(nodes.iterchildren())
        lengths = _lengths(children) if repeats and not follows else [0] * len(children)
        steps = [self._find_step(node, length) for node, length in zip(children, lengths, strict=True)]
        for node, length in zip(children, lengths, strict=True):
            self._mark_node(node, repeats=repeats, length=length, follows=follows)
        runs = tuple(_list_runs(steps)) if repeats and not follows else ()
        return lambda inside: Children(len(children), runs, inside)

    def _find_step(self, node: Element, length: int) -> Step | None:
        """Return the step that a time node is if everything it animates is repeated paragraphs of one body."""
        keys = [self._origins(target)[0] for target in node.iter(_TARGET)]
        targets = self._targets(node)
        is_step = local_name(node) in _CONTAINERS and len(targets) == 1 and all(keys)
        if not is_step or targets[0].key not in self._animated.bodies or not targets[0].origins <= targets[0].repeating:
            return None
        return Step(targets[0], length)

    def _mark_node(self, node: Element, *, repeats: bool, length: int, follows: bool) -> None:
        name, markers = local_name(node), self._markers
        targets = self._targets(node)
        spids = frozenset(target.get("spid", "") or "" for target in node.iter(_TARGET))
        if name not in _CONTAINERS:
            self._mark_elements(node)
            markers.wrap(node, lambda inside: Move(targets, spids, follows, inside))
            self._mark_lists(node, repeats=repeats)
            return
        if length:
            _mark_delay(node, markers)
        # Only the steps of a sequence repeat, and what is inside of them.
        self._mark_lists(node, repeats=repeats or name == "seq")
        if not follows:
            markers.wrap(node, lambda inside: TimeNode(targets, repeats, length, inside))

    def _mark_lists(self, node: Element, *, repeats: bool) -> None:
        for name in _CHILDREN:
            for nodes in node.findall(f"{P}cTn/{P}{name}"):
                self._markers.wrap(nodes, self.mark_children(nodes, repeats=repeats, follows=name == "subTnLst"))

    def _targets(self, node: Element) -> tuple[Target, ...]:
        origins: dict[str, set[int]] = {}
        for target in node.iter(_TARGET):
            key, found = self._origins(target)
            if key:
                origins.setdefault(key, set()).update(found)
        return tuple(Target(key, frozenset(found), self._repeating(key)) for key, found in origins.items())

    def _repeating(self, key: str) -> frozenset[int]:
        if key in self._animated.bodies:
            return self._animated.bodies[key].repeating
        return frozenset({self._animated.charts[key].step.total - 1})

    def _origins(self, target: Element) -> tuple[str, range]:
        """Return the key and numbers of a target's elements in the template; an empty key if it is never dropped."""
        spid, text, chart = target.get("spid", "") or "", target.find(P + "txEl"), target.find(_CHART)
        if text is not None and spid in self._animated.bodies:
            return spid, _read_range(text, self._animated.bodies[spid])
        key = f"{spid}/{chart.get('bldStep', '')}" if chart is not None else ""
        if chart is None or key not in self._animated.charts:
            return "", range(0)
        series, category = (_number(chart.get(name)) or 0 for name in ("seriesIdx", "categoryIdx"))
        place = self._animated.charts[key].step.place(series, category)
        return key, range(place, place + 1)

    def _mark_elements(self, node: Element) -> None:
        """Write into a behaviour which of the deck's elements it moves."""
        for target in node.iter(_TARGET):
            key, _ = self._origins(target)
            chart = target.find(_CHART)
            if key in self._animated.charts and chart is not None:
                chart.set("seriesIdx", self._markers.node(ChartIndex(key, is_category=False)))
                chart.set("categoryIdx", self._markers.node(ChartIndex(key, is_category=True)))
            for paragraphs in target.findall(f"{P}txEl/*") if key in self._animated.bodies else ():
                # Characters differ between decks; their paragraphs are known.
                paragraphs.tag = P + "pRg"
                paragraphs.set("st", self._markers.node(ParagraphEdge(key, is_last=False)))
                paragraphs.set("end", self._markers.node(ParagraphEdge(key, is_last=True)))


def _list_runs(steps: Sequence[Step | None]) -> Iterator[Run]:
    """Yield where two or more time nodes in a row animate repeated paragraphs of the same body."""
    start = 0
    for key, together in groupby(steps, lambda step: step.target.key if step else ""):
        members = list(together)
        if key and len(members) > 1:
            yield Run(start, tuple(step for step in members if step))
        start += len(members)


def _read_range(text: Element, body: _Body) -> range:
    """Return the numbers of the paragraphs in a target's range of paragraphs or of characters."""
    edges = next(text.iterchildren(), None)
    start, end = (_number(edges.get(name)) if edges is not None else None for name in ("st", "end"))
    if start is None or end is None:
        return range(0)
    if edges is not None and local_name(edges) == "pRg":
        return range(start, min(end, len(body.lengths) - 1) + 1)
    ends = [sum(body.lengths[: number + 1]) for number in range(len(body.lengths))]
    touched = [number for number, edge in enumerate(ends) if edge > start and edge - body.lengths[number] < max(end, 1)]
    return range(touched[0], touched[-1] + 1) if touched else range(0)


def _delay_of(node: Element) -> Element | None:
    """Return the condition with a node's delay after its parent's start, in milliseconds."""
    conditions = node.findall(f"{P}cTn/{P}stCondLst/{P}cond")
    return conditions[0] if len(conditions) == 1 and _number(conditions[0].get("delay")) is not None else None


def _lengths(nodes: list[Element]) -> list[int]:
    """Return how much later than each node the next one begins: for the last one, its duration."""
    delays = [_number(found.get("delay")) if (found := _delay_of(node)) is not None else None for node in nodes]
    if len(nodes) < 2 or None in delays:  # noqa: PLR2004 - one has none behind it
        return [0] * len(nodes)
    begins = [delay or 0 for delay in delays]
    lengths = [max(0, after - before) for before, after in pairwise(begins)]
    return [*lengths, _duration(nodes[-1]) if any(lengths) else 0]


def _duration(node: Element) -> int:
    """Return the longest duration among a node's behaviours."""
    return max((_number(common.get("dur")) or 0 for common in node.iter(P + "cTn")), default=0)


def _mark_delay(node: Element, markers: Markers) -> None:
    condition = _delay_of(node)
    if condition is not None:
        condition.set("delay", markers.node(Delay(_number(condition.get("delay")) or 0)))
