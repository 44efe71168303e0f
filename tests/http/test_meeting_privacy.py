"""A `cpr` goes in, encrypted, and nothing comes out: no answer, log line, history, error or stored text has it."""

from typing import Any

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Connection, Database
from meetdeck.services import Services
from support.factories import Api

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
TIMES = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}
CPR, NEW_CPR = "010203-1234", "311299-9876"


async def patch(api: Api, meeting_id: str, *operations: dict[str, Any]) -> httpx.Response:
    return await api.request("PATCH", f"v3/booking/meetings/{meeting_id}", json=list(operations))


async def read_cpr(services: Services, meeting_id: str) -> str | None:
    async with services.database.transaction(NORDLYS.tenant_id) as connection:
        sealed = await connection.fetchval("select cpr_encrypted from meeting where meeting_id = $1", meeting_id)
    return services.encryption.decrypt(NORDLYS.tenant_id, sealed) if sealed else None


async def dump(database: Database, owner: Connection) -> str:
    """Return every row of every table that the firm has, as text; bytes as text too."""
    tables = await owner.fetch("select tablename from pg_tables where schemaname = 'public' order by 1")
    rows: list[str] = []
    async with database.transaction(NORDLYS.tenant_id) as connection:
        for table in tables:
            for row in await connection.fetch(f"select * from {table['tablename']}"):  # noqa: S608 - from the catalog
                rows += [repr(value) for value in row.values()]
    return "\n".join(rows)


async def test_a_cpr_is_nowhere_to_be_read(
    api: Api,
    database: Database,
    owner: Connection,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    api.headers["Idempotency-Key"] = "once"
    body = {"employeeId": ANNA, "customerId": "Freja", "cpr": CPR} | TIMES
    answers = [await api.post("v2/booking/meetings", body | {"crmId": "1"}) for _ in range(2)]
    answers.append(await api.post("v2/booking/meetings", body | {"crmId": "2"}))  # the key again, another body: 409
    del api.headers["Idempotency-Key"]
    meeting_id = answers[0].json()["id"]
    path = f"v3/booking/meetings/{meeting_id}"
    answers += [
        await api.post("v3/booking/meetings", body),  # taken
        await api.post("v3/booking/meetings", body | {"employeeId": "Anna"}),
        await api.post("v3/booking/meetings", body | {"cpr": [CPR]}),
        await patch(api, meeting_id, {"op": "add", "path": "/cpr", "value": NEW_CPR}),
        await patch(api, meeting_id, {"op": "add", "path": "/cpr", "value": [NEW_CPR]}),
        await patch(api, meeting_id, {"op": "test", "path": "/cpr", "value": NEW_CPR}),
        await api.get(path),
        await api.get("v3/booking/meetings"),
        await api.get(f"{path}/history"),
        await api.post(f"{path}/ical"),
    ]
    assert [answer.status_code for answer in answers] == [201, 201, 409, 409, 400, 400, 200, 400, 409, *[200] * 4]
    logged = caplog.text + "".join(capsys.readouterr())
    assert "/booking/meetings" in logged
    for text in (*(answer.text for answer in answers), logged, await dump(database, owner)):
        assert CPR not in text
        assert NEW_CPR not in text


async def test_a_cpr_can_be_replaced_and_erased_and_others_changes_leave_it(api: Api, services: Services) -> None:
    meeting_id = (await api.book(employeeId=ANNA, cpr=CPR, **TIMES)).json()["id"]
    assert await read_cpr(services, meeting_id) == CPR
    await patch(api, meeting_id, {"op": "add", "path": "/title", "value": "a"})
    assert await read_cpr(services, meeting_id) == CPR
    await patch(api, meeting_id, {"op": "add", "path": "/cpr", "value": NEW_CPR})
    assert await read_cpr(services, meeting_id) == NEW_CPR
    await patch(api, meeting_id, {"op": "add", "path": "/cpr", "value": None})
    assert await read_cpr(services, meeting_id) is None
