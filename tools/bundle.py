"""Collects a release and all it needs in one folder and its tar, for machines that reach no network: dist/bundle/.

    python -m tools.bundle           `make bundle` sets up first
    python -m tools.bundle --debs    with Debian's packages, too (`make bundle DEBS=1`): half a gigabyte more

The wheels are those for the system and the Python that run it; deploy/Dockerfile names the packages of Debian.
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.release import ROOT, build_release, read_epoch, read_version, write_sums

_INSTALL: Final = ROOT / "deploy/install.sh"
_APT: Final = re.compile(r"apt-get install -y --no-install-recommends((?:[^&\\]|\\\n)*)")


def list_debian_packages(dockerfile: str) -> list[str]:
    """Return the names of the packages that a Dockerfile installs, with those that its base has not."""
    return sorted({name for names in _APT.findall(dockerfile) for name in names.replace("\\\n", " ").split()})


def collect_wheels(folder: Path) -> None:
    """Write the wheel of each package of the lock, each with the lock's hash, into a folder."""
    options = ("--no-deps", "--only-binary", ":all:", "--require-hashes", "--quiet", "--disable-pip-version-check")
    _run(sys.executable, "-m", "pip", "download", *options, "-r", str(ROOT / "requirements.lock"), "-d", str(folder))


def collect_debs(names: list[str], folder: Path) -> None:
    """Write Debian's packages, with all that they need on a bare system, into a folder."""
    (folder / "partial").mkdir(parents=True)
    with tempfile.NamedTemporaryFile() as nothing_installed:
        options = {
            "Dir::State::status": nothing_installed.name,
            "Dir::Cache::archives": f"{folder}/",
            "Debug::NoLocking": "1",
            "APT::Sandbox::User": "root",
        }
        given = (word for name, value in options.items() for word in ("-o", f"{name}={value}"))
        _run("apt-get", "-qq", *given, "install", "--download-only", "-y", "--no-install-recommends", *names)
    shutil.rmtree(folder / "partial")
    (folder / "lock").unlink(missing_ok=True)


def build_bundle(folder: Path, epoch: str, *, with_debs: bool = False) -> None:
    """Write everything into an empty folder, with the checksum of each file."""
    build_release(folder, epoch)
    collect_wheels(folder / "wheels")
    _run(sys.executable, "-m", "meetdeck", "docs", "export", str(folder / "docs"))
    shutil.copytree(ROOT / "deploy", folder / "deploy")
    shutil.copy(_INSTALL, folder / "install.sh")
    names = list_debian_packages((ROOT / "deploy/Dockerfile").read_text(encoding="utf-8"))
    (folder / "packages.txt").write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    if with_debs:
        collect_debs(names, folder / "debs")
    write_sums(folder)


def pack(folder: Path, into: Path, name: str) -> None:
    """Write a tar whose one folder has a name."""
    with tarfile.open(into, "w") as packed:
        for path in _list_files(folder):
            packed.add(path, f"{name}/{path.relative_to(folder)}")


def main() -> None:
    """Replace dist/bundle/ and its tar by this commit's."""
    epoch, name = read_epoch(), f"meetdeck-{read_version()}-bundle"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / name
        folder.mkdir()
        build_bundle(folder, epoch, with_debs="--debs" in sys.argv)
        dist = ROOT / "dist"
        shutil.rmtree(dist / "bundle", ignore_errors=True)
        dist.mkdir(exist_ok=True)
        pack(folder, dist / f"{name}.tar", name)
        shutil.move(folder, dist / "bundle")
    print(f"dist/{name}.tar and dist/bundle/: copy one of them, and run install.sh there.")


def _list_files(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*") if path.is_file())


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main()
