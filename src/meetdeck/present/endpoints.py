"""The presentation service's addresses (contract section 4): parse, open the transaction, shape the answer."""

from collections.abc import Collection
from mimetypes import guess_type
from typing import Any
from uuid import UUID

from litestar import Controller, Response, Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, SkipValidation

from meetdeck.platform.clock import Clock
from meetdeck.platform.db import Database
from meetdeck.platform.http.call import Call, GivenCall
from meetdeck.platform.http.edge import unescape_step
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.requests import require_accepts, takes
from meetdeck.platform.http.responses import JSON, PDF, PNG, PPTX, answer_file, answer_saved
from meetdeck.platform.http.versions import Version
from meetdeck.platform.wire import read_json
from meetdeck.present import service
from meetdeck.present.contents import Contents, add_content, get_content, list_contents, read_content_id
from meetdeck.present.errors import LinkRefused
from meetdeck.present.model import (
    Content,
    SlideTemplate,
    SlideTemplateDetails,
    StoredContent,
    StoredTemplate,
    Tag,
    ValidationResult,
)
from meetdeck.present.requests import (
    BuildDeck,
    BuildDeckQuery,
    GenerateDeck,
    LinkQuery,
    MakePdf,
    MakePdfForm,
    PdfOptions,
    PictureQuery,
    UploadContentForm,
    UploadTemplate,
    UploadTemplateForm,
    ValidateTemplate,
    ValidateTemplateForm,
)
from meetdeck.present.service import Presentations


def make_router(version: Version) -> Router:
    """Return the addresses of one version."""
    return Router(
        f"/api/{version}/present",
        route_handlers=[Templates, Slides, StoredContents],
        tags=["Presentation"],
    )


def make_public_router(version: Version) -> Router:
    """Return the addresses that need no credentials."""
    return Router(f"/api/{version}/present", route_handlers=[Downloads])


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
        contents: NamedDependency[Contents],
    ) -> Response[bytes]:
        """Build a PowerPoint file from slides of a template, each filled with its own data.

        Slides may be picked, repeated and reordered. A tag without a value becomes empty text; the header
        `Deck-Findings` counts those, and `missing=error` refuses them.
        """
        async with call.transaction() as connection:
            template = await service.get_template(connection, sent.template)
        wanted = await presentations.find_content_ids(template, [entry.data for entry in sent.slides])
        files = await _read_contents(call, contents, wanted)
        deck = await presentations.build_deck(template, sent.slides, missing=asked.missing, contents=files)
        return answer_file(
            deck.content,
            media_type=PPTX,
            file_name=f"{template.name}.pptx",
            headers={"Deck-Findings": str(service.count_findings(deck.findings))},
        )

    @post("/generate", status_code=200, summary="Generate a deck", **takes(body=GenerateDeck, query=BuildDeckQuery))
    async def generate_deck(
        self,
        call: GivenCall,
        sent: NamedDependency[GenerateDeck],
        asked: NamedDependency[BuildDeckQuery],
        presentations: NamedDependency[Presentations],
        contents: NamedDependency[Contents],
    ) -> Content:
        """Fill all slides of a template with one data, and keep the deck for a while."""
        async with call.transaction() as connection:
            template = await service.get_template(connection, sent.template)
        files = await _read_contents(call, contents, await presentations.find_content_ids(template, [sent.data]))
        deck = await presentations.build_whole_deck(template, sent.data, missing=asked.missing, contents=files)
        findings = [service.as_result(finding) for finding in deck.findings]
        return await _keep(
            call, contents, deck.content, file_name=f"{template.name}.pptx", media_type=PPTX, findings=findings
        )

    @post("/pdf", status_code=200, media_type=PDF, summary="Make a PDF", **takes(body=MakePdf, form=MakePdfForm))
    async def make_pdf(
        self,
        call: GivenCall,
        sent: NamedDependency[SkipValidation[MakePdf | MakePdfForm]],
        request: AnyRequest,
        presentations: NamedDependency[Presentations],
        contents: NamedDependency[Contents],
    ) -> Response[Any]:
        """Render a presentation as PDF: an uploaded file, a stored content, or a template by its uri.

        With `Accept: application/json` the PDF is kept for a while and its content response is the answer.
        """
        if isinstance(sent, MakePdfForm):
            content, options, name = sent.file.content, _read_options(sent), sent.file.file_name.rpartition(".")[0]
        else:
            content, name = await _read_location(call, presentations, contents, sent.slide_location)
            options = sent.options
        pdf = await presentations.make_pdf(content, options)
        file_name = f"{name or 'slides'}.pdf"
        if request.accept.best_match([PDF, JSON]) == JSON:
            return Response(
                await _keep(call, contents, pdf, file_name=file_name, media_type=PDF), media_type=JSON, status_code=200
            )
        return answer_file(pdf, media_type=PDF, file_name=file_name)


class StoredContents(Controller):
    """Files by id, for a while; ours, beside the contract."""

    path = "/contents"

    @post(status_code=201, summary="Store a file", **takes(form=UploadContentForm))
    async def upload_content(
        self, call: GivenCall, sent: NamedDependency[UploadContentForm], contents: NamedDependency[Contents]
    ) -> Response[Content]:
        """Keep a file for a while, to be named by its `contentId`: a template, a presentation, a picture."""
        media_type = guess_type(sent.file.file_name)[0] or "application/octet-stream"
        kept = await _keep(call, contents, sent.file.content, file_name=sent.file.file_name, media_type=media_type)
        return answer_saved(kept, uri=kept.slide_location)

    @get("/{content_id:uuid}", media_type="application/octet-stream", summary="Download a content")
    async def download_content(
        self, call: GivenCall, content_id: FromPath[UUID], contents: NamedDependency[Contents]
    ) -> Response[bytes]:
        """Answer the file."""
        async with call.transaction() as connection:
            content = await get_content(connection, content_id, call.now)
        return await _answer_content(contents, content)


class Downloads(Controller):
    """What a browser follows without headers; the signature says that it may."""

    path = "/contents"

    @get("/{content_id:uuid}/download", include_in_schema=False, **takes(query=LinkQuery))
    async def follow_link(
        self,
        content_id: FromPath[UUID],
        asked: NamedDependency[LinkQuery],
        contents: NamedDependency[Contents],
        database: NamedDependency[Database],
        clock: NamedDependency[Clock],
    ) -> Response[bytes]:
        """Answer the file of a signed link, until the link expires."""
        now = clock()
        if not contents.links.is_good(asked.tenant, content_id, asked.expires, asked.signature, now):
            raise LinkRefused
        async with database.transaction(asked.tenant) as connection:
            content = await get_content(connection, content_id, now)
        return await _answer_content(contents, content)


async def _answer_content(contents: Contents, content: StoredContent) -> Response[bytes]:
    return answer_file(await contents.read(content), media_type=content.content_type, file_name=content.file_name)


async def _keep(
    call: Call,
    contents: Contents,
    content: bytes,
    *,
    file_name: str,
    media_type: str,
    findings: list[ValidationResult] | None = None,
) -> Content:
    """Store a file, then its row, and return the content response."""
    kept = await contents.store(call.principal, content, file_name=file_name, content_type=media_type, now=call.now)
    async with call.transaction() as connection:
        await add_content(connection, kept, call.principal)
    return contents.describe(kept, address=call.uri("present/contents", kept.content_id), findings=findings)


async def _read_contents(call: Call, contents: Contents, content_ids: Collection[UUID]) -> dict[str, bytes]:
    """Return the files of the contents that are there, by id as text."""
    if not content_ids:
        return {}
    async with call.transaction() as connection:
        found = await list_contents(connection, content_ids, call.now)
    return {str(content.content_id): await contents.read(content) for content in found}


async def _read_location(
    call: Call, presentations: Presentations, contents: Contents, slide_location: str
) -> tuple[bytes, str]:
    """Return the presentation that a `slideLocation` means, and its name without extension."""
    content_id = read_content_id(slide_location, base_url=call.base_url)
    if content_id is not None:
        async with call.transaction() as connection:
            content = await get_content(connection, content_id, call.now, pointer="/slideLocation")
        return await contents.read(content), content.file_name.rpartition(".")[0]
    async with call.transaction() as connection:
        template = await service.get_template_at(connection, slide_location, base_url=call.base_url)
    return await presentations.read_file(template), template.name


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

    @post(status_code=201, summary="Upload a template", **takes(body=UploadTemplate, form=UploadTemplateForm))
    async def upload_template(
        self,
        call: GivenCall,
        sent: NamedDependency[SkipValidation[UploadTemplate | UploadTemplateForm]],
        presentations: NamedDependency[Presentations],
        contents: NamedDependency[Contents],
    ) -> Response[SlideTemplateDetails]:
        """Make a PowerPoint file a template: 201 for a new name, 200 for the next revision of one that exists."""
        upload = await presentations.check_upload(
            call.principal, name=sent.name, customer_type=sent.category, content=await _read_sent(call, contents, sent)
        )
        async with call.transaction() as connection:
            template, is_new = await service.save_template(connection, call.principal, upload, call.now)
        details = _details(template, call)
        return answer_saved(details, uri=details.uri, is_new=is_new)

    @post(
        "/validation",
        status_code=200,
        summary="Validate a template",
        **takes(body=ValidateTemplate, form=ValidateTemplateForm),
    )
    async def validate_template(
        self,
        call: GivenCall,
        sent: NamedDependency[SkipValidation[ValidateTemplate | ValidateTemplateForm]],
        presentations: NamedDependency[Presentations],
        contents: NamedDependency[Contents],
    ) -> list[ValidationResult]:
        """Return every finding about a PowerPoint file, Errors first; nothing is stored.

        A file without Errors can be a template. An empty list means that there is nothing to remark.
        """
        return await presentations.validate(await _read_sent(call, contents, sent))

    @delete("/{name:str}", status_code=200, summary="Delete a template")
    async def delete_template(self, call: GivenCall, name: FromPath[str]) -> None:
        """Delete a template with all its revisions; decks that were made of it stay what they are."""
        async with call.transaction() as connection:
            await service.delete_template(connection, unescape_step(name))


async def _read_sent(
    call: Call, contents: Contents, sent: UploadTemplate | UploadTemplateForm | ValidateTemplate | ValidateTemplateForm
) -> bytes:
    """Return the file that was sent, or that the content id names."""
    if isinstance(sent, UploadTemplateForm | ValidateTemplateForm):
        return sent.file.content
    async with call.transaction() as connection:
        content = await get_content(connection, sent.content_id, call.now)
    return await contents.read(content)


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
