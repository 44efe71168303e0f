"""The pages of webhooks: the list, a new one, and one with its deliveries."""

from datetime import datetime
from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.kit import (
    ApiRefusal,
    ChangeNotice,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    TaggedResource,
    needs_recent_sign_in,
    read_zone,
    show_short_moment,
)
from meetdeck.pages.console.webhooks import page as webhook_page
from meetdeck.pages.console.webhooks.page import PATH, STATUSES, Delivery, Webhook
from meetdeck.pages.texts import mark

_PAGE_SIZE: Final = 50
_DONE: Final = {
    "changed": mark("The webhook is saved."),
    "tested": mark("A test event is on its way; its outcome appears below."),
    "deleted": mark("The webhook is deleted."),
}
_EMPTY: Final[dict[str, Any]] = {"url": "", "types": [], "description": "", "signature": "v1"}


class Webhooks(ConsoleController):
    """The pages on which an administrator chooses which systems get events."""

    path = "/console/settings/webhooks"
    opt = needs_recent_sign_in("POST")

    @get()
    async def show_list(self, page: CurrentPage) -> Response[bytes]:
        """Show the webhooks and their states."""
        found = await page.api.get(PATH, list[Webhook])
        return page.show("webhooks.html", webhooks=found, done=_find_done(page))

    @get("/new", opt=needs_recent_sign_in("GET"))
    async def show_new(self, page: CurrentPage) -> Response[bytes]:
        """Show the empty form."""
        return _show_new(page, _EMPTY)

    @post("/new", status_code=HTTPStatus.CREATED)
    async def create(self, form: CurrentForm) -> Response[bytes]:
        """Create a webhook, and show its secret or public key, which is not shown again."""
        content = webhook_page.read_content(form) | {"signature": form.get("signature") or "v1"}
        try:
            made = (await form.page.api.send("POST", PATH, content)).read(Webhook)
        except ApiRefusal as refused:
            return _show_new(form.page, content, webhook_page.find_errors(refused))
        return _show_secret(form.page, made)

    @get("/{key:uuid}")
    async def show_one(self, page: CurrentPage, key: FromPath[UUID]) -> Response[bytes]:
        """Show a webhook and its deliveries, fifty on a page."""
        return await _show_one(page, await webhook_page.open_webhook(page.api, key))

    @post("/{key:uuid}", status_code=HTTPStatus.SEE_OTHER)
    async def save(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Save a webhook unless somebody else has changed it meanwhile (412); typed values are kept."""
        page, content = form.page, webhook_page.read_content(form)
        try:
            await page.api.patch(f"{PATH}/{key}", content, form.get("tag"))
        except ApiRefusal as refused:
            opened = await webhook_page.open_webhook(page.api, key)
            if refused.status == HTTPStatus.PRECONDITION_FAILED:
                differences = webhook_page.list_differences(page.texts, content, opened.resource)
                return await _show_one(page, opened, None, refused.status, content=content, differences=differences)
            return await _show_one(page, opened, webhook_page.find_errors(refused), refused.status, content=content)
        return page.lead_to(f"settings/webhooks/{key}?done=changed")

    @post("/{key:uuid}/active", status_code=HTTPStatus.SEE_OTHER)
    async def switch(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Turn a webhook on or off."""
        opened = await webhook_page.open_webhook(form.page.api, key)
        await form.page.api.patch(f"{PATH}/{key}", {"active": form.get("active") == "yes"}, opened.tag)
        return form.page.lead_to(f"settings/webhooks/{key}?done=changed")

    @post("/{key:uuid}/secret", status_code=HTTPStatus.CREATED)
    async def rotate(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Give a webhook a new secret, and show it once."""
        made = (await form.page.api.send("POST", f"{PATH}/{key}/secrets")).read(Webhook)
        return _show_secret(form.page, made)

    @post("/{key:uuid}/test", status_code=HTTPStatus.SEE_OTHER)
    async def test(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Send a test event."""
        await form.page.api.send("POST", f"{PATH}/{key}/test")
        return form.page.lead_to(f"settings/webhooks/{key}?done=tested")

    @post("/{key:uuid}/delete", status_code=HTTPStatus.SEE_OTHER)
    async def delete(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Delete a webhook; a question comes first."""
        opened = await webhook_page.open_webhook(form.page.api, key)
        if not form.get("sure"):
            return _show_deletion(form.page, opened)
        await form.page.api.send("DELETE", f"{PATH}/{key}", headers={"If-Match": form.get("tag")})
        return form.page.lead_to("settings/webhooks?done=deleted")

    @post("/{key:uuid}/replay", status_code=HTTPStatus.OK)
    async def replay(self, form: CurrentForm, key: FromPath[UUID]) -> Response[bytes]:
        """Send the events of a period again, and show how many."""
        page = form.page
        opened, zone = await webhook_page.open_webhook(page.api, key), await read_zone(page.api)
        times = {name: webhook_page.read_moment(form.get(name), zone) for name in ("from", "to") if form.get(name)}
        asked = {name: form.get(name) for name in ("from", "to")}
        errors = [(name, page.texts.translate("Choose a day and a time.")) for name in ("from",) if not times.get(name)]
        errors += [
            (name, page.texts.translate("Choose a day and a time.")) for name in ("to",) if times.get(name, 1) is None
        ]
        if not errors:
            try:
                sent = (await page.api.send("POST", f"{PATH}/{key}/replay", times)).read(dict[str, int])
            except ApiRefusal as refused:
                errors = webhook_page.find_errors(refused)
            else:
                told = page.texts.translate_plural(
                    "{number} event is sent again.", "{number} events are sent again.", sent["events"]
                )
                return await _show_one(page, opened, done=ChangeNotice(told))
        return await _show_one(page, opened, errors, HTTPStatus.UNPROCESSABLE_ENTITY, asked=asked)


def _show_secret(page: ConsolePage, made: Webhook) -> Response[bytes]:
    translate = page.texts.translate
    label, lead = (
        (
            translate("Secret"),
            translate("Copy it now: it is not shown again. The receiver uses it to verify what it is sent."),
        )
        if made.secret
        else (translate("Public key"), translate("The receiver uses it to verify what it is sent."))
    )
    values = [(label, made.secret or made.public_key)]
    shown = {"title": label, "lead": lead, "values": values, "next": f"settings/webhooks/{made.id}"}
    return page.show("secret.html", HTTPStatus.CREATED, **shown)


def _show_deletion(page: ConsolePage, opened: TaggedResource[Webhook]) -> Response[bytes]:
    translate = page.texts.translate
    title, lead = (
        translate("Delete {name}?", name=opened.resource.url),
        translate("Its secret and deliveries are deleted with it."),
    )
    return page.show_confirmation(
        title, lead, translate("Delete"), keep=f"settings/webhooks/{opened.resource.id}", tag=opened.tag
    )


def _show_new(
    page: ConsolePage, content: dict[str, Any], errors: list[tuple[str, str]] | None = None
) -> Response[bytes]:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK
    types = webhook_page.list_types(content["types"])
    return page.show("webhook-new.html", status, content=content, types=types, errors=errors or [])


async def _show_one(
    page: ConsolePage,
    opened: TaggedResource[Webhook],
    errors: list[tuple[str, str]] | None = None,
    status: int = HTTPStatus.OK,
    **more: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    asked, webhook, zone = page.request.query_params, opened.resource, await read_zone(page.api)
    wanted = webhook_page.keep(asked, "status", STATUSES)
    query = {"pageSize": _PAGE_SIZE, "after": asked.get("after") or None, "status": wanted or None}
    answer = await page.api.send("GET", f"{PATH}/{webhook.id}/deliveries", query=query)

    def show(moment: datetime | None) -> str:
        return show_short_moment(page, moment, zone) if moment is not None else ""

    rows = [(each, show(each.at), show(each.next_attempt_at)) for each in answer.read(list[Delivery])]
    content = {"url": webhook.url, "types": webhook.types, "description": webhook.description}
    shown: dict[str, Any] = {
        "webhook": webhook,
        "tag": opened.tag,
        "content": content,
        "failing_since": show(webhook.failing_since),
        "rows": rows,
        "statuses": STATUSES,
        "wanted": wanted,
        "next": webhook_page.find_next(answer),
        "asked": {"from": "", "to": ""},
        "done": _find_done(page),
        "errors": errors or [],
        "differences": [],
    }
    shown |= more
    return page.show("webhook.html", status, types=webhook_page.list_types(shown["content"]["types"]), **shown)


def _find_done(page: ConsolePage) -> ChangeNotice | None:
    text = _DONE.get(page.request.query_params.get("done", ""))
    return ChangeNotice(page.texts.translate(text)) if text else None
