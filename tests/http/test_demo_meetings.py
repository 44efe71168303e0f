"""The demo firms with meetings: weeks that were and weeks to come, and nobody is told of them."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS, ZONE
from meetdeck.demo.living import load_demo_meetings
from meetdeck.platform.database import Database
from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock


async def _list_meetings(api: Api) -> list[dict[str, Any]]:
    return (await api.get("v3/booking/meetings", params={"includeCancelled": "true"})).json()


async def test_the_weeks_hold_what_a_firm_has(api: Api, services: Services, clock: HandClock) -> None:
    seeded = len(await _list_meetings(api))
    assert await load_demo_meetings(services) > 100
    meetings, now = await _list_meetings(api), clock()
    starts = [datetime.fromisoformat(one["startDate"]) for one in meetings]
    assert now - timedelta(weeks=6, days=1) < min(starts) < now - timedelta(weeks=5)
    assert now + timedelta(weeks=2) < max(starts) < now + timedelta(weeks=3)
    assert Counter(one.get("attendance") for one in meetings).keys() == {"Attended", "NoShow", None}
    assert any("cancelledAt" in one for one in meetings)
    coming = Counter(
        (one["employeeId"], start.astimezone(ZONE).date())
        for one, start in zip(meetings, starts, strict=True)
        if start > now and "cancelledAt" not in one
    )
    assert sum(coming.values()) > seeded
    assert max(coming.values()) <= 3  # two, and of next week one that was there
    assert {wish["status"] for wish in (await api.get("v3/booking/wishes")).json()} == {"Waiting"}
    topics = (await api.get("v3/booking/config/meeting-topics")).json()
    assert {one["localizedName"]["da-DK"] for one in topics} >= {"Boligkøb", "Investering"}
    portals = (await api.get("v3/booking/config/portals")).json()
    unsaid = [
        text["en-GB"]
        for one in (*topics, *(field for portal in portals for field in portal["fields"]))
        for name, text in one.items()
        if name.startswith("localized") and text["en-GB"] and "da-DK" not in text and text["en-GB"][0] != "+"
    ]
    assert not unsaid, "all that a customer reads is Danish, too"


async def test_nobody_is_told(services: Services, database: Database) -> None:
    count = "select (select count(*) from event), (select count(*) from job where queue <> 'webhooks')"
    async with database.transaction(NORDLYS.tenant_id) as connection:
        before = await connection.fetchrow(count)
    await load_demo_meetings(services)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        assert await connection.fetchrow(count) == before


@pytest.mark.thorough
async def test_a_firm_with_a_past_stays_as_it_is(api: Api, services: Services) -> None:
    await load_demo_meetings(services)
    meetings = await _list_meetings(api)
    assert await load_demo_meetings(services) == 0
    assert await _list_meetings(api) == meetings
