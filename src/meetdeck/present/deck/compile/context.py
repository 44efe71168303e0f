"""The contexts of a compilation: of a template, which its parts share, and of one part, which its steps share."""

from collections.abc import Collection, Mapping
from copy import copy
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.compile.marking.pushes import PushPlan
from meetdeck.present.deck.compile.marking.surroundings import Surroundings
from meetdeck.present.deck.compile.part_graph import Part, PartGraph
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.fields.uses import Level, Usage, Use, list_uses, name_shown
from meetdeck.present.deck.findings import Finding, Place, error
from meetdeck.present.deck.fitting.boxes import TextBoxes
from meetdeck.present.deck.fitting.estimates import Estimates, Form, list_forms
from meetdeck.present.deck.fitting.inheritance import Inheritance
from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, Directive, Tag, TagFinding
from meetdeck.present.deck.language.hints import begins_foreign_block, find_doubtful_dates, find_hint, is_plain
from meetdeck.present.deck.language.paths import DECK_MEMBERS, STORY_MEMBERS
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import A, Element, find_child
from meetdeck.present.deck.presentation.theme_colors import ThemeColors, read_theme_colors
from meetdeck.present.deck.program.conditions import Condition, ShapeRule
from meetdeck.present.deck.program.slots import shape_slot
from meetdeck.present.deck.program.template import SlideSize

# Nobody reads more, and a hostile file could contain millions.
_MOST_FINDINGS: Final = 1_000
# Each takes about a kilobyte of memory.
_MOST_TAGS: Final = 20_000


class TemplateContext(NamedTuple):
    """The things that all parts of one template are compiled with.

    `zoom_slots` are the slots of slides, by p:sldId/@id, and of sections, by their id in capitals; `slide_index` are
    the indices of slides by name, `surroundings` the shapes of slides, layouts and masters.
    """

    package: Package
    graph: PartGraph
    inheritance: Inheritance
    text_boxes: TextBoxes
    estimates: Estimates
    zoom_slots: Mapping[str, str]
    slide_size: SlideSize
    slide_index: Mapping[str, int]
    surroundings: Surroundings


class ChartFilling(NamedTuple):
    """The directive that fills a chart, and where it stands."""

    directive: Directive
    place: Place


class ContinuationRequest(NamedTuple):
    """A block or directive that asks to continue on further slides; `story` is its text body or table.

    `story` is None where it cannot continue: around words, or inside another block.
    """

    construct: BlockStart | Directive
    place: Place
    story: Element | None


class PartContext:
    """A part under compilation, and what is found in it; `slide` is the name of its slide, if any.

    Compiling replaces what depends on data or deck by `markers`, and records everything else here: tags in use, shapes
    that may be dropped, directives. These are read once the part is marked.
    """

    __slots__ = (
        "_cards",
        "_chapter_ends",
        "_charts",
        "_continuing",
        "_following",
        "_forms",
        "_has_foreign_blocks",
        "_levels",
        "_names",
        "_pictured",
        "_ruled_shapes",
        "_shape_rules",
        "_slide_directives",
        "_spoken",
        "_stories",
        "_story_items",
        "_tables",
        "_taken",
        "_theme_colors",
        "_uses",
        "cell_size",
        "markers",
        "package",
        "part",
        "pushes",
        "slide",
        "template",
    )

    def __init__(self, template: TemplateContext, part: Part, slide: str) -> None:
        self.template: Final = template
        self.package: Final = template.package
        self.part: Final = part
        self.slide: Final = slide
        self.markers = Markers()
        self.cell_size: tuple[int, int] | None = None
        self._uses: list[Use] = []
        self._levels: dict[str, Level] = {}
        self._names: set[str] = set()
        self._taken: set[Element] = set()
        self._pictured: dict[Element, None] = {}
        self._spoken: set[Element] = set()
        self._theme_colors: ThemeColors | None = None
        self._cards: dict[Element, str] = {}
        self._shape_rules: list[ShapeRule] = []
        self._ruled_shapes: list[Element] = []
        self._slide_directives: list[Directive] = []
        self._chapter_ends: list[BlockEnd] = []
        self._stories: dict[Element, bool] = {}
        self._forms: dict[Element, Collection[Form]] = {}
        self._tables: dict[Element, Element] = {}
        self._charts: dict[str, ChartFilling] = {}
        self._continuing: list[ContinuationRequest] = []
        self._following: dict[Element, frozenset[str]] = {}
        self._story_items: tuple[str, ...] = ()
        self.pushes: PushPlan | None = None
        self._has_foreign_blocks = False

    def with_markers(self, markers: Markers) -> "PartContext":
        """Return a context that shares everything but the markers, for a part inside of the part."""
        inner = copy(self)
        inner.markers = markers
        return inner

    def with_own_uses(self, cell_size: tuple[int, int] | None = None) -> "PartContext":
        """Return a context that shares everything but the uses, for a piece whose uses are added later, see `add_use`.

        `cell_size` is the size of the cell that the piece is, in EMU.
        """
        inner = copy(self)
        inner.cell_size = cell_size
        inner._uses = []  # noqa: SLF001 - of its own class
        return inner

    def count_braces(self) -> int | None:
        """Return the number of double braces in the part, plus one if it has brackets; None when it holds no tag."""
        return self.package.tagged.get(self.part.name)

    def may_hold(self, word: bytes) -> bool:
        """Return whether the part may have elements with a word in their names, see `Package.may_hold`."""
        return self.package.may_hold(self.part.name, word)

    def report(self, place: Place, finding: TagFinding) -> None:
        """Add a finding about something in the part's text."""
        findings = self.package.findings
        if len(findings) >= _MOST_FINDINGS:
            return
        details: dict[str, str | int] = {"shape": place.shape, "paragraph": place.paragraph, "part": place.part}
        details |= {"tag": finding.source} | ({"suggestion": finding.suggestion} if finding.suggestion else {})
        findings.append(Finding(finding.severity, finding.code, finding.message, self.slide, details))

    def use(self, construct: Tag | BlockStart | Directive, place: Place, blocks: tuple[str, ...] = ()) -> None:
        """Record a tag, block or directive in use. Raises `TemplateError` when a hostile part has too many of them."""
        if isinstance(construct, Tag) and is_plain(construct):
            self._names.update(construct.path)
            self.add_use(Use(construct, place, self.slide, blocks))
            return
        if isinstance(construct, Directive) and not construct.type.wants_data:
            return
        for doubt in find_doubtful_dates(construct):
            self.report(place, doubt)
        for use in list_uses(Use(construct, place, self.slide, blocks)):
            self._names.update(use.expression.path)
            if isinstance(construct, Directive):
                self._require_known(construct, use.expression.name, place)
            elif hint := find_hint(use.expression, ends_foreign=self._has_foreign_blocks):
                self.report(place, hint)
                self._has_foreign_blocks |= begins_foreign_block(use.expression.name)
            self.add_use(use)

    def _require_known(self, directive: Directive, name: str, place: Place) -> None:
        """Report a directive that needs a value known only after all directives have been carried out."""
        if name in DECK_MEMBERS:
            message = (
                f"{directive.source} asks for {name}, which depends on the slides and shapes that remain. Use it in "
                f"text: {{{{#{name} > 1}}}}…{{{{/}}}}."
            )
            self.report(place, TagFinding("Error", "page-in-directive", message, directive.source))

    def add_use(self, use: Use) -> None:
        """Add a use unchanged. Raises `TemplateError` when a hostile part has too many of them."""
        self._uses.append(use)
        if len(self._uses) > _MOST_TAGS:
            name = self.part.name
            message = f"The part {name!r} has more than {_MOST_TAGS:,} tags; use a block for what repeats."
            raise TemplateError([*self.package.findings, error("too-many-tags", message, self.slide, part=name)])

    def take(self, unit: Element) -> bool:
        """Add a cell or paragraph that a directive in its text fills; return whether it is the first one there."""
        is_first = unit not in self._taken
        self._taken.add(unit)
        return is_first

    def fill_cell(self, frame: Element) -> None:
        """Add the frame of a table in which a picture fills a cell."""
        self._pictured[frame] = None

    def list_pictured_tables(self) -> tuple[Element, ...]:
        """Return the frames of the tables in which pictures fill cells."""
        return tuple(self._pictured)

    def say_values(self, frame: Element) -> bool:
        """Add the frame of a table whose alternative text says the values of drawings; return whether it is new."""
        is_new = frame not in self._spoken
        self._spoken.add(frame)
        return is_new

    def says_values(self, frame: Element) -> bool:
        """Return whether the alternative text of a table says the values of drawings."""
        return frame in self._spoken

    def theme_colors(self) -> ThemeColors:
        """Return the colors of the part's theme."""
        if self._theme_colors is None:
            self._theme_colors = read_theme_colors(self.part.name, self.package)
        return self._theme_colors

    def repeat(self, name: str, level: Level) -> None:
        """Record the unit that a block of the name repeats; words count less than any other unit."""
        if level != "text" or name not in self._levels:
            self._levels[name] = level

    def repeat_shape(self, shape: Element, directive: Directive) -> None:
        """Add a shape that repeats for each item of a directive's list."""
        self._cards[shape] = directive.item_name
        self.repeat(directive.name, "row")

    def list_repeated(self) -> tuple[Element, ...]:
        """Return the shapes that repeat."""
        return tuple(self._cards)

    def repeats(self, shape: Element) -> bool:
        """Return whether a shape itself repeats."""
        return shape in self._cards

    def names_around(self, element: Element) -> tuple[str, ...]:
        """Return the name that an element's shape, or the element itself, repeats for; empty without one."""
        if not self._cards:
            return ()
        return tuple(self._cards[one] for one in (element, *element.iterancestors()) if one in self._cards)

    def usage(self) -> Usage:
        """Return the part's uses of the data."""
        items = self._story_items
        uses = [name_shown(use, items) for use in self._uses] if items else self._uses
        return Usage(tuple(uses), self._levels, frozenset(self._names))

    def drop_unless(
        self, condition: Condition, shape: Element, ids: frozenset[str], relationships: frozenset[str]
    ) -> str:
        """Add the rule that a shape is dropped unless a condition holds, and return the slot of its ranges.

        See `ShapeRule` for the ids and relationships.
        """
        slot = shape_slot(self.part.name, len(self._shape_rules))
        around = {shape, *shape.iterancestors()}
        rules = zip(self._shape_rules, self._ruled_shapes, strict=True)
        within = frozenset(rule.slot for rule, ruled in rules if ruled in around)
        self._shape_rules.append(ShapeRule(slot, condition, ids, relationships, within))
        self._ruled_shapes.append(shape)
        return slot

    def list_shape_rules(self) -> tuple[ShapeRule, ...]:
        """Return the rules of the shapes that the data may leave out, outer shapes first."""
        return tuple(self._shape_rules)

    def slots_by_shape(self) -> Mapping[str, frozenset[str]]:
        """Return the slots with which a shape is dropped, by its id; shapes that are never dropped are missing."""
        slots: dict[str, frozenset[str]] = {}
        for rule in self._shape_rules:
            for identifier in rule.ids:
                slots[identifier] = slots.get(identifier, frozenset()) | {rule.slot}
        return slots

    def direct_slide(self, directive: Directive) -> None:
        """Add a directive that repeats the slide or leaves it out."""
        self._slide_directives.append(directive)

    def list_directives(self) -> tuple[Directive, ...]:
        """Return the directives that repeat the slide or leave it out."""
        return tuple(self._slide_directives)

    def end_chapter(self, end: BlockEnd) -> None:
        """Add the end of a chapter, which is the slide's."""
        self._chapter_ends.append(end)

    def list_chapter_ends(self) -> tuple[BlockEnd, ...]:
        """Return the ends of chapters."""
        return tuple(self._chapter_ends)

    def fill_chart(self, relationship_id: str, filling: ChartFilling) -> None:
        """Add the directive for the chart that a relationship of the part leads to."""
        self._charts[relationship_id] = filling

    def find_chart(self, relationship_id: str) -> ChartFilling | None:
        """Return the directive for the chart that a relationship leads to, None for an unchanged chart."""
        return self._charts.get(relationship_id)

    def list_charts(self) -> dict[str, ChartFilling]:
        """Return the directives for charts by the name of the chart's part."""
        return {self.part.target(identifier) or "": filling for identifier, filling in self._charts.items()}

    def fill_table(self, frame: Element, before: Element) -> None:
        """Add the frame of a table whose rows come from the data, with a copy of the table as it was."""
        self._tables[frame] = before

    def find_form(self, frame: Element) -> Element | None:
        """Return a copy of a frame's table as it was, when its rows come from the data."""
        return self._tables.get(frame)

    def list_filled_tables(self) -> tuple[Element, ...]:
        """Return the frames of the tables whose rows come from the data."""
        return tuple(self._tables)

    def keep_forms(self, body: Element) -> None:
        """Keep the formats of a growing shape's text as the template has them, before its runs are marked."""
        if find_child(body, A + "bodyPr", A + "spAutoFit") is not None:
            self._forms[body] = list_forms(body)

    def find_forms(self, body: Element) -> Collection[Form]:
        """Return the saved formats of a text; most texts have none."""
        return self._forms.get(body, ())

    def add_story(self, story: Element, *, repeats_rows: bool) -> None:
        """Add a text body or table with tags."""
        self._stories[story] = repeats_rows

    def list_stories(self) -> tuple[tuple[Element, bool], ...]:
        """Return the text bodies and tables with tags, and whether rows of these repeat."""
        return tuple(self._stories.items())

    def continue_story(self, continuing: ContinuationRequest) -> None:
        """Add a block or directive that asks for further slides."""
        self._continuing.append(continuing)

    def follow_part(self, paragraph: Element, names: frozenset[str]) -> None:
        """Add a paragraph that uses some names about what its slide shows of a continuing table or list."""
        if names:
            self._following[paragraph] = self._following.get(paragraph, frozenset()) | names

    def plan_pushing(self, plan: PushPlan) -> None:
        """Set what is pushed on the slide."""
        self.pushes = plan

    def show_items(self, names: tuple[str, ...]) -> None:
        """Set the names of a continuing story's innermost items, outermost first: `@here` and `@shown` are these."""
        self._story_items = names

    def names_part(self, story: Element, names: frozenset[str] = STORY_MEMBERS) -> bool:
        """Return whether a story, or a row or paragraph of it, names what its slide shows."""
        found = self._following
        return bool(found) and any(not names.isdisjoint(found.get(one, ())) for one in story.iter(A + "p"))

    def list_continuing(self) -> tuple[ContinuationRequest, ...]:
        """Return the blocks and directives that ask for further slides."""
        return tuple(self._continuing)
