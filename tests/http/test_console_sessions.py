"""Sessions of the console: roles that are asked for again, signing in anew, and signing out everywhere."""

import asyncio
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from lxml import html

from meetdeck.demo.firm import NORDLYS
from meetdeck.pages.console.kit import RECENT
from meetdeck.pages.console.kit.sessions.role_checks import EVERY
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.console import ANNA, EVA, THOMAS, Browser, read_heading
from support.factories import Api
from support.fakes import HandClock
from support.signing_in import read_form

MINUTE = timedelta(minutes=1)


async def execute(database: Database, query: str, *values: object) -> None:
    """Change something of the first firm that only its provider or the database could."""
    await database.run(NORDLYS.tenant_id, lambda connection: connection.execute(query, *values))


async def count(database: Database, query: str) -> Any:
    """Return a number of the first firm."""
    return await database.run(NORDLYS.tenant_id, lambda connection: connection.fetchval(query))


async def set_roles(database: Database, user: str, *roles: str) -> None:
    """Give somebody other roles at the provider."""
    await execute(database, "update oauth_user set roles = $2 where user_name = $1", user, list(roles))


# ------------------------------------------------------------------------------------------------- asking for the roles


async def test_a_role_that_is_gone_at_the_provider_is_gone_at_the_console_ten_minutes_later(
    api: Api, clock: HandClock, database: Database
) -> None:
    browser = await Browser.open(api, THOMAS)
    await set_roles(database, THOMAS, "Meetdeck.Employee")
    clock.moment += EVERY - MINUTE
    assert (await browser.get("/audit-log")).status_code == 200
    clock.moment += MINUTE
    assert (await browser.get("/audit-log")).status_code == 403
    assert "Settings" not in (await browser.get()).text
    await set_roles(database, THOMAS, "Meetdeck.Admin")
    clock.moment += EVERY
    assert (await browser.get("/audit-log")).status_code == 200


@pytest.mark.parametrize(
    "query", ["delete from oauth_user where user_name = $1", "update oauth_user set roles = '{}' where user_name = $1"]
)
async def test_a_session_ends_when_its_person_is_gone_at_the_provider_and_what_was_typed_is_kept(
    api: Api, clock: HandClock, database: Database, query: str
) -> None:
    browser = await Browser.open(api, ANNA)
    await execute(database, query, ANNA)
    clock.moment += EVERY
    refused = await browser.post("/language", {"language": "da", "here": "kept"})
    assert (refused.status_code, 'value="kept"' in refused.text) == (401, True)
    assert await count(database, "select count(*) from console_session") == 0


async def test_all_requests_of_a_session_ask_the_provider_once(api: Api, clock: HandClock, database: Database) -> None:
    browser = await Browser.open(api, EVA)
    before = await count(database, "select digest from oauth_session")
    for _ in range(2):
        clock.moment += EVERY
        answers = await asyncio.gather(*(browser.get("/find") for _ in range(6)))
        # A refresh token that is used twice ends the session at the issuer, and the next check would end ours.
        assert {answer.url.path for answer in answers} == {"/console/find"}
        after = await count(database, "select digest from oauth_session")
        assert after not in {before, None}
        before = after


async def test_a_session_of_the_version_before_ends_when_roles_are_due(
    api: Api, clock: HandClock, database: Database
) -> None:
    browser = await Browser.open(api, ANNA)
    await execute(
        database,
        "update console_session set tokens_encrypted = null, subject = null, checked_at = null,"
        " authenticated_at = null, provider_session = null",
    )
    clock.moment += EVERY - MINUTE
    assert (await browser.get()).url.path == "/console"
    clock.moment += MINUTE
    assert (await browser.get()).url.path == "/oauth/authorize"


# ------------------------------------------------------------------------------------------------- signing in once more


async def sign_in_again(browser: Browser, refused: httpx.Response, user: str) -> httpx.Response:
    """Follow the button of the page that asks for it, and choose somebody at the provider."""
    (link,) = html.fromstring(refused.text).xpath("//a[contains(@href, 'sign-in?')]/@href")
    page = await browser.http.get(str(refused.url.join(link)))
    return await browser.http.post("/oauth/authorize", data=read_form(page.text) | {"user": user})


@pytest.mark.parametrize(
    "path", ["/settings/keys", "/settings/webhooks/new", "/reports/meetings.csv", "/reports/forecast.csv"]
)
async def test_what_is_worth_most_wants_a_recent_sign_in_and_leads_back(api: Api, clock: HandClock, path: str) -> None:
    browser = await Browser.open(api, THOMAS)
    clock.moment += RECENT - MINUTE
    assert (await browser.get(path)).status_code == 200
    clock.moment += MINUTE
    refused = await browser.get(f"{path}?by=month")
    assert (refused.status_code, read_heading(refused)) == (401, "Sign in again to continue")
    back = await sign_in_again(browser, refused, THOMAS)
    assert (back.status_code, back.url.path) == (200, f"/console{path.removesuffix('.csv')}")
    assert back.url.query == b"by=month"
    assert (await browser.get(path)).status_code == 200


async def test_the_provider_is_told_to_sign_in_anew(api: Api) -> None:
    browser = await Browser.open(api, THOMAS)
    browser.http.follow_redirects = False
    for path, expected in (("/sign-in", {}), ("/sign-in?anew=yes", {"prompt": "login", "max_age": "600"})):
        asked = dict(parse_qsl(urlsplit((await browser.get(path)).headers["Location"]).query))
        assert {name: asked[name] for name in ("prompt", "max_age") if name in asked} == expected


async def test_a_form_that_waits_for_a_sign_in_is_kept_with_the_language(api: Api, clock: HandClock) -> None:
    browser = await Browser.open(api, THOMAS)
    await browser.post("/language", {"language": "da", "here": ""})
    clock.moment += RECENT
    refused = await browser.post("/settings/keys", {"name": "Kundesystem <1>"})
    assert (refused.status_code, read_heading(refused)) == (401, "Log ind igen for at fortsætte")
    resumed = await sign_in_again(browser, refused, THOMAS)
    assert (resumed.url.path, read_heading(resumed)) == ("/console/sign-in/resume", "Du er logget ind igen")
    page = html.fromstring(resumed.text)
    (form,) = page.xpath("//main//form")
    sent = {field.get("name"): field.get("value") for field in form.xpath(".//input")}
    assert sent == {"name": "Kundesystem <1>"}
    made = await browser.http.post(str(resumed.url.join(form.get("action"))), data=sent)
    assert (made.status_code, "Kundesystem" in read_heading(made)) == (201, True)


async def read_tag(browser: Browser, path: str) -> str:
    """Return the entity tag that a form carries."""
    return html.fromstring((await browser.get(path)).text).xpath("//input[@name='tag']/@value")[0]


async def test_where_meetings_are_sent_changes_after_a_recent_sign_in_alone(api: Api, clock: HandClock) -> None:
    browser = await Browser.open(api, THOMAS)
    clock.moment += RECENT
    rule = {"template": "Annual review", "dataUrl": "https://data.nordlys.example/", "hoursBefore": "24"}
    refused = await browser.post("/settings/document-rules/new", rule)
    assert (refused.status_code, read_heading(refused)) == (401, "Sign in again to continue")
    resumed = await sign_in_again(browser, refused, THOMAS)
    assert "https://data.nordlys.example/" in resumed.text
    made = await browser.post("/settings/document-rules/new", rule)
    assert (made.status_code, "is saved" in made.text) == (200, True)
    (key,) = {one["id"] for one in (await api.get("v3/booking/config/document-rules")).json()}
    path = f"/settings/document-rules/{key}"
    rule |= {"tag": await read_tag(browser, path)}
    clock.moment += RECENT
    changes = {"dataUrl": "https://elsewhere.example/"}, {"dataUrl": ""}
    statuses = [(await browser.post(path, rule | one)).status_code for one in changes]
    assert statuses == [401, 401]
    assert (await browser.post(path, rule | {"hoursBefore": "3"})).status_code == 200
    await browser.post(f"{path}/delete", {"sure": "1", "tag": await read_tag(browser, path)})
    assert (await browser.post("/settings/document-rules/undo", {})).status_code == 401


@pytest.mark.parametrize("others", [["x"], ["x.y", "AAAAAAAAAAAAAAAAAAAAAA.z"]])
async def test_a_cookie_of_our_name_from_a_sister_site_signs_nobody_out(api: Api, others: list[str]) -> None:
    browser = await Browser.open(api, THOMAS)
    own = browser.http.cookies["meetdeck_session"]
    sent = "; ".join(f"meetdeck_session={value}" for value in [*others, own])
    browser.http.cookies.clear()
    browser.http.follow_redirects = False
    assert (await browser.http.get("/console", headers={"Cookie": sent})).status_code == 200


async def test_a_form_is_nobody_elses(api: Api, clock: HandClock) -> None:
    browser = await Browser.open(api, THOMAS)
    clock.moment += RECENT
    refused = await browser.post("/settings/keys", {"name": "A customer system"})
    resumed = await sign_in_again(browser, refused, EVA)
    assert (resumed.url.path, "A customer system" in resumed.text) == ("/console", False)


async def test_a_sign_in_whose_time_nobody_knows_is_not_recent(api: Api, database: Database) -> None:
    browser = await Browser.open(api, THOMAS)
    await execute(database, "update console_session set authenticated_at = null")
    assert (await browser.get("/settings/keys")).status_code == 401
    assert (await browser.get("/settings/webhooks")).status_code == 200


# ---------------------------------------------------------------------------------------------------------- signing out


async def test_signing_out_ends_the_session_at_the_provider_too(api: Api, database: Database) -> None:
    browser = await Browser.open(api, ANNA)
    browser.http.follow_redirects = False
    left = await browser.post("/sign-out", {})
    address = urlsplit(left.headers["Location"])
    asked = dict(parse_qsl(address.query))
    assert (left.status_code, address.path) == (303, "/oauth/logout")
    assert (asked["client_id"], asked["post_logout_redirect_uri"]) == (
        "meetdeck-console",
        "http://meetdeck.test/console/signed-out",
    )
    assert asked["id_token_hint"].count(".") == 2
    assert await count(database, "select count(*) from console_session") == 0
    browser.http.follow_redirects = True
    ended = await browser.http.get(left.headers["Location"])
    assert ended.url.path == "/console/signed-out"
    assert "here and at your sign-in provider" in ended.text
    assert await count(database, "select count(*) from oauth_session") == 0


async def test_without_an_address_at_the_provider_the_page_says_that_its_session_may_go_on(api: Api) -> None:
    page = await Browser(api).get("/signed-out")
    assert "You may still be signed in at your sign-in provider" in page.text


async def test_signing_out_at_the_provider_ends_our_session_and_nobody_elses(
    api: Api, database: Database, services: Services
) -> None:
    browser, other = await Browser.open(api, ANNA), await Browser.open(api, ANNA)
    cookie = browser.http.cookies["meetdeck_session"]
    session = await services.console_sessions.find([cookie], services.clock())
    assert session is not None
    tokens = await services.session_secrets.find_tokens(session)
    assert tokens is not None
    ended = await api.http.get("/oauth/logout", params={"id_token_hint": tokens.id_token})
    assert (ended.status_code, "You are signed out" in ended.text) == (200, True)
    assert (await browser.get()).url.path == "/oauth/authorize"
    assert (await other.get()).url.path == "/console"
    assert await count(database, "select count(*) from oauth_session") == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"id_token_hint": "made-up"},
        {"post_logout_redirect_uri": "https://evil.example/"},
        {"client_id": "meetdeck-pages"},
    ],
)
async def test_the_issuer_ends_no_session_for_strangers_and_leads_nobody_away(
    api: Api, database: Database, changed: dict[str, str]
) -> None:
    browser = await Browser.open(api, ANNA)
    browser.http.follow_redirects = False
    asked = dict(parse_qsl(urlsplit((await browser.post("/sign-out", {})).headers["Location"]).query))
    for answer in (
        await api.http.get("/oauth/logout", params=asked | changed),
        await api.http.post("/oauth/logout", data=asked | changed),
    ):
        assert (answer.status_code, "Location" in answer.headers) == (400, False)
    assert await count(database, "select count(*) from oauth_session") == 1
