"""Decks and PDFs that are made for meetings, made again, and deleted (docs/documents.md)."""

import json
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from meetdeck.administration.erasure.service.digests import CustomerDigests
from meetdeck.administration.erasure.service.erasures import Erasures
from meetdeck.booking.scheduling.erasure.service import erase_meetings
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.changes import Actor
from meetdeck.platform.process.clock import now as real_now
from support.fakes import HandClock
from support.meeting_documents import BO, HOUR, LATER, MEETINGS, PENSION, REVIEW, RULES, Firm
from support.patches import replace
from support.receivers import Receiver, answer
from support.renderers import BlankPages
from support.searches import change

pytestmark = pytest.mark.usefixtures("no_meetings")


async def test_a_meeting_gets_a_deck_and_a_pdf_of_its_own(firm: Firm, clock: HandClock) -> None:
    rule = await firm.rule()
    meeting_id = await firm.book()
    assert await firm.documents(meeting_id) == []
    await firm.work()

    deck, pdf = await firm.documents(meeting_id)

    assert [deck["kind"], pdf["kind"]] == ["Deck", "Pdf"]
    assert await firm.texts(deck) == ["Dear ", "Anna Holm, Annual review, C-1001"]
    assert (await firm.api.http.get(pdf["downloadUrl"])).content.startswith(b"%PDF")
    assert [finding["details"]["code"] for finding in deck["findings"]] == ["missing-value"]
    assert {deck["ruleId"], pdf["ruleId"]} == {rule["id"]}
    assert datetime.fromisoformat(deck["madeAt"]) == clock()
    assert await firm.events(meeting_id) == ["created", "documentsReady"]
    other = await firm.api.other()
    assert (await other.get(RULES)).json() == []
    assert (await other.get(f"{RULES}/{rule['id']}")).status_code == 404
    assert (await other.get(f"{MEETINGS}/{meeting_id}/documents")).status_code == 404


async def test_a_meeting_has_documents_of_each_rule_with_named_slides_alone_in_their_order(firm: Firm) -> None:
    await firm.rule(slides=["Slide 2", "Slide 1"])
    await firm.rule(slides=["Slide 2"])
    meeting_id = await firm.book()
    await firm.work()
    decks = [one for one in await firm.documents(meeting_id) if one["kind"] == "Deck"]
    advisor = "Anna Holm, Annual review, C-1001"
    assert sorted([await firm.texts(deck) for deck in decks]) == [[advisor], [advisor, "Dear "]]


async def test_the_data_service_is_asked_by_a_request_that_the_standards_library_believes(
    firm: Firm, service: Receiver, clock: HandClock
) -> None:
    await firm.at(real_now())
    rule = await firm.rule(dataUrl=service.url)
    meeting_id = await firm.book(clock() + timedelta(days=9), additionalEmployees=[BO])
    await firm.work()

    (asked,) = service.received
    told = Webhook(rule["secret"]).verify(asked.body, asked.headers)
    assert told["meeting"] == (await firm.api.get(f"{MEETINGS}/{meeting_id}")).json()
    assert told["advisor"]["name"] == "Anna Holm"
    assert [(one["name"], one["group"]) for one in told["advisors"]] == [("Anna Holm", ""), ("Bo Lind", "")]
    assert told["rule"] == {"id": rule["id"], "template": "Greeting", "slides": []}
    deck, _ = await firm.documents(meeting_id)
    assert await firm.texts(deck) == ["Dear Freja", "Anna Holm, Annual review, C-1001"]
    assert deck["findings"] == []
    with pytest.raises(WebhookVerificationError):
        Webhook((await firm.rule())["secret"]).verify(asked.body, asked.headers)


async def test_a_deck_is_about_everybody_of_a_joint_meeting_and_their_groups(firm: Firm, service: Receiver) -> None:
    await firm.rule(dataUrl=service.url)
    people = (await firm.api.get("v3/booking/config/employees")).json()
    david, eva = (next(one for one in people if one["name"] == name) for name in ("David Krogh", "Eva Sand"))
    for name, employee in (("Mortgage", david), ("Pension", eva)):
        group = {"name": name, "employeeIds": [employee["id"]]}
        assert (await firm.api.post("v3/booking/config/service-groups", group)).status_code == 201
    await firm.book(alsoServiceGroups=["Mortgage", "Pension"], additionalEmployees=[BO])
    await firm.work()

    (asked,) = service.received
    told = [(one["name"], one["group"]) for one in json.loads(asked.body)["advisors"]]
    assert told == [("Anna Holm", ""), ("Bo Lind", ""), ("David Krogh", "Mortgage"), ("Eva Sand", "Pension")]


async def test_after_a_new_secret_both_sign_for_a_day(firm: Firm, service: Receiver, clock: HandClock) -> None:
    await firm.at(real_now())
    rule = await firm.rule(dataUrl=service.url)
    elevated = await firm.api.of(firm.api.firm, elevated=True)
    answered = await elevated.post(f"{RULES}/{rule['id']}/secrets")
    assert answered.status_code == 201, answered.text
    new = answered.json()["secret"]
    await firm.book(clock() + timedelta(days=9))
    await firm.work()
    for secret in (rule["secret"], new):
        Webhook(secret).verify(service.received[0].body, service.received[0].headers)

    await firm.at(clock() + timedelta(hours=25))
    await firm.book(clock() + timedelta(days=9))
    await firm.work()
    assert service.received[1].headers["webhook-signature"].count("v1,") == 1


async def test_only_meetings_that_a_rule_is_for_get_documents(firm: Firm) -> None:
    await firm.rule(topicId=PENSION)
    meeting_id = await firm.book()
    await firm.work()
    assert await firm.documents(meeting_id) == []
    await firm.change(meeting_id, replace("/topicId", PENSION))
    await firm.work()
    assert len(await firm.documents(meeting_id)) == 2
    await firm.change(meeting_id, replace("/topicId", REVIEW))
    await firm.work()
    assert await firm.documents(meeting_id) == []


async def test_a_rule_reaches_meetings_that_are_booked_already_also_when_it_is_changed(firm: Firm) -> None:
    pension = await firm.book(topicId=PENSION)
    review = await firm.book(LATER + HOUR, topicId=REVIEW)
    await firm.work()
    assert await firm.documents(pension) == []
    rule = await firm.rule(topicId=PENSION)
    await firm.work()
    assert {one["ruleId"] for one in await firm.documents(pension)} == {rule["id"]}
    assert await firm.documents(review) == []
    changed = await firm.api.request("PATCH", f"{RULES}/{rule['id']}", json=[replace("/topicId", REVIEW)])
    assert changed.status_code == 200, changed.text
    await firm.work()
    assert await firm.documents(pension) == []
    assert {one["ruleId"] for one in await firm.documents(review)} == {rule["id"]}


async def test_documents_are_made_again_before_the_meeting_and_after_a_move(
    firm: Firm, service: Receiver, clock: HandClock
) -> None:
    await firm.rule(dataUrl=service.url, hoursBefore=24)
    meeting_id = await firm.book()
    await firm.work()
    first = await firm.documents(meeting_id)
    await firm.move(meeting_id, LATER + timedelta(days=1))
    clock.advance(minutes=1)
    await firm.work()
    moved = await firm.documents(meeting_id)
    assert len(service.received) == 2
    assert len(moved) == 2
    assert {one["contentId"] for one in first} & {one["contentId"] for one in moved} == set()
    assert (await firm.api.http.get(first[0]["downloadUrl"])).status_code == 404

    service.answers = [answer(200, b'{"customer": {"name": "Freja Berg"}}')]
    await firm.at(LATER - timedelta(minutes=1))
    await firm.work()
    assert len(service.received) == 2
    await firm.at(LATER)
    await firm.work()
    assert (await firm.texts((await firm.documents(meeting_id))[0]))[0] == "Dear Freja Berg"
    await firm.at(LATER + timedelta(hours=30))
    await firm.work()
    assert len(service.received) == 3


async def test_documents_are_there_until_a_day_after_the_meeting(firm: Firm, clock: HandClock) -> None:
    await firm.rule()
    meeting_id = await firm.book()
    await firm.work()
    await firm.move(meeting_id, LATER + timedelta(days=20))
    await firm.services.routing.route(clock())
    await firm.at(LATER + timedelta(days=10))
    await firm.services.sweeper.sweep(clock())
    assert len(await firm.documents(meeting_id)) == 2  # before they are made anew
    await firm.work()
    await firm.at(LATER + timedelta(days=20, hours=24))
    deck, _ = await firm.documents(meeting_id)
    assert (await firm.api.http.get(deck["downloadUrl"])).status_code == 200
    await firm.at(clock() + timedelta(hours=2))
    assert await firm.documents(meeting_id) == []


async def test_another_customers_documents_are_not_shown_even_before_new_ones_are_made(
    firm: Firm, clock: HandClock
) -> None:
    await firm.rule()
    meeting_id = await firm.book()
    await firm.work()
    clock.advance(minutes=1)
    await firm.change(meeting_id, replace("/customerId", "C-2002"))
    assert await firm.documents(meeting_id) == []
    clock.advance(minutes=1)
    await firm.work()
    deck, _ = await firm.documents(meeting_id)
    assert (await firm.texts(deck))[1].endswith("C-2002")


async def test_a_meeting_that_changes_while_its_deck_is_drawn_gets_one_of_how_it_is_then(
    firm: Firm, renderer: BlankPages
) -> None:
    await firm.rule()
    meeting_id = await firm.book()

    async def change_meanwhile(pptx: bytes, *, tenant_id: UUID | None = None) -> bytes:
        renderer.to_pdf = draw
        await firm.change(meeting_id, replace("/customerId", "C-2002"))
        return await draw(pptx, tenant_id=tenant_id)

    draw, renderer.to_pdf = renderer.to_pdf, change_meanwhile
    await firm.work()
    deck, _ = await firm.documents(meeting_id)
    assert (await firm.texts(deck))[1].endswith("C-2002")
    assert await firm.events(meeting_id) == ["created", "changed", "documentsReady"]


async def test_documents_go_with_a_cancelled_or_erased_meeting(firm: Firm, clock: HandClock) -> None:
    await firm.rule()
    cancelled, erased = await firm.book(), await firm.book(LATER + HOUR)
    await firm.work()
    links = [one["downloadUrl"] for each in (cancelled, erased) for one in await firm.documents(each)]
    assert (await firm.api.request("DELETE", f"{MEETINGS}/{cancelled}")).status_code == 204
    async with firm.services.database.transaction(NORDLYS.tenant_id) as connection:
        await erase_meetings(connection, [UUID(erased)], clock(), Command.RETENTION)
    await firm.work()
    assert [(await firm.api.http.get(link)).status_code for link in links] == [404] * 4
    assert (await firm.api.get(f"{MEETINGS}/{cancelled}/documents")).status_code == 404
    assert await firm.documents(erased) == []


async def test_an_erased_customers_documents_and_wishes_are_gone_with_their_files_at_once(
    firm: Firm, clock: HandClock
) -> None:
    await firm.rule()
    meeting_id = await firm.book(customerId="C-3003")
    await firm.work()
    links = [one["downloadUrl"] for one in await firm.documents(meeting_id)]
    wish = {"customerId": "C-3003", "to": LATER.isoformat()}
    assert (await firm.api.post("v3/booking/wishes", wish)).status_code == 201
    erasures = Erasures(firm.services.database, firm.services.storage, CustomerDigests(bytes(range(32))))
    actor = Actor(operator="root", command="erase")
    plan = await erasures.plan(NORDLYS.tenant_id, "C-3003", clock())
    outcome = await erasures.erase(NORDLYS.tenant_id, "C-3003", actor, clock(), cancel=True)
    assert outcome.receipt is not None
    assert (plan.contents, plan.wishes) == (outcome.receipt.contents, outcome.receipt.wishes) == (2, 1)
    assert [(await firm.api.http.get(link)).status_code for link in links] == [404, 404]
    assert (await firm.api.get("v3/booking/wishes")).json() == []
    await firm.work()
    assert (await erasures.erase(NORDLYS.tenant_id, "C-3003", actor, clock())).receipt is None


async def test_customers_who_share_a_time_have_decks_of_their_own(firm: Firm) -> None:
    await change(firm.api, f"meeting-topics/{REVIEW}", seats=3)
    await firm.rule()
    meetings = {one: await firm.book(customerId=one) for one in ("C-1001", "C-1002")}
    await firm.work()
    for customer, other in (("C-1001", "C-1002"), ("C-1002", "C-1001")):
        deck, _ = await firm.documents(meetings[customer])
        texts = " ".join(await firm.texts(deck))
        assert customer in texts
        assert other not in texts + str(deck)
