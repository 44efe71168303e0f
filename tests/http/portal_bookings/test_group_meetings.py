"""Group meetings on a portal: seats are shown, held and booked, and nobody sees the others."""

from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, list_meetings, reach_times
from support.portal_mails import Mailbox
from support.searches import change

pytestmark = pytest.mark.usefixtures("no_meetings")

REVIEW = str(NORDLYS.id_of("topic", "Annual review"))
FREJA = {"name": "Freja Holm", "email": "freja@example.com", "Telephone": "+45 70 10 20 30"}
Json = dict[str, Any]


async def book_second_time(visitor: FormVisitor, clock: HandClock, **details: str) -> str:
    """Book the second of the times that are offered; return its words."""
    await reach_times(visitor)
    words = visitor.times[1].get("aria-label")
    await visitor.choose_time(1)
    clock.advance(seconds=10)
    await visitor.press("Continue", **details)
    await visitor.press("Book")
    assert visitor.heading == "Your meeting is booked"
    return words


@pytest.fixture
async def seats(api: Api) -> None:
    await change(api, f"meeting-topics/{REVIEW}", seats=3)


async def book_beside(api: Api, portal: Json, clock: HandClock, words: str) -> FormVisitor:
    """Book the seat beside the first customer for Noah; return his browser at the page of his meeting."""
    noah = FormVisitor(api.http, portal["address"])
    await reach_times(noah)
    (begun,) = [each for each in noah.times if "left" in each.text_content()]
    assert begun.get("aria-label") == f"{words}, 2 seats left"
    await noah.send(begun, {})
    clock.advance(seconds=10)
    await noah.press("Continue", name="Noah Lund", email="noah@example.com", Telephone="+45 11 11 11 11")
    await noah.press("Book")
    assert noah.heading == "Your meeting is booked"
    return noah


async def list_of_noah(api: Api) -> Json:
    (own,) = [one for one in await list_meetings(api) if one["externalAttendees"][0]["name"] == "Noah Lund"]
    return own


@pytest.mark.usefixtures("seats")
async def test_a_customer_sees_nothing_of_those_who_share_the_time(
    api: Api, portal: Json, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox, services: Services
) -> None:
    words = await book_second_time(visitor, clock, **FREJA)
    freja = (await list_meetings(api))[0]
    noah = await book_beside(api, portal, clock, words)
    own = await list_of_noah(api)
    assert own["sharedSlotId"] == freja["sharedSlotId"]
    link = str(noah.answer.url).partition("?")[0]
    steps = ("", "/move", "/details", "/cancel", "/meeting.ics")
    seen = [noah.answer.text, *[(await api.http.get(f"{link}{step}")).text for step in steps]]
    seen.append((await api.http.post(f"/api/v3/booking/meetings/{own['id']}/ical", headers=api.headers)).text)
    await mailbox.read()
    path = f"v3/booking/meetings/{own['id']}"
    assert (await api.request("DELETE", path, params={"sharedSlot": "true"})).status_code == 204
    clock.advance(minutes=2)
    mails = [mail for mail in await mailbox.read() if mail.to[0] == "noah@example.com"]
    assert [bool(mail.calendar) for mail in mails] == [True, True], "booked, and cancelled with the whole"
    seen += [str(mail) for mail in mails]
    await services.routing.route(clock())
    elevated = await api.of(api.firm, elevated=True)
    events = (await elevated.get("v3/events", params={"types": "meeting.*", "limit": 1000})).json()["items"]
    told = [one for one in events if one["subject"] == f"meetings/{own['id']}"]
    assert [one["type"] for one in told] == ["meeting.created", "meeting.cancelled"]
    seen += [str(one) for one in told]
    for text in seen:
        assert not [secret for secret in (*FREJA.values(), "Freja", freja["id"]) if secret in text]


@pytest.mark.usefixtures("seats")
async def test_a_customer_moves_from_a_shared_time_to_another_and_to_one_of_their_own(
    api: Api, portal: Json, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    words = await book_second_time(visitor, clock, **FREJA)
    noah = await book_beside(api, portal, clock, words)
    before = await list_of_noah(api)
    await mailbox.read()
    await noah.press("Move")
    await noah.choose_time(4)
    await noah.press("Move")
    alone = await list_of_noah(api)
    assert alone["sharedSlotId"] != before["sharedSlotId"]
    clock.advance(minutes=2)
    assert await mailbox.count() == {"freja@example.com": 1, "noah@example.com": 2}
    await noah.press("Move")
    (begun,) = [each for each in noah.times if "2 seats left" in each.text_content()]
    await noah.send(begun, {})
    await noah.press("Move")
    assert (await list_of_noah(api))["sharedSlotId"] == before["sharedSlotId"]
    await noah.press("Cancel the meeting")
    await noah.press("Cancel the meeting")
    (left,) = await list_meetings(api)
    assert (left["sharedSlotId"], left["externalAttendees"][0]["name"]) == (before["sharedSlotId"], "Freja Holm")
    assert (await mailbox.count())["freja@example.com"] == 1, "the others' coming and going is nobody else's"
