"""Uploads: validating a template file, storing it, naming it in the database."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.identity import Principal
from meetdeck.platform.phrases import phrase
from meetdeck.platform.storage import Storage, digest_of, new_file_key
from meetdeck.platform.values import SingleLine
from meetdeck.present.deck import (
    Finding,
    SharedTemplate,
    Template,
    TemplateError,
    TemplateFile,
    compile_template,
    has_errors,
    validate_template,
)
from meetdeck.present.errors import InvalidUpload, TemplateExists
from meetdeck.present.findings import ValidationResult, as_result, refuse_template
from meetdeck.present.quotas import Quotas
from meetdeck.present.render.handouts import installed_font_families
from meetdeck.present.render.typefaces import installed_typefaces
from meetdeck.present.template_uploads import store
from meetdeck.present.templates.schemas import StoredTemplate, TemplateOutline
from meetdeck.present.templates.service import TemplateFiles, get_template, outline_of, share
from meetdeck.present.threads import TEMPLATES

FindSources = Callable[[Sequence[str]], Awaitable[Sequence[StoredTemplate]]]


async def _find_none(_: Sequence[str]) -> Sequence[StoredTemplate]:
    return ()


_LONGEST_NAME = 200
# A name is a step of an address: these would not reach the server, or reach another address.
_NO_NAME = re.compile(r"\x00|^(?:\.{1,2}|validation)$")
_NAME = SingleLine(1, _LONGEST_NAME)


@dataclass(frozen=True, slots=True)
class CheckedUpload:
    """A template file that passed validation and is in storage; its row is not yet in the database."""

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
    files: TemplateFiles

    async def check_upload(
        self, principal: Principal, *, name: str, customer_type: str, content: bytes, find: FindSources = _find_none
    ) -> CheckedUpload:
        """Validate a template file and store it. Raises InvalidUpload, QuotaExceeded, or InvalidTemplate.

        `find` returns the templates that others refer to.
        """
        name = name.strip()
        if _NAME.find_fault(name) or _NO_NAME.search(name):
            raise InvalidUpload(
                phrase(
                    "A template's name has 1 to {longest_name} characters, no line break or other control "
                    "character among them, and is not '.', '..' or 'validation', which mean something "
                    "else in an address.",
                    longest_name=_LONGEST_NAME,
                ),
                faults=(Fault("/name", "Give another name."),),
            )
        try:
            template = await TEMPLATES.run(principal.tenant_id, lambda _: _check_template(content))
        except TemplateError as error:
            raise refuse_template(error) from None
        shared = await self._share(principal, TemplateFile(content, template), name, find)
        await self.quotas.require_room(principal.tenant_id, len(content))
        file_key = new_file_key(principal.tenant_id)
        await self.storage.put(file_key, content)
        return CheckedUpload(
            name=name,
            customer_type=customer_type.strip(),
            file_key=file_key,
            digest=digest_of(content),
            size_bytes=len(content),
            outline=outline_of(shared.template, template.references),
            findings=[as_result(finding) for finding in (*template.findings, *shared.findings)],
        )

    async def validate(
        self, principal: Principal, content: bytes, find: FindSources = _find_none
    ) -> list[ValidationResult]:
        """Return every finding about a template file, Errors first; without an Error it can be a template."""
        findings = await TEMPLATES.run(principal.tenant_id, lambda _: _validate(content))
        if not has_errors(findings):
            template = await TEMPLATES.run(principal.tenant_id, lambda _: compile_template(content))
            shared = await self._share(principal, TemplateFile(content, template), "", find)
            findings = sorted((*shared.findings, *findings), key=lambda finding: finding.type == "Info")
        return [as_result(finding) for finding in findings]

    async def _share(self, principal: Principal, file: TemplateFile, name: str, find: FindSources) -> SharedTemplate:
        """Return a template with the current slides of others; `name` is the template's future name."""
        if not file.template.references:
            return SharedTemplate(file.template, (), {}, {}, ())
        sources = await find([reference.template for reference in file.template.references])
        others = {one.name: TemplateFile(await self.files.read(one), await self.files.compile(one)) for one in sources}
        return await share(principal.tenant_id, file, others | {name: file})


async def save_template(
    connection: Connection, principal: Principal, upload: CheckedUpload, now: datetime, *, only_new: bool = False
) -> tuple[StoredTemplate, bool]:
    """Insert the upload as the template of its name, or as that template's next revision; return whether it is new.

    Raises TemplateExists for an existing template with `only_new`.
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
