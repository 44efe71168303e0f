"""An event that was moved or deleted in Outlook: the meeting follows it, it is put back, or an event tells of it."""

from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest
import pytest_asyncio

from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph_firm import HOUR, WritingFirm, at, open_writing_firm

ANNA: Final = "Anna Holm"
SETTINGS: Final = "v3/booking/config/organization-settings"


@pytest_asyncio.fixture
async def firm(elevated: Api, clock: HandClock, services: Services) -> AsyncGenerator[WritingFirm]:
    async with open_writing_firm(elevated, clock, services) as firm:
        await firm.connect()
        yield firm


async def _rule(firm: WritingFirm, rule: str) -> None:
    setting = (await firm.api.get(SETTINGS)).json()
    patch = [{"op": "replace", "path": "/whenMovedThere", "value": rule}]
    answer = await firm.api.request("PATCH", f"{SETTINGS}/{setting['id']}", json=patch)
    assert answer.status_code == 200, answer.text


async def _count_told(firm: WritingFirm, meeting: dict[str, Any]) -> int:
    page = (await firm.api.get("v3/events", params={"types": "meeting.calendarDiffers", "pageSize": 100})).json()
    return sum(each["subject"] == f"meetings/{meeting['id']}" for each in page["items"])


async def test_a_meeting_follows_its_event(firm: WritingFirm) -> None:
    await _rule(firm, "Follow")
    meeting = await firm.book()
    await firm.work()
    [event] = firm.list_events(ANNA)
    firm.move_there(ANNA, event, 3)
    version = event.version
    await firm.read()
    moved = await firm.get(meeting)
    assert moved is not None
    assert moved["startDate"] == (TUESDAY_AT_TEN + 3 * HOUR).strftime("%Y-%m-%dT%H:%M:%SZ")
    [event] = firm.list_events(ANNA)
    assert (event.start, event.version) == (TUESDAY_AT_TEN + 3 * HOUR, version)  # it was not written again
    await firm.read()
    assert await firm.list_busy() == []
    firm.delete_there(ANNA, event)
    await firm.work(minutes=5)
    await firm.read()
    assert await firm.get(meeting) is None
    assert firm.list_events(ANNA) == []
    assert await _count_told(firm, meeting) == 0


async def test_what_the_rules_refuse_is_told_once(firm: WritingFirm) -> None:
    await _rule(firm, "Follow")
    meeting, _ = await firm.book(), await firm.book(3)
    await firm.work()
    firm.move_there(ANNA, firm.list_events(ANNA)[0], 3)
    for _ in range(4):
        await firm.read()
        await firm.work(minutes=5)
    assert ((await firm.get(meeting)) or {})["startDate"] == TUESDAY_AT_TEN.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert await _count_told(firm, meeting) == 1


@pytest.mark.parametrize("change", ["moved", "deleted"])
async def test_an_event_is_put_back(firm: WritingFirm, change: str) -> None:
    await _rule(firm, "PutBack")
    meeting = await firm.book()
    await firm.work()
    [event] = firm.list_events(ANNA)
    if change == "moved":
        firm.move_there(ANNA, event, 3)
    else:
        firm.delete_there(ANNA, event)
    await firm.read()
    assert [each.start for each in firm.list_events(ANNA)] == [TUESDAY_AT_TEN]
    await firm.read()
    assert await firm.list_busy() == []
    assert await _count_told(firm, meeting) == 0


async def test_a_difference_is_only_told_and_the_next_change_ends_it(firm: WritingFirm) -> None:
    meeting = await firm.book()
    await firm.work()
    [event] = firm.list_events(ANNA)
    firm.move_there(ANNA, event, 3)
    for _ in range(4):
        await firm.read()
        await firm.work(minutes=5)
    assert [each.start for each in firm.list_events(ANNA)] == [TUESDAY_AT_TEN + 3 * HOUR]
    assert await firm.list_busy() == [TUESDAY_AT_TEN + 3 * HOUR]  # the advisor is busy there
    assert await _count_told(firm, meeting) == 1
    await firm.change(meeting, **at(5))
    await firm.work()
    assert [each.start for each in firm.list_events(ANNA)] == [TUESDAY_AT_TEN + 5 * HOUR]
    await firm.read()
    assert await firm.list_busy() == []


async def test_no_event_is_read_while_nothing_changes(firm: WritingFirm) -> None:
    await firm.book()
    for _ in range(3):
        await firm.read()
    assert [each.path for each in firm.graph.world.asked if each.method == "GET" and "/events/" in each.path] == []
