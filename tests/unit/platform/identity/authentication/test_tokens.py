import base64
import hmac
from collections.abc import Callable
from datetime import timedelta
from uuid import NAMESPACE_URL, UUID, uuid5

import pytest
from joserfc.jwk import ECKey

from meetdeck.platform.errors import Unauthenticated
from meetdeck.platform.identity import KeySource, Principal, TokenRules
from meetdeck.platform.identity.authentication import TokenVerifier
from support.fakes import FakeIssuer, HandClock
from support.tokens import ADDRESS, NOW, RULES, TENANT, USER, encode_part, make_key, sign, sign_raw

# RFC 9864 renames the algorithm EdDSA; joserfc says so at each use.
pytestmark = pytest.mark.filterwarnings("ignore:EdDSA is deprecated")


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
    "expiry is not a number": lambda: sign(exp="tomorrow"),
    "of another issuer": lambda: sign(iss="https://evil.example"),
    "without issuer": lambda: sign(without="iss"),
    "for another audience": lambda: sign(aud="calendar"),
    "without audience": lambda: sign(without="aud"),
    "unsigned": _unsigned,
    "signed with the public key as a password": _signed_with_the_public_key_as_a_password,
    "tampered": _tampered,
    "signed by somebody else": _signed_by_somebody_else,
    "of a key that is not the issuer's": lambda: sign("RS256"),
    "claims are not object": lambda: f"{sign().split('.')[0]}.{encode_part([1])}.{sign().split('.')[2]}",
    "no token": lambda: "not.a.token",
    "no token either": lambda: "håndskrevet",
    "without a tenant": lambda: sign(without="tid"),
    "tenant is not a uuid": lambda: sign(tid="nordlys"),
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
    with pytest.raises(Unauthenticated, match=r"nested too deeply|not a JSON object"):
        await verifier.verify(sign_raw({}, b'{"a":' + b"[" * 40_000), NOW)


WORDS: dict[str, tuple[Callable[[], str], str]] = {
    "tampered": (_tampered, "its signature does not match"),
    "signed by somebody else": (_signed_by_somebody_else, "its signature does not match"),
    "key unknown": (lambda: sign("RS256"), "the issuer publishes no key of the id"),
    "no token": (lambda: "no.token", "it is not a signed JWT"),
    "other audience": (lambda: sign(aud="calendar"), "its claim 'aud' is not what this installation expects"),
    "no audience": (lambda: sign(without="aud"), "it has no claim 'aud'"),
    "claims are not JSON": (lambda: sign_raw({}, b"{"), "its claims are not a JSON object"),
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


async def test_the_user_is_the_object_id(verifier: TokenVerifier) -> None:
    assert (await verifier.verify(sign(sub=str(UUID(int=5))), NOW)).user_id == USER


async def test_without_one_the_user_is_the_subject_when_it_is_a_uuid(verifier: TokenVerifier) -> None:
    assert (await verifier.verify(sign(without="oid", sub=str(UUID(int=5))), NOW)).user_id == UUID(int=5)


async def test_any_other_subject_becomes_a_uuid_of_issuer_and_subject(verifier: TokenVerifier) -> None:
    principal = await verifier.verify(sign(without="oid", sub="crm@nordlys"), NOW)
    assert principal.user_id == uuid5(NAMESPACE_URL, f"{ADDRESS}/crm@nordlys")
    assert principal.user_id.version == 5


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
