"""The page of subscription keys and clients: created and shown once, rotated, revoked and deleted."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.keys import rows
from meetdeck.pages.console.keys.rows import CLIENTS, KEYS, ROLES, Client, Key
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ChangeNotice,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    needs_recent_sign_in,
)
from meetdeck.pages.texts import mark
from meetdeck.platform.errors import NotFound

_DONE: Final = {
    "revoked": mark("The key is revoked and stops working within a minute."),
    "deleted": mark("The client is deleted: it gets no more tokens."),
}


class Keys(ConsoleController):
    """The page on which an administrator sees and creates keys and clients."""

    path = "/console/settings/keys"
    opt = needs_recent_sign_in("GET", "POST")

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the keys and clients, with the forms that create more."""
        return await _show(page)

    @post(status_code=HTTPStatus.CREATED)
    async def create_key(self, form: CurrentForm) -> Response[bytes]:
        """Create a key, and show it once."""
        name = form.get("name")
        try:
            made = (await form.page.api.send("POST", KEYS, {"name": name})).read(Key)
        except ApiRefusal as refused:
            return await _show(form.page, rows.find_errors(refused, "key-name"), key_name=name)
        return _show_key(form.page, made)

    @post("/{key_id:uuid}/rotate", status_code=HTTPStatus.CREATED)
    async def rotate_key(self, form: CurrentForm, key_id: FromPath[UUID]) -> Response[bytes]:
        """Create the successor of a key, and show it once."""
        try:
            made = (await form.page.api.send("POST", f"{KEYS}/{key_id}/rotate")).read(Key)
        except ApiRefusal as refused:
            return await _show(form.page, rows.find_errors(refused, ""))
        return _show_key(form.page, made)

    @post("/{key_id:uuid}/revoke", status_code=HTTPStatus.OK)
    async def revoke_key(self, form: CurrentForm, key_id: FromPath[UUID]) -> Response[bytes]:
        """Revoke a key; a question comes first."""
        page = form.page
        key = next((one for one in await rows.list_keys(page) if one.id == key_id), None)
        if key is None:
            raise NotFound("There is no such key.")
        if not form.get("sure"):
            used = page.texts.translate("It was last used: {moment}.", moment=key.used) if key.used else ""
            lead = page.texts.translate("Systems that use it are refused from then on. This cannot be undone.")
            title = page.texts.translate("Revoke {name}, which ends with {ending}?", name=key.name, ending=key.ending)
            deed = page.texts.translate("Revoke")
            return page.show_confirmation(title, f"{used} {lead}".strip(), deed, keep="settings/keys")
        await page.api.send("DELETE", f"{KEYS}/{key_id}")
        return page.lead_to("settings/keys?done=revoked")

    @post("/clients", status_code=HTTPStatus.CREATED)
    async def create_client(self, form: CurrentForm) -> Response[bytes]:
        """Create a client, and show its id and secret once."""
        page, name, roles = form.page, form.get("name"), form.list_all("roles")
        try:
            made = (await page.api.send("POST", CLIENTS, {"name": name, "roles": roles})).read(Client)
        except ApiRefusal as refused:
            errors = rows.find_errors(refused, "client-name")
            return await _show(page, errors, client_name=name, client_roles=roles)
        translate = page.texts.translate
        values = [(translate("Client id"), made.client_id), (translate("Secret"), made.client_secret)]
        return _show_secret(page, translate("{name} is made", name=made.name), values)

    @post("/clients/{client_id:str}/delete", status_code=HTTPStatus.OK)
    async def delete_client(self, form: CurrentForm, client_id: FromPath[str]) -> Response[bytes]:
        """Delete a client; a question comes first."""
        page, translate = form.page, form.page.texts.translate
        clients, _ = await rows.list_clients(page)
        client = next((one for one in clients if one.id == client_id), None)
        if client is None:
            raise NotFound("There is no such client.")
        if not form.get("sure"):
            title = translate("Delete {name}?", name=client.name)
            lead = translate("It can no longer get tokens. Its current token expires within an hour.")
            return page.show_confirmation(title, lead, translate("Delete"), keep="settings/keys")
        await page.api.send("DELETE", f"{CLIENTS}/{quote(client_id, safe='')}")
        return page.lead_to("settings/keys?done=deleted")


def _show_key(page: ConsolePage, made: Key) -> Response[bytes]:
    title = page.texts.translate("{name} has a new key", name=made.name)
    return _show_secret(page, title, [(page.texts.translate("Subscription key"), made.subscription_key)])


def _show_secret(page: ConsolePage, title: str, values: list[tuple[str, str]]) -> Response[bytes]:
    lead = page.texts.translate("Copy it now: it is not shown again.")
    shown = {"title": title, "lead": lead, "values": values, "next": "settings/keys"}
    return page.show("secret.html", HTTPStatus.CREATED, **shown)


async def _show(
    page: ConsolePage,
    errors: list[tuple[str, str]] | None = None,
    **typed: Any,  # noqa: ANN401 - a template's
) -> Response[bytes]:
    done = _DONE.get(page.request.query_params.get("done", ""))
    clients, issuer = await rows.list_clients(page)
    values: dict[str, Any] = {"key_name": "", "client_name": "", "client_roles": [], **typed}
    return page.show(
        "keys.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if errors else HTTPStatus.OK,
        keys=await rows.list_keys(page),
        clients=clients,
        issuer=issuer,
        roles=ROLES,
        done=ChangeNotice(page.texts.translate(done)) if done else None,
        errors=errors or [],
        **values,
    )
