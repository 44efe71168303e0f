"""Insert slides of other templates where a template refers to them, and compile the result."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from meetdeck.present.deck.compile.template import compile_template
from meetdeck.present.deck.findings import Finding, info, warning
from meetdeck.present.deck.language.shared_slides import ShapeReference, SlideReference
from meetdeck.present.deck.limits import DEFAULT_LIMITS, Limits
from meetdeck.present.deck.opc.relationships import SLIDE
from meetdeck.present.deck.presentation.lists import read_slide_entries, read_slide_size
from meetdeck.present.deck.presentation.names import position_alias
from meetdeck.present.deck.presentation.slides import StandIn
from meetdeck.present.deck.program.slide_lists import new_slide_ids
from meetdeck.present.deck.program.template import Template
from meetdeck.present.deck.sharing.extras import add_fonts, add_table_styles, list_slide
from meetdeck.present.deck.sharing.grafting import Grafts, Source
from meetdeck.present.deck.sharing.resolving import TemplateFile, UnresolvedReference, resolve
from meetdeck.present.deck.sharing.shapes import SharedShapes
from meetdeck.present.deck.sharing.target import Target

# The findings about slides of other templates, which may change by the next day.
SHARING_CODES: Final = frozenset(
    {
        *("shared-slide-missing", "shared-slide-circle", "slide-size-differs", "layout-brought-along"),
        *("shared-shape-missing", "shared-shape-circle"),
    }
)
_NEW_SLIDE: Final = "ppt/slides/slide1.xml"


@dataclass(frozen=True, slots=True)
class SharedTemplate:
    """A template with the slides of others in it.

    `findings` are only about these slides. `added` are the names of the slides requested beside the template's own,
    `refused` the reasons why some of these are missing; `sources` are the names of the templates whose slides are in
    it. A reference that leads nowhere stays one.
    """

    template: Template
    findings: tuple[Finding, ...]
    added: Mapping[SlideReference, str]
    refused: Mapping[SlideReference, str]
    sources: tuple[str, ...]


class _Graft(NamedTuple):
    """A slide of a source for a part of the target; `place` is the name of the slide that it replaces, or empty."""

    reference: SlideReference
    source: Source
    slide: str
    part: str
    place: str


def share_slides(
    main: TemplateFile,
    others: Mapping[str, TemplateFile],
    added: Sequence[SlideReference] = (),
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> SharedTemplate:
    """Return a template with the slides that it refers to, followed by the `added` ones.

    `others` are the templates by the names in references, with those that their own slides refer to. Raises
    `TemplateError` and `DeckTooLarge` when the result is beyond the limits of a template.
    """
    sharing = _SharedTemplateBuilder(main, others, limits)
    for index, slide in enumerate(main.template.plan.slides):
        if slide.reference:
            sharing.replace(index, slide.reference)
        elif slide.shapes:
            sharing.insert_shapes(slide.parts[0].full_name, slide.name)
    for reference in dict.fromkeys(added):
        sharing.add(reference)
    return sharing.finish()


class _SharedTemplateBuilder:
    def __init__(self, main: TemplateFile, others: Mapping[str, TemplateFile], limits: Limits) -> None:
        self._main, self._others, self._limits = main.template, others, limits
        self._target = Target(main.content, limits)
        self._sources: dict[str, Source] = {}
        self._grafts: list[_Graft] = []
        self._findings: list[Finding] = []
        self._stand_ins: dict[str, StandIn] = {}
        self._refused: dict[SlideReference, str] = {}
        # The slides with shapes of other templates, by their parts.
        self._with_shapes: dict[str, str] = {}
        self._take_slide_id = new_slide_ids(entry.slide_id for entry in read_slide_entries(self._target.document.root))

    def replace(self, index: int, reference: SlideReference) -> None:
        """Replace a slide of the template by the one that it refers to."""
        slide = self._main.plan.slides[index]
        found = resolve(reference, self._others)
        if isinstance(found, UnresolvedReference):
            message = f"The slide refers to {reference}, and {found.reason}. Decks with it are refused until it exists."
            details = {"template": reference.template, "slide": reference.slide}
            self._findings.append(warning(found.code, message, slide.name, **details))
            return
        source = self._source(found.template)
        part = slide.parts[0].full_name
        name = "" if slide.name == position_alias(self._main.slides[index].index) else slide.name
        self._stand_ins[part] = StandIn(name, slide.directives, slide.chapter_marks)
        self._add_graft(reference, source, found.slide_index, part, slide.name)

    def add(self, reference: SlideReference) -> None:
        """Append a slide."""
        found = resolve(reference, self._others)
        if isinstance(found, UnresolvedReference):
            self._refused[reference] = found.reason
            return
        source, target = self._source(found.template), self._target
        part = target.claim(_NEW_SLIDE)
        list_slide(target.document.root, self._take_slide_id(), target.relate_presentation(SLIDE, part))
        self._stand_ins[part] = StandIn()
        self._add_graft(reference, source, found.slide_index, part, "")

    def insert_shapes(self, part: str, name: str) -> None:
        """Replace shapes of a slide by those that they refer to."""
        self._with_shapes[part] = name

    def finish(self) -> SharedTemplate:
        """Copy the slides and shapes, and compile."""
        grafts = Grafts(self._target)
        size = read_slide_size(self._target.document.root)
        for graft in self._grafts:
            brings_layout = grafts.graft(
                graft.source, graft.slide, graft.part, graft.reference, replaces=bool(graft.place)
            )
            self._record(graft, size == graft.source.slide_size, brings_layout=brings_layout)
        self._copy_shapes(grafts)
        grafts.finish()
        for source in self._sources.values():
            self._add_extras(source, grafts)
        template = self._compile()
        names = {slide.parts[0].full_name: slide.name for slide in template.plan.slides}
        added = {graft.reference: names[graft.part] for graft in self._grafts if not graft.place}
        return SharedTemplate(template, tuple(self._findings), added, self._refused, tuple(self._sources))

    def _copy_shapes(self, grafts: Grafts) -> None:
        for part, slide in self._with_shapes.items():

            def report(reference: ShapeReference, found: UnresolvedReference, slide: str = slide) -> None:
                message = (
                    f"A shape refers to the {reference}, and {found.reason}. Decks with the slide are refused until it "
                    "exists."
                )
                details = {"template": reference.template, "shape": reference.shape}
                self._findings.append(warning(found.code, message, slide, **details))

            SharedShapes(self._target, grafts, self._open, report).insert(part)

    def _open(self, name: str) -> Source | None:
        return self._source(name) if name in self._others else None

    def _compile(self) -> Template:
        """Return the compiled template, with the sources' descriptions of their tags."""
        template = compile_template(self._target.finish(), self._limits, stand_ins=self._stand_ins)
        borrowed = tuple(row for source in self._sources.values() for row in source.template.fields.rows)
        return replace(template, fields=replace(template.fields, borrowed=borrowed))

    def _source(self, name: str) -> Source:
        if name not in self._sources:
            self._sources[name] = Source(name, self._others[name], self._limits)
        return self._sources[name]

    def _add_graft(self, reference: SlideReference, source: Source, index: int, part: str, place: str) -> None:
        slide = source.slide_part(index)
        source.slides.setdefault(slide, part)
        if source.template.plan.slides[index].shapes:
            self.insert_shapes(part, place or reference.slide)
        self._grafts.append(_Graft(reference, source, slide, part, place))

    def _record(self, graft: _Graft, is_same_size: bool, *, brings_layout: bool) -> None:  # noqa: FBT001
        details = {"template": graft.reference.template, "slide": graft.reference.slide}
        where = graft.place or graft.reference.slide
        if not is_same_size and graft.reference.scale:
            message = (
                f"The slides of the template {graft.source.name!r} have another size than those of this one: "
                f"{graft.reference.slide!r} is scaled with its text, in the middle of the slide."
            )
            self._findings.append(info("slide-size-differs", message, where, **details))
        elif not is_same_size:
            message = (
                f"The slides of the template {graft.source.name!r} have another size than those of this one: "
                f"{graft.reference.slide!r} is placed unscaled, so it may not fill the slide, or may extend beyond it. "
                "Without scale=no it is scaled."
            )
            self._findings.append(warning("slide-size-differs", message, where, **details))
        if brings_layout and graft.reference.theme == "take":
            message = (
                f"The template has no layout of the name that {graft.reference} uses: the slide brings its own along, "
                "with its master and theme. Name the layouts alike for one design."
            )
            self._findings.append(info("layout-brought-along", message, where, **details))

    def _add_extras(self, source: Source, grafts: Grafts) -> None:
        by_id = {one.id: one.part for one in source.package.relationships(source.document.part)}

        def copy_font(identifier: str) -> str | None:
            part = by_id.get(identifier)
            return grafts.copy_part(source, part) if part else None

        add_table_styles(self._target, source.package, source.document.part, grafts.texts)
        add_fonts(self._target, source.document.root, copy_font, grafts.texts)
