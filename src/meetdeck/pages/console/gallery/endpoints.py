"""The pages of the gallery: the templates, one of them with its slides, its tags and its revisions."""

from http import HTTPStatus
from typing import Final
from urllib.parse import quote
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.gallery.comparison import ComparedRevisions, find_changes, list_pairs
from meetdeck.pages.console.gallery.page import group_by_section, join_findings, matches
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    ListPage,
    TaggedResource,
    page_of,
    read_number,
    read_zone,
    show_short_moment,
)
from meetdeck.pages.console.slide_templates import listing as templates
from meetdeck.pages.console.slide_templates.listing import Slide, Template

_CARD_WIDTH: Final = 480
_SLIDE_WIDTH: Final = 640
_WIDTHS: Final = (_CARD_WIDTH, _SLIDE_WIDTH, templates.DRAWN_WIDTH)
_CARDS: Final = 24
_TAGS: Final = 50
_PAIRS: Final = 12
_KEPT: Final = "private, max-age=3600"


class Gallery(ConsoleController):
    """The gallery of templates."""

    path = "/console/templates"

    @get()
    async def show_templates(self, page: CurrentPage) -> Response[bytes]:
        """Show the templates whose names, labels, customer types or tags match the search."""
        query = page.request.query_params
        wanted, label, tag = query.get("q", "").strip(), query.get("label", ""), query.get("tag", "").strip("{} ")[:200]
        entries = await templates.list_templates(page.api, tag)
        labels = sorted({each for one in entries for each in one.labels}, key=str.casefold)
        found = [one for one in entries if matches(one, wanted) and (not label or label in one.labels)]
        part = page_of(found, read_number(query.get("page")), _CARDS)
        return page.show(
            "gallery.html",
            part=part,
            wanted=wanted,
            label=label,
            tag=tag,
            labels=labels,
            has_any=bool(entries or tag),
            may_upload=page.may_open("templates/upload"),
            deleted=query.get("deleted", ""),
            stored=query.getall("stored", []),
        )

    @get("/picture")
    async def send_picture(self, page: CurrentPage) -> Response[bytes]:
        """Answer the picture of a slide at a revision; without a slide, of the first visible one."""
        query = page.request.query_params
        name, width = query.get("template", ""), read_number(query.get("width"))
        width = width if width in _WIDTHS else _CARD_WIDTH
        revision = read_number(query.get("revision"))
        slide = query.get("slide") or await _find_first_slide(page, name, revision)
        picture = await page.api.send(
            "GET",
            f"{templates.address(name)}/slides/{quote(slide, safe='')}",
            query={"width": width, "revision": revision},
            headers={"Accept": "image/webp"},
        )
        return Response(picture.content, media_type="image/webp", headers={"Cache-Control": _KEPT})

    @get("/{template_id:uuid}")
    async def show_template(self, page: CurrentPage, template_id: FromPath[UUID]) -> Response[bytes]:
        """Show the slides of a template by section, with the findings beside each."""
        return await _show_template(page, await templates.open_template(page.api, template_id))

    @get("/{template_id:uuid}/tags")
    async def show_tags(self, page: CurrentPage, template_id: FromPath[UUID]) -> Response[bytes]:
        """Show the tags of a template with their kinds and places, fifty on a page."""
        template, _ = await templates.open_template(page.api, template_id)
        query = page.request.query_params
        wanted = query.get("q", "").strip()
        found = [one for one in template.tags if wanted.casefold() in f"{one.name} {one.description}".casefold()]
        part = page_of(found, read_number(query.get("page")), _TAGS)
        return page.show("template-tags.html", template=template, view="tags", part=part, wanted=wanted)

    @get("/{template_id:uuid}/revisions")
    async def show_revisions(self, page: CurrentPage, template_id: FromPath[UUID]) -> Response[bytes]:
        """Show the revisions of a template, and two of them side by side: by default the newest and the one before."""
        template, _ = await templates.open_template(page.api, template_id)
        revisions = await templates.list_revisions(page.api, template.name)
        query, zone = page.request.query_params, await read_zone(page.api)
        newer = read_number(query.get("to"), template.revision)
        compared = ComparedRevisions(
            template.name, read_number(query.get("from"), max(1, newer - 1)), newer, _CARD_WIDTH
        )
        only_changed = query.get("only", "") == "changed"
        pairs = await list_pairs(page.api, compared)
        if only_changed:
            pairs = [pair for pair in await find_changes(page.api, compared, pairs) if pair.change != "same"]
        part = page_of(pairs, read_number(query.get("page")), _PAIRS)
        part = part._replace(items=await find_changes(page.api, compared, part.items))
        return page.show(
            "template-revisions.html",
            template=template,
            view="revisions",
            revisions=[(one, show_short_moment(page, one.created_at, zone)) for one in revisions],
            compared=compared,
            part=part,
            only_changed=only_changed,
        )

    @post("/{template_id:uuid}/labels", status_code=HTTPStatus.SEE_OTHER)
    async def save_labels(self, form: CurrentForm, template_id: FromPath[UUID]) -> Response[bytes]:
        """Replace the labels of a template, separated by commas."""
        page = form.page
        labels = [label for each in form.get("labels").split(",") if (label := each.strip())]
        try:
            await page.api.send("PATCH", f"{templates.PATH}/{template_id}/labels", {"labels": labels})
        except ApiRefusal as refused:
            faults = [("labels", fault.detail) for fault in refused.faults] or [("labels", refused.detail)]
            opened = await templates.open_template(page.api, template_id)
            return await _show_template(page, opened, errors=faults, labels=form.get("labels"))
        return page.lead_to(f"templates/{template_id}?saved=labels")

    @post("/{template_id:uuid}/delete", status_code=HTTPStatus.OK)
    async def delete(self, form: CurrentForm, template_id: FromPath[UUID]) -> Response[bytes]:
        """Delete a template with its revisions; a question comes first."""
        page = form.page
        template, tag = await templates.open_template(page.api, template_id)
        if not form.get("sure"):
            translate = page.texts.translate
            lead = translate("All its revisions are deleted. Existing decks do not change.")
            title = translate("Delete {name}?", name=template.name)
            return page.show_confirmation(title, lead, translate("Delete"), keep=f"templates/{template.id}", tag=tag)
        await page.api.send("DELETE", templates.address(template.name), headers={"If-Match": form.get("tag")})
        return page.lead_to(f"templates?deleted={quote(template.name)}")


async def _show_template(
    page: ConsolePage,
    opened: TaggedResource[Template],
    *,
    errors: list[tuple[str, str]] | None = None,
    labels: str | None = None,
) -> Response[bytes]:
    template, _ = opened
    query, zone = page.request.query_params, await read_zone(page.api)
    slides = await templates.list_slides(page.api, template.name, width=_SLIDE_WIDTH)
    findings = join_findings(template.findings)
    only_findings = query.get("only", "") == "findings"
    shown = [slide for slide in slides if not only_findings or slide.name in findings]
    part: ListPage[Slide] = page_of(shown, read_number(query.get("page")), _CARDS)
    names = {slide.name for slide in slides}
    return page.show(
        "template.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK,
        errors=errors or [],
        template=template,
        view="slides",
        part=part,
        sections=group_by_section(part.items),
        findings=findings,
        of_file=[one for one in template.findings if one.location not in names],
        on_slides=[slide for slide in slides if slide.name in findings],
        slides=len(slides),
        only_findings=only_findings,
        labels=", ".join(template.labels) if labels is None else labels,
        updated=show_short_moment(page, template.updated_at, zone),
        may_change=page.may_open("templates/upload"),
        saved=query.get("saved", ""),
        width=_SLIDE_WIDTH,
    )


async def _find_first_slide(page: ConsolePage, name: str, revision: int) -> str:
    slides = await templates.list_slides(page.api, name, width=_CARD_WIDTH, revision=revision)
    return slides[0].name if slides else "Slide 1"
