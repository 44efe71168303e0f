"""Visits a service with the standard library alone, as a Python without Meetdeck does.

python visit_alone.py PROGRAM FOLDER    serves demo data from the folder, and prints what each address answered
"""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode

_PORT = 8099
_ORIGIN = f"http://127.0.0.1:{_PORT}"
_SECONDS = 300
_SLIDES = {"template": "Annual review", "slides": [{"slideId": "Cover", "data": {"customer": {"name": "Freja"}}}]}


def ask(path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> tuple[int, bytes]:
    """Return the status and the body of an answer."""
    request = urllib.request.Request(_ORIGIN + path, body, dict(headers or {}))  # noqa: S310 - this machine
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - the same
        return answer.status, answer.read()


def wait_until_ready(service: subprocess.Popen[bytes]) -> None:
    """Wait until the service says that it is ready."""
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end and service.poll() is None:
        try:
            ask("/health/ready")
        except URLError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit("the service did not start")


def visit_as_client(credentials: Path) -> None:
    """Print what a client of the demo firm gets: a deck, and the page of a portal for anybody."""
    firm: dict[str, Any] = json.loads(credentials.read_text(encoding="utf-8"))["tenants"][0]
    client = firm["clients"][0]
    asked = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    token = json.loads(ask("/oauth/token", urlencode(asked).encode())[1])["access_token"]
    known: dict[str, str] = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": firm["subscriptionKey"]}
    of_json = known | {"Content-Type": "application/json"}
    _, deck = ask("/api/v3/present/slides", json.dumps(_SLIDES).encode(), of_json)
    print("deck", deck[:2])
    portals: list[dict[str, Any]] = json.loads(ask("/api/v3/booking/config/portals", headers=known)[1])
    (opened, *_) = (portal for portal in portals if portal["authenticationType"] == "Anonymous")
    show("portal", f"/p/{opened['address'] or opened['id']}")


def show(name: str, path: str) -> None:
    """Print the status and the length of a page, and whether it is one."""
    status, body = ask(path)
    print(name, status, len(body), b"<html" in body)


def main() -> None:
    """Serve, visit and stop."""
    program, folder = sys.argv[1:]
    environment = {**os.environ, "MEETDECK_DATA_DIR": folder, "MEETDECK_OFFICE_AT_START": "false"}
    command = [program, "serve", "--migrate", "--demo-data", "--port", str(_PORT)]
    service = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 - ours
    try:
        wait_until_ready(service)
        for path in ("/health/ready", "/", "/console/", "/docs", "/docs/api", "/api/v3/openapi.json"):
            show(path, path)
        visit_as_client(Path(folder) / "dev-credentials.json")
    finally:
        service.terminate()
        print("ended", service.wait(_SECONDS))


if __name__ == "__main__":
    main()
