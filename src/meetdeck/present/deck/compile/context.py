"""The context that is carried through the compilation of one part."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.fields.uses import Level, Use
from meetdeck.present.deck.findings import Finding, Place, error
from meetdeck.present.deck.language.hints import find_hint
from meetdeck.present.deck.language.syntax import BlockStart, Directive, Problem, Tag
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.conditions import Condition, ShapeRule
from meetdeck.present.deck.program.slots import shape_slot

# Nobody reads more, and a hostile file could make millions.
_MOST_FINDINGS: Final = 1_000
# Each takes about a kilobyte of memory.
_MOST_TAGS: Final = 20_000


class PartContext:
    """A part under compilation: its place in the package, and what is found in it.

    `kind` is what people call the part, `slide` the slide it belongs to, if any. Compiling replaces what depends on
    data or deck by `markers`, and reports everything else here: tags in use, shapes that may be dropped, directives.
    """

    __slots__ = (
        "_charts",
        "_levels",
        "_ruled_shapes",
        "_shape_rules",
        "_slide_directives",
        "_stories",
        "_tables",
        "_uses",
        "kind",
        "markers",
        "package",
        "part",
        "slide",
        "used_names",
    )

    def __init__(self, package: Package, part: str, kind: str, slide: str) -> None:
        self.package: Final = package
        self.part: Final = part
        self.kind: Final = kind
        self.slide: Final = slide
        self.markers = Markers()
        self.used_names: set[str] = set()
        self._uses: list[Use] = []
        self._levels: dict[str, Level] = {}
        self._shape_rules: list[ShapeRule] = []
        self._ruled_shapes: list[Element] = []
        self._slide_directives: list[Directive] = []
        self._stories: dict[Element, bool] = {}
        self._tables: dict[Element, Element] = {}
        self._charts: dict[str, tuple[Directive, Place]] = {}

    def with_markers(self, markers: Markers) -> "PartContext":
        """Return a context that shares all but the markers: of a part inside of the part."""
        inner = copy(self)
        inner.markers = markers
        return inner

    @property
    def findings(self) -> list[Finding]:
        """The findings of the whole package."""
        return self.package.findings

    @property
    def uses(self) -> Sequence[Use]:
        """The tags, blocks and directives of the part, in order."""
        return self._uses

    @property
    def levels(self) -> Mapping[str, Level]:
        """The units that the part's blocks repeat, by the block's name."""
        return self._levels

    @property
    def shape_rules(self) -> Sequence[ShapeRule]:
        """The rules of the shapes that the data may leave out, outer shapes first."""
        return self._shape_rules

    @property
    def slide_directives(self) -> Sequence[Directive]:
        """The directives that repeat the slide or leave it out."""
        return self._slide_directives

    @property
    def stories(self) -> Mapping[Element, bool]:
        """The text bodies and tables with tags, and whether rows of these repeat."""
        return self._stories

    @property
    def tables(self) -> Mapping[Element, Element]:
        """The frames of tables whose rows come from the data, with what each table was before."""
        return self._tables

    @property
    def charts(self) -> Mapping[str, tuple[Directive, Place]]:
        """The directives for charts, by the id of the relationship to the chart's part."""
        return self._charts

    def report(self, place: Place, problem: Problem) -> None:
        """Add a finding about something in the part's text."""
        if len(self.findings) >= _MOST_FINDINGS:
            return
        details: dict[str, str | int] = {"shape": place.shape, "paragraph": place.paragraph, "part": place.part}
        details |= {"tag": problem.source} | ({"suggestion": problem.suggestion} if problem.suggestion else {})
        self.findings.append(Finding(problem.severity, problem.code, problem.message, self.slide, details))

    def use(self, what: Tag | BlockStart | Directive, place: Place, blocks: tuple[str, ...] = ()) -> None:
        """Report a tag, block or directive in use. Raises `TemplateError` when a hostile part has too many of them."""
        self._uses.append(Use(what, place, self.slide, blocks))
        self.used_names.update(what.path)
        if not isinstance(what, Directive) and (hint := find_hint(what)):
            self.report(place, hint)
        if len(self._uses) > _MOST_TAGS:
            message = f"The part {self.part!r} has more than {_MOST_TAGS:,} tags; use a block for what repeats."
            raise TemplateError([*self.findings, error("too-many-tags", message, self.slide, part=self.part)])

    def replace_uses(self, first: int, uses: Sequence[Use]) -> None:
        """Put other uses in the place of those from number `first` on."""
        self._uses[first:] = uses

    def repeat(self, name: str, level: Level) -> None:
        """Report what a block of the name repeats."""
        self._levels[name] = level

    def drop_unless(
        self, condition: Condition, shape: Element, ids: frozenset[str], relationships: frozenset[str]
    ) -> str:
        """Add the rule that a shape is dropped unless a condition holds, and return the slot of its ranges.

        See `ShapeRule` for the ids and relationships.
        """
        slot = shape_slot(self.part, len(self._shape_rules))
        around = {shape, *shape.iterancestors()}
        rules = zip(self._shape_rules, self._ruled_shapes, strict=True)
        within = frozenset(rule.slot for rule, ruled in rules if ruled in around)
        self._shape_rules.append(ShapeRule(slot, condition, ids, relationships, within))
        self._ruled_shapes.append(shape)
        return slot

    def direct_slide(self, directive: Directive) -> None:
        """Add a directive that repeats the slide or leaves it out."""
        self._slide_directives.append(directive)

    def fill_chart(self, relationship_id: str, directive: Directive, place: Place) -> None:
        """Add the directive for the chart that a relationship of the part leads to."""
        self._charts[relationship_id] = (directive, place)

    def fill_table(self, frame: Element, before: Element) -> None:
        """Add the frame of a table whose rows come from the data, with a copy of the table as it was."""
        self._tables[frame] = before

    def add_story(self, story: Element, *, repeats_rows: bool) -> None:
        """Add a text body or table with tags."""
        self._stories[story] = repeats_rows
