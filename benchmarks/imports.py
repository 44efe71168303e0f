"""An import of 100,000 employees with customer types and schedules: `python benchmarks/imports.py`.

Beside it the way without an import: a POST for each employee, 300 of which are sent to the application in this process
one after the other, and extrapolated. That leaves out the schedules, and the network.
"""

import asyncio
import csv
import logging
import os
import platform
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from uuid import UUID

import httpx
import structlog

from meetdeck.app import build_app
from meetdeck.booking.importing.files import open_files
from meetdeck.booking.importing.outcome import Outcome
from meetdeck.booking.importing.service import import_files
from meetdeck.demo.seed import load_demo_data
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.migrations import migrate
from meetdeck.platform.database import Address, Database
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.settings import Settings
from meetdeck.platform.storage import Storage
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services

EMPLOYEES: Final = int(os.environ.get("EMPLOYEES", "100000"))
ONE_BY_ONE: Final = 300
DATABASE: Final = "benchmark"
NOW: Final = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
BASE_URL: Final = "http://meetdeck.test"

_TYPES: Final = ("Private", "Business", "Student", "Senior")
_PLACES: Final = ("Aarhus", "Odense", "København", "Esbjerg")
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def write_files(folder: Path) -> list[Path]:
    """Write the files to import: customer types, employees with two of them each, and five workdays each."""
    files = {
        "customer-types.csv": ([name] for name in ("name", *_TYPES)),
        "employees.csv": _list_employees(),
        "schedules.csv": _list_workdays(),
    }
    for name, rows in files.items():
        with (folder / name).open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
    return [folder / name for name in files]


def _list_employees() -> Iterator[list[str]]:
    yield ["name", "email", "phone", "title", "location", "timeZone", "customerTypes", "active"]
    for number in range(EMPLOYEES):
        types = f"{_TYPES[number % 4]}|{_TYPES[(number + 1) % 4]}"
        name, email = f"Advisor {number:06}", f"advisor{number}@example.com"
        place = _PLACES[number % 4]
        yield [name, email, f"+45 {number:08}", "Advisor", place, "Europe/Copenhagen", types, "true"]


def _list_workdays() -> Iterator[list[str]]:
    yield ["employee", "dayOfWeek", "from", "to", "availableMeetingTypes"]
    for number in range(EMPLOYEES):
        for day in _DAYS:
            begins = f"{8 + number % 3:02}:00:00"
            yield [f"advisor{number}@example.com", day, begins, "16:30:00", "Physical|Online"]


async def measure_import(database: Database, tenant_id: UUID, files: list[Path], what: str) -> None:
    """Import the files, and print how long it took."""
    begun = time.perf_counter()
    outcome: Outcome = await import_files(database, tenant_id, open_files(files), NOW, NoProgress())
    seconds = time.perf_counter() - begun
    if outcome.problems:
        sys.exit(f"{outcome.problems[0]}")
    rows = EMPLOYEES * (1 + len(_DAYS))
    print(f"{what:<34} {seconds:7.1f} s | {EMPLOYEES / seconds:8,.0f} employees/s | {rows / seconds:9,.0f} rows/s")


async def measure_one_by_one(services: Services, tenant_id: UUID) -> None:
    """Send a POST for each of a few employees, and print the time that all would take."""
    credentials = await load_demo_data(services)
    tenant = next(one for one in credentials.tenants if one.tenant_id == tenant_id)
    transport = httpx.ASGITransport(app=build_app(services))  # pyright: ignore[reportArgumentType] - Litestar types ASGI more narrowly
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    async with httpx.AsyncClient(transport=transport, base_url=BASE_URL) as http:
        form = {"grant_type": "client_credentials", "client_id": tenant.clients[0].client_id}
        answer = await http.post("/oauth/token", data=form | {"client_secret": tenant.clients[0].client_secret})
        http.headers["Authorization"] = f"Bearer {answer.raise_for_status().json()['access_token']}"
        http.headers["Ocp-Apim-Subscription-Key"] = tenant.subscription_key
        begun = time.perf_counter()
        for number in range(ONE_BY_ONE):
            body = {"name": f"Single {number}", "email": f"single{number}@example.com", "location": "Aarhus"}
            (await http.post("/api/v3/booking/config/employees", json=body)).raise_for_status()
        seconds = (time.perf_counter() - begun) / ONE_BY_ONE * EMPLOYEES
    print(f"{f'one by one ({ONE_BY_ONE} sent)':<34} {seconds:7.1f} s | {EMPLOYEES / seconds:8,.0f} employees/s")


async def run(owner: Address, app: Address, folder: Path) -> None:
    """Fill a database of our own and measure."""
    admin = await owner.connect()
    await admin.execute(f"create database {DATABASE}")
    await admin.close()
    await migrate(replace(owner, database=DATABASE))
    async with Database(replace(app, database=DATABASE), connections=2) as database:
        storage = Storage.open(url=None, folder=folder / "storage")
        await storage.require_usable()
        settings = Settings(data_dir=folder, public_url=BASE_URL)
        opened = Services.open(settings, database, storage, MissingRenderer(), lambda: NOW)
        async with aclosing(opened) as services:
            tenant_id = (await load_demo_data(services)).tenants[0].tenant_id
            async with database.transaction(tenant_id) as connection:
                server = await connection.fetchval("show server_version")
            print(
                f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
                f"PostgreSQL {server}, {EMPLOYEES:,} employees, each with 2 customer types and 5 workdays"
            )
            await measure_one_by_one(services, tenant_id)
            files = write_files(folder)
            await measure_import(database, tenant_id, files, "import, all new")
            await measure_import(database, tenant_id, files, "again, all unchanged")
            megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"most memory of this process: {megabytes:.0f} MiB")


def main() -> None:
    """Start a PostgreSQL of our own and measure."""
    with tempfile.TemporaryDirectory() as name, EmbeddedPostgres(Path(name) / "postgres") as endpoint:
        asyncio.run(run(endpoint.owner, endpoint.app, Path(name)))


if __name__ == "__main__":
    main()
