"""The client libraries, as `clients/build.py` builds them: types, READMEs, and bookings whose answers are lost."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import sync_playwright

from clients.generators import GENERATORS, MODULES, OWN_NODE, find_missing, find_readers_node
from support.chromium import MISSING, find_chromium
from support.cutting_proxy import cut_connections
from support.installation import Installation
from support.manual_calls import write_python_calls, write_typescript_calls

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
WALKS = ROOT / "tests/clients/walks"
FIRST_STEPS = ROOT / "docs/getting-started.md"
BOOKINGS = 1000 if os.environ.get("MEETDECK_CLIENTS") == "all" else 100
CUT = 0.3
MOST_BYTES = 12_000
READERS_NODE = find_readers_node() / "node"
_BLOCK = re.compile(
    r"^(?:<!-- not run: [^\n]+ -->\n)?```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


@pytest.fixture(scope="module")
def service(shared_installation: Installation) -> dict[str, str]:
    """Start a service with demo data; return the environment that the READMEs' examples read."""
    shared_installation.settings["MEETDECK_CORS_ORIGINS"] = "*"  # for the page of another origin
    address = shared_installation.start()
    written: dict[str, Any] = json.loads((shared_installation.data_dir / "dev-credentials.json").read_text())
    tenant = written["tenants"][0]
    app, admin, *_ = tenant["clients"]
    return {
        "MEETDECK": address,
        "MEETDECK_KEY": tenant["subscriptionKey"],
        "MEETDECK_CLIENT_ID": app["clientId"],
        "MEETDECK_CLIENT_SECRET": app["clientSecret"],
        "MEETDECK_ADMIN_ID": admin["clientId"],
        "MEETDECK_ADMIN_SECRET": admin["clientSecret"],
    }


@pytest.fixture(scope="module")
def python_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel; return a folder with its contents, the walks, and the README's examples as a program."""
    folder = tmp_path_factory.mktemp("python")
    run(sys.executable, ROOT / "clients/build.py", folder / "dist", "python", folder=ROOT)
    (wheel,) = (folder / "dist").glob("*.whl")
    shutil.unpack_archive(wheel, folder, "zip")
    for walk in WALKS.glob("library_*.py"):
        shutil.copy(walk, folder)
    (folder / "readme.py").write_text(read_examples("python", "python"), encoding="utf-8")
    (folder / "first.py").write_text(read_first_steps("first.py"), encoding="utf-8")
    (folder / "manual.py").write_text(write_python_calls(), encoding="utf-8")
    configuration = {"include": ["."], "ignore": ["meetdeck_client/_generated"], "typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(configuration | {"reportMissingTypeStubs": False}))
    return folder


def test_the_wheel_is_whole_and_has_the_version_of_the_api(python_folder: Path, service: dict[str, str]) -> None:
    version = httpx.get(f"{service['MEETDECK']}/api/v3/openapi.json", timeout=60).json()["info"]["version"]
    (described,) = python_folder.glob("meetdeck_client-*.dist-info/METADATA")
    told = described.read_text(encoding="utf-8")
    assert f"\nVersion: {version}\n" in told
    assert "License-Expression: Apache-2.0" in told
    assert (described.parent / "licenses/LICENSE").exists()
    assert (python_folder / "meetdeck_client/py.typed").exists()


def test_python_is_typed_wholly_with_its_readme_its_walks_and_the_calls_of_the_manual(python_folder: Path) -> None:
    assert "0 errors, 0 warnings" in run("basedpyright", "--pythonpath", sys.executable, folder=python_folder)


def test_the_examples_of_the_python_readme_run_in_its_order(python_folder: Path, service: dict[str, str]) -> None:
    printed = run(sys.executable, "readme.py", folder=python_folder, **service)
    assert "Anna Holm" in printed
    assert "booked 20" in printed
    assert re.search(r'I have "\S+" there is "\S+"', printed)
    assert "meeting_not_found" in printed
    assert "/customerId" in printed
    assert (python_folder / "deck.pptx").read_bytes().startswith(b"PK")


def test_the_first_steps_of_the_manual_run(python_folder: Path, service: dict[str, str]) -> None:
    assert "booked 20" in run(sys.executable, "first.py", folder=python_folder, **service)


@pytest.mark.parametrize("walk", ["walk", "rules"])
def test_the_python_library_walks(walk: str, python_folder: Path, service: dict[str, str]) -> None:
    assert "walked: " in run(sys.executable, f"library_{walk}.py", folder=python_folder, **service)


def test_each_booking_from_python_happens_once_when_answers_are_lost(
    python_folder: Path, service: dict[str, str]
) -> None:
    require_each_booked_once((sys.executable, "library_bookings.py"), python_folder, service)


@pytest.fixture(scope="module")
def typescript_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the tarball; return a folder in which it is installed, with the walks and the README's examples."""
    if (missing := find_missing(GENERATORS["openapi-fetch"])) is not None:
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("typescript")
    run(sys.executable, ROOT / "clients/build.py", folder / "dist", "typescript", folder=ROOT)
    (tarball,) = (folder / "dist").glob("*.tgz")
    modules = folder / "node_modules"
    modules.mkdir()
    for package in ("@types", "openapi-fetch", "openapi-typescript-helpers", "undici-types"):
        (modules / package).symlink_to(MODULES / package)
    shutil.unpack_archive(tarball, modules / "@meetdeck", filter="data")
    (modules / "@meetdeck/package").rename(modules / "@meetdeck/client")
    for walk in WALKS.glob("library_*.ts"):
        shutil.copy(walk, folder)
    (folder / "readme.ts").write_text(read_examples("typescript", "ts"), encoding="utf-8")
    (folder / "first.ts").write_text(read_first_steps("first.ts"), encoding="utf-8")
    (folder / "manual.ts").write_text(write_typescript_calls(), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    configuration = json.loads((ROOT / "clients/typescript/tsconfig.json").read_text(encoding="utf-8"))
    options = configuration["compilerOptions"] | {
        "types": ["node"],
        "rootDir": ".",
        "outDir": "made",
        "noUnusedLocals": False,
        "noUnusedParameters": False,
    }
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.ts"]}))
    return folder


@pytest.fixture(scope="module")
def compiled(typescript_folder: Path) -> Path:
    """Check the types of all programs in the folder; return the folder of their JavaScript."""
    run(OWN_NODE / "node", MODULES / ".bin/tsc", folder=typescript_folder)
    return typescript_folder / "made"


def test_the_tarball_is_whole_and_has_the_version_of_the_api(typescript_folder: Path, service: dict[str, str]) -> None:
    version = httpx.get(f"{service['MEETDECK']}/api/v3/openapi.json", timeout=60).json()["info"]["version"]
    package = typescript_folder / "node_modules/@meetdeck/client"
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    assert (described["version"], described["license"]) == (version, "Apache-2.0")
    assert all((package / name).exists() for name in ("LICENSE", "README.md", "dist/index.js", "dist/index.d.ts"))


def test_the_examples_of_the_typescript_readme_run_in_its_order(compiled: Path, service: dict[str, str]) -> None:
    printed = run(READERS_NODE, "readme.js", folder=compiled, **service)
    for told in ("Anna Holm", "booked 20", "meeting_not_found", "/customerId"):
        assert told in printed
    assert re.search(r'I have "\S+" there is "\S+"', printed)
    assert (compiled / "deck.pptx").read_bytes().startswith(b"PK")


def test_the_first_steps_of_the_manual_run_in_typescript(compiled: Path, service: dict[str, str]) -> None:
    assert "booked 20" in run(READERS_NODE, "first.js", folder=compiled, **service)


@pytest.mark.parametrize("walk", ["walk", "rules"])
def test_the_typescript_library_walks(walk: str, compiled: Path, service: dict[str, str]) -> None:
    assert "walked: " in run(READERS_NODE, f"library_{walk}.js", folder=compiled, **service)


def test_each_booking_from_typescript_happens_once_when_answers_are_lost(
    compiled: Path, service: dict[str, str]
) -> None:
    require_each_booked_once((str(READERS_NODE), "library_bookings.js"), compiled, service)


def test_the_typescript_library_books_from_a_page_of_another_origin(
    typescript_folder: Path, service: dict[str, str]
) -> None:
    chromium = find_chromium()
    if chromium is None:
        pytest.skip(MISSING)
    page = (WALKS / "library_page.html").read_text(encoding="utf-8")
    for name, value in {
        "BASE": service["MEETDECK"],
        "KEY": service["MEETDECK_KEY"],
        "TOKEN": get_token(service),
    }.items():
        page = page.replace(f"{{{name}}}", value)
    (typescript_folder / "page.html").write_text(page, encoding="utf-8")
    handler = partial(SimpleHTTPRequestHandler, directory=str(typescript_folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=chromium, timeout=60_000)
        shown = browser.new_page()
        shown.goto(f"http://127.0.0.1:{server.server_port}/page.html")
        shown.wait_for_function("document.title !== ''", timeout=60_000)
        assert shown.title() == "booked; 409 time_slot_taken; stale"
        browser.close()
        server.shutdown()


def test_the_typescript_library_is_small(typescript_folder: Path) -> None:
    esbuild = MODULES / ".bin/esbuild"
    if not esbuild.exists():
        pytest.skip("esbuild is part of `make clients`")
    entry = typescript_folder / "node_modules/@meetdeck/client/dist/index.js"
    minified = run(esbuild, entry, "--bundle", "--minify", "--format=esm", folder=typescript_folder)
    assert len(minified.encode()) < MOST_BYTES


def require_each_booked_once(program: tuple[str, ...], folder: Path, service: dict[str, str]) -> None:
    """Book through a connection that is cut for 30 % of all requests; exactly so many meetings are there afterwards."""
    customer = f"C-{uuid4()}"
    target = urlsplit(service["MEETDECK"]).port
    assert target is not None
    with cut_connections(target, share=CUT) as proxy:
        through = service | {"MEETDECK": f"http://127.0.0.1:{proxy.port}"}
        printed = run(*program, str(BOOKINGS), customer, folder=folder, **through)
    assert f"booked {BOOKINGS};" in printed
    assert min(proxy.cut_before, proxy.cut_after) > BOOKINGS * CUT / 4
    assert len(list_meetings(service, customer)) == BOOKINGS
    (repeated,) = re.findall(r"(\d+) repeated by the service", printed)
    assert int(repeated) > BOOKINGS * CUT / 4


def list_meetings(service: dict[str, str], customer: str) -> list[dict[str, Any]]:
    """Return a customer's meetings, asked for without the library."""
    headers = {"Authorization": f"Bearer {get_token(service)}", "Ocp-Apim-Subscription-Key": service["MEETDECK_KEY"]}
    address = f"{service['MEETDECK']}/api/v3/booking/meetings"
    return httpx.get(address, params={"customerId": customer}, headers=headers, timeout=60).json()


def get_token(service: dict[str, str]) -> str:
    """Return an access token, fetched without the library."""
    form = {"grant_type": "client_credentials", "client_id": service["MEETDECK_CLIENT_ID"]}
    form["client_secret"] = service["MEETDECK_CLIENT_SECRET"]
    return httpx.post(f"{service['MEETDECK']}/oauth/token", data=form).json()["access_token"]


def read_examples(library: str, language: str) -> str:
    """Return the examples of a README in its order, without those that are marked as not to be run."""
    text = (ROOT / "clients" / library / "README.md").read_text(encoding="utf-8")
    found = [block for block in _BLOCK.finditer(text) if not block[0].startswith("<!--")]
    return "\n".join(block["text"] for block in found if block["language"] == language)


def read_first_steps(name: str) -> str:
    """Return a program of the manual's first steps."""
    text = FIRST_STEPS.read_text(encoding="utf-8")
    (example,) = re.findall(rf"^```\w+ file={re.escape(name)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return example


def run(*command: str | Path, folder: Path, **environment: str) -> str:
    """Run a program in a folder; return what it printed. Fails with that if it fails."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(  # noqa: S603 - our own programs
        command,
        cwd=folder,
        env=os.environ | {"PATH": path} | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    printed = done.stdout + done.stderr
    assert done.returncode == 0, printed[-6000:]
    return printed
