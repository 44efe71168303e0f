"""Build a deck: pick, repeat, reorder and drop slides, each filled with its own data."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from itertools import chain, groupby
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from meetdeck.present.deck.build.deck_map import DeckMap, continue_contents, lay_out, sectioned_slides
from meetdeck.present.deck.build.expand import DeckSlide, RequestedSlide, expand, explain_absence
from meetdeck.present.deck.build.slide_copies import SlideCopy, name_copies
from meetdeck.present.deck.errors import EmptyDeck, MissingSharedSlide, UnknownSlide
from meetdeck.present.deck.findings import Finding
from meetdeck.present.deck.language.values import escape_attribute, escape_attributes
from meetdeck.present.deck.opc.packed import pack, store
from meetdeck.present.deck.opc.part_names import CONTENT_TYPES_NAME, PartName, PartNames
from meetdeck.present.deck.opc.relationships import SLIDE, relationships_name
from meetdeck.present.deck.opc.zipwrite import PreparedEntries, ZipWriter
from meetdeck.present.deck.program.images.pictures import Drawer
from meetdeck.present.deck.program.media import DeckMedia, NewRelationships
from meetdeck.present.deck.program.names import Calculation, go_on
from meetdeck.present.deck.program.relationships import add_relationships
from meetdeck.present.deck.program.scope import DEFAULT_LOCALE, Scope, render
from meetdeck.present.deck.program.slide_lists import ShowPlan
from meetdeck.present.deck.program.slots import (
    COUNT_SLOTS,
    ORPHAN,
    SECTION_LIST_SLOT,
    SLIDE_LIST_SLOT,
    SLIDE_RELATIONSHIPS_SLOT,
    part_slot,
    section_slot,
    show_slot,
    slide_slot,
)
from meetdeck.present.deck.program.template import DeckPlan, FixedParts, PartPlan, Template, write_override
from meetdeck.present.deck.program.text.language import find_language
from meetdeck.present.deck.program.typefaces import Typefaces

_TYPES_HEAD: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
)
_MOST_SUGGESTIONS: Final = 3
_NO_CONTENTS: Final[Mapping[str, bytes]] = MappingProxyType({})
_PICTURES: Final = PartName("ppt/media/", "picture", "1", "")
_ALWAYS_DROPPED: Final = frozenset({slide_slot(ORPHAN)})


class SlideRequest(Struct, frozen=True):
    """A slide of the deck to build, and the data for its tags."""

    slide_id: str
    data: Mapping[str, object]


class Deck(Struct, frozen=True):
    """A built deck: the .pptx file, the findings of building it, such as tags without a value, and its slides.

    `slides` are the names that the deck's slides have in the template.
    """

    content: bytes
    findings: tuple[Finding, ...]
    slides: tuple[str, ...] = ()


class _Common(NamedTuple):
    """The parts that all slides of a deck are built with."""

    locale: str
    contents: Mapping[str, bytes]
    typefaces: Typefaces | None
    drawer: Drawer | None
    used_names: frozenset[str]
    calculation: Calculation


@dataclass(slots=True)
class _DeckContext:
    """A deck that is being built, with all that its parts refer to."""

    plan: DeckPlan
    copies: list[SlideCopy]
    slots: Mapping[str, bytes]
    dropped: frozenset[str]
    zip: ZipWriter


def build_deck(  # noqa: PLR0913 - what a deck depends on, by name
    template: Template,
    slides: Sequence[SlideRequest],
    *,
    locale: str = DEFAULT_LOCALE,
    contents: Mapping[str, bytes] = _NO_CONTENTS,
    typefaces: Typefaces | None = None,
    drawer: Drawer | None = None,
    today: date | None = None,
    check: Callable[[], None] = go_on,
) -> Deck:
    """Build a deck of the requested slides, in that order. The same input gives the same bytes.

    `locale` (BCP 47) writes numbers and dates, unless an entry's data sets another under `$locale`. `contents` are the
    stored files that the data may name as pictures, by id. With `typefaces`, the fonts that pages will have, findings
    report text that does not fit and characters that no font can draw. `drawer` draws SVGs; without one they are
    refused. `today` is the day that relative dates count from when the data has no `$today`. `check` is called
    repeatedly, and raises when the build is to be abandoned.

    Raises `UnknownSlide` for a name that the template does not have, `BadData` for a value that does not fit its place,
    `EmptyDeck` when no slide is left, `DeckTooLarge` beyond what one file may hold, and `MissingSharedSlide` for a
    slide that stands for a missing one of another template, see `share_slides`.
    """
    requests = [(_find_slide(template, position, request), request) for position, request in enumerate(slides)]
    names, calculation = template.plan.used_names, Calculation(today, check=check)
    return _assemble(template.plan, requests, _Common(locale, contents, typefaces, drawer, names, calculation))


def whole_deck(  # noqa: PLR0913 - the same
    template: Template,
    data: Mapping[str, object],
    *,
    locale: str = DEFAULT_LOCALE,
    contents: Mapping[str, bytes] = _NO_CONTENTS,
    typefaces: Typefaces | None = None,
    drawer: Drawer | None = None,
    today: date | None = None,
    check: Callable[[], None] = go_on,
) -> Deck:
    """Build a deck of all slides in the template's order, filled with one set of data.

    Takes and raises the same as `build_deck`.
    """
    requests = [(index, SlideRequest(slide.name, data)) for index, slide in enumerate(template.slides)]
    names, calculation = template.plan.used_names, Calculation(today, check=check)
    return _assemble(template.plan, requests, _Common(locale, contents, typefaces, drawer, names, calculation))


def _find_slide(template: Template, position: int, request: SlideRequest) -> int:
    index = template.plan.slide_index.get(request.slide_id)
    if index is None:
        names = [slide.name for slide in template.slides]
        nearest = get_close_matches(request.slide_id, names, _MOST_SUGGESTIONS, cutoff=0.5)
        raise UnknownSlide(request.slide_id, position, tuple(nearest))
    return index


def _assemble(plan: DeckPlan, requests: Sequence[tuple[int, SlideRequest]], common: _Common) -> Deck:
    findings: list[Finding] = []
    names = PartNames(plan.highest_numbers)
    media = DeckMedia(
        common.contents,
        lambda extension: _PICTURES.folder + names.claim(replace(_PICTURES, suffix=f".{extension}")),
        common.drawer,
    )
    requested = [
        RequestedSlide(
            index,
            plan.slides[index],
            _new_scope(request.data, plan.slides[index].name, position, findings, media, common),
        )
        for position, (index, request) in enumerate(requests)
    ]
    entries = continue_contents(plan, expand(requested))
    _require_shared(plan, entries)
    if not entries:
        raise EmptyDeck(map(explain_absence, requested))
    fixed = [plan.as_fixed, *(part.as_fixed for part in _needed_shared(plan, entries))]
    for parts in fixed:
        names.reserve(parts.names)
    copies = name_copies(plan, entries, names)
    view = lay_out(plan, copies)
    slots, dropped = _deck_slots(plan, copies)
    deck = _DeckContext(plan, copies, slots, dropped, ZipWriter(plan.limits.deck_bytes))
    # The order that Office writes: the types, the package's relationships, then the parts.
    deck.zip.add(CONTENT_TYPES_NAME, pack(_content_types(plan, copies, fixed)))
    deck.zip.add(relationships_name(""), plan.package_relationships)
    scope = _new_scope(requests[0][1].data, "", 0, findings, media, common)
    scope.deck_slots, scope.dropped, scope.deck = slots, dropped, view
    for piece in chain.from_iterable(parts.pieces for parts in fixed):
        if isinstance(piece, PreparedEntries):
            deck.zip.add_prepared(piece)
            continue
        # A part that differs between decks only by its language keeps the template's bytes when there is no language.
        _write_part(deck, piece, piece.name.file, scope, is_first=not scope.language)
    for copy in copies:
        _write_copy(deck, copy, view)
    for name, content in media.parts():
        deck.zip.add(name, content)
    return Deck(deck.zip.finish(), tuple(findings), tuple([copy.plan.name for copy in copies]))


def _require_shared(plan: DeckPlan, entries: Iterable[DeckSlide]) -> None:
    """Raise `MissingSharedSlide` if a slide of the deck refers to another template's slide or shape."""
    for entry in entries:
        slide = plan.slides[entry.slide_index]
        for reference in (slide.reference, *slide.shapes):
            if reference:
                raise MissingSharedSlide(slide.name, str(reference), entry.scope.position)


def _new_scope(
    data: Mapping[str, object], slide: str, position: int, findings: list[Finding], media: DeckMedia, common: _Common
) -> Scope:
    locale = str(data.get("$locale") or common.locale)
    language = find_language(data, common.locale)
    return Scope(
        data,
        slide,
        position,
        findings,
        media,
        locale,
        language,
        common.typefaces,
        used_names=common.used_names,
        calculation=common.calculation,
    )


def _needed_shared(plan: DeckPlan, entries: Iterable[DeckSlide]) -> list[PartPlan]:
    """Return the shared parts that a slide of the deck needs."""
    needed: dict[str, PartPlan] = {}
    for entry in entries:
        for name, guard in plan.slides[entry.slide_index].shared.items():
            if guard.isdisjoint(entry.dropped) and name in plan.shared:
                needed[name] = plan.shared[name]
    return list(needed.values())


def _deck_slots(plan: DeckPlan, copies: Sequence[SlideCopy]) -> tuple[dict[str, bytes], frozenset[str]]:
    """Return the slots that the deck's parts refer to, and the dropped names: unused slides and empty shows."""
    by_slide: dict[int, list[SlideCopy]] = {}
    for copy in copies:
        by_slide.setdefault(copy.slide_index, []).append(copy)
    writer = plan.list_writer
    slots = {slide_slot(index): escape_attribute(first[0].files[0]).encode() for index, first in by_slide.items()}
    slots[SLIDE_LIST_SLOT] = writer.slide_list(copy.entry for copy in copies)
    slots[SECTION_LIST_SLOT] = writer.sections(sectioned_slides(plan, copies))
    slots[SLIDE_RELATIONSHIPS_SLOT] = _write_slide_relationships(copies)
    slots[COUNT_SLOTS["Slides"]] = str(len(copies)).encode()
    slots[COUNT_SLOTS["HiddenSlides"]] = str(sum(copy.plan.hidden for copy in copies)).encode()
    slots[COUNT_SLOTS["Notes"]] = str(sum(copy.plan.has_notes for copy in copies)).encode()
    dropped = {slide_slot(index) for index in range(len(plan.slides)) if index not in by_slide}
    dropped |= {section_slot(section.id) for section in plan.sections if by_slide.keys().isdisjoint(section.slides)}
    for show in plan.shows:
        shown = _shown_copies(plan, show, by_slide)
        slots[show_slot(show.id)] = writer.show_slides(copy.entry.relationship_id for copy in shown)
        if not shown:
            dropped.add(show_slot(show.id))
    return slots, _ALWAYS_DROPPED | dropped


def _shown_copies(plan: DeckPlan, show: ShowPlan, by_slide: Mapping[int, Sequence[SlideCopy]]) -> list[SlideCopy]:
    """Return the slides of a custom show: all copies of each slide in its order, a chapter's slides item by item."""
    shown: list[SlideCopy] = []
    for chapter, indices in groupby(show.slides, lambda index: plan.slides[index].chapters[:1]):
        copies = [copy for index in indices for copy in by_slide.get(index, ())]
        shown += sorted(copies, key=lambda copy: copy.passes[:1]) if chapter else copies
    return shown


def _write_slide_relationships(copies: Sequence[SlideCopy]) -> bytes:
    ids = escape_attributes([copy.entry.relationship_id for copy in copies])
    targets = escape_attributes([copy.plan.target_folder + copy.files[0] for copy in copies])
    return "".join(
        [
            f'<Relationship Id="{identifier}" Type="{SLIDE}" Target="{target}"/>'
            for identifier, target in zip(ids, targets, strict=True)
        ]
    ).encode()


def _content_types(plan: DeckPlan, copies: Sequence[SlideCopy], fixed: Sequence[FixedParts]) -> bytes:
    own = [(part, file) for copy in copies for part, file in zip(copy.plan.parts, copy.files, strict=True) if file]
    names = escape_attributes([part.name.folder + file for part, file in own])
    overrides = [parts.overrides for parts in fixed]
    overrides += [write_override(name, part.override_type) for name, (part, _) in zip(names, own, strict=True)]
    return b"".join((_TYPES_HEAD, plan.default_types, "".join(overrides).encode(), b"</Types>"))


def _write_copy(deck: _DeckContext, copy: SlideCopy, view: DeckMap) -> None:
    """Write a slide with all its own parts."""
    scope = copy.scope
    named = zip(copy.plan.parts, escape_attributes(copy.files), strict=True)
    scope.slots = {part_slot(part.number): file.encode() for part, file in named}
    scope.slots |= copy.identity
    scope.deck_slots = deck.slots
    scope.dropped = deck.dropped | copy.dropped if copy.dropped else deck.dropped
    if copy.passes and copy.plan.links:
        slots, dropped = view.link_slots(copy)
        scope.slots |= slots
        scope.dropped |= dropped
    common = scope.findings
    if scope.slide_part.number > 1:
        scope.findings = []
    for part, file in zip(copy.plan.parts, copy.files, strict=True):
        if file:
            _write_part(deck, part, file, scope, is_first=copy.is_first)
    if scope.findings is not common:
        # The first slide of a continued table has reported what all of its slides have in common.
        common += [finding for finding in scope.findings if finding not in common]


def _write_part(deck: _DeckContext, part: PartPlan, file: str, scope: Scope, *, is_first: bool) -> None:
    """Write one part and its relationships, copying bytes that depend on neither data nor deck."""
    scope.calculation.check()
    name = part.name.folder + file
    if part.packed and (is_first or not part.program):
        deck.zip.add(name, part.packed)
    else:
        scope.relationships = NewRelationships(part.highest_relationship)
        written = render(part.program, scope)
        deck.zip.add(name, store(written) if part.is_zip else pack(written))
        if scope.relationships.ids:
            relationships = render(part.relationships_program, scope)
            added = add_relationships(relationships, scope.relationships.written())
            deck.zip.add(f"{part.name.folder}_rels/{file}.rels", pack(added))
            return
    if part.relationships:
        deck.zip.add(f"{part.name.folder}_rels/{file}.rels", part.relationships)
    elif part.relationships_program:
        deck.zip.add(f"{part.name.folder}_rels/{file}.rels", pack(render(part.relationships_program, scope)))
