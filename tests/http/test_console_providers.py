"""Sessions of the console at providers of other kinds: without refresh tokens, away, refusing, forgetful."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from copy import copy
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
import pytest_asyncio

from meetdeck.demo.firm import NORDLYS
from meetdeck.pages.console.kit import RECENT, Logouts, RoleChecks
from meetdeck.pages.console.kit.sessions.role_checks import EVERY, GRACE
from meetdeck.pages.console.sign_in.signing_in import StaffSignIns
from meetdeck.platform.database import Database
from meetdeck.platform.identity import SignInKind, SignIns
from meetdeck.platform.identity.sign_ins import SignInMethod
from meetdeck.platform.outgoing import OutgoingAnswer, OutgoingCall
from meetdeck.platform.secrets import Sealer
from meetdeck.platform.work import Leases
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services
from support.console import Browser, read_heading
from support.factories import Api, make_services
from support.fakes import HandClock
from support.providers import FakeProvider, answer
from support.tokens import ADDRESS, NOW

ADMIN: dict[str, Any] = {
    "tid": str(NORDLYS.tenant_id),
    "roles": ["Meetdeck.Admin"],
    "auth_time": int(NOW.timestamp()),
    "exp": int((NOW + timedelta(days=1)).timestamp()),
    "aud": "console",
}
TOKEN, USERINFO = f"{ADDRESS}/token", f"{ADDRESS}/userinfo"


class BankProvider(FakeProvider):
    """A provider that gives refresh tokens, a new one each time, and refuses one that was used."""

    def __init__(self) -> None:
        super().__init__()
        self.claims = dict(ADMIN)
        self.metadata |= {"userinfo_endpoint": USERINFO, "end_session_endpoint": f"{ADDRESS}/logout"}
        self.tokens = {"refresh_token": "1"}
        self.refreshing, self.slow = asyncio.Event(), asyncio.Event()
        self.slow.set()

    async def send(self, call: OutgoingCall) -> OutgoingAnswer:
        """Answer a refresh token once, and everything else as usual."""
        form = call.form or {}
        if form.get("grant_type") == "refresh_token" and call.address not in self.answers and not self.down:
            if form["refresh_token"] != self.tokens["refresh_token"]:
                self.calls.append(call)
                return answer({"error": "invalid_grant"}, 400)
            self.tokens["refresh_token"] = str(int(form["refresh_token"]) + 1)
            self.refreshing.set()
            await self.slow.wait()
        return await super().send(call)

    def count_refreshes(self) -> int:
        """Return how often roles were asked for by refresh token."""
        return len([call for call in self.calls if (call.form or {}).get("grant_type") == "refresh_token"])


@pytest.fixture
def provider() -> BankProvider:
    return BankProvider()


@pytest_asyncio.fixture
async def services(
    database: Database, clock: HandClock, tmp_path: Path, provider: BankProvider
) -> AsyncGenerator[Services]:
    """Lend the application's parts, whose staff sign in at the provider."""
    registered = {"issuer": ADDRESS, "client_id": "console"}
    async with aclosing(make_services(database, clock, tmp_path, MissingRenderer(), console=registered)) as made:
        claims = ("roles", "tid", "oid", "name", "email")
        way = SignInMethod(provider.make_party(client_id="console", claims=claims))
        sign_ins = SignIns(Sealer(bytes(range(32))), {SignInKind.STAFF: way})
        sessions, secrets = made.console_sessions, made.session_secrets
        yield replace(
            made,
            staff_sign_ins=StaffSignIns(made.settings, sign_ins, sessions, secrets),
            role_checks=RoleChecks(made.settings, sign_ins, sessions, secrets, Leases(database)),
            logouts=Logouts(database, sign_ins),
        )


async def sign_in(browser: Browser, provider: BankProvider, path: str = "/sign-in") -> httpx.Response:
    """Sign in at the provider, and return where that leads at the console."""
    browser.http.follow_redirects = False
    address = (await browser.get(path)).headers["Location"]
    back = provider.sign_in(address)
    browser.http.follow_redirects = True
    return await browser.http.get("/console/sign-in/return", params=back)


@pytest_asyncio.fixture
async def browser(api: Api, provider: BankProvider) -> Browser:
    browser = Browser(api)
    assert (await sign_in(browser, provider)).status_code == 200
    browser.http.follow_redirects = False
    return browser


async def is_in(browser: Browser) -> bool:
    """Return whether the session goes on."""
    shown = await browser.get("/find")
    assert shown.status_code in {200, 303}
    return shown.status_code == 200


async def test_a_refresh_token_is_used_once_however_many_ask_at_once(
    browser: Browser, provider: BankProvider, clock: HandClock
) -> None:
    provider.slow.clear()
    clock.moment += EVERY
    asking = [asyncio.create_task(browser.get("/find")) for _ in range(5)]
    await provider.refreshing.wait()
    provider.slow.set()
    assert {answer.status_code for answer in await asyncio.gather(*asking)} == {200}
    assert provider.count_refreshes() == 1
    clock.moment += EVERY
    assert await is_in(browser)
    assert provider.count_refreshes() == 2


async def test_roles_come_from_userinfo_where_there_is_no_refresh_token(
    api: Api, provider: BankProvider, clock: HandClock
) -> None:
    provider.tokens = {"expires_in": 1500}
    browser = Browser(api)
    assert (await sign_in(browser, provider)).status_code == 200
    browser.http.follow_redirects = False
    provider.userinfo = {"sub": "C-1001", "tid": str(NORDLYS.tenant_id), "roles": ["Meetdeck.Employee"]}
    clock.moment += EVERY
    assert (await browser.get("/audit-log")).status_code == 403
    provider.userinfo["roles"] = ["Meetdeck.Admin"]
    clock.moment += EVERY
    assert (await browser.get("/audit-log")).status_code == 200
    clock.moment += EVERY  # the access token has expired, and nobody else can be asked
    assert not await is_in(browser)


@pytest.mark.parametrize(
    "refusal",
    [
        {TOKEN: answer({"error": "invalid_grant"}, 400)},
        {TOKEN: answer({"error": "interaction_required"}, 400)},
        {TOKEN: answer({"access_token": "opaque"}), USERINFO: answer({"error": "invalid_token"}, 401)},
        {TOKEN: answer({"access_token": "opaque"}), USERINFO: OutgoingAnswer(200, b"a signed JWT")},
    ],
)
async def test_a_session_ends_when_the_provider_says_no(
    browser: Browser, provider: BankProvider, clock: HandClock, refusal: dict[str, OutgoingAnswer]
) -> None:
    clock.moment += EVERY
    provider.answers = refusal
    assert not await is_in(browser)
    provider.answers = {}
    assert not await is_in(browser)


@pytest.mark.parametrize("userinfo", [answer({"sub": "C-1001"}), answer({"error": "insufficient_scope"}, 403)])
async def test_a_session_ends_when_the_new_id_token_has_no_roles_any_more(
    browser: Browser, provider: BankProvider, clock: HandClock, userinfo: OutgoingAnswer
) -> None:
    clock.moment += EVERY
    provider.claims["roles"] = None
    provider.answers = {USERINFO: userinfo}
    assert not await is_in(browser)


async def test_two_processes_ask_once(
    browser: Browser, provider: BankProvider, clock: HandClock, services: Services
) -> None:
    session = await services.console_sessions.find([browser.http.cookies["meetdeck_session"]], clock())
    assert session is not None
    clock.moment += EVERY
    other = copy(services.role_checks)  # which remembers for itself whether the provider answers
    checked = await asyncio.gather(*(each.check(session, clock()) for each in (services.role_checks, other) * 2))
    assert {each and each.checked_at for each in checked} == {clock()}
    assert provider.count_refreshes() == 1


async def test_another_persons_token_ends_a_session(browser: Browser, provider: BankProvider, clock: HandClock) -> None:
    clock.moment += EVERY
    provider.claims["sub"] = "C-2002"
    assert not await is_in(browser)


@pytest.mark.parametrize("outage", ["down", "500", "wrong client", "nonsense"])
async def test_while_the_provider_does_not_answer_a_session_goes_on_for_half_an_hour(
    browser: Browser, provider: BankProvider, clock: HandClock, outage: str
) -> None:
    provider.down = outage == "down"
    answers = {
        "500": answer({}, 500),
        "wrong client": answer({"error": "invalid_client"}, 401),
        "nonsense": OutgoingAnswer(200, b"<html>"),
    }
    provider.answers = {TOKEN: answers[outage]} if outage in answers else {}
    clock.moment += EVERY
    assert await is_in(browser)
    asked = len(provider.calls)
    assert await is_in(browser)
    assert len(provider.calls) == asked  # not at each request
    clock.moment += GRACE - timedelta(seconds=1)
    assert await is_in(browser)
    clock.moment += timedelta(seconds=1)
    shown = await browser.post("/language", {"language": "da", "here": "kept"})
    assert (shown.status_code, 'value="kept"' in shown.text) == (503, True)
    provider.down, provider.answers = False, {}
    clock.moment += timedelta(minutes=1)
    assert await is_in(browser)


async def test_what_wants_a_recent_sign_in_wants_to_know_when_it_was(
    browser: Browser, provider: BankProvider, clock: HandClock
) -> None:
    clock.moment += RECENT
    assert (await browser.get("/settings/keys")).status_code == 401
    anew = "/sign-in?anew=yes&next=settings/keys"
    for moment in (NOW - timedelta(seconds=31), None):
        provider.claims["auth_time"] = None if moment is None else int(moment.timestamp())
        refused = await sign_in(browser, provider, anew)
        assert (refused.status_code, read_heading(refused)) == (403, "Your sign-in provider did not ask who you are")
        assert (await browser.get("/find")).status_code == 200  # the session before goes on
    provider.claims["auth_time"] = int(clock().timestamp())
    assert (await sign_in(browser, provider, anew)).url.path == "/console/settings/keys"


async def test_signing_out_leads_to_the_provider_where_it_has_an_address(browser: Browser) -> None:
    policy = (await browser.get("/find")).headers["Content-Security-Policy"]
    assert f"form-action 'self' {ADDRESS} https:;" in policy  # else a browser stops the form's redirection
    left = await browser.post("/sign-out", {})
    address = urlsplit(left.headers["Location"])
    asked = dict(parse_qsl(address.query))
    assert (left.status_code, f"{address.scheme}://{address.netloc}{address.path}") == (303, f"{ADDRESS}/logout")
    assert (asked["client_id"], asked["id_token_hint"].count(".")) == ("console", 2)
    assert not await is_in(browser)


@pytest.mark.parametrize("address", [None, "http://login.example/logout", "javascript:alert(1)"])
async def test_signing_out_stays_here_where_the_provider_has_no_address(
    api: Api, provider: BankProvider, address: str | None
) -> None:
    provider.metadata["end_session_endpoint"] = address
    browser = Browser(api)
    await sign_in(browser, provider)
    left = await browser.post("/sign-out", {})
    assert (left.status_code, left.url.path) == (200, "/console/signed-out")
    assert "You may still be signed in at your sign-in provider" in left.text


async def test_a_provider_that_is_away_keeps_nobody_from_signing_out(
    browser: Browser, provider: BankProvider, clock: HandClock
) -> None:
    provider.down = True
    clock.moment += EVERY + GRACE
    assert (await browser.get("/find")).status_code == 503
    left = await browser.post("/sign-out", {})
    assert left.status_code == 303
    provider.down = False
    assert not await is_in(browser)
