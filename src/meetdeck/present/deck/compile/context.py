"""What one part's compilation gathers while its tree is marked."""

from dataclasses import dataclass, field
from typing import Final

from meetdeck.present.deck.compile.markers import Markers
from meetdeck.present.deck.errors import TemplateError
from meetdeck.present.deck.fields.uses import Level, Use
from meetdeck.present.deck.findings import Finding, Place, error
from meetdeck.present.deck.language.hints import find_hint
from meetdeck.present.deck.language.syntax import BlockStart, Directive, Problem, Tag
from meetdeck.present.deck.opc.package import Package
from meetdeck.present.deck.opc.xml import Element
from meetdeck.present.deck.program.conditions import ShapeRule

# Nobody reads more, and a hostile file could make millions.
_MOST_FINDINGS: Final = 1_000
# Each takes about a kilobyte of memory.
_MOST_TAGS: Final = 20_000


@dataclass(slots=True)
class PartContext:
    """A part whose tree is being marked: `kind` is what people call it, `slide` the slide it belongs to, if any.

    `levels` says by name what the part's blocks repeat. `charts` are the directives for charts, by the id of the
    relationship to the chart's part.
    """

    package: Package
    part: str
    kind: str
    slide: str
    markers: Markers = field(default_factory=Markers)
    uses: list[Use] = field(default_factory=list[Use])
    levels: dict[str, Level] = field(default_factory=dict[str, Level])
    shape_rules: list[ShapeRule] = field(default_factory=list[ShapeRule])
    ruled_shapes: list[Element] = field(default_factory=list[Element])
    slide_directives: list[Directive] = field(default_factory=list[Directive])
    # The text bodies and tables with tags, and whether rows of these repeat.
    stories: dict[Element, bool] = field(default_factory=dict[Element, bool])
    # Frames of tables whose rows come from the data, with what the table was before.
    tables: dict[Element, Element] = field(default_factory=dict[Element, Element])
    charts: dict[str, tuple[Directive, Place]] = field(default_factory=dict[str, tuple[Directive, Place]])

    @property
    def findings(self) -> list[Finding]:
        """What was noticed in the whole package."""
        return self.package.findings

    def report(self, place: Place, problem: Problem) -> None:
        """Add a finding about something in the part's text."""
        if len(self.findings) >= _MOST_FINDINGS:
            return
        details: dict[str, str | int] = {"shape": place.shape, "paragraph": place.paragraph, "part": place.part}
        details |= {"tag": problem.source} | ({"suggestion": problem.suggestion} if problem.suggestion else {})
        self.findings.append(Finding(problem.severity, problem.code, problem.message, self.slide, details))

    def use(self, what: Tag | BlockStart | Directive, place: Place, blocks: tuple[str, ...] = ()) -> None:
        """Note that something is used here. Raises `TemplateError` when a hostile part has too many of them."""
        self.uses.append(Use(what, place, self.slide, blocks))
        self.package.words.update(what.path)
        if not isinstance(what, Directive) and (hint := find_hint(what)):
            self.report(place, hint)
        if len(self.uses) > _MOST_TAGS:
            message = f"The part {self.part!r} has more than {_MOST_TAGS:,} tags; use a block for what repeats."
            raise TemplateError([*self.findings, error("too-many-tags", message, self.slide, part=self.part)])
