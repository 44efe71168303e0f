"""The presentation service's addresses (contract section 4): parse, open the transaction, shape the answer."""

from typing import Any
from urllib.parse import quote

from litestar import Controller, Response, Router, get, post
from litestar.params import SkipValidation

from meetdeck.platform.auth import Principal
from meetdeck.platform.clock import Clock
from meetdeck.platform.db import Database
from meetdeck.platform.http.requests import takes
from meetdeck.platform.http.responses import PDF, PPTX, answer_file, answer_saved
from meetdeck.platform.http.versions import Version, provide_version
from meetdeck.platform.wire import read_json
from meetdeck.present import service
from meetdeck.present.model import (
    SlideTemplate,
    SlideTemplateDetails,
    StoredTemplate,
)
from meetdeck.present.requests import BuildDeck, BuildDeckQuery, MakePdf, MakePdfForm, PdfOptions, UploadTemplateForm
from meetdeck.present.service import Presentations


def make_router(version: Version) -> Router:
    """Return the addresses of one version."""
    return Router(
        f"/api/{version}/present",
        route_handlers=[Templates, Slides],
        dependencies={"version": provide_version(version)},
        tags=["Presentation"],
    )


class Slides(Controller):
    """Decks and PDFs; the same in both versions."""

    path = "/slides"

    @post(status_code=200, media_type=PPTX, summary="Build a deck", **takes(body=BuildDeck, query=BuildDeckQuery))
    async def build_deck(
        self,
        sent: BuildDeck,
        asked: BuildDeckQuery,
        principal: Principal,
        database: Database,
        presentations: Presentations,
    ) -> Response[bytes]:
        """Build a PowerPoint file from slides of a template, each filled with its own data.

        Slides may be picked, repeated and reordered. A tag without a value becomes empty text; the header
        `Deck-Findings` counts those, and `missing=error` refuses them.
        """
        async with database.transaction(principal.tenant_id) as connection:
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
        sent: SkipValidation[MakePdf | MakePdfForm],
        principal: Principal,
        database: Database,
        presentations: Presentations,
    ) -> Response[bytes]:
        """Render an uploaded presentation, or a template by its uri, as PDF."""
        if isinstance(sent, MakePdfForm):
            content, options, name = sent.file.content, _read_options(sent), sent.file.file_name.rpartition(".")[0]
        else:
            async with database.transaction(principal.tenant_id) as connection:
                template = await service.get_template_at(connection, sent.slide_location)
            content, options, name = await presentations.read_file(template), sent.options, template.name
        pdf = await presentations.make_pdf(content, options)
        return answer_file(pdf, media_type=PDF, file_name=f"{name or 'slides'}.pdf")


class Templates(Controller):
    """Templates by name."""

    path = "/templates"

    @get(summary="List templates")
    async def list_templates(
        self, principal: Principal, database: Database, version: Version, base_url: str
    ) -> list[SlideTemplate]:
        """Return the tenant's templates by name."""
        async with database.transaction(principal.tenant_id) as connection:
            templates = await service.list_templates(connection)
        return [SlideTemplate(**_members(template, version, base_url)) for template in templates]

    @get("/{name:str}", summary="Read a template")
    async def get_template(
        self, name: str, principal: Principal, database: Database, version: Version, base_url: str
    ) -> SlideTemplateDetails:
        """Return a template with its tags and sections."""
        async with database.transaction(principal.tenant_id) as connection:
            template = await service.get_template(connection, name)
        return _details(template, version, base_url)

    @post(status_code=201, summary="Upload a template", **takes(form=UploadTemplateForm))
    async def upload_template(
        self,
        sent: UploadTemplateForm,
        principal: Principal,
        database: Database,
        presentations: Presentations,
        clock: Clock,
        version: Version,
        base_url: str,
    ) -> Response[SlideTemplateDetails]:
        """Upload a PowerPoint file as a template: 201 for a new name, 200 for the next revision of one that exists."""
        upload = await presentations.check_upload(
            principal, name=sent.name, customer_type=sent.category, content=sent.file.content
        )
        async with database.transaction(principal.tenant_id) as connection:
            template, is_new = await service.save_template(connection, principal, upload, clock())
        details = _details(template, version, base_url)
        return answer_saved(details, uri=details.uri, is_new=is_new)


def _members(template: StoredTemplate, version: Version, base_url: str) -> dict[str, Any]:
    members: dict[str, Any] = {
        "uri": f"{base_url}/api/{version}/present/templates/{quote(template.name, safe='')}",
        "name": template.name,
        "customer_type": template.customer_type,
        "tenant_id": template.tenant_id,
        "owner_id": template.owner_id,
    }
    if version is Version.V3:
        members |= {"id": template.template_id, "revision": template.revision, "updated_at": template.updated_at}
    return members


def _details(template: StoredTemplate, version: Version, base_url: str) -> SlideTemplateDetails:
    return SlideTemplateDetails(
        tags=template.outline.tags, sections=template.outline.sections, **_members(template, version, base_url)
    )


def _read_options(form: MakePdfForm) -> PdfOptions:
    """Read the options of a form: JSON text in one field, or a field each."""
    options = read_json(form.options.encode(), PdfOptions)
    return PdfOptions(options.handout_mode or form.handout_mode, options.notes_pages or form.notes_pages)
