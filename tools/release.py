"""Builds a release into dist/: wheel, sdist, client libraries, lock, SBOM, API collections, notes and checksums.

    python -m tools.release     `make release` sets up first

Each file is built twice, Meetdeck's own the second time from the unpacked sdist in another folder. Where a byte differs
there is no release, so that everybody can build from the sdist what was released.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tools.api_changes.releases import find_unrecorded, read_present

from meetdeck.app import describe_api
from meetdeck.platform.http.openapi import Installation, make_collection
from meetdeck.platform.values import Version

ROOT: Final = Path(__file__).parents[1]
_LOCK: Final = "requirements.lock"
_SUMS: Final = "SHA256SUMS"
_SERVICE: Final = "http://127.0.0.1:8080"
"""The address in the collections, which callers replace by their own: that of `make run`."""
_TOOLS: Final = Path(sys.executable).parent


def read_epoch() -> str:
    """Return the seconds of the last commit, or end in words where files differ from it."""
    if changed := _run("git", "status", "--porcelain", folder=ROOT).strip():
        raise SystemExit(f"These files differ from the last commit. Commit them, or remove them:\n{changed}")
    return _run("git", "log", "-1", "--format=%ct", folder=ROOT).strip()


def read_version() -> str:
    """Return the version that pyproject.toml gives."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["version"]


def require_recorded(version: str) -> None:
    """End in words if the API is not the one that is recorded for a version."""
    if fault := find_unrecorded(version, read_present()):
        raise SystemExit(fault)


def find_notes(changelog: str, version: str) -> str:
    """Return the CHANGELOG's section of a version; of one that has none yet, that of what is unreleased."""
    for name in (version, "Unreleased"):
        found = re.search(rf"^## \[{re.escape(name)}\].*?(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
        if found:
            return found[0].strip() + "\n"
    raise SystemExit(f"CHANGELOG.md has no section for {version}, and none for what is unreleased. Write one.")


def build_distribution(sources: Path, into: Path, environment: Mapping[str, str]) -> None:
    """Write wheel and sdist of the sources into a folder."""
    for target in ("sdist", "wheel"):
        command = (sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", into)
        _run(*command, folder=sources, environment=environment)


def build_clients(into: Path, environment: Mapping[str, str]) -> None:
    """Write the wheel and the npm tarball of the client libraries into a folder."""
    _run(sys.executable, ROOT / "clients/build.py", into, folder=ROOT, environment=environment)


def unpack(sdist: Path, into: Path) -> Path:
    """Return the folder of the sources in an sdist, unpacked into an empty one."""
    with tarfile.open(sdist) as packed:
        packed.extractall(into, filter="data")
    (sources,) = into.iterdir()
    (sources / "PKG-INFO").unlink()  # hatchling writes it, and would pack this one beside its own
    return sources


def list_differences(one: Path, other: Path) -> list[str]:
    """Return the names of files that differ, or that only one of two folders has."""
    names = {path.name for folder in (one, other) for path in folder.iterdir()}
    return sorted(name for name in names if _digest(one / name) != _digest(other / name))


def write_collections(folder: Path, version: str) -> None:
    """Write the calls of each version of the API as a file that Postman and Bruno import."""
    for api in Version:
        collection = make_collection(describe_api(api, Installation(_SERVICE, issues_tokens=True)), _SERVICE)
        path = folder / f"meetdeck-{version}-{api}.postman_collection.json"
        path.write_text(json.dumps(collection, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_sbom(wheel: Path, into: Path, scratch: Path, environment: Mapping[str, str]) -> None:
    """Install lock and wheel as operators do into an empty environment, and write what it has then: CycloneDX."""
    python = scratch / "bin/python"
    uv = _TOOLS / "uv"
    _run(uv, "venv", "--python", sys.executable, scratch, folder=ROOT)
    install = (uv, "pip", "install", "--python", python)
    _run(*install, "--require-hashes", "-r", _LOCK, folder=ROOT)
    _run(*install, "--no-deps", "--offline", wheel, folder=ROOT)
    options = ("--output-reproducible", "--spec-version", "1.6", "--output-format", "JSON", "--output-file", "-")
    command = (_TOOLS / "cyclonedx-py", "environment", "--pyproject", ROOT / "pyproject.toml", *options, python)
    document: dict[str, Any] = json.loads(_run(*command, folder=ROOT, environment=environment))
    into.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS of all files below a folder, as `sha256sum --check` reads it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != _SUMS)
    lines = [f"{_digest(path)}  {path.relative_to(folder)}\n" for path in paths]
    (folder / _SUMS).write_text("".join(lines), encoding="utf-8")


def build_release(folder: Path, epoch: str) -> None:
    """Write a release into an empty folder, or end in words where a second build differs."""
    environment = os.environ | {"SOURCE_DATE_EPOCH": epoch}
    version = read_version()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        build_distribution(ROOT, folder, environment)
        sources = unpack(folder / f"meetdeck-{version}.tar.gz", scratch / "sources")
        build_distribution(sources, scratch / "again", environment)
        build_clients(folder, environment)
        build_clients(scratch / "again", environment)
        if differing := list_differences(folder, scratch / "again"):
            raise SystemExit(f"Two builds of one commit differ in {', '.join(differing)}: nothing is released.")
        (wheel,) = folder.glob(f"meetdeck-{version}-*.whl")
        write_sbom(wheel, folder / f"meetdeck-{version}.cdx.json", scratch / "installed", environment)
    write_collections(folder, version)
    notes = find_notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    (folder / "RELEASE-NOTES.md").write_text(notes, encoding="utf-8")
    shutil.copy(ROOT / _LOCK, folder)
    write_sums(folder)


def main() -> None:
    """Replace dist/ by a release, once that is whole."""
    epoch = read_epoch()
    require_recorded(read_version())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "dist"
        build_release(folder, epoch)
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        shutil.move(folder, ROOT / "dist")
    print((ROOT / "dist" / _SUMS).read_text(encoding="utf-8"), end="")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _run(*command: str | Path, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
