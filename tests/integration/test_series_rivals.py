"""Whatever many do at one moment to series of meetings: nothing is booked twice, no series is half booked or moved."""

import asyncio
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.meetings import ANNA, BO, FJORDEN, HAVBLIK, replace
from support.occupied import WRONGLY_HELD_BY_MEETINGS

MEETINGS = "v3/booking/meetings"
NEXT_YEAR = TUESDAY_AT_TEN + timedelta(weeks=52)  # the demo firms have nothing to do then
HALF_HOUR = timedelta(minutes=30)
ROUNDS = 8
AT_ONCE = 5
RULES = ("FREQ=WEEKLY;COUNT=4", "FREQ=DAILY;COUNT=5", "FREQ=WEEKLY;INTERVAL=2;COUNT=3")

_HALF_BOOKED = """
select series_id from meeting where series_id is not null and starts_at >= $1
group by series_id having count(*) <> coalesce(($2::jsonb ->> series_id::text)::integer, 0)
"""

# The meetings of a series after one that was changed from there on, which were neither changed nor cancelled.
_HALF_CHANGED = """
select count(*)
from meeting as later
join meeting as named using (series_id)
where named.meeting_id = $1 and later.original_start_date > named.original_start_date and later.cancelled_at is null
    and not exists (
        select from meeting_history as entry
        where entry.meeting_id = later.meeting_id
            and changes @> jsonb_build_array(jsonb_build_object('member', 'title', 'after', $2::text))
    )
"""
_CHANGED = """
select count(*) from meeting_history
where changes @> jsonb_build_array(jsonb_build_object('member', 'title', 'after', $1::text))
"""


class Rivals:
    """People who book, move and cancel series, and what they were answered."""

    def __init__(self, api: Api, database: Database, seed: int) -> None:
        self.api, self.database, self.random = api, database, Random(seed)  # noqa: S311 - no secret
        self.sizes: dict[str, int] = {}
        """The number of meetings of each series, by its id."""
        self.meetings: list[dict[str, Any]] = []

    async def act(self) -> None:
        """Do one of the things that can be done, and see that the answer is true."""
        deeds = [self.book, self.book_alone, self.book]
        if self.meetings:
            deeds += [self.move, self.move, self.cancel]
        await self.random.choice(deeds)()

    def choose_time(self) -> dict[str, str]:
        begin = NEXT_YEAR + timedelta(days=self.random.randrange(14)) + HALF_HOUR * self.random.randrange(6)
        return {"startDate": begin.isoformat(), "endDate": (begin + 2 * HALF_HOUR).isoformat()}

    def compose(self) -> dict[str, Any]:
        room = self.random.choice([None, HAVBLIK, FJORDEN])
        return {"employeeId": self.random.choice([ANNA, BO]), "type": "Physical", "roomId": room} | self.choose_time()

    async def book_alone(self) -> None:
        answer = await self.api.book(**self.compose())
        assert answer.status_code in {201, 409}, answer.text

    async def book(self) -> None:
        rule, skips = self.random.choice(RULES), self.random.random() < 0.5
        answer = await self.api.book(**self.compose(), recurrence=rule, skipConflicts=skips)
        assert answer.status_code in {201, 409}, answer.text
        if answer.status_code == 409:
            assert answer.json()["code"] == "series_conflict"
            return
        series = answer.json()
        planned = int(rule.rpartition("=")[2])
        assert len(series["meetings"]) + len(series.get("skipped", [])) == planned
        self.sizes[series["seriesId"]] = len(series["meetings"])
        self.meetings += series["meetings"]

    async def move(self) -> None:
        meeting, title = self.random.choice(self.meetings), str(uuid4())
        shift = self.random.choice([HALF_HOUR, -HALF_HOUR, timedelta(days=1), timedelta(days=7), timedelta(0)])
        begin, end = (datetime.fromisoformat(meeting[name]) + shift for name in ("startDate", "endDate"))
        patch = replace(title=title, startDate=begin.isoformat(), endDate=end.isoformat())
        answer = await self.patch(meeting, patch)
        assert answer.status_code in {200, 404, 409}, answer.text
        async with self.database.transaction(NORDLYS.tenant_id) as connection:
            if answer.status_code == 200:
                assert await connection.fetchval(_HALF_CHANGED, meeting["id"], title) == 0, "half moved"
            else:
                assert await connection.fetchval(_CHANGED, title) == 0, "refused, and yet moved"

    async def patch(self, meeting: dict[str, Any], operations: list[dict[str, Any]]) -> httpx.Response:
        return await self.api.request("PATCH", f"{MEETINGS}/{meeting['id']}?series=true", json=operations)

    async def cancel(self) -> None:
        meeting = self.random.choice(self.meetings)
        answer = await self.api.request("DELETE", f"{MEETINGS}/{meeting['id']}?series=true")
        assert answer.status_code in {204, 404}, answer.text


@pytest.mark.parametrize("seed", [1])
async def test_rivals_for_series_leave_nothing_booked_twice_or_half(seed: int, api: Api, database: Database) -> None:
    rivals = Rivals(api, database, seed)
    for _ in range(ROUNDS):
        await asyncio.gather(*(rivals.act() for _ in range(AT_ONCE)))
        async with database.transaction(NORDLYS.tenant_id) as connection:
            assert await connection.fetchval(WRONGLY_HELD_BY_MEETINGS, NEXT_YEAR) == 0
            assert await connection.fetch(_HALF_BOOKED, NEXT_YEAR, rivals.sizes) == []
    assert len(rivals.sizes) > ROUNDS / 4, "too few series could be booked to say anything"
