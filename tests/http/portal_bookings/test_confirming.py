"""A portal that books when the customer has confirmed the e-mail address: mail, page, and the time meanwhile."""

from typing import Any

import pytest
import pytest_asyncio

from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, book, list_meetings, reach_check, reach_times
from support.portal_mails import Mailbox

pytestmark = pytest.mark.usefixtures("no_meetings")

EMAIL = "freja@example.com"
SENT = "Confirm your e-mail address"


@pytest_asyncio.fixture
async def visitor(api: Api) -> FormVisitor:
    """Lend a visitor of a portal that asks to confirm addresses."""
    fields = [
        {"name": "phone", "label": "Telephone", "type": "Phone", "validation": {"required": True}},
        {"name": "campaign", "hidden": True},
    ]
    body = {"name": "Ours", "address": "ours", "authenticationType": "Anonymous", "fields": fields}
    made = await api.post("v3/config/portals", body | {"confirmEmail": True})
    assert (made.status_code, made.json()["confirmEmail"]) == (201, True)
    return FormVisitor(api.http, "ours")


async def _list_reserved(api: Api) -> list[dict[str, Any]]:
    return [one for one in (await api.get("v3/booking/time-slots")).json() if one["status"] == "Reserved"]


async def test_a_meeting_is_booked_when_the_address_is_confirmed(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await visitor.open("", campaign="spring")
    await book(visitor, clock)
    assert (visitor.status, visitor.heading) == (200, SENT)
    assert f"We sent an e-mail to {EMAIL}. Open it within 15 minutes" in visitor.text
    assert (await list_meetings(api), len(await _list_reserved(api))) == ([], 1)
    (mail,) = await mailbox.read()
    assert (mail.to, mail.calendar) == ([EMAIL], None)
    clock.advance(minutes=14)
    path = await mailbox.find_path("c")
    reader = FormVisitor(api.http, "ours")
    for _ in range(2):  # a program that follows links
        await reader.open(path)
    assert (reader.status, reader.heading) == (200, "Confirm and book")
    assert await list_meetings(api) == [], "GET shows, only POST acts"
    await reader.press("Confirm and book")
    assert reader.heading == "Your meeting is booked"
    (meeting,) = await list_meetings(api)
    assert meeting["externalAttendees"][0]["email"] == EMAIL
    assert {"key": "phone", "value": "+45 70 10 20 30"} in meeting["customFields"]
    await reader.open(path)
    assert reader.heading == "Your meeting is booked", "the link shows the meeting from now on"
    assert (await api.http.post(f"/p/ours{path.partition('?')[0]}")).status_code == 303
    assert len(await list_meetings(api)) == 1
    await visitor.press("I have confirmed")
    assert visitor.heading == "Your meeting is booked", "the page that waited goes on, too"
    assert [mail.calendar is not None for mail in await mailbox.read()] == [False, True]


async def test_a_time_that_is_not_held_any_more_books_nothing_and_leads_to_a_new_one(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    path = await mailbox.find_path("c")
    clock.advance(minutes=15)
    reader = FormVisitor(api.http, "ours", "da")
    await reader.open(path.replace("lang=en", "lang=da"))
    assert (reader.status, reader.heading) == (410, "Din tid er ikke længere reserveret")
    assert (await api.http.post(f"/p/ours{path.partition('?')[0]}")).status_code == 410
    assert await list_meetings(api) == []
    await reader.follow("Book et nyt møde")
    assert reader.status == 200
    await visitor.press("I have confirmed")
    assert visitor.status == 409
    assert "Your time is no longer held" in visitor.text
    assert set(visitor.inputs("email")) == {EMAIL}


async def test_the_time_is_kept_as_long_as_the_visitor_says_so(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    path = await mailbox.find_path("c")
    for _ in range(2):
        clock.advance(minutes=12)
        await visitor.press("Keep this time")
        assert visitor.heading == SENT
        clock.advance(minutes=-8)  # a held time lasts five minutes from here on
    await visitor.press("I have confirmed")
    assert (visitor.status, visitor.heading) == (200, SENT)
    assert "not confirmed yet" in visitor.answer.text
    reader = await FormVisitor(api.http, "ours").open(path)
    await reader.press("Confirm and book")
    assert reader.heading == "Your meeting is booked"


async def test_a_corrected_address_gets_the_mail_and_the_wrong_ones_link_ends(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    wrong = await mailbox.find_path("c")
    await visitor.press("Change the address")
    await visitor.press("Continue", email="freja@right.example")
    await visitor.press("Book")
    await visitor.press("Send the e-mail again")
    assert await mailbox.count() == {"freja@right.example": 1}, "not again within a minute"
    clock.advance(minutes=1)
    await visitor.press("Send the e-mail again")
    assert await mailbox.count() == {"freja@right.example": 2}
    assert (await api.http.get(f"/p/ours{wrong}")).status_code == 410
    reader = await FormVisitor(api.http, "ours").open(await mailbox.find_path("c"))
    await reader.press("Confirm and book")
    (meeting,) = await list_meetings(api)
    assert meeting["externalAttendees"][0]["email"] == "freja@right.example"


async def test_leaving_gives_the_time_back_and_ends_the_link(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    await book(visitor, clock)
    path = await mailbox.find_path("c")
    await visitor.press("Leave without booking")
    assert await _list_reserved(api) == []
    assert (await api.http.get(f"/p/ours{path}")).status_code == 410


async def test_where_no_mail_is_sent_a_meeting_is_booked_at_once(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    settings = "v3/booking/config/message-settings"
    assert (await api.request("PUT", settings, json={"sendMessages": False})).is_success
    await book(visitor, clock)
    assert visitor.heading == "Your meeting is booked"


async def test_a_danish_page_sends_a_danish_mail(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    danish = FormVisitor(api.http, visitor.portal, "da")
    await reach_times(danish)
    await reach_check(danish, clock, Telephone="+45 70 10 20 30")
    await danish.press("Book")
    assert danish.heading == "Bekræft din e-mailadresse"
    assert "inden for 15 minutter" in danish.text
    (mail,) = await mailbox.read()
    assert mail.subject.startswith("Bekræft dit møde")
    assert "?lang=da" in mail.text
