"""The console: signing in and out, roles, and what becomes of what was typed."""

from datetime import timedelta

import pytest

from meetdeck.pages.console.kit import Sessions
from meetdeck.pages.console.kit.sessions.service import LONGEST, LONGEST_REST
from meetdeck.platform.database import Database
from support.console import ANNA, EVA, SIGNE, THOMAS, Browser, read_heading
from support.factories import Api
from support.fakes import HandClock
from support.signing_in import read_form

MINUTE = timedelta(minutes=1)


async def test_a_page_leads_to_signing_in_and_back(api: Api) -> None:
    browser = Browser(api)
    shown = await browser.get("?day=today")
    assert [answer.status_code for answer in shown.history] == [303, 303]
    assert shown.url.path == "/oauth/authorize"
    welcome = await browser.sign_in(ANNA, "?day=today")
    assert (welcome.status_code, welcome.url.path, welcome.url.query) == (200, "/console", b"day=today")
    assert "Anna" in welcome.text


async def test_anything_but_reading_is_refused_without_a_session_and_gives_back_what_was_typed(api: Api) -> None:
    refused = await Browser(api).post("/language", {"language": "da", "here": 'a "quoted" word'})
    assert refused.status_code == 401
    assert 'value="a &#34;quoted&#34; word"' in refused.text


@pytest.mark.parametrize("user", [ANNA, EVA, SIGNE, THOMAS])
async def test_each_role_signs_in(api: Api, user: str) -> None:
    assert read_heading(await (await Browser.open(api, user)).get()) == "Monday 2 March 2026"


async def test_signing_out_ends_the_session_for_good(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    cookie = dict(browser.http.cookies)
    assert read_heading(await browser.post("/sign-out", {})) == "You are signed out"
    browser.http.cookies.update(cookie)
    assert (await browser.get()).url.path == "/oauth/authorize"


async def test_a_session_ends_when_it_rests_and_when_it_is_old(api: Api, clock: HandClock) -> None:
    browser = await Browser.open(api, ANNA)
    for _ in range(int(LONGEST / LONGEST_REST)):
        clock.moment += LONGEST_REST - MINUTE
        assert (await browser.get()).url.path == "/console"
    clock.moment += LONGEST_REST - MINUTE
    assert (await browser.get()).url.path == "/oauth/authorize"
    rested = await Browser.open(api, ANNA)
    clock.moment += LONGEST_REST + MINUTE
    assert (await rested.get()).url.path == "/oauth/authorize"


async def test_what_is_left_of_ended_sessions_is_deleted_without_anybody_signing_in(
    api: Api, clock: HandClock, database: Database
) -> None:
    sessions = Sessions(database)
    await Browser.open(api, ANNA)
    clock.moment += LONGEST_REST - MINUTE
    kept = await Browser.open(api, EVA)
    assert await sessions.delete_ended(clock()) == 0
    clock.moment += 2 * MINUTE
    assert await sessions.delete_ended(clock()) == 1
    assert (await kept.get()).url.path == "/console"


async def test_a_session_of_a_firm_that_was_disabled_has_ended(api: Api, database: Database) -> None:
    browser = await Browser.open(api, ANNA)
    await database.run(
        api.firm.tenant_id, lambda connection: connection.execute("update tenant set disabled_at = now()")
    )
    assert (await browser.get()).url.path == "/oauth/authorize"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "null"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "file://"},
        {"Origin": ""},
    ],
)
async def test_a_form_of_another_site_is_refused(api: Api, headers: dict[str, str]) -> None:
    browser = await Browser.open(api, ANNA)
    refused = await browser.post("/sign-out", {}, **headers)
    assert refused.status_code == 403
    assert "This form came from another address" in refused.text
    assert (await browser.get()).url.path == "/console"


@pytest.mark.parametrize(
    "headers",
    [
        {},  # a program, or an old browser
        {"Origin": "http://testserver"},  # a browser that sends no Sec-Fetch-Site
        {"Sec-Fetch-Site": "same-origin", "Origin": "null"},  # a page of the version before, which sent no referrer
    ],
)
async def test_a_form_of_our_own_is_taken(api: Api, headers: dict[str, str]) -> None:
    browser = await Browser.open(api, ANNA)
    headers = {name: value.replace("http://testserver", str(api.http.base_url)) for name, value in headers.items()}
    assert (await browser.get()).headers["Referrer-Policy"] == "same-origin"
    assert read_heading(await browser.post("/sign-out", {}, **headers)) == "You are signed out"


async def test_the_answer_to_signing_in_is_worth_nothing_in_another_browser(api: Api) -> None:
    browser, thief = Browser(api), Browser(api)
    browser.http.follow_redirects = False
    page = await thief.get()
    thief.http.follow_redirects = False
    answer = await thief.http.post("/oauth/authorize", data=read_form(page.text) | {"user": ANNA})
    refused = await browser.http.get(answer.headers["Location"])
    assert refused.status_code == 403
    assert not browser.http.cookies.get("meetdeck_session")


@pytest.mark.parametrize("path", ["//evil.example", "https://evil.example", "/\\evil.example", "a/../../evil", "a:b"])
async def test_signing_in_never_leads_away(api: Api, path: str) -> None:
    browser = Browser(api)
    page = await browser.http.get("/console/sign-in", params={"next": path})
    welcome = await browser.http.post("/oauth/authorize", data=read_form(page.text) | {"user": ANNA})
    assert (welcome.url.host, welcome.url.path) == ("meetdeck.test", "/console")


async def test_the_language_is_chosen_once(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    page = await browser.post("/language", {"language": "da", "here": ""})
    assert '<html lang="da">' in page.text
    assert '<html lang="da">' in (await browser.get()).text


async def test_nobody_else_acts_for_the_signed_in(api: Api) -> None:
    """Headers that pages pass to the API within the process are refused from outside."""
    answer = await api.http.get("/api/v3/booking/rooms", headers={"acting": "anna", "x-acting": "anna"})
    assert answer.status_code == 401


async def test_the_overview_shows_the_meetings_and_holds_of_today(
    api: Api, no_meetings: None, clock: HandClock
) -> None:
    assert no_meetings is None
    anna, bo = (api.firm.id_of("employee", name) for name in ("Anna Holm", "Bo Lind"))
    begin = clock().replace(minute=0, second=0, microsecond=0) + timedelta(hours=2)
    for employee_id, title in ((anna, "Pension of Freja"), (bo, "A house for Karl")):
        meeting = {
            "employeeId": str(employee_id),
            "startDate": begin.isoformat(),
            "endDate": (begin + timedelta(hours=1)).isoformat(),
            "type": "Online",
            "title": title,
            "customerId": "C-1",
        }
        (await api.post("v3/booking/meetings", meeting)).raise_for_status()
    slot = {
        "startDate": (begin + timedelta(hours=2)).isoformat(),
        "endDate": (begin + timedelta(hours=3)).isoformat(),
        "status": "Reserved",
        "employeeId": str(anna),
    }
    held = await api.post("v3/booking/time-slots/reserve", {"timeSlot": slot, "token": str(anna)})
    held.raise_for_status()
    own = await (await Browser.open(api, ANNA)).get()
    assert ("Pension of Freja" in own.text, "A house for Karl" in own.text) == (True, False)
    assert "for 300 seconds more" in own.text
    everybody = await (await Browser.open(api, EVA)).get()
    assert "2 meetings today" in everybody.text
    clock.advance(days=1)
    assert "Nothing is booked today." in (await (await Browser.open(api, EVA)).get()).text
