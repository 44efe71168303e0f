"""Write animations: each time node as often as there is something to move, never one that moves nothing."""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

from msgspec import Struct

from meetdeck.present.deck.language.values import is_true
from meetdeck.present.deck.program.animations.playing import ChartStep, Element, Elements, Playing, group
from meetdeck.present.deck.program.charts.source import ChartSource
from meetdeck.present.deck.program.scope import Program, Scope, resolve, run

# A processing instruction: no data can write one, and who parses what was written passes over it.
_MARK: Final = b"<?meetdeck-paragraph %d?>"
_MARKS: Final = re.compile(rb"<\?meetdeck-paragraph ([0-9]{1,9})\?>")
_PARAGRAPHS: Final = re.compile(rb"<(?:[\w.-]+:)?p(?:[ /][^<>]*)?>(?:" + _MARKS.pattern + rb")?")
_OF_NOBODY: Final = -1
# More than anybody clicks through; further ones are there from the start.
_MOST_CHART_ELEMENTS: Final = 1_000


class ParagraphMark(Struct, frozen=True):
    """The beginning of the template's paragraph number `number`, from 0, in a body whose paragraphs are counted."""

    number: int

    def write(self, out: list[bytes], scope: Scope) -> None:  # noqa: ARG002 - a piece
        """Append the mark, which `AnimatedBody` takes out."""
        out.append(_MARK % self.number)


class AnimatedBody(Struct, frozen=True):
    """A text body whose paragraphs are animated one by one."""

    key: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append the body, and note which of the template's paragraphs each of it is."""
        inside: list[bytes] = []
        run(self.body, inside, scope)
        written = b"".join(inside)
        origins = (int(number) if number else _OF_NOBODY for number in _PARAGRAPHS.findall(written))
        playing_of(scope).elements[self.key] = tuple(Element(place, origin) for place, origin in enumerate(origins))
        out.append(_MARKS.sub(b"", written))


def playing_of(scope: Scope) -> Playing:
    """Return what is known of the slide's animations."""
    if scope.playing is None:
        scope.playing = Playing()
    return scope.playing


class AnimatedChart(Struct, frozen=True):
    """A chart that the data fills, animated by `step`; `rules` are the names of the shapes that it goes with."""

    source: ChartSource
    step: ChartStep
    rules: frozenset[str]

    def read(self, scope: Scope) -> ChartStep:
        """Return how many the data gives, none for a chart that is left out. Raises `BadData`."""
        value = resolve(self.source.directive, scope)
        if not self.rules.isdisjoint(scope.dropped) or not is_true(value):
            return self.step._replace(series=0, points=0)
        data = self.source.read(scope)
        points = max((data.columns[one.values].height for one in data.series), default=0)
        return self.step._replace(series=len(data.series), points=points)

    def list_elements(self, step: ChartStep) -> Elements:
        """Return what there is to move: beyond the template's, each is moved like the last of these."""
        count = min(step.total, _MOST_CHART_ELEMENTS)
        return tuple(Element(place, min(place, self.step.total - 1)) for place in range(count))


class Timeline(Struct, frozen=True):
    """All animations of a slide: left out when nothing is moved. `next_id` is the first id that no time node has."""

    charts: Mapping[str, AnimatedChart]
    next_id: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append them."""
        playing = playing_of(scope)
        playing.next_id = self.next_id
        for key, chart in self.charts.items():
            playing.steps[key] = chart.read(scope)
            playing.elements[key] = chart.list_elements(playing.steps[key])
        inside: list[bytes] = []
        run(self.body, inside, scope)
        if playing.moves:
            out += inside
        # What programs of different ages read stands side by side, each with a timeline.
        scope.playing = Playing(playing.elements)


class Target(NamedTuple):
    """The parts of one shape that a node moves: the template's `origins`; `repeating` are those that may be several."""

    key: str
    origins: frozenset[int]
    repeating: frozenset[int]


class TimeNode(Struct, frozen=True):
    """A time node with others in it; one that `repeats` stands for each group of what it moves.

    `length` is how many milliseconds later the next one begins.
    """

    targets: tuple[Target, ...]
    repeats: bool
    length: int
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it as often as it is needed."""
        playing = playing_of(scope)
        groups = {target.key: _groups(target, playing) for target in self.targets} if self.repeats else {}
        copies, shift = 0, playing.shift
        for number in range(max(1, *map(len, groups.values()), 1)):
            narrowed = {key: found[number] if number < len(found) else () for key, found in groups.items()}
            before, inside = playing.moves, list[bytes]()
            with _narrow(playing, narrowed, is_copy=number > 0):
                playing.shift = shift + copies * self.length
                run(self.body, inside, scope)
            if playing.moves > before:
                out += inside
                copies += 1
        playing.shift = shift + (copies - 1) * self.length


class Children(Struct, frozen=True):
    """The nodes inside of a time node: each begins when that one says, counted from its beginning."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append them."""
        playing = playing_of(scope)
        shift, playing.shift = playing.shift, 0
        run(self.body, out, scope)
        playing.shift = shift


class Move(Struct, frozen=True):
    """A behaviour: what moves, shows or colors something, of the shapes `spids`.

    One that `follows` another, like the sound of an effect, stands wherever that one does.
    """

    targets: tuple[Target, ...]
    spids: frozenset[str]
    follows: bool
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it for each group of what it moves."""
        playing = playing_of(scope)
        if not self.targets:
            if self.follows or not playing.is_copy:
                run(self.body, out, scope)
                self._count(playing)
            return
        for target in self.targets:
            for number, members in enumerate(_groups(target, playing)):
                with _narrow(playing, {target.key: members}, is_copy=number > 0):
                    run(self.body, out, scope)
                self._count(playing)

    def _count(self, playing: Playing) -> None:
        playing.moves += not self.follows
        playing.moved |= self.spids


def _groups(target: Target, playing: Playing) -> list[Elements]:
    return group(playing.elements.get(target.key, ()), target.origins, target.repeating)


@contextmanager
def _narrow(playing: Playing, elements: Mapping[str, Elements], *, is_copy: bool) -> Generator[None]:
    """Restrict an animation to these elements."""
    kept = playing.elements, playing.is_copy, playing.ids, playing.shift
    playing.elements = {**playing.elements, **elements}
    if is_copy:
        playing.is_copy, playing.ids = True, dict(playing.ids)
    yield
    playing.elements, playing.is_copy, playing.ids, playing.shift = kept


class NodeId(Struct, frozen=True):
    """The id of a time node (p:cTn/@id), which no two have."""

    number: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it."""
        out.append(b"%d" % playing_of(scope).take_id(self.number))


class NodeReference(Struct, frozen=True):
    """The id of another time node (p:tn/@val): of the one in the same copy, when there is one."""

    number: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it."""
        out.append(b"%d" % playing_of(scope).ids.get(self.number, self.number))


class Delay(Struct, frozen=True):
    """When a time node begins, in milliseconds: later by what more there is to move before it."""

    milliseconds: int

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it."""
        out.append(b"%d" % max(0, self.milliseconds + playing_of(scope).shift))


class ParagraphEdge(Struct, frozen=True):
    """The number of the first or last paragraph that is moved (p:pRg)."""

    key: str
    is_last: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it."""
        elements = playing_of(scope).elements[self.key]
        out.append(b"%d" % elements[-1 if self.is_last else 0].place)


class ChartIndex(Struct, frozen=True):
    """The part of a chart that is moved: a:chart/@categoryIdx, else @seriesIdx."""

    key: str
    is_category: bool

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it."""
        playing = playing_of(scope)
        (element, *_) = playing.elements[self.key]
        out.append(b"%d" % playing.steps[self.key].indexes(element.place)[self.is_category])


class Build(Struct, frozen=True):
    """An entry of the build list, left out with the last animation of its shape; `spid` is empty for one that stays."""

    spid: str
    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it."""
        playing = playing_of(scope)
        if not self.spid or self.spid in playing.moved:
            playing.builds += 1
            run(self.body, out, scope)


class BuildList(Struct, frozen=True):
    """The build list: the schema wants an entry in it."""

    body: Program

    def write(self, out: list[bytes], scope: Scope) -> None:
        """Append it, unless it is empty."""
        inside: list[bytes] = []
        run(self.body, inside, scope)
        if playing_of(scope).builds:
            out += inside
