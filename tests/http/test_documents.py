"""Decks and PDFs that are made for meetings (docs/documents.md)."""

import asyncio
import io
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import AsyncGenerator, Generator
from contextlib import aclosing, contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio
from pptx import Presentation
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from meetdeck.administration.erasure.service import CustomerDigests, Erasures
from meetdeck.app import Services
from meetdeck.booking.scheduling.erasure.service import erase_meetings
from meetdeck.booking.scheduling.meetings.schemas import Command
from meetdeck.demo.firm import NORDLYS
from meetdeck.events.webhooks.service.signing import sign
from meetdeck.messages.documents.service.planning import QUEUE
from meetdeck.platform.audit_log import Actor
from meetdeck.platform.clock import now as real_now
from meetdeck.platform.db import Database
from meetdeck.platform.errors import Unavailable
from support.factories import TUESDAY_AT_TEN, Api, make_services
from support.fakes import HandClock
from support.patches import pointers, replace
from support.receivers import Receiver, answer, open_receiver
from support.renderers import BlankPages
from support.servers import find_free_port
from support.working import find_next_due, work

pytestmark = pytest.mark.usefixtures("no_meetings")

RULES = "v3/booking/config/document-rules"
MEETINGS = "v3/booking/meetings"
HOUR = timedelta(hours=1)
LATER = TUESDAY_AT_TEN + timedelta(days=7)
ANNA, BO = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:2])
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
Json = dict[str, Any]


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages()


@pytest_asyncio.fixture
async def service() -> AsyncGenerator[Receiver]:
    """Lend a data service of the firm's."""
    async with open_receiver() as receiver:
        receiver.answers = [answer(200, b'{"customer": {"name": "Freja"}}')]
        yield receiver


@pytest_asyncio.fixture
async def services(
    database: Database, clock: HandClock, tmp_path: Path, renderer: BlankPages
) -> AsyncGenerator[Services]:
    async with aclosing(
        make_services(database, clock, tmp_path, renderer, outgoing_allow="127.0.0.1", content_lifetime_hours=24)
    ) as services:
        yield services


class Firm:
    """A firm whose events are routed and whose jobs are run when the test says so."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api = api
        self.services = services
        self.clock = clock

    async def at(self, moment: datetime) -> None:
        """Move the clock, and sign in anew."""
        self.clock.moment = moment
        self.api = await self.api.of(NORDLYS)

    async def work(self) -> None:
        """Do all that is due."""
        await work(self.services, self.clock)

    async def next_due(self) -> datetime | None:
        return await find_next_due(self.services, NORDLYS.tenant_id, QUEUE)

    async def wait(self) -> None:
        """Move the clock to the next job, or to the meeting, and do what is due."""
        await self.at(await self.next_due() or TUESDAY_AT_TEN)
        await self.work()

    async def rule(self, **members: Any) -> Json:
        made = await self.api.post(RULES, {"template": "Greeting", "hoursBefore": None} | members)
        assert made.status_code == 201, made.text
        return made.json()

    async def book(self, starts_at: datetime = LATER, **members: Any) -> str:
        times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + HOUR).isoformat()}
        meeting = {"employeeId": ANNA, "customerId": "C-1001", "topicId": REVIEW, "type": "Online"}
        booked = await self.api.book(**(times | meeting | members))
        assert booked.status_code == 201, booked.text
        return booked.json()["id"]

    async def change(self, meeting_id: str, *operations: Json) -> None:
        changed = await self.api.request("PATCH", f"{MEETINGS}/{meeting_id}", json=operations)
        assert changed.status_code == 200, changed.text

    async def move(self, meeting_id: str, to: datetime) -> None:
        await self.change(
            meeting_id, replace("/startDate", to.isoformat()), replace("/endDate", (to + HOUR).isoformat())
        )

    async def documents(self, meeting_id: str) -> list[Json]:
        answered = await self.api.get(f"{MEETINGS}/{meeting_id}/documents")
        assert answered.status_code == 200, answered.text
        return answered.json()

    async def problems(self, meeting_id: str) -> list[Json]:
        return (await self.api.get(f"{MEETINGS}/{meeting_id}/documents/problems")).json()

    async def texts(self, document: Json) -> list[str]:
        """Return what the slides of a deck say, fetched by its link without credentials."""
        fetched = await self.api.http.get(document["downloadUrl"])
        assert fetched.status_code == 200, fetched.text
        deck: Any = Presentation(io.BytesIO(fetched.content))
        return [shape.text_frame.text for slide in deck.slides for shape in slide.shapes]

    async def events(self, meeting_id: str) -> list[str]:
        elevated = await self.api.of(self.api.firm, elevated=True)
        await self.services.routing.route(self.clock())
        items = (await elevated.get("v3/events", params={"limit": 1000})).json()["items"]
        return [item["type"].partition(".")[2] for item in items if item["subject"] == f"meetings/{meeting_id}"]


def make_template(*slides: str) -> bytes:
    presentation: Any = Presentation()
    for place, text in enumerate(slides):
        slide = presentation.slides.add_slide(presentation.slide_layouts[6])
        slide.name = f"Slide {place + 1}"
        slide.shapes.add_textbox(0, 0, 9144000, 914400).text_frame.text = text
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


@pytest_asyncio.fixture
async def firm(api: Api, services: Services, clock: HandClock) -> Firm:
    file = make_template("Dear {{customer.name}}", "{{advisor.name}}, {{topic.name}}, {{meeting.customerId}}")
    parts: Any = {"file": ("greeting.pptx", file), "name": (None, "Greeting")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    await services.routing.route(clock())
    return Firm(api, services, clock)


# ------------------------------------------------------------------------------------------------------------- rules


async def test_a_rule_reads_back_as_it_was_written_and_tells_its_secret_once(api: Api, service: Receiver) -> None:
    body = {
        "topicId": REVIEW,
        "customerTypeId": None,
        "template": "Greeting",
        "slides": ["Slide 2"],
        "dataUrl": service.url,
        "hoursBefore": 48,
    }
    made = await api.post(RULES, body, headers={"Idempotency-Key": "a rule"})
    repeated = await api.post(RULES, body, headers={"Idempotency-Key": "a rule"})
    rule = made.json()
    assert made.status_code == 201, made.text
    assert repeated.json() == rule
    assert rule.pop("secret").startswith("whsec_")
    assert rule == body | {"id": rule["id"]}
    assert (await api.get(f"{RULES}/{rule['id']}")).json() == rule
    assert (await api.get(RULES)).json() == [rule]
    elevated = await api.of(NORDLYS, elevated=True)
    log = (await elevated.get("v3/audit-log", params={"kind": "document-rules"})).text
    feed = (await elevated.get("v3/events", params={"types": "configuration.changed"})).text
    assert rule["id"] in log
    assert "whsec_" not in log + feed


async def test_a_rule_that_cannot_be_is_refused_where_it_is_wrong(api: Api) -> None:
    wrong: list[tuple[Json, int, str]] = [
        ({"topicId": str(uuid4())}, 404, "/topicId"),
        ({"customerTypeId": str(uuid4())}, 404, "/customerTypeId"),
        ({"dataUrl": "http://data.example"}, 400, "/dataUrl"),
        ({"dataUrl": "https://10.0.0.1/data"}, 400, "/dataUrl"),
        ({"dataUrl": "https://localhost/data"}, 400, "/dataUrl"),
        ({"dataUrl": "nonsense"}, 400, "/dataUrl"),
        ({"template": " "}, 400, "/template"),
        ({"hoursBefore": -1}, 400, "/hoursBefore"),
    ]
    for members, status, pointer in wrong:
        refused = await api.post(RULES, {"template": "Greeting"} | members)
        assert (refused.status_code, pointers(refused)) == (status, [pointer]), members


async def test_a_rule_is_changed_deleted_and_goes_with_its_topic(api: Api) -> None:
    rule = (await api.post(RULES, {"template": "Greeting"})).json()
    assert rule["hoursBefore"] == 24
    changed = await api.request("PATCH", f"{RULES}/{rule['id']}", json=[replace("/hoursBefore", 2)])
    assert changed.json()["hoursBefore"] == 2
    refused = await api.request("PATCH", f"{RULES}/{rule['id']}", json=[replace("/dataUrl", "http://data.example")])
    assert (refused.status_code, refused.json()["code"]) == (400, "address_not_allowed")
    assert (await api.request("DELETE", f"{RULES}/{rule['id']}")).status_code == 204
    assert (await api.get(f"{RULES}/{rule['id']}")).status_code == 404
    topic = (await api.post("v3/booking/config/meeting-topics", {"name": "Boats"})).json()["id"]
    rule = (await api.post(RULES, {"template": "Greeting", "topicId": topic})).json()
    assert (await api.request("DELETE", f"v3/booking/config/meeting-topics/{topic}")).status_code == 204
    assert (await api.get(f"{RULES}/{rule['id']}")).status_code == 404


# ------------------------------------------------------------------------------------------------------------ making


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
    meeting_id = await firm.book(clock() + timedelta(days=9))
    await firm.work()

    (asked,) = service.received
    told = Webhook(rule["secret"]).verify(asked.body, asked.headers)
    assert told["meeting"] == (await firm.api.get(f"{MEETINGS}/{meeting_id}")).json()
    assert told["advisor"]["name"] == "Anna Holm"
    assert told["rule"] == {"id": rule["id"], "template": "Greeting", "slides": []}
    deck, _ = await firm.documents(meeting_id)
    assert await firm.texts(deck) == ["Dear Freja", "Anna Holm, Annual review, C-1001"]
    assert deck["findings"] == []
    with pytest.raises(WebhookVerificationError):
        Webhook((await firm.rule())["secret"]).verify(asked.body, asked.headers)


async def test_after_a_new_secret_both_sign_for_a_day(firm: Firm, service: Receiver, clock: HandClock) -> None:
    await firm.at(real_now())
    rule = await firm.rule(dataUrl=service.url)
    answered = await firm.api.post(f"{RULES}/{rule['id']}/secrets")
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


# ---------------------------------------------------------------------------------------------------------- failures


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
        (answer(200, b"[1]"), "answers no JSON object"),
        (answer(200, b"{"), "answers no JSON object"),
        (answer(200, b'{"a":' * 5_000 + b"1" + b"}" * 5_000), "answers no JSON object"),
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


# ------------------------------------------------------------------------------------------------------------- the page


async def test_the_pages_data_service_fills_a_deck_and_believes_nobody_else(firm: Firm, tmp_path: Path) -> None:
    await firm.at(real_now())
    page = (Path(__file__).parents[2] / "docs/documents.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    port = find_free_port()
    rule = await firm.rule(dataUrl=f"http://127.0.0.1:{port}/meetings")
    with run_program(program, tmp_path, SECRET=rule["secret"], PORT=str(port)):
        await wait_for(port)
        forged = sign([f"whsec_{b64encode(bytes(32)).decode()}"], uuid4(), firm.clock(), b"{}")
        async with httpx.AsyncClient() as http:
            assert (await http.post(rule["dataUrl"], content=b"{}", headers=forged)).status_code == 401
        soon = firm.clock() + timedelta(days=9)
        known, unknown = await firm.book(soon), await firm.book(soon + HOUR, customerId="C-2002")
        await firm.work()
    deck, _ = await firm.documents(known)
    assert (await firm.texts(deck))[0] == "Dear Freja Søndergaard"
    assert [one["problem"] for one in await firm.problems(unknown)] == [
        "The data service 127.0.0.1 refuses: it answers 404."
    ]


@contextmanager
def run_program(program: str, folder: Path, **environment: str) -> Generator[None]:
    """Run a program of a page until the block ends."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    process = subprocess.Popen(  # noqa: S603 - a page of ours
        [sys.executable, folder / "program.py"], env=os.environ | environment, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def wait_for(port: int) -> None:
    """Wait until something listens on a port of this machine."""
    async with asyncio.timeout(20):
        while True:
            with suppress(ConnectionError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            await asyncio.sleep(0.02)
