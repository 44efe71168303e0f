"""Sessions of staff at the built-in token issuer: refresh tokens that are replaced at each use, and their end."""

import asyncio
from datetime import timedelta
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.platform.identity.authorization import CONSOLE_CLIENT, PAGES_CLIENT, SESSION_LIFETIME
from support.factories import Api
from support.fakes import HandClock
from support.signing_in import ANNA, METTE, get_code, get_tokens, read_claims, redeem, show


async def refresh(api: Api, token: str, **changed: str) -> httpx.Response:
    """Send a refresh token as the console does."""
    form = {"grant_type": "refresh_token", "refresh_token": token, "client_id": CONSOLE_CLIENT}
    return await api.http.post("/oauth/token", data=form | changed)


async def is_let_in(api: Api, tokens: dict[str, Any]) -> bool:
    """Return whether the userinfo endpoint takes an access token."""
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    return (await api.http.get("/oauth/userinfo", headers=headers)).status_code == 200


async def test_new_tokens_tell_the_present_roles_and_the_old_sign_in(
    api: Api, clock: HandClock, database: Database
) -> None:
    tokens = await get_tokens(api.http, ANNA)
    first = await read_claims(api.http, tokens["id_token"])
    clock.advance(minutes=20)
    query = "update oauth_user set roles = '{Meetdeck.Manager}' where user_name = $1"
    await database.run(NORDLYS.tenant_id, lambda connection: connection.execute(query, ANNA))
    answer = await refresh(api, tokens["refresh_token"])
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    claims = await read_claims(api.http, answer.json()["id_token"])
    assert claims["roles"] == ["Meetdeck.Manager"]
    assert {name: claims[name] for name in ("sub", "sid", "auth_time")} == {
        name: first[name] for name in ("sub", "sid", "auth_time")
    }
    assert claims["iat"] > first["iat"]
    assert answer.json()["refresh_token"] != tokens["refresh_token"]


async def test_a_refresh_token_that_is_used_twice_ends_the_session(api: Api) -> None:
    tokens, other = await get_tokens(api.http, ANNA), await get_tokens(api.http, ANNA)
    fresh = (await refresh(api, tokens["refresh_token"])).json()
    assert await is_let_in(api, fresh)
    for token in (tokens["refresh_token"], fresh["refresh_token"]):
        answer = await refresh(api, token)
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")
    assert not await is_let_in(api, fresh)
    assert await is_let_in(api, other)


async def test_of_several_uses_at_once_one_at_most_is_answered(api: Api) -> None:
    tokens = await get_tokens(api.http, ANNA)
    answers = await asyncio.gather(*(refresh(api, tokens["refresh_token"]) for _ in range(6)))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 5


@pytest.mark.parametrize(
    ("changed", "status", "error"),
    [
        ({"client_id": PAGES_CLIENT}, 400, "invalid_grant"),
        ({"client_id": "nobody"}, 401, "invalid_client"),
        ({"client_secret": "secret"}, 401, "invalid_client"),
        ({"refresh_token": "made-up"}, 400, "invalid_grant"),
        ({"refresh_token": ""}, 400, "invalid_grant"),
    ],
)
async def test_a_refresh_token_is_worth_nothing_to_others(
    api: Api, changed: dict[str, str], status: int, error: str
) -> None:
    tokens = await get_tokens(api.http, ANNA)
    answer = await refresh(api, **{"token": tokens["refresh_token"]} | changed)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert (await refresh(api, tokens["refresh_token"])).status_code == 200


async def test_a_session_lasts_twelve_hours_however_often_it_is_renewed(api: Api, clock: HandClock) -> None:
    token = (await get_tokens(api.http, ANNA))["refresh_token"]
    clock.moment += SESSION_LIFETIME - timedelta(seconds=1)
    token = (await refresh(api, token)).raise_for_status().json()["refresh_token"]
    clock.moment += timedelta(seconds=1)
    assert (await refresh(api, token)).json()["error"] == "invalid_grant"


async def test_customers_have_no_session_and_a_code_is_no_refresh_token(api: Api) -> None:
    code = await get_code(api.http, METTE, client_id=PAGES_CLIENT)
    assert "refresh_token" not in (await redeem(api.http, code, client_id=PAGES_CLIENT)).json()
    code = await get_code(api.http, ANNA)
    assert (await refresh(api, code)).json()["error"] == "invalid_grant"


@pytest.mark.parametrize(("most_seconds", "status"), [("0", 200), ("600", 200), ("-1", 303), ("soon", 303), ("²", 303)])
async def test_max_age_is_a_number_of_seconds(api: Api, most_seconds: str, status: int) -> None:
    assert (await show(api.http, max_age=most_seconds)).status_code == status
