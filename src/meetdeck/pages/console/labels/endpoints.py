"""The pages of labels: their list with the number of uses, and one label with the resources that have it."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath
from msgspec import structs

from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    compare,
    read_number,
)
from meetdeck.pages.texts import mark

_PATH: Final = "booking/config/labels"
_PAGE_SIZE: Final = 50
_MOST_LABELLED: Final = 200
_PAGES: Final = {
    "Template": ("templates", mark("Template")),
    "CompetenceGroup": ("settings/competence-groups", mark("Competence group")),
    "ServiceGroup": ("settings/service-groups", mark("Service group")),
    "Portal": ("settings/portals", mark("Portal")),
}
"""The pages, below the console, of resources with labels, and the words for them."""
_FIELDS: Final = {"color": mark("Color"), "description": mark("Description")}
_REFUSED: Final = {HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.PRECONDITION_FAILED}


class Label(msgspec.Struct, frozen=True, rename="camel"):
    """A label as the API answers it."""

    id: UUID
    label_name: str
    color: str
    description: str
    usage_count: int


class _Part(msgspec.Struct, frozen=True, rename="camel"):
    items: list[Label]
    total_pages: int


class _LabelledResource(msgspec.Struct, frozen=True):
    kind: str
    id: UUID
    name: str


class Labels(ConsoleController):
    """The registry of labels."""

    path = "/console/settings/labels"

    @get()
    async def show_list(self, page: CurrentPage) -> Response[bytes]:
        """Show the labels, fifty on a page: all, unused ones, or those similar to the search."""
        return await _show_list(page)

    @post(status_code=HTTPStatus.SEE_OTHER)
    async def register(self, form: CurrentForm) -> Response[bytes]:
        """Create a label."""
        content = {"labelName": form.get("name"), "color": form.get("color"), "description": form.get("description")}
        try:
            await form.page.api.send("POST", _PATH, content)
        except ApiRefusal as refused:
            return await _show_list(form.page, _find_errors(refused), typed=content)
        return form.page.lead_to(f"settings/labels?saved={quote(content['labelName'])}")

    @get("/{label_id:uuid}")
    async def show_one(self, page: CurrentPage, label_id: FromPath[UUID]) -> Response[bytes]:
        """Show a label, and the resources that have it."""
        return await _show_one(page, label_id)

    @post("/{label_id:uuid}", status_code=HTTPStatus.SEE_OTHER)
    async def save(self, form: CurrentForm, label_id: FromPath[UUID]) -> Response[bytes]:
        """Change a label's color and description."""
        content = {"color": form.get("color"), "description": form.get("description")}
        try:
            await form.page.api.send("PATCH", f"{_PATH}/{label_id}", content, headers={"If-Match": form.get("tag")})
        except ApiRefusal as refused:
            return await _show_one(form.page, label_id, _find_errors(refused), refused.status, typed=content)
        label = await form.page.api.get(f"{_PATH}/{label_id}", Label)
        return form.page.lead_to(f"settings/labels?saved={quote(label.label_name)}")

    @post("/{label_id:uuid}/delete", status_code=HTTPStatus.OK)
    async def delete(self, form: CurrentForm, label_id: FromPath[UUID]) -> Response[bytes]:
        """Delete an unused label; a question comes first."""
        page, translate = form.page, form.page.texts.translate
        answer = await page.api.send("GET", f"{_PATH}/{label_id}")
        name = answer.read(Label).label_name
        if not form.get("sure"):
            lead, keep = translate("It is not used anywhere."), f"settings/labels/{label_id}"
            return page.show_confirmation(
                translate("Delete {name}?", name=name), lead, translate("Delete"), keep=keep, tag=answer.tag
            )
        try:
            await page.api.send("DELETE", f"{_PATH}/{label_id}", headers={"If-Match": form.get("tag")})
        except ApiRefusal as refused:
            return await _show_one(page, label_id, _find_errors(refused), refused.status)
        return page.lead_to(f"settings/labels?deleted={quote(name)}")


def _find_errors(refused: ApiRefusal) -> list[tuple[str, str]]:
    """Return what is wrong beside its field; raises it again if a form cannot show it."""
    if refused.status not in _REFUSED:
        raise refused
    fields = {"labelName": "name", "color": "color", "description": "description"}
    faults = [(fields.get(fault.pointer.strip("/"), ""), fault.detail) for fault in refused.faults]
    return faults or [("name" if refused.code == "label_exists" else "", refused.detail)]


async def _show_list(
    page: ConsolePage, errors: list[tuple[str, str]] | None = None, *, typed: dict[str, Any] | None = None
) -> Response[bytes]:
    query = page.request.query_params
    wanted, is_unused = query.get("q", "").strip(), query.get("unused") == "yes"
    number = read_number(query.get("page"))
    active: dict[str, str | int] = {"activeFilter": "inactive" if is_unused else "all"}
    if wanted:
        items, pages = await page.api.get(f"{_PATH}/search", list[Label], q=wanted, limit=_PAGE_SIZE, **active), 1
    else:
        part = await page.api.get(_PATH, _Part, pageNumber=number - 1, pageSize=_PAGE_SIZE, **active)
        items, pages = part.items, part.total_pages
    shown: dict[str, Any] = {"labels": items, "wanted": wanted, "is_unused": is_unused, "number": number}
    shown |= {name: query.get(name, "") for name in ("saved", "deleted")}
    shown |= {"pages": pages, "paging": {"unused": "yes"} if is_unused else {}}
    shown |= {"errors": errors or [], "typed": typed or {"labelName": "", "color": "#2B7A4B", "description": ""}}
    return page.show("labels.html", HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK, **shown)


async def _show_one(
    page: ConsolePage,
    label_id: UUID,
    errors: list[tuple[str, str]] | None = None,
    status: int = HTTPStatus.OK,
    *,
    typed: dict[str, str] | None = None,
) -> Response[bytes]:
    answer = await page.api.send("GET", f"{_PATH}/{label_id}")
    label = answer.read(Label)
    found = await page.api.get(f"{_PATH}/{label_id}/carriers", list[_LabelledResource], limit=_MOST_LABELLED)
    labelled = [
        (page.texts.translate(_PAGES[one.kind][1]), f"{_PAGES[one.kind][0]}/{one.id}", one.name) for one in found
    ]
    content = typed or {"color": label.color, "description": label.description}
    more = max(0, label.usage_count - len(labelled))
    is_stale = status == HTTPStatus.PRECONDITION_FAILED
    differences = compare(page.texts, _FIELDS, content, structs.asdict(label)) if is_stale and typed else []
    shown = {"label": label, "tag": answer.tag, "typed": content, "labelled": labelled, "more": more}
    errors = [] if differences else errors or []
    return page.show("label.html", status, **shown, differences=differences, errors=errors)
