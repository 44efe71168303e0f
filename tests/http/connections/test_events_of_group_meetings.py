"""Customers who share a time are one event in the calendars of a firm, naming none of them (docs/decisions/0213)."""

from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest
import pytest_asyncio

from graph_fake.events import Event
from meetdeck.demo.firm import NORDLYS
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph_firm import HOUR, SETTINGS, WritingFirm, at, open_writing_firm
from support.searches import change

pytestmark = pytest.mark.usefixtures("no_meetings")

ANNA: Final = "Anna Holm"
BO: Final = "Bo Lind"
REVIEW: Final = str(NORDLYS.id_of("topic", "Annual review"))
Json = dict[str, Any]


@pytest_asyncio.fixture
async def firm(elevated: Api, clock: HandClock, services: Services) -> AsyncGenerator[WritingFirm]:
    async with open_writing_firm(elevated, clock, services) as firm:
        await change(elevated, f"meeting-topics/{REVIEW}", seats=5)
        yield firm


async def join(firm: WritingFirm, customer: str, hours: int = 0, **members: Any) -> Json:
    """Book a seat for a customer, who is invited by mail, and do what follows."""
    attendee = {"name": customer, "email": f"{customer.lower()}@example.com", "isCustomer": True}
    about: Json = {"topicId": REVIEW, "title": f"Review with {customer}", "externalAttendees": [attendee]}
    meeting = await firm.book(hours, customerId=customer, **(about | members))
    await firm.work()
    return meeting


def show(events: list[Event]) -> list[tuple[str, int]]:
    """Return the subjects of events, and how many hours after ten they begin."""
    return sorted((each.subject, (each.start - TUESDAY_AT_TEN) // HOUR) for each in events)


async def test_a_shared_time_is_one_event_that_says_how_many_come(firm: WritingFirm) -> None:
    await firm.connect()
    freja = await join(firm, "Freja")
    [event] = firm.list_events(ANNA)
    assert show([event]) == [("Annual review (1/5)", 0)]
    noah = await join(firm, "Noah")
    await join(firm, "Emma", additionalEmployees=[firm.api.id_of("employee", BO)])
    [full] = firm.list_events(ANNA)
    assert (full.id, full.subject) == (event.id, "Annual review (3/5)")
    assert [each.email_address.address for each in full.attendees] == [firm.mails[BO]]
    assert not any(one in str(full) for one in ("Freja", "Noah", "Emma", "example.com"))
    await firm.read()
    assert await firm.list_busy() == []

    await firm.change(noah, **at(2))
    await firm.cancel(freja)
    await firm.work()
    assert show(firm.list_events(ANNA)) == [("Annual review (1/5)", 0), ("Annual review (1/5)", 2)]
    await firm.read()
    assert await firm.list_busy() == []


async def test_the_event_goes_when_all_have_left_or_the_whole_is_cancelled(firm: WritingFirm) -> None:
    await firm.connect()
    alone = await join(firm, "Freja")
    first, _ = [await join(firm, one, 2) for one in ("Noah", "Emma")]
    await firm.cancel(alone)
    await firm.work()
    assert show(firm.list_events(ANNA)) == [("Annual review (2/5)", 2)]
    before, told = len((await firm.list_mails())[firm.mails[ANNA]]), len(await firm.list_texts())
    answer = await firm.api.request("DELETE", f"v3/booking/meetings/{first['id']}", params={"sharedSlot": "true"})
    assert answer.status_code == 204
    await firm.work()
    assert firm.list_events(ANNA) == []
    mails = await firm.list_mails()
    assert len(mails[firm.mails[ANNA]]) == before + 1, "the advisor is told once that the time is cancelled"
    assert [mails[f"{one}@example.com"] for one in ("noah", "emma")] == [[True, True], [True, True]]
    (to_anna,) = [text for text in (await firm.list_texts())[told:] if "Noah" in text and "Emma" in text]
    assert "Participants: Anna Holm, " in to_anna


async def test_a_meeting_that_begins_to_share_its_time_gives_up_its_own_event(firm: WritingFirm) -> None:
    await firm.connect()
    meeting = await firm.book(title="Pension")
    await firm.work()
    await firm.change(meeting, topicId=REVIEW)
    await firm.work()
    assert show(firm.list_events(ANNA)) == [("Annual review (1/5)", 0)]
    await firm.change(meeting, topicId=None)
    await firm.work()
    assert show(firm.list_events(ANNA)) == [("Pension", 0)]


async def test_mails_to_customers_have_their_own_appointment_and_the_advisor_has_the_event(firm: WritingFirm) -> None:
    await firm.connect()
    for one in ("Freja", "Noah"):
        await join(firm, one)
    assert await firm.list_mails() == {
        "anna@nordlys.example": [False, False],
        "freja@example.com": [True],
        "noah@example.com": [True],
    }


async def test_all_get_the_link_of_one_teams_meeting_and_whoever_leaves_gets_another(firm: WritingFirm) -> None:
    async def list_links(*meetings: Json) -> list[str]:
        return [(await firm.get(one) or {})["videoLink"] for one in meetings]

    await firm.connect(writes="EventsWithTeams")
    freja, noah = [await join(firm, one) for one in ("Freja", "Noah")]
    await firm.work(seconds=3)
    [event] = firm.list_events(ANNA)
    assert await list_links(freja, noah) == [event.join_url] * 2
    await firm.change(noah, **at(2))
    for _ in range(3):
        await firm.work(seconds=3)
    [other] = [each for each in firm.list_events(ANNA) if each.id != event.id]
    assert other.join_url not in {None, event.join_url}
    assert await list_links(freja, noah) == [event.join_url, other.join_url]


@pytest.mark.parametrize("rule", ["Follow", "PutBack"])
async def test_all_move_with_their_event_or_it_is_put_back(firm: WritingFirm, rule: str) -> None:
    await change(firm.api, SETTINGS, whenMovedThere=rule)
    await firm.connect()
    meetings = [await join(firm, one) for one in ("Freja", "Noah")]
    [event] = firm.list_events(ANNA)
    firm.move_there(ANNA, event, 3)
    await firm.read()
    await firm.work(seconds=10)
    hours = 3 if rule == "Follow" else 0
    found = [await firm.get(one) or {} for one in meetings]
    assert [one["startDate"] for one in found] == [f"2026-03-03T{9 + hours:02}:00:00Z"] * 2
    assert len({one["sharedSlotId"] for one in found}) == 1
    [after] = firm.list_events(ANNA)
    assert (after.id, show([after])) == (event.id, [("Annual review (2/5)", hours)])
    await firm.read()
    assert await firm.list_busy() == []
    await join(firm, "Emma", hours)
    assert show(firm.list_events(ANNA)) == [("Annual review (3/5)", hours)]


async def test_an_event_deleted_there_cancels_all_or_is_told_of_each(firm: WritingFirm) -> None:
    await firm.connect()
    meetings = [await join(firm, one) for one in ("Freja", "Noah")]
    [event] = firm.list_events(ANNA)
    firm.delete_there(ANNA, event)
    await firm.read()
    told = await firm.api.get("v3/events", params={"types": "meeting.calendarDiffers", "limit": 100})
    assert {one["data"]["id"] for one in told.json()["items"]} == {one["id"] for one in meetings}
    await change(firm.api, SETTINGS, whenMovedThere="Follow")
    [later, _] = [await join(firm, one, 3) for one in ("Emma", "Ida")]
    [event] = firm.list_events(ANNA)
    firm.delete_there(ANNA, event)
    firm.clock.advance(minutes=5)
    await firm.read()
    await firm.work(seconds=10)
    assert await firm.get(later) is None
    assert await firm.get(meetings[0]) is not None
