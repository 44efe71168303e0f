"""What the presentation service decides.

What touches the database takes the request's connection. What is slow (compiling, building, rendering, storage) is
a method of `Presentations` and is called outside the transaction.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Literal, cast
from urllib.parse import unquote
from uuid import UUID, uuid4

from meetdeck.platform.auth import Principal
from meetdeck.platform.db import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.storage import Storage
from meetdeck.present import store
from meetdeck.present.compiled import CompiledTemplates
from meetdeck.present.deck import (
    BadData,
    Deck,
    DeckTooLarge,
    Finding,
    SlideRequest,
    TagInfo,
    Template,
    TemplateError,
    UnknownSlide,
    build_deck,
    compile_template,
    read_notes,
    validate_template,
    whole_deck,
)
from meetdeck.present.errors import (
    InvalidDeckData,
    InvalidTemplate,
    InvalidUpload,
    MissingValues,
    SlideNotFound,
    TemplateNotFound,
    UnknownSlideRequested,
    UnreadableNotes,
)
from meetdeck.present.model import (
    Outline,
    Section,
    StoredTemplate,
    Tag,
    TagPlace,
    ValidationResult,
    content_key,
    digest_of,
)
from meetdeck.present.render.handouts import (
    handout,
    handout_with_notes,
    installed_font_families,
    notes_pages,
)
from meetdeck.present.render.pages import page_count, page_picture
from meetdeck.present.render.renderer import Renderer
from meetdeck.present.requests import PdfOptions, SlideEntry

_LONGEST_NAME = 200
_UUID_LENGTH = 36
_TEMPLATE_PATH = re.compile(r"/api/v[23]/present/templates/(?P<name>[^/?#]+)")
# A name is a step of an address: one of these would not get there.
_NO_NAME = re.compile(r"[\x00-\x1f\x7f]|^\.{1,2}$")

Missing = Literal["empty", "error"]


@dataclass(frozen=True, slots=True)
class CheckedUpload:
    """A template file that passed validation and is in storage; what is left is to name it in the database."""

    name: str
    customer_type: str
    digest: bytes
    size_bytes: int
    outline: Outline
    findings: list[ValidationResult]


async def list_templates(connection: Connection) -> list[StoredTemplate]:
    """Return the tenant's templates by name."""
    return await store.list_templates(connection)


async def get_template(connection: Connection, name: str) -> StoredTemplate:
    """Return a template. Raises TemplateNotFound with the nearest names."""
    found = await store.find_template(connection, name)
    if found is None:
        raise TemplateNotFound(name, await store.list_template_names(connection))
    return found


async def get_template_at(connection: Connection, slide_location: str, *, base_url: str) -> StoredTemplate:
    """Return the template that a `slideLocation` means: a template's `uri`, whole or from its path on."""
    found = _TEMPLATE_PATH.fullmatch(slide_location.removeprefix(base_url))
    if found is None:
        raise InvalidUpload(
            "slideLocation must be the uri of a template of this installation; nothing is fetched from outside.",
            faults=(Fault("/slideLocation", "Not a template's uri."),),
        )
    return await get_template(connection, unquote(found["name"]))


async def save_template(
    connection: Connection, principal: Principal, upload: CheckedUpload, now: datetime
) -> tuple[StoredTemplate, bool]:
    """Make the upload the template of its name, or that template's next revision; tell whether it is new."""
    revision = await store.put_template(
        connection,
        template_id=uuid4(),
        name=upload.name,
        customer_type=upload.customer_type,
        digest=upload.digest,
        size_bytes=upload.size_bytes,
        outline=upload.outline,
        findings=upload.findings,
        user_id=principal.user_id,
        now=now,
    )
    return await get_template(connection, upload.name), revision == 1


async def delete_template(connection: Connection, name: str) -> None:
    """Delete a template. Raises TemplateNotFound with the nearest names."""
    if not await store.delete_template(connection, name):
        raise TemplateNotFound(name, await store.list_template_names(connection))


class Presentations:
    """The slow half: files, the deck engine, the renderer."""

    def __init__(self, storage: Storage, renderer: Renderer) -> None:
        self._storage = storage
        self._renderer = renderer
        self._compiled = CompiledTemplates()

    async def check_upload(
        self, principal: Principal, *, name: str, customer_type: str, content: bytes
    ) -> CheckedUpload:
        """Validate a template file and store it. Raises InvalidUpload, or InvalidTemplate with the Error findings."""
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME or _NO_NAME.search(name):
            raise InvalidUpload(
                f"A template's name has 1 to {_LONGEST_NAME} characters, and no line break among them.",
                faults=(Fault("/name", "Give another name."),),
            )
        try:
            template = await asyncio.to_thread(_check_template, content)
        except TemplateError as error:
            raise _invalid_template(error) from None
        digest = digest_of(content)
        await self._storage.put(content_key(principal.tenant_id, digest), content)
        return CheckedUpload(
            name=name,
            customer_type=customer_type.strip(),
            digest=digest,
            size_bytes=len(content),
            outline=_outline(template),
            findings=[as_result(finding) for finding in template.findings],
        )

    async def validate(self, content: bytes) -> list[ValidationResult]:
        """Return every finding about a template file, Errors first; none of them an Error means that it can be one."""
        findings = await asyncio.to_thread(_validate, content)
        return [as_result(finding) for finding in findings]

    async def find_content_ids(self, template: StoredTemplate, data: Sequence[Mapping[str, object]]) -> set[UUID]:
        """Return what may be ids of contents in the data of a template that shows pictures; they need not exist."""
        compiled = await self._compile(template)
        if not any(tag.type == "image" for tag in compiled.tags):
            return set()
        return {found for one in data for found in _content_ids_in(one)}

    async def build_deck(
        self,
        template: StoredTemplate,
        slides: Sequence[SlideEntry],
        *,
        missing: Missing,
        contents: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Deck:
        """Build a deck of the slides asked for; `contents` are the files that the data names as pictures.

        Raises UnknownSlideRequested, InvalidDeckData, MissingValues.
        """
        if not slides:
            raise InvalidDeckData(
                "Ask for one slide at least.", faults=(Fault("/slides", "Empty; name the slides in their order."),)
            )
        compiled = await self._compile(template)
        requests = [SlideRequest(entry.slide_id, entry.data) for entry in slides]
        return await _build(
            lambda: build_deck(compiled, requests, locale=template.locale, contents=contents),
            lambda position: f"/slides/{position}/data",
            missing,
        )

    async def build_whole_deck(
        self,
        template: StoredTemplate,
        data: Mapping[str, object],
        *,
        missing: Missing,
        contents: Mapping[str, bytes] = MappingProxyType({}),
    ) -> Deck:
        """Build a deck of all slides, filled with one data. Raises InvalidDeckData, MissingValues."""
        compiled = await self._compile(template)
        return await _build(
            lambda: whole_deck(compiled, data, locale=template.locale, contents=contents), lambda _: "/data", missing
        )

    async def make_pdf(self, content: bytes, options: PdfOptions) -> bytes:
        """Render a presentation and lay its pages out as asked. Raises the renderer's errors, or UnreadableNotes."""
        pdf = await self._renderer.to_pdf(content)
        if not options.handout_mode and not options.notes_pages:
            return pdf
        if not options.notes_pages:
            return await asyncio.to_thread(handout, pdf)
        notes = await asyncio.to_thread(_notes_for, pdf, content)
        return await asyncio.to_thread(handout_with_notes if options.handout_mode else notes_pages, pdf, notes)

    async def picture_slide(self, template: StoredTemplate, slide_name: str, *, width: int) -> bytes:
        """Draw a slide of the template as PNG. Raises SlideNotFound, or the renderer's errors."""
        compiled = await self._compile(template)
        shown = [slide.name for slide in compiled.slides if not slide.hidden]
        if slide_name not in shown:
            raise SlideNotFound(template.name, slide_name, shown)
        pdf = await self._renderer.to_pdf(await self.read_file(template))
        return await asyncio.to_thread(page_picture, pdf, shown.index(slide_name), width=width, picture_format="png")

    async def _compile(self, template: StoredTemplate) -> Template:
        try:
            return await self._compiled.get(template.digest, lambda: self.read_file(template))
        except TemplateError as error:  # it was fine for the version that took it
            raise _invalid_template(error) from None

    async def read_file(self, template: StoredTemplate) -> bytes:
        """Return the template's file."""
        return await self._storage.get(content_key(template.tenant_id, template.digest))


async def _build(build: Callable[[], Deck], data_pointer: Callable[[int], str], missing: Missing) -> Deck:
    """Build a deck in a thread and say in the words of the request what is wrong; `data_pointer` is by slide entry."""
    try:
        deck = await asyncio.to_thread(build)
    except UnknownSlide as error:
        pointer = f"/slides/{error.position_in_request}/slideId"
        raise UnknownSlideRequested(str(error), faults=(Fault(pointer, str(error)),)) from None
    except BadData as error:
        pointer = f"{data_pointer(error.position_in_request)}/{error.path.replace('.', '/')}"
        raise InvalidDeckData(str(error), faults=(Fault(pointer, error.reason),)) from None
    except DeckTooLarge as error:
        raise InvalidDeckData(str(error), faults=(Fault("/slides", str(error)),)) from None
    unfilled = [finding for finding in deck.findings if finding.code == "missing-value"]
    if missing == "error" and unfilled:
        raise MissingValues(
            f"{len(unfilled)} tags have no value.",
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


def _check_template(content: bytes) -> Template:
    return compile_template(content, installed_fonts=installed_font_families())


def _validate(content: bytes) -> list[Finding]:
    return validate_template(content, installed_fonts=installed_font_families())


def _notes_for(pdf: bytes, content: bytes) -> list[str]:
    """Return the notes of each page. LibreOffice draws some files that we do not read: those have no notes for us."""
    try:
        notes = read_notes(content)
    except TemplateError as error:
        raise UnreadableNotes(str(error)) from None
    if len(notes) != page_count(pdf):
        raise UnreadableNotes(
            "Its list of slides is damaged. Open it in PowerPoint, let it repair the file, and save it."
        )
    return notes


def _outline(template: Template) -> Outline:
    """Return what SlideTemplateDetails shows. Slides in no section come first, in a section without a name.

    A template without sections would otherwise tell nobody what its slides are called.
    """
    sections = [Section(section.name, list(section.slides)) for section in template.sections]
    loose = [slide.name for slide in template.slides if slide.section is None]
    return Outline(
        tags=[_as_tag(tag) for tag in template.tags],
        sections=[Section("", loose), *sections] if loose else sections,
        example=dict(template.example),
        data_schema=dict(template.schema),
    )


def _as_tag(tag: TagInfo) -> Tag:
    places = [TagPlace(place.slide, place.shape, place.part, place.paragraph) for place in tag.occurrences]
    return Tag(tag.name, tag.description, tag.type, places)


def count_findings(findings: Sequence[Finding]) -> int:
    """Count what the caller should look at: everything but Infos."""
    return sum(count for kind, count in Counter(finding.type for finding in findings).items() if kind != "Info")


def _invalid_template(error: TemplateError) -> InvalidTemplate:
    faults = tuple(_as_fault(finding) for finding in error.findings if finding.type == "Error")
    return InvalidTemplate(f"The file cannot be a template: {error}", faults=faults)


def _as_fault(finding: Finding) -> Fault:
    where = f" (slide '{finding.location}')" if finding.location else ""
    return Fault("/file", f"{finding.message}{where}")


def _as_missing(finding: Finding, data_pointer: Callable[[int], str]) -> Fault:
    """Point at the data that the tag wanted: `/slides/0/data/customer/name`."""
    path = str(finding.details["path"]).replace(".", "/")
    pointer = data_pointer(int(finding.details["position"]))
    return Fault(f"{pointer}/{path}", f"{finding.message} (slide '{finding.location}')")


def as_result(finding: Finding) -> ValidationResult:
    """Return a finding as the contract spells it."""
    return ValidationResult(
        finding.type, finding.message, finding.location, {"code": finding.code, **dict(finding.details)}
    )
