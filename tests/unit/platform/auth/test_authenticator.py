"""Token and subscription key together, and the roles of a principal."""

from uuid import UUID

import pytest

from meetdeck.platform.auth import Authenticator, KeyRing, Principal, SubscriptionKey, TokenVerifier, hash_secret
from meetdeck.platform.errors import Forbidden, Unauthenticated
from support.fakes import HandClock
from support.tokens import NOW, TENANT, USER, sign


class Keys:
    """The database's side of it: keys by hash, counted."""

    def __init__(self, **tenants: UUID) -> None:
        self.tenants = {hash_secret(key): tenant for key, tenant in tenants.items()}
        self.asked = 0

    async def find(self, digest: bytes) -> SubscriptionKey | None:
        self.asked += 1
        tenant_id = self.tenants.get(digest)
        return SubscriptionKey(digest, tenant_id) if tenant_id is not None else None


async def find_tenant(ring: KeyRing, secret: str, clock: HandClock) -> UUID | None:
    key = await ring.find(secret, clock())
    return key.tenant_id if key is not None else None


async def test_a_key_is_looked_up_once_a_minute(clock: HandClock) -> None:
    keys = Keys(first=TENANT)
    ring = KeyRing(keys.find)
    for _ in range(3):
        assert await find_tenant(ring, "first", clock) == TENANT
    assert keys.asked == 1
    keys.tenants.clear()  # revoked
    clock.advance(seconds=61)
    assert await find_tenant(ring, "first", clock) is None


async def test_an_unknown_key_is_not_remembered_as_unknown(clock: HandClock) -> None:
    keys = Keys()
    ring = KeyRing(keys.find)
    assert await find_tenant(ring, "new", clock) is None
    keys.tenants[hash_secret("new")] = TENANT
    assert await find_tenant(ring, "new", clock) == TENANT


@pytest.fixture
def authenticator(verifier: TokenVerifier) -> Authenticator:
    return Authenticator(verifier, KeyRing(Keys(ours=TENANT, theirs=UUID(int=9)).find))


async def test_token_and_key_of_one_tenant_let_in(authenticator: Authenticator) -> None:
    principal, key = await authenticator.authenticate(f"bearer  {sign()} ", " ours ", NOW)
    assert (principal.tenant_id, key.tenant_id) == (TENANT, TENANT)


@pytest.mark.parametrize(
    ("authorization", "key", "said"),
    [
        (None, "ours", "Send the header `Authorization: Bearer"),
        ("", "ours", "Send the header `Authorization: Bearer"),
        ("Bearer ", "ours", "Send the header `Authorization: Bearer"),
        ("Basic dXNlcg==", "ours", "Send the header `Authorization: Bearer"),
        ("Bearer {token}", None, "Send the header `Ocp-Apim-Subscription-Key"),
        ("Bearer {token}", "", "Send the header `Ocp-Apim-Subscription-Key"),
        ("Bearer {token}", "unknown", "not known, or was revoked"),
    ],
)
async def test_what_is_missing_is_said(
    authorization: str | None, key: str | None, said: str, authenticator: Authenticator
) -> None:
    with pytest.raises(Unauthenticated, match=said):
        await authenticator.authenticate(authorization and authorization.replace("{token}", sign()), key, NOW)


async def test_a_key_of_another_tenant_is_forbidden(authenticator: Authenticator) -> None:
    with pytest.raises(Forbidden, match="another tenant"):
        await authenticator.authenticate(f"Bearer {sign()}", "theirs", NOW)


def test_a_role_that_is_missing_is_named() -> None:
    Principal(TENANT, USER, frozenset({"Meetdeck.Elevated"})).require_role("Meetdeck.Elevated")
    with pytest.raises(Forbidden, match=r"needs the role Meetdeck\.Elevated"):
        Principal(TENANT, USER).require_role("Meetdeck.Elevated")
