"""Whatever many do at one moment to the time of three people and two rooms: what is said to be held is held."""

import asyncio
from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import uuid4

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.meetings import ANNA, BO, CAMILLA, FJORDEN, HAVBLIK, patch, replace
from support.occupied import WRONGLY_HELD_BY_MEETINGS
from support.seeds import list_seeds

PEOPLE, ROOMS = [ANNA, BO, CAMILLA], [HAVBLIK, FJORDEN]
NEXT_YEAR = TUESDAY_AT_TEN + timedelta(weeks=52)  # the demo firms have nothing to do then
HALF_HOUR = timedelta(minutes=30)
ROUNDS = 60
AT_ONCE = 6

# Reservations that miss some of their time: neither they hold it, nor does the meeting that they are for.
_MISSING_TO_RESERVATIONS = """
select count(*)
from time_slot as slot
join resource on resource.resource_id in (slot.employee_id, slot.room_id)
where slot.status = 'Reserved' and slot.expires_at > $1
    and tstzmultirange(tstzrange(slot.starts_at, slot.ends_at)) - coalesce(
        (
            select range_agg(during) from occupancy
            where occupancy.resource_key = resource.resource_key
                and (occupancy.time_slot_id = slot.time_slot_id or occupancy.time_slot_id in (
                    select time_slot_id from meeting where meeting_id = slot.existing_meeting_id
                ))
        ),
        '{}'
    ) <> '{}'
"""


class Crowd:
    """Customers and employees who want what others have; each meeting has one who wants to move it."""

    def __init__(self, api: Api, clock: HandClock, random: Random) -> None:
        self.api = api
        self.clock = clock
        self.random = random
        self.statuses: Counter[int] = Counter()
        self._tokens = [uuid4() for _ in range(4)]
        self._movers: dict[str, dict[str, Any]] = {}
        """By meeting: the token that reserves other times for it, and the slot that it got last."""
        self._slots: list[str] = []
        self._actions = [
            self.reserve,
            self.reserve,
            self.reserve_somebody,
            self.reserve_for_a_meeting,
            self.reserve_for_a_meeting,
            self.book,
            self.book_a_reservation,
            self.change,
            self.change,
            self.move_to_a_reservation,
            self.move_to_a_reservation,
            self.cancel,
        ]

    async def do_something(self) -> None:
        """Do one thing by chance; time goes on now and then, by less in all than credentials last."""
        if self.random.random() < 0.1:
            self.clock.advance(seconds=self.random.choice([1, 20, 60, 100]))
        answer = await self.random.choice(self._actions)()
        self.statuses[answer.status_code] += 1
        assert answer.status_code in {200, 201, 204, 404, 409}, answer.text

    async def reserve(self) -> httpx.Response:
        return self._note_slot(await self._reserve(**self.random.choice([self._somebody(), {}]), **self._some_room()))

    async def reserve_somebody(self) -> httpx.Response:
        return self._note_slot(await self._reserve(serviceGroup="Aarhus branch"))

    async def reserve_for_a_meeting(self) -> httpx.Response:
        if not self._movers:
            return await self.book()
        meeting, mover = self.random.choice(list(self._movers.items()))
        slot = self._some_time() | {"status": "Reserved"} | self._somebody() | self._some_room()
        body = {"timeSlot": slot, "token": mover["token"], "existingMeetingId": meeting}
        answer = await self.api.post("v3/booking/time-slots/reserve", body)
        if answer.is_success:
            mover["slot"] = answer.json()["id"]
        return answer

    async def book(self) -> httpx.Response:
        meeting_type = self.random.choice(["Online", "Physical"])
        people = self._some_people()
        return self._note_meeting(
            await self.api.book(type=meeting_type, **people, **self._some_time(), **self._some_room())
        )

    async def book_a_reservation(self) -> httpx.Response:
        if not self._slots:
            return await self.reserve()
        slot = self.random.choice(self._slots[-4:])
        return self._note_meeting(await self.api.book(type="Online", timeSlotId=slot, **self._somebody()))

    async def change(self) -> httpx.Response:
        if not self._movers:
            return await self.book()
        changes = [self._some_time(), self._some_people(), {"roomId": self.random.choice([None, *ROOMS])}]
        meeting = self.random.choice(list(self._movers))
        return await self._change(meeting, **self.random.choice([*changes, changes[0] | changes[1]]))

    async def move_to_a_reservation(self) -> httpx.Response:
        reserved = [(meeting, mover["slot"]) for meeting, mover in self._movers.items() if "slot" in mover]
        if not reserved:
            return await self.reserve_for_a_meeting()
        meeting, slot = self.random.choice(reserved[-4:])
        slot = self.random.choice([slot, slot, *self._slots[-1:]])
        return await self._change(meeting, timeSlotId=slot, **self.random.choice([{}, self._some_people()]))

    async def cancel(self) -> httpx.Response:
        if not self._movers:
            return await self.book()
        meeting = self.random.choice(list(self._movers))
        del self._movers[meeting]
        return await self.api.request("DELETE", f"v3/booking/meetings/{meeting}")

    async def _reserve(self, **slot: str) -> httpx.Response:
        begin, minutes = self._some_start(), 30 * self.random.randint(1, 3)
        return await self.api.reserve(begin, minutes=minutes, token=self.random.choice(self._tokens), **slot)

    async def _change(self, meeting: str, **members: Any) -> httpx.Response:
        return await patch(self.api, {"id": meeting}, replace(**members))

    def _note_slot(self, answer: httpx.Response) -> httpx.Response:
        if answer.is_success:
            self._slots.append(answer.json()["id"])
        return answer

    def _note_meeting(self, answer: httpx.Response) -> httpx.Response:
        if answer.is_success:
            self._movers[answer.json()["id"]] = {"token": str(uuid4())}
        return answer

    def _some_start(self) -> datetime:
        return NEXT_YEAR + HALF_HOUR * self.random.randrange(8)

    def _some_time(self) -> dict[str, str]:
        begin = self._some_start()
        return {"startDate": begin.isoformat(), "endDate": (begin + HALF_HOUR * self.random.randint(1, 3)).isoformat()}

    def _somebody(self) -> dict[str, str]:
        return {"employeeId": self.random.choice(PEOPLE)}

    def _some_people(self) -> dict[str, Any]:
        first, *others = self.random.sample(PEOPLE, self.random.randint(1, 3))
        return {"employeeId": first, "additionalEmployees": others}

    def _some_room(self) -> dict[str, str]:
        return self.random.choice([{}, {"roomId": self.random.choice(ROOMS)}])


@pytest.mark.parametrize("seed", list_seeds(3))
async def test_what_is_said_to_be_held_is_held(api: Api, database: Database, clock: HandClock, seed: int) -> None:
    crowd = Crowd(api, clock, Random(seed))  # noqa: S311 - chance, no secret
    for _ in range(ROUNDS):
        await asyncio.gather(*(crowd.do_something() for _ in range(AT_ONCE)))
        async with database.transaction(NORDLYS.tenant_id) as connection:
            assert await connection.fetchval(WRONGLY_HELD_BY_MEETINGS, NEXT_YEAR) == 0
            assert await connection.fetchval(_MISSING_TO_RESERVATIONS, clock()) == 0
    assert {201, 200, 204, 409} <= set(crowd.statuses)
