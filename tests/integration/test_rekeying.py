"""`meetdeck rekey`: what an earlier key encrypted is encrypted with the first one, while everybody goes on."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest_asyncio

from meetdeck.administration.erasure.service.digests import CustomerDigests
from meetdeck.administration.erasure.service.erasures import Erasures
from meetdeck.administration.rekeying.schemas import RekeyingReport
from meetdeck.administration.rekeying.service import rekey
from meetdeck.demo.firm import FJORD, NORDLYS
from meetdeck.doctor.database import check_encryption_key
from meetdeck.doctor.outcome import Status
from meetdeck.pages.console.kit.sessions.schemas import KeptForm
from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Address, Connection, Database
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.secrets import ENCRYPTED_COLUMNS, Encryption, find_encryption_keys
from meetdeck.services import Services
from support.console import THOMAS, Browser
from support.factories import TUESDAY_AT_TEN, Api, make_settings

NEW = bytes.fromhex("9d41c7e2a05b3f8816d274ea9b1fc3057ee8204b6da1935cf7482b0e91dc6a53")
OPERATOR = Actor(operator="root", command="erase")
KINDS = {kind.words for kind in ENCRYPTED_COLUMNS}


@pytest_asyncio.fixture
async def old(api: Api, database: Database, services: Services, tmp_path: Path) -> AsyncGenerator[bytes]:
    """Lend the key of an installation that has encrypted something of each kind but erasures' keys, in two firms."""
    for firm, cpr in ((NORDLYS, "010203-1234"), (FJORD, "020304-1234")):
        caller = await api.of(firm, elevated=True)
        await _require(caller.book(employeeId=str(firm.id_of("employee", firm.advisors[0].name)), cpr=cpr, **_times(0)))
        calendar = {
            "kind": "CalDav",
            "employeeId": str(firm.id_of("employee", firm.advisors[0].name)),
            "address": "https://calendar.example/anna/",
            "userName": "anna",
            "password": "a password",
        }
        connection = {"kind": "Microsoft365", "name": "The bank", "clientSecret": "a secret"}
        connection |= {name: str(UUID(int=7)) for name in ("directoryId", "clientId", "groupId")}
        for path, body in (
            ("v3/booking/config/calendars", calendar),
            ("v3/booking/config/calendar-connections", connection),
            ("v3/events/webhooks", {"url": "https://receiver.example/"}),
            ("v3/booking/config/document-rules", {"template": "Annual review"}),
        ):
            made = await _require(caller.post(path, body, headers={"Idempotency-Key": path}))
        await _require(caller.post(f"v3/booking/config/document-rules/{made['id']}/secrets"))
    browser = await Browser.open(api, THOMAS)
    session = await services.console_sessions.find([browser.http.cookies["meetdeck_session"]], services.clock())
    assert session is not None
    await services.session_secrets.keep_form(session, KeptForm("settings/keys", [("name", "CRM")]))
    (key,) = find_encryption_keys(None, tmp_path)
    erasures = Erasures(database, services.storage, CustomerDigests(key))
    await erasures.erase(
        NORDLYS.tenant_id, str(await _find_customer(database)), OPERATOR, services.clock(), cancel=True
    )
    yield key


async def _require(answer: Any) -> Any:
    answer = await answer
    assert answer.status_code in {200, 201}, answer.text
    return answer.json()


def _times(day: int) -> dict[str, str]:
    start = TUESDAY_AT_TEN.replace(day=TUESDAY_AT_TEN.day + day)
    return {"startDate": start.isoformat(), "endDate": start.replace(hour=start.hour + 1).isoformat()}


async def _find_customer(database: Database) -> str:
    async with database.transaction(NORDLYS.tenant_id) as connection:
        found: str = await connection.fetchval("select customer_id from meeting where cpr_encrypted is null limit 1")
        return found


async def _read_with(database: Database, *keys: bytes) -> dict[str, int]:
    """Return how many values of each kind these keys read; one that they do not read raises ValueError."""
    encryption, counted = Encryption(*keys), dict.fromkeys(KINDS, 0)
    for tenant_id in (NORDLYS.tenant_id, FJORD.tenant_id):
        async with database.transaction(tenant_id) as connection:
            for kind in ENCRYPTED_COLUMNS:
                query = f"select {kind.column} as sealed from {kind.table} where {kind.column} is not null"  # noqa: S608 - of our own list
                for row in await connection.fetch(query):
                    if not _is_json(row["sealed"]):
                        assert encryption.decrypt(tenant_id, row["sealed"])
                        counted[kind.words] += 1
    return counted


def _is_json(value: bytes) -> bool:
    try:
        msgspec.json.decode(value)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def _by_kind(report: RekeyingReport) -> dict[str, int]:
    return {kind.kind: kind.rewritten for kind in report.kinds}


async def test_every_kind_is_rewritten_and_none_is_left(database: Database, old: bytes) -> None:
    before = await _read_with(database, old)
    assert [kind for kind, count in before.items() if not count] == ["keys of erasure receipts"]
    report = await rekey(database, (NEW, old), NoProgress())
    after = await _read_with(database, NEW)
    assert after == before | {"keys of erasure receipts": 1}
    assert _by_kind(report) == before
    assert (report.left, report.unreadable) == (0, 0)
    again = await rekey(database, (NEW, old), NoProgress())
    assert (again.rewritten, again.left, again.values) == (0, 0, sum(after.values()))


async def test_what_none_of_the_keys_reads_is_counted_and_stays(database: Database, old: bytes) -> None:
    before = await _read_with(database, old)
    report = await rekey(database, (NEW,), NoProgress())
    assert (report.unreadable, report.rewritten) == (sum(before.values()), 0)
    assert await _read_with(database, old) == before


async def test_more_than_a_batch_is_rewritten_beside_writers(database: Database, old: bytes) -> None:
    encryption, rotated = Encryption(old), Encryption(NEW, old)
    tenant_id = NORDLYS.tenant_id
    async with database.transaction(tenant_id) as connection:
        webhook_id = await connection.fetchval("select webhook_id from webhook limit 1")
        columns = "tenant_id, webhook_id, secret_id, secret_encrypted, created_at"
        await connection.executemany(
            f"insert into webhook_secret ({columns}) values (current_tenant(), $1, $2, $3, now())",  # noqa: S608
            [(webhook_id, uuid4(), encryption.encrypt(tenant_id, f"secret {place}")) for place in range(1_200)],
        )

    async def write(connection: Connection, secret_id: UUID) -> None:
        sealed = rotated.encrypt(tenant_id, "written meanwhile")
        await connection.execute(
            "update webhook_secret set secret_encrypted = $1 where secret_id = $2", sealed, secret_id
        )

    async def write_all() -> None:
        async with database.transaction(tenant_id) as connection:
            rows = await connection.fetch("select secret_id from webhook_secret limit 200")
        for row in rows:
            await database.run(tenant_id, lambda connection, row=row: write(connection, row["secret_id"]))

    report, _ = await asyncio.gather(rekey(database, (NEW, old), NoProgress()), write_all())
    assert report.left == 0
    assert (await _read_with(database, NEW))["secrets of webhooks"] == 1_202
    async with database.transaction(tenant_id) as connection:
        sealed = await connection.fetch("select secret_encrypted from webhook_secret")
    assert [rotated.decrypt(tenant_id, row["secret_encrypted"]) for row in sealed].count("written meanwhile") == 200


async def test_receipts_of_the_earlier_key_are_known_when_it_is_gone(
    database: Database, services: Services, old: bytes
) -> None:
    async def erase(*keys: bytes) -> int:
        erasures = Erasures(database, services.storage, CustomerDigests(*keys))
        outcome = await erasures.erase(NORDLYS.tenant_id, "Freja-1", OPERATOR, services.clock(), cancel=True)
        return len(outcome.earlier)

    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update meeting set customer_id = 'Freja-1'")
    assert await erase(old) == 0
    assert await erase(NEW) == 0, "without rekeying it is not known"
    await rekey(database, (NEW, old), NoProgress())
    await rekey(database, (NEW, old), NoProgress())
    assert await erase(NEW) == 1
    erasures = Erasures(database, services.storage, CustomerDigests(NEW))
    receipts = await erasures.list_receipts(NORDLYS.tenant_id)
    async with database.transaction(NORDLYS.tenant_id) as connection:
        await connection.execute("update meeting set customer_id = 'Freja-1'")  # as an older backup has it
    assert await erasures.find_customers(receipts) == [(NORDLYS.tenant_id, "Freja-1")]


async def test_the_doctor_counts_what_is_under_an_earlier_key(
    database: Database, application: Address, old: bytes, tmp_path: Path
) -> None:
    settings = make_settings(tmp_path, encryption_key=f"{NEW.hex()},{old.hex()}")
    found = await check_encryption_key(settings, application)
    assert found.status is Status.WARNING
    assert "18 of 18 encrypted values are still under an earlier key: 2 of `cpr` of meetings" in found.detail
    assert "meetdeck rekey" in found.advice
    await rekey(database, (NEW, old), NoProgress())
    found = await check_encryption_key(settings, application)
    assert "the first one reads all 19 encrypted values" in found.detail
    found = await check_encryption_key(make_settings(tmp_path, encryption_key=NEW.hex()), application)
    assert found.status is Status.OK
