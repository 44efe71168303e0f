"""Four processes, of which one is killed (`kill -9`) now and then, under customers of group meetings at random.

No seat is lost or given twice, no time is overbooked, and events and mails tell what is.
"""

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from signal import SIGKILL
from time import monotonic
from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection
from meetdeck.platform.process.threads import run_in_thread
from support.installation import Installation
from support.patience import LONGEST_SECONDS
from support.servers import HOUR, accept, book, call, cancel, change, connect, require_sound, reserve, write_span
from support.smtp_servers import Inbox, open_inbox, read_calendar

BEGIN = datetime(2031, 3, 4, 9, tzinfo=UTC)
STARTS = [BEGIN + minutes * timedelta(minutes=30) for minutes in (0, 1, 2, 48)]  # the first two overlap
ADVISORS = [str(NORDLYS.id_of("employee", advisor.name)) for advisor in NORDLYS.advisors[:2]]
REVIEW = NORDLYS.id_of("topic", "Annual review")
SETTING = NORDLYS.id_of("organization setting", NORDLYS.name)
SEATS, RIVALS, ROUNDS, KILLS = 3, 8, 40, 4
Json = dict[str, Any]

_WAITING = """
select (select count(*) from job where queue = 'messages') + (select count(*) from message where status = 'Waiting')
"""
_SEATS = """
select shared_slot_id, array_agg(seat order by seat) as seats, count(distinct (starts_at, ends_at)) as times
from occupancy where shared_slot_id is not null group by shared_slot_id, resource_key
"""
_WITHOUT_SEAT = """
select count(*) from meeting where topic_id = $1 and cancelled_at is null and starts_at > $2 and not exists (
    select from occupancy join shared_slot using (tenant_id, shared_slot_id)
    where occupancy.time_slot_id = meeting.time_slot_id and shared_slot_id = meeting.shared_slot_id
        and (occupancy.starts_at, occupancy.ends_at) = (meeting.starts_at, meeting.ends_at)
        and (shared_slot.starts_at, shared_slot.employee_id) = (meeting.starts_at, meeting.employee_id)
)
"""
_WRONGLY_TOLD = """
with told as (
    select distinct on (subject) subject, data::jsonb as data,
        count(*) filter (where type = 'meeting.created') over (partition by subject) as booked,
        count(*) filter (where type = 'meeting.cancelled') over (partition by subject) as cancelled
    from event where subject like 'meetings/%' order by subject, sequence desc
)
select count(*) from meeting left join told on subject = 'meetings/' || meeting_id
where topic_id = $1 and starts_at > $2 and (
    booked, cancelled, (data ->> 'startDate')::timestamptz, data ->> 'employeeId', data ->> 'sharedSlotId'
) is distinct from (
    1, (cancelled_at is not null)::integer, starts_at, employee_id::text, shared_slot_id::text
)
"""


class Rival:
    """A person who books, holds, moves, cancels and gives away at random, and remembers what was answered."""

    def __init__(self, http: httpx.AsyncClient, number: int) -> None:
        self.http = http
        self.name = f"rival-{number}"
        self.dice = Random(f"seats {number}")  # noqa: S311 - the same each time
        self.booked: dict[str, str] = {}
        """The meetings that were answered, with the address of each."""
        self.cancelled: set[str] = set()
        self.statuses: Counter[int] = Counter()

    async def act(self) -> None:
        """Do one thing; a process that is killed meanwhile leaves it in doubt."""
        acts = [self.book, self.book, self.hold, self.move, self.move, self.cancel, self.give, self.cancel_whole]
        with suppress(httpx.TransportError):
            await self.dice.choices(acts, [3, 3, 2, 3, 3, 2, 1, 1])[0]()

    def _content(self) -> Json:
        attendee = {"name": self.name, "email": f"{self.name}-{self.dice.randrange(10**9)}@example.com"}
        about = {"topicId": str(REVIEW), "employeeId": self.dice.choice(ADVISORS), "customerId": self.name}
        return about | {"externalAttendees": [attendee | {"isCustomer": True}]}

    async def book(self) -> None:
        content = self._content()
        self._note(content, await book(self.http, self.dice.choice(STARTS), **content))

    async def hold(self) -> None:
        content = self._content()
        wanted = {"employeeId": content["employeeId"], "topicId": str(REVIEW), "meetingType": "Online"}
        held = self._count(await reserve(self.http, self.dice.choice(STARTS), **wanted))
        if held.is_success:
            self._note(content, await book(self.http, timeSlotId=held.json()["id"], **content))

    async def move(self) -> None:
        if self.booked:
            chosen = self.dice.choice([*self.booked])
            self._count(await change(self.http, chosen, **write_span(self.dice.choice(STARTS))))

    async def cancel(self) -> None:
        if self.booked:
            chosen = self.dice.choice([*self.booked])
            if self._count(await cancel(self.http, chosen)).is_success:
                self.cancelled.add(chosen)

    async def cancel_whole(self) -> None:
        if self.booked:
            chosen = self.dice.choice([*self.booked])
            whole = await self.http.delete(f"meetings/{chosen}", params={"sharedSlot": "true"})
            if self._count(whole).is_success:
                self.cancelled.add(chosen)

    async def give(self) -> None:
        span = {"from": STARTS[0].isoformat(), "to": (STARTS[2] + HOUR).isoformat()}
        body = {"employeeId": self.dice.choice(ADVISORS)} | span
        self._count(await self.http.post("meetings/reassign", json=body))

    def _note(self, content: Json, answer: httpx.Response) -> None:
        if self._count(answer).is_success:
            self.booked[answer.json()["id"]] = content["externalAttendees"][0]["email"]

    def _count(self, answer: httpx.Response) -> httpx.Response:
        self.statuses[answer.status_code] += 1
        assert answer.status_code < 500 or answer.status_code == 503, answer.text
        return answer


def kill_one(installation: Installation, dice: Random) -> None:
    """Kill one of the processes that serve; the supervisor replaces it."""
    dice.choice(installation.list_workers("meetdeck-server")).send_signal(SIGKILL)


async def settle(connection: Connection) -> None:
    """Return when all mails that are due were sent."""
    closed_by = monotonic() + LONGEST_SECONDS * 5
    while waiting := await connection.fetchval(_WAITING):
        assert monotonic() < closed_by, f"{waiting} mails were not sent"
        await asyncio.sleep(0.5)


async def require_true(connection: Connection, rivals: list[Rival], inbox: Inbox) -> None:
    """Compare seats, events and mails with the meetings that take place."""
    for row in await connection.fetch(_SEATS):
        assert len(set(row["seats"])) == len(row["seats"]) <= SEATS
        assert set(row["seats"]) <= set(range(1, SEATS + 1))
        assert row["times"] == 1
    assert await connection.fetchval(_WITHOUT_SEAT, REVIEW, BEGIN - HOUR) == 0, "a meeting has lost its seat"
    assert await connection.fetchval(_WRONGLY_TOLD, REVIEW, BEGIN - HOUR) == 0, "an event is missing, or wrong"
    found = await connection.fetch("select * from meeting where topic_id = $1", REVIEW)
    rows = {str(row["meeting_id"]): row for row in found}
    for rival in rivals:
        assert set(rival.booked) <= set(rows), "what was answered is there"
        assert all(rows[one]["cancelled_at"] is not None for one in rival.cancelled)
        for meeting_id, address in rival.booked.items():
            told = [read_calendar(mail) for mail in inbox.list_to(address)]
            if rows[meeting_id]["cancelled_at"] is not None:
                assert not told or told[-1][0] == "CANCEL", "a customer expects a meeting that was cancelled"
            else:
                assert told, "a customer was told nothing"
                assert (told[-1][0], told[-1][1]["DTSTART"].dt) == ("REQUEST", rows[meeting_id]["starts_at"])


@pytest.mark.thorough
async def test_seats_events_and_mails_are_true_whatever_is_killed(installation: Installation) -> None:
    installation.settings["MEETDECK_WORKERS"] = "4"
    async with open_inbox() as inbox:
        installation.settings["MEETDECK_SMTP_URL"] = f"smtp://127.0.0.1:{inbox.port}"
        async with call(installation, await run_in_thread(installation.start)) as http:
            at_once = [{"op": "replace", "path": "/changeNoticeDelay", "value": "00:00:00"}]
            accept(await http.patch(f"config/organization-settings/{SETTING}", json=at_once))
            seats = [{"op": "replace", "path": "/seats", "value": SEATS}]
            accept(await http.patch(f"config/meeting-topics/{REVIEW}", json=seats))
            rivals, dice = [Rival(http, number) for number in range(RIVALS)], Random(7)  # noqa: S311
            for number in range(ROUNDS):
                acting = asyncio.gather(*(rival.act() for rival in rivals))
                if number % (ROUNDS // KILLS) == 3:
                    await asyncio.sleep(0.02)
                    kill_one(installation, dice)
                await acting
            async with connect(installation) as connection:
                await settle(connection)
                await require_sound(connection)
                await require_true(connection, rivals, inbox)
    statuses = sum((rival.statuses for rival in rivals), Counter[int]())
    assert {200, 201, 204, 409} <= set(statuses), statuses
    assert sum(len(rival.booked) for rival in rivals) > 2 * RIVALS
