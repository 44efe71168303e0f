"""Many hold the last pair of specialists at one moment: one gets both, with its advisor, and nobody gets half."""

import asyncio
import os
from collections import Counter
from datetime import timedelta
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api

RIVALS = int(os.environ.get("MEETDECK_JOINT_RIVALS", "12"))
ADVISORS = [str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors]
PAIR = ADVISORS[:2]
HOUR = timedelta(hours=1)
_HELD = """
select resource_id::text from occupancy join resource using (tenant_id, resource_key)
where starts_at = $1 order by 1
"""


async def test_one_of_many_rivals_holds_the_last_pair_whole(api: Api, database: Database) -> None:
    group = {"name": "Mortgage", "employeeIds": PAIR}
    assert (await api.post("v3/booking/config/service-groups", group)).status_code == 201
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + HOUR).isoformat()}

    async def hold(rival: int) -> httpx.Response:
        also = {"employeeId": ADVISORS[2 + rival % 6], "alsoServiceGroups": ["Mortgage", "Mortgage"]}
        slot = {"status": "Reserved"} | times | also
        return await api.post("v3/booking/time-slots/reserve", {"token": str(uuid4()), "timeSlot": slot})

    answers = await asyncio.gather(*(hold(rival) for rival in range(RIVALS)))
    assert Counter(each.status_code for each in answers) == {201: 1, 409: RIVALS - 1}
    (winner,) = [each.json() for each in answers if each.status_code == 201]
    async with database.transaction(NORDLYS.tenant_id) as connection:
        held = [row["resource_id"] for row in await connection.fetch(_HELD, TUESDAY_AT_TEN)]
    assert held == sorted([winner["employeeId"], *PAIR])
