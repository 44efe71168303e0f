"""Keys that an issuer publishes: fetched once, believed only from itself, and kept while it is down."""

import warnings
from contextlib import suppress
from datetime import timedelta

import msgspec
import pytest
from joserfc.jwk import KeySet, RSAKey

from meetdeck.platform.errors import Unauthenticated, Unavailable
from meetdeck.platform.identity import KeySource
from meetdeck.platform.identity.authentication import TokenVerifier
from support.fakes import FakeIssuer, HandClock
from support.tokens import ADDRESS, NOW, RULES, TENANT, make_key, sign


async def test_the_keys_are_fetched_once_for_many_tokens(verifier: TokenVerifier, issuer: FakeIssuer) -> None:
    for number in range(5):
        await verifier.verify(sign(jti=str(number)), NOW)
    assert issuer.asked == 1


async def publish(*keys: object, issuer: str = ADDRESS, jwks_uri: object = f"{ADDRESS}/keys") -> KeySet:
    documents: dict[str, object] = {
        f"{ADDRESS}/.well-known/openid-configuration": {"issuer": issuer, "jwks_uri": jwks_uri},
        f"{ADDRESS}/keys": {"keys": keys},
    }

    async def fetch(address: str) -> bytes:
        return msgspec.json.encode(documents[address])

    return await KeySource(ADDRESS, fetch).get_keys(NOW)


GOOD_KEY = make_key("ES256").as_dict(private=False)


async def test_a_discovery_document_of_another_issuer_is_not_believed() -> None:
    for issuer in ("https://evil.example", f"{ADDRESS}/", ADDRESS.upper(), "", None):
        with pytest.raises(Unavailable):
            await publish(GOOD_KEY, issuer=issuer)  # pyright: ignore[reportArgumentType] - what an issuer may send
    assert (await publish(GOOD_KEY)).keys


async def test_keys_that_could_be_changed_on_their_way_are_not_fetched() -> None:
    for jwks_uri in ("http://login.example/keys", "file:///etc/passwd", "keys", 5, None):
        with pytest.raises(Unavailable):
            await publish(GOOD_KEY, jwks_uri=jwks_uri)


async def test_weak_and_unknown_keys_are_left_out_and_the_others_stay() -> None:
    with warnings.catch_warnings(action="ignore"):
        weak = RSAKey.generate_key(1024, {"kid": "weak", "use": "sig"}).as_dict(private=False)
    unknown = [{"kty": "AKP", "kid": "from the future"}, {"kty": "RSA", "kid": "damaged"}, {}, 5, None]
    assert [key.kid for key in (await publish(weak, *unknown, GOOD_KEY)).keys] == [GOOD_KEY["kid"]]
    for keys in ([weak], unknown, []):
        with pytest.raises(Unavailable):
            await publish(*keys)


async def test_a_token_of_a_weak_key_is_refused() -> None:
    with warnings.catch_warnings(action="ignore"):
        weak = RSAKey.generate_key(1024, {"kid": "weak", "use": "sig", "alg": "RS256"})
        token = sign("RS256", key=weak)
    issuer = FakeIssuer(ADDRESS, weak, make_key("ES256"))
    with pytest.raises(Unauthenticated):
        await TokenVerifier(RULES, KeySource(ADDRESS, issuer.fetch)).verify(token, NOW)


async def test_a_new_key_of_the_issuer_is_found_at_its_first_token(
    verifier: TokenVerifier, issuer: FakeIssuer, clock: HandClock
) -> None:
    await verifier.verify(sign(), clock())
    issuer.keys.append(make_key("RS256"))
    clock.advance(minutes=1)
    assert (await verifier.verify(sign("RS256"), clock())).tenant_id == TENANT
    assert issuer.asked == 2


async def test_tokens_of_unknown_keys_do_not_make_us_flood_the_issuer(
    verifier: TokenVerifier, issuer: FakeIssuer, clock: HandClock
) -> None:
    clock.advance(minutes=1)
    for _ in range(20):
        clock.advance(seconds=1)
        with pytest.raises(Unauthenticated):
            await verifier.verify(sign("RS256"), clock())
    assert issuer.asked <= 3


async def test_the_keys_are_looked_at_anew_each_hour(
    verifier: TokenVerifier, issuer: FakeIssuer, clock: HandClock
) -> None:
    token = sign(exp=int((NOW + timedelta(days=1)).timestamp()))
    await verifier.verify(token, clock())
    issuer.keys = [make_key("RS256")]  # the old key was withdrawn
    clock.advance(minutes=61)
    with pytest.raises(Unauthenticated):
        await verifier.verify(token, clock())


async def test_an_issuer_that_never_answered_is_503(verifier: TokenVerifier, issuer: FakeIssuer) -> None:
    issuer.down = True
    with pytest.raises(Unavailable, match=r"https://login\.example cannot be asked") as caught:
        await verifier.verify(sign(), NOW)
    assert caught.value.retry_after_seconds


async def test_an_issuer_that_does_not_answer_is_asked_again_after_some_seconds() -> None:
    asked: list[str] = []

    async def fetch(address: str) -> bytes:
        asked.append(address)
        raise OSError("time-out")

    verifier = TokenVerifier(RULES, KeySource(ADDRESS, fetch))
    for seconds in (0, 1, 9, 11):
        with pytest.raises(Unavailable):
            await verifier.verify(sign(), NOW + timedelta(seconds=seconds))
    assert len(asked) == 2


async def test_an_issuer_that_is_down_for_a_while_locks_nobody_out(
    verifier: TokenVerifier, issuer: FakeIssuer, clock: HandClock
) -> None:
    await verifier.verify(sign(), clock())
    issuer.down = True
    clock.advance(minutes=61)
    token = sign(exp=int((NOW + timedelta(hours=2)).timestamp()))
    assert (await verifier.verify(token, clock())).tenant_id == TENANT


async def test_a_new_key_while_the_issuer_is_down_is_503_until_it_is_back(
    verifier: TokenVerifier, issuer: FakeIssuer, clock: HandClock
) -> None:
    await verifier.verify(sign(), clock())
    issuer.keys.append(make_key("RS256"))
    issuer.down = True
    clock.advance(minutes=1)
    for number in range(2):
        with pytest.raises(Unavailable) as caught:
            await verifier.verify(sign("RS256"), clock())
        assert caught.value.retry_after_seconds
        assert (await verifier.verify(sign(jti=str(number)), clock())).tenant_id == TENANT
        clock.advance(seconds=1)
    issuer.down = False
    clock.advance(seconds=10)
    assert (await verifier.verify(sign("RS256"), clock())).tenant_id == TENANT


@pytest.mark.parametrize("is_down", [False, True])
async def test_a_clock_that_was_set_back_keeps_no_key_from_being_found(
    is_down: bool,  # noqa: FBT001 - a parameter
    verifier: TokenVerifier,
    issuer: FakeIssuer,
    clock: HandClock,
) -> None:
    issuer.down = is_down
    with suppress(Unavailable):
        await verifier.verify(sign(), clock())
    issuer.down = False
    issuer.keys.append(make_key("RS256"))
    clock.advance(hours=-1)
    token = sign("RS256", iat=int(clock().timestamp()))
    assert (await verifier.verify(token, clock())).tenant_id == TENANT


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"jwks_uri": 5}', b"{}", b'{"jwks_uri": "x", "keys": [{}]}'])
async def test_an_issuer_that_answers_nonsense_is_503(answer: bytes) -> None:
    async def fetch(_: str) -> bytes:
        return answer

    with pytest.raises(Unavailable):
        await TokenVerifier(RULES, KeySource(ADDRESS, fetch)).verify(sign(), NOW)
