"""Decks' addresses; the same in both versions."""

from urllib.parse import quote

from litestar import Controller, Response, post

from meetdeck.platform.http.answers import PPTX, WEBP, answer_file
from meetdeck.platform.http.calls import Call, CurrentCall, Service, answers, documents
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.storage import digest_of
from meetdeck.present import examples
from meetdeck.present.contents.endpoints import keep, read_contents
from meetdeck.present.contents.schemas import Content, MadeDeck
from meetdeck.present.contents.service import Contents
from meetdeck.present.deck import Deck
from meetdeck.present.decks.schemas import BuildDeck, BuildDeckQuery, GenerateDeck, Missing
from meetdeck.present.decks.service import Decks, count_findings
from meetdeck.present.findings import as_result
from meetdeck.present.pictures.schemas import PictureQuery
from meetdeck.present.render.pages import picture_size
from meetdeck.present.renderings import PagePicture, Renderings, Source
from meetdeck.present.templates.schemas import StoredTemplate, list_revisions, name_templates
from meetdeck.present.templates.service import add_sources, get_template
from meetdeck.present.usage.service import TemplateUse


class Slides(Controller):  # its docstring describes the tag, which PDFs have, too
    """Decks and PDFs; the same in both versions."""

    path = "/slides"
    tags = ("Decks",)

    @post(
        status_code=200,
        media_type=PPTX,
        summary="Build a deck",
        **accepts(body=BuildDeck, query=BuildDeckQuery),
        **documents(example=examples.DECK),
        **answers(
            headers={
                "Deck-Findings": "How many findings to look at.",
                "Deck-Templates": "The templates that the slides come from, percent-encoded, each with its revision.",
            }
        ),
    )
    async def build_deck(
        self,
        call: CurrentCall,
        payload: Body[BuildDeck],
        params: Query[BuildDeckQuery],
        decks: Service[Decks],
        contents: Service[Contents],
        template_use: Service[TemplateUse],
    ) -> Response[bytes]:
        """Build a PowerPoint file from slides of a template, each filled with its own data.

        Slides may be picked, repeated and reordered, and come from other templates. A tag without a value becomes
        empty text; the header `Deck-Findings` counts those, and `missing=error` refuses them.
        """
        template, deck = await _build(call, payload, params.missing, decks, contents)
        template_use.note(template.tenant_id, name_templates(template), call.now)
        return answer_file(
            deck.content,
            media_type=PPTX,
            file_name=f"{template.name}.pptx",
            headers={
                "Deck-Findings": str(count_findings(deck.findings)),
                "Deck-Templates": ", ".join(
                    f"{quote(one.name, safe='')}={one.revision}" for one in list_revisions(template)
                ),
            },
        )

    @post(
        "/generate",
        status_code=200,
        summary="Generate a deck",
        **accepts(body=GenerateDeck, query=BuildDeckQuery),
        **documents(example=examples.WHOLE_DECK, repeatable=True),
    )
    async def generate_deck(
        self,
        call: CurrentCall,
        payload: Body[GenerateDeck],
        params: Query[BuildDeckQuery],
        decks: Service[Decks],
        contents: Service[Contents],
        template_use: Service[TemplateUse],
    ) -> Response[Content]:
        """Fill all slides of a template with one data, and keep the deck for a while."""
        if answered := await call.find_answer((payload, params)):
            return answered
        async with call.reading() as connection:
            template = await get_template(connection, payload.template, pointer="/template")
        files = await read_contents(call, contents, await decks.find_content_ids(template, [payload.data]))
        deck = await decks.build_whole_deck(
            template, payload.data, today=call.now.date(), missing=params.missing, contents=files
        )
        template_use.note(template.tenant_id, name_templates(template), call.now)
        findings = [as_result(finding) for finding in deck.findings]
        stored = await contents.store(
            call.principal.tenant_id, deck.content, file_name=f"{template.name}.pptx", content_type=PPTX, now=call.now
        )
        made = MadeDeck(findings, list_revisions(template))
        return await keep(call, contents, stored, payload=(payload, params), deck=made)


class SlidePictures(Controller):
    """Pictures of slides that are filled: only v3 has them."""

    path = "/slides"
    tags = ("Decks",)

    @post(
        "/picture",
        status_code=200,
        media_type=WEBP,
        summary="Picture a filled slide",
        **accepts(body=BuildDeck, query=PictureQuery),
        **documents(example=examples.DECK),
        **answers(headers={"Deck-Findings": "How many findings to look at."}),
    )
    async def picture_slide(
        self,
        call: CurrentCall,
        payload: Body[BuildDeck],
        params: Query[PictureQuery],
        decks: Service[Decks],
        contents: Service[Contents],
        renderings: Service[Renderings],
    ) -> Response[bytes]:
        """Build a deck, and answer the picture of its first slide: how a slide looks with its data.

        Send the one slide to look at. A chart or a table that goes on to further slides shows its first.
        """
        template, deck = await _build(call, payload, Missing.EMPTY, decks, contents)
        source = Source.of(template.tenant_id, deck.content, digest=digest_of(deck.content))
        size = picture_size(params.width, *await decks.find_slide_size(template))
        picture = await renderings.get_picture(source, PagePicture(1, *size, "webp"))
        findings = {"Deck-Findings": str(count_findings(deck.findings))}
        return answer_file(picture, media_type=WEBP, file_name=f"{template.name}.webp", headers=findings, inline=True)


async def _build(
    call: Call, payload: BuildDeck, missing: Missing, decks: Decks, contents: Contents
) -> tuple[StoredTemplate, Deck]:
    """Return the template, with its sources, and the deck that is asked for."""
    async with call.reading() as connection:
        template = await get_template(connection, payload.template, pointer="/template")
        template = await add_sources(connection, template, _point_at_templates(payload))
    data = [entry.data for entry in payload.slides]
    files = await read_contents(call, contents, await decks.find_content_ids(template, data, payload.slides))
    deck = await decks.build_deck(template, payload.slides, today=call.now.date(), missing=missing, contents=files)
    return template, deck


def _point_at_templates(payload: BuildDeck) -> dict[str, str]:
    """Return where the body names other templates, by their names."""
    return {
        entry.template: f"/slides/{position}/template"
        for position, entry in enumerate(payload.slides)
        if entry.template
    }
