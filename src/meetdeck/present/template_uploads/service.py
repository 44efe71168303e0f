"""Uploads: validating a template file, storing it, naming it in the database."""

import re
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from meetdeck.platform.auth import Principal
from meetdeck.platform.db import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.storage import Storage, digest_of, new_file_key
from meetdeck.platform.threads import run_in_thread
from meetdeck.present.deck import Finding, TagInfo, Template, TemplateError, compile_template, validate_template
from meetdeck.present.errors import InvalidUpload, TemplateExists
from meetdeck.present.findings import ValidationResult, as_result, refuse_template
from meetdeck.present.quotas import Quotas
from meetdeck.present.render.handouts import installed_font_families
from meetdeck.present.render.typefaces import installed_typefaces
from meetdeck.present.template_uploads import store
from meetdeck.present.templates.schemas import Section, StoredTemplate, Tag, TagPlace, TemplateOutline
from meetdeck.present.templates.service import get_template

_LONGEST_NAME = 200
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
    outline: TemplateOutline
    findings: list[ValidationResult]


@dataclass(frozen=True, slots=True)
class TemplateUploads:
    """Validates and stores templates' files. Called outside transactions."""

    storage: Storage
    quotas: Quotas

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
        await self.quotas.require_room(principal.tenant_id, len(content))
        file_key = new_file_key(principal.tenant_id)
        await self.storage.put(file_key, content)
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


def _check_template(content: bytes) -> Template:
    return compile_template(content, installed_fonts=installed_font_families(), typefaces=installed_typefaces())


def _validate(content: bytes) -> list[Finding]:
    return validate_template(content, installed_fonts=installed_font_families(), typefaces=installed_typefaces())


def _outline(template: Template) -> TemplateOutline:
    """Return a template's tags and sections. Slides in no section come first, in a section without a name.

    A template without sections would otherwise show no slide names at all.
    """
    sections = [Section(section.name, list(section.slides)) for section in template.sections]
    loose = [slide.name for slide in template.slides if slide.section is None]
    return TemplateOutline(
        tags=[_as_tag(tag) for tag in template.tags],
        sections=[Section("", loose), *sections] if loose else sections,
        example=dict(template.example),
        data_schema=dict(template.schema),
    )


def _as_tag(tag: TagInfo) -> Tag:
    places = [TagPlace(place.slide, place.shape, place.part, place.paragraph) for place in tag.occurrences]
    return Tag(tag.name, tag.description, tag.type, places)
