"""A wheel, built of the sources that are handed out, and what it serves from an environment that has nothing else."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

import meetdeck
from meetdeck.pages.texts import get_texts
from support.installation import Installation
from support.web_walks import walk

pytestmark = pytest.mark.thorough

PROJECT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
UV = Path(sys.executable).parent / "uv"
ASSETS = "meetdeck/web/assets"
NOWHERE = {"npm_config_registry": "http://127.0.0.1:9/", "PATH": "/nowhere", "PIP_NO_INDEX": "1"}

_NOT_INSTALLED = """
import importlib.metadata
find = importlib.metadata.version
def version(name):
    if name == "meetdeck":
        raise importlib.metadata.PackageNotFoundError(name)
    return find(name)
importlib.metadata.version = version
"""
"""The build precedes the installation, as in an image."""


def build(kind: str, of: Path, into: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Build a `wheel` or an `sdist`."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", into]
    environment = os.environ | variables
    return subprocess.run(command, cwd=of, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def find_built(folder: Path, done: subprocess.CompletedProcess[str]) -> Path:
    """Return the one file that a build left in its folder."""
    assert done.returncode == 0, done.stderr
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sources that are handed out, and unpack them."""
    folder = tmp_path_factory.mktemp("sources")
    with tarfile.open(find_built(folder / "sdist", build("sdist", PROJECT, folder / "sdist"))) as packed:
        packed.extractall(folder, filter="data")
    return next(folder.glob("meetdeck-*"))


@pytest.fixture(scope="module")
def wheel_file(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel of the sources, where nothing can be fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    return find_built(folder, build("wheel", sources, folder, **NOWHERE))


@pytest.fixture(scope="module")
def wheel(wheel_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the wheel."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel_file) as packed:
        packed.extractall(folder)  # noqa: S202 - it is ours
    return folder


@pytest.fixture(scope="module")
def fresh_python(wheel_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install lock and wheel into an environment of its own, by docs/operations/packages.md, and return its Python.

    uv does it, in place of pip: it has the lock's packages from the set-up.
    """
    folder = tmp_path_factory.mktemp("fresh")
    python = folder / "bin/python"
    uv(["venv", "--python", sys.executable, folder])
    uv(["pip", "install", "--python", python, "--require-hashes", "-r", PROJECT / "requirements.lock"])
    uv(["pip", "install", "--python", python, "--no-deps", "--offline", wheel_file])
    return python


def uv(arguments: list[str | Path]) -> None:
    """Run uv; the reason is told when it fails."""
    done = subprocess.run([UV, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - of the lock
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def served(fresh_python: Path, shared_installation: Installation) -> str:
    """Serve the demo firms from the fresh environment, and return the address."""
    shared_installation.python = fresh_python
    return shared_installation.start(anew=True)


def test_it_has_the_assets_and_their_licences(wheel: Path) -> None:
    fetched = json.loads((PROJECT / "assets/fetched.json").read_text(encoding="utf-8"))["here"]
    here = {path.relative_to(wheel / ASSETS).as_posix() for path in (wheel / ASSETS).rglob("*") if path.is_file()}
    assert here == set(fetched)
    for name in here:
        assert (wheel / ASSETS / name).read_bytes() == (PROJECT / "src" / ASSETS / name).read_bytes()
    assert {"swagger-ui/LICENSE", "swagger-ui/NOTICE", "swagger-ui/swagger-ui-bundle.js.LICENSE.txt"} <= here
    assert "Apache License" in (wheel / ASSETS / "swagger-ui/LICENSE").read_text(encoding="utf-8")


def test_a_build_that_cannot_fetch_the_assets_ends_in_words(sources: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(sources, bare, ignore=shutil.ignore_patterns("fetched.json", "swagger-ui*", "tests"))
    nowhere = NOWHERE | {"npm_config_cache": str(tmp_path / "cache")}
    refused = build("wheel", bare, tmp_path / "dist", **nowhere)
    assert refused.returncode != 0
    assert "Meetdeck is not built, since the assets of its pages are not here: npm could not" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not list(tmp_path.glob("dist/*"))


def test_it_has_the_manual(wheel: Path, served: str) -> None:
    made = PROJECT / "src/meetdeck/pages/manual/made"
    for path in (path.relative_to(made) for path in made.rglob("*") if path.is_file()):
        assert (wheel / "meetdeck/pages/manual/made" / path).read_bytes() == (made / path).read_bytes()
    assert "Meetdeck manual" in httpx.get(f"{served}/docs").text


def test_a_build_makes_the_manual_though_meetdeck_is_not_installed_yet(sources: Path, tmp_path: Path) -> None:
    bare, site = tmp_path / "bare", tmp_path / "site"
    shutil.copytree(sources, bare, ignore=shutil.ignore_patterns("made", "tests"))
    site.mkdir()
    (site / "sitecustomize.py").write_text(_NOT_INSTALLED)
    built = find_built(tmp_path / "dist", build("wheel", bare, tmp_path / "dist", PYTHONPATH=str(site)))
    with zipfile.ZipFile(built) as packed:
        page = packed.read("meetdeck/pages/manual/made/pages/index.html").decode()
    assert f"Meetdeck {meetdeck.__version__}" in page


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_a_browser_shows_every_operation(wheel: Path, served: str, tmp_path: Path) -> None:
    page, said = show(f"{served}/docs/api", tmp_path)
    document = httpx.get(f"{served}/api/v3/openapi.json").json()
    shown = sum(map(len, [*document["paths"].values(), *document["webhooks"].values()]))
    assert page.count('class="opblock-summary-path"') == shown
    assert "CONSOLE" not in said, said  # the page's own policy refused nothing, and no script failed
    style = httpx.get(f"{served}/static/swagger-ui/swagger-ui.css")
    assert style.content == (wheel / ASSETS / "swagger-ui/swagger-ui.css").read_bytes()


@pytest.mark.parametrize("language", ["en", "da"])
def test_customers_pages_are_whole(language: str, served: str) -> None:
    """Templates, catalogues, theme, style sheet and script: each file that the page names is answered."""
    with httpx.Client() as http:
        assert (
            get_texts(language).translate("What is it about?") in http.get(f"{served}/p/nordlys?lang={language}").text
        )
        seen = walk(http, served, [f"/p/nordlys?lang={language}"], most=8)
        assert {".css", ".js", ".svg"} <= {Path(urlsplit(address).path).suffix for address in seen}


def test_it_stands_in_no_clone(fresh_python: Path) -> None:
    asked = "import meetdeck, os; os.chdir('/'); print(meetdeck.__file__)"
    said = subprocess.run([fresh_python, "-P", "-c", asked], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert Path(said.stdout.strip()).is_relative_to(fresh_python.parents[1])


def show(address: str, folder: Path) -> tuple[str, str]:
    """Return the page as it stands after its scripts, and what the browser said."""
    assert CHROMIUM is not None
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={folder}"]
    window = "--window-size=1200,20000"  # Swagger UI draws the operations that are in sight
    shown = subprocess.run(  # noqa: S603 - the system's browser, on our own page
        [CHROMIUM, *quiet, window, "--virtual-time-budget=30000", "--dump-dom", address],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return shown.stdout, shown.stderr
