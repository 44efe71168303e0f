"""deploy/Dockerfile, carried out in a fresh Debian: both images serve as its user, on files that nobody can change.

`make image` runs it: minutes, and a gigabyte or two below var/image. It needs root, and Debian's debootstrap.
"""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.pages.texts import get_texts
from support.dockerfiles import read_stages
from support.images import Image, build, confine, debootstrap
from support.servers import find_free_port

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "var/image"
SECONDS = 180

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="mounting and changing the root take root"),
    pytest.mark.skipif(not Path("/usr/sbin/debootstrap").exists(), reason="the package `debootstrap` is not here"),
]


@pytest.fixture(scope="session")
def images() -> dict[str, Image]:
    """Build all stages; say what each is, and how long it took."""
    started = time.monotonic()
    base = debootstrap(FOLDER / "base")
    print(f"\nbase: {base.megabytes} MB, {time.monotonic() - started:.0f} s")  # noqa: T201 - the figures are wanted
    started = time.monotonic()
    built = build(read_stages(ROOT / "deploy/Dockerfile"), base, ROOT, FOLDER / "stages")
    for name in ("slim", "office"):
        print(f"{name}: {built[name].megabytes} MB")  # noqa: T201 - as above
    print(f"all stages: {time.monotonic() - started:.0f} s")  # noqa: T201 - as above
    return built


@contextmanager
def serve(image: Image) -> Generator[str]:
    """Run an image's own command, with demo data; yield its address once its own health check is content."""
    port = str(find_free_port())
    command = [*image.entrypoint, *image.command, "--migrate", "--demo-data"]
    log = (FOLDER / "serve.log").open("w+")
    settings = {"MEETDECK_PORT": port, "MEETDECK_PUBLIC_URL": f"http://127.0.0.1:{port}"}
    server = subprocess.Popen(confine(image, command, **settings), stdout=log, stderr=log)  # noqa: S603 - ours
    deadline = time.monotonic() + SECONDS
    try:
        while not is_healthy(image, port):
            assert server.poll() is None, Path(log.name).read_text(encoding="utf-8")
            assert time.monotonic() < deadline, Path(log.name).read_text(encoding="utf-8")
            time.sleep(0.5)
        yield f"http://127.0.0.1:{port}"
    finally:
        for process in psutil.Process(server.pid).children(recursive=True):
            if process.name() == "meetdeck":
                process.terminate()
        server.wait(60)
        log.close()


def is_healthy(image: Image, port: str) -> bool:
    """Return what the image's own health check says."""
    asked = subprocess.run(confine(image, image.healthcheck, MEETDECK_PORT=port), capture_output=True, check=False)  # noqa: S603 - ours
    return asked.returncode == 0


def find_server(port: str) -> psutil.Process:
    """Return the process that listens on a port."""
    return next(
        psutil.Process(one.pid)
        for one in psutil.net_connections("tcp")
        if one.pid and one.status == "LISTEN" and getattr(one.laddr, "port", 0) == int(port)
    )


@pytest.mark.parametrize("name", ["slim", "office"])
def test_it_serves_without_any_right(name: str, images: dict[str, Image]) -> None:
    with serve(images[name]) as address:
        process = find_server(address.rpartition(":")[2])
        status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        assert re.findall(r"^Cap(?:Inh|Prm|Eff|Bnd|Amb):\t(\w+)$", status, re.MULTILINE) == ["0" * 16] * 5
        assert re.search(r"^NoNewPrivs:\t1$", status, re.MULTILINE)
        assert process.uids().real == 10001
        mounts = [line.split() for line in Path(f"/proc/{process.pid}/mounts").read_text(encoding="utf-8").splitlines()]
        root = next(options for _, at, _, options, *_ in mounts if at == "/")
        assert "ro" in root.split(",")
        pages = ["/", "/docs", "/docs/api", "/p/nordlys", "/p/nordlys?lang=da", "/static/swagger-ui/swagger-ui.css"]
        assert {page: httpx.get(f"{address}{page}").status_code for page in pages} == dict.fromkeys(pages, 200)
        assert get_texts("da").translate("What is it about?") in httpx.get(f"{address}/p/nordlys?lang=da").text
        made = render(images[name], address, process)
        if name == "office":
            assert (made.status_code, made.content[:4]) == (200, b"%PDF"), made.text
        else:
            assert (made.status_code, made.json()["code"]) == (503, "renderer_unavailable")


def render(image: Image, address: str, server: psutil.Process) -> httpx.Response:
    """Ask for a PDF with the demo's credentials, which lie in the volume."""
    written = Path(f"/proc/{server.pid}/root{image.volumes[0]}/dev-credentials.json")
    tenant = json.loads(written.read_text(encoding="utf-8"))["tenants"][0]
    client = tenant["clients"][1]
    form = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    token = httpx.post(f"{address}/oauth/token", data=form).raise_for_status().json()["access_token"]
    headers = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}
    files = {"file": (TEMPLATE_FILE.name, TEMPLATE_FILE.read_bytes())}
    return httpx.post(f"{address}/api/v3/present/slides/pdf", files=files, headers=headers, timeout=120)


def test_nothing_of_what_built_them_is_in_them(images: dict[str, Image]) -> None:
    for name in ("slim", "office"):
        folder = images[name].folder
        assert not [
            path for path in ("build", "usr/bin/npm", "usr/bin/gcc", "opt/meetdeck/bin/pip") if (folder / path).exists()
        ]
        assert not list((folder / "var/lib/apt/lists").glob("*_Packages*"))
        assert (folder / "usr/bin/soffice").exists() is (name == "office") or shutil.which(
            "soffice", path=str(folder / "usr/bin")
        ) is None
