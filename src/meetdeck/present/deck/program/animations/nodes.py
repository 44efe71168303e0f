"""Nodes of a slide's timeline: each time node is written once for each group of its targets, never without one."""

import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.language.values import is_true
from meetdeck.present.deck.program.animations.state import (
    AnimatedElement,
    AnimatedElements,
    AnimationState,
    ChartStep,
    group,
)
from meetdeck.present.deck.program.animations.turns import Entry, WrittenParagraph, find_turns, order_by_item
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.scope import Node, Program, Scope, resolve, run

# A processing instruction, which no data can write, and which parsers of the output skip.
_MARK: Final = b"<?meetdeck-paragraph %d%s?>"
_MARKS: Final = re.compile(rb"<\?meetdeck-paragraph ([0-9]{1,9})((?: -?[0-9]{1,9})*)\?>")
_PARAGRAPHS: Final = re.compile(rb"<(?:[\w.-]+:)?p(?:[ /][^<>]*)?>(?:" + _MARKS.pattern + rb")?")
_OF_NOBODY: Final = -1
# More than anybody clicks through; further ones are visible from the start.
_MOST_CHART_ELEMENTS: Final = 1_000


class ParagraphStart(Struct, frozen=True):
    """The start of the template's paragraph `number`, from 0, in a body whose paragraphs are animated."""

    number: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the mark, with the items around it; `AnimatedBody` removes it."""
        items = b"".join([b" %d" % item.at for item in reversed(scope.items)])
        out.append(_MARK % (self.number, items))


class AnimatedBody(Struct, frozen=True):
    """A text body whose paragraphs are animated one by one; `chains` are the blocks around each, outermost first."""

    key: str
    chains: tuple[tuple[int, ...], ...]
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body, and record which of the template's paragraphs each of its paragraphs comes from."""
        inside: list[bytes] = []
        run(self.body, inside, scope)
        written = b"".join(inside)
        paragraphs = [
            WrittenParagraph(int(number) if number else _OF_NOBODY, tuple(map(int, items.split())))
            for number, items in _PARAGRAPHS.findall(written)
        ]
        turns = find_turns(paragraphs, self.chains)
        state_of(scope).elements[self.key] = tuple(
            AnimatedElement(place, paragraph.origin, turn)
            for place, (paragraph, turn) in enumerate(zip(paragraphs, turns, strict=True))
        )
        out.append(_MARKS.sub(b"", written))


def state_of(scope: Scope) -> AnimationState:
    """Return the state of the slide's animations."""
    if scope.animations is None:
        scope.animations = AnimationState()
    return scope.animations


class AnimatedChart(Struct, frozen=True):
    """A chart with data, animated by `step`; `rules` are the names of the shapes whose dropping drops it."""

    source: ChartSource
    step: ChartStep
    rules: frozenset[str]

    def read(self, scope: Scope) -> ChartStep:
        """Return how many series and points the data has, none for a dropped chart. Raises `BadData`."""
        value = resolve(self.source.directive, scope, self.source.place)
        if not self.rules.isdisjoint(scope.dropped) or not is_true(value):
            return self.step._replace(series=0, points=0)
        data = self.source.read(scope)
        points = max((data.columns[one.values].height for one in data.series), default=0)
        return self.step._replace(series=len(data.series), points=points)

    def list_elements(self, step: ChartStep) -> AnimatedElements:
        """Return the chart's animated elements; further ones are animated like the last of the template."""
        count = min(step.total, _MOST_CHART_ELEMENTS)
        return tuple(AnimatedElement(place, min(place, self.step.total - 1)) for place in range(count))


class Timeline(Struct, frozen=True):
    """All animations of a slide, left out when they have no target. `next_id` is the first free id of a time node."""

    charts: Mapping[str, AnimatedChart]
    next_id: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the timeline, unless nothing is animated."""
        state = state_of(scope)
        state.next_id = self.next_id
        for key, chart in self.charts.items():
            state.steps[key] = chart.read(scope)
            state.elements[key] = chart.list_elements(state.steps[key])
        inside: list[bytes] = []
        run(self.body, inside, scope)
        if state.moves:
            out += inside
        # The forms for programs of different ages follow each other, each with a timeline.
        scope.animations = AnimationState(state.elements)


class Target(NamedTuple):
    """The animated parts of one shape: the template's `origins`, and which of them are `repeating`."""

    key: str
    origins: frozenset[int]
    repeating: frozenset[int]


class TimeNode(Struct, frozen=True):
    """A time node that contains others; one that `repeats` is written once for each group of its targets.

    `length` is the delay, in milliseconds, of the next one.
    """

    targets: tuple[Target, ...]
    repeats: bool
    length: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the time node once for each group."""
        state = state_of(scope)
        groups = {target.key: _groups(target, state) for target in self.targets} if self.repeats else {}
        copies, shift = 0, state.shift
        for number in range(max(1, *map(len, groups.values()), 1)):
            narrowed = {key: found[number] if number < len(found) else () for key, found in groups.items()}
            before, inside = state.moves, list[bytes]()
            with _narrow(state, narrowed, is_copy=number > 0):
                state.shift = shift + copies * self.length
                run(self.body, inside, scope)
            if state.moves > before:
                out += inside
                copies += 1
        state.shift = shift + (copies - 1) * self.length


class Step(NamedTuple):
    """A time node of a run: its target, and the delay of the next one in milliseconds."""

    target: Target
    length: int


class Run(NamedTuple):
    """The time nodes, from the one numbered `start`, that animate repeated paragraphs of one body."""

    start: int
    steps: tuple[Step, ...]


class Children(Struct, frozen=True):
    """The children of a time node, `count` of them; each one's delay counts from its parent's beginning.

    Those of a run are written item by item.
    """

    count: int
    runs: tuple[Run, ...]
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the children."""
        state = state_of(scope)
        shift, state.shift = state.shift, 0
        nodes = [node for node in self.body if not isinstance(node, bytes)]
        if self.runs and len(nodes) == self.count:
            self._write_runs(nodes, out, scope)
        else:
            run(self.body, out, scope)
        state.shift = shift

    def _write_runs(self, nodes: Sequence[Node], out: list[bytes], scope: Scope) -> None:
        runs = {one.start: one.steps for one in self.runs}
        number = end = 0
        for piece in self.body:
            if isinstance(piece, bytes):
                out.append(piece)
                continue
            if steps := runs.get(number):
                end = number + len(steps)
                _write_by_item(nodes[number:end], steps, out, scope)
            elif number >= end:
                piece.write(out, scope)
            number += 1


def _write_by_item(nodes: Sequence[Node], steps: Sequence[Step], out: list[bytes], scope: Scope) -> None:
    """Append the nodes of a run, one by one for each group of its targets."""
    state, elapsed = state_of(scope), 0
    offsets, shift = list(accumulate((step.length for step in steps), initial=0)), state.shift
    entries = [
        Entry(number, members, before)
        for number, step in enumerate(steps)
        for before, members in enumerate(_groups(step.target, state))
    ]
    for entry in order_by_item(entries):
        moves, step = state.moves, steps[entry.number]
        with _narrow(state, {step.target.key: entry.members}, is_copy=entry.before > 0):
            state.shift = shift + elapsed - offsets[entry.number]
            nodes[entry.number].write(out, scope)
        if state.moves > moves:
            elapsed += step.length
    state.shift = shift + elapsed - offsets[-1]


class Move(Struct, frozen=True):
    """A behaviour that moves, shows or colors the shapes `spids`.

    One that `follows` another, like the sound of an effect, is written wherever that one is.
    """

    targets: tuple[Target, ...]
    spids: frozenset[str]
    follows: bool
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the behaviour for each group of its targets."""
        state = state_of(scope)
        if not self.targets:
            if self.follows or not state.is_copy:
                run(self.body, out, scope)
                self._count(state)
            return
        for target in self.targets:
            for number, members in enumerate(_groups(target, state)):
                with _narrow(state, {target.key: members}, is_copy=number > 0):
                    run(self.body, out, scope)
                self._count(state)

    def _count(self, state: AnimationState) -> None:
        state.moves += not self.follows
        state.moved |= self.spids


def _groups(target: Target, state: AnimationState) -> list[AnimatedElements]:
    return group(state.elements.get(target.key, ()), target.origins, target.repeating)


@contextmanager
def _narrow(state: AnimationState, elements: Mapping[str, AnimatedElements], *, is_copy: bool) -> Generator[None]:
    """Limit the animations to these elements while the block runs."""
    kept = state.elements, state.is_copy, state.ids, state.shift
    state.elements = {**state.elements, **elements}
    if is_copy:
        state.is_copy, state.ids = True, dict(state.ids)
    yield
    state.elements, state.is_copy, state.ids, state.shift = kept


class NodeId(Struct, frozen=True):
    """The id of a time node (p:cTn/@id), unique on the slide."""

    number: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the id."""
        out.append(b"%d" % state_of(scope).take_id(self.number))


class NodeReference(Struct, frozen=True):
    """The id of another time node (p:tn/@val): the one in the same copy, if there is one."""

    number: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the id."""
        out.append(b"%d" % state_of(scope).ids.get(self.number, self.number))


class Delay(Struct, frozen=True):
    """The delay of a time node in milliseconds, extended by the time that added targets before it take."""

    milliseconds: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the delay."""
        out.append(b"%d" % max(0, self.milliseconds + state_of(scope).shift))


class ParagraphEdge(Struct, frozen=True):
    """The number of the first or last animated paragraph (p:pRg)."""

    key: str
    is_last: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the number."""
        elements = state_of(scope).elements[self.key]
        out.append(b"%d" % elements[-1 if self.is_last else 0].place)


class ChartIndex(Struct, frozen=True):
    """The animated part of a chart: a:chart/@categoryIdx, else @seriesIdx."""

    key: str
    is_category: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the index."""
        state = state_of(scope)
        (element, *_) = state.elements[self.key]
        out.append(b"%d" % state.steps[self.key].indexes(element.place)[self.is_category])


class Build(Struct, frozen=True):
    """An entry of the build list, left out with its shape's last animation; `spid` is empty for one that stays."""

    spid: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the entry, unless its shape has no animation."""
        state = state_of(scope)
        if not self.spid or self.spid in state.moved:
            state.builds += 1
            run(self.body, out, scope)


class BuildList(Struct, frozen=True):
    """The build list, left out when empty: the schema requires an entry."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the list, unless it is empty."""
        inside: list[bytes] = []
        run(self.body, inside, scope)
        if state_of(scope).builds:
            out += inside
