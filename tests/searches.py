"""Searching free time over HTTP, and reading what was found."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import httpx

from factories import Api
from meetdeck.demo.firm import NORDLYS, ZONE

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
TUESDAY = {"startDate": "2026-03-03T00:00", "lookForwardTime": "1.00:00:00"}
Query = dict[str, Any]


async def ask(api: Api, version: str = "v3", **query: Any) -> httpx.Response:
    """Search Tuesday, unless the query says otherwise."""
    return await api.get(
        f"{version}/booking/time-slots/available",
        params={"requireEmployeeParticipation": "false"} | TUESDAY | query,
    )


async def search(api: Api, **query: Any) -> list[dict[str, str]]:
    answer = await ask(api, **query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def employees_of(slots: Iterable[dict[str, str]]) -> set[str]:
    return {slot["employeeId"] for slot in slots}


def starts_of(slots: Iterable[dict[str, str]], employee: str = ANNA) -> list[str]:
    """Return when an employee can be met, as local times of the day."""
    local = {
        datetime.fromisoformat(slot["startDate"]).astimezone(ZONE) for slot in slots if slot["employeeId"] == employee
    }
    return [f"{start:%H:%M}" for start in sorted(local)]
