"""Subscription keys' address: ours, and only v3 has it."""

from litestar import Controller, get

from meetdeck.administration.keys import store
from meetdeck.administration.keys.schemas import Key, SubscriptionKey
from meetdeck.platform.http.call import CurrentCall


class Keys(Controller):
    """The subscription keys of the caller's firm."""

    path = "/administration/keys"
    tags = ("Administration",)

    @get(summary="List subscription keys")
    async def list_subscription_keys(self, call: CurrentCall) -> list[SubscriptionKey]:
        """Return the keys, the live ones first, by name, without the keys themselves. Needs the elevated role."""
        call.require_elevated()
        async with call.transaction() as connection:
            return [_show(key) for key in await store.list_keys(connection)]


def _show(key: Key) -> SubscriptionKey:
    return SubscriptionKey(
        id=key.key_id,
        name=key.name,
        ending=key.ending,
        status=key.status,
        created_at=key.created_at,
        last_used_at=key.last_used_at,
        revoked_at=key.revoked_at,
    )
