"""The mailbox of the test environment (docs/messages.md#the-test-mailbox)."""

from dataclasses import replace

import httpx

from meetdeck.app import build_app
from meetdeck.services import Services
from support.factories import BASE_URL, Api
from support.fakes import HandClock
from support.meetings import book
from support.messages import read_event

FREJA = {"name": "Freja <b>Nielsen</b>", "email": "freja@example.com"}
MAILBOX = "/dev/mailbox"
AS_JSON = {"Accept": "application/json"}


async def send(services: Services, clock: HandClock) -> None:
    """Do what a worker does."""
    await services.routing.route(clock())
    await services.jobs.run_due(clock)


async def test_what_would_be_sent_is_listed_the_newest_first(api: Api, services: Services, clock: HandClock) -> None:
    assert (await api.http.get(MAILBOX, headers=AS_JSON)).json() == []
    await send(services, clock)
    await book(api, externalAttendees=[FREJA])
    await send(services, clock)
    mails = (await api.http.get(MAILBOX, headers=AS_JSON)).json()
    assert set(mails[0]) == {"to", "subject", "text", "html", "calendar"}
    (freja,) = (mail for mail in mails[:2] if mail["to"] == ["freja@example.com"])
    assert freja["subject"] == "Your meeting on Tuesday 3 March 2026"
    assert read_event(freja["calendar"])[0] == "REQUEST"


async def test_the_page_shows_a_mail_as_it_is_and_lets_nothing_of_it_in(
    api: Api, services: Services, clock: HandClock
) -> None:
    assert "No mails" in (await api.http.get(MAILBOX)).text
    await book(api, externalAttendees=[FREJA])
    await send(services, clock)
    page = await api.http.get(MAILBOX)
    assert page.headers["Content-Type"].startswith("text/html")
    assert "script-src" not in page.headers["Content-Security-Policy"]
    assert "<b>Nielsen" not in page.text
    frame = page.text.partition('src="mailbox/')[2].partition('"')[0]
    mail = await api.http.get(f"{MAILBOX}/{frame}")
    assert "sandbox allow-popups" in mail.headers["Content-Security-Policy"]
    assert mail.text.startswith("<!doctype html>")
    assert (await api.http.get(f"{MAILBOX}/{'0' * 8}-0000-0000-0000-{'0' * 12}")).status_code == 404


async def test_production_has_no_mailbox_and_no_clock_to_move(api: Api, services: Services) -> None:
    settings = services.settings.model_copy(update={"environment": "production"})
    transport = httpx.ASGITransport(app=build_app(replace(services, settings=settings)))  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        for path in (MAILBOX, f"{MAILBOX}/{'0' * 8}-0000-0000-0000-{'0' * 12}"):
            assert (await http.get(path, headers=AS_JSON)).status_code == 404
        elevated = (await api.of(api.firm, elevated=True)).headers
        for address, status in (("test/clock", 404), ("administration/keys", 201)):
            answer = await http.post(f"/api/v3/{address}", json={"name": "CRM"}, headers=elevated)
            assert answer.status_code == status
