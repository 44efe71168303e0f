"""Pages and addresses for operators and developers, without credentials."""

import asyncio
import os
import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

import meetdeck
from meetdeck.app import build_app
from meetdeck.embedded_postgres import Endpoint
from meetdeck.platform.database import Address
from meetdeck.services import Services
from meetdeck.web import pages
from support.factories import TUESDAY_AT_TEN, Api


async def test_a_process_that_runs_is_live_and_ready(api: Api) -> None:
    assert (await api.http.get("/health/live")).json() == {"status": "live"}
    assert (await api.http.get("/health/ready")).json() == {"status": "ready"}


async def test_a_process_that_is_to_end_is_live_but_not_ready(api: Api, services: Services) -> None:
    services.readiness.end()
    answer = await api.http.get("/health/ready")
    assert (answer.status_code, answer.json()["detail"]) == (503, "This process ends in a few seconds.")
    assert (await api.http.get("/health/live")).status_code == 200
    assert (await api.get("v3/booking/employees")).status_code == 200


@pytest.mark.own_database
async def test_without_its_database_it_is_live_but_not_ready(
    api: Api, addresses: tuple[Address, Address], postgres: Endpoint
) -> None:
    admin, application = await postgres.owner.connect(), await addresses[1].connect()
    try:
        await admin.execute(f"alter database {addresses[0].database} allow_connections false")
        await application.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and usename = current_user and pid <> pg_backend_pid()"
        )
    finally:
        await application.close()
        await admin.close()
    answer = await api.http.get("/health/ready")
    assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
    assert int(answer.headers["Retry-After"]) > 0
    assert (await api.http.get("/health/live")).status_code == 200
    answer = await api.get("v3/booking/employees")
    assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable")


async def test_without_its_files_it_is_live_but_not_ready(api: Api, tmp_path: Path) -> None:
    (tmp_path / "storage").rename(tmp_path / "elsewhere")
    answer = await api.http.get("/health/ready")
    assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
    assert answer.json()["detail"] == "The file storage cannot be used at the moment."
    assert (await api.http.get("/health/live")).status_code == 200


SETTINGS_OF_A_DATABASE_THAT_CANNOT_WRITE = ["temp_file_limit = '64kB'", "default_transaction_read_only = on"]


@pytest.mark.own_database
@pytest.mark.skipif(
    "MEETDECK_THROUGH_PGBOUNCER" in os.environ, reason="PgBouncer goes on with the role's earlier settings"
)
@pytest.mark.parametrize("setting", SETTINGS_OF_A_DATABASE_THAT_CANNOT_WRITE)
async def test_a_database_that_cannot_write_is_said_and_is_no_defect(
    setting: str, api: Api, services: Services, addresses: tuple[Address, Address], postgres: Endpoint
) -> None:
    assert (await api.http.get("/health/ready")).status_code == 200
    name, role = addresses[0].database, addresses[1].user
    admin = await postgres.superuser.connect()
    try:
        await admin.execute(f"alter role {role} in database {name} set {setting}")
        services.database.pool.expire_connections()
        if "read_only" in setting:
            answer = await api.reserve(TUESDAY_AT_TEN, employeeId=api.id_of("employee", "Anna Holm"))
            assert (answer.status_code, answer.json()["code"]) == (503, "database_full")
            assert int(answer.headers["Retry-After"]) > 0
        else:
            services.database.refused_writes += 1  # as if a write had been refused: it is looked at once
        answer = await api.http.get("/health/ready")
        assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
        assert "The database cannot write" in answer.json()["detail"]
        assert (await api.get("v3/booking/employees")).status_code == 200
    finally:
        await admin.execute(f"alter role {role} in database {name} reset all")
        await admin.close()


async def test_whether_it_can_be_written_is_tried_once_however_many_ask(api: Api, tmp_path: Path) -> None:
    written: set[int] = set()
    for _ in range(10):
        answers = await asyncio.gather(*(api.http.get("/health/ready") for _ in range(5)))
        assert {answer.status_code for answer in answers} == {200}
        written.add((tmp_path / "storage" / "meetdeck-storage").stat().st_ino)
    assert len(written) == 1


async def test_the_numbers_count_requests_by_route_and_never_by_id(api: Api) -> None:
    anna = api.id_of("employee", "Anna Holm")
    await api.get(f"v3/booking/employees/{anna}")
    numbers = (await api.http.get("/metrics")).text
    assert (
        'meetdeck_requests_total{method="GET",route="/api/v3/booking/employees/{employee_id}",status="200"}' in numbers
    )
    assert anna not in numbers


async def test_methods_that_nobody_has_are_counted_together(api: Api) -> None:
    for method in ("PROPFIND", "MKCOL", "BREW"):
        assert (await api.http.request(method, "/api/v3/booking/rooms")).status_code == 405
    numbers = (await api.http.get("/metrics")).text
    assert 'method="other"' in numbers
    assert "PROPFIND" not in numbers


async def test_the_pages_are_there_and_need_nothing_from_outside(api: Api) -> None:
    for path in ["/", "/docs/api", "/static/docs.js", "/static/swagger-ui/swagger-ui-bundle.js"]:
        answer = await api.http.get(path)
        assert answer.status_code == 200, answer.text
        if answer.headers["Content-Type"].startswith("text/html"):
            assert "http://" not in answer.text.replace("http://www.w3.org", "")
            assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


async def test_a_page_that_lacks_a_file_says_what_to_do(
    api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(pages, "_FILES", [Path(pages.__file__).parent / "static", tmp_path])
    answer = await api.http.get("/docs/api")
    assert answer.status_code == 503
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    for words in ("Swagger UI", "scripts/setup.sh run", 'href="../api/v3/openapi.json"'):
        assert words in answer.text
    assert (await api.http.get("/")).status_code == 200


# ---------------------------------------------------------------------------------------------------- the test issuer


async def ask_for_token(api: Api, **changed: str) -> httpx.Response:
    client = api.credentials.tenants[0].clients[0]
    form = {"client_id": client.client_id, "client_secret": client.client_secret, "grant_type": "client_credentials"}
    return await api.http.post("/oauth/token", data=form | changed)


async def test_a_client_gets_a_token_for_an_hour(api: Api) -> None:
    answer = await ask_for_token(api)
    assert (answer.json()["token_type"], answer.json()["expires_in"]) == ("Bearer", 3600)
    assert answer.headers["Cache-Control"] == "no-store"


async def test_a_client_may_name_itself_by_http_basic(api: Api) -> None:
    client = api.credentials.tenants[0].clients[0]
    answer = await api.http.post(
        "/oauth/token",
        data={"grant_type": "client_credentials"},
        auth=(client.client_id, client.client_secret),
    )
    assert answer.status_code == 200


REFUSED_TOKENS = [
    ({"client_secret": "wrong"}, 401, "invalid_client"),
    ({"client_id": "nobody"}, 401, "invalid_client"),
    ({"client_id": "a\0b"}, 401, "invalid_client"),
    ({"client_id": "", "client_secret": ""}, 401, "invalid_client"),
    ({"grant_type": "password"}, 400, "unsupported_grant_type"),
]


async def test_a_refused_token_is_said_in_oauths_words(api: Api) -> None:
    for changed, status, error in REFUSED_TOKENS:
        answer = await ask_for_token(api, **changed)
        assert (answer.status_code, answer.json()["error"]) == (status, error)
        assert ("WWW-Authenticate" in answer.headers) is (status == 401)


async def test_the_issuer_publishes_what_a_verifier_needs(api: Api) -> None:
    discovery = (await api.http.get("/.well-known/openid-configuration")).json()
    assert discovery["issuer"] == "http://meetdeck.test"
    keys = (await api.http.get(discovery["jwks_uri"])).json()["keys"]
    assert [("d" in key, key["kty"]) for key in keys] == [(False, "EC")]


@pytest.mark.own_database
async def test_the_numbers_name_the_version_and_the_connections(api: Api) -> None:
    numbers = (await api.http.get("/metrics")).text
    assert f'meetdeck_build_info{{version="{meetdeck.__version__}"}} 1.0' in numbers
    assert 'meetdeck_database_connections{state="idle"} 1.0' in numbers
    assert "_created" not in numbers


async def test_the_numbers_say_their_character_set_once(api: Api) -> None:
    assert (await api.http.get("/metrics")).headers["Content-Type"].count("charset") == 1


async def test_the_document_is_not_sent_to_whoever_has_it(api: Api) -> None:
    tag = (await api.http.get("/api/v3/openapi.json")).headers["ETag"]
    again = await api.http.get("/api/v3/openapi.json", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["/", "/docs/api", "/docs/api/"])
async def test_a_page_finds_its_files_below_any_path(api: Api, path: str) -> None:
    page = (await api.http.get(path)).text
    links = re.findall(r'(?:href|src)="([^"#?]+)', page)
    assert len(links) > 3
    for link in links:
        address = urljoin(f"http://host/firm{path}", link)
        assert address.startswith("http://host/firm/")
        answer = await api.http.get(address.removeprefix("http://host/firm"))
        assert answer.status_code == (303 if link.endswith("console") else 200), link  # to the sign-in


async def test_only_a_test_installation_speaks_of_demo_data(api: Api, services: Services) -> None:
    start = (await api.http.get("/")).text
    for shown in ("dev-credentials.json", 'href="console"', 'href="dev/mailbox"'):
        assert shown in start
    settings = services.settings.model_copy(
        update={"environment": "production", "issuer": "https://issuer.example", "audience": "meetdeck"}
    )
    app: Any = build_app(replace(services, settings=settings))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://meetdeck.test") as http:
        page = (await http.get("/")).text
    assert "docs/api?version=v2" in page
    for inside in ("dev-credentials.json", "make demo", "health", "metrics", "console", "mailbox"):
        assert inside not in page


async def test_a_browser_that_looks_for_an_icon_finds_one(api: Api) -> None:
    answer = await api.http.get("/favicon.ico")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/svg+xml")


async def test_a_form_that_is_no_clients_is_refused_before_it_is_read(api: Api) -> None:
    read = 0

    async def send_without_end() -> AsyncGenerator[bytes]:
        nonlocal read
        while read < 50 << 20:
            read += 1 << 16
            yield b"x" * (1 << 16)

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await api.http.post("/oauth/token", content=send_without_end(), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert read < 1 << 20
