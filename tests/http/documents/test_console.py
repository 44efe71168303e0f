"""A meeting's documents on its page of the console."""

import pytest
from lxml import html

from support.console import ANNA, Browser
from support.meeting_documents import Firm
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
