"""The compiled form of a template. Immutable, so that threads share it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import NamedTuple

from meetdeck.present.deck.fields.tags import TagInfo, TemplateFields
from meetdeck.present.deck.findings import Finding
from meetdeck.present.deck.language.constructs import BlockEnd, Directive
from meetdeck.present.deck.language.shared_slides import Reference, ShapeReference, SlideReference
from meetdeck.present.deck.language.values import escape_attribute
from meetdeck.present.deck.limits import Limits
from meetdeck.present.deck.opc.packed import ZipEntry
from meetdeck.present.deck.opc.part_names import PartName
from meetdeck.present.deck.opc.relationships import relationships_name
from meetdeck.present.deck.opc.zipwrite import PreparedEntries, prepare
from meetdeck.present.deck.program.conditions import ShapeRule
from meetdeck.present.deck.program.continuing import ContinuingStory
from meetdeck.present.deck.program.scope import Program
from meetdeck.present.deck.program.slide_lists import SectionPlan, ShowPlan, SlideListWriter


class FixedParts(NamedTuple):
    """Parts that keep their names in each deck, as decks copy them.

    `overrides` are the elements of their content types. `pieces` are the entries of those that decks copy, with their
    relationships, and between them the parts that decks fill.
    """

    names: tuple[str, ...]
    overrides: str
    pieces: tuple["PreparedEntries | PartPlan", ...]


class FixedPartsCache:
    """The form of parts in which decks copy them, made when a deck first needs it.

    It is not part of the plan's identity, so all are equal: it follows from the plan.
    """

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: FixedParts | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FixedPartsCache)

    def __hash__(self) -> int:
        return hash(FixedPartsCache)

    def __repr__(self) -> str:
        return "FixedPartsCache()"

    def get(self, parts: "Sequence[PartPlan]") -> FixedParts:
        """Return the form of a plan's parts."""
        known = self._known
        if known is None:
            known = self._known = _read_fixed(parts)
        return known


@dataclass(frozen=True, slots=True)
class PartPlan:
    """A part: its bytes as in the template, or a program, or both (then the bytes are the first copy's).

    `override_type` is the content type, empty for the default of the file extension. `highest_relationship` is the
    number of its last relationship. `guard` names shapes: when one of them is dropped, so is the part. `number` is that
    of a slide's own part, by which others refer to it: see `slots.part_slot`.
    """

    name: PartName
    override_type: str
    packed: ZipEntry | None
    program: Program
    relationships: ZipEntry | None
    relationships_program: Program
    highest_relationship: int = 0
    creation_id: int | None = None
    shape_rules: tuple[ShapeRule, ...] = ()
    guard: frozenset[str] = frozenset()
    number: int = 0
    cache: FixedPartsCache = field(default_factory=FixedPartsCache)

    @property
    def is_zip(self) -> bool:
        """Return whether the part is a workbook, which is compressed already."""
        return self.name.suffix == ".xlsx"

    @property
    def full_name(self) -> str:
        """The part's name in the template."""
        return self.name.folder + self.name.file

    @property
    def as_fixed(self) -> FixedParts:
        """The form in which decks copy a part that is not a slide's own."""
        return self.cache.get((self,))


def _read_fixed(parts: Sequence[PartPlan]) -> FixedParts:
    names = [part.full_name for part in parts]
    overrides = [write_override(escape_attribute(part.full_name), part.override_type) for part in parts]
    pieces: list[PreparedEntries | PartPlan] = []
    for is_copied, run in groupby(parts, _is_copied):
        if is_copied:
            pieces.append(prepare(chain.from_iterable(map(_list_entries, run))))
        else:
            pieces += run
    return FixedParts(tuple(names), "".join(overrides), tuple(pieces))


def _is_copied(part: PartPlan) -> bool:
    """Return whether decks fill neither a part nor its relationships."""
    return part.packed is not None and not part.program and bool(part.relationships or not part.relationships_program)


def _list_entries(part: PartPlan) -> Iterator[tuple[str, ZipEntry]]:
    if part.packed is not None:
        yield part.full_name, part.packed
    if part.relationships:
        yield relationships_name(part.full_name), part.relationships


def write_override(name: str, content_type: str) -> str:
    """Return the element that gives the part of an escaped name its content type, empty for the default."""
    return f'<Override PartName="/{name}" ContentType="{content_type}"/>' if content_type else ""


class ChapterPlan(NamedTuple):
    """Slides of the template that repeat together for each item of a list: from `first` to `last`, by index.

    `number` distinguishes it from others with the same slides.
    """

    directive: Directive
    first: int
    last: int
    number: int


@dataclass(frozen=True, slots=True)
class SlidePlan:
    """A slide: `parts` are its own (the slide first), `shared` the shared parts that not every slide needs.

    Each of these lists the shapes whose dropping makes it unneeded. `directives` repeat the slide or leave it out,
    `chapters` are the surrounding ones, outermost first; `links` the other slides that its parts lead to; `title`
    writes the text of its title, if any text of the template uses it. What is `continuing` moves to further slides when
    this one has no room for it. `reference` is the slide of another template that is to replace this one, and take the
    `chapter_marks` over. One that `lists_deck` shows which slides the deck has.
    """

    name: str
    hidden: bool
    has_notes: bool
    slide_id: int
    relationship_id: str
    target_folder: str
    parts: tuple[PartPlan, ...]
    shared: Mapping[str, frozenset[str]]
    directives: tuple[Directive, ...]
    chapters: tuple[ChapterPlan, ...] = ()
    links: tuple[int, ...] = ()
    title: Program = ()
    continuing: ContinuingStory | None = None
    reference: SlideReference | None = None
    shapes: tuple[ShapeReference, ...] = ()
    chapter_marks: tuple[Directive | BlockEnd, ...] = ()
    lists_deck: bool = False


@dataclass(frozen=True, slots=True)
class DeckPlan:
    """The compiled parts of decks. `fixed` parts are in every deck, `shared` only with slides that need them.

    `used_names` are the segments of all names that the template uses: data without any of them is skipped. `first_page`
    is the number of a deck's first slide.
    """

    limits: Limits
    default_types: bytes
    package_relationships: ZipEntry
    fixed: tuple[PartPlan, ...]
    shared: Mapping[str, PartPlan]
    slides: tuple[SlidePlan, ...]
    slide_index: dict[str, int]
    sections: tuple[SectionPlan, ...]
    shows: tuple[ShowPlan, ...]
    list_writer: SlideListWriter
    highest_numbers: dict[str, int]
    highest_relationship: int
    creation_ids: frozenset[int]
    used_names: frozenset[str]
    first_page: int = 1
    cache: FixedPartsCache = field(default_factory=FixedPartsCache)

    @property
    def as_fixed(self) -> FixedParts:
        """The form in which decks copy the parts that are in every deck."""
        return self.cache.get(self.fixed)


@dataclass(frozen=True, slots=True)
class SlideInfo:
    """A slide as callers see it: `index` is its position in PowerPoint's slide panel, counted from 1.

    `chapters` are the lists for whose items it repeats with others, outermost first.
    """

    name: str
    index: int
    section: str | None
    hidden: bool
    chapters: tuple[str, ...] = ()


class SectionInfo(NamedTuple):
    """A section and the names of its slides."""

    name: str
    slides: tuple[str, ...]


class SlideSize(NamedTuple):
    """The size of a presentation's slides, in EMU (914,400 an inch)."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled template. `findings` are Warnings and Infos; `cost_bytes` is roughly its size in memory."""

    slides: tuple[SlideInfo, ...]
    slide_size: SlideSize
    sections: tuple[SectionInfo, ...]
    fields: TemplateFields
    findings: tuple[Finding, ...]
    cost_bytes: int
    plan: DeckPlan

    @property
    def shown(self) -> tuple[SlideInfo, ...]:
        """The slides that are not hidden: the pages of its PDF."""
        return tuple(slide for slide in self.slides if not slide.hidden)

    def find_slide(self, name: str) -> SlideInfo | None:
        """Return the slide of that name, or of the alias `Slide N`."""
        index = self.plan.slide_index.get(name)
        return self.slides[index] if index is not None else None

    @property
    def references(self) -> tuple[Reference, ...]:
        """The slides and shapes of other templates that are used in this one, each once."""
        found = ((slide.reference, *slide.shapes) for slide in self.plan.slides)
        return tuple(dict.fromkeys(one for slide in found for one in slide if one is not None))

    @property
    def tags(self) -> tuple[TagInfo, ...]:
        """The tags of the template."""
        return self.fields.tags

    @property
    def example(self) -> Mapping[str, object]:
        """Data that fills every tag."""
        return self.fields.example

    @property
    def schema(self) -> Mapping[str, object]:
        """The JSON Schema of the data."""
        return self.fields.schema
