"""Signing in at the built-in token issuer, as a browser does it and as a client does it."""

from html import unescape
from re import findall
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
from joserfc import jwt
from joserfc.jwk import KeySet

from meetdeck.platform.identity.authorization import CONSOLE_CLIENT
from meetdeck.platform.secrets import pkce

ANNA, ADMIN, METTE = "anna@nordlys.example", "thomas@nordlys.example", "mette@customers.nordlys.example"
CALLBACK = "http://127.0.0.1:4711/signed-in"
VERIFIER = "v" * 43


def write_request(**changed: str | None) -> dict[str, str]:
    """Return a valid request to sign in, with some parameters changed or left out (None)."""
    request: dict[str, str | None] = {
        "response_type": "code",
        "client_id": CONSOLE_CLIENT,
        "redirect_uri": CALLBACK,
        "scope": "openid profile email",
        "state": "the state",
        "nonce": "the nonce",
        "code_challenge": pkce.make_challenge(VERIFIER),
        "code_challenge_method": "S256",
    }
    return {name: value for name, value in (request | changed).items() if value is not None}


def read_form(page: str) -> dict[str, str]:
    """Return the values that a page's form sends along with the pressed button."""
    hidden = findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page)
    return {unescape(name): unescape(value) for name, value in hidden}


def list_choices(page: str) -> list[str]:
    """Return the user names that a page offers."""
    return [unescape(name) for name in findall(r'<button name="user" value="([^"]*)"', page)]


def read_answer(address: str) -> dict[str, str]:
    """Return the parameters with which somebody is sent back."""
    return dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))


async def show(http: httpx.AsyncClient, **changed: str | None) -> httpx.Response:
    """Open the page."""
    return await http.get("/oauth/authorize", params=write_request(**changed))


async def choose(http: httpx.AsyncClient, user_name: str, **changed: str | None) -> httpx.Response:
    """Open the page, press somebody's button, and return the answer."""
    page = await show(http, **changed)
    assert page.status_code == 200, page.text
    return await http.post("/oauth/authorize", data=read_form(page.text) | {"user": user_name})


async def get_code(http: httpx.AsyncClient, user_name: str, **changed: str | None) -> str:
    """Sign somebody in and return the code that the client receives."""
    answer = await choose(http, user_name, **changed)
    assert answer.status_code == 303, answer.text
    return read_answer(answer.headers["Location"])["code"]


async def redeem(http: httpx.AsyncClient, code: str, /, **changed: Any) -> httpx.Response:
    """Redeem a code as the client that requested it."""
    form: dict[str, Any] = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": CALLBACK,
        "client_id": CONSOLE_CLIENT,
        "code_verifier": VERIFIER,
    }
    return await http.post("/oauth/token", data=form | changed)


async def get_tokens(http: httpx.AsyncClient, user_name: str, **changed: Any) -> dict[str, Any]:
    """Sign somebody in and return the tokens."""
    answer = await redeem(http, await get_code(http, user_name, **changed))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def read_claims(http: httpx.AsyncClient, token: str) -> dict[str, Any]:
    """Return the claims of a token that the issuer signed."""
    keys = KeySet.import_key_set((await http.get("/oauth/jwks")).json())
    return jwt.decode(token, keys).claims
