"""The addresses of the built-in token issuer's clients, an extension in v3 only."""

from typing import Annotated, Any, Final

from litestar import Controller, Response, delete, get, post
from litestar.params import PathParameter

from meetdeck.administration.clients import service, store
from meetdeck.administration.clients.schemas import KIND, ApiClient, Client, CreateApiClient, NewApiClient
from meetdeck.administration.errors import IssuerElsewhere
from meetdeck.platform.database import Connection
from meetdeck.platform.http.calls import CurrentCall, SavedResource, Service, audits
from meetdeck.platform.http.requests import Body, accepts
from meetdeck.platform.settings import Settings

_AREA: Final = "administration/clients"

ClientId = Annotated[str, PathParameter(description="The client's `clientId`.")]


class Clients(Controller):
    """The programs of the caller's firm that get their tokens from the built-in issuer."""

    path = "/administration/clients"
    tags = ("Administration",)
    opt = audits(KIND)

    @get(summary="List clients")
    async def list_clients(self, call: CurrentCall, settings: Service[Settings]) -> list[ApiClient]:
        """Return the clients by name, without their secrets. All operations here need the elevated role.

        409 `issuer_elsewhere` if another issuer issues the tokens: its clients are created there.
        """
        _require_own_issuer(settings)
        async with call.transaction() as connection:
            return [ApiClient(**_members(one)) for one in await store.list_clients(connection)]

    @post(
        status_code=201,
        summary="Create a client",
        **accepts(body=CreateApiClient, example={"name": "Booking site", "roles": []}),
    )
    async def create_client(
        self, call: CurrentCall, payload: Body[CreateApiClient], settings: Service[Settings]
    ) -> Response[NewApiClient]:
        """Create a client; its secret is shown once. Nobody can assign a role that they do not have (403)."""
        _require_own_issuer(settings)
        roles = service.read_roles(payload.roles, settings.role_names)
        for role in roles:
            call.principal.require_role(role)

        async def make(connection: Connection) -> SavedResource:
            tenant_id = call.principal.tenant_id
            new = await service.add_client(connection, tenant_id, payload.name, roles, call.actor, call.now)
            members = _members(await service.read_client(connection, new.client_id))
            return SavedResource(
                NewApiClient(**members, client_secret=new.client_secret), call.uri(_AREA, new.client_id)
            )

        return await call.save(payload, make, sealed=True)

    @delete("/{client_id:str}", summary="Delete a client")
    async def delete_client(self, call: CurrentCall, client_id: ClientId, settings: Service[Settings]) -> None:
        """Delete a client; its last token is valid for an hour at most."""
        _require_own_issuer(settings)
        await call.run(lambda connection: service.remove_client(connection, client_id, call.actor, call.now))


def _require_own_issuer(settings: Settings) -> None:
    """Raise IssuerElsewhere if another issuer issues the tokens."""
    if settings.issuer is not None:
        raise IssuerElsewhere(settings.issuer)


def _members(client: Client) -> dict[str, Any]:
    return {
        "client_id": client.client_id,
        "name": client.name,
        "roles": client.roles,
        "created_at": client.created_at,
    }
