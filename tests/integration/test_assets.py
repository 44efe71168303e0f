"""The assets of the pages: fetched once, exactly as locked, by the real scripts and npm. The registry is the test's."""

import base64
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading
from collections.abc import Generator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
PACKAGE = {
    "LICENSE": b"Do what you like.",
    "NOTICE.md": b"Somebody made it.",
    "dist/page.js": b"alert('a page');",
    "dist/page.js.LICENSE.txt": b"Bundled: something else.",
    "dist/other.js": b"nobody loads this",
}
WANTED = {"page/LICENSE", "page/NOTICE.md", "page/page.js", "page/page.js.LICENSE.txt"}


class Registry:
    """A package registry on loopback that has one package in two versions, and counts what it is asked."""

    def __init__(self, marker: Path) -> None:
        self.asked: list[str] = []
        self.archives = {version: pack(version, PACKAGE, marker) for version in ("1.0.0", "2.0.0")}
        self.integrity = {version: integrity_of(archive) for version, archive in self.archives.items()}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def describe(self) -> bytes:
        versions = {
            version: {
                "name": "made-up",
                "version": version,
                "dist": {"tarball": f"{self.address}/{version}.tgz", "integrity": self.integrity[version]},
            }
            for version in self.archives
        }
        return json.dumps({"name": "made-up", "dist-tags": {"latest": "2.0.0"}, "versions": versions}).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        registry = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                registry.asked.append(self.path)
                version = self.path.strip("/").removesuffix(".tgz")
                answer = registry.archives.get(version) or registry.describe()
                self.send_response(200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name in the library
                """Say nothing."""

        return Handler


def pack(version: str, files: Mapping[str, bytes], marker: Path) -> bytes:
    """Return a package with a script that leaves a marker when it is run."""
    manifest = {"name": "made-up", "version": version, "scripts": {"postinstall": f"touch '{marker}'"}}
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in {"package.json": json.dumps(manifest).encode(), **files}.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size, member.mode = len(content), 0o644
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def integrity_of(archive: bytes) -> str:
    return f"sha512-{base64.b64encode(hashlib.sha512(archive).digest()).decode()}"


class Clone:
    """A clone's folder with what fetches, and a manifest that names the made-up package."""

    def __init__(self, folder: Path, registry: Registry) -> None:
        self.folder = folder
        self.registry = registry
        self.served = folder / "src/meetdeck/web/assets"
        shutil.copytree(PROJECT / "assets", folder / "assets", ignore=shutil.ignore_patterns("fetched.json", "__*"))
        shutil.copy(PROJECT / "requirements-node.lock", folder)
        self.lock("1.0.0")

    def lock(self, version: str, *, without: str = "") -> None:
        served = {"page": {"package": "made-up", "files": ["dist/page.js"]}}
        asked = {"dependencies": {"made-up": version}}
        facts = {"version": version, "integrity": self.registry.integrity[version]}
        facts.pop(without, "")
        packages: dict[str, Any] = {"": asked, "node_modules/made-up": facts | {"hasInstallScript": True}}
        write_json(self.folder / "assets/package.json", {"private": True, **asked, "served": served})
        write_json(self.folder / "assets/package-lock.json", {"lockfileVersion": 3, "packages": packages})

    def fetch(self, *arguments: str, python: str = "-E", **variables: str) -> subprocess.CompletedProcess[str]:
        """Run the script; `python` is a flag of the interpreter."""
        ours = {"npm_config_registry": self.registry.address, "npm_config_cache": str(self.folder / "cache")}
        return subprocess.run(  # noqa: S603 - our own script
            [sys.executable, python, "assets/fetch.py", *arguments],
            cwd=self.folder,
            env=os.environ | ours | variables,
            capture_output=True,
            text=True,
            check=False,
        )

    def list_served(self) -> set[str]:
        return {path.relative_to(self.served).as_posix() for path in self.served.rglob("*") if path.is_file()}


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def registry(tmp_path: Path) -> Generator[Registry]:
    registry = Registry(tmp_path / "a script was run")
    yield registry
    registry.close()


@pytest.fixture
def clone(tmp_path: Path, registry: Registry) -> Clone:
    return Clone(tmp_path / "a clone's folder", registry)


@pytest.mark.thorough
@pytest.mark.parametrize("npm", ["the machine's", "the wheel's", "a version manager's, of no version"])
def test_what_pages_load_is_fetched_once_with_its_licences(npm: str, clone: Clone, tmp_path: Path) -> None:
    path = os.environ["PATH"]
    if npm != "the machine's":
        path = str(tmp_path / "bin")
        Path(path).mkdir()
    if npm.startswith("a version manager's"):
        (tmp_path / "bin/npm").write_text("#!/bin/sh\necho 'No version is set.'; exit 126\n")
        (tmp_path / "bin/npm").chmod(0o755)
    fetched = clone.fetch(PATH=path)
    assert fetched.returncode == 0, fetched.stderr
    assert clone.list_served() == WANTED
    assert (clone.served / "page/page.js").read_bytes() == PACKAGE["dist/page.js"]
    assert not (tmp_path / "a script was run").exists()
    assert not (clone.folder / "assets/node_modules").exists()
    asked = list(clone.registry.asked)
    assert asked
    assert (clone.fetch(PATH=path).returncode, clone.registry.asked) == (0, asked)


def test_a_changed_lock_is_followed_and_nothing_of_before_stays(clone: Clone) -> None:
    assert clone.fetch().returncode == 0
    clone.lock("2.0.0")
    (clone.served / "page/old.js").write_text("of the version before")
    assert clone.fetch().returncode == 0
    assert "/2.0.0.tgz" in clone.registry.asked
    assert clone.list_served() == WANTED


def lose_a_file(page: Path) -> None:
    (page / "LICENSE").unlink()


def damage_a_file(page: Path) -> None:
    (page / "page.js").write_text("")


def leave_a_file(page: Path) -> None:
    (page / "old.js").write_text("of the version before")


@pytest.mark.thorough
def test_what_was_damaged_is_noticed_and_mended(clone: Clone) -> None:
    assert clone.fetch().returncode == 0
    sound = clone.folder / "sound"
    shutil.copytree(clone.served, sound)
    for disturb in (lose_a_file, damage_a_file, leave_a_file):
        shutil.copytree(sound, clone.served, dirs_exist_ok=True)
        (clone.served / "page/old.js").unlink(missing_ok=True)
        assert (disturb, clone.fetch("--check").returncode) == (disturb, 0)
        disturb(clone.served / "page")
        assert (disturb, clone.fetch("--check").returncode) == (disturb, 1)
    assert clone.fetch().returncode == 0
    assert clone.list_served() == WANTED
    assert clone.fetch("--check").returncode == 0


@pytest.mark.thorough
def test_another_package_than_the_locked_one_is_refused_and_what_was_there_stays(clone: Clone, tmp_path: Path) -> None:
    assert clone.fetch().returncode == 0
    clone.lock("2.0.0")
    clone.registry.archives["2.0.0"] = pack("2.0.0", PACKAGE | {"dist/page.js": b"steal()"}, tmp_path / "marker")
    refused = clone.fetch()
    assert refused.returncode == 1
    assert "EINTEGRITY" in refused.stderr
    assert (clone.served / "page/page.js").read_bytes() == PACKAGE["dist/page.js"]


@pytest.mark.thorough
def test_a_lock_without_a_hash_is_refused_before_anything_is_fetched(clone: Clone) -> None:
    clone.lock("1.0.0", without="integrity")
    refused = clone.fetch()
    assert refused.returncode == 1
    assert "package-lock.json has no hash of node_modules/made-up. Write it anew: make lock" in refused.stderr
    assert clone.registry.asked == []


@pytest.mark.thorough
def test_a_package_without_a_licence_is_refused(clone: Clone, tmp_path: Path) -> None:
    bare = pack("1.0.0", {"dist/page.js": b""}, tmp_path / "marker")
    clone.registry.archives["1.0.0"], clone.registry.integrity["1.0.0"] = bare, integrity_of(bare)
    clone.lock("1.0.0")
    refused = clone.fetch()
    assert refused.returncode == 1
    assert "made-up has no licence" in refused.stderr


@pytest.mark.thorough
def test_without_a_registry_it_says_what_to_do(clone: Clone) -> None:
    clone.registry.close()
    refused = clone.fetch()
    assert refused.returncode == 1
    assert "The assets of the pages are not here: npm could not fetch them." in refused.stderr
    assert "npm_config_registry" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.thorough
def test_without_npm_and_a_package_index_it_says_what_to_do(clone: Clone, tmp_path: Path) -> None:
    refused = clone.fetch(python="-S", PATH=str(tmp_path), PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert refused.returncode == 1
    assert "there is no npm (7 or newer) here, and pip could not install the Node" in refused.stderr
    assert "Install Node, or make way to a package index" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_assets_of_this_clone_are_those_of_its_lock() -> None:
    checked = subprocess.run([sys.executable, PROJECT / "assets/fetch.py", "--check"], check=False)  # noqa: S603 - ours
    assert checked.returncode == 0, "The assets are missing, or are not those of the lock: make setup"


# ----------------------------------------------------------------------------------------------------- the repository


def list_tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=False)  # noqa: S607
    if listed.returncode:
        pytest.skip("this is not a clone")
    return [path for name in listed.stdout.split("\0") if name and (path := PROJECT / name).is_file()]


def test_the_locks_of_npm_have_hashes_and_no_addresses() -> None:
    locks = [path for path in list_tracked() if path.name == "package-lock.json"]
    assert PROJECT / "assets/package-lock.json" in locks
    for lock in locks:
        packages: dict[str, dict[str, Any]] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
        for name, facts in packages.items():
            assert not name or "integrity" in facts, (lock, name)
            assert "resolved" not in facts, (lock, name)


def test_the_repository_holds_nothing_that_others_packed() -> None:
    for path in list_tracked():
        assert ".min." not in path.name
        assert "node_modules" not in path.parts
        if path.suffix in {".js", ".mjs", ".cjs", ".css", ".map"}:
            assert max(map(len, path.read_text(encoding="utf-8").splitlines()), default=0) < 400, path
