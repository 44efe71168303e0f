"""A firm moves by the addresses that docs/importing.md names: everybody comes along, also who cannot be booked."""

import re
from pathlib import Path
from uuid import uuid4

from meetdeck.booking.importing.files import open_files
from meetdeck.booking.importing.service import import_files
from meetdeck.platform.database import Database
from meetdeck.platform.process.progress import NoProgress
from support.factories import Api
from support.fakes import HandClock
from support.searches import ANNA, change, save

PAGE = (Path(__file__).parents[2] / "docs/importing.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^\| `([a-z-]+\.json)` \| `([^`]+)` \|$", PAGE, re.MULTILINE))


async def test_the_answers_of_the_documented_lists_are_the_whole_firm(
    api: Api, database: Database, clock: HandClock, tmp_path: Path
) -> None:
    await save(api, f"employees/{ANNA}", active=False)
    schedules = (await api.get("v3/booking/config/employee-schedules")).json()
    second = next(each for each in schedules if each["employeeId"] != ANNA)
    await change(api, f"employee-schedules/{second['id']}", canBeBooked=False)
    entry = {"status": "Busy", "startDate": "2026-03-03T10:00:00Z", "endDate": "2026-03-03T11:00:00Z"}
    (await api.post("v3/booking/time-slots", json={"employeeId": ANNA} | entry)).raise_for_status()
    assert len(FILES) == 9
    answers = {name: (await api.get(f"v3/booking/{address}")).json() for name, address in FILES.items()}
    for name, address in FILES.items():
        (tmp_path / name).write_bytes((await api.get(f"v3/booking/{address}")).content)
    tenant_id = uuid4()
    async with database.transaction(tenant_id) as connection:
        await connection.execute("insert into tenant (tenant_id, name) values (current_tenant(), 'Moved')")
    sources = open_files([tmp_path / name for name in FILES])
    outcome = await import_files(database, tenant_id, sources, clock(), NoProgress())
    assert not outcome.problems, [str(problem) for problem in outcome.problems]
    assert {count.kind: count.new for count in outcome.counts} == {
        name.removesuffix(".json"): len(answer) for name, answer in answers.items()
    }
    async with database.transaction(tenant_id) as connection:
        assert await connection.fetchval("select not active from employee where employee_id = $1", ANNA)
