"""People sign in at the built-in token issuer: the page, the codes, the tokens, and what is refused."""

import asyncio
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from meetdeck.app import Services, make_routes
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.demo.seed import load_demo_data
from meetdeck.platform.authorization import CONSOLE_CLIENT, PAGES_CLIENT
from meetdeck.platform.db import Database
from support.factories import Api
from support.fakes import HandClock
from support.signing_in import CALLBACK, choose, get_code, list_choices, read_answer, redeem, write_request

ANNA, ADMIN, METTE = "anna@nordlys.example", "thomas@nordlys.example", "mette@customers.nordlys.example"


async def show(api: Api, **changed: str | None) -> httpx.Response:
    return await api.http.get("/oauth/authorize", params=write_request(**changed))


async def read_claims(api: Api, token: str) -> dict[str, Any]:
    keys = KeySet.import_key_set((await api.http.get("/oauth/jwks")).json())
    return jwt.decode(token, keys).claims


async def get_tokens(api: Api, user_name: str, **changed: Any) -> dict[str, Any]:
    answer = await redeem(api.http, await get_code(api.http, user_name, **changed))
    assert answer.status_code == 200, answer.text
    return answer.json()


# ------------------------------------------------------------------------------------------------------------ the page


async def test_staff_choose_among_the_staff_of_each_firm(api: Api) -> None:
    page = (await show(api)).text
    assert list_choices(page)[:4] == [
        "ida@fjord.example",
        "karen@fjord.example",
        "ulla@fjord.example",
        "viggo@fjord.example",
    ]
    assert page.index("<h2>Fjord Pension</h2>") < page.index("<h2>Nordlys Rådgivning</h2>") < page.index(ANNA)
    assert re.findall(r"<em>(\w+)</em>", page) == ["Employee", "Manager", "Configurator", "Admin"] * 2
    assert METTE not in page


async def test_customers_choose_among_the_customers(api: Api) -> None:
    page = (await show(api, client_id=PAGES_CLIENT)).text
    assert METTE in list_choices(page)
    assert ANNA not in page


async def test_whoever_is_hinted_at_comes_first(api: Api) -> None:
    assert list_choices((await show(api, login_hint=ADMIN)).text)[0] == ADMIN
    assert list_choices((await show(api, login_hint="nobody")).text)[0] == "ida@fjord.example"


async def test_the_page_needs_no_script_no_cookie_and_nothing_from_outside(api: Api) -> None:
    answer = await show(api)
    assert "<script" not in answer.text
    assert "Set-Cookie" not in answer.headers
    policy = dict(directive.split(" ", 1) for directive in answer.headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["form-action"] == "'self' http://127.0.0.1:4711"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"
    for address in re.findall(r'href="\.\./([^"]+)"', answer.text):
        assert (await api.http.get(f"/{address}")).status_code == 200


async def test_what_is_asked_and_who_is_there_is_shown_as_text_and_never_as_markup(
    api: Api, database: Database
) -> None:
    markup = '<script>alert("1")</script>&\'$name'
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute(
            "update oauth_user set name = $1, email = $1, user_name = $1, roles = array[$1] where user_name = $2",
            markup,
            ANNA,
        )
        await connection.execute("update tenant set name = $1", markup)
    for changed in ({"state": markup, "nonce": markup, "scope": f"openid {markup}"}, {"login_hint": markup}):
        page = (await show(api, **changed)).text
        assert "<script" not in page
        assert f"<strong>{unescape(markup)}" in unescape(page)
    answer = await choose(api.http, markup, state=markup)
    assert read_answer(answer.headers["Location"])["state"] == markup


async def test_without_people_the_page_says_where_they_come_from(api: Api, database: Database) -> None:
    for firm in (NORDLYS, FJORD):
        async with database.transaction(firm.tenant_id) as connection:
            await connection.execute("delete from oauth_user")
    assert "--demo-data" in (await show(api)).text


# ------------------------------------------------------------------------------------------------ there and back again


async def test_whoever_chose_is_sent_back_with_a_code_the_state_and_the_issuer(api: Api) -> None:
    answer = await choose(api.http, ANNA)
    assert (answer.status_code, answer.headers["Cache-Control"]) == (303, "no-store")
    assert answer.headers["Location"].startswith(f"{CALLBACK}?code=")
    sent = read_answer(answer.headers["Location"])
    assert (sent["state"], sent["iss"], set(sent)) == ("the state", "http://meetdeck.test", {"code", "state", "iss"})


async def test_a_code_becomes_tokens_that_say_who_it_is(api: Api) -> None:
    answer = await redeem(api.http, await get_code(api.http, ANNA))
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    tokens = answer.json()
    assert (tokens["token_type"], tokens["expires_in"], tokens["scope"]) == ("Bearer", 3600, "openid profile email")
    claims = await read_claims(api, tokens["id_token"])
    expected = {
        "iss": "http://meetdeck.test",
        "aud": CONSOLE_CLIENT,
        "sub": ANNA,
        "nonce": "the nonce",
        "name": "Anna Holm",
        "email": ANNA,
        "tid": str(NORDLYS.tenant_id),
        "oid": api.id_of("employee", "Anna Holm"),
        "roles": ["Meetdeck.Employee"],
    }
    assert expected.items() <= claims.items()
    assert claims["iat"] < claims["exp"]


async def test_the_api_takes_the_access_token_of_staff_with_their_roles(api: Api) -> None:
    anna, admin = [(await get_tokens(api, name))["access_token"] for name in (ANNA, ADMIN)]
    schedule: dict[str, Any] = {"employeeId": api.id_of("employee", "Anna Holm"), "workdays": []}
    for token, status in ((anna, 403), (admin, 409)):  # she has a schedule; the first is not even let near
        headers = {"Authorization": f"Bearer {token}"}
        assert (await api.get("v3/booking/employees", headers=headers)).status_code == 200
        answer = await api.post("v3/booking/config/employee-schedules", schedule, headers=headers)
        assert answer.status_code == status, answer.text


async def test_the_api_takes_no_token_of_a_customer_and_no_id_token(api: Api) -> None:
    code = await get_code(api.http, METTE, client_id=PAGES_CLIENT)
    customer = (await redeem(api.http, code, client_id=PAGES_CLIENT)).json()
    staff = await get_tokens(api, ADMIN)
    for token in (customer["access_token"], customer["id_token"], staff["id_token"]):
        answer = await api.get("v3/booking/employees", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 401


async def test_claims_come_as_the_scopes_ask(api: Api) -> None:
    plain = await read_claims(api, (await get_tokens(api, ANNA, scope="openid"))["id_token"])
    assert not {"name", "email"} & set(plain)
    tokens = await get_tokens(api, ANNA, scope="email")
    assert "id_token" not in tokens
    answer = await api.http.get("/oauth/userinfo", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert (answer.json()["sub"], answer.json()["email"], "name" in answer.json()) == (ANNA, ANNA, False)


async def test_userinfo_is_for_people_who_signed_in(api: Api) -> None:
    for headers in ({}, {"Authorization": "Bearer no"}, {"Authorization": api.headers["Authorization"]}):
        answer = await api.http.get("/oauth/userinfo", headers=headers)
        assert (answer.status_code, "WWW-Authenticate" in answer.headers) == (401, True)


async def test_a_level_that_is_asked_for_is_there(api: Api) -> None:
    tokens = await get_tokens(api, ANNA, acr_values="high substantial")
    assert (await read_claims(api, tokens["id_token"]))["acr"] == "high"


async def test_a_page_of_ours_is_an_address_to_be_sent_back_to(api: Api) -> None:
    for address in (
        "http://meetdeck.test/p/signed-in",
        "http://127.0.0.1:8080/p/signed-in",
        "http://[::1]:9/",
        "http://localhost:9",
    ):
        answer = await choose(api.http, ANNA, redirect_uri=address)
        assert answer.headers["Location"].startswith(f"{address}?code=")


async def test_somebody_who_cancels_is_sent_back_without_a_code(api: Api) -> None:
    answer = await api.http.post("/oauth/authorize", data=write_request() | {"cancel": "yes"})
    sent = read_answer(answer.headers["Location"])
    assert (answer.status_code, sent["error"], sent["state"]) == (303, "access_denied", "the state")
    assert "code" not in sent


async def test_a_request_by_post_shows_the_page_and_nobody_is_chosen_who_may_not(api: Api) -> None:
    for more in ({}, {"user": METTE}, {"user": "nobody"}, {"user": "a\0b"}):
        answer = await api.http.post("/oauth/authorize", data=write_request() | more)
        assert (answer.status_code, ANNA in answer.text) == (200, True)


# ---------------------------------------------------------------------------------------------------- what is refused


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
        await show(api, **changed),
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
    answer = await show(api, **changed)
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
        assert (await show(api, prompt=prompt)).status_code == 200


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
    code, tokens = await get_code(api.http, ANNA), await get_tokens(api, ANNA)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from oauth_user where user_name = $1", ANNA)
    assert (await redeem(api.http, code)).json()["error"] == "invalid_grant"
    headers = {"Authorization": f"Bearer {tokens['access_token']}"}
    assert (await api.http.get("/oauth/userinfo", headers=headers)).status_code == 401


# --------------------------------------------------------------------------------------------------- where it is there


async def test_discovery_says_all_of_it(api: Api) -> None:
    discovery = (await api.http.get("/.well-known/openid-configuration")).json()
    for name in ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"):
        path = str(discovery[name]).removeprefix("http://meetdeck.test")
        assert (await api.http.get(path)).status_code in {200, 400, 401, 405}
    assert discovery["code_challenge_methods_supported"] == ["S256"]
    assert discovery["response_types_supported"] == ["code"]
    assert set(discovery["grant_types_supported"]) == {"authorization_code", "client_credentials"}
    assert discovery["authorization_response_iss_parameter_supported"] is True
    claims = await read_claims(api, (await get_tokens(api, ANNA, acr_values="high"))["id_token"])
    assert set(claims) - set(discovery["claims_supported"]) <= {"jti", "nbf", "email_verified"}


def test_an_installation_with_another_issuer_has_none_of_it() -> None:
    paths = {route.path for route in make_routes(with_issuer=False).routes}
    assert not any(path.startswith("/oauth") for path in paths)
    assert "/oauth/authorize" in {route.path for route in make_routes(with_issuer=True).routes}


async def test_the_credentials_file_names_a_user_for_each_role(api: Api, tmp_path: Path) -> None:
    written = msgspec.json.decode((tmp_path / "dev-credentials.json").read_bytes())
    assert written["consoleUrl"] == "http://meetdeck.test/console"
    for tenant in written["tenants"]:
        roles = [user["roles"] for user in tenant["users"]]
        assert roles == [[f"Meetdeck.{name}"] for name in ("Employee", "Manager", "Configurator", "Admin")]
        assert all(user["userName"] and user["name"] and user["email"] for user in tenant["users"])
        assert tenant["customers"]
    assert api.credentials.tenants[0].users[0].user_name == ANNA


async def test_an_installation_of_an_earlier_version_gets_its_people_and_keeps_its_keys(
    api: Api, services: Services, database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "dev-credentials.json"
    old = msgspec.json.decode(path.read_bytes())
    old.pop("consoleUrl")
    for tenant in old["tenants"]:
        for name in ("users", "customers"):
            tenant.pop(name)
    path.write_bytes(msgspec.json.encode(old))
    for firm in (NORDLYS, FJORD):
        async with database.transaction(firm.tenant_id) as connection:
            await connection.execute("delete from oauth_user")
    again = await load_demo_data(services)
    assert [one.subscription_key for one in again.tenants] == [one["subscriptionKey"] for one in old["tenants"]]
    assert len(again.tenants[1].users) == 4
    assert ANNA in list_choices((await show(api)).text)


async def test_the_roles_have_the_names_that_are_set(api: Api, services: Services) -> None:
    settings = services.settings.model_copy(update={"role_manager": "Bank.Leader"})
    credentials = await load_demo_data(replace(services, settings=settings))
    assert credentials.tenants[0].users[1].roles == ["Bank.Leader"]
    tokens = await get_tokens(api, "eva@nordlys.example")
    assert (await read_claims(api, tokens["id_token"]))["roles"] == ["Bank.Leader"]
