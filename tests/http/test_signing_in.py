"""People sign in at the built-in token issuer: the page, the codes, the tokens."""

import re
from html import unescape
from typing import Any

from meetdeck.app import make_routes
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.platform.database import Database
from meetdeck.platform.identity.authorization import CONSOLE_CLIENT, PAGES_CLIENT
from support.factories import Api
from support.signing_in import (
    ADMIN,
    ANNA,
    CALLBACK,
    METTE,
    choose,
    get_code,
    get_tokens,
    list_choices,
    read_answer,
    read_claims,
    redeem,
    show,
    write_request,
)

# ------------------------------------------------------------------------------------------------------------ the page


async def test_staff_choose_among_the_staff_of_each_firm(api: Api) -> None:
    page = (await show(api.http)).text
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
    page = (await show(api.http, client_id=PAGES_CLIENT)).text
    assert METTE in list_choices(page)
    assert ANNA not in page


async def test_whoever_is_hinted_at_comes_first(api: Api) -> None:
    assert list_choices((await show(api.http, login_hint=ADMIN)).text)[0] == ADMIN
    assert list_choices((await show(api.http, login_hint="nobody")).text)[0] == "ida@fjord.example"


async def test_the_page_needs_no_script_no_cookie_and_nothing_from_outside(api: Api) -> None:
    answer = await show(api.http)
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
        page = (await show(api.http, **changed)).text
        assert "<script" not in page
        assert f"<strong>{unescape(markup)}" in unescape(page)
    answer = await choose(api.http, markup, state=markup)
    assert read_answer(answer.headers["Location"])["state"] == markup


async def test_without_people_the_page_says_where_they_come_from(api: Api, database: Database) -> None:
    for firm in (NORDLYS, FJORD):
        async with database.transaction(firm.tenant_id) as connection:
            await connection.execute("delete from oauth_user")
    assert "--demo-data" in (await show(api.http)).text


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
    claims = await read_claims(api.http, tokens["id_token"])
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
    anna, admin = [(await get_tokens(api.http, name))["access_token"] for name in (ANNA, ADMIN)]
    schedule: dict[str, Any] = {"employeeId": api.id_of("employee", "Anna Holm"), "workdays": []}
    for token, status in ((anna, 403), (admin, 409)):  # she has a schedule; the first is not even let near
        headers = {"Authorization": f"Bearer {token}"}
        assert (await api.get("v3/booking/employees", headers=headers)).status_code == 200
        answer = await api.post("v3/booking/config/employee-schedules", schedule, headers=headers)
        assert answer.status_code == status, answer.text


async def test_the_api_takes_no_token_of_a_customer_and_no_id_token(api: Api) -> None:
    code = await get_code(api.http, METTE, client_id=PAGES_CLIENT)
    customer = (await redeem(api.http, code, client_id=PAGES_CLIENT)).json()
    staff = await get_tokens(api.http, ADMIN)
    for token in (customer["access_token"], customer["id_token"], staff["id_token"]):
        answer = await api.get("v3/booking/employees", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 401


async def test_claims_come_as_the_scopes_ask(api: Api) -> None:
    plain = await read_claims(api.http, (await get_tokens(api.http, ANNA, scope="openid"))["id_token"])
    assert not {"name", "email"} & set(plain)
    tokens = await get_tokens(api.http, ANNA, scope="email")
    assert "id_token" not in tokens
    answer = await api.http.get("/oauth/userinfo", headers={"Authorization": f"Bearer {tokens['access_token']}"})
    assert (answer.json()["sub"], answer.json()["email"], "name" in answer.json()) == (ANNA, ANNA, False)


async def test_userinfo_is_for_people_who_signed_in(api: Api) -> None:
    for headers in ({}, {"Authorization": "Bearer no"}, {"Authorization": api.headers["Authorization"]}):
        answer = await api.http.get("/oauth/userinfo", headers=headers)
        assert (answer.status_code, "WWW-Authenticate" in answer.headers) == (401, True)


async def test_a_level_that_is_asked_for_is_there(api: Api) -> None:
    tokens = await get_tokens(api.http, ANNA, acr_values="high substantial")
    assert (await read_claims(api.http, tokens["id_token"]))["acr"] == "high"


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


# --------------------------------------------------------------------------------------------------- where it is there


async def test_discovery_says_all_of_it(api: Api) -> None:
    discovery = (await api.http.get("/.well-known/openid-configuration")).json()
    for name in ("authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "end_session_endpoint"):
        path = str(discovery[name]).removeprefix("http://meetdeck.test")
        assert (await api.http.get(path)).status_code in {200, 400, 401, 405}
    assert discovery["code_challenge_methods_supported"] == ["S256"]
    assert discovery["response_types_supported"] == ["code"]
    grants = {"authorization_code", "refresh_token", "client_credentials"}
    assert set(discovery["grant_types_supported"]) == grants
    assert discovery["authorization_response_iss_parameter_supported"] is True
    claims = await read_claims(api.http, (await get_tokens(api.http, ANNA, acr_values="high"))["id_token"])
    assert set(claims) - set(discovery["claims_supported"]) <= {"jti", "nbf", "email_verified"}


def test_an_installation_with_another_issuer_has_none_of_it() -> None:
    paths = {route.path for route in make_routes(with_issuer=False).routes}
    assert not any(path.startswith("/oauth") for path in paths)
    assert "/oauth/authorize" in {route.path for route in make_routes(with_issuer=True).routes}
