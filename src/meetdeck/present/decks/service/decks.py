"""Decks: the requested slides of a template, filled with the caller's data."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple, cast
from uuid import UUID

from meetdeck.platform.database import Database
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.process.threads import Check
from meetdeck.platform.process.tracing import WorkKind, measured
from meetdeck.present.contents.service import Contents, list_contents
from meetdeck.present.deck import Deck, SharedTemplate, SlideReference, SlideRequest, build_deck, whole_deck
from meetdeck.present.decks.schemas import BuildDeck, GenerateDeck, Missing, SlideEntry, SlideTheme
from meetdeck.present.decks.service.refusals import REFUSALS, refuse, refuse_missing
from meetdeck.present.errors import InvalidDeckData, UnknownSlideRequested
from meetdeck.present.render.svg import SvgDrawer
from meetdeck.present.render.typefaces import installed_typefaces
from meetdeck.present.templates.schemas import StoredTemplate, name_templates
from meetdeck.present.templates.service import TemplateFiles, add_sources, get_unlabelled_template
from meetdeck.present.threads import DECKS
from meetdeck.present.usage.service import TemplateUse

_UUID_LENGTH = 36
_BUILD = WorkKind("build")


class BuiltDeck(NamedTuple):
    """A deck, and the template that it was built from, with its sources."""

    template: StoredTemplate
    deck: Deck

    @property
    def finding_count(self) -> int:
        """Return the number of Errors and Warnings."""
        kinds = Counter(finding.type for finding in self.deck.findings)
        return sum(count for kind, count in kinds.items() if kind != "Info")


class Decks:
    """Builds decks. Called outside transactions.

    All methods that build raise InvalidDeckData, MissingValues, SharedSlideMissing and UnknownSlideRequested. Dates are
    relative to `now`. Where a picture is needed, ids of stored contents in the data are replaced by their files.
    """

    def __init__(self, database: Database, files: TemplateFiles, contents: Contents, template_use: TemplateUse) -> None:
        self._database = database
        self._files = files
        self._contents = contents
        self._template_use = template_use

    async def build(self, tenant_id: UUID, body: BuildDeck, *, missing: Missing, now: datetime) -> BuiltDeck:
        """Return the requested deck, and count the use of its templates. Raises TemplateNotFound."""
        built = await self.preview(tenant_id, body, missing=missing, now=now)
        self._count_use(built.template, now)
        return built

    async def preview(
        self, tenant_id: UUID, body: BuildDeck, *, missing: Missing = Missing.EMPTY, now: datetime
    ) -> BuiltDeck:
        """Return the requested deck without counting it. Raises TemplateNotFound."""
        async with self._database.reading(tenant_id) as connection:
            template = await get_unlabelled_template(connection, body.template, pointer="/template")
            template = await add_sources(connection, template, _point_at_templates(body))
        return BuiltDeck(template, await self._fill_slides(template, body.slides, missing=missing, now=now))

    async def generate(self, tenant_id: UUID, body: GenerateDeck, *, missing: Missing, now: datetime) -> BuiltDeck:
        """Return a deck of all slides of the template, and count its use. Raises TemplateNotFound."""
        async with self._database.reading(tenant_id) as connection:
            template = await get_unlabelled_template(connection, body.template, pointer="/template")
        return BuiltDeck(template, await self.fill_template(template, body.data, missing=missing, now=now))

    async def fill_slides(
        self, template: StoredTemplate, slides: Sequence[SlideEntry], *, missing: Missing, now: datetime
    ) -> Deck:
        """Return a deck of the requested slides of an already read template, and count its use."""
        deck = await self._fill_slides(template, slides, missing=missing, now=now)
        self._count_use(template, now)
        return deck

    async def fill_template(
        self, template: StoredTemplate, data: Mapping[str, object], *, missing: Missing, now: datetime
    ) -> Deck:
        """Return a deck of all slides of an already read template, filled with one set of data, and count its use."""
        shared = await self._files.share(template)
        contents = await self._read_contents(template.tenant_id, shared, [data], now)

        def fill(check: Check) -> Deck:
            return whole_deck(
                shared.template,
                data,
                locale=template.locale,
                contents=contents,
                typefaces=installed_typefaces(),
                drawer=SvgDrawer(),
                today=now.date(),
                check=check,
            )

        deck = await _run(template.tenant_id, fill, lambda _: "/data", missing)
        self._count_use(template, now)
        return deck

    async def find_slide_size(self, template: StoredTemplate) -> tuple[int, int]:
        """Return the width and height of a template's slides, in EMU."""
        return (await self._files.compile(template)).slide_size

    async def _fill_slides(
        self, template: StoredTemplate, slides: Sequence[SlideEntry], *, missing: Missing, now: datetime
    ) -> Deck:
        if not slides:
            raise InvalidDeckData(
                "Request at least one slide.", faults=(Fault("/slides", "Empty; name the slides in their order."),)
            )
        references = _list_references(template, slides)
        shared = await self._files.share(template, [one for one in references if one])
        contents = await self._read_contents(template.tenant_id, shared, [entry.data for entry in slides], now)
        requests = [
            SlideRequest(_find_name(shared, reference, position) if reference else entry.slide_id, entry.data)
            for position, (entry, reference) in enumerate(zip(slides, references, strict=True))
        ]

        def fill(check: Check) -> Deck:
            return build_deck(
                shared.template,
                requests,
                locale=template.locale,
                contents=contents,
                typefaces=installed_typefaces(),
                drawer=SvgDrawer(),
                today=now.date(),
                check=check,
            )

        return await _run(template.tenant_id, fill, lambda position: f"/slides/{position}/data", missing)

    async def _read_contents(
        self, tenant_id: UUID, shared: SharedTemplate, data: Sequence[Mapping[str, object]], now: datetime
    ) -> dict[str, bytes]:
        """Return the stored files that the data may name as pictures, by id as text."""
        if not any(tag.type == "image" for tag in shared.template.tags):
            return {}
        content_ids = {found for one in data for found in _find_content_ids(one)}
        if not content_ids:
            return {}
        async with self._database.transaction(tenant_id, planned_anew=True) as connection:
            found = await list_contents(connection, content_ids, now)
        return {str(content.content_id): await self._contents.read(content) for content in found}

    def _count_use(self, template: StoredTemplate, now: datetime) -> None:
        self._template_use.count(template.tenant_id, name_templates(template), now)


async def _run(
    tenant_id: UUID, fill: Callable[[Check], Deck], data_pointer: Callable[[int], str], missing: Missing
) -> Deck:
    """Build a deck in a thread; raise its errors in terms of the request. `data_pointer` is by slide entry."""
    try:
        deck = await measured(DECKS.run(tenant_id, fill), "build deck", _BUILD)
    except REFUSALS as error:
        raise refuse(error, data_pointer) from None
    if missing is Missing.ERROR:
        refuse_missing(deck, data_pointer)
    return deck


def _point_at_templates(body: BuildDeck) -> dict[str, str]:
    """Return where the body names other templates, by their names."""
    return {
        entry.template: f"/slides/{position}/template" for position, entry in enumerate(body.slides) if entry.template
    }


def _list_references(template: StoredTemplate, slides: Sequence[SlideEntry]) -> list[SlideReference | None]:
    """Return, for each entry, the slide of another template that it requests, None for one of the deck's own."""
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
        detail = phrase("There is no {reference}: {refused}.", reference=reference, refused=shared.refused[reference])
        raise UnknownSlideRequested(detail, faults=(Fault(f"/slides/{position}/slideId", detail),))
    return name


def _find_content_ids(value: object) -> Iterator[UUID]:
    """Yield the texts of a JSON document that are UUIDs: ids of contents, which need not exist."""
    queue = [value]
    for one in queue:
        if isinstance(one, str) and len(one) == _UUID_LENGTH:
            with suppress(ValueError):
                yield UUID(one)
        elif isinstance(one, Mapping):
            queue += cast("Mapping[str, object]", one).values()
        elif isinstance(one, list):
            queue += cast("list[object]", one)
