"""Templates by name."""

from functools import partial
from typing import Any

from litestar import Controller, Response, delete, get, patch, post

from meetdeck.platform.db import Connection
from meetdeck.platform.http.call import Call, CurrentCall, Saved
from meetdeck.platform.http.middleware import unescape_step
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.http.responses import TEXT
from meetdeck.platform.http.services import Service
from meetdeck.platform.http.versions import Version
from meetdeck.present import examples
from meetdeck.present.endpoints.addresses import TemplateIdOrName, TemplateName
from meetdeck.present.quotas import Quotas
from meetdeck.present.schemas.requests import (
    ReplaceLabels,
    TemplatesQuery,
    UploadTemplate,
    UploadTemplateForm,
    ValidateTemplate,
    ValidateTemplateForm,
)
from meetdeck.present.schemas.resources import (
    SlideTemplate,
    SlideTemplateDetails,
    StoredTemplate,
    Tag,
    TemplateEntry,
    ValidationResult,
)
from meetdeck.present.service import templates
from meetdeck.present.service.contents import Contents, get_content
from meetdeck.present.service.pictures import Pictures
from meetdeck.present.service.templates import TemplateFiles


class Templates(Controller):
    """Templates by name."""

    path = "/templates"
    tags = ("Templates",)

    @get(summary="List templates", **accepts(query=TemplatesQuery))
    async def list_templates(self, call: CurrentCall, params: Query[TemplatesQuery]) -> list[SlideTemplate]:
        """Return the tenant's templates by name; v3 narrows them to those that carry labels."""
        labels = params.labels if call.version is Version.V3 else []
        async with call.transaction() as connection:
            found = await templates.list_templates(connection, labels, params.label_match)
        return [_summary(template, call) for template in found]

    @get("/{name:str}", summary="Read a template")
    async def get_template(self, call: CurrentCall, name: TemplateName) -> Response[SlideTemplateDetails]:
        """Return a template: the data it wants (`tags`), and the names of its slides (`sections`).

        v3 adds `example`, data that fills every tag, and `dataSchema`, its JSON Schema.
        """
        async with call.transaction() as connection:
            template = await templates.get_template(connection, unescape_step(name))
        return call.answer(_details(template, call))

    @post(
        status_code=201,
        summary="Upload a template",
        **accepts(body=UploadTemplate, example=examples.NEW_TEMPLATE, form=UploadTemplateForm, replaces=True),
    )
    async def upload_template(
        self,
        call: CurrentCall,
        payload: Body[UploadTemplate | UploadTemplateForm],
        files: Service[TemplateFiles],
        contents: Service[Contents],
        pictures: Service[Pictures],
        quotas: Service[Quotas],
    ) -> Response[SlideTemplateDetails]:
        """Make a PowerPoint file a template: 201 for a new name, 200 for the next revision of one that exists.

        Send the file itself (`multipart/form-data`), or the `contentId` of one that is stored. A file that no deck can
        be built from is refused (400), with everything that is wrong with it in `errors`.
        """
        if answered := await call.find_answer(payload):
            return answered
        upload = await files.check_upload(
            call.principal,
            name=payload.name,
            customer_type=payload.category,
            content=await _read_file(call, contents, payload),
        )

        saved: list[StoredTemplate] = []

        async def save(connection: Connection) -> Saved:
            template, is_new = await templates.save_template(
                connection, call.principal, upload, call.now, only_new=call.conditions.wants_new
            )
            await quotas.require_kept(connection, is_new_template=is_new)
            saved[:] = [template]
            details = _details(template, call)
            return Saved(details, details.uri, is_new)

        async with quotas.discarding(upload.file_key):
            answer = await call.save(payload, save)
        for template in saved:
            pictures.prepare(template)
        return answer

    @post(
        "/validation",
        status_code=200,
        summary="Validate a template",
        **accepts(body=ValidateTemplate, example=examples.FILE_TO_VALIDATE, form=ValidateTemplateForm),
    )
    async def validate_template(
        self,
        call: CurrentCall,
        payload: Body[ValidateTemplate | ValidateTemplateForm],
        files: Service[TemplateFiles],
        contents: Service[Contents],
    ) -> list[ValidationResult]:
        """Return every finding about a PowerPoint file, Errors first; nothing is stored.

        A file without Errors can be a template. An empty list means that there is nothing to remark.
        """
        return await files.validate(await _read_file(call, contents, payload))

    @delete("/{name:str}", status_code=200, media_type=TEXT, summary="Delete a template")  # no body: not JSON's `null`
    async def delete_template(self, call: CurrentCall, name: TemplateName) -> None:
        """Delete a template with all its revisions; decks that were made of it stay what they are."""
        await call.delete(
            templates.get_template, unescape_step(name), templates.delete_template, states=partial(_list_states, call)
        )


async def _read_file(
    call: Call,
    contents: Contents,
    payload: UploadTemplate | UploadTemplateForm | ValidateTemplate | ValidateTemplateForm,
) -> bytes:
    """Return the file that was sent, or that the content id names."""
    if isinstance(payload, UploadTemplateForm | ValidateTemplateForm):
        return payload.file.read()
    async with call.transaction() as connection:
        content = await get_content(connection, payload.content_id, call.now)
    return await contents.read(content)


class TemplateLabels(Controller):
    """The labels of templates: only v3 has them."""

    path = "/templates/{template_id:str}/labels"
    tags = ("Templates",)

    @patch(summary="Replace a template's labels", **accepts(body=ReplaceLabels, example=examples.LABELS))
    async def replace_template_labels(
        self, call: CurrentCall, template_id: TemplateIdOrName, payload: Body[ReplaceLabels]
    ) -> Response[SlideTemplate]:
        """Replace the labels of a template, by its id or its name; labels that are new are registered."""
        labelled = await call.run_matched(
            templates.get_template_by_id_or_name,
            unescape_step(template_id),
            lambda connection, template: templates.replace_template_labels(
                connection, template, payload.labels, call.now
            ),
            states=partial(_list_states, call),
        )
        return call.answer(_summary(labelled, call), state_of=_details(labelled, call))


def _list_states(call: Call, template: StoredTemplate) -> tuple[SlideTemplateDetails]:
    return (_details(template, call),)


def _summary(template: TemplateEntry, call: Call) -> SlideTemplate:
    return SlideTemplate(**_members(template, call))


def _members(template: TemplateEntry, call: Call) -> dict[str, Any]:
    members: dict[str, Any] = {
        "uri": call.uri("present/templates", template.name),
        "name": template.name,
        "customer_type": template.customer_type,
        "tenant_id": template.tenant_id,
        "owner_id": template.owner_id,
    }
    if call.version is Version.V3:
        members |= {
            "id": template.template_id,
            "labels": template.labels,
            "revision": template.revision,
            "updated_at": template.updated_at,
        }
    return members


def _details(template: StoredTemplate, call: Call) -> SlideTemplateDetails:
    outline, members = template.outline, _members(template, call)
    if call.version is Version.V2:
        tags = [Tag(tag.name, tag.description) for tag in outline.tags]
        return SlideTemplateDetails(tags=tags, sections=outline.sections, **members)
    return SlideTemplateDetails(
        tags=outline.tags,
        sections=outline.sections,
        example=outline.example,
        data_schema=outline.data_schema,
        findings=template.findings,
        **members,
    )
