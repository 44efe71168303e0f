"""`meetdeck serve` as a process of its own, and a client that costs next to nothing."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from hashlib import md5
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import Final, NamedTuple, Self
from urllib.parse import urlencode
from uuid import UUID

import httpx

from meetdeck.demo.credentials import TenantCredentials
from meetdeck.embedded_postgres import EmbeddedPostgres

_LONGEST_START: Final = 120.0


class Answer(NamedTuple):
    """An answer; nothing of its body is kept."""

    seconds: float
    first_byte: float
    status: int
    size: int


class Server:
    """A checkout of the application, serving from a folder of its own while the `with` lasts.

    `arguments` are more of `meetdeck serve`'s.
    """

    def __init__(self, checkout: Path, folder: Path, *arguments: str) -> None:
        folder.mkdir()
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MEETDECK_")}
        environment |= {"MEETDECK_DATA_DIR": str(folder), "PYTHONPATH": str(checkout / "src")}
        environment["MEETDECK_SERVER_TIMING"] = "false"  # as in production
        self._process = subprocess.Popen(  # noqa: S603 - ours
            [
                sys.executable,
                "-c",
                "from meetdeck.cli import main; main()",
                "serve",
                "--migrate",
                "--port",
                str(self.port),
                *arguments,
            ],
            env=environment,
            stdout=(folder / "log").open("wb"),
            stderr=subprocess.STDOUT,
            cwd=folder,
        )
        self._postgres = EmbeddedPostgres(folder / "postgres")
        self._head = b""

    def __enter__(self) -> Self:
        until = monotonic() + _LONGEST_START
        while not self._is_ready():
            if self._process.poll() is not None or monotonic() > until:
                raise SystemExit((self._folder / "log").read_text())
            sleep(0.2)
        self.endpoint = self._postgres.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        self._process.wait()
        self._postgres.__exit__(None, None, None)

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/health/ready").is_success
        except httpx.TransportError:
            return False

    def call_as(self, tenant: TenantCredentials) -> None:
        """Get a token, which the requests to come have."""
        client = tenant.clients[1]
        form = {
            "grant_type": "client_credentials",
            "client_id": client.client_id,
            "client_secret": client.client_secret,
        }
        answer = httpx.post(
            f"http://127.0.0.1:{self.port}/oauth/token",
            content=urlencode(form),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )
        token: str = answer.raise_for_status().json()["access_token"]
        self._head = (
            f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"
            f"Ocp-Apim-Subscription-Key: {tenant.subscription_key}\r\nConnection: close\r\n\r\n"
        ).encode()

    @property
    def pid(self) -> int:
        """Return the id of its process."""
        return self._process.pid

    @property
    def credentials(self) -> dict[str, str]:
        """Return the headers with the token and the key."""
        lines = self._head.decode().split("\r\n")
        return dict(line.split(": ", 1) for line in lines if line.startswith(("Authorization", "Ocp-")))

    def create(self, path: str, body: Mapping[str, object]) -> str:
        """Create a resource by the API and return its id."""
        address = f"http://127.0.0.1:{self.port}/api/v3/booking/{path}"
        answer = httpx.post(address, json=body, headers=self.credentials)
        created: str = answer.raise_for_status().json()["id"]
        return created

    def get(self, path: str) -> Answer:
        """Read an answer to its end, which is the end of the connection."""
        begun = perf_counter()
        taken = bytearray(1 << 20)
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\n".encode() + self._head)
            size = connection.recv_into(taken)
            first_byte = perf_counter() - begun
            status = int(taken[9:12])
            while count := connection.recv_into(taken):
                size += count
        return Answer(perf_counter() - begun, first_byte, status, size)

    def forget_peak_kb(self) -> int:
        """Reset the highest memory, and return the process's memory now."""
        Path(f"/proc/{self._process.pid}/clear_refs").write_text("5")
        return self._read_kb("VmRSS")

    @property
    def peak_kb(self) -> int:
        """Return the highest memory since it was forgotten."""
        return self._read_kb("VmHWM")

    def _read_kb(self, name: str) -> int:
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith(name):
                return int(line.split()[1])
        raise RuntimeError(f"no {name}")

    def id_of(self, kind: str, number: int) -> str:
        """Return the id that the firm's script makes of a kind and a number."""
        return str(UUID(bytes=md5(f"{kind}{number}".encode(), usedforsecurity=False).digest()))
