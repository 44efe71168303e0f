"""Our side of signing people in: what is asked, what is believed, and what is made of everything that goes wrong."""

import base64
import hmac
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import structlog

from meetdeck.platform.identity import ProviderUnavailable, SignInCancelled, SignInFailed
from meetdeck.platform.identity.openid import SignInAttempt
from meetdeck.platform.outgoing import OutgoingAnswer
from meetdeck.platform.secrets import pkce
from support.providers import EXPIRED, FakeProvider, answer
from support.tokens import ADDRESS, NOW, encode_part, make_key

ATTEMPT = SignInAttempt("https://meetdeck.example/p/signed-in", "the nonce", "v" * 43)
CODE = {"code": "the code", "state": "the state"}
TOKEN_ADDRESS, USERINFO = f"{ADDRESS}/token", f"{ADDRESS}/userinfo"


@pytest.fixture
def provider() -> FakeProvider:
    provider = FakeProvider()
    provider.nonce = ATTEMPT.nonce
    return provider


async def read(provider: FakeProvider, given: dict[str, str] | None = None, **changed: Any) -> dict[str, Any]:
    return await provider.make_party(**changed).read_answer(ATTEMPT, CODE if given is None else given, NOW)


async def read_why_not(provider: FakeProvider, given: dict[str, str] | None = None, **changed: Any) -> str:
    """Return what the log says of a sign-in that fails; the customer is told nothing of it."""
    with structlog.testing.capture_logs() as logs, pytest.raises(SignInFailed) as failed:
        await read(provider, given, **changed)
    assert failed.value.detail == "You could not be signed in. Start again from the page that you came from."
    return str(logs[-1]["error"])


async def ask(provider: FakeProvider, *, language: str | None = None, **changed: Any) -> dict[str, str]:
    address = await provider.make_party(**changed).write_request(ATTEMPT, "the state", NOW, language=language)
    assert address.startswith(f"{ADDRESS}/authorize?")
    return dict(parse_qsl(urlsplit(address).query))


# --------------------------------------------------------------------------------------------------------------- asking


async def test_a_request_has_state_nonce_and_challenge(provider: FakeProvider) -> None:
    assert await ask(provider) == {
        "response_type": "code",
        "client_id": "pages",
        "redirect_uri": "https://meetdeck.example/p/signed-in",
        "scope": "openid profile email",
        "state": "the state",
        "nonce": "the nonce",
        "code_challenge": pkce.make_challenge("v" * 43),
        "code_challenge_method": "S256",
    }


async def test_a_request_may_name_levels_and_a_language(provider: FakeProvider) -> None:
    asked = await ask(provider, language="da", acr_values=("high", "substantial"), scopes="openid cpr")
    assert (asked["acr_values"], asked["ui_locales"], asked["scope"]) == ("high substantial", "da", "openid cpr")


async def test_a_provider_with_a_query_of_its_own_keeps_it(provider: FakeProvider) -> None:
    provider.metadata["authorization_endpoint"] = f"{ADDRESS}/authorize?policy=b2c"
    asked = await ask(provider)
    assert (asked["policy"], asked["client_id"]) == ("b2c", "pages")


@pytest.mark.parametrize("address", [None, "http://login.example/authorize", "javascript:alert(1)", "/authorize", 5])
async def test_nobody_is_sent_to_an_address_that_could_be_listened_to(address: object, provider: FakeProvider) -> None:
    provider.metadata["authorization_endpoint"] = address
    with pytest.raises(ProviderUnavailable):
        await ask(provider)


# ------------------------------------------------------------------------------------------------------- being answered


async def test_a_code_becomes_the_claims_about_a_person(provider: FakeProvider) -> None:
    claims = await read(provider)
    assert (claims["sub"], claims["name"], claims["email"]) == ("C-1001", "Mette Kjær", "mette@customers.example")
    (call,) = provider.calls
    assert call.address == TOKEN_ADDRESS
    assert call.form == {
        "grant_type": "authorization_code",
        "code": "the code",
        "redirect_uri": "https://meetdeck.example/p/signed-in",
        "code_verifier": "v" * 43,
        "client_id": "pages",
    }
    assert call.authorization is None


async def test_a_client_with_a_secret_says_it_as_the_provider_takes_it(provider: FakeProvider) -> None:
    await read(provider, client_secret="s:cret æ")
    basic = (provider.calls[-1].authorization or "").removeprefix("Basic ")
    assert base64.b64decode(basic) == b"pages:s%3Acret+%C3%A6"
    assert "client_secret" not in (provider.calls[-1].form or {})
    provider.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    await read(provider, client_secret="s:cret æ")
    assert (provider.calls[-1].form or {})["client_secret"] == "s:cret æ"
    assert provider.calls[-1].authorization is None


async def test_an_answer_of_several_audiences_says_which_is_meant(provider: FakeProvider) -> None:
    provider.claims = {"aud": ["pages", "others"], "azp": "pages"}
    assert await read(provider)
    provider.claims = {"aud": ["pages"]}
    assert await read(provider)


async def test_claims_that_the_id_token_lacks_are_asked_for(provider: FakeProvider) -> None:
    provider.claims = {"name": None, "email": None}
    provider.metadata["userinfo_endpoint"] = USERINFO
    provider.userinfo = {"sub": "C-1001", "name": "Mette Kjær", "iss": "https://evil.example"}
    claims = await read(provider)
    assert (claims["name"], claims["iss"], claims.get("email")) == ("Mette Kjær", ADDRESS, None)
    assert provider.calls[-1].authorization == "Bearer opaque"


@pytest.mark.parametrize("said", [answer({"sub": "C-2", "name": "Ole"}), answer({}, 401), answer({}, 503), answer(5)])
async def test_what_is_only_nice_to_know_stops_nobody(said: OutgoingAnswer, provider: FakeProvider) -> None:
    provider.claims = {"name": None}
    provider.metadata["userinfo_endpoint"] = USERINFO
    provider.answers[USERINFO] = said
    claims = await read(provider)
    assert (claims["sub"], claims["name"]) == ("C-1001", None)
    with pytest.raises(ProviderUnavailable if said.status == 503 else SignInFailed):
        await read(provider, claims=("cpr", "name", "email"))


# ------------------------------------------------------------------------------------------------------- forged answers


WRONG_CLAIMS = [
    ({"nonce": "another"}, "nonce"),
    ({"nonce": None}, "nonce"),
    ({"nonce": ""}, "nonce"),
    ({"aud": "others"}, "'aud'"),
    ({"aud": None}, "'aud'"),
    ({"aud": ["pages", "others"]}, "azp"),
    ({"aud": ["pages", "others"], "azp": "others"}, "azp"),
    ({"azp": "others"}, "azp"),
    ({"iss": "https://evil.example"}, "'iss'"),
    ({"iss": None}, "'iss'"),
    ({"exp": EXPIRED}, "expired"),
    ({"exp": None}, "'exp'"),
    ({"nbf": int((NOW + timedelta(hours=1)).timestamp())}, "not yet valid"),
    ({"iat": int((NOW + timedelta(hours=1)).timestamp())}, "issued in the future"),
    ({"iat": None}, "iat"),
    ({"sub": None}, "sub"),
    ({"sub": ""}, "sub"),
    ({"sub": 5}, "sub"),
]


@pytest.mark.parametrize(("claims", "why"), WRONG_CLAIMS)
async def test_a_token_with_a_wrong_claim_is_not_believed(
    claims: dict[str, Any], why: str, provider: FakeProvider
) -> None:
    provider.claims = claims
    assert why in await read_why_not(provider)


async def test_a_token_of_another_key_is_not_believed(provider: FakeProvider) -> None:
    provider.algorithm, provider.key = "RS256", make_key("RS256")
    assert "not valid" in await read_why_not(provider)


async def test_a_token_that_is_not_signed_is_not_believed(provider: FakeProvider) -> None:
    token = f"{encode_part({'alg': 'none'})}.{provider.make_id_token().split('.')[1]}."
    provider.answers[TOKEN_ADDRESS] = answer({"id_token": token})
    assert "not valid" in await read_why_not(provider)


async def test_a_token_signed_with_the_public_key_as_a_password_is_not_believed(provider: FakeProvider) -> None:
    key = make_key("ES256")
    signed = f"{encode_part({'alg': 'HS256', 'kid': key.kid})}.{provider.make_id_token().split('.')[1]}"
    seal = hmac.digest(key.as_pem(private=False), signed.encode(), "sha256")
    token = f"{signed}.{base64.urlsafe_b64encode(seal).rstrip(b'=').decode()}"
    provider.answers[TOKEN_ADDRESS] = answer({"id_token": token})
    assert "not valid" in await read_why_not(provider)


@pytest.mark.parametrize("tokens", [{}, {"id_token": None}, {"id_token": 5}, {"id_token": "a.b.c"}, {"id_token": ""}])
async def test_an_answer_without_a_token_is_not_believed(tokens: dict[str, Any], provider: FakeProvider) -> None:
    provider.answers[TOKEN_ADDRESS] = answer(tokens)
    assert "ID token is not valid" in await read_why_not(provider)


async def test_only_a_level_that_was_asked_for_is_enough(provider: FakeProvider) -> None:
    levels: dict[str, Any] = {"acr_values": ("high", "substantial"), "level_claim": "loa"}
    for level in ("high", "substantial"):
        provider.claims = {"loa": level}
        assert await read(provider, **levels)
    for level in ("low", None, ["high"], "high substantial"):
        provider.claims = {"loa": level}
        assert "level of assurance" in await read_why_not(provider, **levels)


async def test_an_answer_of_another_provider_is_not_believed(provider: FakeProvider) -> None:
    assert await read(provider, CODE | {"iss": ADDRESS})
    assert "another provider" in await read_why_not(provider, CODE | {"iss": "https://evil.example"})
    assert "another provider" in await read_why_not(provider, {"error": "access_denied", "iss": "https://evil.example"})
    provider.metadata["authorization_response_iss_parameter_supported"] = True
    assert "does not name its issuer" in await read_why_not(provider)
    assert len(provider.calls) == 1  # no code was shown to anybody


# ---------------------------------------------------------------------------------------------------------- going wrong


async def test_who_cancels_is_not_told_of_an_error(provider: FakeProvider) -> None:
    with pytest.raises(SignInCancelled):
        await read(provider, {"error": "access_denied", "error_description": "no"})


@pytest.mark.parametrize("error", ["temporarily_unavailable", "server_error"])
async def test_a_provider_that_has_a_fault_is_away(error: str, provider: FakeProvider) -> None:
    with pytest.raises(ProviderUnavailable):
        await read(provider, {"error": error})


async def test_a_refusal_stands_in_the_log_and_is_told_to_nobody(provider: FakeProvider) -> None:
    assert "invalid_scope nope" in await read_why_not(provider, {"error": "invalid_scope", "error_description": "nope"})
    provider.answers[TOKEN_ADDRESS] = answer({"error": "invalid_client"}, 401)
    assert "invalid_client" in await read_why_not(provider)
    provider.answers[TOKEN_ADDRESS] = OutgoingAnswer(200, b"<html>")
    assert "not a JSON object" in await read_why_not(provider)
    assert "neither a code nor an error" in await read_why_not(provider, {"state": "the state"})


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_provider_that_cannot_redeem_just_now_is_away(status: int, provider: FakeProvider) -> None:
    provider.answers[TOKEN_ADDRESS] = OutgoingAnswer(status, b"<html>")
    with pytest.raises(ProviderUnavailable) as away:
        await read(provider)
    assert away.value.retry_after_seconds


async def test_a_provider_that_does_not_answer_is_away(provider: FakeProvider) -> None:
    provider.down = True
    with pytest.raises(ProviderUnavailable):
        await ask(provider)
    with pytest.raises(ProviderUnavailable):
        await read(provider)


async def test_a_provider_that_goes_away_between_the_two_is_away(provider: FakeProvider) -> None:
    party = provider.make_party()
    await party.write_request(ATTEMPT, "the state", NOW)
    provider.down = True
    with pytest.raises(ProviderUnavailable):
        await party.read_answer(ATTEMPT, CODE, NOW)
