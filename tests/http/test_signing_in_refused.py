"""Refusals of the built-in token issuer: strangers, wrong requests, malformed forms, codes of somebody else."""

import asyncio

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from meetdeck.platform.identity.authorization import PAGES_CLIENT
from support.factories import Api
from support.fakes import HandClock
from support.signing_in import ANNA, choose, get_code, get_tokens, read_answer, redeem, show, write_request

STRANGERS: list[dict[str, str | None]] = [
    {"client_id": None},
    {"client_id": "nordlys-app"},
    {"redirect_uri": None},
    {"redirect_uri": "https://evil.example/"},
    {"redirect_uri": "http://meetdeck.test.evil.example/p/signed-in"},
    {"redirect_uri": "http://meetdeck.test@evil.example/"},
    {"redirect_uri": "http://127.0.0.1@evil.example/"},
    {"redirect_uri": "http://127.0.0.1\\@evil.example/"},
    {"redirect_uri": "http://localhost.evil.example/"},
    {"redirect_uri": "http://meetdeck.test/p/../../x"},
    {"redirect_uri": "http://meetdeck.test/p/signed-in#fragment"},
    {"redirect_uri": "http://meetdeck.test/p/signed-in?next=1"},
    {"redirect_uri": "http://meetdeck.test/\r\nSet-Cookie: a=b"},
    {"redirect_uri": "javascript:alert(1)"},
    {"redirect_uri": "http://例.localhost/"},
    {"redirect_uri": "http://a;b.localhost/"},
    {"redirect_uri": "/p/signed-in"},
    {"redirect_uri": "//evil.example"},
]


@pytest.mark.parametrize("changed", STRANGERS)
async def test_nobody_is_sent_back_to_a_stranger(changed: dict[str, str | None], api: Api) -> None:
    for answer in (
        await show(api.http, **changed),
        await api.http.post("/oauth/authorize", data=write_request(**changed) | {"user": ANNA}),
    ):
        assert (answer.status_code, "Location" in answer.headers) == (400, False)
        assert "not sent back" in answer.text
        assert "form-action 'none'" in answer.headers["Content-Security-Policy"]


REFUSED: list[tuple[dict[str, str | None], str]] = [
    ({"response_type": None}, "invalid_request"),
    ({"response_type": "token"}, "unsupported_response_type"),
    ({"response_mode": "fragment"}, "invalid_request"),
    ({"code_challenge": None}, "invalid_request"),
    ({"code_challenge_method": None}, "invalid_request"),
    ({"code_challenge_method": "plain"}, "invalid_request"),
    ({"code_challenge": "short"}, "invalid_request"),
    ({"prompt": "none"}, "login_required"),
    ({"prompt": "none login"}, "invalid_request"),
    ({"prompt": "sing"}, "invalid_request"),
    ({"request": "ey.."}, "request_not_supported"),
    ({"request_uri": "https://evil.example"}, "request_uri_not_supported"),
]


@pytest.mark.parametrize(("changed", "error"), REFUSED)
async def test_a_wrong_request_is_told_to_the_client(changed: dict[str, str | None], error: str, api: Api) -> None:
    answer = await show(api.http, **changed)
    sent = read_answer(answer.headers["Location"])
    assert (answer.status_code, sent["error"], sent["state"]) == (303, error, "the state")
    assert sent["iss"] == "http://meetdeck.test"
    assert sent["error_description"].isascii()


async def ask_twice(api: Api, name: str) -> httpx.Response:
    """Send a request in which one parameter comes twice."""
    return await api.http.get("/oauth/authorize", params={**write_request(), name: [write_request()[name], "another"]})


async def test_a_parameter_that_comes_twice_is_refused(api: Api) -> None:
    answer = await ask_twice(api, "nonce")
    assert read_answer(answer.headers["Location"])["error"] == "invalid_request"
    for name in ("redirect_uri", "client_id"):
        answer = await ask_twice(api, name)
        assert answer.status_code == 400
    answer = await api.http.post(
        "/oauth/token",
        content="grant_type=authorization_code&code=a&code=b",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


HOSTILE_FORMS = [
    ("application/x-www-form-urlencoded", b"client_id=%ff%00&state=%ED%A0%80"),
    ("application/x-www-form-urlencoded", b"\xff\xfe&=&&;%"),
    ("application/x-www-form-urlencoded; charset=nonsense", b"client_id=a"),
    ("multipart/form-data", b"no boundary"),
    ("multipart/form-data; boundary=x", b"--x"),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="code"\r\n\r\n\xff\xfe\r\n--x--\r\n',
    ),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="user"; filename="a"\r\n\r\na\r\n--x--\r\n',
    ),
    ("application/json", b'{"grant_type": "authorization_code"}'),
    ("", b"\x00"),
]


@pytest.mark.parametrize("path", ["authorize", "token"])
@pytest.mark.parametrize(("media_type", "body"), HOSTILE_FORMS)
async def test_a_form_that_is_none_is_refused_and_is_no_defect(
    path: str, media_type: str, body: bytes, api: Api
) -> None:
    answer = await api.http.post(f"/oauth/{path}", content=body, headers={"Content-Type": media_type})
    assert answer.status_code in {400, 401}, answer.text


async def test_a_state_of_any_characters_comes_back_as_it_was(api: Api) -> None:
    for state in ("æ 例 & = + % # ?", "\x00\x7f", "a" * 4000, "\r\nSet-Cookie: a=b"):
        answer = await choose(api.http, ANNA, state=state)
        assert read_answer(answer.headers["Location"])["state"] == state
    query = "&".join(f"{name}={value}" for name, value in write_request(state="%ED%A0%80").items())
    assert (await api.http.get(f"/oauth/authorize?{query.replace(' ', '+')}")).status_code == 200


async def test_prompts_for_what_is_done_anyway_are_taken(api: Api) -> None:
    for prompt in ("login", "select_account", "consent", "login consent"):
        assert (await show(api.http, prompt=prompt)).status_code == 200


WRONG_REDEMPTIONS = [
    ({"code_verifier": "w" * 43}, "invalid_grant"),
    ({"code_verifier": "w"}, "invalid_grant"),
    ({"redirect_uri": "http://127.0.0.1:4711/elsewhere"}, "invalid_grant"),
    ({"client_id": PAGES_CLIENT}, "invalid_grant"),
    ({"client_id": "nobody"}, "invalid_client"),
    ({"client_id": ""}, "invalid_client"),
    ({"client_secret": "secret"}, "invalid_client"),
    ({"code": "made-up"}, "invalid_grant"),
    ({"code": ""}, "invalid_request"),
    ({"code_verifier": ""}, "invalid_request"),
    ({"redirect_uri": ""}, "invalid_request"),
]


@pytest.mark.parametrize(("changed", "error"), WRONG_REDEMPTIONS)
async def test_a_code_is_worth_nothing_to_anybody_else(changed: dict[str, str], error: str, api: Api) -> None:
    answer = await redeem(api.http, await get_code(api.http, ANNA), **changed)
    assert (answer.status_code, answer.json()["error"]) == (401 if error == "invalid_client" else 400, error)
    assert "id_token" not in answer.json()


async def test_a_code_is_redeemed_once_however_many_try_at_once(api: Api) -> None:
    code = await get_code(api.http, ANNA)
    answers = await asyncio.gather(*(redeem(api.http, code) for _ in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] + [400] * 7


async def test_a_code_has_one_try(api: Api) -> None:
    code = await get_code(api.http, ANNA)
    assert (await redeem(api.http, code, code_verifier="w" * 43)).status_code == 400
    answer = await redeem(api.http, code)
    assert (answer.status_code, "before" in answer.json()["error_description"]) == (400, True)


async def test_a_code_is_good_for_a_minute(api: Api, clock: HandClock) -> None:
    codes = [await get_code(api.http, ANNA) for _ in range(2)]
    clock.advance(seconds=59)
    assert (await redeem(api.http, codes[0])).status_code == 200
    clock.advance(seconds=1)
    assert (await redeem(api.http, codes[1])).json()["error"] == "invalid_grant"


async def test_codes_that_were_redeemed_long_ago_are_forgotten(api: Api, clock: HandClock, database: Database) -> None:
    for _ in range(3):
        assert (await redeem(api.http, await get_code(api.http, ANNA))).status_code == 200
        clock.advance(hours=2)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchval("select count(*) from oauth_used_code") == 1


async def test_somebody_who_is_gone_gets_no_token(api: Api, database: Database) -> None:
    code, tokens = await get_code(api.http, ANNA), await get_tokens(api.http, ANNA)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from oauth_user where user_name = $1", ANNA)
    assert (await redeem(api.http, code)).json()["error"] == "invalid_grant"
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert (await api.http.get("/oauth/userinfo", headers=headers)).status_code == 401
