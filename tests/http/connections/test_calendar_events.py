"""Meetings are written into the calendars of a firm's Microsoft 365, as its fake plays it."""

from collections.abc import AsyncGenerator
from typing import Final

import pytest_asyncio

from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph_firm import HOUR, WritingFirm, at, open_writing_firm

FREJA: Final = {"name": "Freja", "email": "freja@example.com"}
ANNA: Final = "Anna Holm"
BO: Final = "Bo Lind"


@pytest_asyncio.fixture
async def firm(elevated: Api, clock: HandClock, services: Services) -> AsyncGenerator[WritingFirm]:
    async with open_writing_firm(elevated, clock, services) as firm:
        yield firm


async def test_a_meeting_is_one_event_that_is_moved_given_away_and_cancelled(firm: WritingFirm) -> None:
    await firm.connect()
    meeting = await firm.book(title="Pension", description="Bring <your> papers.", externalAttendees=[FREJA])
    await firm.work()
    [event] = firm.list_events(ANNA)
    assert (event.start, event.end, event.subject) == (TUESDAY_AT_TEN, TUESDAY_AT_TEN + HOUR, "Pension")
    assert event.transaction_id == f"{meeting['id']}-1"
    assert event.body.content == "Bring &lt;your&gt; papers."
    assert [each.email_address.address for each in event.attendees] == ["freja@example.com"]

    await firm.change(meeting, **at(2))
    await firm.work()
    [moved] = firm.list_events(ANNA)
    assert (moved.id, moved.start, moved.body) == (event.id, TUESDAY_AT_TEN + 2 * HOUR, event.body)

    await firm.change(meeting, employeeId=firm.api.id_of("employee", BO))
    await firm.work()
    assert firm.list_events(ANNA) == []
    assert [each.start for each in firm.list_events(BO)] == [TUESDAY_AT_TEN + 2 * HOUR]

    await firm.cancel(meeting)
    await firm.work()
    assert firm.list_events(ANNA) + firm.list_events(BO) == []
    made = [each for each in firm.graph.world.asked if each.method == "POST" and each.path.endswith("/events")]
    assert len(made) == 2


async def test_what_we_wrote_never_blocks_anybody(firm: WritingFirm) -> None:
    await firm.connect()
    meeting = await firm.book(additionalEmployees=[firm.api.id_of("employee", BO)])
    await firm.work()
    await firm.read()
    assert (len(firm.list_events(ANNA)), len(firm.list_events(BO))) == (1, 1)
    assert await firm.list_busy() == []
    await firm.change(meeting, **at(2))
    await firm.read()
    await firm.cancel(meeting)
    await firm.read()
    assert await firm.list_busy() == []
    firm.graph.plant(events=[{"mail": firm.mails[ANNA], "event": _event(2)}])
    await firm.read()
    assert await firm.list_busy() == []  # perhaps it is what was cancelled there
    await firm.work(minutes=11)
    await firm.read()
    assert await firm.list_busy() == [TUESDAY_AT_TEN + 2 * HOUR]


def _event(hours: int) -> dict[str, object]:
    begin = TUESDAY_AT_TEN + hours * HOUR
    start, end = ({"dateTime": f"{time:%Y-%m-%dT%H:%M:%S}"} for time in (begin, begin + HOUR))
    return {"subject": "Dentist", "start": start, "end": end}
