"""Subscription keys' address, an extension in v3 only."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.params import PathParameter

from meetdeck.administration.keys import service, store
from meetdeck.administration.keys.schemas import (
    KIND,
    CreateSubscriptionKey,
    Key,
    NewKey,
    NewSubscriptionKey,
    SubscriptionKey,
)
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Connection
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Call, CurrentCall, SavedResource, audits
from meetdeck.platform.http.requests import SUBSCRIPTION_KEY_HEADER, Body, accepts

_AREA: Final = "administration/keys"

KeyId = Annotated[UUID, PathParameter(description="The key's `id`.")]


class Keys(Controller):
    """The subscription keys of the caller's firm."""

    path = "/administration/keys"
    tags = ("Administration",)
    opt = audits(KIND)

    @get(summary="List subscription keys")
    async def list_subscription_keys(self, call: CurrentCall) -> list[SubscriptionKey]:
        """Return the keys, live ones first, by name, without the keys themselves. Needs the elevated role."""
        async with call.transaction() as connection:
            return [_show(key) for key in await store.list_keys(connection)]

    @post(
        status_code=201,
        summary="Create a subscription key",
        **accepts(body=CreateSubscriptionKey, example={"name": "CRM"}),
    )
    async def create_subscription_key(
        self, call: CurrentCall, payload: Body[CreateSubscriptionKey]
    ) -> Response[NewSubscriptionKey]:
        """Create a key of the firm; the key itself is shown once. At most two keys with one name are live."""
        tenant_id = call.principal.tenant_id
        return await _save_new(
            call,
            payload,
            lambda connection, actor: service.add_key(connection, tenant_id, payload.name, actor, call.now),
        )

    @post("/{key_id:uuid}/rotate", status_code=201, summary="Rotate a subscription key")
    async def rotate_subscription_key(self, call: CurrentCall, key_id: KeyId) -> Response[NewSubscriptionKey]:
        """Create the successor of a key, shown once; both are live until the older one is revoked."""
        tenant_id = call.principal.tenant_id
        return await _save_new(
            call, None, lambda connection, actor: service.add_successor(connection, tenant_id, key_id, actor, call.now)
        )

    @delete("/{key_id:uuid}", summary="Revoke a subscription key")
    async def revoke_subscription_key(self, call: CurrentCall, key_id: KeyId, request: AnyRequest) -> None:
        """Revoke a key, everywhere within a minute; it stays in the list. A call cannot revoke its own key."""

        async def revoke(connection: Connection) -> None:
            await service.require_other(connection, key_id, request.headers.get(SUBSCRIPTION_KEY_HEADER, ""))
            await service.end_key(connection, call.principal.tenant_id, key_id, call.actor, call.now)

        await call.run(revoke)


def _show(key: Key) -> SubscriptionKey:
    return SubscriptionKey(**_members(key))


def _members(key: Key) -> dict[str, Any]:
    return {
        "id": key.key_id,
        "name": key.name,
        "ending": key.ending,
        "status": key.status,
        "created_at": key.created_at,
        "last_used_at": key.last_used_at,
        "revoked_at": key.revoked_at,
    }


async def _save_new(call: Call, body: object, add: Callable[[Connection, Actor], Awaitable[NewKey]]) -> Response[Any]:
    """Answer a new key with the key itself; a repeat of the request gets the same answer."""

    async def make(connection: Connection) -> SavedResource:
        new = await add(connection, call.actor)
        members = _members(await service.read_key(connection, new.key_id))
        shown = NewSubscriptionKey(**members, subscription_key=new.subscription_key)
        return SavedResource(shown, call.uri(_AREA, new.key_id))

    return await call.save(body, make, sealed=True)
