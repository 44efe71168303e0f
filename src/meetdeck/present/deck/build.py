"""Build a deck: pick, repeat, reorder and drop slides, each filled with its own data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Final

from msgspec import Struct

from meetdeck.present.deck.copies import SlideCopy, name_copies
from meetdeck.present.deck.errors import UnknownSlide
from meetdeck.present.deck.fill import DEFAULT_LOCALE, Scope, fill
from meetdeck.present.deck.findings import Finding, warning
from meetdeck.present.deck.links import is_safe_address
from meetdeck.present.deck.package import CONTENT_TYPES_NAME
from meetdeck.present.deck.packed import pack
from meetdeck.present.deck.plan import ORPHAN, DeckPlan, PartPlan, Template, part_slot, show_slot, slide_slot
from meetdeck.present.deck.presentation import SECTION_LIST_SLOT, SLIDE_LIST_SLOT, SLIDE_RELATIONSHIPS_SLOT
from meetdeck.present.deck.properties import COUNT_SLOTS
from meetdeck.present.deck.relationships import SLIDE, relationships_name
from meetdeck.present.deck.values import escape_attribute
from meetdeck.present.deck.zipwrite import ZipWriter

_TYPES_HEAD: Final = (
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
)
_MOST_SUGGESTIONS: Final = 3
_ALWAYS_DROPPED: Final = frozenset({slide_slot(ORPHAN)})


class SlideRequest(Struct, frozen=True):
    """One slide of the deck to build: which, and the data for its tags."""

    slide_id: str
    data: Mapping[str, object]


class Deck(Struct, frozen=True):
    """A built deck: the .pptx file, and what was noticed on the way, such as tags without a value."""

    content: bytes
    findings: tuple[Finding, ...]


@dataclass(slots=True)
class _Deck:
    """A deck being built: what all of its parts may refer to."""

    plan: DeckPlan
    copies: list[SlideCopy]
    locale: str
    slots: Mapping[str, bytes]
    dropped: frozenset[str]
    zip: ZipWriter
    findings: list[Finding] = field(default_factory=list[Finding])


def build_deck(template: Template, slides: Sequence[SlideRequest], *, locale: str = DEFAULT_LOCALE) -> Deck:
    """Build a deck of the slides asked for, in that order. The same input gives the same bytes.

    `locale` (BCP 47) writes numbers and dates, unless an entry's data says otherwise under `$locale`.

    Raises `UnknownSlide` for a name that the template does not have, `BadData` for a value that is no text,
    `DeckTooLarge` beyond what one file may hold.
    """
    requests = [(_find_slide(template, position, request), request) for position, request in enumerate(slides)]
    return _build(template.plan, requests, locale)


def whole_deck(template: Template, data: Mapping[str, object], *, locale: str = DEFAULT_LOCALE) -> Deck:
    """Build a deck of all slides in the template's order, filled with one data."""
    requests = [(index, SlideRequest(slide.name, data)) for index, slide in enumerate(template.slides)]
    return _build(template.plan, requests, locale)


def _find_slide(template: Template, position: int, request: SlideRequest) -> int:
    index = template.plan.slide_index.get(request.slide_id)
    if index is None:
        names = [slide.name for slide in template.slides]
        nearest = get_close_matches(request.slide_id, names, _MOST_SUGGESTIONS, cutoff=0.5)
        raise UnknownSlide(request.slide_id, position, tuple(nearest))
    return index


def _build(plan: DeckPlan, requests: Sequence[tuple[int, SlideRequest]], locale: str) -> Deck:
    needed = dict.fromkeys(name for index, _ in requests for name in plan.slides[index].shared)
    fixed = [*plan.fixed, *(plan.shared[name] for name in needed)]
    copies = name_copies(plan, [(index, request.data) for index, request in requests], fixed)
    slots, dropped = _deck_slots(plan, copies)
    deck = _Deck(plan, copies, locale, slots, dropped, ZipWriter(plan.limits.deck_bytes))
    # The order that Office writes: the types, the package's relationships, then the parts.
    deck.zip.add(CONTENT_TYPES_NAME, pack(_content_types(plan, copies, fixed)))
    deck.zip.add(relationships_name(""), plan.package_relationships)
    scope = Scope({}, "", 0, deck.findings, locale, {}, slots, dropped)
    for part in fixed:
        _write_part(deck, part, part.name.file, scope, is_first=True)
    for copy in copies:
        _write_copy(deck, copy)
    return Deck(deck.zip.finish(), tuple(deck.findings))


def _deck_slots(plan: DeckPlan, copies: Sequence[SlideCopy]) -> tuple[dict[str, bytes], frozenset[str]]:
    """Return what the deck's parts refer to, and the names of the ranges that have nothing left to refer to."""
    by_slide: dict[int, list[SlideCopy]] = {}
    for copy in copies:
        by_slide.setdefault(copy.slide_index, []).append(copy)
    writer = plan.list_writer
    section_of = {index: section for section in plan.sections for index in section.slides}
    slots = {slide_slot(index): escape_attribute(first[0].files[0]).encode() for index, first in by_slide.items()}
    slots[SLIDE_LIST_SLOT] = writer.slide_list(copy.entry for copy in copies)
    slots[SECTION_LIST_SLOT] = writer.sections(
        (copy.entry.slide_id, section_of.get(copy.slide_index)) for copy in copies
    )
    slots[SLIDE_RELATIONSHIPS_SLOT] = "".join(map(_slide_relationship, copies)).encode()
    slots[COUNT_SLOTS["Slides"]] = str(len(copies)).encode()
    slots[COUNT_SLOTS["HiddenSlides"]] = str(sum(copy.plan.hidden for copy in copies)).encode()
    slots[COUNT_SLOTS["Notes"]] = str(sum(copy.plan.has_notes for copy in copies)).encode()
    dropped = {slide_slot(index) for index in range(len(plan.slides)) if index not in by_slide}
    for show in plan.shows:
        shown = [copy.entry.relationship_id for index in show.slides for copy in by_slide.get(index, ())]
        slots[show_slot(show.id)] = writer.show_slides(shown)
        if not shown:
            dropped.add(show_slot(show.id))
    return slots, _ALWAYS_DROPPED | dropped


def _slide_relationship(copy: SlideCopy) -> str:
    target = escape_attribute(copy.plan.target_folder + copy.files[0])
    return f'<Relationship Id="{escape_attribute(copy.entry.relationship_id)}" Type="{SLIDE}" Target="{target}"/>'


def _content_types(plan: DeckPlan, copies: Sequence[SlideCopy], fixed: Sequence[PartPlan]) -> bytes:
    named = [(part, part.name.file) for part in fixed]
    named += [pair for copy in copies for pair in zip(copy.plan.parts, copy.files, strict=True)]
    overrides = "".join(
        f'<Override PartName="/{escape_attribute(part.name.folder + file)}" ContentType="{part.override_type}"/>'
        for part, file in named
        if part.override_type
    )
    return b"".join((_TYPES_HEAD, plan.default_types, overrides.encode(), b"</Types>"))


def _write_copy(deck: _Deck, copy: SlideCopy) -> None:
    """Write a slide with all its own parts."""
    slots = {part_slot(number): escape_attribute(file).encode() for number, file in enumerate(copy.files)}
    slots |= copy.identity
    locale = str(copy.data.get("$locale") or deck.locale)
    scope = Scope(copy.data, copy.plan.name, copy.position, deck.findings, locale, slots, deck.slots, deck.dropped)
    for part, file in zip(copy.plan.parts, copy.files, strict=True):
        addressed = _with_addresses(part, scope) if part.addresses else scope
        _write_part(deck, part, file, addressed, is_first=copy.is_first)


def _with_addresses(part: PartPlan, scope: Scope) -> Scope:
    """Fill in the part's hyperlink addresses; one that is empty or unsafe takes its link along."""
    slots = dict(scope.slots)
    gone: set[str] = set()
    for slot, program in part.addresses:
        address = slots[slot] = fill(program, scope)
        if not is_safe_address(address.decode()):
            message = (
                f"The address {address.decode()[:80]!r} is none of the web, mail or telephone; the link is left out."
            )
            scope.findings.append(warning("unsafe-address", message, scope.slide, position=scope.position))
            gone.add(slot)
        elif not address:
            gone.add(slot)
    return replace(scope, slots=slots, dropped=scope.dropped | gone)


def _write_part(deck: _Deck, part: PartPlan, file: str, scope: Scope, *, is_first: bool) -> None:
    """Write one part and its relationships, copying what does not depend on data or deck."""
    name = part.name.folder + file
    if part.packed and (is_first or not part.program):
        deck.zip.add(name, part.packed)
    else:
        deck.zip.add(name, pack(fill(part.program, scope)))
    if part.relationships:
        deck.zip.add(relationships_name(name), part.relationships)
    elif part.relationships_program:
        deck.zip.add(relationships_name(name), pack(fill(part.relationships_program, scope)))
