"""People who book, hold, move, change, give away and cancel joint meetings and series over HTTP, all at one time."""

import re
from collections import Counter
from collections.abc import Awaitable
from contextlib import suppress
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection
from support.servers import accept

ADVISORS: Final = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
ROOMS: Final = [str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden")]
GROUPS: Final = ("Mortgage", "Pension", "Interpreter")
RULES: Final = ("FREQ=WEEKLY;COUNT=3", "FREQ=DAILY;COUNT=3")
_EXPECTED: Final = {200, 201, 204, 404, 409, 429, 503}
_HALF_HOUR: Final = timedelta(minutes=30)
Json = dict[str, Any]

# Living meetings whose people of groups are not different ones, take no part, or are not of their group.
_HALF_MEETINGS = """
select count(*) from meeting
where starts_at >= $1 and cancelled_at is null and (
    cardinality(also_employees) <> (select count(distinct one) from unnest(also_employees) as one)
    or employee_id = any (also_employees)
    or exists (
        select from unnest(also_service_groups, also_employees) as came (service_group_id, employee_id)
        where came.employee_id not in (
            select employee_id from meeting_additional_employee as more where more.meeting_id = meeting.meeting_id
        ) or not exists (
            select from service_group_employee as member
            where (member.service_group_id, member.employee_id) = (came.service_group_id, came.employee_id)
        )
    )
)
"""

# Meetings whose last event says something else than they are.
_UNTRUE_EVENTS = """
select count(*) from meeting
left join lateral (
    select type, data from event where subject = 'meetings/' || meeting_id order by sequence desc limit 1
) as last on true
where starts_at >= $1 and (
    last.type is null
    or (cancelled_at is not null) <> (last.type = 'meeting.cancelled')
    or (last.data ->> 'startDate')::timestamptz <> starts_at
    or last.data ->> 'employeeId' <> employee_id::text
    or last.data ->> 'roomId' is distinct from room_id::text
    or array(select one from json_array_elements_text(last.data -> 'additionalEmployees') as one order by one) <> array(
        select more.employee_id::text from meeting_additional_employee as more
        where more.meeting_id = meeting.meeting_id order by 1
    )
)
"""

_SERIES = """
select series_id, recurrence, count(*) from meeting where series_id is not null and starts_at >= $1 group by 1, 2
"""

_HALF_CHANGED = """
with changed as (
    select meeting_id, changes from meeting_history
    where changes @> jsonb_build_array(jsonb_build_object('member', 'title', 'after', $2::text))
)
select count(*)
from meeting as later
join meeting as named using (series_id)
where named.meeting_id = $1 and later.original_start_date >= named.original_start_date and later.cancelled_at is null
    and exists (select from changed) and later.meeting_id not in (select meeting_id from changed)
"""

# Customers who were not told exactly once that their meeting was booked, or that it was cancelled. The invitation is
# the message about a change if there was one before anything was sent. Those who perhaps have an invitation, since a
# process was killed while it sent it, are told of the cancellation.
_UNTOLD = """
select meeting_id, cancelled_at, series_id, told.messages
from meeting
cross join lateral (
    select
        array_agg(kind || ' ' || status || coalesce(' ' || reason, '') order by created_at, sequence) as messages,
        count(*) filter (where kind = 'Invitation' and status = 'Sent') as invitations,
        coalesce(bool_or(kind <> 'Cancellation' and (status = 'Sent' or is_perhaps_sent)), false)::integer as invited,
        count(*) filter (where kind = 'Cancellation' and status = 'Sent') as cancelled
    from message where message.meeting_id = meeting.meeting_id and recipient = 'Attendee'
) as told
where starts_at >= $1 and (
    told.invitations > 1
    or cancelled_at is null and (told.invited, told.cancelled) <> (1, 0)
    or cancelled_at is not null and told.cancelled <> told.invited
)
"""
_WAITING = """
select (select count(*) from event where position is null) + (select count(*) from message where status = 'Waiting')
    + (select count(*) from event_feed where routed_to < ends_at)
"""


class Walkers:
    """A firm with three groups that share people, and what was answered to those who want its time."""

    def __init__(self, http: httpx.AsyncClient, begin: datetime, seed: int) -> None:
        self.http, self.begin = http, begin
        self.random = Random(seed)  # noqa: S311 - no secret
        self.statuses: Counter[int] = Counter()
        self.lost = 0
        self.meetings: list[str] = []
        self.series: list[Json] = []
        self.booked: set[str] = set()
        self.holds: list[Json] = []
        self.titles: list[tuple[str, str]] = []
        """The named meeting and the title of each change of a series."""

    async def fill(self) -> None:
        """Make the groups; changes are told at once."""
        for name in GROUPS:
            people = self.random.sample(ADVISORS, 4)
            accept(await self.http.post("config/service-groups", json={"name": name, "employeeIds": people}))
        setting = NORDLYS.id_of("organization setting", NORDLYS.name)
        delay = [{"op": "replace", "path": "/changeNoticeDelay", "value": "00:00:00"}]
        accept(await self.http.patch(f"config/organization-settings/{setting}", json=delay))

    async def act(self) -> None:
        """Do something; it may be unanswered, as the server is killed now and then."""
        actions = [self.book, self.book, self.hold, self.book_series]
        if self.meetings:
            actions += [self.change, self.change, self.move_to_a_hold, self.give_away, self.cancel]
        if self.series:
            actions += [self.move_series, self.cancel_series]
        if self.holds:
            actions += [self.book_a_hold, self.book_a_hold]
        with suppress(httpx.TransportError):
            await self.random.choice(actions)()
            return
        self.lost += 1

    async def send(self, request: Awaitable[httpx.Response]) -> httpx.Response:
        answer = await request
        self.statuses[answer.status_code] += 1
        assert answer.status_code in _EXPECTED, answer.text
        return answer

    def choose_time(self) -> Json:
        begin = self.begin + self.random.randint(0, 7) * _HALF_HOUR
        return {"startDate": begin.isoformat(), "endDate": (begin + 2 * _HALF_HOUR).isoformat()}

    def choose_groups(self) -> list[str]:
        return self.random.choices(GROUPS, k=self.random.randint(0, 3))

    def choose_people(self) -> Json:
        advisor, *others = self.random.sample(ADVISORS, self.random.choice([1, 1, 2, 3]))
        return {"employeeId": advisor, "additionalEmployees": others, "alsoServiceGroups": self.choose_groups()}

    def describe(self) -> Json:
        freja = {"name": "Freja", "email": f"{uuid4()}@example.com"}
        about = {"customerId": "C-1", "type": self.random.choice(["Online", "Physical"]), "externalAttendees": [freja]}
        return about | self.random.choice([{}, {}, {"roomId": self.random.choice(ROOMS)}])

    async def book(self) -> None:
        body = self.describe() | self.choose_people() | self.choose_time()
        self.note(await self.send(self.http.post("meetings", json=body)))

    def note(self, answer: httpx.Response) -> None:
        if answer.status_code == 201:
            self.meetings.append(answer.json()["id"])
            self.booked.add(answer.json()["id"])

    async def hold(self, **outer: Any) -> Json | None:
        slot = self.choose_time() | self.choose_people() | {"status": "Reserved"}
        body = {"timeSlot": slot, "token": str(uuid4())} | outer
        answer = await self.send(self.http.post("time-slots/reserve", json=body))
        if answer.status_code != 201:
            return None
        if not outer:
            self.holds.append(answer.json())
        return answer.json()

    async def book_a_hold(self) -> None:
        held = self.holds.pop(self.random.randrange(len(self.holds)))
        body = self.describe() | {"timeSlotId": held["id"], "employeeId": held["employeeId"]}
        self.note(await self.send(self.http.post("meetings", json=body)))

    async def move_to_a_hold(self) -> None:
        meeting = self.random.choice(self.meetings)
        held = await self.hold(existingMeetingId=meeting)
        if held is not None:
            await self.patch(meeting, timeSlotId=held["id"], employeeId=held["employeeId"])

    async def change(self) -> None:
        changes = [
            self.choose_time(),
            {"employeeId": self.random.choice(ADVISORS)},
            {"alsoServiceGroups": self.choose_groups()},
            {"additionalEmployees": self.random.sample(ADVISORS, self.random.randint(0, 2))},
        ]
        await self.patch(self.random.choice(self.meetings), "", **self.random.choice(changes))

    async def patch(self, meeting: str, query: str = "", **members: Any) -> httpx.Response:
        patch = [{"op": "add", "path": f"/{name}", "value": value} for name, value in members.items()]
        return await self.send(self.http.patch(f"meetings/{meeting}{query}", json=patch))

    async def give_away(self) -> None:
        day = {"from": self.begin.isoformat(), "to": (self.begin + timedelta(days=1)).isoformat()}
        body = {"employeeId": self.random.choice(ADVISORS)} | day
        await self.send(self.http.post("meetings/reassign", json=body))

    async def cancel(self) -> None:
        meeting = self.meetings.pop(self.random.randrange(len(self.meetings)))
        await self.send(self.http.delete(f"meetings/{meeting}"))

    async def book_series(self) -> None:
        skips = self.random.random() < 0.5
        rule = self.random.choice(RULES) + (";INTERVAL=1" if skips else "")
        body = self.describe() | self.choose_people() | self.choose_time()
        answer = await self.send(self.http.post("meetings", json=body | {"recurrence": rule, "skipConflicts": skips}))
        if answer.status_code == 201:
            self.series += answer.json()["meetings"]
            self.booked |= {one["id"] for one in answer.json()["meetings"]}

    async def move_series(self) -> None:
        meeting, title = self.random.choice(self.series), str(uuid4())
        self.titles.append((meeting["id"], title))
        shift = self.random.choice([_HALF_HOUR, -_HALF_HOUR, timedelta(days=1), timedelta(0)])
        begin, end = (datetime.fromisoformat(meeting[name]) + shift for name in ("startDate", "endDate"))
        times = {"startDate": begin.isoformat(), "endDate": end.isoformat()}
        await self.patch(meeting["id"], "?series=true", title=title, **times)

    async def cancel_series(self) -> None:
        meeting = self.series.pop(self.random.randrange(len(self.series)))
        await self.send(self.http.delete(f"meetings/{meeting['id']}?series=true"))

    async def require_whole(self, connection: Connection) -> None:
        """Assert that no meeting is half, no series is half booked or changed, and that the events are true."""
        assert await connection.fetchval(_HALF_MEETINGS, self.begin) == 0, "half a meeting"
        assert await connection.fetchval(_UNTRUE_EVENTS, self.begin) == 0, "an event that is not true"
        for row in await connection.fetch(_SERIES, self.begin):
            planned = int(re.findall(r"COUNT=(\d+)", row["recurrence"])[0])
            least = 1 if "INTERVAL" in row["recurrence"] else planned
            assert least <= row["count"] <= planned, "half a series"
        for meeting_id, title in self.titles:
            assert await connection.fetchval(_HALF_CHANGED, meeting_id, title) == 0, "half changed"
        known = await connection.fetchval("select count(*) from meeting where meeting_id = any ($1)", list(self.booked))
        assert known == len(self.booked), "a meeting that was answered is lost"

    async def is_quiet(self, connection: Connection) -> bool:
        """Return whether all events are routed and all messages sent."""
        return await connection.fetchval(_WAITING) == 0

    async def require_told(self, connection: Connection) -> None:
        """Assert that each customer was told once of a booking, and once of a cancellation if of the booking."""
        untold = await connection.fetch(_UNTOLD, self.begin)
        assert not untold, untold
