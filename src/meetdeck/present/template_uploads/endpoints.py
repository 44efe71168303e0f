"""The addresses of templates that accept a file."""

from collections.abc import Sequence
from functools import partial

from litestar import Controller, Response, post

from meetdeck.platform.changes import AuditAction, Difference, Entry, EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import Call, CurrentCall, SavedResource, Service, documents
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.present import examples
from meetdeck.present.contents.service import Contents, get_content
from meetdeck.present.findings import ValidationResult
from meetdeck.present.pictures.service import Pictures
from meetdeck.present.template_uploads.schemas import (
    UploadTemplate,
    UploadTemplateForm,
    ValidateTemplate,
    ValidateTemplateForm,
)
from meetdeck.present.template_uploads.service import TemplateUploads, save_template
from meetdeck.present.templates.endpoints import describe_template
from meetdeck.present.templates.schemas import SlideTemplateDetails, StoredTemplate
from meetdeck.present.templates.service import find_sources


class Uploads(Controller):
    """Files that become templates, or are validated."""

    path = "/templates"
    tags = ("Templates",)

    @post(
        status_code=201,
        summary="Upload a template",
        **accepts(body=UploadTemplate, form=UploadTemplateForm, example=examples.NEW_TEMPLATE),
        **documents(replaces=True),
    )
    async def upload_template(
        self,
        call: CurrentCall,
        payload: Body[UploadTemplate | UploadTemplateForm],
        uploads: Service[TemplateUploads],
        contents: Service[Contents],
        pictures: Service[Pictures],
    ) -> Response[SlideTemplateDetails]:
        """Upload a PowerPoint file as a template: 201 for a new name, 200 for the next revision of an existing one.

        Send the file itself (`multipart/form-data`), or the `contentId` of a stored one. A file from which no deck can
        be built is refused (400), with every fault in `errors`.
        """
        if answered := await call.find_answer(payload):
            return answered
        upload = await uploads.check_upload(
            call.principal,
            name=payload.name,
            customer_type=payload.category,
            content=await _read_file(call, contents, payload),
            find=partial(_find_sources, call),
        )

        saved: list[StoredTemplate] = []

        async def save(connection: Connection) -> SavedResource:
            template, is_new = await save_template(
                connection, call.principal, upload, call.now, only_new=call.conditions.must_be_new
            )
            await uploads.quotas.require_kept(connection, is_new_template=is_new)
            saved[:] = [template]
            await call.audit(connection, _describe_upload(template, call, is_new=is_new))
            details = describe_template(template, call)
            return SavedResource(details, details.uri, is_new)

        async with uploads.quotas.discarding(upload.file_key):
            answer = await call.save(payload, save)
        for template in saved:
            pictures.prepare(template)
        return answer

    @post(
        "/validation",
        status_code=200,
        summary="Validate a template",
        **accepts(body=ValidateTemplate, form=ValidateTemplateForm, example=examples.FILE_TO_VALIDATE),
    )
    async def validate_template(
        self,
        call: CurrentCall,
        payload: Body[ValidateTemplate | ValidateTemplateForm],
        uploads: Service[TemplateUploads],
        contents: Service[Contents],
    ) -> list[ValidationResult]:
        """Return every finding about a PowerPoint file, Errors first; nothing is stored.

        A file without Errors can be a template. An empty list means that there are no findings.
        """
        content = await _read_file(call, contents, payload)
        return await uploads.validate(call.principal, content, partial(_find_sources, call))


def _describe_upload(template: StoredTemplate, call: Call, *, is_new: bool) -> Entry:
    """Return the entry of the audit log for a new template, or the next revision of one, with its event."""
    action = AuditAction.CREATED if is_new else AuditAction.CHANGED
    changes = () if is_new else (Difference("revision", template.revision - 1, template.revision),)
    return Entry(
        action,
        "templates",
        str(template.template_id),
        template.name,
        changes,
        resource=describe_template(template, call.in_v3),
        event=EventType.TEMPLATE_UPLOADED,
    )


async def _find_sources(call: Call, names: Sequence[str]) -> Sequence[StoredTemplate]:
    async with call.reading() as connection:
        return await find_sources(connection, names)


async def _read_file(
    call: Call,
    contents: Contents,
    payload: UploadTemplate | UploadTemplateForm | ValidateTemplate | ValidateTemplateForm,
) -> bytes:
    """Return the file that was sent, or that the content id names."""
    if isinstance(payload, UploadTemplateForm | ValidateTemplateForm):
        return payload.file.read()
    async with call.reading() as connection:
        content = await get_content(connection, payload.content_id, call.now)
    return await contents.read(content)
