"""Radicale and Xandikos as a firm's calendars: from the connection to the times that a search offers."""

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from meetdeck.services import Services
from support.calendars.programs import serve_calendar
from support.factories import Api
from support.fakes import HandClock
from support.graph import CONNECTIONS
from support.meetings import ANNA
from support.working import work


@pytest.mark.thorough
@pytest.mark.parametrize("program", ["radicale", "xandikos"])
async def test_what_a_program_keeps_blocks_its_owner(  # noqa: PLR0913, PLR0917 - fixtures
    program: str,
    elevated: Api,
    api: Api,
    services: Services,
    clock: HandClock,
    judges: Path,
    tmp_path: Path,
    unused_tcp_port: int,
) -> None:
    address = f"v3/booking/config/employees/{ANNA}"
    anna = (await elevated.get(f"v3/booking/employees/{ANNA}")).json()
    assert (await elevated.request("PUT", address, json=anna | {"email": "anna@firm.test"})).status_code == 200
    async with serve_calendar(program, judges, tmp_path, unused_tcp_port) as calendar:
        server = f"{urlsplit(calendar).scheme}://{urlsplit(calendar).netloc}/"
        account = {"name": program, "kind": "CalDav", "address": server, "userName": "meetdeck", "password": "secret"}
        made = await elevated.post(CONNECTIONS, account)
        assert made.status_code == 201, made.text
        for _ in range(2):
            await work(services, clock)
        shown = (await elevated.get(f"{CONNECTIONS}/{made.json()['id']}")).json()
        assert (shown["status"], shown["matched"]) == ("Ok", 1)
        times = {"startDate": "2026-03-02T00:00:00Z", "endDate": "2026-03-31T00:00:00Z", "employeeId": ANNA}
        busy = (await api.get("v3/booking/time-slots", params=times | {"status": "Busy"})).json()
        mondays = [f"2026-03-{day:02}T10:00" for day in (2, 9, 16, 23, 30)]
        assert sorted(one["startTime"][:16] for one in busy) == mondays
        begin = clock().replace(day=9, hour=10, minute=0)
        assert (await api.reserve(begin, employeeId=ANNA)).json()["code"] == "time_busy"
        assert (await api.reserve(begin + timedelta(hours=1), employeeId=ANNA)).status_code == 201
