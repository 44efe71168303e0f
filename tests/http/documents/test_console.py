"""A meeting's documents on its page of the console."""

import pytest
from lxml import html

from support.console import ANNA, SIGNE, THOMAS, Browser, read_undo
from support.factories import TUESDAY_AT_TEN
from support.meeting_documents import RULES, Firm
from support.receivers import Receiver, answer

pytestmark = pytest.mark.usefixtures("no_meetings")


async def test_a_meetings_page_leads_to_its_deck_and_its_pdf(firm: Firm) -> None:
    await firm.rule()
    meeting_id = await firm.book()
    browser = await Browser.open(firm.api, ANNA)
    assert "Documents" not in (await browser.get(f"/calendar/meetings/{meeting_id}")).text
    await firm.work()
    page = html.fromstring((await browser.get(f"/calendar/meetings/{meeting_id}")).text)
    links = page.xpath("//section[@aria-labelledby='documents']//a")
    assert [link.text for link in links] == ["Deck", "PDF"]
    assert "1 finding" in links[0].getparent().text_content()
    assert (await firm.api.http.get(links[1].get("href"))).content.startswith(b"%PDF")


async def test_a_meetings_page_says_why_its_documents_could_not_be_made(firm: Firm, service: Receiver) -> None:
    service.answers = [answer(503)]
    await firm.rule(dataUrl=service.url)
    meeting_id = await firm.book()
    await firm.work()
    page = await (await Browser.open(firm.api, ANNA)).get(f"/calendar/meetings/{meeting_id}")
    assert "The data service 127.0.0.1 answers 503." in page.text


async def test_a_configurator_sees_where_meetings_are_sent_and_an_administrator_sets_it(
    firm: Firm, service: Receiver
) -> None:
    signe, thomas = await Browser.open(firm.api, SIGNE), await Browser.open(firm.api, THOMAS)
    refused = await signe.post("/settings/document-rules/new", {"template": "Greeting", "dataUrl": service.url})
    assert refused.status_code == 422
    told = html.fromstring(refused.text).get_element_by_id("dataUrl-error").text
    assert told == "Only administrators can change this."
    rule = await firm.rule(dataUrl=service.url)
    path = f"/settings/document-rules/{rule['id']}"
    fields = {one: html.fromstring((await one.get(path)).text).get_element_by_id("dataUrl") for one in (signe, thomas)}
    assert [(one.get("value"), one.get("readonly")) for one in fields.values()] == [
        (service.url, "readonly"),
        (service.url, None),
    ]
    form = html.fromstring((await signe.get(path)).text).forms
    values = dict(next(one for one in form if one.get("id") == "settings-form").form_values())
    assert (await signe.post(path, values | {"hoursBefore": "3"})).url.path == "/console/settings/document-rules"
    kept = (await firm.api.get(f"{RULES}/{rule['id']}")).json()
    assert (kept["hoursBefore"], kept["dataUrl"]) == (3, service.url)


async def test_undo_gives_no_meetings_away(firm: Firm, service: Receiver) -> None:
    rule = await firm.rule(dataUrl=service.url)
    signe = await Browser.open(firm.api, SIGNE)
    sure = await signe.post(f"/settings/document-rules/{rule['id']}/delete", {})
    values = dict(html.fromstring(sure.text).xpath("//main//form")[0].form_values())
    deleted = await signe.post(f"/settings/document-rules/{rule['id']}/delete", values | {"sure": "yes"})
    assert read_undo(deleted) == ["Undo"]
    refused = await signe.post("/settings/document-rules/undo", {})
    assert (refused.status_code, "Only administrators can undo this." in refused.text) == (409, True)
    assert (await firm.api.get(RULES)).json() == []


async def test_the_overview_says_which_meetings_are_prepared(firm: Firm) -> None:
    await firm.rule()
    meeting_id = await firm.book(TUESDAY_AT_TEN)
    browser = await Browser.open(firm.api, ANNA)
    assert "Deck ready" not in (await browser.get("?whose=own")).text
    await firm.work()
    page = html.fromstring((await browser.get("?whose=own")).text)
    (ready,) = page.xpath("//a[contains(., 'Deck ready')]/@href")
    assert ready.endswith(f"console/calendar/meetings/{meeting_id}")
