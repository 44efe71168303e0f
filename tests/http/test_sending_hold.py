"""A held installation sends nothing out, says so everywhere, and goes on where it stopped when it is released."""

import time

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.doctor.database import check_hold
from meetdeck.doctor.outcome import Status
from meetdeck.messages.replies.service import Replies
from meetdeck.platform.database import Address
from meetdeck.platform.outgoing import read_imap_url
from meetdeck.platform.settings.sending_hold import SendingHold, hold_sending, release_sending
from meetdeck.services import Services
from support.console import THOMAS, Browser
from support.factories import Api
from support.fakes import HandClock
from support.meetings import book

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
MAILBOX = "/dev/mailbox"
AS_JSON = {"Accept": "application/json"}


async def send(services: Services, clock: HandClock) -> None:
    """Do what a worker does."""
    await services.routing.route(clock())
    await services.jobs.run_due(clock)


async def count_jobs(services: Services) -> int:
    async with services.database.transaction(NORDLYS.tenant_id) as connection:
        return await connection.fetchval("select count(*) from job")


async def test_nothing_is_sent_until_it_is_released(api: Api, services: Services, clock: HandClock) -> None:
    await send(services, clock)
    elevated = await api.of(NORDLYS, elevated=True)
    assert (await elevated.post("v3/events/webhooks", {"url": "https://receiver.example/"})).status_code == 201
    sent_before = len((await api.http.get(MAILBOX, headers=AS_JSON)).json())
    async with services.database.outside_tenants() as connection:
        assert await hold_sending(connection, clock())
        assert await hold_sending(connection, clock()), "a second time is no fault"
    await book(api, externalAttendees=[FREJA])
    await send(services, clock)
    waiting = await count_jobs(services)
    assert waiting >= 3, "a mail to each, and a webhook"
    assert len((await api.http.get(MAILBOX, headers=AS_JSON)).json()) == sent_before

    async with services.database.outside_tenants() as connection:
        assert await release_sending(connection) == clock()
        assert await release_sending(connection) is None
    await send(services, clock)
    mails = (await api.http.get(MAILBOX, headers=AS_JSON)).json()
    assert ["freja@example.com"] in [mail["to"] for mail in mails[: len(mails) - sent_before]]
    assert await count_jobs(services) < waiting


async def test_ready_doctor_and_console_say_so(
    api: Api, services: Services, clock: HandClock, application: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await Browser.open(api, THOMAS)
    assert (await api.http.get("/health/ready")).json() == {"status": "ready"}
    assert (await check_hold(application)).status is Status.OK
    assert "on hold" not in (await browser.get()).text
    async with services.database.outside_tenants() as connection:
        await hold_sending(connection, clock())
    later = time.monotonic() + 2.1
    monkeypatch.setattr("meetdeck.platform.settings.sending_hold.time.monotonic", lambda: later)
    ready = await api.http.get("/health/ready")
    assert ready.status_code == 200
    assert "sends no mails" in ready.json()["held"]
    assert "meetdeck release" in ready.json()["held"]
    found = await check_hold(application)
    assert found.status is Status.WARNING
    assert "is held since 2026-03-02" in found.detail
    for path in ("", "/calendar", "/settings/rooms"):
        assert "This installation has been on hold since 2 March 2026" in (await browser.get(path)).text
    assert "sat på pause" in (await browser.http.get("/console", headers={"Accept-Language": "da"})).text


async def test_the_mailbox_of_answers_is_left_to_the_original(services: Services, clock: HandClock) -> None:
    async with services.database.outside_tenants() as connection:
        await hold_sending(connection, clock())
    nobody_answers_there = read_imap_url("imap://user:password@127.0.0.1:1/INBOX")
    assert await Replies(services.database, nobody_answers_there).read(clock()) == 0


async def test_every_process_knows_within_two_seconds(
    services: Services, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SendingHold(services.database)
    assert await other.find() is None
    async with services.database.outside_tenants() as connection:
        await hold_sending(connection, clock())
    assert await other.find() is None, "it is asked again after two seconds"
    later = time.monotonic() + 2.1
    monkeypatch.setattr("meetdeck.platform.settings.sending_hold.time.monotonic", lambda: later)
    assert await other.find() == clock()
