"""The provider ends sessions of the console: OpenID Connect Back-Channel Logout 1.0."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
from joserfc import jwt

from meetdeck.pages.console.kit import Session
from meetdeck.platform.identity import KEY_FILE, load_signing_key
from meetdeck.platform.identity.authorization import CONSOLE_CLIENT
from meetdeck.platform.identity.issuer import LOGOUT_EVENT
from meetdeck.services import Services
from support.console import ANNA, EVA, Browser
from support.factories import Api
from support.fakes import HandClock
from support.tokens import sign as sign_as_a_stranger


async def find_session(browser: Browser, services: Services) -> Session:
    """Return the session of a browser."""
    session = await services.console_sessions.find([browser.http.cookies["meetdeck_session"]], services.clock())
    assert session is not None
    return session


def sign(services: Services, **claims: Any) -> str:
    """Return a logout token about Anna, but for the claims given; None: without it."""
    now = int(services.clock().timestamp())
    usual: dict[str, Any] = {
        "iss": "http://meetdeck.test",
        "aud": CONSOLE_CLIENT,
        "sub": ANNA,
        "iat": now,
        "exp": now + 3600,
        "jti": str(uuid4()),
        "events": {LOGOUT_EVENT: {}},
    }
    key = load_signing_key(services.settings.data_dir / KEY_FILE)
    said = {name: value for name, value in (usual | claims).items() if value is not None}
    return jwt.encode({"alg": "ES256", "kid": key.kid, "typ": "logout+jwt"}, said, key)


async def send(api: Api, *tokens: str) -> httpx.Response:
    """Send logout tokens as a provider does."""
    return await api.http.post("/console/backchannel-logout", data={"logout_token": list(tokens)})


async def test_all_sessions_of_a_person_end(api: Api, services: Services) -> None:
    annas, eva = [await Browser.open(api, ANNA) for _ in range(2)], await Browser.open(api, EVA)
    answer = await send(api, sign(services))
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert {(await browser.get()).url.path for browser in annas} == {"/oauth/authorize"}
    assert (await eva.get()).url.path == "/console"


async def test_one_session_ends_by_its_id(api: Api, services: Services) -> None:
    ended, other = await Browser.open(api, ANNA), await Browser.open(api, ANNA)
    session_id = (await find_session(ended, services)).provider_session
    assert (await send(api, sign(services, sid=session_id, sub=EVA))).status_code == 200  # a sid is the sub's
    assert (await ended.get()).url.path == "/console"
    assert (await send(api, sign(services, sid=session_id, sub=None))).status_code == 200
    assert (await ended.get()).url.path == "/oauth/authorize"
    assert (await other.get()).url.path == "/console"


async def test_a_token_is_accepted_once_and_ends_no_later_session(
    api: Api, services: Services, clock: HandClock
) -> None:
    token = sign(services)
    assert (await send(api, token)).status_code == 200
    clock.advance(minutes=5)
    browser = await Browser.open(api, ANNA)
    assert (await send(api, token)).status_code == 400
    assert (await send(api, sign(services, iat=int((clock() - timedelta(minutes=2)).timestamp())))).status_code == 200
    assert (await browser.get()).url.path == "/console"


async def test_a_token_without_an_expiry_is_good_for_ten_minutes(
    api: Api, services: Services, clock: HandClock
) -> None:
    token = sign(services, exp=None)
    clock.advance(minutes=9)
    assert (await send(api, token)).status_code == 200
    late = sign(services)
    clock.advance(minutes=11)
    assert (await send(api, late)).status_code == 400


WRONG: list[dict[str, Any]] = [
    {"iss": "https://evil.example"},
    {"aud": "another-client"},
    {"aud": None},
    {"iat": None},
    {"iat": 2**40},
    {"iat": "now"},
    {"jti": None},
    {"jti": ""},
    {"jti": 5},
    {"events": None},
    {"events": []},
    {"events": {}},
    {"events": {"http://schemas.openid.net/event/other": {}}},
    {"events": {LOGOUT_EVENT: "yes"}},
    {"sub": None},
    {"sub": ["anna"]},
    {"sub": "a" * 501},
    {"sid": {"a": 1}},
    {"sid": "a\0b"},
    {"nonce": "the nonce"},
    {"exp": 1},
]


async def test_a_token_that_breaks_a_rule_ends_nothing(api: Api, services: Services) -> None:
    browser = await Browser.open(api, ANNA)
    for changed in WRONG:
        refused = await send(api, sign(services, **changed))
        assert (refused.status_code, refused.headers["Cache-Control"]) == (400, "no-store"), changed
        assert refused.json()["error"] == "invalid_request"
    assert (await browser.get()).url.path == "/console"


async def test_what_is_no_logout_token_of_the_provider_ends_nothing(api: Api, services: Services) -> None:
    browser = await Browser.open(api, ANNA)
    session = await find_session(browser, services)
    tokens = await services.session_secrets.find_tokens(session)
    assert tokens is not None
    good = sign(services)
    header, claims, _ = good.split(".")
    stranger = sign_as_a_stranger(iss="http://meetdeck.test", aud=CONSOLE_CLIENT, sub=ANNA, events={LOGOUT_EVENT: {}})
    for sent in ([tokens.id_token], [f"{header}.{claims}."], [stranger], [""], ["a.b.c"], [good, good], []):
        assert (await send(api, *sent)).status_code == 400
    headers = {"Content-Type": "application/json"}
    refused = await api.http.post("/console/backchannel-logout", content=b'{"logout_token": 1}', headers=headers)
    assert refused.status_code == 400
    assert (await browser.get()).url.path == "/console"
