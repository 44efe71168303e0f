"""SCIM tokens' address, an extension in v3 only."""

from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.params import PathParameter

from meetdeck.administration.scim_tokens import service, store
from meetdeck.administration.scim_tokens.schemas import KIND, CreateScimToken, NewScimToken, ScimToken, Token
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import CurrentCall, SavedResource, audits
from meetdeck.platform.http.requests import Body, accepts

_AREA: Final = "administration/scim-tokens"

TokenId = Annotated[UUID, PathParameter(description="The token's `id`.")]


class ScimTokens(Controller):
    """The tokens with which the firm's directory writes people and groups by SCIM."""

    path = "/administration/scim-tokens"
    tags = ("Administration",)
    opt = audits(KIND)

    @get(summary="List SCIM tokens")
    async def list_scim_tokens(self, call: CurrentCall) -> list[ScimToken]:
        """Return the tokens, live ones first, by name, without the tokens themselves. Needs the elevated role."""
        async with call.transaction() as connection:
            return [ScimToken(**_members(token)) for token in await store.list_tokens(connection)]

    @post(
        status_code=201,
        summary="Create a SCIM token",
        **accepts(body=CreateScimToken, example={"name": "Entra"}),
    )
    async def create_scim_token(self, call: CurrentCall, payload: Body[CreateScimToken]) -> Response[NewScimToken]:
        """Create a token of the firm; the token itself is shown once. At most two tokens with one name are live."""

        async def make(connection: Connection) -> SavedResource:
            tenant_id = call.principal.tenant_id
            new = await service.add_token(connection, tenant_id, payload.name, call.actor, call.now)
            members = _members(await service.read_token(connection, new.token_id))
            return SavedResource(NewScimToken(**members, token=new.token), call.uri(_AREA, new.token_id))

        return await call.save(payload, make, sealed=True)

    @delete("/{token_id:uuid}", summary="Revoke a SCIM token")
    async def revoke_scim_token(self, call: CurrentCall, token_id: TokenId) -> None:
        """Revoke a token, everywhere within a minute; it stays in the list.

        With the last live one, what the directory owned is edited at the console and by the API again.
        """
        tenant_id = call.principal.tenant_id
        await call.run(lambda connection: service.end_token(connection, tenant_id, token_id, call.actor, call.now))


def _members(token: Token) -> dict[str, Any]:
    return {
        "id": token.token_id,
        "name": token.name,
        "ending": token.ending,
        "status": token.status,
        "created_at": token.created_at,
        "last_used_at": token.last_used_at,
        "revoked_at": token.revoked_at,
    }
