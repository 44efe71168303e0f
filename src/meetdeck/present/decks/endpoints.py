"""Decks' addresses; the same in both versions."""

from urllib.parse import quote

from litestar import Controller, Response, post

from meetdeck.platform.http.answers import PPTX, WEBP, answer_file
from meetdeck.platform.http.calls import CurrentCall, Service, answers, documents
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.storage import digest_of
from meetdeck.present import examples
from meetdeck.present.contents.endpoints import keep
from meetdeck.present.contents.schemas import Content, MadeDeck
from meetdeck.present.contents.service import Contents
from meetdeck.present.decks.schemas import BuildDeck, BuildDeckQuery, GenerateDeck
from meetdeck.present.decks.service.decks import BuiltDeck, Decks
from meetdeck.present.findings import as_result
from meetdeck.present.pictures.schemas import PictureQuery
from meetdeck.present.render.pages import picture_size
from meetdeck.present.renderings import PagePicture, Renderings, Source
from meetdeck.present.templates.schemas import StoredTemplate, list_revisions


class Slides(Controller):  # its docstring describes the tag, which PDFs have, too
    """Decks and PDFs; the same in both versions."""

    path = "/slides"
    tags = ("Decks",)

    @post(
        status_code=200,
        media_type=PPTX,
        summary="Build a deck",
        **accepts(body=BuildDeck, query=BuildDeckQuery, example=examples.DECK),
        **answers(
            headers={
                "Deck-Findings": "The number of findings to look at.",
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
    ) -> Response[bytes]:
        """Build a PowerPoint file from slides of a template, each filled with its own data.

        Slides may be picked, repeated and reordered, and come from other templates. A tag without a value becomes empty
        text; the header `Deck-Findings` counts those, and `missing=error` refuses them.
        """
        built = await decks.build(call.principal.tenant_id, payload, missing=params.missing, now=call.now)
        headers = _write_findings(built) | {"Deck-Templates": _write_templates(built.template)}
        return answer_file(
            built.deck.content, media_type=PPTX, file_name=f"{built.template.name}.pptx", headers=headers
        )

    @post(
        "/generate",
        status_code=200,
        summary="Generate a deck",
        **accepts(body=GenerateDeck, query=BuildDeckQuery, example=examples.WHOLE_DECK),
        **documents(repeatable=True),
    )
    async def generate_deck(
        self,
        call: CurrentCall,
        payload: Body[GenerateDeck],
        params: Query[BuildDeckQuery],
        decks: Service[Decks],
        contents: Service[Contents],
    ) -> Response[Content]:
        """Fill all slides of a template with one set of data, and store the deck for a while."""
        if answered := await call.find_answer((payload, params)):
            return answered
        tenant_id = call.principal.tenant_id
        template, deck = await decks.generate(tenant_id, payload, missing=params.missing, now=call.now)
        stored = await contents.store(
            tenant_id, deck.content, file_name=f"{template.name}.pptx", content_type=PPTX, now=call.now
        )
        made = MadeDeck([as_result(finding) for finding in deck.findings], list_revisions(template))
        return await keep(call, contents, stored, payload=(payload, params), deck=made)


class SlidePictures(Controller):
    """Pictures of filled slides; only in v3."""

    path = "/slides"
    tags = ("Decks",)

    @post(
        "/picture",
        status_code=200,
        media_type=WEBP,
        summary="Picture a filled slide",
        **accepts(body=BuildDeck, query=PictureQuery, example=examples.DECK),
        **answers(headers={"Deck-Findings": "The number of findings to look at."}),
    )
    async def picture_slide(
        self,
        call: CurrentCall,
        payload: Body[BuildDeck],
        params: Query[PictureQuery],
        decks: Service[Decks],
        renderings: Service[Renderings],
    ) -> Response[bytes]:
        """Build a deck, and answer the picture of its first slide: how a slide looks with its data.

        Send only the slide to look at. A chart or table that continues on further slides shows the first of them.
        """
        built = await decks.preview(call.principal.tenant_id, payload, now=call.now)
        template, content = built.template, built.deck.content
        source = Source.of(template.tenant_id, content, digest=digest_of(content))
        size = picture_size(params.width, *await decks.find_slide_size(template))
        picture = await renderings.get_picture(source, PagePicture(1, *size, "webp"))
        file_name, headers = f"{template.name}.webp", _write_findings(built)
        return answer_file(picture, media_type=WEBP, file_name=file_name, headers=headers, inline=True)


def _write_findings(built: BuiltDeck) -> dict[str, str]:
    """Return the header that counts the findings of a deck."""
    return {"Deck-Findings": str(built.finding_count)}


def _write_templates(template: StoredTemplate) -> str:
    """Return the value of the header that names the templates of a deck."""
    return ", ".join(f"{quote(one.name, safe='')}={one.revision}" for one in list_revisions(template))
