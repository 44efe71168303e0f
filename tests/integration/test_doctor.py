"""The findings of the doctor in installations that are sound, and in some that lack something."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
import pytest_asyncio
import time_machine

from meetdeck.demo.firm import NORDLYS
from meetdeck.doctor.database import check_worker
from meetdeck.doctor.mail import check_mail
from meetdeck.doctor.outcome import CheckResult, Finding, Status
from meetdeck.doctor.service import check_all
from meetdeck.embedded_postgres import Endpoint
from meetdeck.events.routing.service import Routing
from meetdeck.platform.changes import EventType, NewEvent, write_event
from meetdeck.platform.database import Address, Database
from meetdeck.platform.process import RESTORING, clock
from meetdeck.platform.storage import Storage
from meetdeck.platform.work import WorkerPresence, enqueue
from support.factories import TUESDAY_AT_TEN, Api, make_settings
from support.gotenberg import Gotenberg
from support.renderers import BlankPages
from support.servers import find_free_port

SECRET = "x9K2-not-to-be-told-Q7"
WITHOUT_RENDERER: dict[str, Any] = {"only": {"booking", "worker"}}


@pytest_asyncio.fixture
async def served(api: Api, tmp_path: Path) -> AsyncGenerator[Path]:
    """Lend the data folder of an installation that has served."""
    (tmp_path / "dev-credentials.json").chmod(0o600)
    yield tmp_path
    assert api.firm


async def look(data_dir: Path, found: Address | Finding, **settings: Any) -> dict[str, CheckResult]:
    """Run all checks; return them by name."""
    examination = await check_all(make_settings(data_dir, **(WITHOUT_RENDERER | settings)), found)
    assert SECRET not in msgspec.json.encode(examination).decode()
    return {one.name: one for one in examination.checks}


def list_bad(found: dict[str, CheckResult], status: Status = Status.FAULT) -> list[str]:
    return [name for name, one in found.items() if one.status is status]


async def test_an_installation_that_serves_is_sound(served: Path, application: Address) -> None:
    found = await look(served, application)
    assert list_bad(found) == []
    assert "the role meetdeck_app sees one tenant at a time" in found["database"].detail
    assert all(one.advice for one in found.values() if one.status is not Status.OK)
    assert await Storage.open(url=None, folder=served / "storage").find("meetdeck-storage") is not None


async def test_a_slide_is_rendered(served: Path, application: Address) -> None:
    pdf = await BlankPages(1).to_pdf(b"")

    async def draw(_: bytes) -> bytes:
        return pdf

    async with Gotenberg(draw).run() as gotenberg:
        found = await look(served, application, only={"present"}, gotenberg_url=f"http://{gotenberg.address}")
    assert "A slide became a PDF" in found["renderer"].detail
    assert "Gotenberg 8" in found["renderer"].detail
    found = await look(served, application, only={"present"}, gotenberg_url=f"http://x:{SECRET}@127.0.0.1:9")
    assert found["renderer"].status is Status.FAULT
    assert "MEETDECK_GOTENBERG_URL" in found["renderer"].detail


async def test_jobs_and_events_that_wait_and_jobs_that_fail_are_told(
    served: Path, application: Address, database: Database, api: Api
) -> None:
    now = clock.now()
    await Routing(database, subscribers=(), sources=()).route(now)
    found = await look(served, application)
    assert found["worker"].status is Status.OK
    async with database.transaction(api.firm.tenant_id) as connection:
        await enqueue(connection, "bench", uuid4(), due_at=now - timedelta(hours=1))
        await connection.execute("update job set failures = 3")
        await write_event(connection, NewEvent(EventType.CONTENT_CREATED, "contents/x", now - timedelta(hours=2)))
    found = await look(served, application)
    assert found["worker"].status is Status.WARNING
    assert "The first of 1 jobs of bench has waited for 36" in found["worker"].detail
    assert "not routed has waited for 72" in found["worker"].detail
    assert "tried again: 1 of bench." in found["worker"].detail
    assert "meetdeck worker" in found["worker"].advice


async def test_production_without_a_worker_is_told(served: Path, application: Address, database: Database) -> None:
    test = make_settings(served)
    production = test.model_copy(update={"environment": "production"})
    await Routing(database, subscribers=(), sources=()).route(clock.now())
    assert (await check_worker(test, application)).status is Status.OK
    found = await check_worker(production, application)
    assert (found.status, found.detail) == (Status.WARNING, "No process runs background jobs at the moment.")
    presence = WorkerPresence(database, is_worker=True, complains=False)
    await presence.refresh()
    assert (await check_worker(production, application)).status is Status.OK


async def test_without_its_database_everything_else_is_told(served: Path, application: Address) -> None:
    found = await look(served, replace(application, host="127.0.0.1", port=find_free_port(), password=SECRET))
    assert list_bad(found) == ["database"]
    assert "cannot be used" in found["database"].detail
    assert found["schema"].detail == "It was not checked, because the database is unavailable."
    assert found["storage"].status is Status.OK


async def test_a_role_that_keeps_no_tenants_apart_is_a_fault(
    served: Path, application: Address, postgres: Endpoint
) -> None:
    found = await look(served, replace(postgres.superuser, database=application.database))
    assert "is a superuser" in found["database"].detail
    assert list_bad(found) == ["database"]


async def test_an_older_schema_is_a_fault_that_names_the_command(
    served: Path, addresses: tuple[Address, Address], application: Address
) -> None:
    connection = await addresses[0].connect()
    await connection.execute("update alembic_version set version_num = '0066'")
    await connection.close()
    found = await look(served, application)
    assert list_bad(found) == ["schema"]
    assert "meetdeck migrate" in found["schema"].advice


async def test_another_key_than_the_one_that_encrypted_is_a_fault(api: Api, served: Path, application: Address) -> None:
    ends_at = TUESDAY_AT_TEN + timedelta(hours=1)
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": ends_at.isoformat()}
    assert (await api.book(cpr="0102031234", employeeId=api.id_of("employee", "Anna Holm"), **times)).status_code == 201
    assert "1 value" in (await look(served, application))["encryption key"].detail
    found = await look(served, application, encryption_key=bytes(range(3, 99, 3)).hex()[::-1])
    assert list_bad(found) == ["encryption key"]
    assert "MEETDECK_ENCRYPTION_KEY" in found["encryption key"].advice
    (served / "encryption-key").unlink()
    assert list_bad(await look(served, application)) == ["encryption key"]
    assert not (served / "encryption-key").exists()


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("v3/events/webhooks", {"url": "https://receiver.example/"}, "secrets of webhooks"),
        ("v3/booking/config/document-rules", {"template": "Annual review"}, "secrets of document rules"),
    ],
)
async def test_another_key_is_a_fault_whatever_was_encrypted(
    path: str, body: dict[str, Any], words: str, api: Api, served: Path, application: Address
) -> None:
    elevated = await api.of(NORDLYS, elevated=True)
    made = await elevated.post(path, body, headers={"Idempotency-Key": "one"})
    assert made.status_code == 201, made.text
    read = (await look(served, application))["encryption key"]
    assert read.status is Status.OK
    assert f"2 values tried, of {words}, answers with a secret" in read.detail
    found = await look(served, application, encryption_key=bytes(range(3, 99, 3)).hex()[::-1])
    assert list_bad(found) == ["encryption key"]
    assert f"cannot read 2: 1 of {words}, 1 of answers with a secret" in found["encryption key"].detail


async def test_a_clock_that_is_off_is_a_fault(served: Path, application: Address) -> None:
    with time_machine.travel(clock.now() + timedelta(hours=1)):
        found = await look(served, application)
    assert "ahead of that of the database" in found["clock"].detail
    assert list_bad(found) == ["clock"]


async def test_an_issuer_that_does_not_answer_is_a_fault_and_so_is_anothers(served: Path, application: Address) -> None:
    issuer = f"http://127.0.0.1:{find_free_port()}"
    found = await look(served, application, issuer=issuer, portal={"issuer": issuer, "client_id": "pages"})
    assert list_bad(found) == ["issuer", "portal sign-in"]
    assert issuer in found["issuer"].detail


async def test_more_connections_than_the_server_has_are_a_fault(served: Path, application: Address) -> None:
    found = await look(served, application, workers=100, database_connections=1000)
    assert list_bad(found) == ["connections"]
    assert "101 processes may take 101000 connections" in found["connections"].detail


async def test_a_storage_that_cannot_be_written_is_a_fault_and_another_one_is_noticed(
    served: Path, application: Address
) -> None:
    (served / "storage").rename(served / "unmounted")
    found = await look(served, application)
    assert (found["storage"].status, "mount" in found["storage"].advice) == (Status.WARNING, True)
    assert not (served / "storage").exists()
    (served / "storage").mkdir()
    assert "nothing was ever served" in (await look(served, application))["storage"].detail
    (served / "storage").rmdir()
    (served / "storage").write_text("no folder")
    assert list_bad(await look(served, application)) == ["storage"]


async def test_a_restore_that_was_not_finished_is_a_fault(served: Path, application: Address) -> None:
    (served / RESTORING).write_text("yesterday.backup\n")
    found = await look(served, application)
    assert list_bad(found) == ["disk"]
    assert "meetdeck restore yesterday.backup" in found["disk"].detail


async def test_weak_secrets_and_files_that_others_may_read_are_named_and_not_told(
    served: Path, application: Address
) -> None:
    (served / "encryption-key").chmod(0o644)
    portal = {"issuer": f"http://127.0.0.1:{find_free_port()}", "client_id": "pages", "client_secret": "short"}
    found = await look(served, application, portal=portal)
    assert found["secrets"].status is Status.FAULT
    assert "encryption-key" in found["secrets"].detail
    assert "MEETDECK_PORTAL_CLIENT_SECRET is shorter" in found["secrets"].detail


async def test_a_standby_that_is_none_is_a_fault(served: Path, application: Address) -> None:
    url = f"postgresql://meetdeck_app:{SECRET}@127.0.0.1:{find_free_port()}/meetdeck"
    found = await look(served, application, database_read_url=url)
    assert list_bad(found) == ["standby"]
    assert "searches ask the primary" in found["standby"].advice


async def test_a_mail_server_and_a_mailbox_that_do_not_answer_are_faults(tmp_path: Path) -> None:
    closed = find_free_port()
    asked = make_settings(
        tmp_path,
        smtp_url=f"smtp://meetdeck:{SECRET}@127.0.0.1:{closed}",
        imap_url=f"imap://meetdeck:{SECRET}@127.0.0.1:{closed}",
    )
    found = await check_mail(asked)
    assert found.status is Status.FAULT
    assert "127.0.0.1: the mail server cannot be reached" in found.detail
    assert "The mailbox cannot be reached" in found.detail
    assert SECRET not in found.detail
    assert (await check_mail(make_settings(tmp_path))).status is Status.OK


PRODUCTION: dict[str, Any] = {
    "environment": "production",
    "issuer": "https://127.0.0.1:9",
    "audience": "meetdeck",
    "encryption_key": bytes(range(3, 99, 3)).hex()[::-1],
    "database_url": "postgresql://meetdeck_app:choose-another@127.0.0.1/meetdeck",
}


async def test_production_is_looked_at_more_strictly(served: Path, application: Address) -> None:
    found = await look(served, application, **PRODUCTION, public_url="https://meetdeck.example")
    assert "MEETDECK_DATABASE_URL is one of an example" in found["secrets"].detail
    assert "demo firms" in found["secrets"].detail
    assert list_bad(found) == ["secrets", "issuer"]
    assert "proxies" in list_bad(found, Status.WARNING)
    assert found["mail"].detail == "No mail is sent: there is no mail server."
    found = await look(served, application, **PRODUCTION, public_url="http://localhost:8080")
    assert "public address" in list_bad(found, Status.WARNING)
