"""Uploads to a real server: refused before they are read, never in memory whole, nothing left of a cut one."""

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from support.installation import Installation
from support.servers import connect

MEGABYTE = 1024 * 1024
_BOUNDARY = "part"
_HEAD = (
    f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n'
    "Content-Type: application/octet-stream\r\n\r\n"
).encode()
_END = f"\r\n--{_BOUNDARY}--\r\n".encode()


def log_in(installation: Installation) -> dict[str, str]:
    """Return the headers of the first demo client."""
    known: Any = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    tenant = known["tenants"][0]
    client = tenant["clients"][0]
    form = {"grant_type": "client_credentials"} | {
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    token: str = httpx.post(known["tokenUrl"], data=form).json()["access_token"]
    return {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}


def open_upload(address: str, headers: dict[str, str]) -> socket.socket:
    """Send the head of an upload of contents, and nothing of its body."""
    url = urlsplit(address)
    assert url.hostname is not None
    connection = socket.create_connection((url.hostname, url.port or 80), timeout=20)
    given = {"Host": url.netloc, "Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"} | headers
    lines = "".join(f"{name}: {value}\r\n" for name, value in given.items())
    connection.sendall(f"POST /api/v3/present/contents HTTP/1.1\r\n{lines}\r\n".encode())
    return connection


@contextmanager
def watch_memory(process: psutil.Process) -> Generator[list[int]]:
    """Record the bytes that a process holds, every few milliseconds."""
    seen, over = [process.memory_info().rss], threading.Event()

    def note() -> None:
        while not over.wait(0.005):
            seen.append(process.memory_info().rss)

    thread = threading.Thread(target=note)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


class Served(NamedTuple):
    """A server, and the folder of its temporary files."""

    installation: Installation
    address: str
    headers: dict[str, str]
    temporary: Path

    @property
    def process(self) -> psutil.Process:
        assert self.installation.process is not None
        return psutil.Process(self.installation.process.pid)

    def list_files(self) -> list[Path]:
        """List what is stored, and what is being uploaded, with or without a name."""
        stored = [path for path in (self.installation.data_dir / "storage").rglob("*") if path.is_file()]
        for link in Path(f"/proc/{self.process.pid}/fd").iterdir():
            with suppress(FileNotFoundError):  # it was closed since
                stored += [path for path in [link.readlink()] if self.temporary in path.parents]
        return sorted(stored)


@pytest.fixture(scope="module")
def served(shared_installation: Installation) -> Served:
    temporary = shared_installation.data_dir.parent / "temporary"
    temporary.mkdir()
    shared_installation.settings["TMPDIR"] = str(temporary)
    address = shared_installation.start()
    return Served(shared_installation, address, log_in(shared_installation), temporary)


def test_an_upload_that_says_it_is_too_large_is_refused_before_it_is_read(served: Served) -> None:
    with open_upload(served.address, served.headers | {"Content-Length": str(10**12)}) as connection:
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"too_large"' in answer


@pytest.mark.thorough
def test_an_upload_that_does_not_say_how_large_it_is_is_cut_off_at_the_limit(installation: Installation) -> None:
    installation.settings["MEETDECK_MAX_UPLOAD_BYTES"] = str(MEGABYTE)
    address = installation.start()
    sent = 0
    chunk = b"%x\r\n%s\r\n" % (MEGABYTE, bytes(MEGABYTE))
    with open_upload(address, log_in(installation) | {"Transfer-Encoding": "chunked"}) as connection:
        connection.sendall(b"%x\r\n%s\r\n" % (len(_HEAD), _HEAD))
        try:
            while sent < 500:
                connection.sendall(chunk)
                sent += 1
        except OSError:
            pass  # the server has hung up, as it should
        assert sent < 100
    # It serves on.
    assert httpx.get(f"{address}/health/ready").status_code == 200


def test_a_large_upload_comes_back_and_is_never_in_memory_whole(served: Served) -> None:
    address, headers, server, megabytes = served.address, served.headers, served.process, 90
    httpx.get(f"{address}/api/v3/present/templates", headers=headers).raise_for_status()

    def body() -> Iterator[bytes]:
        yield _HEAD
        for number in range(megabytes):
            yield bytes([number]) * MEGABYTE
        yield _END

    form = {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
    with watch_memory(server) as held:
        stored = httpx.post(f"{address}/api/v3/present/contents", content=body(), headers=headers | form, timeout=60)
        assert stored.status_code == 201, stored.text
        assert stored.json()["size"] == megabytes * MEGABYTE
        with httpx.stream("GET", stored.json()["downloadUrl"], timeout=60) as download:
            assert [chunk[0] for chunk in download.iter_bytes(MEGABYTE)] == list(range(megabytes))
    assert max(held) - held[0] < megabytes * MEGABYTE / 2


async def count_contents(installation: Installation) -> int:
    async with connect(installation) as connection:
        return await connection.fetchval("select count(*) from content")


async def wait_until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc, which tells a process's open files")
async def test_an_upload_that_is_cut_in_the_middle_leaves_nothing_and_the_next_try_works(served: Served) -> None:
    contents, files = await count_contents(served.installation), served.list_files()
    with open_upload(served.address, served.headers | {"Content-Length": str(20 * MEGABYTE)}) as connection:
        connection.sendall(_HEAD + bytes(8 * MEGABYTE))
        await wait_until(lambda: served.list_files() != files)  # what came is on its way to the disk
    await wait_until(lambda: served.list_files() == files)
    assert await count_contents(served.installation) == contents
    async with httpx.AsyncClient(headers=served.headers, timeout=30) as http:
        again = {"file": ("big.bin", bytes(20 * MEGABYTE))}
        assert (await http.post(f"{served.address}/api/v3/present/contents", files=again)).status_code == 201
    assert await count_contents(served.installation) == contents + 1


def test_callers_who_send_or_read_a_byte_at_a_time_hold_nobody_up(served: Served) -> None:
    url = urlsplit(served.address)
    upload = {"file": ("large.bin", bytes(4 * MEGABYTE))}
    contents = f"{served.address}/api/v3/present/contents"
    address: str = httpx.post(contents, files=upload, headers=served.headers).json()["downloadUrl"]
    link = urlsplit(address)
    with ExitStack() as stack:
        for number in range(60):
            slow = stack.enter_context(socket.create_connection((url.hostname, url.port), timeout=20))
            if number % 3 == 0:  # a head that never ends
                slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
                stack.enter_context(drip(lambda slow=slow: slow.sendall(b"x")))
            elif number % 3 == 1:
                body = stack.enter_context(open_upload(served.address, served.headers | {"Content-Length": "100000"}))
                stack.enter_context(drip(lambda body=body: body.sendall(b"x")))
            else:
                slow.sendall(f"GET {link.path}?{link.query} HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode())
                stack.enter_context(drip(lambda slow=slow: slow.recv(1)))
        with httpx.Client(headers=served.headers, timeout=5) as http:
            for _ in range(10):
                assert http.get(f"{served.address}/api/v3/booking/employees").status_code == 200
                assert http.post(contents, files={"file": ("a.bin", b"a")}).status_code == 201


@contextmanager
def drip(move: Callable[[], object]) -> Generator[None]:
    """Move a byte now and then."""
    over = threading.Event()

    def go_on() -> None:
        while not over.wait(0.5):
            move()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
