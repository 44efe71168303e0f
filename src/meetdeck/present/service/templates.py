"""Templates: named in the database, their files in storage, compiled in memory."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote
from uuid import UUID, uuid4

from msgspec.structs import replace

from meetdeck.labels.schemas import LabelledKind, LabelMatch
from meetdeck.labels.uses import find_labelled, list_labels, replace_labels
from meetdeck.platform.auth import Principal
from meetdeck.platform.db import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.storage import Storage
from meetdeck.platform.threads import run_in_thread
from meetdeck.present import store
from meetdeck.present.compiled import CompiledTemplates
from meetdeck.present.deck import Finding, TagInfo, Template, TemplateError, compile_template, validate_template
from meetdeck.present.errors import InvalidUpload, TemplateExists, TemplateNotFound
from meetdeck.present.quotas import Quotas
from meetdeck.present.render.handouts import installed_font_families
from meetdeck.present.render.typefaces import installed_typefaces
from meetdeck.present.schemas.resources import (
    Outline,
    Section,
    StoredTemplate,
    Tag,
    TagPlace,
    TemplateEntry,
    ValidationResult,
    digest_of,
    new_file_key,
)
from meetdeck.present.service.findings import as_result, refuse_template

_LONGEST_NAME = 200
_TEMPLATE_PATH = re.compile(r"/api/v[23]/present/templates/(?P<name>[^/?#]+)")
# A name is a step of an address: these would not get there, or somewhere else.
_NO_NAME = re.compile(r"[\x00-\x1f\x7f]|^(?:\.{1,2}|validation)$")


@dataclass(frozen=True, slots=True)
class CheckedUpload:
    """A template file that passed validation and is in storage; its row in the database is still to be written."""

    name: str
    customer_type: str
    file_key: str
    digest: bytes
    size_bytes: int
    outline: Outline
    findings: list[ValidationResult]


async def list_templates(
    connection: Connection, labels: Sequence[str] = (), match: LabelMatch = LabelMatch.ALL
) -> list[TemplateEntry]:
    """Return the tenant's templates by name: all, or those with the labels (docs/api.md#label-filters)."""
    labelled = await find_labelled(connection, LabelledKind.TEMPLATE, labels, match)
    templates = await store.list_templates(connection, labelled)
    carried = await list_labels(connection, LabelledKind.TEMPLATE, [one.template_id for one in templates])
    return [replace(one, labels=carried[one.template_id]) for one in templates]


async def get_template(
    connection: Connection, name: str, *, for_update: bool = False, pointer: str | None = None
) -> StoredTemplate:
    """Return a template, locked `for_update`. Raises TemplateNotFound with the nearest names.

    `pointer` is the member of a body with its name, if it was in a body.
    """
    found = await store.find_template(connection, name, for_update=for_update)
    if found is None:
        raise TemplateNotFound(name, await store.list_template_names(connection), pointer)
    carried = await list_labels(connection, LabelledKind.TEMPLATE, [found.template_id])
    return replace(found, labels=carried[found.template_id])


async def get_template_by_id_or_name(
    connection: Connection, id_or_name: str, *, for_update: bool = False
) -> StoredTemplate:
    """Return a template, locked if it is to be changed (docs/api.md#templates). Raises TemplateNotFound."""
    template_id = _read_id(id_or_name)
    name = await store.find_template_name(connection, template_id) if template_id else None
    return await get_template(connection, name or id_or_name, for_update=for_update)


async def replace_template_labels(
    connection: Connection, template: StoredTemplate, labels: Sequence[str], now: datetime
) -> StoredTemplate:
    """Set the labels of a locked template to exactly these. Raises InvalidLabel."""
    carried = await replace_labels(connection, LabelledKind.TEMPLATE, template.template_id, labels, now)
    return replace(template, labels=carried)


async def get_template_at(connection: Connection, slide_location: str, *, base_url: str) -> StoredTemplate:
    """Return the template of a `slideLocation`: a template's `uri`, whole or from its path on."""
    found = _TEMPLATE_PATH.fullmatch(slide_location.removeprefix(base_url))
    if found is None:
        raise InvalidUpload(
            "slideLocation must be a template's uri, or a content's contentId, slideLocation or downloadUrl, of this "
            "installation; nothing is fetched from outside.",
            faults=(Fault("/slideLocation", "Send for example /api/v3/present/templates/Annual%20review."),),
        )
    return await get_template(connection, unquote(found["name"]), pointer="/slideLocation")


async def get_locale(connection: Connection) -> str:
    """Return the language in which the tenant's decks write numbers and dates (BCP 47)."""
    return await store.get_locale(connection)


async def save_template(
    connection: Connection, principal: Principal, upload: CheckedUpload, now: datetime, *, only_new: bool = False
) -> tuple[StoredTemplate, bool]:
    """Insert the upload as the template of its name, or as that template's next revision; return whether it is new.

    Raises TemplateExists when it is not, and `only_new` was asked.
    """
    revision = await store.put_template(
        connection,
        template_id=uuid4(),
        name=upload.name,
        customer_type=upload.customer_type,
        file_key=upload.file_key,
        digest=upload.digest,
        size_bytes=upload.size_bytes,
        outline=upload.outline,
        findings=upload.findings,
        user_id=principal.user_id,
        now=now,
        only_new=only_new,
    )
    if revision is None:
        raise TemplateExists(upload.name)
    return await get_template(connection, upload.name), revision == 1


async def delete_template(connection: Connection, template: StoredTemplate) -> None:
    """Delete a template with its revisions."""
    await store.delete_template(connection, template.template_id)


def _read_id(id_or_name: str) -> UUID | None:
    with suppress(ValueError):
        return UUID(id_or_name)
    return None


class TemplateFiles:
    """The slow half: validates, stores, reads and compiles templates' files. Called outside transactions."""

    def __init__(self, storage: Storage, quotas: Quotas) -> None:
        self._storage = storage
        self._quotas = quotas
        self._compiled = CompiledTemplates()

    async def check_upload(
        self, principal: Principal, *, name: str, customer_type: str, content: bytes
    ) -> CheckedUpload:
        """Validate a template file and store it. Raises InvalidUpload, QuotaExceeded, or InvalidTemplate."""
        name = name.strip()
        if not name or len(name) > _LONGEST_NAME or _NO_NAME.search(name):
            raise InvalidUpload(
                f"A template's name has 1 to {_LONGEST_NAME} characters, no tab or line break among them, and is not "
                "'.', '..' or 'validation', which mean something else in an address.",
                faults=(Fault("/name", "Give another name."),),
            )
        try:
            template = await run_in_thread(_check_template, content)
        except TemplateError as error:
            raise refuse_template(error) from None
        await self._quotas.require_room(principal.tenant_id, len(content))
        file_key = new_file_key(principal.tenant_id)
        await self._storage.put(file_key, content)
        return CheckedUpload(
            name=name,
            customer_type=customer_type.strip(),
            file_key=file_key,
            digest=digest_of(content),
            size_bytes=len(content),
            outline=_outline(template),
            findings=[as_result(finding) for finding in template.findings],
        )

    async def validate(self, content: bytes) -> list[ValidationResult]:
        """Return every finding about a template file, Errors first; without an Error it can be a template."""
        findings = await run_in_thread(_validate, content)
        return [as_result(finding) for finding in findings]

    async def compile(self, template: StoredTemplate) -> Template:
        """Return the compiled template."""
        try:
            return await self._compiled.get(template.digest, lambda: self.read(template))
        except TemplateError as error:  # it was fine for the version that took it
            raise refuse_template(error) from None

    async def read(self, template: StoredTemplate) -> bytes:
        """Return the template's file."""
        return await self._storage.get(template.file_key)


def _check_template(content: bytes) -> Template:
    return compile_template(content, installed_fonts=installed_font_families(), typefaces=installed_typefaces())


def _validate(content: bytes) -> list[Finding]:
    return validate_template(content, installed_fonts=installed_font_families(), typefaces=installed_typefaces())


def _outline(template: Template) -> Outline:
    """Return a template's tags and sections. Slides in no section come first, in a section without a name.

    A template without sections would otherwise show no slide names at all.
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
