"""PDFs' address; the same in both versions."""

from litestar import Controller, Response, get, post
from msgspec.structs import replace

from meetdeck.platform.errors import Fault
from meetdeck.platform.http.answers import JSON, PDF, AnyRequest, answer_file, choose_media_type
from meetdeck.platform.http.calls import Call, CurrentCall, Service, answers, documents
from meetdeck.platform.http.requests import Body, accepts, read_accept
from meetdeck.platform.values import InvalidInput, read_builtins, read_json
from meetdeck.present import examples
from meetdeck.present.contents.endpoints import keep
from meetdeck.present.contents.schemas import Content
from meetdeck.present.contents.service import Contents, get_content
from meetdeck.present.pdfs.schemas import MakePdf, MakePdfForm, PdfOptions, RendererState
from meetdeck.present.pdfs.service import Pdfs, get_template_at, read_content_id
from meetdeck.present.render.renderer import RendererUnavailable
from meetdeck.present.renderings import Renderings, Source
from meetdeck.present.templates.service import TemplateFiles
from meetdeck.present.templates.store import get_locale


class SlidesAsPdf(Controller):
    """PDFs of presentations."""

    path = "/slides"
    tags = ("Decks",)

    @post(
        "/pdf",
        status_code=200,
        summary="Make a PDF",
        **accepts(body=MakePdf, form=MakePdfForm, example=examples.PDF),
        **documents(repeatable=True),
        **answers(files=[PDF]),
    )
    async def make_pdf(
        self,
        call: CurrentCall,
        payload: Body[MakePdf | MakePdfForm],
        request: AnyRequest,
        pdfs: Service[Pdfs],
        files: Service[TemplateFiles],
        contents: Service[Contents],
    ) -> Response[bytes] | Response[Content]:
        """Render a presentation as PDF: an uploaded file, a stored content, or a template by its uri.

        With `Accept: application/json` the PDF is stored for a while and its content response is the answer.
        """
        if answered := await call.find_answer(payload):
            return answered
        if isinstance(payload, MakePdfForm):
            file, options = payload.file, _read_options(payload)
            source = Source.of(call.principal.tenant_id, file.read(), digest=file.digest)
            name = file.file_name.rpartition(".")[0]
        else:
            source, name = await _find_location(call, files, contents, payload.slide_location)
            options = payload.options
        async with call.reading() as connection:
            locale = await get_locale(connection)
        pdf = await pdfs.make(source, options, locale=locale)
        file_name = f"{name or 'slides'}.pdf"
        if choose_media_type(read_accept(request), [PDF, JSON]) == JSON:
            stored = await contents.store(
                call.principal.tenant_id, pdf, file_name=file_name, content_type=PDF, now=call.now
            )
            return await keep(call, contents, stored, payload=payload)
        return answer_file(pdf, media_type=PDF, file_name=file_name)


class RendererStates(Controller):
    """The program that draws PDFs and pictures; only in v3, not part of the contract."""

    path = "/renderer"
    tags = ("Decks",)

    @get(summary="Read the renderer's state")
    async def get_renderer_state(self, renderings: Service[Renderings]) -> RendererState:
        """Return whether PDFs and pictures can be rendered now, or what is wrong. Needs the elevated role."""
        try:
            return RendererState(available=True, name=await renderings.name_engine(), problem=None)
        except RendererUnavailable as error:
            return RendererState(available=False, name=None, problem=str(error))


async def _find_location(
    call: Call, files: TemplateFiles, contents: Contents, slide_location: str
) -> tuple[Source, str]:
    """Return the presentation at a `slideLocation`, and its name without extension."""
    content_id = read_content_id(slide_location, base_url=call.base_url)
    if content_id is not None:
        async with call.reading() as connection:
            content = await get_content(connection, content_id, call.now, pointer="/slideLocation")
        source = Source(content.tenant_id, content.digest, lambda: contents.read(content))
        return source, content.file_name.rpartition(".")[0]
    async with call.reading() as connection:
        template = await get_template_at(connection, slide_location, base_url=call.base_url)
    return Source(template.tenant_id, template.digest, lambda: files.read(template)), template.name


def _read_options(form: MakePdfForm) -> PdfOptions:
    """Return the options of a form: JSON text in one field, or a field for each."""
    try:
        options = read_json(form.options.encode(), PdfOptions)
    except InvalidInput as error:
        faults = error.faults or (Fault("", error.detail.replace("The body", "It")),)
        raise InvalidInput(
            'Write options as JSON text, for example {"handoutMode": true}.',
            faults=tuple(Fault(f"/options{fault.pointer}", fault.detail) for fault in faults),
        ) from None
    fields = {name: value for name in PdfOptions.__struct_fields__ if (value := getattr(form, name))}
    if form.conformance:
        named = {"conformance": [name.strip() for name in form.conformance.split(",")]}
        fields["conformance"] = read_builtins(named, PdfOptions).conformance
    return replace(options, **fields)
