"""The doctor's findings about what is on its way to others: events to webhooks, messages to people."""

from datetime import timedelta
from pathlib import Path

import pytest

from meetdeck.doctor.deliveries import check_addresses, check_messages, check_webhooks
from meetdeck.doctor.outcome import Status
from meetdeck.messages.carriers.smtp import SmtpCarrier
from meetdeck.platform.database import Address, Database
from meetdeck.platform.outgoing import read_smtp_url
from meetdeck.services import Services
from support.factories import Api, make_settings
from support.fakes import MONDAY_MORNING as NOW
from support.fakes import HandClock
from support.meetings import book
from support.messages import Post
from support.receivers import answer, open_receiver
from support.servers import find_free_port
from support.webhooks import Webhooks


@pytest.fixture
def own_settings() -> dict[str, object]:
    """Lend a setting with which events may be sent to this machine."""
    return {"outgoing_allow": ("127.0.0.1",)}


async def test_a_webhook_that_fails_is_named_with_what_waits_and_what_it_answered(
    api: Api, services: Services, clock: HandClock, application: Address
) -> None:
    webhooks = Webhooks(await api.of(api.firm, elevated=True), services, clock)
    async with open_receiver() as receiver:
        made = await webhooks.create(receiver.url, types=["meeting.*"])
        await webhooks.call(made, "test")
        await webhooks.send_due()
        assert (await check_webhooks(application)).status is Status.OK
        receiver.answers = [answer(503)]
        await webhooks.call(made, "test")
        await webhooks.call(made, "test")
        await webhooks.send_due()
        found = await check_webhooks(application)
        assert found.status is Status.WARNING
        assert (
            f"Webhook {made['id']} of tenant {api.firm.tenant_id} has been failing since 2026-03-02 06:00 UTC"
            in found.detail
        )
        assert "2 events wait for it, and it last answered 503." in found.detail
        assert "meetdeck webhooks replay" in found.advice
        receiver.answers = [answer(410)]
        await webhooks.call(made, "test")
        await webhooks.send_due()
        assert "gets no more events: its receiver answered 410" in (await check_webhooks(application)).detail


async def test_messages_that_no_server_takes_are_counted_since_the_first(
    api: Api, database: Database, application: Address, tmp_path: Path
) -> None:
    server = read_smtp_url(f"smtp://127.0.0.1:{find_free_port()}")
    assert (await check_messages(application)).status is Status.OK
    assert (await book(api, externalAttendees=[{"name": "Freja", "email": "freja@example.com"}]))["id"]
    await Post(database, tmp_path, SmtpCarrier(server)).send(NOW)
    found = await check_messages(application)
    assert found.status is Status.WARNING
    assert "messages wait to be tried again, the first since 2026-03-02 06:00 UTC." in found.detail
    assert "At the last try: the mail server cannot be reached" in found.detail
    assert "freja" not in found.detail.lower()
    await Post(database, tmp_path).send(NOW + timedelta(hours=1))
    assert (await check_messages(application)).status is Status.OK


async def test_what_names_a_host_that_may_not_be_called_any_more_is_listed(
    api: Api, database: Database, application: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEETDECK_OUTGOING_ALLOW", "")
    elevated = await api.of(api.firm, elevated=True)
    rule = {"template": "x", "dataUrl": "https://93.184.216.34/data"}
    made = (await elevated.post("v3/booking/config/document-rules", rule)).json()["id"]
    webhook = {"url": "https://93.184.216.35:8443/hooks"}
    called = (await elevated.post("v3/events/webhooks", webhook)).json()["id"]
    settings = make_settings(tmp_path)
    assert (await check_addresses(settings, application)).status is Status.OK
    some = settings.model_copy(update={"outgoing_hosts": ("93.184.216.34",)})
    found = await check_addresses(some, application)
    assert found.status is Status.WARNING
    assert f"Webhook {called} of tenant {api.firm.tenant_id}: 93.184.216.35 is not one of the hosts" in found.detail
    assert made not in found.detail
    own = "update tenant set outgoing_hosts = $1"
    await database.run(api.firm.tenant_id, lambda connection: connection.execute(own, ["93.184.216.35:8443"]))
    found = await check_addresses(some, application)
    assert f"Document rule {made} of" in found.detail
    assert called not in found.detail
