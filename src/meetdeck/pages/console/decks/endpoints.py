"""The pages on which a deck is made: its template, its slides, its data, and the result."""

from base64 import b64encode
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlencode
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.decks.choice import SlideChoice, read_choice
from meetdeck.pages.console.decks.data_forms import add_item, remove_item
from meetdeck.pages.console.decks.draft import (
    PICTURE_WIDTH,
    Draft,
    find_template,
    open_draft,
    read_draft,
)
from meetdeck.pages.console.decks.errors import FieldError, describe_bad_json, find_errors
from meetdeck.pages.console.decks.meeting_data import MeetingForDeck
from meetdeck.pages.console.decks.meeting_decks import fill_draft, find_meeting, keep_deck, show_draft
from meetdeck.pages.console.decks.recipes import find_data, list_recipes, save_recipe
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    SentForm,
    page_of,
    read_number,
)
from meetdeck.pages.console.slide_templates import listing as slide_templates
from meetdeck.pages.console.slide_templates.contents import store_file

_CARDS: Final = 24
_RECIPES: Final = 50
_PREVIEW_WIDTH: Final = 800
_MOST_BYTES: Final = 64 * 1024 * 1024
_PPTX: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_PDFS: Final[dict[str, dict[str, Any]]] = {
    "slides": {},
    "handouts": {"handoutMode": True, "slidesPerPage": 3},
    "notes": {"notesPages": True},
}


_EDITS: Final[dict[str, Callable[[Draft, str], Draft]]] = {
    "add": lambda draft, pointer: draft._replace(texts=add_item(draft.texts, pointer)),
    "remove": lambda draft, pointer: draft._replace(texts=remove_item(draft.texts, pointer)),
    "example": lambda draft, _: draft.with_data(draft.wanted.example),
}
"""Edits of a draft by buttons that only change the form, by the words before their colon."""


class Decks(ConsoleController):
    """The pages of a deck."""

    path = "/console/decks"
    request_max_body_size = _MOST_BYTES

    @get()
    async def show_start(self, page: CurrentPage) -> Response[bytes]:
        """Show the templates for a deck."""
        query = page.request.query_params
        wanted = query.get("q", "").strip()
        entries = await slide_templates.list_templates(page.api)
        found = [one for one in entries if wanted.casefold() in one.name.casefold()]
        part = page_of(found, read_number(query.get("page")), _CARDS)
        recipes = [one for one in await list_recipes(page.api) if wanted.casefold() in one.name.casefold()]
        told = [page.texts.translate("{name} is saved.", name=name) for name in query.getall("saved", [])]
        told += [page.texts.translate("{name} is deleted.", name=name) for name in query.getall("deleted", [])]
        return page.show(
            "deck-start.html",
            part=part,
            wanted=wanted,
            recipes=recipes[:_RECIPES],
            more_recipes=max(0, len(recipes) - _RECIPES),
            told=told,
            meeting=await find_meeting(page, query.get("meeting", "")),
        )

    @get("/new")
    async def show_slides(self, page: CurrentPage) -> Response[bytes]:
        """Show the slides of a template, all of them selected."""
        template = await find_template(page.api, page.request.query_params.get("template", ""))
        slides = await slide_templates.list_slides(page.api, template.name, width=PICTURE_WIDTH)
        meeting = await find_meeting(page, page.request.query_params.get("meeting", ""))
        return _show_choice(page, template, read_choice(slides, [], None), meeting)

    @post("/new", status_code=HTTPStatus.OK)
    async def choose(self, form: CurrentForm) -> Response[bytes]:
        """Show the slides after a button has changed the choice, or the form for the data of the chosen ones."""
        page = form.page
        template = await find_template(page.api, form.get("template"))
        slides = await slide_templates.list_slides(page.api, template.name, width=PICTURE_WIDTH)
        choice, meeting = read_choice(slides, form.list_all("order"), form.list_all("slide")), await _find_meeting(form)
        if action := form.get("act"):
            return _show_choice(page, template, choice.act(action), meeting)
        chosen = [slide for slide in choice.slides if slide.name in choice.chosen]
        if not chosen:
            fault = page.texts.translate("Choose at least one slide.")
            return _show_choice(page, template, choice, meeting, [("slides", fault)])
        draft = await open_draft(page, template, chosen)
        kept = await find_data(page.api, recipe) if (recipe := form.get("recipe")) else None
        if meeting is not None:
            return show_draft(page, fill_draft(draft, meeting, kept))
        return show_draft(page, draft if kept is None else draft.with_data(kept))

    @post("/data", status_code=HTTPStatus.OK)
    async def fill(self, form: CurrentForm) -> Response[bytes]:
        """Show the form after one of its buttons, or make the deck."""
        page, action = form.page, form.get("act")
        draft = (await read_draft(form))._replace(meeting=await _find_meeting(form))
        verb, _, pointer = action.partition(":")
        if edit := _EDITS.get(verb):
            return show_draft(page, edit(draft, pointer))
        try:
            data = draft.data
        except ValueError as error:
            return show_draft(page, draft, [describe_bad_json(page.texts, error)])
        if verb in {"json", "form"}:
            return show_draft(page, draft.with_data(data)._replace(is_json=verb == "json"))
        if verb == "keep":
            return await _keep(form, draft)
        if verb == "preview":
            return show_draft(page, draft, preview=await _draw(page, draft))
        return await _make(form, draft, data, accepts_gaps=verb == "anyway")

    @post("/preview", status_code=HTTPStatus.OK)
    async def preview(self, form: CurrentForm) -> Response[bytes]:
        """Answer a part of a page: a slide with the data so far."""
        page, draft = form.page, await read_draft(form)
        return page.show("deck-preview.html", preview=await _draw(page, draft), draft=draft)

    @get("/made/{content_id:uuid}")
    async def show_made(self, page: CurrentPage, content_id: FromPath[UUID]) -> Response[bytes]:
        """Show the files of a deck: the presentation, its PDF, handouts, pages with notes."""
        query = page.request.query_params
        name, gaps = query.get("name", ""), read_number(query.get("gaps"), 0)
        return page.show("deck-made.html", content_id=content_id, name=name, gaps=gaps)

    @get("/made/{content_id:uuid}/deck")
    async def send_deck(self, page: CurrentPage, content_id: FromPath[UUID]) -> Response[bytes]:
        """Answer the presentation."""
        answer = await page.api.send("GET", f"present/contents/{content_id}")
        return _send(answer.content, _PPTX, f"{_name_file(page)}.pptx")

    @get("/made/{content_id:uuid}/pdf")
    async def send_pdf(self, page: CurrentPage, content_id: FromPath[UUID]) -> Response[bytes]:
        """Answer the PDF: the slides, handouts with three on a page, or each slide above its notes."""
        kind = page.request.query_params.get("pages", "slides")
        body = {"slideLocation": str(content_id), "options": _PDFS.get(kind, {})}
        answer = await page.api.send("POST", "present/slides/pdf", body, headers={"Accept": "application/pdf"})
        return _send(answer.content, "application/pdf", f"{_name_file(page)}.pdf")


def _show_choice(
    page: ConsolePage,
    template: slide_templates.Entry,
    choice: SlideChoice,
    meeting: MeetingForDeck | None,
    errors: list[tuple[str, str]] | None = None,
) -> Response[bytes]:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK
    return page.show("deck-slides.html", status, template=template, choice=choice, meeting=meeting, errors=errors or [])


async def _find_meeting(form: SentForm) -> MeetingForDeck | None:
    """Return the meeting of a form's deck, None if there is none."""
    return await find_meeting(form.page, form.get("meeting"))


async def _keep(form: SentForm, draft: Draft) -> Response[bytes]:
    """Save a recipe and redirect to the start (303), or show the form with what is wrong."""
    page, name = form.page, form.get("recipe-name")
    try:
        recipe = await save_recipe(page.api, draft, name, with_data=bool(form.get("with-data")))
    except ApiRefusal as refused:
        fault = page.texts.translate("Enter a name for the recipe.") if not name else refused.detail
        return show_draft(page, draft, [FieldError("recipe-name", fault, fault)], keeps=True)
    return page.lead_to(f"decks?{urlencode({'saved': recipe.name})}")


async def _draw(page: ConsolePage, draft: Draft) -> dict[str, str]:
    """Return the picture of a slide with the data so far, or why there is none."""
    slide = draft.shown if draft.shown in draft.wanted.slides else draft.wanted.slides[0]
    try:
        body = draft.body_of([slide], draft.data)
        answer = await page.api.send("POST", "present/slides/picture", body, query={"width": _PREVIEW_WIDTH})
    except ApiRefusal as refused:
        return {"slide": slide, "fault": " ".join(fault.detail for fault in refused.faults) or refused.detail}
    except ValueError as error:
        return {"slide": slide, "fault": describe_bad_json(page.texts, error).detail}
    return {"slide": slide, "picture": f"data:image/webp;base64,{b64encode(answer.content).decode()}"}


async def _make(form: SentForm, draft: Draft, data: dict[str, Any], *, accepts_gaps: bool) -> Response[bytes]:
    """Make the deck and redirect to it or its meeting (303), or show what is wrong; missing values are shown once."""
    page, is_sent = form.page, form.get("is-sent") == "yes"
    body = draft.body_of(draft.wanted.slides, data)
    missing = "empty" if accepts_gaps else "error"
    try:
        answer = await page.api.send("POST", "present/slides", body, query={"missing": missing})
    except ApiRefusal as refused:
        has_gaps = refused.code == "missing_values"
        return show_draft(
            page, draft, find_errors(page.texts, refused, is_json=draft.is_json), has_gaps=has_gaps, is_sent=is_sent
        )
    if draft.meeting is not None:
        await keep_deck(page, draft, answer.content, is_sent=is_sent)
        return page.lead_to(f"calendar/meetings/{draft.meeting.id}?prepared=1")
    stored = await store_file(page.api, f"{draft.template.name}.pptx", answer.content)
    told = {"name": draft.template.name, "gaps": answer.headers.get("deck-findings", "0")}
    return page.lead_to(f"decks/made/{stored.content_id}?{urlencode(told)}")


def _name_file(page: ConsolePage) -> str:
    return page.request.query_params.get("name", "") or "deck"


def _send(content: bytes, media_type: str, file_name: str) -> Response[bytes]:
    disposition = f"attachment; filename*=UTF-8''{quote(file_name, safe='')}"
    headers = {"Content-Disposition": disposition, "Cache-Control": "private, no-store"}
    return Response(content, media_type=media_type, headers=headers)
