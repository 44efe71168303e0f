import base64
import hmac
import json
import warnings
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc import jwt
from joserfc.jwk import ECKey, KeyParameters, KeySet, OKPKey, RSAKey

from meetdeck.platform.auth import Authenticator, KeyRing, KeySource, Principal, TokenRules, TokenVerifier, hash_secret
from meetdeck.platform.errors import Forbidden, Unauthenticated, Unavailable
from support.fakes import FakeIssuer, HandClock, Key

# RFC 9864 renames the algorithm EdDSA; joserfc says so at each use.
pytestmark = pytest.mark.filterwarnings("ignore:EdDSA is deprecated")

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
ADDRESS = "https://login.example"
RULES = TokenRules(ADDRESS, "meetdeck", tenant_claim="tid", user_claim="oid", roles_claim="roles")
TENANT, USER = UUID(int=1), UUID(int=2)


@cache
def make_key(algorithm: str) -> Key:
    parameters: KeyParameters = {"use": "sig", "alg": algorithm}
    if algorithm == "RS256":
        return RSAKey.generate_key(2048, parameters, auto_kid=True)
    if algorithm == "ES256":
        return ECKey.generate_key("P-256", parameters, auto_kid=True)
    return OKPKey.generate_key("Ed25519", parameters, auto_kid=True)


def sign(algorithm: str = "ES256", *, key: Key | None = None, without: str = "", **claims: Any) -> str:
    """Make a token that everything is right about, but for the claims given or left out."""
    said: dict[str, Any] = {
        "iss": ADDRESS,
        "aud": "meetdeck",
        "sub": "somebody",
        "exp": int((NOW + timedelta(hours=1)).timestamp()),
        "tid": str(TENANT),
        "oid": str(USER),
    }
    said |= claims
    said.pop(without, None)
    signing = key or make_key(algorithm)
    return jwt.encode({"alg": algorithm, "kid": signing.kid}, said, signing, algorithms=[algorithm])


def encode_part(part: object) -> str:
    return encode_bytes(msgspec.json.encode(part))


def encode_bytes(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def sign_raw(header: dict[str, object], claims: dict[str, object] | bytes, *, without: str = "") -> str:
    """Sign what no library would: the issuer's key, and whatever is said."""
    key = make_key("ES256")
    assert isinstance(key, ECKey)
    right = json.loads(base64.urlsafe_b64decode(sign(without=without).split(".")[1] + "=="))
    said = claims if isinstance(claims, bytes) else json.dumps(right | claims).encode()
    signed = f"{encode_bytes(json.dumps({'alg': 'ES256', 'kid': key.kid} | header).encode())}.{encode_bytes(said)}"
    first, second = decode_dss_signature(key.private_key.sign(signed.encode(), ECDSA(SHA256())))  # pyright: ignore[reportOptionalMemberAccess] - it has one
    return f"{signed}.{encode_bytes(first.to_bytes(32) + second.to_bytes(32))}"


@pytest.fixture
def clock() -> HandClock:
    return HandClock(NOW)


@pytest.fixture
def issuer() -> FakeIssuer:
    return FakeIssuer(ADDRESS, make_key("ES256"))


@pytest.fixture
def verifier(issuer: FakeIssuer) -> TokenVerifier:
    return TokenVerifier(RULES, KeySource(ADDRESS, issuer.fetch))


# ------------------------------------------------------------------------------------------------------------- tokens


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
async def test_a_token_signed_with_one_of_the_issuers_keys_says_who_calls(algorithm: str) -> None:
    issuer = FakeIssuer(ADDRESS, make_key("RS256"), make_key("ES256"), make_key("EdDSA"))
    verifier = TokenVerifier(RULES, KeySource(ADDRESS, issuer.fetch))
    principal = await verifier.verify(sign(algorithm, roles=["Meetdeck.Elevated"]), NOW)
    assert principal == Principal(TENANT, USER, frozenset({"Meetdeck.Elevated"}))


async def test_the_claims_are_read_by_the_names_that_were_set(issuer: FakeIssuer) -> None:
    rules = TokenRules(ADDRESS, "meetdeck", tenant_claim="firm", user_claim="who", roles_claim="scope")
    verifier = TokenVerifier(rules, KeySource(ADDRESS, issuer.fetch))
    token = sign(firm=str(UUID(int=7)), who=str(UUID(int=8)), scope="read Meetdeck.Elevated")
    assert await verifier.verify(token, NOW) == Principal(
        UUID(int=7), UUID(int=8), frozenset({"read", "Meetdeck.Elevated"})
    )


def _expired() -> str:
    return sign(exp=int((NOW - timedelta(minutes=1)).timestamp()))


def _too_early() -> str:
    return sign(nbf=int((NOW + timedelta(minutes=1)).timestamp()))


def _unsigned() -> str:
    header, claims = encode_part({"alg": "none"}), sign().split(".")[1]
    return f"{header}.{claims}."


def _signed_with_the_public_key_as_a_password() -> str:
    header, claims = encode_part({"alg": "HS256", "kid": make_key("ES256").kid}), sign().split(".")[1]
    password = make_key("ES256").as_pem(private=False)
    seal = hmac.digest(password, f"{header}.{claims}".encode(), "sha256")
    return f"{header}.{claims}.{base64.urlsafe_b64encode(seal).rstrip(b'=').decode()}"


def _tampered() -> str:
    header, _, signature = sign().split(".")
    claims = encode_part({"iss": ADDRESS, "aud": "meetdeck", "tid": str(UUID(int=9)), "exp": 2_000_000_000})
    return f"{header}.{claims}.{signature}"


def _signed_by_somebody_else() -> str:
    stranger = ECKey.generate_key("P-256", {"kid": make_key("ES256").kid or "", "alg": "ES256"})
    return sign(key=stranger)


REFUSED: dict[str, Callable[[], str]] = {
    "expired": _expired,
    "not valid yet": _too_early,
    "without expiry": lambda: sign(without="exp"),
    "expiry is no number": lambda: sign(exp="tomorrow"),
    "of another issuer": lambda: sign(iss="https://evil.example"),
    "without issuer": lambda: sign(without="iss"),
    "for another audience": lambda: sign(aud="calendar"),
    "without audience": lambda: sign(without="aud"),
    "unsigned": _unsigned,
    "signed with the public key as a password": _signed_with_the_public_key_as_a_password,
    "tampered": _tampered,
    "signed by somebody else": _signed_by_somebody_else,
    "of a key that is not the issuer's": lambda: sign("RS256"),
    "claims are no object": lambda: f"{sign().split('.')[0]}.{encode_part([1])}.{sign().split('.')[2]}",
    "no token": lambda: "not.a.token",
    "no token either": lambda: "håndskrevet",
    "without a tenant": lambda: sign(without="tid"),
    "tenant is no uuid": lambda: sign(tid="nordlys"),
    "tenant is a list": lambda: sign(tid=[str(TENANT)]),
}


@pytest.mark.parametrize("wrong", REFUSED)
async def test_a_token_is_refused_when_it_is(wrong: str, verifier: TokenVerifier) -> None:
    with pytest.raises(Unauthenticated) as caught:
        await verifier.verify(REFUSED[wrong](), NOW)
    assert caught.value.detail.endswith((".", "UUID."))


HALF_A_CHARACTER = "\ud800"  # what the JSON escape \\ud800 is read as


@pytest.mark.parametrize("claim", ["sub", "oid", "tid", "roles", "name", "aud", "iss", HALF_A_CHARACTER])
@pytest.mark.parametrize("place", ["alone", "in a list", "in an object"])
async def test_half_a_character_in_any_claim_is_refused(claim: str, place: str, verifier: TokenVerifier) -> None:
    value: object = {"alone": HALF_A_CHARACTER, "in a list": [HALF_A_CHARACTER], "in an object": {HALF_A_CHARACTER: 1}}[
        place
    ]
    without_id = {} if claim == "oid" else {"without": "oid"}
    with pytest.raises(Unauthenticated) as caught:
        await verifier.verify(sign_raw({}, {claim: value}, **without_id), NOW)
    assert caught.value.detail.encode()


@pytest.mark.parametrize("member", ["kid", "alg", "crit", "x5u"])
@pytest.mark.parametrize("value", [HALF_A_CHARACTER, [HALF_A_CHARACTER], {HALF_A_CHARACTER: HALF_A_CHARACTER}, 5, None])
async def test_whatever_the_header_holds_is_refused_in_words(
    member: str, value: object, verifier: TokenVerifier
) -> None:
    with pytest.raises(Unauthenticated) as caught:
        await verifier.verify(sign_raw({member: value}, {}), NOW)
    assert caught.value.detail.encode()


async def test_claims_nested_beyond_all_measure_are_refused(verifier: TokenVerifier) -> None:
    with pytest.raises(Unauthenticated, match="nested too deeply"):
        await verifier.verify(sign_raw({}, b'{"a":' + b"[" * 40_000), NOW)


WORDS: dict[str, tuple[Callable[[], str], str]] = {
    "tampered": (_tampered, "its signature does not fit"),
    "signed by somebody else": (_signed_by_somebody_else, "its signature does not fit"),
    "key unknown": (lambda: sign("RS256"), "the issuer publishes no key of the id"),
    "no token": (lambda: "no.token", "it is no signed JWT"),
    "other audience": (lambda: sign(aud="calendar"), "its claim 'aud' is not what this installation expects"),
    "no audience": (lambda: sign(without="aud"), "it has no claim 'aud'"),
    "claims are no JSON": (lambda: sign_raw({}, b"{"), "its claims are no JSON object"),
}


@pytest.mark.parametrize("wrong", WORDS)
async def test_a_refusal_says_in_plain_words_what_is_wrong(wrong: str, verifier: TokenVerifier) -> None:
    make, words = WORDS[wrong]
    with pytest.raises(Unauthenticated) as caught:
        await verifier.verify(make(), NOW)
    assert words in caught.value.detail
    assert "_" not in caught.value.detail


async def test_an_expired_token_says_what_to_do(verifier: TokenVerifier) -> None:
    with pytest.raises(Unauthenticated, match="has expired: get a new one"):
        await verifier.verify(_expired(), NOW)


async def test_a_token_for_several_audiences_is_taken(verifier: TokenVerifier) -> None:
    assert (await verifier.verify(sign(aud=["calendar", "meetdeck"]), NOW)).tenant_id == TENANT


@pytest.mark.parametrize("exp", [10**18, 10**400, 1e300])
async def test_an_expiry_beyond_all_calendars_is_no_crash(exp: float, verifier: TokenVerifier) -> None:
    assert (await verifier.verify(sign(exp=exp), NOW)).tenant_id == TENANT


async def test_clocks_may_differ_by_half_a_minute(verifier: TokenVerifier) -> None:
    await verifier.verify(sign(exp=int(NOW.timestamp()) - 20), NOW)
    await verifier.verify(sign(nbf=int(NOW.timestamp()) + 20), NOW)


@pytest.mark.parametrize("roles", [None, 5, {"a": 1}, [1, 2]])
async def test_roles_that_are_no_names_are_no_roles(roles: object, verifier: TokenVerifier) -> None:
    assert (await verifier.verify(sign(roles=roles), NOW)).roles == frozenset()


# -------------------------------------------------------------------------------------------------------------- users


async def test_the_user_is_the_object_id(verifier: TokenVerifier) -> None:
    assert (await verifier.verify(sign(sub=str(UUID(int=5))), NOW)).user_id == USER


async def test_without_one_the_user_is_the_subject_when_it_is_a_uuid(verifier: TokenVerifier) -> None:
    assert (await verifier.verify(sign(without="oid", sub=str(UUID(int=5))), NOW)).user_id == UUID(int=5)


async def test_any_other_subject_becomes_a_uuid_of_issuer_and_subject(verifier: TokenVerifier) -> None:
    principal = await verifier.verify(sign(without="oid", sub="crm@nordlys"), NOW)
    assert principal.user_id == uuid5(NAMESPACE_URL, f"{ADDRESS}/crm@nordlys")
    assert principal.user_id.version == 5


# ------------------------------------------------------------------------------------------------- the issuer's keys


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


@pytest.mark.parametrize("answer", [b"<html>", b"[]", b'{"jwks_uri": 5}', b"{}", b'{"jwks_uri": "x", "keys": [{}]}'])
async def test_an_issuer_that_answers_nonsense_is_503(answer: bytes) -> None:
    async def fetch(_: str) -> bytes:
        return answer

    with pytest.raises(Unavailable):
        await TokenVerifier(RULES, KeySource(ADDRESS, fetch)).verify(sign(), NOW)


# ------------------------------------------------------------------------------------------------- remembered tokens


async def test_a_checked_token_is_remembered_for_five_minutes(
    verifier: TokenVerifier, issuer: FakeIssuer, clock: HandClock
) -> None:
    token = sign()
    principal = await verifier.verify(token, clock())
    issuer.keys = []
    clock.advance(minutes=4)
    assert await verifier.verify(token, clock()) is principal
    clock.advance(minutes=61)
    with pytest.raises(Unauthenticated):
        await verifier.verify(token, clock())


async def test_a_remembered_token_still_expires(verifier: TokenVerifier, clock: HandClock) -> None:
    token = sign(exp=int((NOW + timedelta(minutes=2)).timestamp()))
    await verifier.verify(token, clock())
    clock.advance(minutes=3)
    with pytest.raises(Unauthenticated, match="expired"):
        await verifier.verify(token, clock())


# -------------------------------------------------------------------------------------------------- subscription keys


class Keys:
    """The database's side of it: keys by hash, counted."""

    def __init__(self, **tenants: UUID) -> None:
        self.tenants = {hash_secret(key): tenant for key, tenant in tenants.items()}
        self.asked = 0

    async def find(self, digest: bytes) -> UUID | None:
        self.asked += 1
        return self.tenants.get(digest)


async def test_a_key_is_looked_up_once_a_minute(clock: HandClock) -> None:
    keys = Keys(first=TENANT)
    ring = KeyRing(keys.find)
    for _ in range(3):
        assert await ring.find_tenant("first", clock()) == TENANT
    assert keys.asked == 1
    keys.tenants.clear()  # revoked
    clock.advance(seconds=61)
    assert await ring.find_tenant("first", clock()) is None


async def test_an_unknown_key_is_not_remembered_as_unknown(clock: HandClock) -> None:
    keys = Keys()
    ring = KeyRing(keys.find)
    assert await ring.find_tenant("new", clock()) is None
    keys.tenants[hash_secret("new")] = TENANT
    assert await ring.find_tenant("new", clock()) == TENANT


@pytest.fixture
def authenticator(verifier: TokenVerifier) -> Authenticator:
    return Authenticator(verifier, KeyRing(Keys(ours=TENANT, theirs=UUID(int=9)).find))


async def test_token_and_key_of_one_tenant_let_in(authenticator: Authenticator) -> None:
    assert (await authenticator.authenticate(f"bearer  {sign()} ", " ours ", NOW)).tenant_id == TENANT


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
