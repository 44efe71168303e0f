"""Uploads to a real server: refused before they are read, and never in memory whole."""

import json
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil

from support.installation import Installation

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


def test_an_upload_that_says_it_is_too_large_is_refused_before_it_is_read(installation: Installation) -> None:
    address = installation.start()
    with open_upload(address, log_in(installation) | {"Content-Length": str(10**12)}) as connection:
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"too_large"' in answer


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


def test_a_large_upload_comes_back_and_is_never_in_memory_whole(installation: Installation) -> None:
    address, megabytes = installation.start(), 90
    assert installation.process is not None
    server, headers = psutil.Process(installation.process.pid), log_in(installation)
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
