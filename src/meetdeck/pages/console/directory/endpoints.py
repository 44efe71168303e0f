"""The page of the firm's directory: its address, and the tokens, created and shown once, and revoked."""

from datetime import datetime
from http import HTTPStatus
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.kit import (
    ApiRefusal,
    ChangeNotice,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    needs_recent_sign_in,
    read_zone,
    show_moment,
)
from meetdeck.platform.errors import NotFound

_TOKENS: Final = "administration/scim-tokens"
_HERE: Final = "settings/directory"
_SHOWN: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT})


class _Token(msgspec.Struct, frozen=True, rename="camel"):
    """A token; the token itself is only in the first answer."""

    id: UUID
    name: str
    ending: str
    status: str
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None
    token: str = ""


class ShownToken(NamedTuple):
    """A token as its row shows it, with its times in words."""

    id: UUID
    name: str
    ending: str
    is_live: bool
    made: str
    used: str
    revoked: str


class DirectoryTokens(ConsoleController):
    """The page on which an administrator connects the firm's directory."""

    path = "/console/settings/directory"
    opt = needs_recent_sign_in("GET", "POST")

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the address and the tokens, with the form that creates one."""
        return await _show(page)

    @post(status_code=HTTPStatus.CREATED)
    async def create_token(self, form: CurrentForm) -> Response[bytes]:
        """Create a token, and show it once, beside the address."""
        page, name = form.page, form.get("name")
        try:
            made = (await page.api.send("POST", _TOKENS, {"name": name})).read(_Token)
        except ApiRefusal as refused:
            if refused.status not in _SHOWN:
                raise
            error = next((fault.detail for fault in refused.faults), refused.detail)
            return await _show(page, error, name)
        translate = page.texts.translate
        return page.show(
            "secret.html",
            HTTPStatus.CREATED,
            title=translate("{name} has a new token", name=made.name),
            lead=translate("Copy it now: it is not shown again."),
            values=[(translate("Address"), _address(page)), (translate("Token"), made.token)],
            next=_HERE,
        )

    @post("/{token_id:uuid}/revoke", status_code=HTTPStatus.OK)
    async def revoke_token(self, form: CurrentForm, token_id: FromPath[UUID]) -> Response[bytes]:
        """Revoke a token; a question comes first."""
        page, translate = form.page, form.page.texts.translate
        tokens = await _list_tokens(page)
        token = next((one for one in tokens if one.id == token_id), None)
        if token is None:
            raise NotFound("There is no such token.")
        if not form.get("sure"):
            title = translate("Revoke {name}, which ends with {ending}?", name=token.name, ending=token.ending)
            lead = translate("The directory can no longer use it. This cannot be undone.")
            is_last = [one for one in tokens if one.is_live] == [token]
            more = (
                translate("It is the last one: resources from the directory can then be edited here again.")
                if is_last
                else ""
            )
            return page.show_confirmation(title, f"{lead} {more}".strip(), translate("Revoke"), keep=_HERE)
        await page.api.send("DELETE", f"{_TOKENS}/{token_id}")
        return page.lead_to(f"{_HERE}?done=revoked")


def _address(page: ConsolePage) -> str:
    return f"{page.settings.base_url}/scim/v2"


async def _list_tokens(page: ConsolePage) -> list[ShownToken]:
    """Return the tokens, live ones first."""
    zone = await read_zone(page.api)

    def show(moment: datetime | None) -> str:
        return "" if moment is None else show_moment(page, moment, zone)

    return [
        ShownToken(
            one.id,
            one.name,
            one.ending,
            one.status == "live",
            show(one.created_at),
            show(one.last_used_at),
            show(one.revoked_at),
        )
        for one in await page.api.get(_TOKENS, list[_Token])
    ]


async def _show(page: ConsolePage, error: str = "", name: str = "") -> Response[bytes]:
    is_done = page.request.query_params.get("done") == "revoked"
    told = page.texts.translate("The token is revoked: within a minute the directory is refused with it.")
    return page.show(
        "directory.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if error else HTTPStatus.OK,
        tokens=await _list_tokens(page),
        address=_address(page),
        name=name,
        errors=[("token-name", error)] if error else [],
        done=ChangeNotice(told) if is_done else None,
    )
