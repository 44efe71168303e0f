"""The presentation service's addresses (contract section 4): parse, open the transaction, shape the answer."""

from typing import Any

from litestar import Controller, Response, Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from meetdeck.platform.http.call import Call, GivenCall
from meetdeck.platform.http.edge import unescape_step
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.requests import require_accepts, takes
from meetdeck.platform.http.responses import PDF, PNG, PPTX, answer_file, answer_saved
from meetdeck.platform.http.versions import Version
from meetdeck.platform.wire import read_json
from meetdeck.present import service
from meetdeck.present.model import (
    SlideTemplate,
    SlideTemplateDetails,
    StoredTemplate,
    Tag,
    ValidationResult,
)
from meetdeck.present.requests import (
    BuildDeck,
    BuildDeckQuery,
    MakePdf,
    MakePdfForm,
    PdfOptions,
    PictureQuery,
    UploadTemplateForm,
    ValidateTemplateForm,
)
from meetdeck.present.service import Presentations


def make_router(version: Version) -> Router:
    """Return the addresses of one version."""
    return Router(
        f"/api/{version}/present",
        route_handlers=[Templates, Slides],
        tags=["Presentation"],
    )


class Slides(Controller):
    """Decks and PDFs; the same in both versions."""

    path = "/slides"

    @post(status_code=200, media_type=PPTX, summary="Build a deck", **takes(body=BuildDeck, query=BuildDeckQuery))
    async def build_deck(
        self,
        call: GivenCall,
        sent: NamedDependency[BuildDeck],
        asked: NamedDependency[BuildDeckQuery],
        presentations: NamedDependency[Presentations],
    ) -> Response[bytes]:
        """Build a PowerPoint file from slides of a template, each filled with its own data.

        Slides may be picked, repeated and reordered. A tag without a value becomes empty text; the header
        `Deck-Findings` counts those, and `missing=error` refuses them.
        """
        async with call.transaction() as connection:
            template = await service.get_template(connection, sent.template)
        deck = await presentations.build_deck(template, sent.slides, missing=asked.missing)
        return answer_file(
            deck.content,
            media_type=PPTX,
            file_name=f"{template.name}.pptx",
            headers={"Deck-Findings": str(service.count_findings(deck.findings))},
        )

    @post("/pdf", status_code=200, media_type=PDF, summary="Make a PDF", **takes(body=MakePdf, form=MakePdfForm))
    async def make_pdf(
        self,
        call: GivenCall,
        sent: NamedDependency[SkipValidation[MakePdf | MakePdfForm]],
        presentations: NamedDependency[Presentations],
    ) -> Response[bytes]:
        """Render an uploaded presentation, or a template by its uri, as PDF."""
        if isinstance(sent, MakePdfForm):
            content, options, name = sent.file.content, _read_options(sent), sent.file.file_name.rpartition(".")[0]
        else:
            async with call.transaction() as connection:
                template = await service.get_template_at(connection, sent.slide_location, base_url=call.base_url)
            content, options, name = await presentations.read_file(template), sent.options, template.name
        pdf = await presentations.make_pdf(content, options)
        return answer_file(pdf, media_type=PDF, file_name=f"{name or 'slides'}.pdf")


class Templates(Controller):
    """Templates by name."""

    path = "/templates"

    @get(summary="List templates")
    async def list_templates(self, call: GivenCall) -> list[SlideTemplate]:
        """Return the tenant's templates by name."""
        async with call.transaction() as connection:
            templates = await service.list_templates(connection)
        return [SlideTemplate(**_members(template, call)) for template in templates]

    @get("/{name:str}", summary="Read a template")
    async def get_template(self, call: GivenCall, name: FromPath[str]) -> SlideTemplateDetails:
        """Return a template with its tags and sections."""
        async with call.transaction() as connection:
            template = await service.get_template(connection, unescape_step(name))
        return _details(template, call)

    @get("/{name:str}/slides/{slide_name:str}", media_type=PNG, summary="Picture a slide", **takes(query=PictureQuery))
    async def picture_slide(
        self,
        call: GivenCall,
        name: FromPath[str],
        slide_name: FromPath[str],
        asked: NamedDependency[PictureQuery],
        request: AnyRequest,
        presentations: NamedDependency[Presentations],
    ) -> Response[bytes]:
        """Draw a slide of the template, with its tags as they stand."""
        require_accepts(request, PNG)
        async with call.transaction() as connection:
            template = await service.get_template(connection, unescape_step(name))
        picture = await presentations.picture_slide(template, unescape_step(slide_name), width=asked.width)
        return answer_file(picture, media_type=PNG, file_name=f"{unescape_step(slide_name)}.png")

    @post(status_code=201, summary="Upload a template", **takes(form=UploadTemplateForm))
    async def upload_template(
        self, call: GivenCall, sent: NamedDependency[UploadTemplateForm], presentations: NamedDependency[Presentations]
    ) -> Response[SlideTemplateDetails]:
        """Upload a PowerPoint file as a template: 201 for a new name, 200 for the next revision of one that exists."""
        upload = await presentations.check_upload(
            call.principal, name=sent.name, customer_type=sent.category, content=sent.file.content
        )
        async with call.transaction() as connection:
            template, is_new = await service.save_template(connection, call.principal, upload, call.now)
        details = _details(template, call)
        return answer_saved(details, uri=details.uri, is_new=is_new)

    @post("/validation", status_code=200, summary="Validate a template", **takes(form=ValidateTemplateForm))
    async def validate_template(
        self, sent: NamedDependency[ValidateTemplateForm], presentations: NamedDependency[Presentations]
    ) -> list[ValidationResult]:
        """Return every finding about a PowerPoint file, Errors first; nothing is stored.

        A file without Errors can be a template. An empty list means that there is nothing to remark.
        """
        return await presentations.validate(sent.file.content)

    @delete("/{name:str}", status_code=200, summary="Delete a template")
    async def delete_template(self, call: GivenCall, name: FromPath[str]) -> None:
        """Delete a template with all its revisions; decks that were made of it stay what they are."""
        async with call.transaction() as connection:
            await service.delete_template(connection, unescape_step(name))


def _members(template: StoredTemplate, call: Call) -> dict[str, Any]:
    members: dict[str, Any] = {
        "uri": call.uri("present/templates", template.name),
        "name": template.name,
        "customer_type": template.customer_type,
        "tenant_id": template.tenant_id,
        "owner_id": template.owner_id,
    }
    if call.version is Version.V3:
        members |= {"id": template.template_id, "revision": template.revision, "updated_at": template.updated_at}
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
        **members,
    )


def _read_options(form: MakePdfForm) -> PdfOptions:
    """Read the options of a form: JSON text in one field, or a field each."""
    options = read_json(form.options.encode(), PdfOptions)
    return PdfOptions(options.handout_mode or form.handout_mode, options.notes_pages or form.notes_pages)
