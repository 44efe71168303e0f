"""Decks that somebody prepares for a meeting: begun with what is known, kept with it, and sent to the customer."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from meetdeck.platform.database import Database
from support.console import ANNA, Browser
from support.factories import TUESDAY_AT_TEN
from support.meeting_documents import MEETINGS, Firm
from support.messages import Post

pytestmark = pytest.mark.usefixtures("no_meetings")
AGNES = {"name": "Agnes Skov", "email": "agnes@example.com", "isCustomer": True}
KARL = {"name": "Karl Skov", "email": "karl@example.com"}


async def book(firm: Firm, day: int = 0, **members: Any) -> str:
    guests = {"externalAttendees": [AGNES, KARL], "title": "Pension"}
    return await firm.book(TUESDAY_AT_TEN + timedelta(days=day), **(guests | members))


def read_form(text: str, action: str) -> dict[str, Any]:
    form = next(one for one in html.fromstring(text).forms if (one.action or "").endswith(action))
    values: dict[str, Any] = {}
    for name, value in form.form_values():
        values[name] = [*values.get(name, []), str(value).removeprefix("\n")]
    return values


async def fill(browser: Browser, meeting_id: str) -> dict[str, Any]:
    """Go from the meeting to the form for the data of a first deck."""
    templates = await browser.get(f"/calendar/meetings/{meeting_id}/deck")
    (link,) = html.fromstring(templates.text).xpath("//h2/a[text()='Greeting']/@href")
    slides = await browser.get(link.rpartition("console")[2])
    filled = await browser.post("/decks/new", read_form(slides.text, "/decks/new"))
    return read_form(filled.text, "/decks/data")


async def prepare(browser: Browser, meeting_id: str, **typed: str) -> Any:
    return await browser.post("/decks/data", await fill(browser, meeting_id) | typed)


async def test_a_deck_begins_with_what_is_known_of_the_meeting_and_is_kept_with_it(firm: Firm) -> None:
    meeting_id, browser = await book(firm), await Browser.open(firm.api, ANNA)
    form = await fill(browser, meeting_id)
    assert {name: value for name, value in form.items() if name.startswith("/")} == {
        "/customer/name": ["Agnes Skov"],
        "/advisor/name": ["Anna Holm"],
        "/topic/name": ["Annual review"],
        "/meeting/customerId": ["C-1001"],
    }
    kept = await browser.post("/decks/data", form | {"/customer/name": "Agnes"})
    assert "The deck is created and stored with the meeting." in kept.text
    deck, pdf = await firm.documents(meeting_id)
    assert (deck["kind"], pdf["kind"], deck["ruleId"]) == ("Deck", "Pdf", None)
    assert "Dear Agnes" in await firm.texts(deck)
    page = html.fromstring(kept.text)
    links = page.xpath("//section[@aria-labelledby='deck']//a[@download]")
    assert [link.text_content().strip() for link in links] == ["PowerPoint", "PDF", "Handouts"]
    (picture,) = page.xpath("//section[@aria-labelledby='deck']//img/@src")
    assert (await browser.get(picture.rpartition("console")[2])).headers["Content-Type"] == "image/webp"
    handouts = await browser.get(links[2].get("href").rpartition("console")[2])
    assert handouts.content.startswith(b"%PDF")
    assert "Deck ready" in (await browser.get("?whose=own")).text


async def test_it_is_kept_while_the_meeting_changes_and_gone_with_it(firm: Firm) -> None:
    await firm.rule()
    meeting_id, browser = await book(firm), await Browser.open(firm.api, ANNA)
    await firm.work()
    await prepare(browser, meeting_id)
    await firm.move(meeting_id, TUESDAY_AT_TEN + timedelta(days=9))
    await firm.work()
    await firm.at(TUESDAY_AT_TEN + timedelta(days=8))
    by_hand = [one["kind"] for one in await firm.documents(meeting_id) if one["ruleId"] is None]
    assert by_hand == ["Deck", "Pdf"]
    (await firm.api.request("DELETE", f"{MEETINGS}/{meeting_id}")).raise_for_status()
    await firm.work()
    assert (await firm.api.get(f"{MEETINGS}/{meeting_id}/deck")).status_code == 404


async def test_another_customer_of_the_meeting_never_gets_it(firm: Firm) -> None:
    meeting_id, browser = await book(firm), await Browser.open(firm.api, ANNA)
    await prepare(browser, meeting_id, **{"is-sent": "yes"})
    firm.clock.advance(minutes=5)
    await firm.at(firm.clock())
    await firm.change(meeting_id, {"op": "replace", "path": "/customerId", "value": "C-2"})
    assert await firm.documents(meeting_id) == []
    assert (await firm.api.get(f"{MEETINGS}/{meeting_id}/deck")).status_code == 404
    suggested = (await firm.api.get(f"{MEETINGS}/{meeting_id}/deck/suggestion")).json()
    assert (suggested["source"], suggested["data"]) == ("Topic", {})


async def test_the_next_deck_begins_with_the_last_of_the_customer_else_of_the_topic(firm: Firm) -> None:
    first, browser = await book(firm), await Browser.open(firm.api, ANNA)
    await prepare(browser, first, **{"/topic/name": "Your pension"})
    again, other = await book(firm, 1), await book(firm, 2, customerId="C-2", externalAttendees=[])
    third = await book(firm, 3, customerId="C-2", topicId=None)
    own = read_form((await browser.get(f"/calendar/meetings/{again}/deck")).text, "/decks/data")
    assert own["/customer/name"] == ["Agnes Skov"]
    by_topic = read_form((await browser.get(f"/calendar/meetings/{other}/deck")).text, "/decks/data")
    assert (by_topic["slide"], by_topic["/customer/name"]) == (own["slide"], [""])
    assert by_topic["/topic/name"] == ["Annual review"]
    assert (await browser.get(f"/calendar/meetings/{third}/deck")).url.path.endswith("/console/decks")


async def test_only_the_customer_is_sent_the_link_and_only_when_that_is_chosen(
    firm: Firm, database: Database, tmp_path: Path
) -> None:
    meeting_id, browser, post = await book(firm), await Browser.open(firm.api, ANNA), Post(database, tmp_path)
    await post.send(firm.clock())
    kept = await prepare(browser, meeting_id)
    assert "not sent to the customer" in kept.text
    await firm.change(meeting_id, {"op": "replace", "path": "/title", "value": "Pension and home"})
    await post.send(firm.clock())
    assert not any("Document: PDF" in mail.text for mail in await post.read())
    form = read_form((await browser.get(f"/calendar/meetings/{meeting_id}/deck")).text, "/decks/data")
    await browser.post("/decks/data", form | {"is-sent": "yes"})
    await firm.change(meeting_id, {"op": "replace", "path": "/title", "value": "Home"})
    await post.send(firm.clock())
    told = [mail for mail in await post.read() if "Document: PDF (" in mail.text]
    assert [mail.to for mail in told] == [[AGNES["email"]]]
    link = told[0].text.partition("Document: PDF (")[2].partition(")")[0]
    assert (await firm.api.http.get(link)).content.startswith(b"%PDF")


async def test_a_deck_is_removed_with_its_files(firm: Firm) -> None:
    meeting_id, browser = await book(firm), await Browser.open(firm.api, ANNA)
    await prepare(browser, meeting_id)
    (deck, _) = await firm.documents(meeting_id)
    removed = await browser.post(f"/calendar/meetings/{meeting_id}/deck/remove", {})
    assert "The deck is removed." in removed.text
    assert await firm.documents(meeting_id) == []
    assert (await firm.api.http.get(deck["downloadUrl"])).status_code == 404
    lost: dict[str, Any] = {"contentId": deck["contentId"], "template": "Greeting", "slides": []}
    assert (await firm.api.request("PUT", f"{MEETINGS}/{meeting_id}/deck", json=lost)).status_code == 404


async def test_a_deck_of_no_named_slide_has_no_picture(firm: Firm) -> None:
    meeting_id, browser = await book(firm), await Browser.open(firm.api, ANNA)
    stored = await firm.api.request("POST", "v3/present/contents", files={"file": ("deck.pptx", b"PK")})
    deck: dict[str, Any] = {"contentId": stored.json()["contentId"], "template": "Greeting", "slides": []}
    assert (await firm.api.request("PUT", f"{MEETINGS}/{meeting_id}/deck", json=deck)).status_code == 200
    assert (await browser.get(f"/calendar/meetings/{meeting_id}")).status_code == 200
    assert (await browser.get(f"/calendar/meetings/{meeting_id}/deck/picture")).status_code == 404


async def test_data_that_is_too_much_to_keep_is_left_out(firm: Firm) -> None:
    meeting_id, browser = await book(firm), await Browser.open(firm.api, ANNA)
    form = await fill(browser, meeting_id) | {"/customer/name": "Agnes " * 200_000}
    kept = await browser.http.post("/console/decks/data", data=form, files={"none": ("", b"")})
    assert "The deck is created and stored with the meeting." in kept.text
    assert (await firm.api.get(f"{MEETINGS}/{meeting_id}/deck")).json()["data"] == {}
