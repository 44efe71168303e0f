"""Files of a real installation: in a folder or in S3, swept, and never missing after a crash."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncGenerator, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.platform.database import Connection
from support.installation import Installation
from support.s3_server import URL, S3Server

TWO_DAYS = 2 * 24 * 60 * 60


@pytest.fixture
def s3(installation: Installation) -> Generator[S3Server]:
    """Lend a server that speaks S3, on which the installation keeps its files."""
    server = S3Server()
    installation.settings |= server.environment
    installation.settings |= {"MEETDECK_STORAGE_URL": URL, "MEETDECK_STORAGE_ALLOW_HTTP": "true"}
    yield server
    server.stop()


def open_api(installation: Installation, address: str) -> httpx.Client:
    """Return a client of the first demo firm, with the credentials that were printed."""
    headers = dict(re.findall(r'-H "([\w-]+): ([^"]+)"', installation.printed))
    return httpx.Client(base_url=f"{address}/api/v3/present/", headers=headers, timeout=30)


@asynccontextmanager
async def connect(installation: Installation) -> AsyncGenerator[Connection]:
    """Lend a connection to the installation's database as its owner, who sees the first firm's rows."""
    with EmbeddedPostgres(installation.data_dir / "postgres") as endpoint:
        connection = await endpoint.owner.connect()
        await connection.execute("select set_config('meetdeck.tenant', $1, false)", str(NORDLYS.tenant_id))
        yield connection
        await connection.close()


def files_in(installation: Installation) -> set[Path]:
    return set((installation.data_dir / "storage" / str(NORDLYS.tenant_id) / "files").iterdir())


async def named_files(connection: Connection) -> set[str]:
    rows = await connection.fetch("select file_key from template_revision union select file_key from content")
    return {row["file_key"] for row in rows}


@pytest.mark.thorough
@pytest.mark.one_clock  # of files and of this process
async def test_a_kill_between_file_and_row_leaves_a_file_that_is_swept_and_no_row(installation: Installation) -> None:
    address = installation.start()
    before = files_in(installation)
    with open_api(installation, address) as api, ThreadPoolExecutor() as threads:
        async with connect(installation) as connection, connection.transaction():
            await connection.execute("lock table content in access exclusive mode")  # here the row has to wait
            uploading = threads.submit(api.post, "contents", files={"file": ("any.bin", b"any")})
            deadline = time.monotonic() + 20
            while not (strays := files_in(installation) - before):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.02)
            installation.stop(signal.SIGKILL)
        with pytest.raises(httpx.TransportError):
            uploading.result()
    (stray,) = strays
    assert stray.read_bytes() == b"any"
    async with connect(installation) as connection:
        named = await named_files(connection)
        assert await connection.fetchval("select count(*) from content") == 0
    assert {path.name for path in before} == {key.rpartition("/")[2] for key in named}

    assert "Deleted: 0 files" in installation.command("sweep").stdout  # it might still get its row
    for path in (stray, *before):
        os.utime(path, (time.time() - TWO_DAYS, time.time() - TWO_DAYS))
    assert "Would delete: 1 files" in installation.command("sweep", "--dry-run").stdout
    assert "Deleted: 1 files of 0.0 MiB, 0 expired contents." in installation.command("sweep").stdout
    assert files_in(installation) == before


@pytest.mark.thorough
def test_everything_works_on_s3(installation: Installation, s3: S3Server) -> None:
    address = installation.start(anew=True)
    with open_api(installation, address) as api:
        kept: Any = api.post("contents", files={"file": ("review.pptx", TEMPLATE_FILE.read_bytes())}).json()
        body = {"contentId": kept["contentId"], "name": "From a content", "category": "Private"}
        assert api.post("templates", json=body).status_code == 201
        deck: Any = api.post("slides/generate", json={"template": "From a content", "data": {}}).json()
        downloaded = httpx.get(deck["downloadUrl"])
        assert downloaded.content.startswith(b"PK")
        assert len(downloaded.content) == deck["size"] == int(downloaded.headers["Content-Length"])
        large = os.urandom(12 * 1024 * 1024)
        stored: Any = api.post("contents", files={"file": ("large.bin", large)}).json()
        assert api.get(f"contents/{stored['contentId']}").content == large
        assert api.get(f"contents/{UUID(int=0)}").status_code == 404
        assert not (installation.data_dir / "storage").exists()
        assert "Deleted: 0 files of 0.0 MiB, 0 expired contents." in installation.command("sweep").stdout
        s3.stop()
        lost = api.get(f"contents/{stored['contentId']}")
        assert (lost.status_code, lost.json()["code"]) == (503, "storage_unavailable")
        assert httpx.get(f"{address}/health/ready", timeout=20).status_code == 503
        assert httpx.get(f"{address}/health/live").status_code == 200
        s3.start()
        assert api.get(f"contents/{stored['contentId']}").content == large
        assert httpx.get(f"{address}/health/ready", timeout=20).status_code == 200


@pytest.mark.usefixtures("s3")
def test_a_bucket_that_is_missing_is_one_line(installation: Installation) -> None:
    installation.settings["MEETDECK_STORAGE_URL"] = "s3://no-such-bucket"
    ended = installation.command("serve", "--port", "0", "--migrate")
    assert ended.returncode == 1
    expected = "The storage s3://no-such-bucket cannot be used: NoSuchBucket. The specified bucket does not exist"
    assert expected in ended.stderr.splitlines()[-1]
