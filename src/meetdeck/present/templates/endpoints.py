"""Templates' addresses."""

from functools import partial
from typing import Annotated, Any

from litestar import Controller, Response, delete, get, patch
from litestar.openapi.spec import Example
from litestar.params import PathParameter

from meetdeck.platform.http.answers import TEXT
from meetdeck.platform.http.around import unescape_step
from meetdeck.platform.http.calls import Call, CurrentCall, Service, audits
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.values import Version
from meetdeck.present import examples
from meetdeck.present.deck import split_section_name
from meetdeck.present.templates import service
from meetdeck.present.templates.schemas import (
    ReplaceLabels,
    RevisionEntry,
    Section,
    SlideTemplate,
    SlideTemplateDetails,
    StoredTemplate,
    Tag,
    TemplateData,
    TemplateDataQuery,
    TemplateEntry,
    TemplatesQuery,
    TemplateState,
    list_revisions,
)

_NAME = [Example(value=examples.TEMPLATE)]

TemplateName = Annotated[str, PathParameter(description="The template's name.", examples=_NAME)]
TemplateIdOrName = Annotated[str, PathParameter(description="The template's `id`, or its name.", examples=_NAME)]


class Templates(Controller):
    """Templates by name."""

    path = "/templates"
    tags = ("Templates",)
    opt = audits("templates")

    @get(summary="List templates", **accepts(query=TemplatesQuery))
    async def list_templates(self, call: CurrentCall, params: Query[TemplatesQuery]) -> list[SlideTemplate]:
        """Return the tenant's templates by name; v3 can filter them by labels, or by a tag."""
        wanted = params if call.version is Version.V3 else TemplatesQuery()
        async with call.transaction() as connection:
            found = await service.list_templates(connection, wanted)
        return [_summary(template, call) for template in found]

    @get("/{name:str}", summary="Read a template")
    async def get_template(
        self, call: CurrentCall, name: TemplateName, files: Service[service.TemplateFiles]
    ) -> Response[SlideTemplateDetails]:
        """Return a template: the data it needs (`tags`), and the names of its slides (`sections`).

        v3 adds `example`, data that fills every tag, and `dataSchema`, its JSON Schema. Slides inserted from other
        templates need the data that these need now.
        """
        async with call.reading() as connection:
            template = await service.get_template(connection, unescape_step(name))
        return call.answer(describe_template(await files.refresh(template), call), state_of=_state_of(template, call))

    @delete("/{name:str}", status_code=200, media_type=TEXT, summary="Delete a template")  # no body: not JSON's `null`
    async def delete_template(self, call: CurrentCall, name: TemplateName) -> None:
        """Delete a template with all its revisions; decks made of it do not change."""
        await call.delete(
            service.get_template,
            unescape_step(name),
            service.delete_template,
            states=partial(_list_states, call),
            shown=partial(_summary, call=call.in_v3),
        )


class TemplateLabels(Controller):
    """The labels of templates; only in v3."""

    path = "/templates/{template_id:str}/labels"
    tags = ("Templates",)
    opt = audits("templates")

    @patch(summary="Replace a template's labels", **accepts(body=ReplaceLabels, example=examples.LABELS))
    async def replace_template_labels(
        self, call: CurrentCall, template_id: TemplateIdOrName, payload: Body[ReplaceLabels]
    ) -> Response[SlideTemplate]:
        """Replace the labels of a template, by its id or its name; new labels are registered."""
        labelled = await call.run_matched(
            service.get_template_by_id_or_name,
            unescape_step(template_id),
            lambda connection, template: service.replace_template_labels(
                connection, template, payload.labels, call.now
            ),
            states=partial(_list_states, call),
            shown=partial(_summary, call=call.in_v3),
        )
        return call.answer(_summary(labelled, call), state_of=_state_of(labelled, call))


class TemplatesData(Controller):
    """The data that slides need; only v3 can limit it to some of them."""

    path = "/templates/{name:str}/data"
    tags = ("Templates",)

    @get(summary="Read the data that slides want", **accepts(query=TemplateDataQuery))
    async def get_template_data(
        self,
        call: CurrentCall,
        name: TemplateName,
        params: Query[TemplateDataQuery],
        files: Service[service.TemplateFiles],
    ) -> TemplateData:
        """Return the tags of some slides, data that fills them, and its JSON Schema, for a form."""
        async with call.reading() as connection:
            template = await service.get_unlabelled_template(connection, unescape_step(name))
        return await files.describe_data(template, params.slides)


class TemplateRevisions(Controller):
    """The revisions of templates; only in v3."""

    path = "/templates/{name:str}/revisions"
    tags = ("Templates",)

    @get(summary="List a template's revisions")
    async def list_template_revisions(self, call: CurrentCall, name: TemplateName) -> list[RevisionEntry]:
        """Return a template's current and former files, the newest first; `?revision=` selects one for pictures."""
        async with call.reading() as connection:
            return await service.list_template_revisions(connection, unescape_step(name))


def describe_template(template: StoredTemplate, call: Call) -> SlideTemplateDetails:
    """Return a template with its tags and sections, as the version answers it."""
    outline, members = template.outline, _members(template, call)
    if call.version is Version.V2:
        tags = [Tag(tag.name, tag.description) for tag in outline.tags]
        return SlideTemplateDetails(tags=tags, sections=outline.sections, **members)
    return SlideTemplateDetails(
        tags=outline.tags,
        sections=[Section(one.name, one.slides, *split_section_name(one.name)) for one in outline.sections],
        example=outline.example,
        data_schema=outline.data_schema,
        findings=template.findings,
        shared_from=list_revisions(template)[1:],
        **members,
    )


def _state_of(template: StoredTemplate, call: Call) -> SlideTemplateDetails | TemplateState:
    """Return the input of a template's entity tag: quick to read, and changed by each of its sources."""
    details = describe_template(template, call)
    return TemplateState(details, list_revisions(template)) if template.sources else details


def _list_states(call: Call, template: StoredTemplate) -> tuple[SlideTemplateDetails | TemplateState, ...]:
    # As reading it answers, and as its upload did.
    return (_state_of(template, call), describe_template(template, call))


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
