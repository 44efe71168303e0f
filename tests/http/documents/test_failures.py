"""Documents that cannot be made, and how people learn of it (docs/documents.md)."""

from datetime import timedelta

import pytest

from meetdeck.administration.tenants.schemas import TenantSettings
from meetdeck.administration.tenants.service.tenants import change_tenant
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.changes import Actor
from meetdeck.platform.errors import Unavailable
from support.factories import TUESDAY_AT_TEN
from support.fakes import HandClock
from support.meeting_documents import HOUR, LATER, Firm, Json
from support.receivers import Receiver, answer
from support.renderers import BlankPages

pytestmark = pytest.mark.usefixtures("no_meetings")


async def test_a_data_service_that_the_operator_took_off_the_list_is_not_asked(firm: Firm, service: Receiver) -> None:
    await firm.rule(dataUrl=service.url)
    wanted = TenantSettings(outgoing_hosts=["crm.bank.example"])
    operator = Actor(operator="root", command="tenant set")
    await change_tenant(firm.services.database, NORDLYS.tenant_id, wanted, operator, firm.clock())
    meeting_id = await firm.book()
    await firm.work()
    assert service.received == []
    assert "may not be called" in str(await firm.problems(meeting_id))


async def test_a_data_service_that_is_away_is_asked_again_and_then_the_advisor_is_told(
    firm: Firm, service: Receiver, clock: HandClock
) -> None:
    service.answers = [answer(503)]
    await firm.rule(dataUrl=service.url)
    meeting_id = await firm.book(TUESDAY_AT_TEN)
    await firm.work()
    (problem,) = await firm.problems(meeting_id)
    assert problem["problem"] == "The data service 127.0.0.1 answers 503."
    assert problem["toldAt"] is None
    pauses: list[float] = []
    while clock() < TUESDAY_AT_TEN:
        before, asked = clock(), len(service.received)
        await firm.wait()
        if len(service.received) > asked:
            pauses.append((clock() - before).total_seconds())
    assert pauses[:8] == [30, 60, 120, 240, 480, 960, 1920, 3600]
    assert set(pauses[8:]) == {3600}
    assert await firm.events(meeting_id) == ["created", "documentsFailed"]


async def test_the_advisor_is_told_an_hour_before_and_what_comes_later_is_attached_still(
    firm: Firm, service: Receiver, clock: HandClock
) -> None:
    service.answers = [answer(503)]
    await firm.rule(dataUrl=service.url)
    meeting_id = await firm.book(TUESDAY_AT_TEN)
    await firm.work()
    while not (await firm.problems(meeting_id))[0]["toldAt"]:
        await firm.wait()
    assert timedelta(hours=1) <= TUESDAY_AT_TEN - clock() <= timedelta(hours=2)
    service.answers = [answer(200, b"{}")]
    await firm.wait()
    assert len(await firm.documents(meeting_id)) == 2
    assert await firm.problems(meeting_id) == []
    assert await firm.events(meeting_id) == ["created", "documentsFailed", "documentsReady"]


async def test_an_answer_of_which_no_deck_can_be_made_is_told_at_once(firm: Firm, service: Receiver) -> None:
    wrong = [
        (answer(404), "refuses: it answers 404"),
        (answer(302, Location="https://elsewhere.example"), "refuses: it answers 302"),
        (answer(200, b"[1]"), "does not answer with a JSON object"),
        (answer(200, b"{"), "does not answer with a JSON object"),
        (answer(200, b'{"a":' * 100_000 + b"1" + b"}" * 100_000), "does not answer with a JSON object"),
        (answer(200, b'{"customer": {"name": ["a list"]}}'), "customer.name"),
    ]
    await firm.rule(dataUrl=service.url)
    told: Json = {}
    for place, (answered, problem) in enumerate(wrong):
        service.answers = [answered]
        meeting_id = await firm.book(LATER + place * HOUR)
        await firm.work()
        (told,) = await firm.problems(meeting_id)
        assert problem in told["problem"]
        assert told["toldAt"] is not None
        assert await firm.events(meeting_id) == ["created", "documentsFailed"]
        assert await firm.next_due() is None
    assert [finding["details"]["pointer"] for finding in told["findings"]] == ["/data/customer/name"]


async def test_a_template_that_is_not_there_is_told_at_once(firm: Firm) -> None:
    await firm.rule(template="Greetings")
    meeting_id = await firm.book()
    await firm.work()
    (told,) = await firm.problems(meeting_id)
    assert told["problem"] == "There is no template 'Greetings'. Did you mean 'Greeting'?"


async def test_without_a_renderer_the_deck_is_there_and_the_pdf_comes_later(
    firm: Firm, renderer: BlankPages, clock: HandClock
) -> None:
    renderer.error = Unavailable("The renderer is away.", retry_after_seconds=5)
    await firm.rule()
    meeting_id = await firm.book()
    await firm.work()
    assert [one["kind"] for one in await firm.documents(meeting_id)] == ["Deck"]
    clock.advance(minutes=10)
    await firm.work()
    renderer.error = None
    clock.advance(minutes=10)
    await firm.work()
    assert [one["kind"] for one in await firm.documents(meeting_id)] == ["Deck", "Pdf"]
    assert await firm.events(meeting_id) == ["created", "documentsReady", "documentsReady"]
