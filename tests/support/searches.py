"""Searching free time over HTTP, reading the results, and configuring the search."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import httpx

from meetdeck.demo.firm import NORDLYS, ZONE
from support.factories import Api

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
TUESDAY = {"startDate": "2026-03-03T00:00", "lookForwardTime": "1.00:00:00"}
KINDS = ("Busy", "ExtraOpen", "ExtraOpen", "WorkingFromElsewhere")
HALF_HOUR = timedelta(minutes=30)
Query = dict[str, Any]


async def send_search(api: Api, version: str = "v3", **query: Any) -> httpx.Response:
    """Search Tuesday, unless the query says otherwise."""
    return await api.get(
        f"{version}/booking/time-slots/available",
        params={"requireEmployeeParticipation": "false"} | TUESDAY | query,
    )


async def search(api: Api, **query: Any) -> list[dict[str, str]]:
    """Search as `ask` does, in both versions: they find the same."""
    newer, older = [await send_search(api, version, **query) for version in ("v3", "v2")]
    assert newer.status_code == 200, newer.text
    assert newer.content == older.content
    return newer.json()


async def change(api: Api, resource: str, **members: Any) -> None:
    """Replace members of a configuration resource: `change(api, f"service-groups/{id}", maxMeetingTimePerDay=…)`."""
    operations = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in members.items()]
    answer = await api.request("PATCH", f"v3/booking/config/{resource}", json=operations)
    assert answer.status_code == 200, answer.text


async def save(api: Api, resource: str, **members: Any) -> None:
    """Save other members of a resource in the directory: `save(api, f"rooms/{id}", available=False)`."""
    path = f"v3/booking/config/{resource}"
    answer = await api.request("PUT", path, json=(await api.get(path)).json() | members)
    assert answer.status_code == 200, answer.text


async def move_to_zone(api: Api, employee: str, identifier: str) -> None:
    """Set the time zone of an employee's hours."""
    zones = (await api.get("v3/booking/config/timezones")).json()
    zone_id = next(each["id"] for each in zones if each["identifier"] == identifier)
    await save(api, f"employees/{employee}", timeZoneId=zone_id)


async def redraw_entries(api: Api, dice: Random, employees: Sequence[str]) -> None:
    """Replace Tuesday's calendar entries by new random ones, over the edges of hours and days."""
    day = {"startDate": "2026-03-03T00:00", "endDate": "2026-03-04T00:00"}
    earlier = await api.get("v3/booking/time-slots", params=day | {"status": ",".join(KINDS)})
    for entry in earlier.json():
        assert (await api.request("DELETE", f"v3/booking/time-slots/{entry['id']}")).status_code == 204
    for _ in range(dice.randint(1, 5)):
        begin = datetime(2026, 3, 3, tzinfo=ZONE) + dice.randint(-6, 44) * HALF_HOUR
        length = dice.choice([1, 2, 4, 8, 24]) * HALF_HOUR + dice.choice([timedelta(0), timedelta(minutes=10)])
        times = {"startDate": begin.isoformat(), "endDate": (begin + length).isoformat()}
        body = {"status": dice.choice(KINDS), "employeeId": dice.choice(employees)} | times
        assert (await api.post("v3/booking/time-slots", body)).status_code == 201


def employees_of(slots: Iterable[dict[str, str]]) -> set[str]:
    return {slot["employeeId"] for slot in slots}


def starts_of(slots: Iterable[dict[str, str]], employee: str = ANNA) -> list[str]:
    """Return when an employee can be met, as local times of the day."""
    local = {
        datetime.fromisoformat(slot["startDate"]).astimezone(ZONE) for slot in slots if slot["employeeId"] == employee
    }
    return [f"{start:%H:%M}" for start in sorted(local)]
