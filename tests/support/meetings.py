"""Booking and changing meetings of the first demo firm over HTTP."""

from datetime import timedelta
from typing import Any

import httpx

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api

ANNA, BO, CAMILLA, DAVID = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:4])
GITTE = str(NORDLYS.id_of("employee", "Gitte Møller"))
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))
INVESTING = str(NORDLYS.id_of("topic", "Investing"))
TIMES: dict[str, Any] = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
LATER: dict[str, Any] = {"startDate": "2026-03-03T12:00:00Z", "endDate": "2026-03-03T13:00:00Z"}

Operation = dict[str, Any]


async def book(api: Api, *, day: int = 0, **members: Any) -> dict[str, Any]:
    """Book Anna online, that many days after Tuesday at ten (`TIMES`), unless the members say otherwise."""
    begin = TUESDAY_AT_TEN + timedelta(days=day)
    times = {"startDate": begin.isoformat(), "endDate": (begin + timedelta(hours=1)).isoformat()}
    answer = await api.book(**{"employeeId": ANNA, "type": "Online"} | times | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def forget_meetings(database: Database) -> None:
    """Delete the demo firm's meetings and reservations."""
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("delete from meeting")
        await connection.execute("delete from time_slot")


def without_language(meeting: dict[str, Any]) -> dict[str, Any]:
    """Return a meeting of v3 as v2 answers it, unless its attendance was recorded."""
    return {name: value for name, value in meeting.items() if name != "language"}


def replace(**members: Any) -> list[Operation]:
    """Return the patch that replaces members."""
    return [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]


async def patch(
    api: Api, meeting: dict[str, Any], operations: list[Operation], *, version: str = "v3", **arguments: Any
) -> httpx.Response:
    """Change a meeting."""
    return await api.request("PATCH", f"{version}/booking/meetings/{meeting['id']}", json=operations, **arguments)
