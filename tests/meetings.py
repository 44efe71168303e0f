"""Booking and changing meetings of the first demo firm over HTTP."""

from typing import Any

import httpx

from factories import Api
from meetdeck.demo.firm import NORDLYS

ANNA, BO, CAMILLA, DAVID = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:4])
HAVBLIK, FJORDEN = (str(NORDLYS.id_of("room", name)) for name in ("Havblik", "Fjorden"))
INVESTING = str(NORDLYS.id_of("topic", "Investing"))
TIMES = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
LATER = {"startDate": "2026-03-03T12:00:00Z", "endDate": "2026-03-03T13:00:00Z"}

Operation = dict[str, Any]


async def book(api: Api, **members: Any) -> dict[str, Any]:
    """Book Anna online, Tuesday at ten (`TIMES`), unless the members say otherwise."""
    answer = await api.book(**{"employeeId": ANNA, "type": "Online"} | TIMES | members)
    assert answer.status_code == 201, answer.text
    return answer.json()


def replace(**members: Any) -> list[Operation]:
    """Return the patch that replaces members."""
    return [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]


async def patch(
    api: Api, meeting: dict[str, Any], operations: list[Operation], *, version: str = "v3", **arguments: Any
) -> httpx.Response:
    """Change a meeting."""
    return await api.request("PATCH", f"{version}/booking/meetings/{meeting['id']}", json=operations, **arguments)
