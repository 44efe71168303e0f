"""Token and subscription key together, and the roles of a principal."""

from datetime import datetime
from uuid import UUID

import pytest

from meetdeck.platform.errors import Forbidden, Unauthenticated
from meetdeck.platform.identity import Authenticator, Principal, SubscriptionKey, TenantDisabled, hash_secret
from meetdeck.platform.identity.authentication import KeyRing, TokenVerifier
from support.fakes import HandClock
from support.tokens import NOW, TENANT, USER, sign


class Keys:
    """The database's side of it: keys by hash, counted."""

    def __init__(self, **tenants: UUID) -> None:
        self.keys = {hash_secret(key): SubscriptionKey(hash_secret(key), tenant) for key, tenant in tenants.items()}
        self.asked = 0

    async def find(self, digest: bytes, now: datetime, tenant_id: UUID | None) -> SubscriptionKey | None:
        del now, tenant_id
        self.asked += 1
        return self.keys.get(digest)

    def disable(self) -> None:
        self.keys = {digest: key._replace(is_disabled=True) for digest, key in self.keys.items()}


async def find_tenant(ring: KeyRing[SubscriptionKey], key: str, now: datetime) -> UUID | None:
    known = await ring.find(key, now)
    return known.tenant_id if known is not None else None


async def test_a_key_that_is_used_all_the_time_is_refused_a_minute_after_it_was_revoked(clock: HandClock) -> None:
    keys = Keys(first=TENANT)
    ring = KeyRing(keys.find)
    assert await find_tenant(ring, "first", clock()) == TENANT
    clock.advance(seconds=1)
    keys.keys.clear()  # revoked
    assert await find_tenant(ring, "first", clock()) == TENANT
    for _ in range(60):
        clock.advance(seconds=1)
        await find_tenant(ring, "first", clock())
    assert await find_tenant(ring, "first", clock()) is None


async def test_a_clock_that_is_set_back_prolongs_no_key(clock: HandClock) -> None:
    keys = Keys(first=TENANT)
    ring = KeyRing(keys.find)
    assert await find_tenant(ring, "first", clock()) == TENANT
    keys.keys.clear()  # revoked
    clock.advance(hours=-1)
    assert await find_tenant(ring, "first", clock()) is None


async def test_a_disabled_tenants_caller_is_told_so_within_a_minute(verifier: TokenVerifier, clock: HandClock) -> None:
    keys = Keys(ours=TENANT)
    authenticator = Authenticator(verifier, KeyRing(keys.find))
    await authenticator.authenticate(f"Bearer {sign()}", "ours", clock())
    keys.disable()
    clock.advance(seconds=60)
    with pytest.raises(TenantDisabled):
        await authenticator.authenticate(f"Bearer {sign()}", "ours", clock())


async def test_a_key_is_looked_up_once_in_a_while(clock: HandClock) -> None:
    keys = Keys(first=TENANT)
    ring = KeyRing(keys.find)
    for _ in range(3):
        assert await find_tenant(ring, "first", clock()) == TENANT
    assert keys.asked == 1


async def test_an_unknown_key_is_not_remembered_as_unknown(clock: HandClock) -> None:
    keys = Keys()
    ring = KeyRing(keys.find)
    assert await find_tenant(ring, "new", clock()) is None
    keys.keys[hash_secret("new")] = SubscriptionKey(hash_secret("new"), TENANT)
    assert await find_tenant(ring, "new", clock()) == TENANT


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
