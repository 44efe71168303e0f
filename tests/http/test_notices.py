"""Mails about offers of the waiting list, and about documents of meetings (docs/messages.md#offers-and-documents)."""

import io
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from pptx import Presentation

from meetdeck.booking.scheduling.meetings.store.history import add_event
from meetdeck.demo.firm import NORDLYS, write_email
from meetdeck.messages.carriers.kept import KeptMail, list_mails
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api, make_services
from support.fakes import HandClock
from support.meetings import ANNA
from support.patches import replace
from support.renderers import BlankPages
from support.smtp_servers import LOSE, Inbox, open_inbox
from support.working import work

pytestmark = pytest.mark.usefixtures("no_meetings")

HOUR = timedelta(hours=1)
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}
TOPIC = str(NORDLYS.id_of("topic", "Annual review"))
ADVISOR = write_email(NORDLYS.advisors[0].name, NORDLYS.domain)
WISHES = "v3/booking/wishes"


@pytest.fixture
def renderer() -> BlankPages:
    return BlankPages()


class Office:
    """A firm whose events are routed and whose jobs are run when the test says so."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api = api
        self.services = services
        self.clock = clock

    async def work(self) -> None:
        """Do all that is due, and what comes of it."""
        for _ in range(3):
            await work(self.services, self.clock)

    async def mails(self, word: str) -> list[KeptMail]:
        """Return the mails with a word in their subject, the oldest first."""
        async with self.services.database.outside_tenants() as connection:
            return [mail for mail in (await list_mails(connection))[::-1] if word in mail.subject]

    async def book(self, **members: Any) -> str:
        meeting = {"employeeId": ANNA, "customerId": "C-1001", "topicId": TOPIC, "type": "Online"}
        booked = await self.api.book(**(TIMES | meeting | members))
        assert booked.status_code == 201, booked.text
        return booked.json()["id"]

    async def cancel(self, meeting_id: str) -> None:
        assert (await self.api.request("DELETE", f"v3/booking/meetings/{meeting_id}")).is_success

    async def wish(self, name: str, **members: Any) -> str:
        window = {"from": (TUESDAY_AT_TEN - HOUR).isoformat(), "to": (TUESDAY_AT_TEN + 24 * HOUR).isoformat()}
        body = {"topicId": TOPIC, "meetingTypes": ["Online"], "employeeIds": [ANNA], "customerId": "C-1001"}
        made = await self.api.post(WISHES, body | window | {"name": name} | members)
        assert made.status_code == 201, made.text
        self.clock.advance(seconds=1)
        return made.json()["id"]

    async def rule(self, template: str) -> str:
        made = await self.api.post(
            "v3/booking/config/document-rules", {"template": template, "hoursBefore": None, "topicId": TOPIC}
        )
        assert made.status_code == 201, made.text
        return made.json()["id"]


@pytest_asyncio.fixture
async def office(api: Api, services: Services, clock: HandClock) -> Office:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 9144000, 914400).text_frame.text = "Dear {{customer.name}}"
    file = io.BytesIO()
    deck.save(file)
    parts: Any = {"file": ("greeting.pptx", file.getvalue()), "name": (None, "Greeting")}
    assert (await api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    office = Office(api, services, clock)
    await office.work()
    return office


# ------------------------------------------------------------------------------------------------------------ offers


async def test_who_waits_is_told_once_of_the_time_and_until_when_it_is_held(office: Office) -> None:
    meeting_id = await office.book()
    await office.wish("Freja", email="freja@example.com")
    await office.cancel(meeting_id)
    await office.work()
    await office.work()
    (mail,) = await office.mails("A time for you")
    assert mail.to == ["freja@example.com"]
    until = office.clock() + timedelta(minutes=15) + HOUR  # Copenhagen's
    assert mail.subject == "A time for you on Tuesday 3 March 2026, 10:00 to 11:00"
    for words in ("Hello Freja,", f"fifteen minutes, until {until:%H:%M}.", "Booking: With Nordlys", "Where: Online"):
        assert words in mail.text
    assert "C-1001" not in mail.text + mail.html
    assert mail.calendar is None


async def test_an_offer_speaks_the_language_in_which_the_wish_was_made(office: Office) -> None:
    meeting_id = await office.book()
    await office.wish("Freja", email="freja@example.com", language="da-DK")
    await office.cancel(meeting_id)
    await office.work()
    (mail,) = await office.mails("En tid til dig")
    assert mail.subject == "En tid til dig tirsdag 3. marts 2026 kl. 10.00\N{EN DASH}11.00"
    assert "Tirsdag 3. marts 2026 kl. 10.00\N{EN DASH}11.00, dansk tid" in mail.text


async def test_an_offer_that_passes_on_is_told_to_the_next(office: Office) -> None:
    meeting_id = await office.book()
    await office.wish("Freja", email="freja@example.com")
    await office.wish("Carl", phone="70 10 20 30")
    await office.wish("Bo", email="bo@example.com")
    await office.cancel(meeting_id)
    for _ in range(3):
        await office.work()
        office.clock.advance(minutes=15)
    assert [mail.to for mail in await office.mails("A time for you")] == [["freja@example.com"], ["bo@example.com"]]


async def test_an_offer_that_is_over_when_its_mail_would_go_is_not_told(office: Office) -> None:
    meeting_id = await office.book()
    wish_id = await office.wish("Freja", email="freja@example.com")
    await office.cancel(meeting_id)
    await work(office.services, office.clock)  # the time is free, and offered
    await office.services.routing.route(office.clock())  # the mail is due
    assert (await office.api.get(f"{WISHES}/{wish_id}")).json()["status"] == "Offered"
    office.clock.advance(minutes=15)
    await office.work()
    assert await office.mails("A time for you") == []


async def test_a_firm_chooses_the_words_of_offers(office: Office) -> None:
    words = {
        "subject": "Free: {{day}}",
        "heading": "Free",
        "body": "{{name}}, until {{until}}: 70 10 20 30",
        "closing": "",
    }
    texts = "v3/booking/config/message-texts"
    assert (await office.api.request("PUT", f"{texts}/Offer/en", json=words)).status_code == 200
    previewed = (await office.api.get(f"{texts}/Offer/en/preview")).json()
    assert "Freja Nielsen, until 10:30: 70 10 20 30" in previewed["text"]
    for kind in ("Offer", "EmployeeDocuments", "EmployeeDocumentsFailed"):
        assert (await office.api.get(f"{texts}/{kind}/da/preview")).status_code == 200
    meeting_id = await office.book()
    await office.wish("Freja", email="freja@example.com")
    await office.cancel(meeting_id)
    await office.work()
    (mail,) = await office.mails("Free: Tuesday")
    assert "Freja, until" in mail.text


# --------------------------------------------------------------------------------------------------------- documents


async def test_the_advisor_gets_links_to_the_documents_that_were_made_once_for_each_making(office: Office) -> None:
    await office.rule("Greeting")
    meeting_id = await office.book()
    await office.work()
    await office.work()
    (mail,) = await office.mails("Documents:")
    documents = (await office.api.get(f"v3/booking/meetings/{meeting_id}/documents")).json()
    assert mail.to == [ADVISOR]
    assert [document["kind"] for document in documents] == ["Deck", "Pdf"]
    for document in documents:
        assert document["downloadUrl"] in mail.text
        assert document["downloadUrl"].replace("&", "&amp;") in mail.html
    assert "C-1001" not in mail.text + mail.html
    changed = await office.api.request(
        "PATCH", f"v3/booking/meetings/{meeting_id}", json=[replace("/description", "Pensions")]
    )
    assert changed.status_code == 200
    await office.work()
    assert len(await office.mails("Documents:")) == 2


async def test_what_several_rules_make_is_one_mail_and_the_same_documents_are_told_once(office: Office) -> None:
    for _ in range(2):
        await office.rule("Greeting")
    meeting_id = await office.book()
    await office.work()
    (mail,) = await office.mails("Documents:")
    assert mail.text.count("/download?") == 4
    async with office.services.database.transaction(NORDLYS.tenant_id) as connection:
        await add_event(connection, UUID(meeting_id), EventType.DOCUMENTS_READY, office.clock())
    await office.work()
    assert len(await office.mails("Documents:")) == 1


async def test_the_advisor_is_told_why_documents_could_not_be_made(office: Office) -> None:
    await office.rule("Absent")
    meeting_id = await office.book()
    await office.work()
    await office.work()
    (mail,) = await office.mails("No documents:")
    (problem,) = (await office.api.get(f"v3/booking/meetings/{meeting_id}/documents/problems")).json()
    assert mail.to == [ADVISOR]
    assert f"Reason: {problem['problem']}" in mail.text
    assert await office.mails("Documents:") == []


async def test_nothing_is_told_of_documents_of_a_meeting_that_was_cancelled(office: Office) -> None:
    await office.rule("Absent")
    meeting_id = await office.book()
    await work(office.services, office.clock)  # it failed
    await office.services.routing.route(office.clock())  # the mail is due
    await office.cancel(meeting_id)
    await office.work()
    assert await office.mails("No documents:") == []
    history = (await office.api.get(f"v3/booking/meetings/{meeting_id}/history")).text
    assert "The mail about the documents was not sent" in history


# ----------------------------------------------------------------------------------------------------- lost answers


@pytest_asyncio.fixture
async def inbox(office: Office, database: Database, clock: HandClock, tmp_path: Path) -> AsyncGenerator[Inbox]:
    """Lend the server that the office sends its mails to."""
    async with open_inbox() as inbox:
        address = f"smtp://127.0.0.1:{inbox.port}"
        async with aclosing(make_services(database, clock, tmp_path, BlankPages(), smtp_url=address)) as services:
            office.services = services
            yield inbox


def list_ids(inbox: Inbox, word: str) -> list[str]:
    """Return the Message-IDs of the mails with a word in their subject."""
    return [mail["Message-ID"] for mail in inbox.mails if word in mail["Subject"]]


@pytest.mark.parametrize("change", [None, "Pensions"])
async def test_a_mail_about_documents_without_an_answer_is_sent_again_and_hides_no_newer_ones(
    office: Office, inbox: Inbox, change: str | None
) -> None:
    await office.rule("Greeting")
    meeting_id = await office.book()
    inbox.does["DATA"] = LOSE
    await office.work()
    inbox.does.clear()
    if change is not None:
        patched = await office.api.request(
            "PATCH", f"v3/booking/meetings/{meeting_id}", json=[replace("/description", change)]
        )
        assert patched.is_success
    for _ in range(3):
        office.clock.advance(minutes=1)
        await office.work()
    ids = list_ids(inbox, "Documents:")
    # Whether the first is repeated before the newer documents are there depends on which is done first.
    assert len(set(ids)) == (2 if change else 1)
    assert Counter(ids).most_common(1)[0][1] <= 2
    assert ids[-1] != ids[0] or change is None


async def test_the_history_says_that_a_mail_about_documents_was_perhaps_sent(office: Office, inbox: Inbox) -> None:
    await office.rule("Greeting")
    meeting_id = await office.book()
    inbox.does["DATA"] = LOSE
    await office.work()
    await office.cancel(meeting_id)
    inbox.does.clear()
    office.clock.advance(minutes=1)
    await office.work()
    history = (await office.api.get(f"v3/booking/meetings/{meeting_id}/history")).json()
    assert {one["action"] for one in history if "documents" in one.get("reason", "")} == {"MessagePerhapsSent"}


async def test_an_offer_without_an_answer_is_sent_again_as_the_same_mail(office: Office, inbox: Inbox) -> None:
    meeting_id = await office.book()
    await office.wish("Freja", email="freja@example.com")
    await office.cancel(meeting_id)
    inbox.does["DATA"] = LOSE
    await office.work()
    inbox.does.clear()
    office.clock.advance(minutes=1)
    await office.work()
    ids = list_ids(inbox, "A time for you")
    assert (len(ids), len(set(ids))) == (2, 1)
