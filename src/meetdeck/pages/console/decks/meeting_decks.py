"""The deck of a meeting on the pages: filled in with the meeting's facts, kept with it, drawn and removed."""

from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.decks.data_forms import Json, merge
from meetdeck.pages.console.decks.draft import Draft, open_draft, write_json
from meetdeck.pages.console.decks.form import FilledForm, find_slides, show_fields
from meetdeck.pages.console.decks.meeting_data import MeetingForDeck, fill_in, read_meeting
from meetdeck.pages.console.kit import ApiRefusal, ConsoleController, ConsolePage, CurrentForm, CurrentPage, keep_id
from meetdeck.pages.console.slide_templates import listing as slide_templates
from meetdeck.pages.console.slide_templates.contents import store_file
from meetdeck.platform.errors import NotFound

_PICTURE_WIDTH: Final = 640
_NOT_DRAWN: Final = frozenset({HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS})


class _Suggestion(msgspec.Struct, frozen=True):
    template: str
    slides: list[str]
    data: Json


class MeetingDecks(ConsoleController):
    """The deck of a meeting."""

    path = "/console/calendar/meetings/{meeting_id:uuid}/deck"

    @get()
    async def prepare(self, page: CurrentPage, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Show the form, filled in from the last deck for customer or topic; without one, redirect to the templates."""
        meeting = await read_meeting(page, meeting_id)
        draft = await _open_suggested(page, meeting)
        return page.lead_to(f"decks?meeting={meeting_id}") if draft is None else show_draft(page, draft)

    @get("/picture")
    async def send_picture(self, page: CurrentPage, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Answer the picture of the deck's first slide."""
        deck = await page.api.get(f"booking/meetings/{meeting_id}/deck", _Suggestion)
        if not deck.slides:
            raise NotFound("The deck names no slide.")
        body = {"template": deck.template, "slides": [{"slideId": deck.slides[0], "data": deck.data}]}
        drawn = await page.api.send("POST", "present/slides/picture", body, query={"width": _PICTURE_WIDTH})
        return Response(drawn.content, media_type="image/webp", headers={"Cache-Control": "private, no-store"})

    @post("/remove", status_code=HTTPStatus.SEE_OTHER)
    async def remove(self, form: CurrentForm, meeting_id: FromPath[UUID]) -> Response[bytes]:
        """Remove the deck with its files."""
        await form.page.api.send("DELETE", f"booking/meetings/{meeting_id}/deck")
        return form.page.lead_to(f"calendar/meetings/{meeting_id}?unprepared=1")


async def find_meeting(page: ConsolePage, text: str) -> MeetingForDeck | None:
    """Return the meeting in an address or a form, None if there is none."""
    return await read_meeting(page, UUID(text)) if keep_id(text) else None


async def _open_suggested(page: ConsolePage, meeting: MeetingForDeck) -> Draft | None:
    """Return a draft from the last deck, filled in for a meeting; None if there was none."""
    try:
        suggested = await page.api.get(f"booking/meetings/{meeting.id}/deck/suggestion", _Suggestion)
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.NOT_FOUND:
            raise
        return None
    entries = await slide_templates.list_templates(page.api)
    template = next((one for one in entries if one.name == suggested.template), None)
    if template is None:
        return None
    slides = {one.name: one for one in await slide_templates.list_slides(page.api, template.name, width=_PICTURE_WIDTH)}
    chosen = [slides[name] for name in suggested.slides if name in slides]
    if not chosen:
        return None
    return fill_draft(await open_draft(page, template, chosen), meeting, suggested.data)


def fill_draft(draft: Draft, meeting: MeetingForDeck, data: Json | None = None) -> Draft:
    """Return a draft for a meeting, with data that the meeting's facts override."""
    return draft.with_data(merge(data or {}, fill_in(draft.nodes, meeting.facts)))._replace(meeting=meeting)


async def keep_deck(page: ConsolePage, draft: Draft, content: bytes, *, is_sent: bool) -> None:
    """Keep a deck with its meeting, and its PDF if one can be drawn now. Raises ApiRefusal."""
    if draft.meeting is None:
        return
    stored = await store_file(page.api, f"{draft.template.name}.pptx", content)
    pdf_id: UUID | None = None
    with suppress(ApiRefusal):  # the deck is kept without it
        body: Json = {"slideLocation": str(stored.content_id), "options": {}}
        pdf = await page.api.send("POST", "present/slides/pdf", body, headers={"Accept": "application/pdf"})
        pdf_id = (await store_file(page.api, f"{draft.template.name}.pdf", pdf.content)).content_id
    deck = {
        "contentId": stored.content_id,
        "pdfContentId": pdf_id,
        "template": draft.template.name,
        "slides": draft.wanted.slides,
        "data": draft.data,
        "isSent": is_sent,
    }
    path = f"booking/meetings/{draft.meeting.id}/deck"
    try:
        await page.api.send("PUT", path, deck)
    except ApiRefusal as refused:
        if refused.status != HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise
        await page.api.send("PUT", path, {**deck, "data": {}})  # the next deck begins without it


def show_draft(
    page: ConsolePage,
    draft: Draft,
    errors: Any = (),  # noqa: ANN401 - of fields
    **more: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    """Answer the form for the data of a draft."""
    beside = {error.pointer: error.detail for error in errors}
    filled = FilledForm(draft.texts, beside, find_slides(draft.wanted.tags))
    return page.show(
        "deck-data.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK,
        **{
            "draft": draft,
            "rest": write_json(draft.rest),
            "fields": show_fields(draft.nodes, filled),
            "errors": [(error.pointer, error.summary) for error in errors],
            "has_gaps": False,
            "preview": None,
            "keeps": False,
            "is_sent": False,
            **more,
        },
    )
