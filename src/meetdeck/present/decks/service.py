"""Decks: the requested slides of a template, filled with the caller's data."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from types import MappingProxyType
from typing import cast
from uuid import UUID

from meetdeck.platform.errors import Fault
from meetdeck.platform.process.threads import Check
from meetdeck.platform.process.tracing import Kind, measured
from meetdeck.present.deck import (
    Absence,
    BadData,
    Deck,
    DeckTooLarge,
    EmptyDeck,
    Finding,
    MissingSharedSlide,
    SharedTemplate,
    SlideReference,
    SlideRequest,
    UnknownSlide,
    build_deck,
    whole_deck,
)
from meetdeck.present.decks.schemas import Missing, SlideEntry, SlideTheme
from meetdeck.present.errors import InvalidDeckData, MissingValues, SharedSlideMissing, UnknownSlideRequested
from meetdeck.present.render.svg import SvgDrawer
from meetdeck.present.render.typefaces import installed_typefaces
from meetdeck.present.templates.schemas import StoredTemplate
from meetdeck.present.templates.service import TemplateFiles
from meetdeck.present.threads import DECKS

_UUID_LENGTH = 36
_BUILD = Kind("build")


class Decks:
    """Builds decks. Called outside transactions."""

    def __init__(self, files: TemplateFiles) -> None:
        self._files = files

    async def find_content_ids(
        self, template: StoredTemplate, data: Sequence[Mapping[str, object]], slides: Sequence[SlideEntry] = ()
    ) -> set[UUID]:
        """Return possible ids of contents in the data of a template that shows pictures; they need not exist."""
        shared = await self._files.share(template, [one for one in _list_references(template, slides) if one])
        if not any(tag.type == "image" for tag in shared.template.tags):
            return set()
        return {found for one in data for found in _content_ids_in(one)}

    async def find_slide_size(self, template: StoredTemplate) -> tuple[int, int]:
        """Return the width and height of a template's slides, in EMU."""
        return (await self._files.compile(template)).slide_size

    async def build_deck(
        self,
        template: StoredTemplate,
        slides: Sequence[SlideEntry],
        *,
        today: date,
        missing: Missing,
        contents: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Deck:
        """Return a deck of the requested slides; `contents` are the files that the data names as pictures.

        `today` is what days are relative to. Raises UnknownSlideRequested, InvalidDeckData, MissingValues.
        """
        if not slides:
            raise InvalidDeckData(
                "Ask for one slide at least.", faults=(Fault("/slides", "Empty; name the slides in their order."),)
            )
        references = _list_references(template, slides)
        shared = await self._files.share(template, [one for one in references if one])
        requests = [
            SlideRequest(_find_name(shared, reference, position) if reference else entry.slide_id, entry.data)
            for position, (entry, reference) in enumerate(zip(slides, references, strict=True))
        ]
        return await _build(
            template.tenant_id,
            lambda check: build_deck(
                shared.template,
                requests,
                locale=template.locale,
                contents=contents,
                typefaces=installed_typefaces(),
                drawer=SvgDrawer(),
                today=today,
                check=check,
            ),
            lambda position: f"/slides/{position}/data",
            missing,
        )

    async def build_whole_deck(
        self,
        template: StoredTemplate,
        data: Mapping[str, object],
        *,
        today: date,
        missing: Missing,
        contents: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Deck:
        """Return a deck of all slides, filled with one data; takes and raises what `build_deck` does."""
        shared = await self._files.share(template)
        return await _build(
            template.tenant_id,
            lambda check: whole_deck(
                shared.template,
                data,
                locale=template.locale,
                contents=contents,
                typefaces=installed_typefaces(),
                drawer=SvgDrawer(),
                today=today,
                check=check,
            ),
            lambda _: "/data",
            missing,
        )


def _list_references(template: StoredTemplate, slides: Sequence[SlideEntry]) -> list[SlideReference | None]:
    """Return for each entry the slide of another template that it asks for, None for one of the deck's own."""
    return [
        SlideReference(entry.slide_id, entry.template, "keep" if entry.theme is SlideTheme.KEEP else "take")
        if entry.template and entry.template != template.name
        else None
        for entry in slides
    ]


def _find_name(shared: SharedTemplate, reference: SlideReference, position: int) -> str:
    """Return the name that a slide of another template has in the deck's. Raises UnknownSlideRequested."""
    name = shared.added.get(reference)
    if name is None:
        detail = f"There is no {reference}: {shared.refused[reference]}."
        raise UnknownSlideRequested(detail, faults=(Fault(f"/slides/{position}/slideId", detail),))
    return name


def count_findings(findings: Sequence[Finding]) -> int:
    """Return the number of Errors and Warnings."""
    return sum(count for kind, count in Counter(finding.type for finding in findings).items() if kind != "Info")


async def _build(
    tenant_id: UUID, build: Callable[[Check], Deck], data_pointer: Callable[[int], str], missing: Missing
) -> Deck:
    """Build a deck in a thread; raise its errors in the words of the request. `data_pointer` is by slide entry."""
    try:
        deck = await measured(DECKS.run(tenant_id, build), "build deck", _BUILD)
    except UnknownSlide as error:
        pointer = f"/slides/{error.position_in_request}/slideId"
        raise UnknownSlideRequested(str(error), faults=(Fault(pointer, str(error)),)) from None
    except MissingSharedSlide as error:
        entry = data_pointer(error.position_in_request).removesuffix("/data")
        pointer = f"{entry}/slideId" if entry else "/template"
        raise SharedSlideMissing(str(error), faults=(Fault(pointer, str(error)),)) from None
    except BadData as error:
        pointer = f"{data_pointer(error.position_in_request)}/{error.path.replace('.', '/')}"
        raise InvalidDeckData(str(error), faults=(Fault(pointer, error.reason),)) from None
    except EmptyDeck as error:
        raise InvalidDeckData(
            str(error), faults=tuple(_as_fault(one, data_pointer) for one in error.absences)
        ) from None
    except DeckTooLarge as error:
        raise InvalidDeckData(str(error), faults=(Fault("/slides", str(error)),)) from None
    unfilled = [finding for finding in deck.findings if finding.code == "missing-value"]
    if missing is Missing.ERROR and unfilled:
        raise MissingValues(
            f"{len(unfilled)} tags have no value. Send one for each, or call without `missing=error`.",
            faults=tuple(_as_missing(finding, data_pointer) for finding in unfilled),
        )
    return deck


def _content_ids_in(value: object) -> Iterator[UUID]:
    """Yield the texts of a JSON document that are UUIDs."""
    queue = [value]
    for one in queue:
        if isinstance(one, str) and len(one) == _UUID_LENGTH:
            with suppress(ValueError):
                yield UUID(one)
        elif isinstance(one, Mapping):
            queue += cast("Mapping[str, object]", one).values()
        elif isinstance(one, list):
            queue += cast("list[object]", one)


def _as_fault(absence: Absence, data_pointer: Callable[[int], str]) -> Fault:
    pointer = f"{data_pointer(absence.position_in_request)}/{absence.path.replace('.', '/')}"
    return Fault(pointer, f"{absence.reason}.")


def _as_missing(finding: Finding, data_pointer: Callable[[int], str]) -> Fault:
    """Return the fault for a tag's value: `/slides/0/data/customer/name`."""
    path = str(finding.details["path"]).replace(".", "/")
    pointer = data_pointer(int(finding.details["position"]))
    without_consequence = finding.message.rpartition("; ")[0]
    return Fault(f"{pointer}/{path}", f"{without_consequence}, on slide '{finding.location}'.")
